"""Sparkplug's payload: a protobuf message with metrics.

The message definition of Sparkplug B is public. The part of it that an edge node needs is stated here as descriptors,
with the field numbers of the specification, and the `protobuf` library makes the classes from it: no generated file, no
compiler. What we do not send (data sets, templates, properties) is not defined; in a received message it is skipped.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import DecodeError
from msgspec import Struct


class DataType(IntEnum):
    """Those that our values have; the numbers are Sparkplug's."""

    INT64 = 4
    DOUBLE = 10
    BOOLEAN = 11
    STRING = 12
    DATE_TIME = 13


Value = bool | int | float | str | None
_WHOLE = 1 << 64


class Metric(Struct, frozen=True, kw_only=True):
    """One value. A birth has name, alias and type; what follows it has the alias alone."""

    value: Value
    datatype: DataType
    at: int
    """Milliseconds since 1970, UTC: when the value was captured."""
    name: str | None = None
    alias: int | None = None
    historical: bool = False


class Command(Struct, frozen=True):
    """A metric that a host application writes."""

    name: str
    """Empty: it was named by its alias."""
    alias: int | None
    value: Value


class NotAPayload(Exception):
    """The bytes are no Sparkplug payload."""


def encode(metrics: list[Metric], *, at: int, seq: int | None, births: bool = False) -> bytes:
    """`seq` None: of an NDEATH, which has none. The types are sent with `births` (and deaths of nodes) alone."""
    payload = _Payload(timestamp=at)
    if seq is not None:
        payload.seq = seq
    for metric in metrics:
        entry = payload.metrics.add(timestamp=metric.at)
        if metric.name is not None:
            entry.name = metric.name
        if metric.alias is not None:
            entry.alias = metric.alias
        if births:
            entry.datatype = metric.datatype
        if metric.historical:
            entry.is_historical = True
        _set_value(entry, metric)
    data: bytes = payload.SerializeToString(deterministic=True)
    return data


def _set_value(entry: Any, metric: Metric) -> None:
    match metric.datatype, metric.value:
        case _, None:
            entry.is_null = True
        case DataType.BOOLEAN, value:
            entry.boolean_value = value
        case DataType.STRING, value:
            entry.string_value = value
        case DataType.DOUBLE, value:
            entry.double_value = value
        case _, int(value):
            # A signed value is sent as two's complement, in an unsigned field.
            entry.long_value = value % _WHOLE


def commands(data: bytes) -> list[Command]:
    """What a host application wants written; `NotAPayload` where it cannot be read."""
    payload = _Payload()
    try:
        payload.ParseFromString(data)
    except DecodeError as error:
        raise NotAPayload(str(error)) from None
    found = []
    for metric in payload.metrics:
        field = metric.WhichOneof("value")
        found.append(
            Command(
                metric.name,
                metric.alias if metric.HasField("alias") else None,
                None if field is None else getattr(metric, field),
            )
        )
    return found


def _define() -> type[Any]:
    kinds = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(name="cutcard/sparkplug_b.proto", package="cutcard.sparkplug_b")
    payload = file.message_type.add(name="Payload")
    metric = payload.nested_type.add(name="Metric")
    metric.oneof_decl.add(name="value")

    def define(message: Any, name: str, number: int, kind: int, **more: Any) -> None:
        more = {"label": kinds.LABEL_OPTIONAL, **more}
        message.field.add(name=name, number=number, type=kind, **more)

    define(payload, "timestamp", 1, kinds.TYPE_UINT64)
    define(
        payload,
        "metrics",
        2,
        kinds.TYPE_MESSAGE,
        label=kinds.LABEL_REPEATED,
        type_name=".cutcard.sparkplug_b.Payload.Metric",
    )
    define(payload, "seq", 3, kinds.TYPE_UINT64)
    define(metric, "name", 1, kinds.TYPE_STRING)
    define(metric, "alias", 2, kinds.TYPE_UINT64)
    define(metric, "timestamp", 3, kinds.TYPE_UINT64)
    define(metric, "datatype", 4, kinds.TYPE_UINT32)
    define(metric, "is_historical", 5, kinds.TYPE_BOOL)
    define(metric, "is_null", 7, kinds.TYPE_BOOL)
    define(metric, "int_value", 10, kinds.TYPE_UINT32, oneof_index=0)
    define(metric, "long_value", 11, kinds.TYPE_UINT64, oneof_index=0)
    define(metric, "float_value", 12, kinds.TYPE_FLOAT, oneof_index=0)
    define(metric, "double_value", 13, kinds.TYPE_DOUBLE, oneof_index=0)
    define(metric, "boolean_value", 14, kinds.TYPE_BOOL, oneof_index=0)
    define(metric, "string_value", 15, kinds.TYPE_STRING, oneof_index=0)
    # A pool of its own: another library in the process may have Sparkplug's definition too.
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("cutcard.sparkplug_b.Payload"))


_Payload = _define()
