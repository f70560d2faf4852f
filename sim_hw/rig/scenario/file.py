"""A scenario: what happens at a table, as a small readable file.

    title = "The shoe is unplugged in mid-round"
    description = "The table holds where it is and goes on when the cable is back; no card is asked for twice."
    steps = [
      { do = "shoe load", cards = "9h 2c 8d 3s Td 4c" },
      { do = "console close_bets" },
      { fault = "unplug", on = "shoe" },
      { see = "event device", device = "shoe", state = "offline" },
    ]

    [table]
    ruleset = "bankers-ez-baccarat-panda-8"
    seats = [1, 2]

    [devices.shoe]
    kind = "shoe"

A step does one thing: `do` (a hand at a device or at the console), `fault`, `fix`, `see` (wait, no longer than
`within` seconds, until it is so), `never` (it has not been so until now), `pause` (in the table's seconds).
docs/protocols/rig.md lists the words. A mistake in the file is one sentence with the line of the step.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct, field

from protocols.type_errors import in_words
from sim_hw.devices.kinds import DevicePlan, Wrong
from sim_hw.rig.table.config import TablePlan

LIBRARY = Path(__file__).parents[1] / "scenarios"

Verb = Literal["do", "fault", "fix", "see", "never", "pause"]
VERBS: tuple[Verb, ...] = get_args(Verb)
_STEP = re.compile(rf"^\s*\{{\s*(?:{'|'.join(VERBS)})\s*=")


@dataclass(frozen=True)
class Step:
    """One line of a scenario."""

    verb: Verb
    what: str
    """ "shoe draw", "event round_settled", "broker_away"; seconds for a pause."""
    how: Mapping[str, Any]
    line: int

    @property
    def words(self) -> str:
        """As a person reads it."""
        said = " ".join(f"{key}={value!r}" for key, value in self.how.items())
        return f"{self.verb} {self.what}{' ' + said if said else ''}"


class _File(Struct, forbid_unknown_fields=True):
    title: str
    table: TablePlan
    steps: list[dict[str, Any]]
    description: str = ""
    source: str = ""
    """The sheet or the page whose promise it tests."""
    seed: int = 1
    clock: Literal["devices", "system"] = "devices"
    own_broker: bool = False
    """It stops the broker: no other scenario may be on it."""
    devices: dict[str, DevicePlan] = field(default_factory=dict)


@dataclass(frozen=True)
class Scenario:
    """A scenario that can be played."""

    name: str
    path: Path
    title: str
    description: str
    source: str
    table: TablePlan
    devices: Mapping[str, DevicePlan]
    steps: tuple[Step, ...]
    seed: int
    clock: Literal["devices", "system"]
    own_broker: bool


def read(path: Path) -> Scenario:
    """The scenario in this file; `Wrong` where it cannot be one."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise Wrong(f"{path} cannot be read: {error.strerror}; `cutcard rig list` names the scenarios") from None
    try:
        raw = tomllib.loads(text)
        file = msgspec.convert(raw, type=_File)
    except tomllib.TOMLDecodeError as error:
        raise Wrong(f"{path} is not TOML: {error}") from None
    except RecursionError:
        raise Wrong(f"{path}: its lists and tables are nested too deeply") from None
    except msgspec.ValidationError as error:
        raise Wrong(f"{path}: {in_words(error, raw)}") from None
    return Scenario(
        name=path.stem,
        path=path,
        title=file.title,
        description=file.description,
        source=file.source,
        table=file.table,
        devices=file.devices,
        steps=tuple(_steps(path, text, file.steps)),
        seed=file.seed,
        clock=file.clock,
        own_broker=file.own_broker or any(step.get("fault") == "broker_away" for step in file.steps),
    )


def find(name: str) -> Path:
    """A scenario by its name in the library, or by its path."""
    if name.endswith(".toml") or "/" in name:
        return Path(name)
    path = LIBRARY / f"{name}.toml"
    if not path.exists():
        near = ", ".join(sorted(each.stem for each in library() if name in each.stem)) or "see `cutcard rig list`"
        raise Wrong(f"there is no scenario {name!r}: {near}")
    return path


def library() -> list[Path]:
    """Every scenario that comes with the package."""
    return sorted(LIBRARY.glob("*.toml"))


def _steps(path: Path, text: str, rows: list[dict[str, Any]]) -> Iterator[Step]:
    lines = [number for number, line in enumerate(text.split("\n"), 1) if _STEP.match(line)]
    for index, row in enumerate(rows):
        yield step_of(row, str(path), lines[index] if len(lines) == len(rows) else 0)


def step_of(row: Mapping[str, Any], where: str, line: int) -> Step:
    """One step from its keys; `Wrong` where they make none."""
    verbs = [verb for verb in VERBS if verb in row]
    if len(verbs) != 1:
        raise Wrong(f"{where}:{line}: a step has one of {', '.join(VERBS)}; this one is {dict(row)}")
    (verb,) = verbs
    what = row[verb]
    if not isinstance(what, str if verb != "pause" else int | float):
        raise Wrong(f"{where}:{line}: {verb} = {what!r} cannot be")
    return Step(verb, str(what), {key: value for key, value in row.items() if key != verb}, line)
