"""The script that every pot game shares: what is posted, street after street, the showdown, the pots.

`Poker` puts a game together from streets, a betting structure, a deck, rankings and rulings. A
variant is a short declaration on top of it (docs/compliance/poker.md):

    class Omaha(BoardPoker[PokerOptions]):
        slug, title = "omaha", "Omaha"
        use_hole = 2

        def streets(self, options):
            return board_streets(Down(4))

The betting structure is the table's (`settings`), what a room may choose is its options, what it rules is data. A
family whose play differs overrides the one step that differs: `post`, `open_betting`, `showdown`, `settle`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, TypeVar

from controller.engine import events as ev
from controller.engine.amounts import dollars
from controller.engine.betting.turn import Turn
from controller.engine.cards.card import JOKER, standard_deck
from controller.engine.expect.choices import WantDecision
from controller.engine.expect.expectation import Expectation
from controller.engine.expect.wants import WantFloor
from controller.engine.inputs import Act
from controller.engine.ranking import UseHole
from controller.engine.round.felt import Move, Script, Setup, Table
from controller.engine.round.game import Game, Posting, Ruling
from controller.engine.round.middle import Middle, OpenPot
from controller.games.poker.core.hand import PokerHand
from controller.games.poker.core.kills import note_next_hand
from controller.games.poker.core.next_hand import kills_to_set, setup_after, with_pot_carried
from controller.games.poker.core.options import PokerOptions
from controller.games.poker.core.posting import post
from controller.games.poker.core.rankings import Rankings, standard
from controller.games.poker.core.rulings import KNOWN, RULINGS
from controller.games.poker.core.settings import NotReady, PokerSettings, read_settings
from controller.games.poker.core.showdown import Claims, award, show_hands
from controller.games.poker.core.streets import Street

PokerOptionsT = TypeVar("PokerOptionsT", bound=PokerOptions)


@lru_cache(maxsize=8)
def deck_with(jokers: int) -> dict[str, int]:
    """52 cards and the jokers."""
    deck = {card.code: 1 for card in standard_deck()}
    return deck | {JOKER: jokers} if jokers else deck


class Poker(Game[PokerOptionsT]):
    """Any game for a pot."""

    has_flop: ClassVar[bool] = False
    """What the schedules' "no flop" means in this game (docs/table/fees.md)."""
    opens_with: ClassVar[tuple[Posting, ...]] = ("blinds",)
    known: ClassVar[tuple[str, ...]] = KNOWN
    use_hole: ClassVar[UseHole] = None
    """How many hole cards a hand must use; None: any."""
    claims: ClassVar[type[Claims]] = Claims
    """How shown hands divide a pot."""

    # What a variant declares

    def streets(self, options: PokerOptionsT) -> Sequence[Street]:
        raise NotImplementedError

    def rankings(self, options: PokerOptionsT) -> Rankings:
        return standard(options, self.use_hole)

    def deck(self, options: PokerOptionsT) -> dict[str, int]:
        return deck_with(options.jokers)

    @property
    def rulings(self) -> Mapping[str, Ruling]:
        return RULINGS

    def make_hand(self, t: Table, options: PokerOptionsT, settings: PokerSettings) -> PokerHand:
        """A family with a hand class of its own overrides this."""
        return PokerHand(t, options, settings, self.rankings(options))

    # How it is played

    def play(self, t: Table, options: PokerOptionsT) -> Script:
        """One hand."""
        try:
            hand = self.make_hand(t, options, read_settings(t.setup, options))
        except NotReady as problem:
            while True:
                yield Expectation((WantFloor("table_not_ready", str(problem), choices=()),))
        streets = self.streets(options)
        try:
            yield from self.post(hand, streets[0])
            if hand.schedule is not None:
                yield from t.collect_fees(hand.schedule, "before_deal", dealt=hand.seats, button=hand.button)
            hand.open_fees(flop=self.has_flop)
            yield from self.rounds(hand, streets)
            yield from self.settle(hand)
        finally:
            # It refers to the hand: without a reference cycle the hand is freed at once.
            hand.acting_order = list

    def rounds(self, hand: PokerHand, streets: Sequence[Street]) -> Move[None]:
        """Street after street, until one hand is left or all is bet."""
        for street in streets:
            yield from street.deal(hand)
            self.open_betting(hand, street)
            yield from self.bet(hand)
            if not hand.is_contested:
                break

    def bet(self, hand: PokerHand) -> Move[None]:
        """Ask seat after seat until the betting round is complete."""
        t, action, noted = hand.t, hand.action, hand.notes_turns
        t.result.phase = f"bet_{action.round.name}"
        if not hand.rounds_bet:
            hand.reached("first_betting_opens")
        while (seat := hand.next_to_act()) is not None:
            if noted:
                hand.asked(seat)
            act = yield Turn(action, seat)
            if type(act) is not Act:
                continue  # a ruling may have ended this hand, or changed what it may do
            do = act.do
            t.events.append(ev.Decided(act.seat, do, act.cents, act.to))
            action.take(seat, do, act.to)
            hand.acts += 1
            if noted:
                hand.acted(seat, do)
            if do != "fold":
                hand.paid(seat)
        hand.betting_closed()

    def post(self, hand: PokerHand, street: Street) -> Move[None]:
        """Antes, blinds and what players post before the first card; makes the first betting round (`hand.action`)."""
        return post(hand, street.bet)

    def open_betting(self, hand: PokerHand, street: Street) -> None:
        """Who acts, and from whom on. The first round is open since the blinds were posted."""
        if not street.bet.first:
            hand.open_betting(street.bet)

    def showdown(self, hand: PokerHand) -> Move[Claims]:
        """Two or more hands are left."""
        return show_hands(hand, self.claims)

    def settle(self, hand: PokerHand) -> Move[None]:
        """The betting is over: uncalled money back, hands shown, fees, pots, the next hand's kill."""
        for seat, cents in hand.purse.return_uncalled().items():
            hand.hand_back(seat, cents)
        claims = None
        if hand.is_contested:
            claims = yield from self.showdown(hand)
        hand.fees_end(shown=claims is not None)
        award(hand, claims)
        note_next_hand(hand)

    def floor_sets(self) -> tuple[Posting, ...]:
        return ("button_moves", "button", "structure", "blinds", "kill", "antes", "stacks")

    def kills(self, setup: Setup, options: PokerOptionsT) -> tuple[tuple[str, dict[str, Any]], ...]:
        return kills_to_set(setup, options, self.streets(options)[0].bet)

    def next_setup(self, table: Table) -> Setup:
        hand = table.script_state
        if not isinstance(hand, PokerHand):
            return table.setup
        return setup_after(hand) if hand.settings.button_moves else with_pot_carried(hand)

    def middle(self, t: Table) -> Middle:
        """Button, pot and side pots, the bets in front of each seat until its round is over, and the stacks."""
        hand = t.script_state
        if not isinstance(hand, PokerHand):
            return Middle()
        action = getattr(hand, "action", None)
        bets: dict[int, int] = {}
        if action is not None and action.next_seat() is not None:
            bets = {seat: cents for seat, cents in action.put_in.items() if cents}
        gathered = hand.purse.gathered(bets)
        # Of several pots the one that has a single seat in it is what nobody called.
        pots = [pot for pot in gathered if len(pot.seats) > 1] or gathered
        named = [
            OpenPot(
                "Pot" if not number else f"Side pot {number}" if len(pots) > 2 else "Side pot", pot.cents, pot.seats
            )
            for number, pot in enumerate(pots)
        ]
        return Middle(
            hand.button or None,
            tuple(named),
            tuple(OpenPot("Uncalled", pot.cents, pot.seats) for pot in gathered if pot not in pots),
            bets,
            {seat: left for seat, left in hand.purse.behind.items() if left is not None},
        )

    def chips(self, t: Table) -> Mapping[int, tuple[int, int | None]]:
        hand = t.script_state
        if not isinstance(hand, PokerHand):
            return {}
        action = getattr(hand, "action", None)
        bets = action.put_in if action is not None and action.next_seat() is not None else {}
        return {seat: (bets.get(seat, 0), behind) for seat, behind in hand.purse.behind.items()}

    def standings(self, t: Table) -> Mapping[str, str]:
        hand = t.script_state
        if not isinstance(hand, PokerHand):
            return {}
        purse = hand.purse
        out = {str(seat): "folded" for seat in sorted(purse.folded)}
        return out | {str(seat): "all in" for seat in purse.contenders if not purse.can_act(seat)}

    def to_call(self, t: Table, seat: int) -> int | None:
        action = getattr(t.script_state, "action", None)
        return None if action is None or action.next_seat() != seat else action.price - action.put_in[seat]

    def unasked(self, t: Table) -> WantDecision | None:
        action = getattr(t.script_state, "action", None)
        if action is None or (seat := action.alone) is None:
            return None
        choices = tuple(
            choice
            for choice in action.choices(seat)[0]
            if choice.do in ("check", "bring_in") or choice.to_one_of == (action.put_in[seat],)
        )
        return WantDecision(seat, choices)

    def summary(self, result: Mapping[str, Any]) -> str | None:
        won: dict[str, int] = {}
        for pot in result.get("pots", ()):
            for seat, cents in pot["to"].items():
                won[str(seat)] = won.get(str(seat), 0) + cents
        return "; ".join(f"Seat {seat} wins {dollars(cents)}" for seat, cents in won.items()) or None
