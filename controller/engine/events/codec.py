"""All kinds of events by name, and events as the JSON that the journal keeps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, reduce
from operator import or_
from typing import Any

import msgspec

# The modules that define events: loading them is what registers a kind.
from controller.engine.events import boxes, cards, devices, fees, jackpots, procedures, round, table  # noqa: F401
from controller.engine.events.event import Event

KINDS: dict[str, type[Event]] = {str(kind.__struct_config__.tag): kind for kind in Event.__subclasses__()}
"""Every kind of event, by the name that it has in the journal and on the broker."""

_encoder = msgspec.json.Encoder()


def encode_event(event: Event) -> bytes:
    return _encoder.encode(event)


encode_events: Callable[[Sequence[Event]], bytes] = _encoder.encode
"""All events of one input, as the JSON array that the journal keeps."""

encode_lines: Callable[[Sequence[Sequence[Event]]], bytes] = _encoder.encode_lines
"""The events of many inputs, one line for each input."""


def decode_event(data: bytes) -> Event:
    event: Event = _decoder().decode(data)
    return event


@cache
def _decoder() -> msgspec.json.Decoder[Any]:
    """Built on demand: it takes long for all these types, and a table that deals only writes events."""
    return msgspec.json.Decoder(reduce(or_, KINDS.values()))
