"""The counters that a dealing device keeps itself, compared with what it has reported.

A shoe numbers the cards that leave it, a shuffler the stacks of each deck. Both are unlocked up to a number, and a shoe
can also count the cards that are left in it. Every report and every status has such numbers (`inputs.Counter`). From
the last one it is known what the next one must be; anything else is a `Difference`, with both numbers as evidence.

    >>> known = Counters("c0ffee01", 4, 412)
    >>> reconciled(known, Counter("c0ffee01", 5, out=1, limit=5))
    (Counters(series='c0ffee01', number=5, left=411), ())
    >>> _, (difference,) = reconciled(known, Counter("c0ffee01", 7, out=1))
    >>> difference.code, difference.text
    ('draw_number_skipped', 'number 7 left, number 5 was expected: 2 left without a report')
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from controller.engine.inputs import Counter


class Counters(Struct, frozen=True, omit_defaults=True, gc=False):
    """A device's counters after its last report."""

    series: str
    number: int = 0
    """The last one that left."""
    left: int | None = None
    """Cards that must still be in it; None: not known."""

    @property
    def boot(self) -> int:
        """The power-up in which it counts."""
        return int(self.series.partition("/")[0], 16)


class Difference(Struct, frozen=True):
    """What a device's counters contradict: an irregularity."""

    code: str
    text: str
    facts: dict[str, Any]


def reconciled(known: Counters | None, counter: Counter) -> tuple[Counters, tuple[Difference, ...]]:
    """The counters after a report, and what it contradicts. The device's own number is taken over: its lock goes by
    it, so an unlock that is computed from another number would release too many cards."""
    if known is None:
        first = Counters(counter.series, counter.number or 0, counter.left)
        return first, tuple(_beyond_limit(counter, first.number))
    before = known.number if known.series == counter.series else 0
    expected = before + (1 if counter.out > 0 else 0)
    number = expected if counter.number is None else counter.number
    found = [] if number == expected else [_other_number(counter, number, expected)]
    found += _beyond_limit(counter, number)
    left = None
    if known.left is not None and not counter.is_loaded:
        left = known.left - counter.out - max(0, number - expected)
        if left < 0 or counter.left not in (None, left):
            found.append(_other_rest(counter, left))
            left = None
    if counter.left is not None:
        left = counter.left
    return Counters(counter.series, number, left), tuple(found)


def follows(known: Counters, counter: Counter) -> bool:
    """Whether `reconciled` certainly finds nothing in the report of a card."""
    return (
        counter.out == 1
        and counter.series == known.series
        and counter.number == known.number + 1
        and (counter.limit is None or counter.number <= counter.limit)
        and counter.left is None
        and (known.left is None or known.left > 0)
    )


def without_report(known: Counters, cards: int) -> Counters:
    """Cards were taken out by hand and keyed, or scanned: the device has not numbered them."""
    left = None if known.left is None else max(0, known.left - cards)
    return Counters(known.series, known.number, left)


def _other_number(counter: Counter, number: int, expected: int) -> Difference:
    facts = {"expected": expected, "came": number}
    if counter.out <= 0:
        text = f"it has counted up to {number}, {expected} is the last that it reported"
        return Difference("draws_not_reported", text, facts)
    if number > expected:
        text = f"number {number} left, number {expected} was expected: {number - expected} left without a report"
        return Difference("draw_number_skipped", text, facts)
    text = f"number {number} left a second time, number {expected} was expected"
    return Difference("draw_number_repeated", text, facts)


def _beyond_limit(counter: Counter, number: int) -> list[Difference]:
    limit = counter.limit
    if limit is None:
        return []
    if counter.out > 0 and number > limit:
        text = f"number {number} left, and it was unlocked up to {limit}"
        return [Difference("drawn_past_unlock", text, {"limit": limit, "came": number})]
    if counter.up_to is not None and counter.up_to > limit:
        text = f"it is unlocked up to {counter.up_to}, and {limit} is the highest that was allowed"
        facts = {"limit": limit, "came": counter.up_to}
        return [Difference("unlocked_too_far", text, facts)]
    return []


def _other_rest(counter: Counter, expected: int) -> Difference:
    facts = {"expected": max(0, expected), "came": counter.left}
    if counter.left is None:
        return Difference("cards_left_differ", "a card left it, and none should have been in it any more", facts)
    text = f"{counter.left} cards are left in it by its own count, {expected} should be"
    return Difference("cards_left_differ", text, facts)
