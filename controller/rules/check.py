"""What is wrong with a ruleset, each thing with file, key and reason.

`controller.rules` asks `problems` of every file that it loads, so a ruleset that contradicts itself cannot be dealt;
`cutcard rules check` reports all of it at once, also of a draft that is not part of the project.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path, PurePath
from types import UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from controller.engine.bank.rotation import Rotation
from controller.engine.bets.back_line import BackLine
from controller.engine.cards.card import JOKER
from controller.engine.procedures.rules import Procedures
from controller.engine.round.game import Game
from controller.games import GAMES
from controller.plain_files import read_plain
from controller.rules.errors import RulesError
from controller.rules.schedules import all_schedules, read_schedules
from controller.toml_text import loads
from protocols.type_errors import problem

ODDS = re.compile(r"[1-9]\d*:[1-9]\d*")
"""What a pay table prints: "3:2", three to two."""

ROTATION = "rotation_"
"""What the names of options begin with that are readings of the player-dealer's rotation."""
BACK_LINE = "back_line_"
"""The same, of what bettors other than the seated player may do."""
PROCEDURE = "procedure_"
"""What the names of options begin with that are about procedures beside the rounds."""
BESIDE_THE_GAME = (ROTATION, BACK_LINE, PROCEDURE)
"""Options with these names are the table's, not the game's."""
OF_A_KIND = {"pair": 2, "three_of_a_kind": 3, "four_of_a_kind": 4, "five_of_a_kind": 5}


LETTER = re.compile(r"\b(?:[A-C]|[A-Z][A-Z0-9]+-)\d{1,2}\b")
"""A letter of a reading: A4, HAB-17, D7-4."""


class Checked(Struct, frozen=True):
    """What was looked at, and everything that is wrong with it."""

    rulesets: int
    schedules: int
    problems: list[str]


def problems(content: bytes, file: str) -> list[str]:
    """Everything that keeps the ruleset in a file from being dealt; empty where nothing does."""
    try:
        raw = loads(content.decode())
    except UnicodeDecodeError:
        return [f"{file}: it is not in UTF-8. Save it as UTF-8."]
    except tomllib.TOMLDecodeError as error:
        return [f"{file}: this is not TOML: {error}"]
    return [f"{file}: {found}" for found in _first_problems(raw, file)]


def check(ruleset: str | None = None) -> Checked:
    """Check one ruleset of the project by its slug, a draft by its path, or all there is, schedules too."""
    if ruleset is not None and ruleset.endswith(".toml"):
        return _check_draft(ruleset)
    # `controller.rules` itself asks this module when it loads.
    from controller.rules import no_such_ruleset, ruleset_files

    files = {name.removesuffix(".toml").replace("/", "-"): (name, file) for name, file in ruleset_files()}
    if ruleset is not None:
        if ruleset not in files:
            raise RulesError(no_such_ruleset(ruleset, files))
        files = {ruleset: files[ruleset]}
    found = [wrong for name, file in files.values() for wrong in problems(file.read_bytes(), name)]
    schedules = 0
    if ruleset is None:
        try:
            schedules = len(all_schedules())
        except RulesError as error:
            found.append(str(error))
    return Checked(len(files), schedules, found)


def _check_draft(file: str) -> Checked:
    """A file of somebody's own: a ruleset, or schedules."""
    try:
        content = read_plain(Path(file))
    except OSError as error:
        raise RulesError(f"The file {file} cannot be read: {error.strerror}.") from None
    if b"[[schedule]]" not in content:
        return Checked(1, 0, problems(content, file))
    try:
        return Checked(0, len(list(read_schedules(content.decode(), file))), [])
    except (RulesError, UnicodeDecodeError) as error:
        return Checked(0, 1, [str(error)])


def explain(error: msgspec.ValidationError, kind: Any, key: str = "") -> str:
    """A conversion that failed: key, reason and what is allowed there."""
    text, _, place = str(error).partition(" - at `")
    # "`key` in `$.pays.trips`" where a table has a row of a name that it cannot have.
    is_row = place.startswith("key`")
    path = [part for part in place.partition("$")[2].replace("[...]", "").rstrip("`").split(".") if part]
    for name in path:
        kind = _field(kind, name)
    values = allowed(get_args(kind)[0]) if is_row and get_args(kind) else allowed(kind)
    where = ".".join([key, *path] if key else path)
    if values and text.startswith("Invalid"):
        return f"{where}: {text.rpartition(' ')[2]} is none of {', '.join(map(str, values))}"
    text = problem(text)
    # A type's own words, raised by its `__post_init__`, may name the key themselves.
    return text if not where or text.startswith(f"{where}.") else f"{where}: {text}"


def _first_problems(raw: Mapping[str, Any], file: str) -> list[str]:
    """Step by step: what comes later cannot be asked before what comes first is right."""
    for step in (_shape, _names, _options, _readings, _rotation, _back_line, _procedures, _pays, _together):
        if found := list(step(raw, file)):
            return found
    return []


def _shape(raw: Mapping[str, Any], file: str) -> Iterator[str]:
    from controller.rules import OptionData, RulesetData

    options = raw.get("options", {})
    try:
        msgspec.convert({**raw, "options": {}}, RulesetData)
    except msgspec.ValidationError as error:
        yield explain(error, RulesetData)
    if not isinstance(options, dict):
        yield "options: write one table for each option, [options.name]"
        return
    for name, option in options.items():
        try:
            msgspec.convert(option, OptionData)
        except msgspec.ValidationError as error:
            yield explain(error, OptionData, f"options.{name}")


def _names(raw: Mapping[str, Any], file: str) -> Iterator[str]:
    slug, cardroom, path = raw["slug"], raw["cardroom"], PurePath(file)
    if raw["game"] not in GAMES:
        yield f"game: {raw['game']!r} is none of {', '.join(GAMES)}"
    if not slug.startswith(f"{cardroom}-"):
        yield f"slug: {slug!r} does not begin with the cardroom, {cardroom}-"
    elif (path.parent.name, path.stem) != (cardroom, slug.removeprefix(f"{cardroom}-")) and path.stem != slug:
        wanted = f"{cardroom}/{slug.removeprefix(f'{cardroom}-')}.toml"
        yield f"slug: {slug!r} does not match the file's name; it would be {wanted}"


def _options(raw: Mapping[str, Any], file: str) -> Iterator[str]:
    game = GAMES[raw["game"]]
    fields = {field.name: field for field in msgspec.structs.fields(game.options_type)}
    known = ", ".join(name for name in fields if name != "pays")
    options, sheet = dict(raw.get("options", {})), raw.get("sheet", {})
    for name in [name for name in options if name.startswith(BESIDE_THE_GAME)]:
        del options[name]
    for table, names in (("options", options), ("sheet", sheet)):
        for name in names:
            if name not in fields:
                yield f"{table}.{name}: the game {game.slug} has no such option; it has {known}"
    for name in raw.get("lines", {}):
        if name not in sheet:
            yield f"lines.{name}: [sheet] has no such key"
    for name in options.keys() & sheet.keys():
        yield f"options.{name}: [sheet] fixes it, so no table can choose it; write it in one of the two"
    given = {*options, *sheet, *raw}
    if "base_game" in given:
        # Filled in by the ruleset that it rides on.
        given.add("base")
    for name, field in fields.items():
        if field.required and name not in given:
            yield f"{'pays' if name == 'pays' else f'options.{name}'}: missing, the game {game.slug} needs it"
    kinds = get_type_hints(game.options_type, include_extras=True)
    for name in fields.keys() & options.keys():
        # These are chosen by name; whether there is such a one is asked when all options come together.
        if name not in ("schedule", "house_way"):
            yield from _default(name, options[name], kinds[name])


def _readings(raw: Mapping[str, Any], file: str) -> Iterator[str]:
    """What is read has an entry of its own with the lines that leave it open; a note only states what is printed."""
    options = raw.get("options", {})
    for name, reading in raw.get("readings", {}).items():
        if name in options:
            yield f"readings.{name}: an option has that name; one of the two is called otherwise"
        if not reading.get("source"):
            yield f"readings.{name}.source: missing, the lines that leave it open"
    for letter in dict.fromkeys(LETTER.findall(raw.get("note", ""))):
        yield f"note: {letter} is a reading; write it as [readings.NAME], or as an option with `reading`"


def _rotation(raw: Mapping[str, Any], file: str) -> Iterator[str]:
    """Everything about the player-dealer's position is printed, with its line, or a reading; never both or neither."""
    fields = {field.name: field for field in msgspec.structs.fields(Rotation)}
    needed = [name for name, field in fields.items() if field.required]
    yield from _printed_or_read(raw, _Points("rotation", Rotation, "player-dealer's position"), tuple(fields), needed)


def _back_line(raw: Mapping[str, Any], file: str) -> Iterator[str]:
    """So is everything about the back line that the game asks a bettor; where there is none, nothing more."""
    game, sheet = GAMES[raw["game"]], raw.get("sheet", {})
    known = ("wagers", *game.back_line_decisions)
    never = {point for point, key in NEVER_ASKED.items() if sheet.get(key, True) in (False, 0)}
    forbidden = raw.get("back_line", {}).get("wagers") == "none"
    needed = known[:1] if forbidden else [name for name in known if name not in never]
    yield from _printed_or_read(raw, _Points("back_line", BackLine, "back line"), known, needed)


NEVER_ASKED = {"surrender": "surrender", "insurance": "insurance", "split": "max_splits", "unsplit": "max_splits"}
"""What nobody decides at a table whose sheet does not have it."""


class _Points(NamedTuple):
    """A table of a ruleset whose points are printed, or readings."""

    table: str
    kind: type[Struct]
    what: str


def _printed_or_read(
    raw: Mapping[str, Any], points: _Points, known: Sequence[str], needed: Sequence[str]
) -> Iterator[str]:
    """Each point is printed in its table, with its line, or is a reading: an option with the table's name before it."""
    table, game, prefix = points.table, GAMES[raw["game"]], f"{points.table}_"
    of = f"a {table.replace('_', ' ')}"
    options, sheet = raw.get("options", {}), raw.get("sheet", {})
    read = {name.removeprefix(prefix) for name in options if name.startswith(prefix)}
    printed = {name for name in raw.get(table, {}) if name != "source"}
    if not game.has_player_dealer or "base_game" in options or "base_game" in sheet:
        for name in sorted(read | printed):
            yield f"{table}.{name}: the game {game.slug} has no {points.what} of its own"
        return
    for name in sorted(read - set(known)):
        yield f"options.{prefix}{name}: there is no such point of {of}; there is {', '.join(known)}"
    for name in sorted(printed - set(known)):
        yield f"{table}.{name}: the game {game.slug} has no such point; it has {', '.join(known)}"
    for name in sorted(read & printed):
        yield f"{table}.{name}: write it here, where it is printed, or as the option {prefix}{name}; not both"
    for name in needed:
        if name not in read | printed:
            yield f"{table}.{name}: missing; where the text leaves it open, write the option {prefix}{name}"
    for name in sorted(printed - raw.get(table, {}).get("source", {}).keys()):
        yield f"{table}.source.{name}: missing, the lines of the approval"
    for name in sorted(read & set(known)):
        option = options[f"{prefix}{name}"]
        yield from _default(f"{prefix}{name}", option, get_type_hints(points.kind, include_extras=True)[name])
        if not option.get("reading"):
            yield f"options.{prefix}{name}.reading: missing; an option of {of} is a reading"


def _procedures(raw: Mapping[str, Any], file: str) -> Iterator[str]:
    """Each procedure is printed, with its line, or the house's choice; what is neither is as docs/table/procedures.md
    has it for every house."""
    options, printed = raw.get("options", {}), {k for k in raw.get("procedures", {}) if k != "source"}
    read = {name.removeprefix(PROCEDURE) for name in options if name.startswith(PROCEDURE)}
    kinds = get_type_hints(Procedures, include_extras=True)
    for name in sorted(read - kinds.keys()):
        yield f"options.{PROCEDURE}{name}: there is no such procedure; there is {', '.join(kinds)}"
    for name in sorted(read & printed):
        yield f"procedures.{name}: write it here, where it is printed, or as the option {PROCEDURE}{name}; not both"
    for name in sorted(printed - raw.get("procedures", {}).get("source", {}).keys()):
        yield f"procedures.source.{name}: missing, the lines of the approval"
    for name in sorted(read & kinds.keys()):
        yield from _default(f"{PROCEDURE}{name}", options[f"{PROCEDURE}{name}"], kinds[name])


def _default(name: str, option: Mapping[str, Any], kind: Any) -> Iterator[str]:
    try:
        msgspec.convert(option.get("default"), kind)
    except msgspec.ValidationError as error:
        if "default" in option:
            yield f"{explain(error, kind, f'options.{name}.default')} (it is {option['default']!r})"
        else:
            yield f"options.{name}.default: missing"


def _pays(raw: Mapping[str, Any], file: str) -> Iterator[str]:
    for key, value in _leaves(raw.get("pays", {}), "pays"):
        if isinstance(value, str) and not ODDS.fullmatch(value):
            yield f"{key}: {value!r} is no odds; write them as 3:2 or 40:1"
        elif not isinstance(value, str) and (not isinstance(value, int) or isinstance(value, bool) or value < 0):
            yield f"{key}: {value!r} is neither odds such as 3:2 nor an amount in cents"


def _together(raw: Mapping[str, Any], file: str) -> Iterator[str]:
    """What only the whole set of options shows, and what only the deck does."""
    from controller.rules import Ruleset, RulesetData

    game: Game[Any] = GAMES[raw["game"]]
    try:
        ruleset = Ruleset(msgspec.convert(raw, RulesetData), game, file, "")
        options = ruleset.options()
        ruleset.rotation()
        ruleset.procedures()
    except RulesError as error:
        yield str(error).removeprefix(f"{file}: ")
        return
    deck = game.deck(options)
    if deck is not None:
        yield from _impossible_rows(raw.get("pays", {}), deck)


def _impossible_rows(pays: Mapping[str, Any], deck: Mapping[str, int]) -> Iterator[str]:
    """Rows for more cards of a kind than the deck has. What else a game's hands can be, its own options know."""
    held = Counter[str]()
    for code, count in deck.items():
        held[code[0] if code != JOKER else JOKER] += count
    jokers = held.pop(JOKER, 0)
    most = max(held.values(), default=0) + jokers
    for key, _ in _leaves(pays, "pays"):
        if OF_A_KIND.get(key.rpartition(".")[2], 0) > most:
            yield f"{key}: the deck cannot make that hand; it has {most} of a kind at most"


def _leaves(table: Mapping[str, Any], key: str) -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _leaves(value, f"{key}.{name}")
        else:
            yield f"{key}.{name}", value


def _field(kind: Any, name: str) -> Any:
    """The type of a field, None where it cannot be said."""
    structs = [part for part in (kind, *get_args(kind)) if isinstance(part, type) and issubclass(part, Struct)]
    return get_type_hints(structs[0], include_extras=True).get(name) if structs else None


def allowed(kind: Any) -> tuple[Any, ...]:
    """The values of a type that has only some."""
    if isinstance(kind, type) and issubclass(kind, Enum):
        return tuple(member.value for member in kind)
    origin = get_origin(kind)
    if origin is Literal:
        return get_args(kind)
    if origin in (Annotated, Union, UnionType):
        return tuple(value for part in get_args(kind) for value in allowed(part))
    return ()
