"""Cases of kind `posted`: what a table takes with a schedule posted, and whether it opens at all.

    table:  seats, button, player_dealer; `live: true`: a table that is not in test mode
    acts:   {set: {structure: ..., blinds: ..., antes: ..., stacks: ...}}: the floor sets the table
            {rules: {schedule: ...}}: the floor chooses other options; {limits: [500, 10000]}: other limits of a wager
    expect: refused, structure and blinds (what the next hand is played for), unfit (the table does not deal), schedule

Each case begins between two hands.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from controller.cases.notation import Case
from controller.engine import events as ev
from controller.engine.expect.expectation import prompt
from controller.engine.expect.wants import WantFloor
from controller.engine.inputs import AnyBody, Input, RulesChosen, TableSet
from controller.engine.round.setup import Setup
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.games.poker.core.options import PokerOptions
from controller.games.poker.core.settings import NotReady, read_settings
from controller.rules import Ruleset, resolve


def posted_document(ruleset: Ruleset, case: Case) -> dict[str, Any]:
    """What a case of this kind comes to."""
    options, table = dict(case.get("options") or {}), case.get("table") or {}
    setup = Setup(tuple(table.get("seats", (1, 2, 3))), table.get("player_dealer"), table.get("button"))
    state = TableState(setup, ruleset.slug, options, confirmed=() if table.get("live", False) else None)
    engine: TableEngine[Any] = TableEngine(ruleset.game, ruleset.options(options), state, ruleset.slug, resolve)
    refused = []
    for nth, act in enumerate(case.get("acts") or ()):
        events = engine.apply(Input(1000 + nth, "case", _body(act)))
        refused += [{"act": nth, "why": event.why} for event in events if isinstance(event, ev.Refused)]
    schedule = engine.rules.schedule
    return {
        "refused": refused,
        "schedule": None if schedule is None else schedule.id,
        "unfit": any(isinstance(want, WantFloor) for want in engine.expectation.wants),
        "prompt": prompt(engine.expectation),
        **_stakes(engine),
    }


def _body(act: Mapping[str, Any]) -> AnyBody:
    match act:
        case {"set": settings}:
            return TableSet(settings={name: _by_name(value) for name, value in settings.items()})
        case {"rules": options}:
            return RulesChosen(options=options)
        case {"limits": [least, most]}:
            return RulesChosen(min_wager=least, max_wager=most)
    raise LookupError(f"acts: expected set, rules or limits, got {dict(act)}")


def _by_name(value: Any) -> Any:
    """Amounts by seat with the seats as text, as they come to a table."""
    return {str(key): cents for key, cents in value.items()} if isinstance(value, Mapping) else value


def _stakes(engine: TableEngine[Any]) -> dict[str, Any]:
    """What the next hand of poker is played for; nothing in other games."""
    options = engine.options
    if not isinstance(options, PokerOptions):
        return {}
    try:
        settings = read_settings(engine.state.setup, options)
    except NotReady:
        return {"structure": None, "blinds": None}
    return {"structure": msgspec.to_builtins(settings.structure), "blinds": dict(settings.blinds)}
