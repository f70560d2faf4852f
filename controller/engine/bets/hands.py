"""How many betting hands one player has, where a text limits them (004: 192, 195).

A seat is one player, unless the console states that the same person plays several. Where the further spots of a seat
are circles with hands of their own, they are that player's hands too; else they are bets behind the seat's hand, and no
hand of the bettor.
"""

from __future__ import annotations

from msgspec import Struct

from controller.engine.bets.wagers import Book
from controller.engine.inputs import Place, seat_of

UNLIMITED = 99
"""Hands of a player for whom the manager and the player-dealer have approved more."""


class HandLimits(Struct, frozen=True, omit_defaults=True):
    """The most hands of each player."""

    most: int
    player_of: dict[str, str] = {}
    """By place: the first place of the same person, where he has several."""
    decided: dict[str, int] = {}
    """By player: what the floor has decided instead."""
    has_own_spots: bool = False
    """The further spots of a seat have hands of their own."""

    def player(self, place: Place) -> str:
        named = self.player_of.get(str(place))
        if named is not None:
            return named
        seat = str(seat_of(place))
        return self.player_of.get(seat, seat)

    def may_play(self, place: Place) -> int:
        """The most hands of the player at this place."""
        return self.decided.get(self.player(place), self.most)

    def hands(self, book: Book, place: Place) -> list[Place]:
        """The hands that the player at this place has wagers on, in the order in which they were placed."""
        player = self.player(place)
        return [
            other for other, wagers in book.items() if wagers and self._is_hand(other) and self.player(other) == player
        ]

    def refusal(self, book: Book, place: Place) -> str | None:
        """Why one more wager on this place would be a hand too many; None where it is not."""
        if not self._is_hand(place) or book.get(place):
            return None
        most = self.may_play(place)
        if len(self.hands(book, place)) < most:
            return None
        hands = "1 hand" if most == 1 else f"{most} hands"
        return (
            f"seat {self.player(place)} plays {hands} already; more need the manager's and the player-dealer's approval"
        )

    def given_up(self, book: Book, place: Place) -> list[Place]:
        """The hands that the player has above his number, the last one first."""
        return self.hands(book, place)[self.may_play(place) :][::-1]

    def _is_hand(self, place: Place) -> bool:
        return isinstance(place, int) or self.has_own_spots
