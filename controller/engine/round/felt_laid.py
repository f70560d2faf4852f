"""What lies on the felt, and the words between a script and its table.

The ground that `felt_money`, `felt_cards` and `felt` stand on, each with the moves of its own.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Generator, Iterable
from typing import TypeVar

from controller.engine import events as ev
from controller.engine.bets.wagers import Book, WagerRule
from controller.engine.cards.card import Hand, Slot
from controller.engine.expect.expectation import Expectation, Refusal, WantFloor, WantWagers
from controller.engine.expect.lazy import Deferred
from controller.engine.fees.round_fees import RoundFees
from controller.engine.inputs import Act, AnyBody, FloorAct, Place, WagerPlaced, seat_of
from controller.engine.money.bank import Settlement
from controller.engine.round.result import Result
from controller.engine.round.setup import Setup

T = TypeVar("T")
Script = Generator[Expectation | Deferred, "AnyBody | None", None]
Move = Generator[Expectation | Deferred, "AnyBody | None", T]
"""A part of a script that gives a value: `slot = yield from t.deal(hand)`."""

_NO_WAGERS = WantWagers((), (), {})


class Voided(Exception):
    """Raised by a ruling or a script: the round is void."""

    def __init__(self, ruling: str, reason: str = "") -> None:
        super().__init__(ruling)
        self.ruling, self.reason = ruling, reason


class Unruled(Exception):
    """Raised by a ruling that does not fit the moment: nothing has changed, the floor must decide.

    `code` is the sheet's word for it, where it has one.
    """

    def __init__(self, reason: str, code: str = "") -> None:
        super().__init__(reason)
        self.reason, self.code = reason, code


class Laid:
    """What lies on the table in one round."""

    def __init__(self, setup: Setup, deck: dict[str, int] | None, out: dict[str, int]) -> None:
        self.setup = setup
        self.seats = setup.seats
        self.player_dealer = setup.player_dealer
        self.button = setup.button
        self.settings = setup.settings
        self.hands: dict[str, Hand] = {}
        self.book: Book = {}
        self.bank = setup.bank
        self.settlement = Settlement(setup.bank)
        self.result = Result()
        self.events: list[ev.Event] = []
        self.burns: list[Slot] = []
        self.strays: list[Slot] = []
        self.queue: list[Slot] = []
        self.contributions: dict[Place, int] | None = None
        """Poker: what each seat has put in, returned when the round is void."""
        self.script_state: object | None = None
        """What a script keeps for the rulings of its game: they are given the table only."""
        self.bets_open = False
        self.deck_done = False
        """The deal is complete: what is left in the machine goes to the discard rack, unseen."""
        self.fees = RoundFees(self.emit)
        self._plain_wagers: dict[str, tuple[int, int]] = {}
        self.only_wagers: Expectation | None = None
        """What a script waits for that takes wagers and looks at nothing else: it is not asked about each of them."""
        self._wagers: tuple[WagerRule, ...] = ()
        self._wagers_wanted = _NO_WAGERS
        self._betting_seats: tuple[int, ...] = ()
        self._noted: Callable[[], None] | None = None
        self._deck = deck
        self.out = out
        self.piece = "card"
        """What is dealt, in the words of the prompts."""
        self.drawn = 0
        """Cards that have left the shoe, read or not, before this round."""
        self.left: list[Slot] = []
        """This round's cards in the order in which they left the shoe or deck."""
        self._back = 0
        """Cards that were shuffled back into the deck."""
        self._backs = [0]
        """How many that were, from one shuffle to the next."""

    def emit(self, event: ev.Event) -> None:
        self.events.append(event)

    def hand(self, owner: str) -> Hand:
        found = self.hands.get(owner)
        if found is None:
            found = self.hands[owner] = Hand(owner)
        return found

    # Seats

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

    # Words

    def call_floor(self, code: str, text: str) -> Move[None]:
        """Something the script cannot decide: the table is held until a supervisor resumes or voids."""
        self.emit(ev.Irregularity(code, text))
        self.emit(ev.Held(code, text))
        while True:
            body = yield Expectation((WantFloor(code, text, ("resume", "void")),))
            if type(body) is FloorAct and body.do == "void":
                raise Voided("floor_void", body.reason)
            if type(body) is FloorAct:
                self.emit(ev.Resumed(body.do, body.reason))
                return

    def refuse(self, body: AnyBody, refusal: Refusal) -> None:
        """A person's input that only the script could judge; the same expectation stands again."""
        self.emit(ev.Refused(what(body), refusal.why, refusal.text, refusal.bounds))


def what(body: AnyBody) -> str:
    """An input in a few words, without any card in it."""
    match body:
        case Act():
            return f"seat {body.seat}: {body.do}"
        case WagerPlaced():
            return f"{body.place}: {body.wager}"
    return str(type(body).__struct_config__.tag)
