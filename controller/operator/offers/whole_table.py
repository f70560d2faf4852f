"""A table whose players play against each other, set in one dialog: seats, stakes, button, antes, stacks.

It is one input, so all of it is taken or nothing. The stakes to choose from are those that the posted schedule takes,
with its blinds; without a schedule the usual ones. Blinds are not asked for by seat: they follow from the button.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from controller.engine.amounts import dollars
from controller.engine.bets.limits import Structure
from controller.engine.expect.wants import WantFloor
from controller.engine.fees.posted import structure_in_words, structure_of, structure_problem
from controller.engine.fees.schedule import Schedule
from controller.engine.table.engine import TableEngine
from controller.games.poker.core.options import PokerOptions
from controller.operator.offers.offer import MOST_SEATS, Ask, Group, Offer, Pick
from controller.operator.roles import Right

LIMITS = (200, 300, 400, 600, 800, 1000, 2000, 3000, 4000)
"""Lower limits of the usual tables; the upper one is twice as much."""
BIG_BETS = ((100, 200), (100, 300), (200, 300), (200, 500), (300, 500), (500, 1000))
"""Blinds of the usual no-limit tables."""


def whole_table_offers(engine: TableEngine[Any]) -> Iterator[Offer]:
    """All that the floor sets at this table, in one dialog; first of all where no hand can begin before."""
    posts = engine.game.floor_sets()
    if not posts:
        return
    setup = engine.state.setup
    every = tuple(Pick(seat, f"Seat {seat}") for seat in range(1, max((MOST_SEATS, *setup.seats)) + 1))
    asks = [Ask("seats", "seats", "Who plays", picks=every, given=list(setup.seats))]
    settings, has_blinds = setup.settings, "blinds" in posts and "blinds" in engine.game.opens_with
    if "structure" in posts:
        stakes = tuple(_stakes(engine, has_blinds=has_blinds, has_forced="forced" in posts))
        asks.append(Ask("settings", "pick", "Stakes", picks=stakes, given=_in_force(stakes, settings)))
    if "button" in posts:
        asks.append(Ask("button", "pick", "Button", picks=every, given=setup.button, of_seats=True))
    if "first_player" in posts:
        first = (Pick(None, "First deal of a session"), *every)
        asks.append(
            Ask(
                "settings.first_player",
                "pick",
                "First player",
                picks=first,
                given=settings.get("first_player"),
                of_seats=True,
            )
        )
    if "antes" in posts and "antes" in engine.game.opens_with:
        asks.append(_ante(engine.rules.schedule, settings, every))
    if "stacks" in posts:
        given = _by_seat(settings.get("stacks"))
        asks.append(Ask("settings.stacks", "by_seat", "Stacks", picks=every, given=given, of_seats=True))
    if "button_moves" in posts:
        ways = (Pick(True, "Moves on by itself"), Pick(False, "The floor sets each hand"))
        moves = bool(settings.get("button_moves"))
        asks.append(Ask("settings.button_moves", "pick", "From hand to hand", picks=ways, given=moves))
    is_next = any(type(want) is WantFloor and want.code == "table_not_ready" for want in engine.expectation.wants)
    group: Group = "now" if is_next else "table"
    yield Offer("whole_table", "Set the table", Right.SEAT, {"kind": "table_set"}, group, asks=tuple(asks), form=True)


def _ante(schedule: Schedule | None, settings: dict[str, Any], every: tuple[Pick, ...]) -> Ask:
    """One amount for every seat; where the schedule prints one, that."""
    posted = None if schedule is None else schedule.ante
    given = posted or max((settings.get("antes") or {}).values(), default=None)
    return Ask(
        "settings.antes", "each", "Ante of each seat", min=posted, max=posted, picks=every, given=given, of_seats=True
    )


def _stakes(engine: TableEngine[Any], *, has_blinds: bool, has_forced: bool) -> Iterator[Pick]:
    """The stakes that may be posted at this table, each with its blinds."""
    schedule, options = engine.rules.schedule, engine.options
    fixed = options.default_structure if isinstance(options, PokerOptions) else None
    if fixed is None and schedule is not None:
        fixed = structure_of(schedule)
    if fixed is not None:
        blinds = tuple(options.default_blinds) if has_blinds and isinstance(options, PokerOptions) else ()
        # The table takes them from what is posted.
        yield Pick(_settings(None, ()), structure_in_words(fixed).capitalize() + _with(blinds))
        return
    printed = None if schedule is None else schedule.blinds
    for low in LIMITS:
        structure: dict[str, Any] = {"kind": "fixed_limit", "low": low, "high": 2 * low}
        if has_forced:
            structure["forced"] = low // 2
        blinds = (printed or (low // 2, low)) if has_blinds else ()
        if _may_be(structure, schedule):
            yield Pick(_settings(structure, blinds), f"Limit {dollars(low)}/{dollars(2 * low)}{_with(blinds)}")
    for kind, name in (("no_limit", "No limit"), ("pot_limit", "Pot limit")):
        for blinds in ((printed,) if printed else BIG_BETS) if has_blinds else ((),):
            bring_in = {} if has_blinds else {"bring_in": 200}
            if _may_be({"kind": kind, **bring_in}, schedule):
                label = name + (_with(blinds) or f", bring-in {dollars(200)}")
                yield Pick(_settings({"kind": kind, **bring_in}, blinds), label)


def _settings(structure: dict[str, Any] | None, blinds: tuple[int, ...]) -> dict[str, Any]:
    """What a choice of stakes sets, and takes back of the stakes before."""
    return {"structure": structure, "blinds": None, "blind_sizes": list(blinds) or None, "kill": None}


def _with(blinds: tuple[int, ...]) -> str:
    return f", blinds {' and '.join(map(dollars, blinds))}" if blinds else ""


def _in_force(stakes: tuple[Pick, ...], settings: dict[str, Any]) -> Any:
    """The choice that is set now; the only one where there is one."""
    if len(stakes) == 1:
        return stakes[0].value
    structure, sizes = settings.get("structure"), list(settings.get("blind_sizes") or ())
    for pick in stakes:
        assert isinstance(pick.value, dict)
        if structure and pick.value["structure"] == structure and (pick.value["blind_sizes"] or []) in (sizes, []):
            return pick.value
    return None


def _may_be(structure: dict[str, Any], schedule: Schedule | None) -> bool:
    return schedule is None or not structure_problem(schedule, msgspec.convert(structure, Structure))


def _by_seat(amounts: dict[Any, int] | None) -> dict[str, int]:
    return {str(seat): cents for seat, cents in (amounts or {}).items()}
