"""A script's view of the table: what is on it in one round, and the moves every game shares.

Each move is a generator to `yield from`: take wagers, deal, burn, name, show, ask, roll. A move yields the
`Expectation` it waits for and is sent the input that met it. `None` sent in means "something happened, look again":
every move here recomputes what it waits for, and so must a game that yields for itself.

A table is put together from parts: `cards`, `wagers`, `fees` and `fee_collection`. They share its list of events and
know nothing else of each other than what they are given. A script reads as a dealer's procedure, so the moves and lists
that scripts use are reached from the table itself (`yield from t.deal(hand)`, `t.book`); everything else of a part is
reached through the part (`table.cards.deck`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from controller.engine import events as ev
from controller.engine.bets.wagers import Book, WagerRule
from controller.engine.cards.card import Card, Hand, Slot
from controller.engine.expect.choices import Choice, WantDecision
from controller.engine.expect.expectation import Barred, Expectation
from controller.engine.expect.lazy import built
from controller.engine.expect.want import Refusal
from controller.engine.expect.wants import AnyWant, WantDice
from controller.engine.fees.carried import Carried
from controller.engine.fees.round_fees import RoundFees
from controller.engine.fees.schedule import Moment, Schedule
from controller.engine.inputs import Act, AnyBody, DiceRolled, Place, seat_of
from controller.engine.money.bank import Settlement
from controller.engine.round import script
from controller.engine.round.cards import Cards
from controller.engine.round.fee_collection import FeeCollection
from controller.engine.round.procedures import NONE_IN_ROUND, RoundProcedures
from controller.engine.round.result import Result
from controller.engine.round.script import Move, Script, T, Unruled, Voided
from controller.engine.round.setup import Setup
from controller.engine.round.wagers import Wagers

BURN = "burn"
"""The player-dealer's act."""

__all__ = ["Move", "Script", "Setup", "Table", "Unruled", "Voided"]


class Table:
    """The table of one round."""

    def __init__(
        self,
        setup: Setup,
        deck: dict[str, int] | None,
        out: dict[str, int],
        *,
        drawn: int = 0,
        carried: Carried | None = None,
        procedures: RoundProcedures = NONE_IN_ROUND,
    ) -> None:
        """`deck`: how often each card is in the deck, `out`: has left it. `carried`: what the last round leaves to
        these fees."""
        self.setup = setup
        self.seats = setup.seats
        self.player_dealer = setup.player_dealer
        self.button = setup.button
        self.settings = setup.settings
        self.hands: dict[str, Hand] = {}
        self.result = Result()
        self.events: list[ev.Event] = []
        """What happened since `take_events`; one list for all parts, so it is never replaced."""
        self.strays: list[Slot] = []
        """Cards that left the deck and that nobody expected."""
        self.contributions: dict[Place, int] | None = None
        """Poker: what each seat has put in, returned when the round is void."""
        self.script_state: object | None = None
        """What a script keeps for the rulings of its game: they are given the table only."""
        self.deck_done = False
        """The deal is complete: what is left in the machine goes to the discard rack, unseen."""
        self.drawn = drawn
        """Cards that have left the shoe, read or not, before this round."""
        self.procedures = procedures
        self.asked_burns = 0
        """Cards that the player-dealer has asked to be burned in this round."""

        self.cards = cards = Cards(deck, out, self.events)
        self.out, self.left, self.queue, self.burns = out, cards.left, cards.queue, cards.burns
        self.fees = RoundFees(self.events, carried)
        self.wagers = Wagers(setup, self.fees, cards.left, self.events, procedures.hands)
        self.book: Book = self.wagers.book
        self.fee_collection = FeeCollection(
            self.fees, self.wagers, self.hands, self.events, awaits_drop=setup.awaits_drop
        )

    def emit(self, event: ev.Event) -> None:
        self.events.append(event)

    def take_events(self) -> list[ev.Event]:
        """What happened since the last call."""
        events = self.events.copy()
        self.events.clear()
        return events

    # Seats and hands

    def hand(self, owner: str) -> Hand:
        found = self.hands.get(owner)
        if found is None:
            found = self.hands[owner] = Hand(owner)
        return found

    def clockwise(self, after: int, seats: Iterable[int] | None = None) -> list[int]:
        """Seats in clockwise order, starting with the first one after `after`."""
        among = sorted(self.seats if seats is None else seats)
        first = bisect_right(among, after)
        return among[first:] + among[:first]

    def places(self, seat: int) -> list[Place]:
        """The betting places of a seat that hold a wager, in spot order."""
        return sorted((p for p in self.book if seat_of(p) == seat and self.book[p]), key=str)

    @property
    def stakes(self) -> dict[Place, int]:
        """What would go back if the round were void now."""
        if self.contributions is not None:
            return {place: cents for place, cents in self.contributions.items() if cents}
        return {place: sum(wagers.values()) for place, wagers in self.book.items() if wagers}

    # People: decisions, dice, the floor

    def ask(
        self,
        seat: Place,
        choices: Sequence[Choice],
        *,
        barred: Sequence[Barred] = (),
        hand: int = 1,
        asks: str = "",
    ) -> Move[Act]:
        """One seat decides among the choices."""
        waiting = Expectation((WantDecision(seat, tuple(choices), hand, asks),), tuple(barred))
        while True:
            body = yield waiting
            if type(body) is Act:
                self.emit(ev.Decided(body.seat, body.do, body.cents, body.to))
                return body

    def roll(self, count: int = 3) -> Move[tuple[int, ...]]:
        while True:
            body = yield Expectation((WantDice(count),))
            if type(body) is DiceRolled:
                self.emit(ev.DiceShown(body.values))
                return body.values

    def wait_for(self, *wants: AnyWant, barred: Sequence[Barred] = ()) -> Move[AnyBody | None]:
        """A yield of a game's own; None when the script should look again."""
        return (yield Expectation(wants, tuple(barred)))

    def call_floor(self, code: str, text: str) -> Move[None]:
        """Something the script cannot decide: the table is held until a supervisor resumes or voids."""
        return script.call_floor(self.events, code, text)

    def rule(self, code: str, seat: Place | None = None) -> None:
        """A ruling of the sheet with which the round goes on."""
        self.result.rulings.append(code)
        self.emit(ev.Ruled(code, seat))

    def refuse(self, body: AnyBody, refusal: Refusal) -> None:
        """A person's input that only the script could judge; the script then waits for the same again."""
        self.emit(script.refused(body, refusal))

    def void(self, ruling: str, reason: str = "") -> None:
        raise Voided(ruling, reason)

    # Wagers and fees

    @property
    def bank(self) -> tuple[int, ...] | None:
        return self.wagers.bank

    @property
    def settlement(self) -> Settlement:
        return self.wagers.settlement

    @property
    def bets_open(self) -> bool:
        return self.wagers.are_open

    def take_wagers(
        self, rules: Sequence[WagerRule], schedule: Schedule | None = None, *, noted: Callable[[], None] | None = None
    ) -> Move[Book]:
        """Wagers and the bank until the dealer or the timer closes them. A table that records none goes on at once.

        The table limits are those of the posted schedule, where there is one; `noted` is called after each change.
        """
        return self.wagers.take(rules, schedule, noted)

    def open_wagers(
        self,
        rules: Sequence[WagerRule],
        schedule: Schedule | None = None,
        *,
        noted: Callable[[], None] | None = None,
        seats: Iterable[int] | None = None,
    ) -> None:
        """From here on wagers may be placed, while `wait_for_wagers` or `while_betting` waits for them.

        `seats`: who may bet, where the player-dealer's own seat is among them.
        """
        self.wagers.open(rules, schedule, noted=noted, seats=seats)

    def wait_for_wagers(self) -> Move[None]:
        """One more wager, the bank, or the word that closes the betting."""
        return self.wagers.wait()

    def while_betting(self, move: Move[T]) -> Move[T]:
        """A move of the deal, with wagers placed beside it while they are open."""
        return self.wagers.beside(move)

    def close_wagers(self) -> None:
        """No more bets."""
        self.wagers.close()

    def collect_fees(
        self,
        schedule: Schedule | None,
        at: Moment,
        *,
        first_action: Place | None = None,
        dealt: Iterable[Place] = (),
        button: Place | None = None,
    ) -> Move[None]:
        """The fees of the posted schedule that are taken at this moment, if any; docs/table/fees.md has the moments.

        `first_action`: whose wager is acted on first, once that is known. `dealt`: who pays for a hand without a wager.
        Where the table waits for the drop, the round goes on when the fees are in their boxes.
        """
        return self.fee_collection.collect(schedule, at, first_action, dealt, button)

    # Cards

    def deal(
        self, hand: Hand, count: int = 1, *, up: bool = True, says: str = "", barred: tuple[Barred, ...] = ()
    ) -> Move[Slot]:
        """The next card or stack to a hand; returns the last slot. `says` is the game's own prompt."""
        return self.cards.deal(hand, count, up=up, says=says, barred=barred)

    def deal_in_turn(
        self,
        hands: Sequence[Hand],
        rounds: int = 1,
        served: list[int] | None = None,
        *,
        up: bool = False,
        stops: bool = False,
        otherwise: Callable[[Hand, int], Move[None]] | None = None,
    ) -> Move[int]:
        """One card at a time, `rounds` times around, in one move; see `Cards.deal_in_turn`."""
        return self.cards.deal_in_turn(hands, rounds, served, up=up, stops=stops, otherwise=otherwise)

    def burn(self, *, up: bool = False, says: str = "") -> Move[Slot]:
        """A card off the deck, out of play."""
        return self.cards.burn(up=up, says=says)

    def with_asked_burn(self, move: Move[T]) -> Move[T]:
        """A move before the first card, beside which the player-dealer may ask that a card be burned (004: 208)."""
        try:
            waiting = next(move)
            while True:
                shown = waiting
                if self.procedures.burns is not None and self.player_dealer is not None:
                    shown = self._with_burn_offered(built(waiting), self.player_dealer)
                body = yield shown
                if type(body) is Act and body.do == BURN and seat_of(body.seat) == self.player_dealer:
                    self.emit(ev.Decided(body.seat, body.do))
                    self.asked_burns += 1
                    yield from self.burn(says="Burn a card: the player-dealer has asked for it")
                    body = None
                waiting = move.send(body)
        except StopIteration as done:
            value: T = done.value
            return value

    def _with_burn_offered(self, plain: Expectation, player_dealer: int) -> Expectation:
        if (self.procedures.burns or 0) > self.asked_burns:
            asked = WantDecision(player_dealer, (Choice(BURN, label="burn a card"),), quiet=True)
            return replace(plain, wants=(*plain.wants, asked))
        text = "the player-dealer's burn of this shoe is used"
        return replace(plain, barred=(*plain.barred, Barred("burn_used", text, player_dealer, BURN)))

    def show(self, hand: Hand, *, first: int | None = None) -> Move[None]:
        """Turn a hand up for everybody, or its first cards only; what was not read must be named first."""
        return self.cards.show(hand, first=first)

    def name_unread(
        self, hand: Hand, *, why: str = "", asks: str = "", first: int | None = None, open_only: bool = False
    ) -> Move[None]:
        """Wait until a person has keyed the cards of this hand that were not read; see `Cards.name_unread`."""
        return self.cards.name_unread(hand, why=why, asks=asks, first=first, open_only=open_only)

    def card_problem(self, codes: Iterable[str]) -> Refusal | None:
        """Why these cards cannot leave the deck now."""
        return self.cards.card_problem(codes)

    def one_card_problem(self, code: str) -> Refusal | None:
        return self.cards.one_card_problem(code)

    def count_out(self, code: str) -> None:
        """One more of this card has left the deck."""
        self.cards.count_out(code)

    def take_out(self, codes: Iterable[str | None]) -> list[Slot]:
        """Cards that left the deck when something happened."""
        return self.cards.take_out(codes)

    def put_back(self, cards: Iterable[Card], unread: int = 0) -> None:
        """Cards shuffled back into the stub: they may leave the deck again."""
        self.cards.put_back(cards, unread)

    @property
    def stub(self) -> int:
        """The number of cards left in a deck that was whole when the round began."""
        return self.cards.stub
