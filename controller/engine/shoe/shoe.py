"""A shoe as a value: what is known of its cards, its hands, and what is doubtful about it.

`shoe_life` gives a new one after every hand, `shuffle_watch` the part of it that watches the order of the cards.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from controller.engine.alarms import ShoeDoubt
from controller.engine.round.game import HistoryEntry

ONE = 10**12
"""The capital that each suspicion starts with, in its smallest unit."""


class ShuffleWatch(Struct, frozen=True, omit_defaults=True, gc=False):
    """What the watch knows of one shoe."""

    seen: str = ""
    """Every card that left the shoe, one sign each; a point where it was not shown."""
    judged: int = 0
    """How many of them have been bet on."""
    reserve: int = ONE
    stakes: tuple[int, ...] = ()
    """Capital in play: up, down, within the shoe, then for each earlier shoe forwards and backwards."""
    alarm: str = ""
    """Which suspicion has grown beyond all chance; the watch stops there."""


class Doubt(Struct, frozen=True, omit_defaults=True):
    """Something about a shoe that cannot be right, or hardly by chance."""

    text: str
    facts: dict[str, Any] = {}


class Shoe(Struct, frozen=True, omit_defaults=True, gc=False):
    """A shoe in play, or the one before it."""

    number: int
    decks: int | None = None
    history: tuple[HistoryEntry, ...] = ()
    out: dict[str, int] = {}
    """How often each card has left it."""
    cut_card: bool = False
    hands_left: int = 0
    """Once the cut card is out: hands still to be dealt, the running one included."""
    drawn: int = 0
    """Cards that have left it, read or not."""
    cards: int | None = None
    """As the shoe itself counted when it was loaded."""
    hands: tuple[tuple[int, int], ...] = ()
    """Each hand's round, and how many cards had left the shoe before it."""
    watch: ShuffleWatch = ShuffleWatch()
    unfit: str = ""
    """Why no round may begin from it."""
    doubts: dict[ShoeDoubt, Doubt] = {}
    asked_burns: int = 0
    """Cards that player-dealers have asked to be burned from it."""
    since_hand: tuple[str | None, ...] = ()
    """Cards that were burned from it since the last hand; null: not read."""

    @property
    def is_over(self) -> bool:
        return self.cut_card and self.hands_left <= 0

    def place(self, nth: int) -> str:
        """Where the shoe's nth card went: "round 12, card 3"."""
        round, before = next((hand for hand in reversed(self.hands) if hand[1] < nth), (0, 0))
        return f"round {round}, card {nth - before}"
