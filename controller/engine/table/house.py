"""What the house decides about a table, beside the game: open or closed, its rules and limits, alarms seen to.

Also what it has to remember of requests that came from afar: the answer to each, until the request has expired. Whoever
asks again under the same number, after a lost connection or a power cut, gets the same answer, and nothing is done
twice. The answer lies in the same journal entry as what was done.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from controller.engine import events as ev
from controller.engine.inputs import Asked

_ALARMS_KEPT = 64
"""Alarms that are over and remembered; a table has far fewer names for what can go wrong."""


class Alarm(Struct, frozen=True, omit_defaults=True):
    """One alarm's life. It is over when it is cleared; whether anybody has seen to it is another matter."""

    text: str
    raised_at: int
    acknowledged_by: str = ""
    acknowledged_at: int = 0
    cleared_at: int = 0
    settled_by: str = ""
    """Who stated what was found; empty where it was cleared by what raised it."""
    reason: str = ""


class Answer(Struct, frozen=True, omit_defaults=True):
    """What a request was answered."""

    expires: int
    digest: str
    ok: bool
    why: str = ""
    text: str = ""


class Terms(Struct, frozen=True, omit_defaults=True):
    """Rules and limits of a table."""

    ruleset: str
    options: dict[str, Any] = {}
    min_wager: int = 0
    max_wager: int | None = None


class Chosen(Struct, frozen=True):
    """Terms chosen at the running table, and those of the configuration that they stand in for: they hold until others
    are chosen or the configuration says something else."""

    terms: Terms
    instead_of: Terms


Alarms = Mapping[str, Alarm]


def raised(alarms: Alarms, name: str, text: str, at: int) -> dict[str, Alarm]:
    """An alarm began, or began again; who saw to it the last time has not seen this one."""
    over = [other for other, alarm in alarms.items() if alarm.cleared_at and other != name]
    forgotten = set(over[: max(0, len(over) - _ALARMS_KEPT)]) | {name}
    return {**{other: alarm for other, alarm in alarms.items() if other not in forgotten}, name: Alarm(text, at)}


def cleared(alarms: Alarms, name: str, at: int) -> dict[str, Alarm]:
    alarm = alarms.get(name)
    return dict(alarms) if alarm is None else {**alarms, name: replace(alarm, cleared_at=at)}


def settled(alarms: Alarms, name: str, reason: str, by: str) -> dict[str, Alarm]:
    """Somebody has stated what was found."""
    return {**alarms, name: replace(alarms[name], settled_by=by, reason=reason)}


def acknowledged(alarms: Alarms, name: str, by: str, at: int) -> dict[str, Alarm] | ev.Refused:
    """Somebody has seen to an alarm, whether it still lasts or not."""
    alarm = alarms.get(name)
    if alarm is None:
        return ev.Refused("acknowledge", "no_such_alarm", f"there is no alarm {name!r} at this table")
    if alarm.acknowledged_by:
        return ev.Refused("acknowledge", "acknowledged_before", f"{alarm.acknowledged_by} has acknowledged it before")
    return {**alarms, name: replace(alarm, acknowledged_by=by, acknowledged_at=at)}


def answered(
    answers: Mapping[str, Answer], asked: Asked, by: str, events: list[ev.Event]
) -> tuple[dict[str, Answer], ev.Commanded]:
    """The answer to a request, from what it caused, among those that must still be remembered."""
    refusal = next((event for event in events if isinstance(event, ev.Refused)), None)
    if refusal is None:
        answer = Answer(asked.expires, asked.digest, True)
    else:
        answer = Answer(asked.expires, asked.digest, False, refusal.why, refusal.text)
    kept = {id: old for id, old in answers.items() if old.expires >= asked.at}
    told = ev.Commanded(asked.command, by, asked.id, answer.ok, answer.why)
    return {**kept, answer_key(asked.client, asked.id): answer}, told


def answer_key(client: str, request: str) -> str:
    """Two clients may give their requests the same number."""
    return f"{client} {request}"
