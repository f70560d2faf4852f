"""Due and counted over the day, as lines and areas on a sheet of any size; page and PDF draw the same ones.

Due is a line of steps. Counted is the band between the least and the most that the pieces are worth: a line where
their worth is known. The origin is the lower left corner.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Literal

from msgspec import Struct

from controller.report.lines import Point
from controller.report.period import Period

Spot = tuple[float, float]
LEFT, BOTTOM, TOP, RIGHT = 56.0, 26.0, 10.0, 24.0
_HOURS = (1, 2, 3, 6, 12, 24, 48, 24 * 7, 24 * 28)
_MOST_TICKS = 9


class Path(Struct, frozen=True):
    """A line, or an area where it is the band."""

    what: Literal["axis", "grid", "due", "counted", "band"]
    spots: tuple[Spot, ...]


class Label(Struct, frozen=True):
    spot: Spot
    text: str
    anchor: Literal["start", "middle", "end"] = "middle"


class Drawing(Struct, frozen=True):
    width: float
    height: float
    paths: tuple[Path, ...]
    labels: tuple[Label, ...]


def drawing(curve: Sequence[Point], period: Period, width: float, height: float) -> Drawing:
    """One box over the period."""
    top = max([100, *(max(point.due, point.high) for point in curve)])
    step = _nice(top)
    top = -(-top // step) * step

    def spot(at: int, cents: int) -> Spot:
        x = LEFT + (width - LEFT - RIGHT) * (at - period.start) / (period.end - period.start)
        return round(x, 1), round(BOTTOM + (height - BOTTOM - TOP) * cents / top, 1)

    paths: list[Path] = []
    labels: list[Label] = []
    for cents in range(0, top + 1, step):
        left, right = spot(period.start, cents), spot(period.end, cents)
        paths.append(Path("grid" if cents else "axis", (left, right)))
        labels.append(Label((left[0] - 6, left[1] - 3), f"${cents / 100:,.0f}", "end"))
    for at, text in _times(period):
        foot = spot(at, 0)
        paths.append(Path("grid", (foot, spot(at, top))))
        labels.append(Label((foot[0], foot[1] - 14), text))
    low = _steps([(point.at, point.low) for point in curve], period)
    high = _steps([(point.at, point.high) for point in curve], period)
    if low != high:
        edge = [*(spot(*one) for one in high), *reversed([spot(*one) for one in low])]
        paths.append(Path("band", tuple(edge)))
    paths.append(Path("counted", tuple(spot(*one) for one in low)))
    due = _steps([(point.at, point.due) for point in curve], period)
    paths.append(Path("due", tuple(spot(*one) for one in due)))
    return Drawing(width, height, tuple(paths), tuple(labels))


def as_svg(drawn: Drawing, title: str) -> str:
    """For a page; its style names the colours."""

    def flipped(spot: Spot) -> str:
        return f"{spot[0]:g},{round(drawn.height - spot[1], 1):g}"

    parts = [f'<svg viewBox="0 0 {drawn.width:g} {drawn.height:g}" role="img" aria-label="{title}">']
    for path in drawn.paths:
        kind = "polygon" if path.what == "band" else "polyline"
        parts.append(f'<{kind} class="{path.what}" points="{" ".join(map(flipped, path.spots))}"/>')
    for label in drawn.labels:
        x, y = flipped(label.spot).split(",")
        parts.append(f'<text x="{x}" y="{y}" text-anchor="{label.anchor}">{label.text}</text>')
    return "\n".join([*parts, "</svg>"])


def _steps(values: Sequence[tuple[int, int]], period: Period) -> list[tuple[int, int]]:
    """From nothing at the beginning, level until something happens, level to the end."""
    steps, now = [(period.start, 0)], 0
    for at, value in values:
        if value != now:
            steps += [(at, now), (at, value)]
            now = value
    return [*steps, (period.end, now)]


def _nice(top: int) -> int:
    """A round step of whole dollars that gives at most six lines.

    >>> _nice(100), _nice(2300), _nice(123_400)
    (100, 500, 50000)
    """
    step = 100
    while True:
        for times in (1, 2, 5):
            if top <= 6 * step * times:
                return step * times
        step *= 10


def _times(period: Period) -> list[tuple[int, str]]:
    """Moments to name below the plot: whole hours of the house's clock, or days."""
    hours = (period.end - period.start) / 3_600_000
    step = next((step for step in _HOURS if hours / step <= _MOST_TICKS), _HOURS[-1])
    first = period.local(period.start).replace(minute=0, second=0, microsecond=0)
    if step >= 24:
        first = first.replace(hour=0)
    found = []
    at = first
    while round(at.timestamp() * 1000) <= period.end:
        if round(at.timestamp() * 1000) >= period.start:
            found.append((round(at.timestamp() * 1000), f"{at:%H:%M}" if step < 24 else f"{at:%m-%d}"))
        at += timedelta(hours=step)
    return found
