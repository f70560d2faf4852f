"""Prometheus' text format, version 0.0.4.

# HELP cutcard_events_total Events in the journal, since its first day.
# TYPE cutcard_events_total counter
cutcard_events_total{site="riverside",table="baccarat-1"} 4711
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

Kind = Literal["counter", "gauge", "histogram"]
Labels = Mapping[str, str]


class Sample(Struct, frozen=True):
    """One value; `suffix` is appended to the family's name, as histograms do."""

    value: float
    labels: Labels = {}
    suffix: str = ""


class Family(Struct, frozen=True):
    """A metric with all its samples."""

    name: str
    kind: Kind
    help: str
    samples: tuple[Sample, ...]


class Histogram:
    """Counts observations by size. The last bucket, for whatever is larger than all bounds, is added by itself."""

    def __init__(self, bounds: Sequence[float]) -> None:
        self._bounds = tuple(bounds)
        self._counts = [0] * (len(self._bounds) + 1)
        self._sum = 0.0

    def observe(self, value: float) -> None:
        self._counts[bisect_left(self._bounds, value)] += 1
        self._sum += value

    def samples(self) -> tuple[Sample, ...]:
        """The buckets, each with all that is smaller, then sum and count."""
        return tuple(self._samples())

    def _samples(self) -> Iterator[Sample]:
        total = 0
        for bound, count in zip((*self._bounds, math.inf), self._counts, strict=True):
            total += count
            yield Sample(total, {"le": _number(bound)}, "_bucket")
        yield Sample(self._sum, suffix="_sum")
        yield Sample(total, suffix="_count")


def render(families: Iterable[Family], common: Labels) -> bytes:
    """The whole answer to a scrape; every sample carries the `common` labels."""
    lines: list[str] = []
    for family in families:
        lines.append(f"# HELP {family.name} {_escaped(family.help)}")
        lines.append(f"# TYPE {family.name} {family.kind}")
        for sample in family.samples:
            labels = ",".join(f'{name}="{_quoted(text)}"' for name, text in {**common, **sample.labels}.items())
            lines.append(f"{family.name}{sample.suffix}{{{labels}}} {_number(sample.value)}")
    return "\n".join([*lines, ""]).encode()


def _number(value: float) -> str:
    """
    >>> _number(3.0), _number(0.0005), _number(math.inf)
    ('3', '0.0005', '+Inf')
    """
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    return str(int(value)) if value == int(value) else repr(value)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n")


def _quoted(text: str) -> str:
    r"""
    >>> _quoted('a "jam"')
    'a \\"jam\\"'
    """
    return _escaped(text).replace('"', '\\"')
