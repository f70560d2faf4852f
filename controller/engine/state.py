"""What outlives a round, as frozen values: the journal's snapshot.

A round can always be run again from the state it began in, so recovery and correction are the same replay.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic

from msgspec import Struct

from controller.engine.felt import Setup
from controller.engine.game import Game, HistoryEntry, OptionsT

CARD_DEVICES = frozenset({"shoe", "shuffler", "card_reader"})
"""Kinds of devices without which a round has no cards from the wire."""


BOX_ALARMS = {
    "box_removed": ("box", "the box is out"),
    "box_placed": ("box", ""),
    "door_opened": ("door", "the door is open"),
    "door_closed": ("door", ""),
    "sensor_reset": ("count", "its sensor restarted; what fell meanwhile is not known"),
    "count_doubtful": ("count", "its counter went where it cannot go"),
    "sensor_fault": ("sensor", "its sensor reports a fault"),
    "sensor_well": ("sensor", ""),
}
"""What at a drop box is an alarm, under which name; an empty text clears it."""


class Shoe(Struct, frozen=True, omit_defaults=True):
    """A shoe in play, or the one before it."""

    number: int
    decks: int | None = None
    history: tuple[HistoryEntry, ...] = ()
    out: dict[str, int] = {}
    """How often each card has left it."""
    cut_card: bool = False


class Device(Struct, frozen=True, omit_defaults=True):
    state: str
    facts: dict[str, str] = {}
    boot: str = ""


class Rules(Struct, Generic[OptionsT], frozen=True):
    """A ruleset made ready for a table: the script and its options."""

    game: Game[OptionsT]
    options: OptionsT
    digest: str = ""


Resolver = Callable[[str, Mapping[str, Any]], Rules[Any]]
"""Finds a ruleset by its name and fills in what the table chose."""


class TableState(Struct, frozen=True, omit_defaults=True):
    """What outlives a round. Encodes to JSON: it is the journal's snapshot."""

    setup: Setup
    ruleset: str = ""
    options: dict[str, Any] = {}
    rounds: int = 0
    """Rounds begun so far; the number of the last one."""
    test: bool = False
    digest: str = ""
    shoe: Shoe | None = None
    previous_shoe: Shoe | None = None
    turns: int = 0
    """Consecutive hands of the present player-dealer."""
    devices: dict[str, Device] = {}
    alarms: dict[str, str] = {}
    """What is wrong now, by name, in a sentence."""
    dropped: dict[str, int] = {}
    """Pieces that fell into each box since its sensor was first met."""
    marks: dict[str, dict[str, Any]] = {}
    """By sensor: how far its story is told."""
    stops: dict[str, str] = {}
    """Of those, what lets no new round begin."""
    seen: dict[str, str] = {}
    """Last reference of each device: a repeat after a restart is known by it."""


BESIDE_THE_ROUND = ("devices", "alarms", "stops", "dropped", "marks", "seen", "test")
"""What went on beside a round and stays as it is when the round is run again."""
