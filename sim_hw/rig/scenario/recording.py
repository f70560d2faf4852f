"""What a rig did and saw, as a scenario that can be run again.

Steps are the rig's own acts, in their order; between them the events that were published by then. What people did at
the console without the rig (a browser, another program) is read from the journal, which docs/compliance/journal.md
describes.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from sim_hw.rig.scenario.file import Scenario
from sim_hw.rig.scenario.stage import Stage
from sim_hw.rig.story import Done
from sim_hw.rig.toml import as_toml, inline

NOT_AGAIN = frozenset({"seq", "round", "at", "kind", "facts", "text", "digest", "version", "test", "reason", "mark"})
"""Fields of an event that another run need not repeat, or that say nothing of the story."""
SEEN = frozenset(
    {
        "shoe_started",
        "bets_closed",
        "card_dealt",
        "card_burned",
        "card_named",
        "dice_rolled",
        "action_button",
        "irregularity",
        "ruling",
        "held",
        "resumed",
        "refused",
        "round_settled",
        "round_voided",
        "corrected",
        "cut_card",
        "shoe_ended",
        "drop_box",
        "alarm_raised",
        "alarm_cleared",
    }
)
"""What a recording waits to see again; the rest follows from what is done."""
ACTS = frozenset(
    {
        "act",
        "amend",
        "bank",
        "card_out",
        "close_bets",
        "dice",
        "floor",
        "happening",
        "reveal",
        "shoe_started",
        "stack_out",
        "table_set",
        "wager",
    }
)
"""What a person can do at the console; what devices and the daemon itself put into the journal is not done again."""
PLAYING_S = 600
"""People who play by themselves take their time."""
NOT_A_PERSON = ("device:", "daemon", "board", "timer")


def recorded(stage: Stage, title: str) -> str:
    """The file."""
    scenario = stage.scenario
    steps: list[dict[str, Any]] = []
    published = iter([event for event in stage.subscriber.events if event["kind"] in SEEN])
    next_event = next(published, None)
    for done in sorted([*stage.rig.story, *_by_others(stage)], key=lambda each: each.before_seq):
        while next_event is not None and next_event["seq"] <= done.before_seq:
            steps.append(_see(next_event))
            next_event = next(published, None)
        steps.append(_step(done))
    while next_event is not None:
        steps.append(_see(next_event))
        next_event = next(published, None)
    return _file(scenario, title, steps)


def _file(scenario: Scenario, title: str, steps: list[dict[str, Any]]) -> str:
    head = as_toml({"title": title, "seed": scenario.seed, "clock": scenario.clock})
    body = "steps = [\n" + "".join(f"  {inline(step)},\n" for step in steps) + "]\n"
    table = "[table]\n" + as_toml(msgspec.to_builtins(scenario.table))
    devices = "".join(
        f"\n[devices.{name}]\n" + as_toml(msgspec.to_builtins(plan)) for name, plan in scenario.devices.items()
    )
    return f"{head}\n{body}\n{table}{devices}"


def _step(done: Done) -> dict[str, Any]:
    if done.what == "do":
        how = {key: value for key, value in done.how.items() if not (done.device == "console" and key == "do")}
        patience = {"within": PLAYING_S} if done.device == "people" else {}
        return {"do": f"{done.device} {done.name}", **how, **patience}
    return {done.what: done.name, **({} if done.device == "table" else {"on": done.device}), **done.how}


def _see(event: dict[str, Any]) -> dict[str, Any]:
    fields = {("act" if key == "do" else key): value for key, value in event.items() if key not in NOT_AGAIN}
    return {"see": f"event {event['kind']}", **{key: value for key, value in fields.items() if _is_plain(value)}}


def _is_plain(value: object) -> bool:
    """Whether a file can say it: TOML has no null, in a list either."""
    if isinstance(value, dict):
        return all(_is_plain(item) for item in value.values())
    if isinstance(value, list):
        return all(_is_plain(item) for item in value)
    return value is not None


def _by_others(stage: Stage) -> list[Done]:
    """Acts of people that the journal holds and the rig did not do: those at the console beyond its own.

    What the rig's own people did while they played is not among them: they play again."""
    ours = [
        json.dumps(_act(done), sort_keys=True)
        for done in stage.rig.story
        if done.device == "console" and done.what == "do"
    ]
    playing = [done for done in stage.rig.story if done.device == "people"]
    found = []
    for by, body, first_seq in _inputs(stage.daemon.data / "journal.db"):
        if by.startswith(NOT_A_PERSON) or body["kind"] not in ACTS:
            continue
        if any(done.before_seq < first_seq <= (done.until_seq or first_seq) for done in playing):
            continue
        text = json.dumps(body, sort_keys=True)
        if text in ours:
            ours.remove(text)
            continue
        kind = body.pop("kind")
        do = body.pop("do", None)
        name = f"{kind} {do}" if do is not None else kind
        found.append(Done("do", "console", name, {**body, "as": by.partition(":")[0]}, before_seq=first_seq - 1))
    return found


def _act(done: Done) -> dict[str, object]:
    kind = done.name.partition(" ")[0]
    return {"kind": kind, **{key: value for key, value in done.how.items() if key not in ("refused", "as")}}


def _inputs(journal: Path) -> list[tuple[str, dict[str, Any], int]]:
    """Who, what, and the number of the first event that it caused."""
    if not journal.exists():
        return []
    with closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as file:
        rows = file.execute("SELECT input, first_seq FROM entries ORDER BY n").fetchall()
    inputs = [(json.loads(text), int(first_seq)) for text, first_seq in rows]
    return [(value["by"], value["body"], first_seq) for value, first_seq in inputs]
