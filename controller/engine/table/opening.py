"""Why a table may not open: one function for each reason, and `reasons`, which asks them all.

Asked when somebody opens the table, when other rules are chosen, and before each round: a table that was open when its
rules changed deals no round by them until the reason is gone. All of it is state and rules, never a file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from controller.engine.table.lasting import RulesInForce
from controller.engine.table.state import Rules, TableState

_NAMED = 6
"""How many readings a refusal names."""


class Reason(NamedTuple):
    """A code for programs, and what to do in a sentence."""

    why: str
    text: str


def reasons(state: TableState, rules: RulesInForce[Any] | Rules[Any]) -> Iterator[Reason]:
    """Everything that keeps a table with these rules from opening."""
    yield from _no_collection(state, rules)
    yield from _unconfirmed_readings(state, rules)


def _no_collection(state: TableState, rules: RulesInForce[Any] | Rules[Any]) -> Iterator[Reason]:
    """A live table takes a collection, or none where a line allows it and the house has chosen so."""
    if state.confirmed is not None and rules.lacks_collection:
        yield Reason("no_collection", rules.lacks_collection)


def _unconfirmed_readings(state: TableState, rules: RulesInForce[Any] | Rules[Any]) -> Iterator[Reason]:
    """A live table is dealt only by readings that its house has confirmed (docs/compliance/readings.md)."""
    if state.confirmed is None:
        return
    confirmed = frozenset(state.confirmed)
    names = [reading.name for reading in rules.readings if reading.digest not in confirmed]
    if names:
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        count = "1 reading is" if len(names) == 1 else f"{len(names)} readings are"
        yield Reason(
            "readings_not_confirmed",
            f"{count} not confirmed by the house: {', '.join(names[:_NAMED])}{more}. Run `cutcard rules confirm` on "
            "this board; `cutcard doctor` lists them",
        )
