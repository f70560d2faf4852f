"""A script's view of the table: what lies on the felt, and the moves every game shares.

Each move is a generator to `yield from`: take wagers, deal, burn, name, show, ask, roll. A move yields the
`Expectation` it waits for and is sent the input that met it. `None` sent in means "something happened, look again":
every move here recomputes what it waits for, and so must a game that yields for itself.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from controller.engine import events as ev
from controller.engine.cards import CARDS, Audience, Card, Hand, Slot
from controller.engine.expect import (
    AnyWant,
    Barred,
    Choice,
    Expectation,
    Refusal,
    WantCard,
    WantDecision,
    WantDice,
    WantReveal,
    WantWagers,
    title,
)
from controller.engine.inputs import (
    Act,
    AnyBody,
    BankPosted,
    BetsClosed,
    CardOut,
    DiceRolled,
    Place,
    Revealed,
    StackOut,
    WagerPlaced,
    place_of,
    seat_of,
)
from controller.engine.money import Settlement
from controller.engine.result import Result
from controller.engine.wagers import Book, WagerRule, action

Script = Generator[Expectation, "AnyBody | None", None]
T = TypeVar("T")
Move = Generator[Expectation, "AnyBody | None", T]
"""A part of a script that gives a value: `slot = yield from t.deal(hand)`."""


class Voided(Exception):
    """Raised by a ruling or a script: the round is void."""

    def __init__(self, ruling: str, reason: str = "") -> None:
        super().__init__(ruling)
        self.ruling, self.reason = ruling, reason


class Setup(Struct, frozen=True, omit_defaults=True):
    """Who sits where and the table's own settings when a round begins."""

    seats: tuple[int, ...] = ()
    player_dealer: int | None = None
    button: int | None = None
    settings: dict[str, Any] = {}
    bank: tuple[int, ...] | None = None
    records_wagers: bool = True
    min_wager: int = 0
    max_wager: int | None = None


@lru_cache(maxsize=4096)
def _card_expected(to: str, nth: int, count: int, face_up: bool, says: str = "") -> Expectation:
    return Expectation((WantCard(to, nth, count, face_up, says),))


class Table:
    """A script's view of the table: what lies on it and the moves every game shares."""

    def __init__(self, setup: Setup, deck: Mapping[str, int] | None, out: dict[str, int]) -> None:
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
        self.queue: deque[Slot] = deque()
        self.contributions: dict[Place, int] | None = None
        """Poker: what each seat has put in, returned when the round is void."""
        self.bets_open = False
        self._deck = deck
        self.out = out

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
        return [s for s in among if s > after] + [s for s in among if s <= after]

    def places(self, seat: int) -> list[Place]:
        """The betting places of a seat that hold a wager, in spot order."""
        return sorted((p for p in self.book if seat_of(p) == seat and self.book[p]), key=str)

    # Money before the deal

    def take_wagers(self, rules: Sequence[WagerRule]) -> Move[Book]:
        """Wagers and the bank until the dealer or the timer closes them. A table that records none goes on at once."""
        if not self.setup.records_wagers:
            return self.book
        rules = tuple(self._limited(rule) for rule in rules)
        want = WantWagers(rules, tuple(s for s in self.seats if s != self.player_dealer), self.book)
        waiting = Expectation((want,))
        self.bets_open = True
        while True:
            body = yield waiting
            match body:
                case WagerPlaced():
                    place = place_of(body.place)
                    standing = self.book.setdefault(place, {})
                    if body.cents:
                        standing[body.wager] = body.cents
                    else:
                        standing.pop(body.wager, None)
                    self.events.append(ev.WagerSet(place, body.wager, body.cents))
                case BankPosted():
                    self.bank = body.spots
                    self.settlement = Settlement(body.spots)
                    self.emit(ev.BankSet(body.spots))
                case BetsClosed():
                    break
        self.bets_open = False
        for place in [p for p, wagers in self.book.items() if not wagers]:
            del self.book[place]
        self.emit(ev.BettingClosed(action(self.book)))
        return self.book

    def _limited(self, rule: WagerRule) -> WagerRule:
        if rule.min or rule.max is not None or not (self.setup.min_wager or self.setup.max_wager):
            return rule
        return replace(rule, min=self.setup.min_wager, max=self.setup.max_wager)

    # Cards

    def deal(self, hand: Hand, count: int = 1, *, up: bool = True, says: str = "") -> Move[Slot]:
        """The next card or stack to a hand; gives the last slot. `says` is the prompt in the game's own words."""
        slots = hand.slots
        target = len(slots) + count
        while len(slots) < target:
            if self.queue:
                self._place(hand, self.queue.popleft(), up)
            else:
                body = yield _card_expected(hand.owner, len(slots) + 1, target - len(slots), up, says)
                if type(body) is CardOut:
                    self._place(hand, self._take(body.card), up)
                elif type(body) is StackOut:
                    for code in body.cards:
                        self._place(hand, self._take(code), up)
            if up and slots and not slots[-1].is_read:
                yield from self.name_unread(hand, why="card_unread")
        return slots[-1]

    def _place(self, hand: Hand, slot: Slot, up: bool) -> None:
        hand.slots.append(slot)
        if not up:
            slot.audience = Audience.NOBODY
        self.events.append(ev.CardDealt(hand.owner, len(hand.slots), slot.face_if_exposed))

    def _take(self, code: str | None) -> Slot:
        if code is None:
            return Slot(None)
        if self._deck is not None:
            self.out[code] = self.out.get(code, 0) + 1
        return Slot(CARDS[code])

    def take_out(self, codes: Iterable[str]) -> list[Slot]:
        """Cards that left the deck with a happening."""
        return [self._take(code) for code in codes]

    def put_back(self, cards: Iterable[Card]) -> None:
        """Cards shuffled back into the stub: they may leave the deck again."""
        for card in cards:
            if self.out.get(card.code):
                self.out[card.code] -= 1

    def burn(self, *, up: bool = False) -> Move[Slot]:
        """A card off the deck, out of play."""
        while True:
            if self.queue:
                slot = self.queue.popleft()
                break
            body = yield _card_expected("burn", len(self.burns) + 1, 1, up)
            if type(body) is CardOut:
                slot = self._take(body.card)
                break
        if not up:
            slot.audience = Audience.NOBODY
        self.burns.append(slot)
        self.emit(ev.CardBurned(slot.face_if_exposed))
        return slot

    def name_unread(self, hand: Hand, *, why: str = "", asks: str = "", first: int | None = None) -> Move[None]:
        """Wait until the cards of this hand (or its first ones) that were not read are keyed by a person."""
        unread = [i for i, slot in enumerate(hand.slots[:first]) if not slot.is_read]
        if not unread:
            return
        if why:
            text = f"{title(hand.owner)}: a card was not read; key it"
            self.emit(ev.Irregularity(why, text, {"to": hand.owner, "nth": unread[0] + 1}))
        while True:
            body = yield Expectation((WantReveal(hand.owner, len(unread), asks),))
            if type(body) is not Revealed:
                continue
            problem = self.card_problem(body.cards)
            if problem is not None:
                self.refuse(body, problem)
                continue
            for i, code in zip(unread, body.cards, strict=True):
                slot = hand.slots[i]
                slot.name(CARDS[code])
                self._take(code)
                if slot.audience is Audience.ALL:
                    self.emit(ev.CardNamed(hand.owner, i + 1, slot.face))
            return

    def card_problem(self, codes: Iterable[str]) -> Refusal | None:
        """Why these cards cannot leave the deck now: no card, not of this deck, or more than the deck holds."""
        new: dict[str, int] = {}
        for code in codes:
            if code not in CARDS:
                return Refusal("no_such_card", f"{code!r} is not a card")
            if self._deck is None:
                continue
            have = self._deck.get(code, 0)
            if not have:
                return Refusal("foreign_card", "a card that does not belong to this deck")
            new[code] = new.get(code, 0) + 1
            if self.out.get(code, 0) + new[code] > have:
                # Unnamed: the one that is out already may lie face down.
                return Refusal("duplicate_card", "a card of which every copy is out already")
        return None

    def show(self, hand: Hand, *, first: int | None = None) -> Move[None]:
        """Turn a hand up for everybody, or its first cards only; what was not read must be named first."""
        yield from self.name_unread(hand, first=first)
        turned = hand.slots[:first]
        if all(slot.audience is Audience.ALL for slot in turned):
            return
        for slot in turned:
            slot.expose()
        self.emit(ev.HandShown(hand.owner, tuple(slot.face for slot in turned)))

    # People

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

    def refuse(self, body: AnyBody, refusal: Refusal) -> None:
        """A person's input that only the script could judge; the same expectation stands again."""
        self.emit(ev.Refused(what(body), refusal.why, refusal.text, refusal.bounds))

    def rule(self, code: str, seat: Place | None = None) -> None:
        """A ruling of the sheet that lets the round go on."""
        self.result.rulings.append(code)
        self.emit(ev.Ruled(code, seat))

    def void(self, ruling: str, reason: str = "") -> None:
        raise Voided(ruling, reason)

    @property
    def stakes(self) -> dict[Place, int]:
        """What would go back if the round were void now."""
        if self.contributions is not None:
            return {place: cents for place, cents in self.contributions.items() if cents}
        return {place: sum(wagers.values()) for place, wagers in self.book.items() if wagers}


def what(body: AnyBody) -> str:
    """An input in a few words, without any card in it."""
    match body:
        case Act():
            return f"seat {body.seat}: {body.do}"
        case WagerPlaced():
            return f"{body.place}: {body.wager}"
    return str(type(body).__struct_config__.tag)
