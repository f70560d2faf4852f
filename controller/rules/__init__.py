"""Rulesets: what a cardroom prints in its approval, as data.

One TOML file per cardroom and game: which script, its options each with default, source line and reading, its pay
tables. `load` returns a `Ruleset`; `Ruleset.options` fills the game's typed options and refuses unknown ones.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from controller.engine.amounts import dollars
from controller.engine.bank.rotation import Rotation
from controller.engine.fees.posted import stakes_in_words
from controller.engine.fees.schedule import Schedule
from controller.engine.procedures.rules import Procedures
from controller.engine.round.game import Game
from controller.engine.table.state import NamedReading, Postable, Rules
from controller.errors import nearest
from controller.games import GAMES
from controller.rules.check import BACK_LINE, BESIDE_THE_GAME, PROCEDURE, ROTATION, explain, problems
from controller.rules.errors import RulesError
from controller.rules.reading_data import ReadingData, StatementData
from controller.rules.schedules import NO_COLLECTION, Chosen, Posted, available, first_answers
from controller.rules.schedules import choose as choose_schedule
from controller.rules.schedules import posted as printed_schedule
from controller.toml_text import loads

__all__ = [
    "ENGINE_DIGITS",
    "OptionData",
    "RulesError",
    "Ruleset",
    "RulesetData",
    "all_rulesets",
    "load",
    "resolve",
    "ruleset_files",
]

ENGINE_DIGITS = 16
"""How much of a reading's digest the engine compares; signatures are made and checked with all of it."""


class OptionData(Struct, frozen=True, forbid_unknown_fields=True):
    """One option of an approval, with where it comes from."""

    default: Any = None
    """Absent: none, which TOML cannot write."""
    source: str = ""
    reading: str = ""
    note: str = ""
    choices: dict[str, str] = {}
    """What each value means, where the note does not say it; by the value as TOML writes it, `none` for absent."""
    house: bool = False
    """The lines leave it to the house and state no default: a live table needs the house's word."""
    none: str = ""
    """The lines that allow a table to have none of it; only a collection schedule is asked for that."""

    @property
    def is_stated(self) -> bool:
        """Whether a line states the default, or what it is read from."""
        return bool(self.source) and not self.house


class PrintedData(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Points that the approval prints, each with its line; what it leaves open is an option of the same name."""

    source: dict[str, str] = {}
    """The lines, by key."""

    @property
    def printed(self) -> dict[str, Any]:
        values = {field: getattr(self, field) for field in self.__struct_fields__ if field != "source"}
        return {field: value for field, value in values.items() if value is not None}


class RotationData(PrintedData, frozen=True, forbid_unknown_fields=True):
    """The player-dealer's rotation."""

    kind: str | None = None
    direction: str | None = None
    hands: int | None = None
    binds: str | None = None
    eligible: str | None = None
    void_hand: str | None = None
    resumes: str | None = None
    first_offer: str | None = None


class BackLineData(PrintedData, frozen=True, forbid_unknown_fields=True):
    """Bettors other than the seated player, and what they decide for themselves."""

    wagers: str | None = None
    play: str | None = None
    insurance: str | None = None
    double: str | None = None
    split: str | None = None
    unsplit: str | None = None
    surrender: str | None = None
    sets: str | None = None


class ProceduresData(PrintedData, frozen=True, forbid_unknown_fields=True):
    """Procedures beside the rounds; what the house chooses is an option."""

    player_dealer_burn: int | None = None
    dead_spread_burn: int | None = None
    hands_each: int | None = None
    hands_given_up: int | None = None
    away_minutes: int | None = None
    cut_least: int | None = None
    relief_burn: int | None = None
    shuffler_failure: str | None = None


class RulesetData(Struct, frozen=True, forbid_unknown_fields=True):
    """The file, byte for byte."""

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
    lines: dict[str, str] = {}
    """The lines that print a key of the sheet, where a person must be able to look it up: seats, circles."""
    base: dict[str, Any] = {}
    """What the game that a side bet rides on must use, whatever its own file has: its wager's name on this table."""
    phases: dict[str, str] = {}
    """The sheet's words for the phases of a round, where the engine has others."""
    note: str = ""
    readings: dict[str, ReadingData] = {}
    """Points that the text leaves open and that leave nothing to choose; the others are options with a letter."""
    statements: tuple[StatementData, ...] = ()
    """Rules that the script carries out at every table, so that no key has them."""
    rotation: RotationData = RotationData()
    """Of the player-dealer's position, in games that have one."""
    back_line: BackLineData = BackLineData()
    """In games with a player-dealer."""
    procedures: ProceduresData = ProceduresData()
    """Beside the rounds."""


class Ruleset:
    """A cardroom's rules of one game: data, script and digest."""

    def __init__(self, data: RulesetData, game: Game[Any], file: str, digest: str) -> None:
        self.data, self.game, self.file, self.digest = data, game, file, digest

    @property
    def slug(self) -> str:
        return self.data.slug

    def options(self, chosen: Mapping[str, Any] | None = None, imposed: Mapping[str, Any] | None = None) -> Struct:
        """The game's options: the approval's defaults with what this table chose.

        `imposed`: what a side bet that rides on this game sets in its place.
        """
        values: dict[str, Any] = {
            name: option.default for name, option in self.data.options.items() if not name.startswith(BESIDE_THE_GAME)
        }
        of_base: dict[str, Any] = {}
        for name, value in (chosen or {}).items():
            if name in values:
                values[name] = value
            elif self._rides:
                of_base[name] = value
            elif name not in self.data.options:
                known = ", ".join(sorted(self.data.options))
                raise RulesError(f"{self.slug} has no option {name!r}; it has {known}")
        if self.data.pays:
            values["pays"] = self.data.pays
        if self.game.has_player_dealer and not self._rides:
            values["back_line"] = self._printed_and_read(self.data.back_line, BACK_LINE, chosen or {})
        values |= {**self.data.sheet, **(imposed or {})}
        if self._rides:
            base, shared = self._base(values["base_game"]), self._shared(values)
            values["base"] = Rules(base.game, base.options(shared | of_base, self.data.base))
        if isinstance(values.get("house_way"), str):
            values["house_way"] = self._chart(values["house_way"])
        if "schedule" in values:
            name = values["schedule"]
            values["schedule"] = self.posted(name).schedule if name and not self._is_none(name) else None
        try:
            made: Struct = msgspec.convert(values, self.game.options_type)
        except msgspec.ValidationError as error:
            raise RulesError(f"{self.file}: {explain(error, self.game.options_type)}") from None
        return made

    def rotation(self, chosen: Mapping[str, Any] | None = None) -> Rotation | None:
        """How the player-dealer's position rotates at a table that chose this; None where the game has none. Under a
        side bet it is that of the game which it rides on."""
        picked = chosen or {}
        base = self.rides_on(picked)
        if base is not None:
            return base.rotation({name: value for name, value in picked.items() if name not in self.data.options})
        if not self.game.has_player_dealer:
            return None
        try:
            return msgspec.convert(self._printed_and_read(self.data.rotation, ROTATION, picked), Rotation)
        except msgspec.ValidationError as error:
            raise RulesError(f"{self.file}: {explain(error, Rotation, 'rotation')}") from None

    def procedures(self, chosen: Mapping[str, Any] | None = None) -> Procedures:
        """What a table that chose this does beside its rounds. Under a side bet it is what the game does which it rides
        on."""
        picked = chosen or {}
        base = self.rides_on(picked)
        if base is not None:
            return base.procedures({name: value for name, value in picked.items() if name not in self.data.options})
        values = self._printed_and_read(self.data.procedures, PROCEDURE, picked)
        try:
            return msgspec.convert(values, Procedures)
        except msgspec.ValidationError as error:
            raise RulesError(f"{self.file}: {explain(error, Procedures, 'procedures')}") from None

    def _printed_and_read(self, data: PrintedData, prefix: str, chosen: Mapping[str, Any]) -> dict[str, Any]:
        """The points that the approval prints, and those that are readings, as this table chose them."""
        read = {
            name.removeprefix(prefix): chosen.get(name, option.default)
            for name, option in self.data.options.items()
            if name.startswith(prefix)
        }
        return data.printed | read

    def digest_with(self, chosen: Mapping[str, Any]) -> str:
        """Digest of the rules in force at a table: the file, what the table chose, and the options of every house."""
        encoded = msgspec.json.encode(dict(chosen), order="deterministic")
        default = self.data.options.get("schedule")
        name = chosen.get("schedule", default.default if default is not None else None)
        is_posted = name and default is not None and not self._is_none(name)
        fees = self.posted(name).digest if is_posted else ""
        base = self.rides_on(chosen)
        if base is not None:
            fees += base.digest_with({k: v for k, v in chosen.items() if k not in self.data.options})
        option = self.data.options.get("house_way")
        named = chosen.get("house_way", None if option is None else option.default)
        if isinstance(named, str) and named:
            fees += self._other(named, "house_way").digest
        house = hashlib.sha256(_house_file()).hexdigest()
        return hashlib.sha256(f"{self.digest}{encoded.decode()}{fees}{house}".encode()).hexdigest()[:16]

    def _chart(self, name: str) -> Any:
        """The house way of another game of the room, by its sheet's name; none where no name is given."""
        if not name:
            return None
        other = self._other(name, "house_way")
        if "house_way" not in other.data.sheet:
            raise RulesError(f"{self.file}: house_way: {other.slug} prints no house way")
        return other.data.sheet["house_way"]

    @property
    def _rides(self) -> bool:
        """It is a side bet on another game of the room, whose options are options here too."""
        return "base_game" in self.data.options or "base_game" in self.data.sheet

    def rides_on(self, chosen: Mapping[str, Any]) -> Ruleset | None:
        """The game under a side bet, at a table that chose this; None where the ruleset is a game itself."""
        if not self._rides:
            return None
        option = self.data.options.get("base_game")
        default = self.data.sheet["base_game"] if option is None else option.default
        return self._base(chosen.get("base_game", default))

    def _base(self, name: str) -> Ruleset:
        """The game it rides on."""
        return self._other(name, "base_game")

    def _other(self, name: str, key: str) -> Ruleset:
        """Another ruleset of the room, by its sheet's name, which may leave out the cardroom."""
        room = f"{self.data.cardroom}-"
        slug = f"{room}{str(name).removeprefix(room)}"
        if slug != self.slug and slug in all_rulesets():
            return all_rulesets()[slug]
        raise RulesError(f"{self.file}: {key}: {name!r} is no other ruleset of {self.data.cardroom}")

    def _shared(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Options of this table that its base game has too. The fees posted here are this ruleset's own."""
        base = self._base(values["base_game"]).data.options
        return {name: values[name] for name in self.data.options if name in base and name != "schedule"}

    @property
    def fee_game(self) -> str:
        """The game's name in the cardroom's collection schedules: that of its sheet, or of its script."""
        sheet = self.slug.removeprefix(f"{self.data.cardroom}-")
        return sheet if available(self.data.cardroom, sheet) else self.data.game

    @property
    def printed_schedules(self) -> tuple[str, ...]:
        """Ids of the schedules that the cardroom may post for it; of a side bet, those of the game under it."""
        base = self.rides_on({})
        if base is not None and "schedule" not in self.data.options:
            return base.printed_schedules
        return available(self.data.cardroom, self.fee_game)

    def postable(self, name: str) -> Chosen | None:
        """A printed schedule as a house would post it: where the document leaves a rate or an interval to the house,
        with the first; None where more is missing, or the game cannot be played by it."""
        for chosen in (name, {"id": name, **first_answers(printed_schedule(name).schedule)}):
            with suppress(RulesError):
                self.options({"schedule": chosen})
                return chosen
        return None

    def proposed_schedule(self) -> Chosen | None:
        """The first printed schedule that can be posted; None where the documents print none."""
        return next((chosen for name in self.printed_schedules if (chosen := self.postable(name))), None)

    def schedules_to_post(self) -> tuple[Postable, ...]:
        """The printed schedules that the floor may post as they are; where the document leaves something to the house,
        the configuration has it."""
        return _to_post(self.slug) if "schedule" in self.data.options else ()

    def _is_none(self, chosen: Chosen) -> bool:
        """Whether the house has chosen to take no collection, which a line of its approval must allow."""
        if chosen != NO_COLLECTION:
            return False
        option = self.data.options.get("schedule")
        if option is None or not option.none:
            raise RulesError(
                f"schedule = {NO_COLLECTION!r}: no line of this approval allows a table without a collection; "
                f"choose a schedule, `cutcard rules show {self.slug}` lists them"
            )
        return True

    def lacks_collection(self, chosen: Mapping[str, Any]) -> str:
        """Why a live table that chose this may not open: no collection is posted; empty where one is, or where the
        house has chosen none by a line that allows it."""
        base, option = self.rides_on(chosen), self.data.options.get("schedule")
        name = chosen.get("schedule", None if option is None else option.default)
        if base is not None and option is None:
            return base.lacks_collection({key: value for key, value in chosen.items() if key not in self.data.options})
        if name:
            return ""
        there = len(self.printed_schedules)
        if not there:
            how = "the documents print no schedule for this game, so write the house's own one (docs/table/fees.md)"
        else:
            how = f"`cutcard rules show {self.slug}` lists the {there} that may be posted"
            how += "" if option is None or not option.none else f", and {NO_COLLECTION!r} is allowed ({option.none})"
        return f"no collection is posted, and a live table does not open without one: choose a schedule; {how}"

    def posted(self, chosen: Chosen) -> Posted:
        """The collection schedule that a table posts, by its id, or by its id with the house's own answers."""
        if self._rides and "schedule" not in self.data.options:
            return self._posted_for_base(chosen)
        posted = choose_schedule(chosen, self.data.cardroom, self.fee_game)
        at = posted.schedule.collect_at
        if at is not None and at not in self.game.fee_moments:
            raise RulesError(
                f"schedule = {posted.schedule.id!r} is collected {at}; "
                f"the game {self.game.slug} knows {', '.join(self.game.fee_moments)}"
            )
        return posted

    def _posted_for_base(self, chosen: Chosen) -> Posted:
        """The fees of a table are those of the game under its side bet."""
        reasons = []
        for name in self.data.sheet["base_games"]:
            try:
                return self._base(name).posted(chosen)
            except RulesError as error:
                reasons.append(str(error))
        raise RulesError("; ".join(reasons))


class Rulesets(Mapping[str, Ruleset]):
    """The project's rulesets by slug; each file is read when its ruleset is first asked for."""

    def __init__(self) -> None:
        self._files = {_slug(name): (name, file) for name, file in ruleset_files()}
        self._read: dict[str, Ruleset] = {}

    def __getitem__(self, slug: str) -> Ruleset:
        if slug not in self._read:
            name, file = self._files[slug]
            self._read[slug] = _read(file, name)
        return self._read[slug]

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)


@cache
def all_rulesets() -> Rulesets:
    """Every ruleset of the project by its slug: the names of folder and file, as `bankers-ez-baccarat-panda-8`."""
    return Rulesets()


def _slug(name: str) -> str:
    return name.removesuffix(".toml").replace("/", "-")


def ruleset_files() -> Iterator[tuple[str, Traversable]]:
    """The project's ruleset files, each by its name: `bankers/ez-baccarat-panda-8.toml`."""
    for folder in sorted(resources.files(__name__).iterdir(), key=lambda item: item.name):
        if folder.is_dir():
            for file in sorted(folder.iterdir(), key=lambda item: item.name):
                if file.name.endswith(".toml"):
                    yield f"{folder.name}/{file.name}", file


def no_such_ruleset(slug: str, known: Iterable[str]) -> str:
    """That there is none of this name, and which one was perhaps meant."""
    names = list(known)
    return f"there is no ruleset {slug!r}.{nearest(slug, names)} `cutcard rules list` names the {len(names)} there are."


def load(slug: str) -> Ruleset:
    try:
        return all_rulesets()[slug]
    except KeyError:
        raise RulesError(no_such_ruleset(slug, all_rulesets())) from None


def printed_title(slug: str, game: Game[Any]) -> str:
    """What the approval calls the game, since several rulesets share a script; of a ruleset without a file, what the
    script is called."""
    ruleset = all_rulesets().get(slug)
    return game.title if ruleset is None else ruleset.data.title


def resolve(slug: str, chosen: Mapping[str, Any]) -> Rules[Any]:
    """A ruleset made ready for a table: what `TableEngine` asks for."""
    # It reads rulesets itself.
    from controller.rules.readings import readings_of

    ruleset = load(slug)
    readings = tuple(
        NamedReading(reading.name, reading.digest[:ENGINE_DIGITS]) for reading in readings_of(ruleset, chosen)
    )
    return Rules(
        ruleset.game,
        ruleset.options(chosen),
        ruleset.digest_with(chosen),
        ruleset.rotation(chosen),
        readings,
        ruleset.lacks_collection(chosen),
        ruleset.procedures(chosen),
        ruleset.schedules_to_post,
    )


@cache
def _to_post(slug: str) -> tuple[Postable, ...]:
    ruleset = load(slug)
    return tuple(
        Postable(name, _in_words(printed_schedule(name).schedule))
        for name in ruleset.printed_schedules
        if ruleset.postable(name) == name
    )


def _in_words(schedule: Schedule) -> str:
    """A schedule as a person chooses it: its name, and its stakes or limits."""
    stakes = stakes_in_words(schedule)
    if not stakes and schedule.is_banked:
        top = "up" if schedule.table_max is None else f"to {dollars(schedule.table_max)}"
        stakes = f"{dollars(schedule.table_min)} {top}"
    if not stakes and schedule.point is not None:
        stakes = f"{dollars(schedule.point)} a point"
    return f"{schedule.id}: {stakes}" if stakes else schedule.id


def _read(file: Traversable, name: str) -> Ruleset:
    content = file.read_bytes()
    if found := problems(content, name):
        raise RulesError(". ".join(found))
    data = _with_house_options(msgspec.convert(loads(content.decode()), RulesetData))
    return Ruleset(data, GAMES[data.game], name, hashlib.sha256(content).hexdigest())


@cache
def _house_file() -> bytes:
    """Options of every house that no approval prints."""
    return resources.files(__name__).joinpath("house.toml").read_bytes()


def _with_house_options(data: RulesetData) -> RulesetData:
    """The ruleset with the options of every house, where its text does not print the same procedure. A side bet has
    them from the game that it rides on."""
    if "base_game" in data.options or "base_game" in data.sheet:
        return data
    own = {*data.options, *(f"{PROCEDURE}{name}" for name in data.procedures.printed)}
    house = msgspec.convert(loads(_house_file().decode())["options"], dict[str, OptionData])
    if not GAMES[data.game].uses_shoe:
        own.add(f"{PROCEDURE}relief_burn")
    return replace(data, options={**data.options, **{name: it for name, it in house.items() if name not in own}})
