"""Wagers before the deal: taken within their limits, the player-dealer's bank, and the word that closes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from controller.engine import events as ev
from controller.engine.bets.hands import HandLimits
from controller.engine.bets.wagers import Book, WagerRule, plain_limits, within_limits
from controller.engine.cards.card import Slot
from controller.engine.expect.expectation import Expectation
from controller.engine.expect.lazy import built
from controller.engine.expect.wants import WantWagers
from controller.engine.fees.posted import wager_limits
from controller.engine.fees.round_fees import RoundFees
from controller.engine.fees.schedule import Schedule
from controller.engine.inputs import AnyBody, BankPosted, BetsClosed, Place, WagerPlaced, place_of
from controller.engine.money.bank import Settlement
from controller.engine.round.script import Move, T
from controller.engine.round.setup import Setup

_NO_WAGERS = WantWagers((), (), {})
MOST_SPOTS = 99
"""Circles of a seat where no text limits them."""


class Wagers:
    """The wagers of one round, the bank that covers them, and how they were settled."""

    def __init__(
        self,
        setup: Setup,
        fees: RoundFees,
        left: Sequence[Slot],
        events: list[ev.Event],
        hands: HandLimits | None = None,
    ) -> None:
        """`left`: the cards that have left the deck in this round. `fees` gets the schedule that is posted."""
        self._setup, self._fees, self._left, self.events = setup, fees, left, events
        self._hands = hands
        self.book: Book = {}
        self.bank = setup.bank
        self.settlement = Settlement(setup.bank)
        self.are_open = False
        self.rules: tuple[WagerRule, ...] = ()
        self.seats: tuple[int, ...] = ()
        """Who may bet."""
        self.noted: Callable[[], None] | None = None
        """Called after each change."""
        self.only_wagers: Expectation | None = None
        """For the fast path: what `take` waits for, where the script looks at nothing but wagers."""
        self.plain_limits: dict[str, tuple[int, int]] = {}
        """For the fast path: the wagers whose amount alone decides, with least and most."""
        self._wanted = _NO_WAGERS

    def take(
        self, rules: Sequence[WagerRule], schedule: Schedule | None, noted: Callable[[], None] | None
    ) -> Move[Book]:
        """Wagers and the bank until the dealer or the timer closes them. A table that records none goes on at once."""
        self.open(rules, schedule, noted=noted)
        if self.are_open:
            waiting = self.only_wagers = Expectation((self._wanted,))
            while self.are_open:
                if waiting.wants[0] is not self._wanted:
                    waiting = self.only_wagers = Expectation((self._wanted,))
                self.place((yield waiting))
        return self.book

    def wait(self) -> Move[None]:
        """One more wager, the bank, or the word that closes the betting."""
        self.place((yield Expectation((self._wanted,))))

    def open(
        self,
        rules: Sequence[WagerRule],
        schedule: Schedule | None = None,
        *,
        noted: Callable[[], None] | None = None,
        seats: Iterable[int] | None = None,
    ) -> None:
        """From here on wagers may be placed, while `take`, `wait` or `beside` waits for them.

        `seats`: who may bet, where the player-dealer's own seat is among them.
        """
        setup = self._setup
        self._fees.schedule = schedule
        if not setup.records_wagers:
            return
        self.rules, self.noted = self._limited(tuple(rules), schedule), noted
        self.plain_limits = plain_limits(self.rules) if self._hands is None else {}
        among = [seat for seat in setup.seats if seat != setup.player_dealer] if seats is None else seats
        self.seats = tuple(among)
        self._wanted = WantWagers(self.rules, self.seats, self.book, hands=self._hands)
        self.are_open = True

    def beside(self, move: Move[T]) -> Move[T]:
        """A move of the deal, with wagers placed beside it while they are open. Nothing else is waited for before the
        first wager is down."""
        try:
            waiting = next(move)
            while True:
                beside = waiting
                if self.are_open:
                    plain = built(waiting)
                    wants = plain.wants if self._left or any(self.book.values()) else ()
                    beside = replace(plain, wants=(self._wanted, *wants))
                body = yield beside
                if isinstance(body, WagerPlaced | BankPosted | BetsClosed):
                    self.place(body)
                else:
                    waiting = move.send(body)
        except StopIteration as done:
            value: T = done.value
            return value

    def place(self, body: AnyBody | None) -> None:
        """A wager, the bank or the word that closes the betting, once it was judged to be legal."""
        if type(body) is WagerPlaced:
            place, wager, cents = place_of(body.place), body.wager, body.cents
            placed = self.book.get(place)
            if placed is None:
                placed = self.book[place] = {}
            if cents:
                placed[wager] = cents
            else:
                placed.pop(wager, None)
            self.events.append(ev.WagerSet(place, wager, cents))
        elif type(body) is BankPosted:
            self.bank = body.spots
            self.settlement = Settlement(body.spots)
            self.events.append(ev.BankSet(body.spots))
        elif type(body) is BetsClosed:
            self.close()
            return
        if self.noted is not None:
            self.noted()

    def close(self) -> None:
        """No more bets."""
        if not self.are_open:
            return
        self.are_open = False
        book, total = self.book, 0
        taken_back: list[Place] = []
        for place, wagers in book.items():
            if not wagers:
                taken_back.append(place)
            for cents in wagers.values():
                total += cents
        for place in taken_back:
            del book[place]
        self.events.append(ev.BettingClosed(total))

    def limit_hands(self, hands: HandLimits, seat: int) -> list[Place]:
        """The floor has decided anew how many hands the player of a seat may have, while wagers are open. Returns the
        places that he gives up; their wagers go back."""
        self._hands = hands
        self._wanted = replace(self._wanted, hands=hands)
        given_up = hands.given_up(self.book, seat)
        for place in given_up:
            for wager in list(self.book[place]):
                self.place(WagerPlaced(place, wager, 0))
        return given_up

    def void(self) -> None:
        """The round is void: nothing is settled."""
        self.settlement = Settlement(self.bank)

    @property
    def classes(self) -> dict[str, str]:
        """The class of each wager in a collection schedule."""
        return {rule.id: rule.counts_as for rule in self.rules}

    def _limited(self, rules: tuple[WagerRule, ...], schedule: Schedule | None) -> tuple[WagerRule, ...]:
        """The rules with the limits of the posted schedule, where there is one, else of the table."""
        limited = within_limits(rules, *wager_limits(schedule, self._setup.min_wager, self._setup.max_wager))
        if schedule is None:
            return limited
        if schedule.spots_per_seat is not None or schedule.limit_on == "seat":
            limited = tuple(_on_circles(rule, schedule) if rule.counts_as == "base" else rule for rule in limited)
        if not schedule.bonus:
            return limited
        return tuple(_as_posted(rule, schedule) if rule.counts_as == "bonus" else rule for rule in limited)


def _on_circles(rule: WagerRule, schedule: Schedule) -> WagerRule:
    """A base wager on the circles that the schedule has for a seat, and within the limit of the seat."""
    spots = rule.spots if schedule.spots_per_seat is None else min(schedule.spots_per_seat, rule.spots or MOST_SPOTS)
    most = schedule.table_max if schedule.limit_on == "seat" else None
    return replace(rule, spots=spots, position_max=rule.position_max if most is None else most)


def _as_posted(rule: WagerRule, schedule: Schedule) -> WagerRule:
    """A bonus wager within the limits that the schedule posts for it."""
    if schedule.bonus not in (rule.id, "bonus"):
        return rule
    return replace(
        rule,
        min=schedule.bonus_min or 0,
        max=schedule.bonus_max,
        min_code="below_bonus_min",
        max_code="above_bonus_max",
    )
