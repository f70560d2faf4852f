"""The documents of the contract as metrics, by their types: a field that is added to a document is a metric at once.

A number, a text, a flag or a time is a metric. A structure or a map of such values is one for each, named by its path
(`limits/min_cents`, `fees_due/main`). A structure that is null now has its metrics all the same, each of them null,
because a birth names every metric there will be. Lists, and shapes that are a game's own, are no metrics: a screen
cannot show them, and a program that can read them reads the contract.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from msgspec import Struct, inspect

from controller.contract.messages import AlarmDocument, DeviceDocument, Envelope, Milliseconds, StateDocument
from controller.sparkplug.payload import DataType, Value


class Sample(Struct, frozen=True):
    """A value and its type."""

    datatype: DataType
    value: Value


Samples = dict[str, Sample]

_LONGEST_TEXT = 4096
_MOST_KEYS = 200
"""Of one map in a document."""
_IS_TIME = inspect.type_info(Milliseconds)
_ELSEWHERE = {
    "document": "the topic has it",
    "site": "the group has it",
    "table": "the edge node has it",
    "device": "the topic has it",
    "alarm": "the metric's name has it",
    "devices": "each is a Sparkplug device",
    "alarms": "each has a document",
}
"""Fields that are no metrics, at the top of a document, and where the same is."""


def of_state(document: StateDocument) -> Samples:
    return _of_document("state/", document)


def of_alarm(document: AlarmDocument) -> Samples:
    """With the flag that a screen wants first."""
    prefix = f"alarm/{document.alarm}/"
    return {f"{prefix}raised": Sample(DataType.BOOLEAN, document.state == "raised"), **_of_document(prefix, document)}


def of_device(document: DeviceDocument) -> Samples:
    return _of_document("", document)


def of_event(event: Envelope) -> Samples:
    """The event itself as text, because every kind has a body of its own."""
    body = bytes(event.body).decode("utf-8", "replace")
    return {**_of_document("event/", event), "event/body": _text(body)}


def no_event() -> Samples:
    """Before the first event: the same metrics, each of them null."""
    metrics: Samples = {}
    for field in _fields(Envelope):
        if field.name not in _ELSEWHERE:
            _walk(f"event/{field.name}", field.type, None, metrics)
    return {**metrics, "event/body": Sample(DataType.STRING, None)}


def _of_document(prefix: str, document: Struct) -> Samples:
    metrics: Samples = {}
    for field in _fields(type(document)):
        if field.name not in _ELSEWHERE:
            _walk(f"{prefix}{field.name}", field.type, getattr(document, field.name), metrics)
    return metrics


@cache
def _fields(kind: type[Struct]) -> tuple[inspect.Field, ...]:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return info.fields


def _walk(name: str, info: inspect.Type, value: Any, metrics: Samples) -> None:
    if info == _IS_TIME:
        metrics[name] = Sample(DataType.DATE_TIME, value)
        return
    match info:
        case inspect.Metadata(type=inner):
            _walk(name, inner, value, metrics)
        case inspect.BoolType():
            metrics[name] = Sample(DataType.BOOLEAN, value)
        case inspect.IntType():
            metrics[name] = Sample(DataType.INT64, value)
        case inspect.FloatType():
            metrics[name] = Sample(DataType.DOUBLE, value)
        case inspect.StrType() | inspect.EnumType() | inspect.LiteralType():
            metrics[name] = _text(None if value is None else str(msgspec.to_builtins(value)))
        case inspect.AnyType():
            metrics[name] = _text(_as_text(value))
        case inspect.StructType(cls=cls):
            for field in _fields(cls):
                _walk(f"{name}/{field.name}", field.type, getattr(value, field.name, None), metrics)
        case inspect.DictType(value_type=inner) if not isinstance(inner, inspect.AnyType):
            for key in sorted(value or {})[:_MOST_KEYS]:
                _walk(f"{name}/{key}", inner, value[key], metrics)
        case inspect.UnionType(types=types):
            kinds = [each for each in types if not isinstance(each, inspect.NoneType)]
            if len(kinds) == 1:
                _walk(name, kinds[0], value, metrics)


def _as_text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else msgspec.json.encode(value).decode()


def _text(text: str | None) -> Sample:
    return Sample(DataType.STRING, None if text is None else text[:_LONGEST_TEXT])
