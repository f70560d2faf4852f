"""Sparkplug payloads read by the rules of protobuf's wire format alone, so that what is absent can be seen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

VALUES = {10, 11, 12, 13, 14, 15, 16, 17, 18, 19}
"""The numbers of the fields that hold a metric's value."""


@dataclass(frozen=True)
class ReadMetric:
    """A metric by its field numbers; None: absent."""

    fields: dict[int, int | bytes]

    @property
    def name(self) -> str | None:
        name = self.fields.get(1)
        return name.decode() if isinstance(name, bytes) else None

    @property
    def alias(self) -> int | None:
        return self._number(2)

    @property
    def timestamp(self) -> int | None:
        return self._number(3)

    @property
    def datatype(self) -> int | None:
        return self._number(4)

    @property
    def is_historical(self) -> bool:
        return bool(self.fields.get(5))

    @property
    def is_null(self) -> bool:
        return bool(self.fields.get(7))

    @property
    def value(self) -> int | bytes | None:
        found = [self.fields[number] for number in sorted(VALUES & self.fields.keys())]
        assert len(found) <= 1, self.fields
        return found[0] if found else None

    def _number(self, number: int) -> int | None:
        value = self.fields.get(number)
        assert not isinstance(value, bytes), self.fields
        return value


@dataclass(frozen=True)
class ReadPayload:
    timestamp: int | None
    seq: int | None
    metrics: list[ReadMetric]

    def named(self, name: str) -> ReadMetric:
        (found,) = [metric for metric in self.metrics if metric.name == name]
        return found


def read_payload(data: bytes) -> ReadPayload:
    timestamp = seq = None
    metrics = []
    for number, value in _fields(data):
        match number, value:
            case 1, int():
                timestamp = value
            case 2, bytes():
                metrics.append(ReadMetric(dict(_fields(value))))
            case 3, int():
                seq = value
            case other:
                raise AssertionError(f"{other} is no field of a payload that we send")
    return ReadPayload(timestamp, seq, metrics)


def _fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        match key & 7:
            case 0:
                value, at = _varint(data, at)
                yield key >> 3, value
            case 2:
                size, at = _varint(data, at)
                assert at + size <= len(data)
                yield key >> 3, data[at : at + size]
                at += size
            case kind:
                raise AssertionError(f"wire type {kind} is in no field that we send")


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if not byte & 0x80:
            return value, at
