"""The form of a case: whether each key has a value of its kind, with the key's name, before anything is played.

Only what would stop the runner is looked at. What a key may hold at this table is the engine's business.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from controller.cases.form_parts import amounts, is_of, list_of, listed, of_kind
from controller.engine.bounds import MOST_SEATS

PLAYED = {"round", "legality"}
"""Kinds whose cards and wagers are those of one table."""
SAYS_WHAT = ("do", "event", "floor")


def slip(case: Any) -> str | None:
    """The first thing that is not of the case format, as the failure line prints it; None where there is none.

    >>> slip({"expect": {}, "acts": [3]})
    'acts[0]: expected a mapping, got 3'
    """
    return next(_slips(case), None)


def _slips(case: Any) -> Iterator[str]:
    if not isinstance(case, Mapping):
        yield f"case: expected a mapping, got {case!r}"
        return
    if "expect" not in case:
        yield "expect: expected a mapping of results, got none"
    kind = case.get("kind", "round")
    yield from of_kind(kind, str, "kind", "a word")
    for key in ("expect", "table", "options"):
        yield from of_kind(case.get(key, {}) if key == "expect" else case.get(key), Mapping, key, "a mapping")
    for name in case.get("options") or ():
        if not isinstance(name, str):
            yield f"options: expected the name of an option, got {name!r}"
    yield from _expect(case["expect"])
    yield from _table(case.get("table") or {})
    yield from of_kind(
        (case.get("options") or {}).get("schedule"), str | Mapping | list, "options.schedule", "the id of a schedule"
    )
    yield from amounts(case.get("bank"), "bank")
    if any(cents < 0 for cents in listed(case.get("bank"))):
        yield f"bank: expected the player-dealer's cents by spot, got {case['bank']!r}"
    yield from list_of(case.get("dice"), int, "dice", "numbers")
    yield from list_of(case.get("acts"), Mapping, "acts", "acts", each="a mapping")
    for nth, act in enumerate(case.get("acts") or ()):
        yield from _act(act, f"acts[{nth}]", is_round=kind == "round")
    if kind in PLAYED:
        yield from _cards(case.get("cards"))
        yield from _wagers(case.get("wagers"))
    else:
        yield from of_kind(case.get("cards"), list | tuple | Mapping, "cards", "cards in a list or by owner")


def _expect(expect: Mapping[str, Any]) -> Iterator[str]:
    if expect is None:
        yield "expect: expected a mapping of results, got None"
    yield from of_kind(expect.get("more"), Mapping, "expect.more", "a mapping")
    yield from list_of(expect.get("refused"), Mapping, "expect.refused", "refused acts", each="a mapping")
    yield from of_kind(expect.get("returned"), Mapping, "expect.returned", "a mapping")
    yield from of_kind(expect.get("rulings"), Mapping | list, "expect.rulings", "rulings in a list or by index")


def _table(table: Mapping[str, Any]) -> Iterator[str]:
    yield from list_of(table.get("seats"), int, "table.seats", "seats", each="a seat")
    for key in ("button", "player_dealer"):
        yield from of_kind(table.get(key), int, f"table.{key}", "a seat")
        if is_of(table.get(key), int) and not 0 <= table[key] <= MOST_SEATS:
            yield f"table.{key}: expected a seat, 1 to {MOST_SEATS}, got {table[key]}"
    for key in ("blinds", "antes", "stacks"):
        posted = table.get(key)
        yield from of_kind(posted, Mapping, f"table.{key}", "cents by seat")
        for seat, cents in posted.items() if isinstance(posted, Mapping) else ():
            yield from of_kind(cents, int, f"table.{key}.{seat}", "cents")


def _act(act: Mapping[str, Any], key: str, *, is_round: bool) -> Iterator[str]:
    said = [name for name in SAYS_WHAT if name in act]
    if is_round and not said:
        yield f"{key}: expected one of do, event and floor, got {dict(act)}"
    for name in said:
        yield from of_kind(act[name], str, f"{key}.{name}", "a word")
    yield from of_kind(act.get("seat"), int | str | float, f"{key}.seat", "a seat")
    for name in ("to", "cents"):
        yield from of_kind(act.get(name), int, f"{key}.{name}", "cents")
    if not str(act.get("after_cards", 0)).isdigit():
        yield f"{key}.after_cards: expected how many cards are out, got {act['after_cards']!r}"
    for name in ("cards", "front") if is_round else ():
        yield from of_kind(act.get(name), list | tuple, f"{key}.{name}", "a list of cards")
    if is_round and act.get("do") == "wager":
        for name in ("seat", "wager", "cents"):
            if act.get(name) is None:
                yield f"{key}.{name}: expected what is wagered where, got none"


def _cards(cards: Any) -> Iterator[str]:
    yield from list_of(cards, str | int | Mapping | list, "cards", "cards", each="a card")
    for nth, entry in enumerate(cards or ()):
        if isinstance(entry, Mapping):
            if "card" not in entry:
                yield f"cards[{nth}].card: expected a card, got none"
            yield from of_kind(entry.get("event"), str, f"cards[{nth}].event", "a word")


def _wagers(wagers: Any) -> Iterator[str]:
    yield from of_kind(wagers, Mapping, "wagers", "wagers by place")
    for place, placed in (wagers or {}).items():
        key = f"wagers.{place}"
        if not is_of(place, int | str | float) or not str(place).replace(".", "", 1).isdigit():
            yield f"{key}: expected the number of a place, got {place!r}"
        if not isinstance(placed, Mapping):
            yield f"{key}: expected cents by wager, got {placed!r}"
            return
        for wager, cents in placed.items():
            if not is_of(cents, int):
                yield f"{key}.{wager}: expected cents, got {cents!r}"
