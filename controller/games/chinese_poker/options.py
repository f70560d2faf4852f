"""What a room may choose about Chinese Poker, and what the floor sets for a hand."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

from controller.engine.fees.schedule import Schedule
from controller.engine.reading import in_words
from controller.engine.round.felt import Setup

FEWEST_PLAYERS = 2


class ChineseOptions(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    point: Literal[500, 1000, 2000, 2500, 5000, 10000]
    """Cents of one point: the limit of the table."""
    foul_points: Literal[9, 3]
    equal_value_sweeps: Literal["rank", "push"]
    bonuses: dict[str, dict[str, int]]
    """Points on top of a segment that was won, by hand and segment."""
    sweeps: dict[str, int]
    """Points of each clean sweep."""
    schedule: Schedule | None = None
    asks_fouled: bool = False
    """A hand that is known to be fouled is set all the same."""


class ChineseSettings(Struct, frozen=True):
    """What the floor sets for a hand."""

    stacks: dict[int, int] | None = None


class NotReady(Exception):
    """The table cannot be played as it is set."""


def read_settings(setup: Setup) -> ChineseSettings:
    if len(setup.seats) < FEWEST_PLAYERS:
        raise NotReady("Chinese Poker needs two players: seat another")
    if setup.button is None:
        raise NotReady("nobody has the buttons: say who has them")
    try:
        return msgspec.convert(setup.settings, ChineseSettings, str_keys=True)
    except msgspec.ValidationError as error:
        raise NotReady(f"what is set at this table cannot be read: {in_words(error)}") from None
