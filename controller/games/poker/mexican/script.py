"""Mexican Poker: five-card stud with a choice of which card is down, from a deck of 41 with a joker.

One card up, one down; the highest up-card must open. Before each further card every player turns his down card up and
gets the next one down, or keeps it and gets the next one up: each hand always has exactly one card down. A joker is
what it was when it was dealt: face up an ace or the card that completes a straight or flush, face down any card, also
when its owner turns it up later.

Sheets: bankers-mexican-stud-poker, turlock-mexican-poker.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from controller.engine import events as ev
from controller.engine.betting.betting_round import Action
from controller.engine.betting.rules import BetRound
from controller.engine.cards.card import JOKER, standard_deck
from controller.engine.expect.choices import Choice, WantDecision
from controller.engine.inputs import Act
from controller.engine.ranking import MEXICAN
from controller.engine.round.felt import Move, Table
from controller.engine.round.game import Posting, Ruling
from controller.games.poker.core.hand import PokerHand
from controller.games.poker.core.rankings import Rankings
from controller.games.poker.core.rulings import LEFT_TO_THE_FLOOR, rule
from controller.games.poker.core.script import Poker
from controller.games.poker.core.settings import PokerSettings
from controller.games.poker.core.streets import Dealing, Street
from controller.games.poker.mexican.button_draw import draw_for_button
from controller.games.poker.mexican.hand import MexicanHand
from controller.games.poker.mexican.options import MexicanOptions
from controller.games.poker.mexican.showdown import PARTIAL, MexicanClaims

EXPOSE_OR_KEEP = (
    Choice("expose", label="expose the down card (the next comes down)"),
    Choice("keep", label="keep it down (the next comes up)"),
)


class FirstTwo(Dealing):
    """One up to each, then one down, from the left of the button."""

    def deal(self, hand: PokerHand, street: Street) -> Move[None]:
        assert isinstance(hand, MexicanHand)
        hand.phase = hand.t.result.phase = "deal"
        for up in (True, False):
            for seat in hand.seats:
                yield from hand.serve(seat, up=up)
            if up:
                hand.reached("first_up_card")
        hand.note_cards()


class ExposeOrKeep(Dealing):
    """Every live hand, all-in or not, from the left of the button (A4, A8)."""

    def deal(self, hand: PokerHand, street: Street) -> Move[None]:
        assert isinstance(hand, MexicanHand)
        hand.phase = hand.t.result.phase = f"expose_{street.name}"
        hand.next_down.clear()
        for seat in hand.contenders:
            act = None
            while type(act) is not Act:
                act = yield from hand.t.wait_for(WantDecision(seat, EXPOSE_OR_KEEP))
            hand.t.emit(ev.Decided(act.seat, act.do))
            if act.do == "expose":
                yield from hand.t.show(hand.hole(seat))
                hand.next_down.add(seat)
                hand.note_joker(seat)


class OneEach(Dealing):
    """Burn, then one card to each: down to who exposed, up to the rest."""

    def __init__(self, moment: str) -> None:
        self.moment = moment

    def deal(self, hand: PokerHand, street: Street) -> Move[None]:
        assert isinstance(hand, MexicanHand)
        hand.phase = hand.t.result.phase = f"deal_{street.name}"
        needed = 1 + len(hand.contenders)
        if hand.t.stub < needed:
            text = f"{needed} cards are needed for this street, {hand.t.stub} are left; no rule is printed for it"
            yield from hand.t.call_floor("deck_exhausted", text)
        yield from hand.burn()
        for seat in hand.contenders:
            yield from hand.serve(seat, up=seat not in hand.next_down)
        hand.note_cards()
        if self.moment:
            hand.reached(self.moment)


class MexicanPoker(Poker[MexicanOptions]):
    slug = "mexican-poker"
    title = "Mexican Poker"
    options_type = MexicanOptions
    opens_with: ClassVar[tuple[Posting, ...]] = ("antes",)
    claims = MexicanClaims

    def deck(self, options: MexicanOptions) -> dict[str, int]:
        return {card.code: 1 for card in standard_deck() if card.rank in MEXICAN.rank_set} | {JOKER: 1}

    def rankings(self, options: MexicanOptions) -> Rankings:
        return Rankings(PARTIAL)

    def streets(self, options: MexicanOptions) -> Sequence[Street]:
        upper = options.upper_limit_from_round
        later = [BetRound(f"round_{nth}", "high" if upper != "none" and nth >= upper else "low") for nth in (2, 3, 4)]
        # What the collections call the cards: Banker's by their number, Turlock by the cards in sight.
        moments = (("third_card", ""), ("fourth_card", "third_up_card"), ("fifth_card", ""))
        return (
            Street(BetRound("round_1", first=True, check=False), (FirstTwo(),)),
            *(
                Street(bet, (ExposeOrKeep(), OneEach(by_sight)), moment=by_number)
                for bet, (by_number, by_sight) in zip(later, moments, strict=True)
            ),
        )

    @property
    def rulings(self) -> Mapping[str, Ruling]:
        """None is printed: the floor decides, where a room says so by a code of its own."""
        return dict.fromkeys((*LEFT_TO_THE_FLOOR, "fouled_deck"), rule)

    def make_hand(self, t: Table, options: MexicanOptions, settings: PokerSettings) -> MexicanHand:
        return MexicanHand(t, options, settings, self.rankings(options))

    def post(self, hand: PokerHand, street: Street) -> Move[None]:
        assert isinstance(hand, MexicanHand)
        if hand.mexican.draws_for_button:
            yield from draw_for_button(hand)
        yield from super().post(hand, street)

    def open_betting(self, hand: PokerHand, street: Street) -> None:
        assert isinstance(hand, MexicanHand)
        hand.phase, hand.acts = street.name, 0
        first = hand.opener() if street.bet.first else hand.best_in_sight()
        order = [first, *(seat for seat in hand.t.clockwise(first, hand.contenders) if seat != first)]
        if not street.bet.first:
            hand.action = Action(hand.rules, street.bet, hand.purse, order)
            return
        hand.action.start_with(order)
        if not hand.action.current and hand.purse.can_act(first):
            hand.action.opener = hand.facts.bring_in_seat = first
