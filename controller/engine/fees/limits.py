"""What a posted schedule lets a player bet: limits, steps, bonus wagers, the limit of a position.

Used where wagers stand apart from a game (the worked fee cases); at a table the game's own wager rules are filled from
the same fields. Codes: the heads of the California Grand files.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from controller.engine.fees.banked import Stake, position_of
from controller.engine.fees.schedule import Schedule


class NotLegal(NamedTuple):
    """A wager that the schedule does not admit, by its index, and why."""

    wager: int
    why: str


def not_legal(schedule: Schedule, stakes: Sequence[Stake]) -> list[NotLegal]:
    """The wagers that must be refused, in order; one that was refused counts for nothing after it."""
    if not schedule.limits_bind:
        return []
    refused: list[NotLegal] = []
    accepted: list[Stake] = []
    for index, stake in enumerate(stakes):
        why = _bonus_problem(schedule, stake, accepted) if _is_bonus(schedule, stake) else _problem(schedule, stake)
        why = why or _position_problem(schedule, stake, accepted)
        if why:
            refused.append(NotLegal(index, why))
        else:
            accepted.append(stake)
    return refused


def is_in_steps(schedule: Schedule, cents: int) -> bool:
    return cents % schedule.wager_step == 0 or cents in schedule.off_step


def _is_bonus(schedule: Schedule, stake: Stake) -> bool:
    return bool(schedule.bonus) and stake.counts_as == "bonus"


def _problem(schedule: Schedule, stake: Stake) -> str:
    if stake.counts_as not in ("base", "bonus"):
        return ""
    if schedule.wager_max is not None and stake.cents > schedule.wager_max:
        return "above_table_max"
    if stake.counts_as == "bonus":
        # As at a table: a bonus bet without limits of its own only has to stay below the top.
        return ""
    if stake.cents < schedule.table_min:
        return "below_table_min"
    return "" if is_in_steps(schedule, stake.cents) else "not_a_multiple_of_5_dollars"


def _bonus_problem(schedule: Schedule, stake: Stake, accepted: Sequence[Stake]) -> str:
    own = [other for other in accepted if other.bettor == stake.bettor and other.position == stake.position]
    regular = [other.cents for other in own if other.counts_as == "base"]
    bonuses = [other for other in own if other.counts_as == "bonus"]
    if not regular:
        return "needs_base_wager"
    if schedule.bonus_per == "position" and bonuses:
        return "one_per_player_per_position"
    if schedule.bonus_per == "regular_wager" and len(bonuses) >= len(regular):
        return "one_per_regular_wager"
    largest_first = sorted([stake.cents, *(other.cents for other in bonuses)], reverse=True)
    if any(bonus > wager for bonus, wager in zip(largest_first, sorted(regular, reverse=True), strict=False)):
        return "above_base_wager"
    if schedule.bonus_min is not None and stake.cents < schedule.bonus_min:
        return "below_bonus_min"
    if schedule.bonus_max is not None and stake.cents > schedule.bonus_max:
        return "above_bonus_max"
    return "" if is_in_steps(schedule, stake.cents) else "not_a_multiple_of_5_dollars"


def _position_problem(schedule: Schedule, stake: Stake, accepted: Sequence[Stake]) -> str:
    limit = schedule.house.position_limit
    if limit is None:
        return ""
    there = sum(other.cents for other in accepted if position_of(other) == position_of(stake))
    return "above_position_limit" if there + stake.cents > limit else ""
