"""A figure, its target, and the table of all of them."""

from __future__ import annotations

import os
import platform
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from msgspec import Struct

from tests.long.soak_all import commit


class Figure(Struct, frozen=True):
    """One line of the table."""

    name: str
    ours: float
    """Things a second, in the best run."""
    median: float | None
    """The same in the run in the middle; None in a record that was taken from the printed table."""
    beside: str = ""
    """The peer or floor measured in the same run."""
    theirs: float | None = None
    ratio: float | None = None
    target: str = ""
    met: bool | None = None
    """None where there is no target."""
    unit: str = "/s"
    worse: Literal["smaller", "larger", ""] = ""
    """Where our ratio goes when we become slower; empty where it cannot be compared between runs, since what stands
    beside it was not measured."""


class Report(Struct, frozen=True):
    """All figures of a run, and where it ran."""

    at: str
    machine: str
    cores: int
    load: float
    """Processes that wanted to run while we measured, ours included (the mean of the last minute)."""
    python: str
    sqlite: str
    figures: tuple[Figure, ...]
    commit: str

    @property
    def where(self) -> str:
        versions = f"Python {self.python}, SQLite {self.sqlite}, commit {self.commit}"
        return f"{self.machine}, {self.cores} cores, load {self.load}; {versions}"


def report(figures: Sequence[Figure]) -> Report:
    return Report(
        at=time.strftime("%Y-%m-%d", time.gmtime()),
        machine=_machine(),
        cores=os.cpu_count() or 1,
        load=round(os.getloadavg()[0], 1),
        python=platform.python_version(),
        sqlite=sqlite3.sqlite_version,
        figures=tuple(figures),
        commit=commit(),
    )


def table(run: Report) -> str:
    """The report for people."""
    head = ("", "ours", "beside", "theirs", "ratio", "target", "")
    rows = [head, *(_row(figure) for figure in run.figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    lines = ["  ".join(_cell(text, width, column) for column, (text, width) in _cells(row, widths)) for row in rows]
    return "\n".join([f"{run.where}; {run.at}", "", *(line.rstrip() for line in lines)])


def _cells(row: Sequence[str], widths: Sequence[int]) -> list[tuple[int, tuple[str, int]]]:
    return list(enumerate(zip(row, widths, strict=True)))


def _cell(text: str, width: int, column: int) -> str:
    return text.rjust(width) if column in (1, 3, 4) else text.ljust(width)


def _row(figure: Figure) -> tuple[str, ...]:
    return (
        figure.name,
        f"{_number(figure.ours)}{figure.unit}",
        figure.beside,
        "" if figure.theirs is None else f"{_number(figure.theirs)}{figure.unit}",
        "" if figure.ratio is None else f"{figure.ratio:.3g}",
        figure.target,
        {None: "", True: "met", False: "MISSED"}[figure.met],
    )


def _number(value: float) -> str:
    return f"{value:,.0f}"


def _machine() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())
