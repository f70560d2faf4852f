"""Collection schedules: what a cardroom may charge for a hand, as its documents print it.

One TOML file per document or game under `<cardroom>/collections/`: what the room reads into all of them (which band
takes an amount between two bands, what becomes of the fee of a void hand), then the schedules, each with the lines it
comes from. A schedule that nobody could charge by is refused with file, key and reason: a hole or an overlap in a
ladder that is not marked as a reading, a percentage, a fee that the document does not print.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from itertools import pairwise
from typing import Any

import msgspec
from msgspec import Struct

from controller.engine.collections import BetweenBands, Ladder, OnVoid, Schedule, ladders
from controller.rules.errors import RulesError

MOST_RATES = 5
"""At most five collection rates at a table: distinct amounts, zero not counted (collections, R12)."""
DOLLAR = 100


class ScheduleFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The file, as it stands; `between_bands` and `on_void` are the room's, for every schedule in it."""

    between_bands: BetweenBands
    on_void: OnVoid
    schedule: list[dict[str, Any]]


class Posted(Struct, frozen=True):
    """A schedule, the cardroom whose it is, and the file it stands in."""

    schedule: Schedule
    cardroom: str
    file: str

    @property
    def digest(self) -> str:
        encoded = msgspec.json.encode(self.schedule, order="deterministic")
        return hashlib.sha256(encoded).hexdigest()


@cache
def all_schedules() -> Mapping[str, Posted]:
    """Every schedule of the project by its id."""
    found: dict[str, Posted] = {}
    for room in sorted(resources.files(__package__).iterdir(), key=lambda item: item.name):
        folder = room / "collections"
        if room.is_dir() and folder.is_dir():
            for file in sorted(folder.iterdir(), key=lambda item: item.name):
                if file.name.endswith(".toml"):
                    for posted in _read(file, room.name):
                        if posted.schedule.id in found:
                            other = found[posted.schedule.id].file
                            raise RulesError(f"{posted.file}: schedule {posted.schedule.id!r} is in {other} too")
                        found[posted.schedule.id] = posted
    return found


def find(name: str, cardroom: str, game: str) -> Posted:
    """The schedule with this id, if it is one that this cardroom may post for this game."""
    posted = all_schedules().get(name)
    if posted is None or posted.cardroom != cardroom or game not in posted.schedule.games:
        there = [p.schedule.id for p in all_schedules().values() if p.cardroom == cardroom and game in p.schedule.games]
        known = ", ".join(there) or "none"
        raise RulesError(f"schedule = {name!r} is no collection schedule of {game} at {cardroom}; there is {known}")
    return posted


def read_schedules(content: str, name: str, cardroom: str = "") -> Iterator[Posted]:
    """The schedules of one file's text, each checked; `RulesError` names file, schedule and reason."""
    try:
        data = msgspec.convert(tomllib.loads(content), ScheduleFile)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise RulesError(f"{name}: {error}") from None
    for number, raw in enumerate(data.schedule, start=1):
        where = f"{name}: schedule {raw.get('id', f'number {number}')}"
        for problem in _unprintable(raw):
            raise RulesError(f"{where}: {problem}")
        room = {"between_bands": data.between_bands, "on_void": data.on_void}
        try:
            schedule = msgspec.convert({**room, **raw}, Schedule)
        except msgspec.ValidationError as error:
            raise RulesError(f"{where}: {error}") from None
        for problem in problems(schedule):
            raise RulesError(f"{where}: {problem}")
        yield Posted(schedule, cardroom, name)


def _read(file: Traversable, cardroom: str) -> Iterator[Posted]:
    return read_schedules(file.read_text("utf-8"), f"{cardroom}/collections/{file.name}", cardroom)


def _unprintable(raw: Mapping[str, Any]) -> Iterator[str]:
    """Fees that are no amount at all."""
    for row in raw.get("fee", ()):
        if "percent" in row or (isinstance(row.get("fee"), str) and "%" in row["fee"]):
            yield "fee: a percentage; a fee is a flat amount in cents, never a part of a wager or of winnings"
        if row.get("fee_unknown") or raw.get("fee_unknown"):
            yield "fee_unknown: the document does not print this amount; the cardroom has to give it first"


def problems(schedule: Schedule) -> Iterator[str]:
    """What keeps a schedule from being charged by."""
    if schedule.table_min <= 0 or (schedule.table_max is not None and schedule.table_max < schedule.table_min):
        yield f"table_min = {schedule.table_min}, table_max = {schedule.table_max} are no limits"
    if any(row.fee < 0 for row in schedule.fee):
        yield "fee: an amount below zero"
    rates = {row.fee for row in schedule.fee if row.fee}
    if len(rates) > MOST_RATES:
        yield f"fee: {len(rates)} different amounts; at most {MOST_RATES} rates may be posted at a table"
    seen = set()
    for ladder in ladders(schedule):
        if ladder[:4] in seen:
            yield f"fee: the {ladder.payer} rows by {ladder.basis} do not stand together"
        seen.add(ladder[:4])
        for problem in _ladder_problems(schedule, ladder):
            yield f"fee, {ladder.payer} by {ladder.basis}: {problem}"


def _ladder_problems(schedule: Schedule, ladder: Ladder) -> Iterator[str]:
    first, last = ladder.rows[0], ladder.rows[-1]
    if ladder.basis == "per_hand":
        if len(ladder.rows) > 1 or first.lowest is not None or first.highest is not None:
            yield "a flat fee is one row without from and to"
        return
    if first.lowest is None or any(row.lowest is None for row in ladder.rows):
        yield "every band needs from"
        return
    if first.lowest > schedule.table_min and not first.reading:
        yield f"gap below {first.lowest}: the table begins at {schedule.table_min}"
    for row in ladder.rows:
        if row.highest is not None and row.lowest is not None and row.highest < row.lowest:
            yield f"the band from {row.lowest} ends at {row.highest}"
    for row, above in pairwise(ladder.rows):
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


def _reaches_the_limit(schedule: Schedule, ladder: Ladder, top: int) -> bool:
    most = schedule.wager_max
    return ladder.basis == "player_wager" and most is not None and top >= most
