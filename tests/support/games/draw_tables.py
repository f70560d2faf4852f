"""A table of draw poker for tests to talk to: what `poker_tables.At` has, and discards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from controller.engine import events as ev
from controller.engine.inputs import Act, FloorAct
from tests.support.games.poker_tables import At

LIMIT = {"kind": "fixed_limit", "low": 400, "high": 800}
RULESETS = (
    "bankers-draw-jacks-or-better",
    "bankers-lowball-27",
    "bankers-lowball-a5",
    "calgrand-draw-poker",
    "calgrand-lowball-ace-to-five",
    "calgrand-lowball-deuce-to-seven",
    "turlock-lowball",
    "village-badugi-triple-draw",
    "village-baduci",
    "village-deuce-seven-triple-draw",
)


class DrawAt(At):
    """Three seats, the button on seat 1: seat 2 is dealt first."""

    def __init__(self, ruleset: str, *, options: Mapping[str, Any] | None = None, **settings: Any) -> None:
        super().__init__(ruleset, options=options, **{"structure": LIMIT, "blinds": {2: 200, 3: 400}, **settings})

    def discard(self, seat: int, codes: str = "") -> list[ev.Event]:
        return self.feed(Act(seat, "discard", cards=tuple(codes.split())))

    def discards(self, codes_of: Mapping[int, str]) -> Self:
        for seat, codes in codes_of.items():
            refused = [event.text for event in self.discard(seat, codes) if isinstance(event, ev.Refused)]
            assert not refused, f"seat {seat}: {refused}"
        return self

    def floor(self, do: str) -> Self:
        self.feed(FloorAct(do, "the floor decides"))
        return self


def unread(count: int) -> str:
    """`count` cards that no reader has read."""
    return "-- " * count
