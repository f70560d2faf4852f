"""The form of a fee case: whether each key has a value of its kind, before anything is assessed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from controller.cases.form_parts import amounts, is_of, list_of, of_kind

SEAT = int | str | float
AMOUNTS = ("late_fee", "missing_fee", "pot_before_fee")
"""What else a house posts is read where it is (`House`)."""
WORDS = ("game", "per", "interval")


def fee_slip(case: Any) -> str | None:
    """The first thing that is not of the form of a fee case; None where there is none.

    >>> fee_slip({"schedule": "a/b/1", "wagers": [{"bettor": 2, "wager": "base"}], "expect": {}})
    'wagers[0].cents: expected cents, got none'
    """
    return next(_slips(case), None)


def _slips(case: Mapping[str, Any]) -> Iterator[str]:
    schedule = case.get("schedule")
    if not isinstance(schedule, str):
        yield f"schedule: expected the id of a schedule, got {'none' if schedule is None else repr(schedule)}"
    for key in ("options", "table", "time"):
        yield from of_kind(case.get(key), Mapping, key, "a mapping")
    yield from amounts(case.get("bank"), "bank")
    yield from _entries(case.get("wagers"), "wagers", {"bettor": SEAT, "wager": str, "cents": int}, {"spot": SEAT})
    yield from of_kind(case.get("players_dealt"), int, "players_dealt", "a number of players")
    yield from list_of(case.get("reached"), str, "reached", "moments of the hand", each="a word")
    yield from _entries(case.get("later"), "later", {}, {"bettor": SEAT, "spot": SEAT, "cents": int, "floor": str})
    yield from _options(case.get("options") or {})
    if case.get("time") is not None:
        yield from _time(case["time"])
    yield from _expect(case["expect"])


def _options(options: Mapping[str, Any]) -> Iterator[str]:
    for key in AMOUNTS:
        yield from of_kind(options.get(key), int, f"options.{key}", "a whole number")
    for key in WORDS:
        yield from of_kind(options.get(key), str, f"options.{key}", "a word")
    for key in ("seats_dealt", "seated"):
        if not is_of(options.get(key), int):
            yield from list_of(options.get(key), SEAT, f"options.{key}", "seats", each="a seat")
    yield from list_of(options.get("free_collection"), SEAT, "options.free_collection", "bettors", each="a seat")
    yield from of_kind(options.get("first_action_seat"), SEAT, "options.first_action_seat", "a seat")
    yield from _entries(options.get("no_action"), "options.no_action", {"bettor": SEAT}, {})
    yield from _entries(options.get("pot_money"), "options.pot_money", {"after": str, "added": int}, {})


def _time(time: Mapping[str, Any]) -> Iterator[str]:
    seated = time.get("seated")
    if seated is None:
        yield "time.seated: expected who is seated, got none"
    if isinstance(seated, Mapping):
        for mark, seats in seated.items():
            yield from list_of(seats, SEAT, f"time.seated.{mark}", "seats", each="a seat")
    elif not is_of(seated, int):
        yield from list_of(seated, SEAT | list, "time.seated", "seats", each="a seat")
    if "start" not in time and not is_of(time.get("minutes"), int):
        yield f"time.minutes: expected minutes, or a start, got {time.get('minutes')!r}"
    if "start" in time and not isinstance(seated, Mapping):
        yield f"time.seated: expected seats by the mark of the clock, got {seated!r}"
    marks: list[Any] = [time["start"]] if "start" in time else []
    if marks and isinstance(seated, Mapping):
        marks += seated
    for mark in marks:
        hours, _, minutes = str(mark).partition(":")
        if not (hours.isdigit() and (not minutes or minutes.isdigit())):
            yield f"time: expected an hour such as 19:30, got {mark!r}"
    yield from of_kind(time.get("interval_minutes"), int, "time.interval_minutes", "minutes")


def _expect(expect: Mapping[str, Any]) -> Iterator[str]:
    for key in ("fees", "boxes", "more"):
        yield from of_kind(expect.get(key), Mapping, f"expect.{key}", "a mapping")
    yield from of_kind(expect.get("action"), int, "expect.action", "cents")
    yield from list_of(expect.get("by_wager"), int, "expect.by_wager", "cents by wager", each="cents")
    yield from _entries(expect.get("refused"), "expect.refused", {}, {})


def _entries(value: Any, key: str, needed: Mapping[str, Any], known: Mapping[str, Any]) -> Iterator[str]:
    """A list of mappings, each with its keys."""
    wrong = list(list_of(value, Mapping, key, "entries", each="a mapping"))
    yield from wrong
    for nth, entry in enumerate(value or () if not wrong else ()):
        for name, kind in {**needed, **known}.items():
            what = "cents" if kind is int else "a word" if kind is str else "a seat"
            if entry.get(name) is None and name in needed:
                yield f"{key}[{nth}].{name}: expected {what}, got none"
            yield from of_kind(entry.get(name), kind, f"{key}[{nth}].{name}", what)
