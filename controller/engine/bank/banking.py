"""How often the same person has had the player-dealer's position, and who is offered it next."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from controller.engine.bank.people import People, Person, is_same
from controller.engine.bank.rotation import Rotation
from controller.engine.inputs import Place, seat_of, spot_of


class Turns(Struct, frozen=True, omit_defaults=True):
    """The hands of the last player-dealer. Only a hand that somebody else deals begins the count again."""

    holder: Person | None = None
    """Who dealt the last hand."""
    place: Place | None = None
    """Where that was."""
    hands: int = 0
    """Consecutive hands since the position was last offered to all."""
    taken: Place | None = None
    """The betting place of the present player-dealer, where it is not the seat itself."""
    declined: tuple[Place, ...] = ()
    """Who has declined the position since it was offered."""
    broken_at: int | None = None
    """When the game was broken; None: it is not."""
    bettors: tuple[Place, ...] | None = None
    """Places with a wager in the last hand; None: there was no hand, or nobody recorded it."""


class Banker(Struct, frozen=True, omit_defaults=True):
    """The player-dealer as the table shows him."""

    place: Place
    hand: int
    """1: the bank button shows his first hand, 2: his second."""
    name: str = ""
    """Name or badge, where it is known."""
    firm: str = ""


class Banking:
    """All that decides who may bank: the rules, who sits where, and the turns so far. Nothing here changes."""

    def __init__(
        self, rotation: Rotation, seats: tuple[int, ...], player_dealer: int | None, people: People, turns: Turns
    ) -> None:
        self.rotation, self.seats, self.player_dealer, self.people, self.turns = (
            rotation,
            seats,
            player_dealer,
            people,
            turns,
        )
        taken = turns.taken
        self.place: Place | None = player_dealer
        """The present player-dealer's betting place."""
        if taken is not None and player_dealer is not None and seat_of(taken) == player_dealer:
            self.place = taken
        self.banker: Person | None = None if self.place is None else people.person(self.place)
        holder = turns.holder
        self.hands = 0
        """Consecutive hands that the present player-dealer has dealt."""
        if self.banker is not None and holder is not None and is_same(self.banker, holder, rotation.binds):
            self.hands = turns.hands
        self.is_due = self.place is None or self.hands >= rotation.hands
        """No hand may begin before the position was offered or taken."""

    def with_turns(self, turns: Turns) -> Banking:
        return Banking(self.rotation, self.seats, self.player_dealer, self.people, turns)

    def is_spent(self, place: Place) -> bool:
        """Whether the person at this place has dealt as many hands in a row as one person may."""
        holder = self._spent
        return holder is not None and is_same(self.people.person(place), holder, self.rotation.binds)

    @property
    def _spent(self) -> Person | None:
        """Who has dealt as many hands in a row as one person may."""
        turns = self.turns
        return None if turns.hands < self.rotation.hands else turns.holder

    @property
    def offered(self) -> tuple[Place, ...]:
        """Who may take the position, in the order in which it is offered. Empty as well where no seat is recorded."""
        people, binds, spent, banker = self.people, self.rotation.binds, self._spent, self.banker
        found: list[Place] = []
        for seat in self._in_order():
            for place in self._places(seat):
                person = people.person(place)
                if spent is not None and is_same(person, spent, binds):
                    continue
                if banker is None or banker is spent or not is_same(person, banker, binds):
                    found.append(place)
        return tuple(found)

    def after_hand(self, bettors: tuple[Place, ...] | None, *, void: bool) -> Turns:
        """The turns after one more hand of the present player-dealer. `bettors`: who had a wager, where that is
        recorded."""
        turns, place, banker = self.turns, self.place, self.banker
        if place is None or (void and self.rotation.void_hand == "does_not_count"):
            return turns
        return Turns(banker, place, self.hands + 1, turns.taken, bettors=turns.bettors if void else bettors)

    def _in_order(self) -> list[int]:
        """Every seat in the printed direction: after the player-dealer, or from seat 1."""
        seats = sorted({*self.seats, *(() if self.player_dealer is None else (self.player_dealer,))})
        last = self.place if self.place is not None else self.turns.place
        if self.rotation.direction == "clockwise":
            start = 0 if last is None else seat_of(last)
            return [seat for seat in seats if seat > start] + [seat for seat in seats if seat <= start]
        start = 2 if last is None else seat_of(last)
        return [seat for seat in seats[::-1] if seat < start] + [seat for seat in seats[::-1] if seat >= start]

    def _places(self, seat: int) -> tuple[Place, ...]:
        bettors = self.turns.bettors
        if bettors is None or self.rotation.eligible == "seated":
            return (seat,)
        there = [place for place in bettors if seat_of(place) == seat]
        if self.rotation.eligible == "wagered":
            return (seat,) if there else ()
        return tuple(sorted(there, key=spot_of))


def bettors_of(book: Iterable[tuple[Place, Iterable[int]]]) -> tuple[Place, ...]:
    """The places with money on them, in the order of seats and squares."""
    return tuple(
        sorted((place for place, cents in book if any(cents)), key=lambda place: (seat_of(place), spot_of(place)))
    )
