"""Rulesets: what a cardroom prints in its approval, as data.

One TOML file per cardroom and game: which script, its options each with default, source line and reading, its pay
tables. `load` gives a `Ruleset`; `Ruleset.options` fills the game's typed options, refusing what it does not know.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

import msgspec
from msgspec import Struct

from controller.engine.game import Game
from controller.engine.state import Rules
from controller.games import GAMES
from controller.rules.check import explain, problems
from controller.rules.errors import RulesError
from controller.rules.schedules import Posted
from controller.rules.schedules import find as find_schedule

__all__ = ["OptionData", "RulesError", "Ruleset", "RulesetData", "all_rulesets", "load", "resolve", "ruleset_files"]


class OptionData(Struct, frozen=True, forbid_unknown_fields=True):
    """One option of an approval, with where it comes from."""

    default: Any = None
    """Absent: none, which TOML cannot write."""
    source: str = ""
    reading: str = ""
    note: str = ""


class RulesetData(Struct, frozen=True, forbid_unknown_fields=True):
    """The file, as it stands."""

    slug: str
    cardroom: str
    game: str
    title: str
    approval: str
    source: str
    options: dict[str, OptionData]
    pays: dict[str, Any] = {}
    sheet: dict[str, Any] = {}
    """What the approval fixes and no table chooses: charts, house ways, names."""
    note: str = ""


class Ruleset:
    """A cardroom's rules of one game: data, script and digest."""

    def __init__(self, data: RulesetData, game: Game[Any], file: str, digest: str) -> None:
        self.data, self.game, self.file, self.digest = data, game, file, digest

    @property
    def slug(self) -> str:
        return self.data.slug

    def options(self, chosen: Mapping[str, Any] | None = None) -> Struct:
        """The game's options: the approval's defaults with what this table chose."""
        values: dict[str, Any] = {name: option.default for name, option in self.data.options.items()}
        for name, value in (chosen or {}).items():
            if name not in values:
                known = ", ".join(sorted(values))
                raise RulesError(f"{self.slug} has no option {name!r}; it has {known}")
            values[name] = value
        if self.data.pays:
            values["pays"] = self.data.pays
        values |= self.data.sheet
        if "schedule" in values:
            name = values["schedule"]
            values["schedule"] = self._posted(name).schedule if name else None
        try:
            made: Struct = msgspec.convert(values, self.game.options_type)
        except msgspec.ValidationError as error:
            raise RulesError(f"{self.file}: {explain(error, self.game.options_type)}") from None
        return made

    def digest_with(self, chosen: Mapping[str, Any]) -> str:
        """Digest of the rules in force at a table: the file and what the table chose."""
        encoded = msgspec.json.encode(dict(chosen), order="deterministic")
        default = self.data.options.get("schedule")
        name = chosen.get("schedule", default.default if default is not None else None)
        fees = self._posted(name).digest if name else ""
        return hashlib.sha256(self.digest.encode() + encoded + fees.encode()).hexdigest()[:16]

    def _posted(self, name: str) -> Posted:
        """The collection schedule that a table posts."""
        return find_schedule(name, self.data.cardroom, self.data.game)


@cache
def all_rulesets() -> Mapping[str, Ruleset]:
    """Every ruleset of the project by its slug."""
    found: dict[str, Ruleset] = {}
    for name, file in ruleset_files():
        ruleset = _read(file, name)
        found[ruleset.slug] = ruleset
    return found


def ruleset_files() -> Iterator[tuple[str, Traversable]]:
    """The project's ruleset files, each by its name: `bankers/ez-baccarat-panda-8.toml`."""
    for folder in sorted(resources.files(__name__).iterdir(), key=lambda item: item.name):
        if folder.is_dir():
            for file in sorted(folder.iterdir(), key=lambda item: item.name):
                if file.name.endswith(".toml"):
                    yield f"{folder.name}/{file.name}", file


def load(slug: str) -> Ruleset:
    try:
        return all_rulesets()[slug]
    except KeyError:
        known = ", ".join(all_rulesets())
        raise RulesError(f"there is no ruleset {slug!r}; there is {known}") from None


def resolve(slug: str, chosen: Mapping[str, Any]) -> Rules[Any]:
    """A ruleset made ready for a table: what `TableEngine` asks for."""
    ruleset = load(slug)
    return Rules(ruleset.game, ruleset.options(chosen), ruleset.digest_with(chosen))


def _read(file: Traversable, name: str) -> Ruleset:
    content = file.read_bytes()
    if found := problems(content, name):
        raise RulesError(". ".join(found))
    data = msgspec.convert(tomllib.loads(content.decode()), RulesetData)
    return Ruleset(data, GAMES[data.game], name, hashlib.sha256(content).hexdigest())
