"""The form of a case: whether each key has a value of its kind, with the key's name, before anything is played.

Only what would stop the runner is looked at. What a key may hold at this table is the engine's business.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

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
    yield from _is(kind, str, "kind", "a word")
    for key in ("expect", "table", "options"):
        yield from _is(case.get(key, {}) if key == "expect" else case.get(key), Mapping, key, "a mapping")
    yield from _expect(case["expect"])
    yield from _table(case.get("table") or {})
    yield from _is(
        (case.get("options") or {}).get("schedule"), str | Mapping | list, "options.schedule", "the id of a schedule"
    )
    yield from _amounts(case.get("bank"), "bank")
    if any(cents < 0 for cents in _listed(case.get("bank"))):
        yield f"bank: expected the player-dealer's cents by spot, got {case['bank']!r}"
    yield from _list(case.get("dice"), int, "dice", "numbers")
    yield from _list(case.get("acts"), Mapping, "acts", "acts", each="a mapping")
    for nth, act in enumerate(case.get("acts") or ()):
        yield from _act(act, f"acts[{nth}]", is_round=kind == "round")
    if kind in PLAYED:
        yield from _cards(case.get("cards"))
        yield from _wagers(case.get("wagers"))
    else:
        yield from _is(case.get("cards"), list | tuple | Mapping, "cards", "cards in a list or by owner")


def _expect(expect: Mapping[str, Any]) -> Iterator[str]:
    if expect is None:
        yield "expect: expected a mapping of results, got None"
    yield from _is(expect.get("more"), Mapping, "expect.more", "a mapping")
    yield from _list(expect.get("refused"), Mapping, "expect.refused", "refused acts", each="a mapping")
    yield from _is(expect.get("returned"), Mapping, "expect.returned", "a mapping")
    yield from _is(expect.get("rulings"), Mapping | list, "expect.rulings", "rulings in a list or by index")


def _table(table: Mapping[str, Any]) -> Iterator[str]:
    yield from _list(table.get("seats"), int, "table.seats", "seats", each="a seat")
    for key in ("button", "player_dealer"):
        yield from _is(table.get(key), int, f"table.{key}", "a seat")


def _amounts(bank: Any, key: str) -> Iterator[str]:
    if not _is_of(bank, int):
        yield from _list(bank, int, key, "cents by spot", each="cents")


def _listed(bank: Any) -> list[int]:
    spots = bank if isinstance(bank, list | tuple) else [bank]
    return [cents for cents in spots if _is_of(cents, int)]


def _act(act: Mapping[str, Any], key: str, *, is_round: bool) -> Iterator[str]:
    said = [name for name in SAYS_WHAT if name in act]
    if is_round and not said:
        yield f"{key}: expected one of do, event and floor, got {dict(act)}"
    for name in said:
        yield from _is(act[name], str, f"{key}.{name}", "a word")
    yield from _is(act.get("seat"), int | str | float, f"{key}.seat", "a seat")
    for name in ("to", "cents"):
        yield from _is(act.get(name), int, f"{key}.{name}", "cents")
    if not str(act.get("after_cards", 0)).isdigit():
        yield f"{key}.after_cards: expected how many cards are out, got {act['after_cards']!r}"
    for name in ("cards", "front") if is_round else ():
        yield from _is(act.get(name), list | tuple, f"{key}.{name}", "a list of cards")
    if is_round and act.get("do") == "wager":
        for name in ("seat", "wager", "cents"):
            if name not in act:
                yield f"{key}.{name}: expected what is wagered where, got none"


def _cards(cards: Any) -> Iterator[str]:
    yield from _list(cards, str | int | Mapping | list, "cards", "cards", each="a card")
    for nth, entry in enumerate(cards or ()):
        if isinstance(entry, Mapping):
            if "card" not in entry:
                yield f"cards[{nth}].card: expected a card, got none"
            yield from _is(entry.get("event"), str, f"cards[{nth}].event", "a word")


def _wagers(wagers: Any) -> Iterator[str]:
    yield from _is(wagers, Mapping, "wagers", "wagers by place")
    for place, placed in (wagers or {}).items():
        key = f"wagers.{place}"
        if not _is_of(place, int | str | float) or not str(place).replace(".", "", 1).isdigit():
            yield f"{key}: expected the number of a place, got {place!r}"
        if not isinstance(placed, Mapping):
            yield f"{key}: expected cents by wager, got {placed!r}"
            return
        for wager, cents in placed.items():
            if not _is_of(cents, int):
                yield f"{key}.{wager}: expected cents, got {cents!r}"


def _list(value: Any, of: Any, key: str, what: str, *, each: str = "a number") -> Iterator[str]:
    if value is None:
        return
    if not isinstance(value, list | tuple):
        yield f"{key}: expected a list of {what}, got {value!r}"
        return
    for nth, one in enumerate(value):
        if not _is_of(one, of):
            yield f"{key}[{nth}]: expected {each}, got {one!r}"


def _is(value: Any, of: Any, key: str, what: str) -> Iterator[str]:
    if value is not None and not _is_of(value, of):
        yield f"{key}: expected {what}, got {value!r}"


def _is_of(value: Any, of: Any) -> bool:
    return isinstance(value, of) and not isinstance(value, bool)
