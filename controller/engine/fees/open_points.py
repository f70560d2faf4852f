"""The points that a collection document leaves open, as a house reads them: what each choice makes of the rows.

A schedule is transcribed by one reading (`Schedule`'s fields, with the room's default). `read_otherwise` puts the
house's choices into force: lost columns are named the other way, a band counts another amount, another payer pays.

    >>> rows = [FeeRow("pot", "per_hand", 100, kind="regular", when="third_card"),
    ...         FeeRow("pot", "per_hand", 300, kind="late", when="fifth_card")]
    >>> posted = Schedule("mexican/1", ("mexican-poker",), tuple(rows), house=House(fee_columns="early_late_regular"))
    >>> [(row.fee, row.kind, row.when) for row in read_otherwise(posted).fee]
    [(100, 'late', 'fifth_card'), (300, 'regular', 'third_card')]
"""

from __future__ import annotations

from typing import Any, get_args, get_type_hints

from msgspec.structs import replace

from controller.engine.fees.schedule import OPEN_POINTS, FeeRow, House, Schedule, When

INSURANCE = "insurance"
"""The wager's name and its class: none of a schedule's, unless the house counts it."""
_SWAPPED: dict[str, tuple[str, When]] = {"regular": ("late", "fifth_card"), "late": ("regular", "third_card")}


def chosen_by(house: House) -> dict[str, Any]:
    """What this house reads otherwise, by the name of the point."""
    named = {name: getattr(house, name) for name in OPEN_POINTS}
    return {name: value for name, value in named.items() if value is not None}


def read_otherwise(schedule: Schedule) -> Schedule:
    """The schedule as printed, read as its house chose; `ValueError` where two choices exclude each other."""
    made = replace(schedule, **chosen_by(schedule.house))
    if made.drop_payer == "button" and made.no_flop == "free":
        raise ValueError("no_flop = 'free': with drop_payer = 'button' the fee is taken before the deal")
    rows = tuple(_row(made, row) for row in made.fee)
    columns = made.columns
    if made.fee_columns == "early_late_regular":
        columns = tuple(_SWAPPED[name][0] if name in _SWAPPED else name for name in columns)
    includes = made.action_includes
    if made.insurance_in_action == "counted":
        includes = (*includes, INSURANCE)
    return replace(made, fee=rows, columns=columns, action_includes=includes)


def is_open(schedule: Schedule, name: str) -> bool:
    """Whether another choice at this point would change what this schedule charges."""
    match name:
        case "on_void":
            return True
        case "between_bands" | "below_bands":
            return any(row.lowest is not None and row.basis != "players_dealt" for row in schedule.fee)
        case "insurance_in_action":
            return any(row.basis == "total_table_action" for row in schedule.fee)
    kinds = get_args(get_type_hints(Schedule)[name])
    return any(_row(replace(schedule, **{name: value}), row) != row for value in kinds for row in schedule.fee)


def _row(schedule: Schedule, row: FeeRow) -> FeeRow:
    """One row as the readings in force have it."""
    if schedule.fee_columns == "early_late_regular" and row.kind in _SWAPPED:
        kind, when = _SWAPPED[row.kind]
        row = replace(row, kind=kind, when=when)
    if schedule.fee_tier == "with_bonus" and (row.payer, row.basis) == ("player", "player_wager"):
        row = replace(row, per="player", wager_includes=("base", "bonus"))
    if schedule.bracket_basis == "table" and row.basis_printed == "total_table_action":
        row = replace(row, basis="total_table_action")
    if row.payer == "pot" and row.basis == "players_dealt":
        if schedule.drop_payer == "button":
            row = replace(row, payer="button")
        elif schedule.no_flop == "free":
            row = replace(row, when="flop_to_award")
    return row
