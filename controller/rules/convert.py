"""From the rulebook's fee files to ours: `python -m controller.rules.convert <its folder> [<rules folder>]`.

The rulebook transcribes what four cardrooms print, each file in a dialect of its own. Ours have one vocabulary
(`controller.engine.fees.schedule`), and a head with the readings that the rulebook has in words. Nothing is
dropped: every key is known here or refused by its name, every step can be undone (`original`), and the report counts
what came and what went. The project does not need the rulebook; this stays for its next edition.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import fields

from controller.engine.fees import FeeRow, Schedule
from controller.rules.errors import RulesError
from controller.rules.schedules import read_schedules

Raw = dict[str, Any]


class Dialect(NamedTuple):
    """Where a file of the rulebook has words of its own: their name there, our name."""

    schedule: Mapping[str, str] = {}
    pairs: Mapping[tuple[str, str], str] = {}
    """Two keys there, one list here."""
    row: Mapping[str, str] = {}


BUY_IN = {"min_buy_in": "buy_in_min", "max_buy_in": "buy_in_max"}
BLINDS = {("small_blind", "big_blind"): "blinds"}
DIALECTS: Mapping[str, Dialect] = {
    "turlock-poker-2010": Dialect(
        BUY_IN, {**BLINDS, ("bet_small", "bet_big"): "stakes", ("bet_min", "bet_max"): "spread"}
    ),
    "turlock-mexican-poker": Dialect(row={"stage": "kind", "taken": "when", "due": "owed_from"}),
    # There table_min and table_max are the two limits of the game, not what a wager may be.
    "village-poker": Dialect(pairs={**BLINDS, ("table_min", "table_max"): "stakes"}, row={"period_minutes": "minutes"}),
    "village-chinese-poker": Dialect(BUY_IN),
    "village-california-games": Dialect(row={"as_printed_to": "printed_to"}),
}
BONUS_WAGER = "bonus_wager:"


class Reading(NamedTuple):
    """What the rulebook says in words, as a key of our file's head."""

    key: str
    value: Any
    why: str


NEXT_BAND = "a band ends at its printed top; an amount between two bands is the next one's"
LOWER_BAND = "odd cents between two bands stay in the lower one"
MISDEAL = "a misdeal pays nothing: what was set aside goes back into the pot"
SILENT_VOID = "the documents do not say what becomes of the fee of a void hand"
KEPT = "R7: the fee stays in the box; a re-deal of the same wagers pays nothing again"
LIMITS = "a wager outside the limits is refused and pays no fee"
EVERYTHING = ["base", "bonus"]
FIVE_DOLLARS = [
    Reading("wager_step", 500, "3312: wagers in $5 steps"),
    Reading("off_step", [200, 300, 400], "3312: where the limits allow them, these are legal too"),
]
BLACKJACK = {"collect_at": "before_settlement", "waiver": "before_first_card"}
PAI_GOW = {"collect_at": "before_player_dealer_exposed", "waiver": "before_player_dealer_exposed"}

BANKERS_POKER = [
    Reading("on_void", "returned", f"1839: {MISDEAL}"),
    Reading("dropped", "after_pot_pushed", "1861: down the slot right after the pot is pushed"),
]
SALINAS = Reading("by_game", {"mexican-poker-salinas": {"dropped": "at_once"}}, "49: straight into the locked box")

HEADS: Mapping[str, list[Reading]] = {
    "bankers": [Reading("between_bands", "next", f"R1: {NEXT_BAND}"), Reading("on_void", "kept", KEPT)],
    "bankers-rates-draw-stud-mexican": [*BANKERS_POKER, SALINAS],
    "bankers-rates-holdem-omaha": BANKERS_POKER,
    "bankers-rates-mexican-poker": [*BANKERS_POKER, SALINAS],
    "bankers-rates-poker-2011": [*BANKERS_POKER, SALINAS],
    "calgrand": [
        Reading("between_bands", "lower", LOWER_BAND),
        Reading("on_void", "floor_decides", SILENT_VOID),
        Reading("action_includes", EVERYTHING, "R8: total action counts side wagers too"),
        Reading("limits_bind", True, LIMITS),
        *FIVE_DOLLARS,
    ],
    "calgrand-blackjack-pai-gow": [
        Reading(
            "by_game",
            {"hot-action-blackjack": BLACKJACK, "pai-gow-poker": PAI_GOW, "pai-gow-tiles": PAI_GOW},
            "3309-3310; Pai Gow Tiles is not stated and read as Pai Gow Poker",
        )
    ],
    "calgrand-buster-blackjack": [Reading("by_game", {"buster-blackjack": BLACKJACK}, "3309-3310")],
    "calgrand-three-card-poker": [
        Reading("collect_at", "before_deal", "3533, 3538: paid to be dealt in; satisfies 1631 and 3497 too"),
        Reading("waiver", "before_first_card", "1630, 3496"),
    ],
    "turlock": [
        Reading("between_bands", "next", f"F8: {NEXT_BAND}"),
        Reading("on_void", "floor_decides", SILENT_VOID),
        Reading("limits_bind", True, LIMITS),
    ],
    "turlock-poker-2010": [Reading("on_void", "returned", f"not stated, read so: {MISDEAL}")],
    "turlock-mexican-poker": [Reading("on_void", "returned", f"not stated, read so: {MISDEAL}")],
    "turlock-pineapple-button-drop": [Reading("on_void", "returned", f"not stated, read so: {MISDEAL}")],
    "village": [
        Reading("between_bands", "next", f"F1: {NEXT_BAND}"),
        Reading("below_bands", "first", "F1: an amount below the first band uses the first"),
        Reading("on_void", "floor_decides", SILENT_VOID),
    ],
    "village-california-games": [
        Reading("action_includes", EVERYTHING, "1395: all wagers of all players"),
        Reading("wager_includes", EVERYTHING, "1395: a player's wagers are added up"),
        Reading(
            "by_game",
            {"pai-gow-poker": {"no_action": "free_collection_button"}},
            "374: for the very next hand of the same player; none in No Bust 4.0 (606) and Caribbean Stud (479)",
        ),
    ],
    "village-poker": [
        Reading("on_void", "returned", f"not stated, read so: {MISDEAL}"),
        Reading("time_from", "marks", "1081-1083: on the hour and the half hour, free up to the first (F11)"),
    ],
}
"""By room, then by file, which adds to the room's and overrides it."""

BONUS_PER = {
    ("calgrand-buster-blackjack", None): "position",  # 2286-2287, 3316
    ("calgrand-three-card-poker", 1): "position",  # 1637
    ("calgrand-three-card-poker", 2): "regular_wager",  # 3502
}


class Converted(NamedTuple):
    """One file of ours, and what went into it."""

    room: str
    name: str
    text: str
    schedules: int
    rows: int
    keys: Counter[str]


def convert(stem: str, content: str) -> Converted:
    """A file of the rulebook, by its name without `.toml`, as one of ours; `RulesError` names a key nobody knows."""
    room, _, rest = stem.partition("-")
    data = tomllib.loads(content)
    raws: list[Raw] = data.pop("schedule", [])
    if data:
        raise RulesError(f"{stem}: unknown key {', '.join(data)}; nothing but [[schedule]] was ever there")
    keys = Counter(key for raw in raws for key in raw)
    keys += Counter(f"fee.{key}" for raw in raws for row in raw["fee"] for key in row)
    made = [ours(stem, raw) for raw in raws]
    text = "\n".join([*_head(stem, content), *_blocks(made, _remarks(content))]) + "\n"
    count = len(list(read_schedules(text, f"{room}/collections/{rest}.toml", room)))
    if count != len(raws):
        raise RulesError(f"{stem}: {len(raws)} schedules came, {count} went")
    return Converted(room, rest.removeprefix("rates-"), text, count, sum(len(raw["fee"]) for raw in made), keys)


def ours(stem: str, raw: Raw) -> Raw:
    """A schedule of the rulebook in our words."""
    dialect, made = DIALECTS.get(stem, Dialect()), dict(raw)
    for (low, high), name in dialect.pairs.items():
        if low in made and high in made:
            made[name] = [made.pop(low), made.pop(high)]
    made = {dialect.schedule.get(key, key): value for key, value in made.items()}
    made["fee"] = [_our_row(dialect, row) for row in raw["fee"]]
    _refuse_unknown(f"{stem}: {raw.get('id')}", made, Schedule)
    for row in made["fee"]:
        _refuse_unknown(f"{stem}: {raw.get('id')}: fee", row, FeeRow)
    bonus_per = BONUS_PER.get((stem, None)) or BONUS_PER.get((stem, raw.get("revision")))
    if "bonus" in made and bonus_per:
        made["bonus_per"] = bonus_per
    return made


def original(stem: str, made: Raw) -> Raw:
    """The rulebook's schedule again: the proof that nothing was dropped."""
    dialect = DIALECTS.get(stem, Dialect())
    raw = {key: value for key, value in made.items() if key != "bonus_per"}
    for (low, high), name in dialect.pairs.items():
        if name in raw:
            raw[low], raw[high] = raw.pop(name)
    back = {name: key for key, name in dialect.schedule.items()}
    raw = {back.get(key, key): value for key, value in raw.items()}
    raw["fee"] = [_their_row(dialect, row) for row in made["fee"]]
    return raw


def _our_row(dialect: Dialect, row: Raw) -> Raw:
    made = {dialect.row.get(key, key): value for key, value in row.items()}
    if str(made.get("basis", "")).startswith(BONUS_WAGER):
        made["wager"] = made["basis"].removeprefix(BONUS_WAGER)
        made["basis"] = "bonus_wager"
    return made


def _their_row(dialect: Dialect, made: Raw) -> Raw:
    back = {name: key for key, name in dialect.row.items()}
    row = {back.get(key, key): value for key, value in made.items()}
    if row["basis"] == "bonus_wager":
        row["basis"] = BONUS_WAGER + row.pop("wager")
    return row


@cache
def _places(kind: type[Schedule] | type[FeeRow]) -> Mapping[str, int]:
    """Our keys, in our order."""
    return {field.encode_name: place for place, field in enumerate(fields(kind))}


def _refuse_unknown(where: str, made: Raw, kind: type[Schedule] | type[FeeRow]) -> None:
    known = _places(kind)
    for key in made:
        if key not in known:
            raise RulesError(f"{where}: unknown key {key!r}; teach it to the converter, or it would be dropped")


# Writing


def _head(stem: str, content: str) -> Iterator[str]:
    room = stem.partition("-")[0]
    yield f"# Made by controller.rules.convert from the rulebook's {stem}.toml; its own words follow."
    yield "#"
    yield from _opening(content)
    yield ""
    readings = {reading.key: reading for reading in [*HEADS[room], *HEADS.get(stem, ())]}
    nested = [reading for reading in readings.values() if isinstance(reading.value, dict)]
    for reading in readings.values():
        if reading not in nested:
            yield f"{f'{reading.key} = {_value(reading.value)}':<30}# {reading.why}"
    for reading in nested:
        for name, values in reading.value.items():
            yield ""
            yield f"[{reading.key}.{name}]  # {reading.why}"
            yield from (f"{key} = {_value(value)}" for key, value in values.items())


def _blocks(schedules: list[Raw], remarks: list[list[str]]) -> Iterator[str]:
    order = _places(Schedule)
    for schedule, remark in zip(schedules, remarks, strict=True):
        yield ""
        yield from remark
        yield "[[schedule]]"
        for key in sorted(schedule, key=lambda key: order[key]):
            if key != "fee":
                yield f"{key} = {_value(schedule[key])}"
        yield "fee = ["
        for row in schedule["fee"]:
            yield f"  {{ {', '.join(f'{key} = {_value(value)}' for key, value in row.items())} }},"
        yield "]"


def _value(value: Any) -> str:
    return f"[{', '.join(map(_value, value))}]" if isinstance(value, list) else json.dumps(value, ensure_ascii=False)


def _opening(content: str) -> list[str]:
    """The file's own words on top of it, without those about its shape, which is not ours."""
    kept: list[str] = []
    about_shape = False
    for line in content.splitlines():
        if not line.startswith("#"):
            break
        about_shape = bool(re.match(r"# ?shape\b", line, re.IGNORECASE)) or (about_shape and line != "#")
        if not about_shape and (line != "#" or kept[-1:] != ["#"]):
            kept.append(line)
    while kept and kept[-1] == "#":
        kept.pop()
    return kept


def _remarks(content: str) -> list[list[str]]:
    """By schedule: the comments that stand right before it."""
    found: list[list[str]] = []
    standing: list[str] = []
    past_opening = False
    for line in content.splitlines():
        if line.startswith("#") and past_opening:
            standing.append(line)
        elif line == "[[schedule]]":
            found.append(standing)
            standing = []
        past_opening = past_opening or not line.startswith("#")
    return found


# The command


def report(files: list[Converted]) -> Iterator[str]:
    """What came and went, and every key that was met."""
    keys: Counter[str] = sum((file.keys for file in files), Counter())
    for file in files:
        yield f"{file.room}/collections/{file.name}.toml: {file.schedules} schedules, {file.rows} rows"
    yield f"{len(files)} files, {sum(f.schedules for f in files)} schedules, {sum(f.rows for f in files)} rows"
    yield "keys: " + ", ".join(f"{key} {count}" for key, count in sorted(keys.items()))


def main(arguments: list[str]) -> int:
    if not 1 <= len(arguments) <= 2:
        print("python -m controller.rules.convert <the rulebook's collections> [<rules folder>]", file=sys.stderr)
        return 2
    source = Path(arguments[0])
    target = Path(arguments[1]) if len(arguments) > 1 else Path(__file__).parent
    try:
        files = [convert(path.stem, path.read_text("utf-8")) for path in sorted(source.glob("*.toml"))]
    except RulesError as error:
        print(error, file=sys.stderr)
        return 1
    for file in files:
        path = target / file.room / "collections" / f"{file.name}.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.text, "utf-8")
    print("\n".join(report(files)))
    return 0 if files else 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
