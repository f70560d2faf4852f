"""A poker game is put together: streets, a betting structure, a deck, rankings, rulings.

`Poker` is the script that every pot game shares: what is posted, street after street, the showdown, the pots. A
variant is a short declaration on top of it (docs/poker.md):

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

from controller.engine.amounts import dollars
from controller.engine.cards.card import JOKER, standard_deck
from controller.engine.expect.expectation import WantDecision
from controller.engine.ranking import UseHole
from controller.engine.round.felt import Move, Script, Setup, Table
from controller.engine.round.game import Game, Posting, Ruling
from controller.games.poker.core.hand import PokerHand
from controller.games.poker.core.moves import bet, play, rounds, settle
from controller.games.poker.core.next_hand import kills_to_set, setup_after, with_pot_carried
from controller.games.poker.core.options import PokerOptions
from controller.games.poker.core.posting import post
from controller.games.poker.core.rankings import Rankings, standard
from controller.games.poker.core.rulings import KNOWN, RULINGS
from controller.games.poker.core.settings import PokerSettings
from controller.games.poker.core.showdown import Claims, show_hands
from controller.games.poker.core.streets import Street

PokerOptionsT = TypeVar("PokerOptionsT", bound=PokerOptions)


@lru_cache(maxsize=8)
def deck_with(jokers: int) -> dict[str, int]:
    """52 cards and so many jokers."""
    deck = {card.code: 1 for card in standard_deck()}
    return deck | {JOKER: jokers} if jokers else deck


class Poker(Game[PokerOptionsT]):
    """Any game for a pot."""

    has_flop: ClassVar[bool] = False
    """What the schedules' "no flop" means in this game (docs/fees.md)."""
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
        """A family that keeps more of a hand makes its own kind of it."""
        return PokerHand(t, options, settings, self.rankings(options))

    # How it is played

    def play(self, t: Table, options: PokerOptionsT) -> Script:
        return play(self, t, options)

    def rounds(self, hand: PokerHand, streets: Sequence[Street]) -> Move[None]:
        """Street after street, until one hand is left or all is bet."""
        return rounds(self, hand, streets)

    def bet(self, hand: PokerHand) -> Move[None]:
        """The betting round that is open."""
        return bet(hand)

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
        return settle(self, hand)

    def floor_sets(self) -> tuple[Posting, ...]:
        return ("button_moves", "button", "structure", "blinds", "kill", "antes", "stacks")

    def kills(self, setup: Setup, options: PokerOptionsT) -> tuple[tuple[str, dict[str, Any]], ...]:
        return kills_to_set(setup, options, self.streets(options)[0].bet)

    def next_setup(self, table: Table) -> Setup:
        hand = table.script_state
        if not isinstance(hand, PokerHand):
            return table.setup
        return setup_after(hand) if hand.settings.button_moves else with_pot_carried(hand)

    def felt(self, t: Table) -> tuple[str, ...]:
        """Button, pot and side pots in the middle, and what lies in front of each seat until its round is over."""
        hand = t.script_state
        if not isinstance(hand, PokerHand):
            return ()
        action = getattr(hand, "action", None)
        bets: dict[int, int] = {}
        if action is not None and action.next_seat() is not None:
            bets = {seat: cents for seat, cents in action.put_in.items() if cents}
        told = [f"Button: seat {hand.button}"] if hand.button else []
        gathered = hand.purse.gathered(bets)
        # Of several pots the one that has a single seat in it is what nobody called.
        pots = [pot for pot in gathered if len(pot.seats) > 1] or gathered
        for number, pot in enumerate(pots):
            name = "Pot" if not number else f"Side pot {number}" if len(pots) > 2 else "Side pot"
            among = f" among {', '.join(map(str, pot.seats))}" if len(pots) > 1 else ""
            told.append(f"{name} {dollars(pot.cents)}{among}")
        told += [f"Uncalled {dollars(pot.cents)} of seat {pot.seats[0]}" for pot in gathered if pot not in pots]
        if bets:
            told.append(f"Bets: {', '.join(f'seat {seat} {dollars(cents)}' for seat, cents in bets.items())}")
        return tuple(told)

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
        said = tuple(
            choice
            for choice in action.choices(seat)[0]
            if choice.do in ("check", "bring_in") or choice.to_one_of == (action.put_in[seat],)
        )
        return WantDecision(seat, said)

    def tell(self, result: Mapping[str, Any]) -> str | None:
        won: dict[str, int] = {}
        for pot in result.get("pots", ()):
            for seat, cents in pot["to"].items():
                won[str(seat)] = won.get(str(seat), 0) + cents
        return "; ".join(f"Seat {seat} wins {dollars(cents)}" for seat, cents in won.items()) or None
