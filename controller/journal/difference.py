"""What differs between the events that an entry holds and those that its input causes when it is applied again."""

from __future__ import annotations

from typing import Any

import msgspec


def difference(held: bytes, again: bytes, first_seq: int) -> str:
    """The first difference, in words; `first_seq` is the number of the first event that the entry holds."""
    try:
        events = msgspec.json.decode(held)
    except msgspec.MsgspecError:
        events = None
    if not isinstance(events, list):
        return "its events are not a JSON array"
    computed: list[dict[str, Any]] = msgspec.json.decode(again)
    for index, (one, other) in enumerate(zip(events, computed, strict=False)):
        if one != other:
            return f"event {first_seq + index} {_fields(one, other)}"
    if len(events) > len(computed):
        return f"the journal holds an event that re-running does not give: {_json(events[len(computed)])}"
    if len(events) < len(computed):
        return f"the journal lacks an event that re-running gives: {_json(computed[len(events)])}"
    return "its events say the same, but not in the bytes that the engine writes"


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
