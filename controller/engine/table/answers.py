"""Answers to remote requests, kept in the lasting state until the request has expired.

A client that repeats a request under the same number, after a lost connection or a power cut, gets the same answer, and
nothing is done twice. The answer is in the same journal entry as what was done.
"""

from __future__ import annotations

from collections.abc import Mapping

from controller.engine import events as ev
from controller.engine.inputs import Asked
from controller.engine.table.state import Answer


def answered(
    answers: Mapping[str, Answer], asked: Asked, by: str, events: list[ev.Event]
) -> tuple[dict[str, Answer], ev.Commanded]:
    """The answers that are still to be kept, with that to a request that caused these events."""
    refusal = next((event for event in events if isinstance(event, ev.Refused)), None)
    if refusal is None:
        took = next((event for event in events if type(event) is ev.UpdateCame), None)
        answer = Answer(asked.expires, asked.digest, True, text="" if took is None else took.text)
    else:
        answer = Answer(asked.expires, asked.digest, False, refusal.why, refusal.text)
    kept = {key: old for key, old in answers.items() if old.expires >= asked.at}
    event = ev.Commanded(asked.command, by, asked.id, answer.ok, answer.why)
    return {**kept, answer_key(asked.client, asked.id): answer}, event


def answer_key(client: str, request: str) -> str:
    """Two clients may give their requests the same number."""
    return f"{client} {request}"
