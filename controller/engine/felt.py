"""A script's view of the table: what lies on the felt, and the moves every game shares.

Each move is a generator to `yield from`: take wagers, deal, burn, name, show, ask, roll. A move yields the
`Expectation` it waits for and is sent the input that met it. `None` sent in means "something happened, look again":
every move here recomputes what it waits for, and so must a game that yields for itself.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Generator, Iterable, Sequence
from functools import lru_cache
from typing import Final, TypeVar

from msgspec.structs import replace

from controller.engine import events as ev
from controller.engine.cards import CARDS, Audience, Card, Hand, Slot
from controller.engine.collections import PLAYER_DEALER_WAGER, Moment, NoRate, Schedule, Stake, assess
from controller.engine.deferred import Deferred
from controller.engine.expect import (
    AnyWant,
    Barred,
    Choice,
    Expectation,
    Refusal,
    WantCard,
    WantDecision,
    WantDice,
    WantDrop,
    WantFloor,
    WantReveal,
    WantWagers,
    title,
)
from controller.engine.fees import RoundFees
from controller.engine.inputs import (
    Act,
    AnyBody,
    BankPosted,
    BetsClosed,
    CardOut,
    DiceRolled,
    FeesIn,
    FloorAct,
    Place,
    Revealed,
    StackOut,
    WagerPlaced,
    place_of,
    seat_of,
)
from controller.engine.money import Settlement
from controller.engine.result import Result
from controller.engine.setup import Setup
from controller.engine.wagers import Book, WagerRule, plain_limits, within_limits

__all__ = ["DROP_BEFORE", "Move", "Script", "Setup", "Table", "Unruled", "Voided", "what"]

Script = Generator[Expectation | Deferred, "AnyBody | None", None]
_NOBODY: Final = Audience.NOBODY
_ALL: Final = Audience.ALL
"""Python 3.11 takes long to look up a member of an enum; every hole card asks."""
DROP_BEFORE = {"before_deal": "the first card", "before_dice_open": "the cup is opened"}
T = TypeVar("T")
Move = Generator[Expectation | Deferred, "AnyBody | None", T]
"""A part of a script that gives a value: `slot = yield from t.deal(hand)`."""


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


@lru_cache(maxsize=4096)
def _card_expected(to: str, nth: int, count: int, face_up: bool, says: str = "") -> Expectation:
    return Expectation((WantCard(to, nth, count, face_up, says),))


_NO_WAGERS = WantWagers((), (), {})


class CardsInTurn(Deferred):
    """Cards that go out one after the other: to whom, and whose turn it is. While nothing else happens the table takes
    them without waking the script for each."""

    __slots__ = ("at", "hands", "says", "served", "target", "together", "up")

    def __init__(self, hands: list[Hand], served: list[int] | None, up: bool) -> None:
        self.hands, self.served, self.up = hands, served, up
        self.at = self.target = 0
        self.together, self.says = False, ""
        """All that are left are one hand's and may come as a stack; the prompt in the game's own words."""

    def wait_at(self, at: int) -> None:
        """The next card is that of the hand at this place."""
        self.at = at
        self.target = len(self.hands[at].slots) + 1

    def admits(self, act: Act) -> bool:
        return False

    def told(self) -> Expectation:
        count = len(self.hands) - self.at if self.together else 1
        return _card_expected(self.hands[self.at].owner, self.target, count, self.up, self.says)


class Table:
    """A script's view of the table: what lies on it and the moves every game shares."""

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
        self.drawn = 0
        """Cards that have left the shoe, read or not, before this round."""
        self.left: list[Slot] = []
        """This round's cards in the order in which they left the shoe or deck."""
        self._back = 0

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

    # Money before the deal

    def take_wagers(
        self, rules: Sequence[WagerRule], schedule: Schedule | None = None, *, noted: Callable[[], None] | None = None
    ) -> Move[Book]:
        """Wagers and the bank until the dealer or the timer closes them. A table that records none goes on at once.

        The table limits are those of the posted schedule, where there is one; `noted` is called after each change.
        """
        self.open_wagers(rules, schedule, noted=noted)
        if self.bets_open:
            waiting = self.only_wagers = Expectation((self._wagers_wanted,))
            while self.bets_open:
                self.bet((yield waiting))
        return self.book

    def wait_for_wagers(self) -> Move[None]:
        """One more wager, the bank, or the word that closes the betting."""
        self.bet((yield Expectation((self._wagers_wanted,))))

    def open_wagers(
        self,
        rules: Sequence[WagerRule],
        schedule: Schedule | None = None,
        *,
        noted: Callable[[], None] | None = None,
        seats: Iterable[int] | None = None,
    ) -> None:
        """From here on wagers may be placed, while `take_wagers` or `while_betting` waits for them.

        `seats`: who may bet, where the player-dealer's own seat is among them.
        """
        self.fees.schedule = schedule
        if not self.setup.records_wagers:
            return
        self._wagers, self._noted = self._limited(tuple(rules), schedule), noted
        self._plain_wagers = plain_limits(self._wagers)
        among = [s for s in self.seats if s != self.player_dealer] if seats is None else seats
        self._betting_seats = tuple(among)
        self._wagers_wanted = WantWagers(self._wagers, self._betting_seats, self.book)
        self.bets_open = True

    def while_betting(self, move: Move[T]) -> Move[T]:
        """A move of the deal, wagers being placed beside it as long as they are open. Nothing else is waited for before
        the first wager stands."""
        try:
            waiting = next(move)
            while True:
                beside = waiting
                if self.bets_open:
                    told = waiting.told() if isinstance(waiting, Deferred) else waiting
                    wants = told.wants if self.left or any(self.book.values()) else ()
                    beside = replace(told, wants=(self._wagers_wanted, *wants))
                body = yield beside
                if isinstance(body, WagerPlaced | BankPosted | BetsClosed):
                    self.bet(body)
                else:
                    waiting = move.send(body)
        except StopIteration as done:
            value: T = done.value
            return value

    def take_plain(self, body: WagerPlaced) -> bool:
        """Takes one of the many wagers that are legal by their amount alone; False: `judge` has to look closer."""
        place, wager, cents = body.place, body.wager, body.cents
        limits = self._plain_wagers.get(wager)
        if limits is None or not limits[0] <= cents <= limits[1] or place not in self._betting_seats:
            return False
        standing = self.book.get(place)
        if standing is None:
            self.book[place] = {wager: cents}
        else:
            standing[wager] = cents
        self.events.append(ev.WagerSet(place, wager, cents))
        if self._noted is not None:
            self._noted()
        return True

    def take_bank(self, body: BankPosted) -> bool:
        """The player-dealer's money, likewise."""
        for cents in body.spots:
            if cents < 0:
                return False
        self.bet(body)
        return True

    def bet(self, body: AnyBody | None) -> None:
        """A wager, the bank or the word that closes the betting, once it was judged to be legal."""
        if type(body) is WagerPlaced:
            place, wager, cents = place_of(body.place), body.wager, body.cents
            standing = self.book.get(place)
            if standing is None:
                standing = self.book[place] = {}
            if cents:
                standing[wager] = cents
            else:
                standing.pop(wager, None)
            self.events.append(ev.WagerSet(place, wager, cents))
        elif type(body) is BankPosted:
            self.bank = body.spots
            self.settlement = Settlement(body.spots)
            self.emit(ev.BankSet(body.spots))
        elif type(body) is BetsClosed:
            self.close_wagers()
            return
        if self._noted is not None:
            self._noted()

    def close_wagers(self) -> None:
        """No more bets."""
        if not self.bets_open:
            return
        self.bets_open = False
        book, placed = self.book, 0
        taken_back: list[Place] = []
        for place, wagers in book.items():
            if not wagers:
                taken_back.append(place)
            for cents in wagers.values():
                placed += cents
        for place in taken_back:
            del book[place]
        self.emit(ev.BettingClosed(placed))

    def _limited(self, rules: tuple[WagerRule, ...], schedule: Schedule | None) -> tuple[WagerRule, ...]:
        if schedule is None:
            return within_limits(rules, self.setup.min_wager, self.setup.min_wager, self.setup.max_wager)
        # Schedules post what a base wager may be; a bonus bet only has to stay below the top, or has limits of its own.
        limited = within_limits(rules, schedule.table_min, 0, schedule.wager_max)
        if not schedule.bonus:
            return limited
        return tuple(_as_posted(rule, schedule) if rule.counts_as == "bonus" else rule for rule in limited)

    def collect_fees(
        self,
        schedule: Schedule | None,
        at: Moment,
        *,
        first_action: Place | None = None,
        dealt: Iterable[Place] = (),
        button: Place | None = None,
    ) -> Move[None]:
        """The fees of the posted schedule that are taken at this moment, if any; docs/fees.md has the moments.

        `first_action`: whose wager is acted on first, once that is known. `dealt`: who pays for a hand without a wager.
        Where the table waits for the drop, the round goes on when the fees are in their boxes.
        """
        if schedule is None or not any(schedule.moment_of(row) == at for _, row in schedule.in_force()):
            return
        stakes = self._fee_stakes()
        try:
            due = assess(schedule, stakes, self.bank, dealt=dealt, first_action=first_action, button=button)
        except NoRate as error:
            yield from self.call_floor("no_fee_posted", str(error))
            return
        self.fees.action = due.action
        rows = [row for _, row in schedule.in_force() if schedule.moment_of(row) == at]
        if self.bank is None and any(row.basis == PLAYER_DEALER_WAGER for row in rows):
            text = "the player-dealer's wager was not posted: his fee is not known"
            self.emit(ev.Irregularity("player_dealer_wager_not_posted", text))
        charges = [charge for charge in due.owed() if charge.moment == at]
        self.fees.owe(schedule, charges)
        if charges and self.setup.awaits_drop:
            yield from self._await_drop(at)

    def _await_drop(self, at: Moment) -> Move[None]:
        """Until the fees are in their boxes, by the sensors or by the dealer's word."""
        boxes = {box: cents for box, cents in self.fees.boxes.items() if cents}
        how = "sensor"
        while left := {box: c for box, c in self.fees.boxes.items() if c and box not in self.fees.sensed}:
            body = yield Expectation((WantDrop(left, DROP_BEFORE.get(at, "the round goes on")),))
            if type(body) is FeesIn:
                how = "dealer"
                break
        if self.fees.boxes:
            self.emit(ev.FeesDropped(boxes, how))

    def _fee_stakes(self) -> list[Stake]:
        """The wagers that are down, each with its class in a collection schedule."""
        classes = {rule.id: rule.counts_as for rule in self._wagers}
        return [
            Stake(place, wager, classes.get(wager, wager), cents)
            for place, wagers in self.book.items()
            for wager, cents in wagers.items()
        ]

    def give_free_collections(self) -> None:
        """A base wager that found no action, where the room gives a button for it (village, 209, 374)."""
        schedule = self.fees.schedule
        if schedule is None or schedule.no_action != "free_collection_button":
            return
        classes = {rule.id: rule.counts_as for rule in self._wagers}
        for line in self.settlement.lines:
            if line.uncovered and not line.net and classes.get(line.wager) == "base":
                self.fees.give_free_collection(line.place)

    def waive_fees(self, reason: str) -> Refusal | None:
        """The floor takes no fees for this hand, while the posted schedule's room lets it."""
        schedule = self.fees.schedule
        if schedule is None or schedule.waiver == "none":
            return Refusal("no_waiver", "no rule is posted by which the fees of a hand may be waived")
        if self.fees.waiver is not None:
            return Refusal("waived_already", "the fees of this hand are waived")
        if schedule.waiver == "before_first_card" and any(hand.slots for hand in self.hands.values()):
            return Refusal("too_late_to_waive", "fees are waived before the first card")
        if any(slot.audience is Audience.ALL for slot in self.hand("player_dealer").slots):
            return Refusal("too_late_to_waive", "fees are waived before the player-dealer's hand is exposed")
        self.fees.waive(reason)
        return None

    # Cards

    def deal(
        self, hand: Hand, count: int = 1, *, up: bool = True, says: str = "", barred: tuple[Barred, ...] = ()
    ) -> Move[Slot]:
        """The next card or stack to a hand; gives the last slot. `says` is the prompt in the game's own words."""
        slots = hand.slots
        target = len(slots) + count
        while len(slots) < target:
            if self.queue:
                self._place(hand, self.queue.pop(0), up)
            else:
                left = target - len(slots)
                if left == 1 or barred:
                    waiting = _card_expected(hand.owner, len(slots) + 1, left, up, says)
                    body = yield replace(waiting, barred=barred) if barred else waiting
                else:
                    cards = CardsInTurn([hand] * left, None, up)
                    cards.together, cards.says = True, says
                    cards.wait_at(0)
                    body = yield cards
                if type(body) is CardOut:
                    slot = self._take(body.card)
                    self._place(hand, slot, up)
                    if count == 1 and body.card is not None:
                        return slot
                elif type(body) is StackOut:
                    for code in body.cards:
                        self._place(hand, self._take(code), up)
                    if up and not hand.is_read:
                        yield from self.name_unread(hand, why="card_unread", open_only=True)
            if up and slots and not slots[-1].is_read:
                yield from self.name_unread(hand, why="card_unread", open_only=True)
        return slots[-1]

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
        """One card at a time, round and round: as `deal`, in one move for the whole of it. Gives how many were dealt.

        `served` is told every seat that has its card. Where it is given, or `stops`, and anything but a card has
        happened, the move ends with that seat's: who is dealt to may be others now. `otherwise` is how that seat's hand
        then gets its card, up to so many in all; without it, as the others.
        """
        if not hands:
            return 0
        queue, order = self.queue, [*hands] * rounds
        cards = CardsInTurn(order, served, up)
        at = 0
        while at < len(order):
            cards.wait_at(at)
            body: AnyBody | None = None
            came_before = bool(queue)
            if not came_before:
                body = yield cards
                at = cards.at
            hand, target = order[at], cards.target
            at += 1
            if type(body) is CardOut and (body.card is not None or not up):
                # Nothing has come in between: the card is the one that was asked for.
                self._place(hand, self._take(body.card), up)
                if served is not None:
                    served.append(int(hand.owner))
                continue
            if type(body) is CardOut:
                self._place(hand, self._take(None), up)
            elif type(body) is StackOut:
                self._place(hand, self._take(body.cards[0]), up)
            if len(hand.slots) < target and otherwise is not None:
                yield from otherwise(hand, target)
            elif len(hand.slots) < target:
                yield from self.deal(hand, target - len(hand.slots), up=up)
            elif up and not hand.slots[-1].is_read:
                yield from self.name_unread(hand, why="card_unread", open_only=True)
            if served is not None:
                served.append(int(hand.owner))
                return at
            if stops and not came_before:
                return at
        return at

    def take_in_turn(self, cards: CardsInTurn, code: str) -> bool:
        """A card that was read, to the hand whose turn it is. False, and nothing has changed: the script must see to
        it, since it is the last card, or one that cannot come from this deck."""
        deck = self._deck
        at, order = cards.at + 1, cards.hands
        if at == len(order):
            return False
        if deck is not None:
            out = self.out
            copies = out.get(code, 0) + 1
            if copies > deck.get(code, 0):
                return False
            out[code] = copies
        hand = order[at - 1]
        slot = Slot(CARDS[code], _ALL if cards.up else _NOBODY)
        self.left.append(slot)
        hand.slots.append(slot)
        self.events.append(ev.CardDealt(hand.owner, cards.target, slot.face if cards.up else None))
        if cards.served is not None:
            cards.served.append(int(hand.owner))
        cards.wait_at(at)
        return True

    def _place(self, hand: Hand, slot: Slot, up: bool) -> None:
        slots = hand.slots
        slots.append(slot)
        if up:
            self.events.append(ev.CardDealt(hand.owner, len(slots), slot.face_if_exposed))
        else:
            slot.audience = _NOBODY
            self.events.append(ev.CardDealt(hand.owner, len(slots)))

    def _take(self, code: str | None) -> Slot:
        if code is None:
            slot = Slot(None)
        else:
            slot = Slot(CARDS[code])
            if self._deck is not None:
                out = self.out
                out[code] = out.get(code, 0) + 1
        self.left.append(slot)
        return slot

    def count_out(self, code: str) -> None:
        """One more of this card has left the deck."""
        if self._deck is not None:
            self.out[code] = self.out.get(code, 0) + 1

    def take_out(self, codes: Iterable[str | None]) -> list[Slot]:
        """Cards that left the deck with a happening."""
        return [self._take(code) for code in codes]

    def put_back(self, cards: Iterable[Card], unread: int = 0) -> None:
        """Cards shuffled back into the stub: they may leave the deck again. `unread`: so many that nobody has read."""
        self._back += unread
        for card in cards:
            self._back += 1
            if self.out.get(card.code):
                self.out[card.code] -= 1

    @property
    def stub(self) -> int:
        """How many cards are left of a deck that began this round whole."""
        assert self._deck is not None, "nobody knows how many cards the deck has"
        return sum(self._deck.values()) - len(self.left) + self._back

    def burn(self, *, up: bool = False, says: str = "") -> Move[Slot]:
        """A card off the deck, out of play. `says` is the prompt in the game's own words."""
        while True:
            if self.queue:
                slot = self.queue.pop(0)
                break
            body = yield _card_expected("burn", len(self.burns) + 1, 1, up, says)
            if type(body) is CardOut:
                slot = self._take(body.card)
                break
            if type(body) is StackOut:
                (code,) = body.cards
                slot = self._take(code)
                break
        if not up:
            slot.audience = Audience.NOBODY
        self.burns.append(slot)
        self.emit(ev.CardBurned(slot.face_if_exposed))
        return slot

    def name_unread(
        self, hand: Hand, *, why: str = "", asks: str = "", first: int | None = None, open_only: bool = False
    ) -> Move[None]:
        """Wait until the cards of this hand (or its first ones) that were not read are keyed by a person.

        `open_only`: those that lie face up; whoever stands at the table cannot tell the others.
        """
        unread = [
            i
            for i, slot in enumerate(hand.slots[:first])
            if not slot.is_read and (not open_only or slot.audience is Audience.ALL)
        ]
        if unread and why:
            text = f"{title(hand.owner)}: a card was not read; key it"
            self.emit(ev.Irregularity(why, text, {"to": hand.owner, "nth": unread[0] + 1}))
        while unread:
            nth = tuple([i + 1 for i in unread])
            body = yield Expectation((WantReveal(hand.owner, len(unread), asks, nth),))
            if type(body) is not Revealed:
                continue
            problem = self.card_problem(body.cards)
            if problem is not None:
                self.refuse(body, problem)
                continue
            for code in body.cards:
                i = unread.pop(0)
                slot = hand.slots[i]
                slot.name(CARDS[code])
                self.count_out(code)
                if slot.audience is Audience.ALL:
                    self.emit(ev.CardNamed(hand.owner, i + 1, slot.face))

    def card_problem(self, codes: Iterable[str]) -> Refusal | None:
        """Why these cards cannot leave the deck now: no card, not of this deck, or more than the deck holds."""
        new: dict[str, int] = {}
        for code in codes:
            new[code] = copies = new.get(code, 0) + 1
            problem = self.one_card_problem(code, copies)
            if problem is not None:
                return problem
        return None

    def one_card_problem(self, code: str, copies: int = 1) -> Refusal | None:
        """Why so many copies of this card cannot leave the deck now."""
        deck = self._deck
        if deck is not None and self.out.get(code, 0) + copies <= deck.get(code, 0):
            return None
        if code not in CARDS:
            return Refusal("no_such_card", f"{code!r} is not a card")
        if deck is None:
            return None
        have = deck.get(code)
        if not have:
            return Refusal("foreign_card", "a card that does not belong to this deck")
        # Unnamed: the one that is out already may lie face down.
        return Refusal("duplicate_card", "a card of which every copy is out already")

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
