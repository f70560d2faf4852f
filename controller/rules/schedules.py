"""Collection schedules: what a cardroom may charge for a hand, as its documents print it.

TOML files under `<cardroom>/collections/`: a head with the readings that all of its schedules share (which band takes
an amount between two bands, what becomes of the fee of a void hand), then the schedules, each with its source lines.
There are over a thousand, and a table posts one: a file is cut into its schedules by their `[[schedule]]` lines, and
only the one that is asked for is parsed.

A schedule that nobody could charge by is refused with file, key and reason: a hole or an overlap in a ladder that is
not marked as a reading, a percentage, more rates than the law allows. One that only lacks what the house has to say
(its rate, an amount that the document has lost) is there, but cannot be posted without it.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Any, NamedTuple, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from controller.engine.fees.open_points import chosen_by, is_open, read_otherwise
from controller.engine.fees.schedule import OPEN_POINTS, Basis, House, Ladder, Schedule, ladders
from controller.rules.errors import RulesError
from controller.rules.reading_data import ReadingData
from controller.toml_text import loads
from protocols.type_errors import in_words

MOST_RATES = 5
"""Penal Code 337j(f): at most five collection rates at a table. Distinct amounts, zero not counted; where a schedule
prints rates of several amounts each, those (collections, R12)."""
LAW = "Penal Code 337j(f)"
DOLLAR = 100
SERVED_AS = {("bankers", "razz"): "seven-card-stud"}
"""Games that have no schedule of their own and take another's (collections, section 6: a reading)."""
NO_COLLECTION = "none"
"""What a house writes in place of a schedule's id to take no collection, where a line of its approval allows it."""
BOUND = (
    "structure",
    "stakes",
    "stakes_from",
    "stakes_to",
    "spread",
    "bets",
    "min_bet",
    "open_limit",
    "blinds",
    "ante",
    "kondition",
    "point",
    "buy_in_min",
    "buy_in_max",
    "table_min",
    "table_max",
)
"""What a schedule binds at the table: options that are posted together have it in common."""
NAMED = 12
"""How many ids an error names; some games have hundreds."""

_SCHEDULE = re.compile(r"^\[\[schedule\]\]\n", re.MULTILINE)
_ID = re.compile(r'^id = "([^"]+)"$', re.MULTILINE)
_GAMES = re.compile(r"^games = \[([^\]]*)\]$", re.MULTILINE)

Chosen = str | Sequence[str] | Mapping[str, Any]
"""How a table names what it posts: an id, several for different numbers of players, or a table with `id` and what the
house posts beside it (`House`)."""


class Posted(Struct, frozen=True):
    """A schedule, its cardroom and its file."""

    schedule: Schedule
    cardroom: str
    file: str
    readings: dict[str, ReadingData] = {}
    """What the file reads, for all of its schedules."""
    as_printed: Schedule | None = None
    """Before the house read its open points otherwise; absent: it does not."""

    @property
    def digest(self) -> str:
        encoded = msgspec.json.encode(self.schedule, order="deterministic")
        return hashlib.sha256(encoded).hexdigest()


class Entry(NamedTuple):
    """A schedule that is not parsed yet."""

    id: str
    games: tuple[str, ...]
    cardroom: str
    file: str
    head: str
    text: str

    def posted(self) -> Posted:
        """The head of its file is read once, since a file has up to hundreds of schedules."""
        raws = _toml(f"[[schedule]]\n{self.text}", self.file)["schedule"]
        (made,) = _checked(_read_head(self.head, self.file), raws, self.file, self.cardroom)
        return made


@cache
def index() -> Mapping[str, Entry]:
    """Every schedule of the project by its id, none of them parsed."""
    found: dict[str, Entry] = {}
    for room in sorted(resources.files(__package__).iterdir(), key=lambda item: item.name):
        folder = room / "collections"
        if room.is_dir() and folder.is_dir():
            for file in sorted(folder.iterdir(), key=lambda item: item.name):
                if file.name.endswith(".toml"):
                    for entry in _entries(file.read_text("utf-8"), f"{room.name}/collections/{file.name}", room.name):
                        if entry.id in found:
                            raise RulesError(f"{entry.file}: schedule {entry.id!r} is in {found[entry.id].file} too")
                        found[entry.id] = entry
    return found


def _entries(content: str, file: str, cardroom: str) -> Iterator[Entry]:
    head, *blocks = _SCHEDULE.split(content)
    for number, block in enumerate(blocks, start=1):
        name, games = _ID.search(block), _GAMES.search(block)
        if name is None or games is None:
            raise RulesError(f"{file}: schedule number {number}: write id and games on lines of their own")
        slugs = tuple(part.strip().strip('"') for part in games.group(1).split(",") if part.strip())
        yield Entry(name.group(1), slugs, cardroom, file, head, block)


@cache
def posted(name: str) -> Posted:
    """One schedule by its id; `KeyError` where there is none."""
    return index()[name].posted()


@cache
def all_schedules() -> Mapping[str, Posted]:
    """Every schedule of the project by its id, parsed and checked."""
    return {name: posted(name) for name in index()}


@cache
def available(cardroom: str, game: str) -> tuple[str, ...]:
    """Ids of the schedules that a cardroom may post for a game."""
    return tuple(name for name, entry in index().items() if _serves(entry, cardroom, game))


def _serves(entry: Entry, cardroom: str, game: str) -> bool:
    return entry.cardroom == cardroom and (game in entry.games or SERVED_AS.get((cardroom, game)) in entry.games)


def find(name: str, cardroom: str, game: str) -> Posted:
    """The schedule with this id, if it is one that this cardroom may post for this game."""
    entry = index().get(name)
    if entry is None or not _serves(entry, cardroom, game):
        known = available(cardroom, game)
        there = ", ".join(known[:NAMED]) or "none"
        more = f" and {len(known) - NAMED} more; `cutcard rules show` lists them" if len(known) > NAMED else ""
        raise RulesError(
            f"schedule = {name!r} is no collection schedule of {game} at {cardroom}; there is {there}{more}"
        )
    found = posted(name)
    return replace(found, schedule=found.schedule.for_game(game))


def choose(chosen: Chosen, cardroom: str, game: str) -> Posted:
    """What a table posts: the schedule, or several as one, with what the house adds; refused where that is not all."""
    if isinstance(chosen, Mapping) and "fee" in chosen:
        return _of_house(chosen, cardroom, game)
    names, house = _named(chosen)
    found = [find(name, cardroom, game) for name in names]
    together = _together([item.schedule for item in found])
    ready = read_by_house(replace(together, house=house), found[0].readings, game)
    for problem in not_ready(ready):
        raise RulesError(f"schedule = {ready.id!r}: {problem}")
    return replace(found[0], schedule=ready, as_printed=together)


def read_by_house(schedule: Schedule, readings: Mapping[str, ReadingData], game: str) -> Schedule:
    """The schedule as this house reads the points that its document leaves open."""
    for name in chosen_by(schedule.house):
        if name not in readings or not concerns(name, readings[name], schedule, game):
            raise RulesError(f"schedule = {schedule.id!r}: {name}: the document leaves nothing open here")
    try:
        return read_otherwise(schedule)
    except ValueError as error:
        raise RulesError(f"schedule = {schedule.id!r}: {error}") from None


def concerns(name: str, data: ReadingData, schedule: Schedule, game: str) -> bool:
    """Whether a reading of the file is about this schedule, posted for this game."""
    if data.games and game not in data.games:
        return False
    return name not in OPEN_POINTS or is_open(schedule, name)


def _of_house(chosen: Mapping[str, Any], cardroom: str, game: str) -> Posted:
    """The house's own schedule, where the room's documents print none for the game. It names its own document."""
    if printed := available(cardroom, game):
        raise RulesError(
            f"schedule: {game} at {cardroom} has {len(printed)} printed schedules; name one of them by its id. A house "
            "writes its own only where none is printed"
        )
    if not chosen.get("document"):
        raise RulesError('schedule: name the approval that prints it, document = "..."')
    readings = {"between_bands": "next", "on_void": "floor_decides", "limits_bind": True}
    for problem in _unprintable(chosen):
        raise RulesError(f"schedule: {problem}")
    try:
        made = msgspec.convert({**readings, "id": "house", **chosen, "games": (game,)}, Schedule)
    except msgspec.ValidationError as error:
        raise RulesError(f"schedule: {in_words(error)}") from None
    for problem in (*problems(made), *not_ready(made)):
        raise RulesError(f"schedule = {made.id!r}: {problem}")
    return Posted(made, cardroom, "")


def _named(chosen: Chosen) -> tuple[list[str], House]:
    if isinstance(chosen, str):
        return [chosen], House()
    if isinstance(chosen, list | tuple):
        return _ids(chosen), House()
    if not isinstance(chosen, Mapping):
        raise RulesError(f"schedule = {chosen!r}: name it by its id")
    rest = dict(chosen)
    names = rest.pop("id", None)
    if not names:
        raise RulesError("schedule: name it, id = ...")
    try:
        house = msgspec.convert(rest, House)
    except msgspec.ValidationError as error:
        raise RulesError(f"schedule: {in_words(error)}") from None
    return [names] if isinstance(names, str) else _ids(names), house


def _ids(names: Any) -> list[str]:
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise RulesError("schedule: expected the ids of schedules. Write each in quotes.")
    return list(names)


def _together(schedules: Sequence[Schedule]) -> Schedule:
    """Options posted together, each for its own number of players, as one schedule."""
    first, *others = schedules
    if not others:
        return first
    if any(row.basis != "players_dealt" for item in schedules for row in item.fee):
        raise RulesError("schedule: only options for different numbers of players may be posted together")
    for field in BOUND:
        if any(getattr(item, field) != getattr(first, field) for item in others):
            raise RulesError(
                f"schedule: {field} is not the same in the options posted together; only one table limit is used at a "
                "table at any one time"
            )
    name, option = (" + ".join(getattr(item, field) for item in schedules) for field in ("id", "option"))
    made = replace(first, id=name, option=option, fee=sum((item.fee for item in schedules), ()))
    if len(schedules) > MOST_RATES:
        raise RulesError(f"schedule: {len(schedules)} options; at most {MOST_RATES} rates may be posted ({LAW})")
    for problem in problems(made):
        raise RulesError(f"schedule = {made.id!r}: {problem}")
    return made


def not_ready(schedule: Schedule) -> Iterator[str]:
    """What the house has to say before this schedule can be posted."""
    house = schedule.house
    rates = sorted({row.rate for row in schedule.fee if row.rate is not None})
    if rates and house.rate not in rates:
        yield f"rate: the house posts one of {', '.join(map(str, rates))}; write rate = ..."
    intervals = sorted({row.minutes for row in schedule.fee if row.basis == "per_time" and row.minutes is not None})
    if len(intervals) > 1 and house.minutes not in intervals:
        yield f"minutes: the house posts one interval, {' or '.join(map(str, intervals))}; write minutes = ..."
    if schedule.fee_unknown and house.missing_fee is None:
        yield "fee_unknown: the document does not print this amount; the house sets it: missing_fee = cents"
    if any(row.basis == "unspecified" for row in schedule.fee) and not (house.per_hand or house.minutes):
        yield "the document prints no unit for this fee; write per_hand = true or minutes = ..."
    has_jackpot = any(row.kind == "jackpot" and row.payer == "player_dealer" for row in schedule.fee)
    if has_jackpot and house.jackpot_minimum_hands is None:
        yield "jackpot_minimum_hands: the posted number of hands with a wager; the document has no default"
    if house.strict and (schedule.reading or any(row.reading for row in schedule.fee)):
        yield "strict: it rests on a reading that the house has not confirmed; `cutcard rules show` names it"


def first_answers(schedule: Schedule) -> dict[str, Any]:
    """What a house may answer where a schedule leaves it open: the first printed rate and interval; a fee without a
    printed unit is charged by the hand."""
    rates = [row.rate for row in schedule.fee if row.rate is not None]
    intervals = [row.minutes for row in schedule.fee if row.basis == "per_time" and row.minutes is not None]
    answers: dict[str, Any] = {"rate": min(rates)} if rates else {}
    if len(set(intervals)) > 1:
        answers["minutes"] = intervals[0]
    if any(row.basis == "unspecified" for row in schedule.fee):
        answers["per_hand"] = True
    return answers


def read_schedules(content: str, name: str, cardroom: str = "") -> Iterator[Posted]:
    """The schedules of one file's text, each checked; `RulesError` names file, schedule and reason."""
    head = _toml(content, name)
    raws = head.pop("schedule", None)
    checked = _head(head, name)
    if raws is not None and not (isinstance(raws, list) and all(isinstance(raw, dict) for raw in raws)):
        raise RulesError(f"{name}: schedule: expected one table for each schedule. Write [[schedule]] before each.")
    return _checked(checked, raws or (), name, cardroom)


def _toml(content: str, name: str) -> dict[str, Any]:
    try:
        return loads(content)
    except tomllib.TOMLDecodeError as error:
        raise RulesError(f"{name}: {error}") from None


class _Head(NamedTuple):
    """What a file has for all of its schedules."""

    fields: Mapping[str, Any]
    readings: dict[str, ReadingData]


@cache
def _read_head(content: str, name: str) -> _Head:
    return _head(_toml(content, name), name)


def _head(tables: dict[str, Any], name: str) -> _Head:
    try:
        readings = msgspec.convert(tables.pop("readings", {}), dict[str, ReadingData])
    except msgspec.ValidationError as error:
        raise RulesError(f"{name}: readings: {in_words(error)}") from None
    for key in ("between_bands", "on_void"):
        if key not in tables:
            raise RulesError(f"{name}: the key {key} is missing. Write it at the top of the file.")
    return _Head(tables, readings)


def _checked(head: _Head, raws: Sequence[dict[str, Any]], name: str, cardroom: str) -> Iterator[Posted]:
    seen: set[str] = set()
    for number, raw in enumerate(raws, start=1):
        where = f"{name}: schedule {raw.get('id', f'number {number}')}"
        for problem in _unprintable(raw):
            raise RulesError(f"{where}: {problem}")
        try:
            schedule = msgspec.convert({**head.fields, **raw}, Schedule)
        except msgspec.ValidationError as error:
            raise RulesError(f"{where}: {in_words(error)}") from None
        if schedule.id in seen:
            raise RulesError(f"{where}: id: another schedule of this file has it too")
        seen.add(schedule.id)
        for problem in problems(schedule):
            raise RulesError(f"{where}: {problem}")
        yield Posted(schedule, cardroom, name, head.readings)


def _unprintable(raw: Mapping[str, Any]) -> Iterator[str]:
    """Fees that are no amount at all."""
    bases: tuple[str, ...] = get_args(Basis)
    rows = raw.get("fee", ())
    if not (isinstance(rows, list | tuple) and all(isinstance(row, dict) for row in rows)):
        yield "fee: expected one table for each fee. Write [[schedule.fee]] before each."
        return
    for row in rows:
        if "percent" in row or (isinstance(row.get("fee"), str) and "%" in row["fee"]):
            yield f"fee: a percentage; a fee is a flat amount in cents, never a part of wagers or winnings ({LAW})"
        if row.get("fee_unknown"):
            yield "fee_unknown: the document does not print this amount; the cardroom has to give it first"
        if row.get("basis") not in bases:
            yield (
                f"basis: {row.get('basis')!r} is none of {', '.join(bases)}; a fee is fixed before the first card, "
                f"so nothing that the hand decides can be its basis ({LAW})"
            )


def problems(schedule: Schedule) -> Iterator[str]:
    """What keeps a schedule from being charged by."""
    if schedule.table_min < 0 or (schedule.table_max is not None and schedule.table_max < schedule.table_min):
        yield f"table_min = {schedule.table_min}, table_max = {schedule.table_max} are no limits"
    if not schedule.games:
        yield "games: none; say which games it is posted for"
    if not schedule.fee:
        yield "fee: no rows; a table that takes no fees posts no schedule"
    if any(row.fee is not None and row.fee < 0 for row in schedule.fee):
        yield "fee: an amount below zero"
    if any(row.lowest is not None and row.lowest < 0 for row in schedule.fee):
        yield "fee: a band from below zero"
    if any(row.fee is None and not row.lost for row in schedule.fee) and not schedule.fee_unknown:
        yield "fee: no amount; say lost = true where the document has lost it"
    yield from _moment_problems(schedule)
    rates = {row.rate for row in schedule.fee if row.rate} or {row.fee for row in schedule.fee if row.fee}
    if len(rates) > MOST_RATES:
        yield f"fee: {len(rates)} different amounts; at most {MOST_RATES} rates may be posted at a table ({LAW})"
    seen = set()
    for ladder in _printed_ladders(schedule):
        kind = ladder.rows[0][1].drop, *ladder[:8]
        if kind in seen and ladder.basis != "players_dealt":
            yield f"fee: the {ladder.payer} rows by {ladder.basis} do not stand together"
        seen.add(kind)
        for problem in _ladder_problems(schedule, ladder):
            yield f"fee, {ladder.payer} by {ladder.basis}: {problem}"
    yield from _counting_problems(schedule)


def _moment_problems(schedule: Schedule) -> Iterator[str]:
    """A fee that nobody knows when to take."""
    if schedule.collect_at is not None or set(schedule.games) <= schedule.by_game.keys():
        return
    for row in schedule.fee:
        if row.payer in ("player", "player_dealer") and row.basis not in ("per_time", "unspecified"):
            yield "collect_at: missing; say when the fees are taken"
            return


def _printed_ladders(schedule: Schedule) -> Iterator[Ladder]:
    """The ladders of every printed rate and interval, posted or not."""
    rates = sorted({row.rate for row in schedule.fee if row.rate is not None})
    for house in [House(rate=rate) for rate in rates] or [House()]:
        yield from ladders(replace(schedule, house=house))


def _ladder_problems(schedule: Schedule, ladder: Ladder) -> Iterator[str]:
    rows = [row for _, row in ladder.rows]
    first, last = rows[0], rows[-1]
    if ladder.basis in ("players_dealt", "per_time", "unspecified"):
        return
    if ladder.basis in ("per_hand", "per_spot") or (len(rows) == 1 and first.lowest is None):
        if len(rows) > 1 or first.lowest is not None or first.highest is not None:
            yield "a flat fee is one row without from and to"
        return
    if any(row.lowest is None for row in rows):
        yield "every band needs from"
        return
    least = schedule.bonus_min if ladder.basis == "bonus_wager" else schedule.table_min
    if first.lowest is not None and first.lowest > (least or 0) and not first.reading and ladder.kind != "additional":
        yield f"gap below {first.lowest}: the table begins at {least}"
    for row in rows:
        if row.highest is not None and row.lowest is not None and row.highest < row.lowest:
            yield f"the band from {row.lowest} ends at {row.highest}"
    for row, above in pairwise(rows):
        assert row.lowest is not None
        assert above.lowest is not None
        if row.reading or above.reading:
            continue
        if row.highest is None:
            yield f"overlap: the band from {row.lowest} is open, yet one from {above.lowest} follows"
        elif above.lowest <= row.highest:
            yield f"overlap at {above.lowest}: the band before it runs to {row.highest}"
        elif above.lowest > row.highest + DOLLAR:
            yield f"gap between {row.highest} and {above.lowest}"
    if last.highest is not None and not last.reading and not _reaches_the_limit(schedule, ladder, last.highest):
        yield f"gap above {last.highest}: the last band must be open, or end at the most a wager may be"


def _counting_problems(schedule: Schedule) -> Iterator[str]:
    """Two rows of the same fee for the same number of players."""
    by_kind: dict[tuple[object, ...], set[int]] = {}
    for row in schedule.fee:
        if row.basis == "players_dealt":
            counted = by_kind.setdefault((row.payer, row.kind, row.when, row.drop), set())
            players = set(range(row.lowest or 0, (row.highest or 20) + 1))
            if counted & players:
                yield f"fee: two rows of the same fee for {min(counted & players)} players"
            counted |= players


def _reaches_the_limit(schedule: Schedule, ladder: Ladder, top: int) -> bool:
    if schedule.below_bands == "first":
        # The reading that adds what is below to the first band adds what is above to the last (village, F1).
        return True
    most = schedule.bonus_max if ladder.basis == "bonus_wager" else schedule.wager_max
    # What is added to a base row ends where the base row's own wagers do, or is added to all above.
    return ladder.payer == "player" and ladder.basis != "total_table_action" and most is not None and top >= most
