"""What a room may choose about Chinese Poker, and what the floor sets for a hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec
from msgspec import Struct

from controller.engine.fees.schedule import Schedule
from controller.engine.round.felt import Setup
from protocols.type_errors import in_words

FEWEST_PLAYERS = 2
LEAST_POINT = 500
"""Cents of a point at the lowest limit (004:1622): what is played where neither a schedule nor the table states it."""


class ChineseOptions(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    point: Literal[500, 1000, 2000, 2500, 5000, 10000] | None = None
    """Cents of one point, the limit of the table, where no schedule is posted that has it."""
    foul_points: Literal[9, 3]
    equal_value_sweeps: Literal["rank", "push"]
    bonuses: dict[str, dict[str, int]]
    """Points on top of a segment that was won, by hand and segment."""
    sweeps: dict[str, int]
    """Points of each clean sweep."""
    most_seats: int | None = None
    """The most seats of a table; absent: the text states no number."""
    buy_in_points: int = 0
    """The least buy-in, in points; 0: the text states none."""
    short_rebuy_points: int = 0
    """The least short re-buy."""
    short_rebuys: int = 0
    least_points: int = 0
    """Points of chips that a player needs in play before a hand."""
    least_points_enforced: Literal["players", "table"] = "players"
    """players: a hand is dealt unless one of them objects; table: it is not dealt."""
    declared_chips: Literal["next_hand", "this_hand"] = "next_hand"
    """When chips play that a player declares before the showdown to be added to his stack."""
    schedule: Schedule | None = None
    asks_fouled: bool = False
    """A hand that is known to be fouled is set all the same."""

    def __post_init__(self) -> None:
        posted = self.schedule
        if posted is not None and posted.point is not None and self.point not in (None, posted.point):
            raise ValueError(
                f"point = {self.point}: the posted schedule {posted.id} has a point of {posted.point} cents"
            )

    @property
    def cents_per_point(self) -> int:
        """The posted schedule has it, else the table (004:1518, 1621-1627)."""
        posted = None if self.schedule is None else self.schedule.point
        return posted or self.point or LEAST_POINT

    def lacking_points(self, stacks: Mapping[int, int], players: Iterable[int]) -> list[int]:
        """Players with fewer points in front of them than a hand needs; a stack that nobody stated is enough."""
        least = self.least_points * self.cents_per_point
        return [seat for seat in players if stacks.get(seat, least) < least]


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
