"""What became slower since the run that is recorded in docs/development/benchmarks.json, and what was left out.

Only ratios are compared: what stands beside a figure was measured in the same run, so both runs may be of different
machines. A ratio that changed by no more than the noise says nothing; how much that is was estimated from quiet runs of
different days (docs/development/benchmarks.md).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import msgspec

from tests.bench.compiled import is_built
from tests.bench.figures import Figure, Report
from tests.support.project import ROOT
from tests.support.running.brokers import MOSQUITTO
from tests.support.running.browsers import chromium_path
from tests.support.running.postgres import BINARIES

RECORDED = ROOT / "docs" / "development" / "benchmarks.json"
NOISE = 1.3
"""A ratio within this factor of the recorded one is the same."""
NOISE_OF_FEW = 1.7
"""The same for a percentile near the end, which a handful of values decides."""
_NEAR_THE_END = ("99th percentile", "95th percentile")


def recorded(file: Path = RECORDED) -> Report | None:
    """The last recorded run; None where there is none."""
    return msgspec.json.decode(file.read_bytes(), type=Report) if file.exists() else None


def comparison(run: Report, before: Report) -> str:
    """For people: every ratio that became worse or better by more than the noise, and what only one run has."""
    ours, theirs = _ratios(run), _ratios(before)
    changed = [(key, _times_worse(ours[key], theirs[key])) for key in ours.keys() & theirs.keys()]
    slower = sorted((each for each in changed if each[1] > _noise(each[0])), key=lambda each: -each[1])
    quicker = sorted((each for each in changed if each[1] < 1 / _noise(each[0])), key=lambda each: each[1])
    lines = [f"Beside the run of {before.at} ({before.where}), {len(changed)} ratios:"]
    lines += [f"  SLOWER, {times:.2f} times: {_both(ours[key], theirs[key])}" for key, times in slower]
    lines += [f"  quicker, {1 / times:.2f} times: {_both(ours[key], theirs[key])}" for key, times in quicker]
    if not slower:
        lines.append("  nothing became slower by more than the noise")
    names = dict.fromkeys(figure.name for figure in run.figures)
    gone = dict.fromkeys(figure.name for figure in before.figures if figure.name not in names)
    if gone:
        lines.append(f"  not measured this time: {'; '.join(gone)}")
    return "\n".join(lines)


def left_out(chosen: argparse.Namespace) -> Iterator[str]:
    """What this machine does not have, and which figures need it."""
    if not is_built():
        yield "the compiled engine (`make compiled`, a C compiler): the engine's targets are judged from the sources"
    if MOSQUITTO is None:
        yield "Mosquitto (`make system`): card to subscriber, the backlog, tables on one broker, broker to PostgreSQL"
    if BINARIES is None:
        yield "PostgreSQL (`make system`): the floor's store"
    if chromium_path() is None:
        yield "Chromium (`make system`): event to tile"
    if chosen.hands is None:
        yield "public hand histories (--hands FOLDER): the same games from them"


Key = tuple[str, str]


def _ratios(run: Report) -> dict[Key, Figure]:
    return {(figure.name, figure.beside): figure for figure in run.figures if figure.worse and figure.ratio}


def _times_worse(ours: Figure, theirs: Figure) -> float:
    assert ours.ratio and theirs.ratio
    return ours.ratio / theirs.ratio if ours.worse == "larger" else theirs.ratio / ours.ratio


def _noise(key: Key) -> float:
    return NOISE_OF_FEW if key[0].endswith(_NEAR_THE_END) else NOISE


def _both(ours: Figure, theirs: Figure) -> str:
    return f"{ours.name}: {ours.ratio:.3g} of {ours.beside}, was {theirs.ratio:.3g}"
