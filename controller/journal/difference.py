"""What differs between the events that an entry holds and those that its input causes when it is applied again."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

import msgspec

_SAME_MEANING = "its events mean the same, but not in the bytes that the engine writes"


def difference(held: bytes, again: bytes, first_seq: int) -> str:
    """The first difference with both values, for those who may read the journal.

    `first_seq` is the number of the first event that the entry holds.
    """
    found = _first(held, again)
    if not isinstance(found, tuple):
        return found
    index, one, other = found
    if other is None:
        return f"the journal holds an event that re-running does not give: {_json(one)}"
    if one is None:
        return f"the journal lacks an event that re-running gives: {_json(other)}"
    return f"event {first_seq + index} {_fields(one, other)}"


def place_of_difference(held: bytes, again: bytes, first_seq: int) -> str:
    """The same for everybody: it names what the journal has published, and no value that only a re-run gives. A re-run
    may show a card that nobody at the table has seen."""
    found = _first(held, again)
    if not isinstance(found, tuple):
        return found
    index, one, other = found
    if one is None:
        return "the journal lacks an event that re-running gives"
    kind = one.get("kind") if isinstance(one, dict) else None
    if other is None:
        return f"the journal holds an event ({kind}) that re-running does not give"
    if not isinstance(one, dict) or kind != other["kind"]:
        return f"event {first_seq + index} ({kind}) is another kind of event when re-run"
    names = ", ".join(name for name in one if one[name] != other.get(name)) or "what it lacks"
    return f"event {first_seq + index} ({kind}) differs in {names}"


def _first(held: bytes, again: bytes) -> tuple[int, Any, dict[str, Any] | None] | str:
    """The first pair of events that differ, with its index; None for an event that one side lacks."""
    try:
        events = msgspec.json.decode(held)
    except msgspec.MsgspecError:
        events = None
    if not isinstance(events, list):
        return "its events are not a JSON array"
    computed: list[dict[str, Any]] = msgspec.json.decode(again)
    for index, (one, other) in enumerate(zip_longest(events, computed)):
        if one != other:
            return index, one, other
    return _SAME_MEANING


def _fields(held: Any, computed: dict[str, Any]) -> str:
    if not isinstance(held, dict) or held.get("kind") != computed["kind"]:
        return f"is {_json(held)} in the journal, re-running gives {_json(computed)}"
    parts = [
        f"{name} is {_json(held.get(name))} in the journal, re-running gives {_json(computed.get(name))}"
        for name in {**computed, **held}
        if held.get(name) != computed.get(name)
    ]
    return f"({computed['kind']}): " + "; ".join(parts)


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
