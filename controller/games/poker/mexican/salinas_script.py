"""Mexican Poker as it is played in Salinas: a draw game in which the first bet comes before the first card.

The button opens for two to five dollars, everybody calls, raises or folds, and the collection is taken; only then five
cards are dealt to who is still in, beginning with the button. A betting round, a draw of up to five cards (the button
at most four), a last betting round. No limit; the joker is any card; five of a kind is the best hand.

Sheet: bankers-mexican-poker-salinas.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from controller.engine import events as ev
from controller.engine.betting.betting_round import Action
from controller.engine.betting.rules import BetRound
from controller.engine.expect.choices import Choice, WantDecision
from controller.engine.expect.expectation import Expectation
from controller.engine.expect.wants import WantFloor
from controller.engine.fees.pot import REPLACING
from controller.engine.inputs import Act
from controller.engine.ranking import High
from controller.engine.round.felt import Move, Script, Table
from controller.engine.round.game import Posting, Ruling
from controller.games.poker.core.facts import facts_of
from controller.games.poker.core.hand import PokerHand
from controller.games.poker.core.rankings import Rankings
from controller.games.poker.core.settings import PokerSettings
from controller.games.poker.core.showdown import award
from controller.games.poker.core.streets import Dealing, Street
from controller.games.poker.draw.dealing import Draw, note_dealt
from controller.games.poker.draw.script import DrawGame
from controller.games.poker.mexican.button_draw import draw_for_button
from controller.games.poker.mexican.options import SalinasOptions
from controller.games.poker.mexican.salinas_hand import SalinasHand

HAND = 5
NOT_STARTED = "not_started"
WILD = Rankings(High(jokers="wild"))


class FiveFromButton(Dealing):
    """Five cards face down, one at a time, to the seats still in."""

    def deal(self, hand: PokerHand, street: Street) -> Move[None]:
        assert isinstance(hand, SalinasHand)
        hand.phase = "deal"
        taken = hand.t.fees.pot.collected if hand.t.fees.pot is not None else 0
        hand.facts.pot_after_collection = hand.pot_for_fees - taken
        for _ in range(HAND):
            for seat in hand.from_button:
                yield from hand.t.deal(hand.hole(seat), up=False)
        note_dealt(hand)
        hand.facts.dealt = hand.facts.hands_before_draw


class MexicanPokerSalinas(DrawGame[SalinasOptions]):
    slug = "mexican-poker-salinas"
    title = "Mexican Poker (Salinas)"
    options_type = SalinasOptions
    opens_with: ClassVar[tuple[Posting, ...]] = ()
    dealt: ClassVar[tuple[Street, ...]] = (
        Street(BetRound("betting_1", first=True, check=False), moment="opened"),
        Street(BetRound("betting_2"), (FiveFromButton(),), moment="dealt"),
        Street(BetRound("betting_3"), (Draw(),), moment="drawn"),
    )

    def streets(self, options: SalinasOptions) -> Sequence[Street]:
        return self.dealt

    def rankings(self, options: SalinasOptions) -> Rankings:
        return WILD

    @property
    def rulings(self) -> Mapping[str, Ruling]:
        """None is printed: whatever happens, the floor decides."""
        return {}

    def make_hand(self, t: Table, options: SalinasOptions, settings: PokerSettings) -> SalinasHand:
        return SalinasHand(t, options, settings, self.rankings(options), self.cards(options))

    def play(self, t: Table, options: SalinasOptions) -> Script:
        """Five to seven players, else no game (000:25)."""
        most = options.most(t.seats)
        facts = facts_of(t)
        facts.minimum_players, facts.maximum_players = options.fewest_seats, most
        if not options.fewest_seats <= len(t.seats) <= most:
            t.result.rulings.append(NOT_STARTED)
            text = f"the game is played by {options.fewest_seats} to {most} players, {len(t.seats)} are here"
            while True:
                yield Expectation((WantFloor(NOT_STARTED, text, choices=()),))
        yield from super().play(t, options)

    def post(self, hand: PokerHand, street: Street) -> Move[None]:
        """The button's opening bet, before any card (000:47)."""
        assert isinstance(hand, SalinasHand)
        if hand.t.button is None:
            yield from draw_for_button(hand)
        hand.first_round = street.bet
        hand.action = Action(hand.rules, street.bet, hand.purse, hand.seats)
        hand.phase = hand.t.result.phase = "opening_bet"
        opener = hand.seats[-1]
        act = None
        while type(act) is not Act:
            act = yield from hand.t.wait_for(WantDecision(opener, (_opening(hand, opener),)))
        hand.t.emit(ev.Decided(act.seat, act.do, to=act.to))
        behind = hand.purse.behind[opener]
        hand.action.open(opener, act.to if act.to is not None else behind or hand.salinas.open_least)
        hand.action.bettors, hand.action.acted = {opener}, {opener}
        hand.paid(opener)

    def open_betting(self, hand: PokerHand, street: Street) -> None:
        super().open_betting(hand, street)
        hand.phase = street.name

    @staticmethod
    def _collects_uncontested(hand: SalinasHand) -> bool:
        """One hand was left before the deal, the house collects then, and the schedule has no fee of its own for it."""
        uncontested = hand.rounds_bet == 1 and len(hand.contenders) == 1
        if hand.schedule is None or not (uncontested and hand.salinas.collect_on_uncontested):
            return False
        return not any(row.when in REPLACING for row in hand.schedule.fee)

    def settle(self, hand: PokerHand) -> Move[None]:
        assert isinstance(hand, SalinasHand)
        if self._collects_uncontested(hand):
            # By the letter the fee comes out of the opening bet: where nobody put anything to it, it is the pot and not
            # handed back (A3). What is above the highest call goes back as ever (A9).
            if any(hand.purse.total(seat) for seat in hand.purse.folded):
                for seat, cents in hand.purse.return_uncalled().items():
                    hand.hand_back(seat, cents)
            hand.t.fees.reached("betting_1_closed", hand.purse.pot)
            hand.t.fees.ended("ended", hand.purse.pot)
            award(hand, None)
        else:
            yield from super().settle(hand)
        if hand.t.fees.pot is not None and hand.t.fees.pot.missing:
            hand.facts.fee_complete = True


def _opening(hand: SalinasHand, seat: int) -> Choice:
    options, behind = hand.salinas, hand.purse.behind[seat]
    beyond = options.codes.table_stakes
    if behind is not None and behind < options.open_least:
        return Choice("open", to_one_of=(behind,), reach=behind, beyond=beyond)
    most = options.open_most if behind is None else min(options.open_most, behind)
    outside = "open_out_of_range"
    reach = behind if behind is not None and behind < options.open_most else None
    return Choice("open", to=(options.open_least, most), reach=reach, below=outside, above=outside, beyond=beyond)
