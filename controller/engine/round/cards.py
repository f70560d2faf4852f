"""Cards on the table: dealt one by one, in turn or as a stack, burned, named, shown; and what the deck still holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from controller.engine import events as ev
from controller.engine.cards.card import CARDS, Audience, Card, Hand, Slot
from controller.engine.expect.expectation import Barred, Expectation
from controller.engine.expect.lazy import LazyExpectation
from controller.engine.expect.want import Refusal, title
from controller.engine.expect.wants import WantCard, WantReveal
from controller.engine.inputs import Act, AnyBody, CardOut, Revealed, StackOut
from controller.engine.round.script import Move, refused

_NOBODY: Final = Audience.NOBODY
"""Python 3.11 takes long to look up a member of an enum, and every hole card needs this one."""


@lru_cache(maxsize=4096)
def _card_expected(to: str, nth: int, count: int, face_up: bool, says: str = "", *, piece: str = "card") -> Expectation:
    return Expectation((WantCard(to, nth, count, face_up, says, piece),))


class CardsInTurn(LazyExpectation):
    """Cards that go out one after the other: to whom, and whose turn it is. While nothing else happens,
    `fast_paths.take_card_in_turn` deals them without resuming the script for each."""

    __slots__ = ("at", "hands", "piece", "says", "served", "target", "together", "up")

    def __init__(self, hands: list[Hand], served: list[int] | None, up: bool) -> None:
        self.hands, self.served, self.up = hands, served, up
        self.at = self.target = 0
        self.together, self.says, self.piece = False, "", "card"
        """`together`: all that are left are one hand's and may come as a stack. `says`: the game's own prompt."""

    def wait_at(self, at: int) -> None:
        """The next card goes to the hand at this index."""
        self.at = at
        self.target = len(self.hands[at].slots) + 1

    def admits(self, act: Act) -> bool:
        return False

    def build(self) -> Expectation:
        count = len(self.hands) - self.at if self.together else 1
        return _card_expected(self.hands[self.at].owner, self.target, count, self.up, self.says, piece=self.piece)


class Cards:
    """The cards of one round, and the moves with them. What they cause goes into `events`."""

    def __init__(self, deck: dict[str, int] | None, out: dict[str, int], events: list[ev.Event]) -> None:
        self.deck = deck
        """How often each card is in the shoe or deck; None where that is not known."""
        self.out = out
        """How often each card has left it."""
        self._events = events
        self.queue: list[Slot] = []
        """Cards that have left the deck already and are dealt next."""
        self.burns: list[Slot] = []
        self.left: list[Slot] = []
        """This round's cards in the order in which they left the shoe or deck."""
        self.piece = "card"
        """What is dealt, as the prompts call it."""
        self._why_unread = ""
        """Why the last card that was not read was not, in the device's words."""
        self._put_back = 0
        """Cards that were shuffled back into the deck."""
        self._put_back_at = [0]
        """That number after each shuffle."""

    def deal(
        self, hand: Hand, count: int = 1, *, up: bool = True, says: str = "", barred: tuple[Barred, ...] = ()
    ) -> Move[Slot]:
        """The next card or stack to a hand; returns the last slot. `says` is the game's own prompt."""
        slots = hand.slots
        target = len(slots) + count
        while len(slots) < target:
            if self.queue:
                self._why_unread = ""
                self._place(hand, self.queue.pop(0), up)
            else:
                left = target - len(slots)
                if left == 1 or barred:
                    waiting = _card_expected(hand.owner, len(slots) + 1, left, up, says, piece=self.piece)
                    body = yield replace(waiting, barred=barred) if barred else waiting
                else:
                    cards = CardsInTurn([hand] * left, None, up)
                    cards.together, cards.says, cards.piece = True, says, self.piece
                    cards.wait_at(0)
                    body = yield cards
                if type(body) is CardOut:
                    slot = self._take(body.card)
                    self._why_unread = body.why or ""
                    self._place(hand, slot, up)
                    if count == 1 and body.card is not None:
                        return slot
                elif type(body) is StackOut:
                    self._why_unread = ""
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
        """One card at a time, `rounds` times around: as `deal`, in one move. Returns the number of cards dealt.

        Every seat that has its card is added to `served`. Where that is given, or `stops`, and anything but a card has
        happened, the move ends with that seat's card: others may be dealt to now. `otherwise` deals that card to the
        hand, up to the given number in all; without it, `deal` does.
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
                # Nothing else has happened: this is the card that was expected.
                self._place(hand, self._take(body.card), up)
                if served is not None:
                    served.append(int(hand.owner))
                continue
            if type(body) is CardOut:
                self._why_unread = body.why or ""
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

    def _place(self, hand: Hand, slot: Slot, up: bool) -> None:
        slots = hand.slots
        slots.append(slot)
        if up:
            self._events.append(ev.CardDealt(hand.owner, len(slots), slot.face_if_exposed))
        else:
            slot.audience = _NOBODY
            self._events.append(ev.CardDealt(hand.owner, len(slots)))

    def _take(self, code: str | None) -> Slot:
        if code is None:
            slot = Slot(None)
        else:
            slot = Slot(CARDS[code])
            if self.deck is not None:
                out = self.out
                out[code] = out.get(code, 0) + 1
        self.left.append(slot)
        return slot

    def count_out(self, code: str) -> None:
        """One more of this card has left the deck."""
        if self.deck is not None:
            self.out[code] = self.out.get(code, 0) + 1

    def take_out(self, codes: Iterable[str | None]) -> list[Slot]:
        """Cards that left the deck when something happened."""
        return [self._take(code) for code in codes]

    def put_back(self, cards: Iterable[Card], unread: int = 0) -> None:
        """Cards shuffled back into the stub: they may leave the deck again. `unread`: how many more, unread."""
        self._put_back += unread
        for card in cards:
            self._put_back += 1
            if self.out.get(card.code):
                self.out[card.code] -= 1
        self._put_back_at.append(self._put_back)

    @property
    def stub(self) -> int:
        """The number of cards left in a deck that was whole when the round began."""
        assert self.deck is not None, "the number of cards in the deck is not known"
        return sum(self.deck.values()) - len(self.left) + self._put_back

    @property
    def is_dealt_out(self) -> bool:
        """All cards have left the deck that was whole when the round began, or what it was when cards were shuffled
        back: the dealer may finish the stub first, or put both together."""
        if self.deck is None:
            return False
        whole = sum(self.deck.values())
        return any(len(self.left) == whole + back for back in self._put_back_at)

    def burn(self, *, up: bool = False, says: str = "") -> Move[Slot]:
        """A card off the deck, out of play. `says` is the game's own prompt."""
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
        self._events.append(ev.CardBurned(slot.face_if_exposed))
        return slot

    def name_unread(
        self, hand: Hand, *, why: str = "", asks: str = "", first: int | None = None, open_only: bool = False
    ) -> Move[None]:
        """Wait until the cards of this hand (or its first ones) that were not read are keyed by a person.

        `open_only`: only those that are face up; a person at the table cannot see the others.
        """
        unread = _unread(hand, first, open_only)
        if unread and why:
            # The reason is about a card that is face up: of any other it might be a hint.
            reason = self._why_unread if open_only else ""
            said = f" ({reason.replace('_', ' ')})" if reason else ""
            text = f"{title(hand.owner)}: a card was not read{said}; key it"
            facts = {"to": hand.owner, "nth": unread[0] + 1, **({"reason": reason} if reason else {})}
            self._events.append(ev.Irregularity(why, text, facts))
        while unread:
            nth = tuple([i + 1 for i in unread])
            body = yield Expectation((WantReveal(hand.owner, len(unread), asks, nth, self.piece),))
            if type(body) is not Revealed:
                unread = _unread(hand, first, open_only)  # a ruling may have named or replaced one
                continue
            problem = self.card_problem(body.cards)
            if problem is not None:
                self._events.append(refused(body, problem))
                continue
            for code in body.cards:
                i = unread.pop(0)
                slot = hand.slots[i]
                slot.name(CARDS[code])
                self.count_out(code)
                if slot.audience is Audience.ALL:
                    self._events.append(ev.CardNamed(hand.owner, i + 1, slot.face))

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
        """Why this number of copies of a card cannot leave the deck now."""
        deck = self.deck
        if deck is not None and self.out.get(code, 0) + copies <= deck.get(code, 0):
            return None
        if code not in CARDS:
            return Refusal("no_such_card", f"{code!r} is not a card")
        if deck is None:
            return None
        have = deck.get(code)
        if not have:
            return Refusal("foreign_card", "a card that does not belong to this deck")
        # The text does not name it: the one that is out already may be face down.
        return Refusal("duplicate_card", "a card of which every copy is out already")

    def show(self, hand: Hand, *, first: int | None = None) -> Move[None]:
        """Turn a hand up for everybody, or its first cards only; what was not read must be named first."""
        yield from self.name_unread(hand, first=first)
        turned = hand.slots[:first]
        if all(slot.audience is Audience.ALL for slot in turned):
            return
        for slot in turned:
            slot.expose()
        self._events.append(ev.HandShown(hand.owner, tuple(slot.face for slot in turned)))


def _unread(hand: Hand, first: int | None, open_only: bool) -> list[int]:
    """The indexes of the cards of a hand, or of its first ones, that were not read; `open_only`: of those face up."""
    return [
        i
        for i, slot in enumerate(hand.slots[:first])
        if not slot.is_read and (not open_only or slot.audience is Audience.ALL)
    ]
