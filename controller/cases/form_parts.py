"""What the forms of cases are made of: whether one value is of its kind, as a line with the key's name.

A value that is absent is of every kind. True and false are no numbers, though Python counts them among them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from controller.cases.at_table import Stuck
from controller.engine.fees.schedule import NoRate
from controller.rules.errors import RulesError


def stopped_by(error: Exception) -> str:
    """The failure line of a case that did not run to its end: the sentence of who stopped it, or that a value has
    another form than this kind of case, with what there is to find it by."""
    match error:
        case KeyError(args=(str() as text,)) if " " not in text:
            got = f"a case without the key {text!r} where this kind of case has one"
        case Stuck() | RulesError() | NoRate() | LookupError():
            got = str(error)
        case _:
            got = f"a value of another form than this kind of case has: {error}"
    return f"run: expected to run to its end, got {got}"


def is_of(value: Any, kind: Any) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)


def of_kind(value: Any, kind: Any, key: str, what: str) -> Iterator[str]:
    """
    >>> list(of_kind("much", int, "acts[0].to", "cents"))
    ["acts[0].to: expected cents, got 'much'"]
    """
    if value is not None and not is_of(value, kind):
        yield f"{key}: expected {what}, got {value!r}"


def list_of(value: Any, kind: Any, key: str, what: str, *, each: str = "a number") -> Iterator[str]:
    if value is None:
        return
    if not isinstance(value, list | tuple):
        yield f"{key}: expected a list of {what}, got {value!r}"
        return
    for nth, one in enumerate(value):
        if not is_of(one, kind):
            yield f"{key}[{nth}]: expected {each}, got {one!r}"


def amounts(bank: Any, key: str) -> Iterator[str]:
    """One spot of the player-dealer may be written without its list."""
    if not is_of(bank, int):
        yield from list_of(bank, int, key, "cents by spot", each="cents")


def listed(bank: Any) -> list[int]:
    spots = bank if isinstance(bank, list | tuple) else [bank]
    return [cents for cents in spots if is_of(cents, int)]
