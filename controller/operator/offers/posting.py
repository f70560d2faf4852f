"""What is posted at a table as buttons: the collection schedule, and the betting structure within it.

With a schedule posted nothing is offered that the table would refuse for it; another schedule is posted first.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from controller.engine.amounts import dollars
from controller.engine.bets.limits import Structure
from controller.engine.fees.posted import structure_of, structure_problem
from controller.engine.fees.schedule import Schedule
from controller.engine.table.engine import TableEngine
from controller.operator.offers.offer import Ask, Offer, Pick
from controller.operator.roles import Right

USUAL = (100, 200, 300, 400, 600, 800, 1000, 2000)
"""Lower limits that are one touch."""


def schedule_offers(engine: TableEngine[Any]) -> Iterator[Offer]:
    """The floor posts another schedule, between two hands: one of those that the approval prints."""
    options = engine.state.options
    printed = engine.rules.schedules(options)
    if not printed:
        return
    picks = tuple(Pick(each.chosen, each.label) for each in printed)
    ask = Ask("options.schedule", "pick", "Which schedule", picks=picks, given=options.get("schedule"))
    # Limits of the last schedule are not those of the next.
    body = {"kind": "choose_rules", "options": dict(options), "min_wager": 0, "max_wager": None}
    sure = "Stakes and limits of the last schedule end here. Post the other one?"
    yield Offer("schedule", "Post a schedule", Right.RULES, body, "floor", asks=(ask,), sure=sure)


def structure_offers(given: Any, schedule: Schedule | None) -> Iterator[Offer]:
    """The usual limits by one touch, the five structures with any amount by two more; none where the posted schedule
    has one structure, which is in force."""
    if schedule is not None and structure_of(schedule) is not None:
        return
    big = tuple(Pick({"kind": kind}, _words(kind)) for kind in ("no_limit", "pot_limit"))
    limits = tuple(
        Pick({"kind": "fixed_limit", "low": low, "high": 2 * low}, f"Limit {dollars(low)}/{dollars(2 * low)}")
        for low in USUAL
    )
    usual = tuple(pick for pick in (*limits, *big) if _may_be(pick.value, schedule))
    if usual:
        picks = Ask("settings.structure", "pick", "Betting", picks=usual, given=given)
        yield setting("structure", "Betting structure", picks)
    if schedule is None or schedule.structure not in ("no_limit", "no_limit_or_pot_limit"):
        yield from _any_amount(schedule)
    if isinstance(given, dict) and given.get("kind") in ("no_limit", "pot_limit"):
        yield _of_structure("bring_in", "Bring-in", given)


def _any_amount(schedule: Schedule | None) -> Iterator[Offer]:
    """Limits of any amount; within a posted range of limits only those of its kind."""
    is_range = schedule is not None and schedule.stakes_from is not None
    kinds = ("fixed_limit",) if is_range else ("fixed_limit", "spread_limit")
    two = tuple(Pick({"kind": kind}, _words(kind)) for kind in kinds)
    yield setting(
        "limits",
        "Other limits",
        Ask("settings.structure", "pick", "Betting", picks=two),
        Ask("settings.structure.low", "cents", "The lower limit", min=1),
        Ask("settings.structure.high", "cents", "The upper limit", min=1),
    )
    if not is_range:
        straight = {"structure": {"kind": "straight_limit"}}
        limit = Ask("settings.structure.limit", "cents", "The limit", min=1)
        yield setting("straight_limit", "Straight limit", limit, settings=straight)


def _may_be(structure: Any, schedule: Schedule | None) -> bool:
    return schedule is None or not structure_problem(schedule, msgspec.convert(structure, Structure))


def forced_bet_offers(structure: Any) -> Iterator[Offer]:
    if isinstance(structure, dict) and structure.get("kind") == "fixed_limit":
        yield _of_structure("forced", "Forced bet", structure)


def _of_structure(field: str, label: str, structure: dict[str, Any]) -> Offer:
    """One amount more of the structure that is set."""
    ask = Ask(f"settings.structure.{field}", "cents", label, min=1, given=structure.get(field))
    return setting(field, label, ask, settings={"structure": structure})


def setting(id: str, label: str, *asks: Ask, settings: dict[str, Any] | None = None) -> Offer:
    """An offer that changes settings of the table."""
    body: dict[str, Any] = {"kind": "table_set"} | ({} if settings is None else {"settings": settings})
    return Offer(id, label, Right.SEAT, body, "table", asks=asks)


def _words(code: str) -> str:
    return code.replace("_", " ").capitalize()
