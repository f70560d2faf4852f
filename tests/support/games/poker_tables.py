"""A poker table for tests to talk to: cards, acts and happenings in, events and the result out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from controller.engine import events as ev
from controller.engine.expect.expectation import prompt
from controller.engine.expect.wants import WantFloor
from controller.engine.inputs import Act, AnyBody, CardOut, Happening, Input
from controller.engine.round.felt import Setup
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.rules import load

BANKERS = "bankers-texas-holdem"
CALGRAND = "calgrand-texas-holdem"
LIMIT = {"kind": "fixed_limit", "low": 200, "high": 400}
HOLES = "9c Kd Kh 8d Qs Jc"
"""Three hands from the left of a button on seat 1: seat 2 has nine-eight, seat 3 king-queen, seat 1 king-jack."""


class At:
    """A table to talk to: feed bodies, read events."""

    def __init__(
        self,
        ruleset: str = BANKERS,
        *,
        seats: tuple[int, ...] = (1, 2, 3),
        button: int | None = 1,
        options: Mapping[str, Any] | None = None,
        **settings: Any,
    ) -> None:
        rules = load(ruleset)
        settings = {"structure": LIMIT, "blinds": {2: 100, 3: 200}, **settings}
        setup = Setup(seats=seats, button=button, settings=settings)
        self.engine = TableEngine(rules.game, rules.options(options), TableState(setup), ruleset)
        self.events: list[ev.Event] = []
        self.inputs: list[Input] = []

    def feed(self, *bodies: AnyBody) -> list[ev.Event]:
        events: list[ev.Event] = []
        for body in bodies:
            self.inputs.append(Input(0, "test", body))
            events += self.engine.apply(self.inputs[-1])
        self.events += events
        return events

    def cards(self, codes: str) -> Self:
        """Cards off the deck; `--` is one that was not read."""
        self.feed(*(CardOut(None if code == "--" else code) for code in codes.split()))
        return self

    def act(self, seat: int, do: str, to: int | None = None) -> list[ev.Event]:
        return self.feed(Act(seat, do, to=to))

    def acts(self, script: str) -> Self:
        """ "1 call, 2 raise 400, 3 fold": seat, act, and what it comes to."""
        for part in script.split(","):
            seat, do, *to = part.split()
            events = self.act(int(seat), do, int(to[0]) if to else None)
            refused = [event.text for event in events if isinstance(event, ev.Refused)]
            assert not refused, f"{part.strip()}: {refused}"
        return self

    def all_check(self, *seats: int) -> Self:
        return self.acts(", ".join(f"{seat} check" for seat in seats))

    def refusal(self, seat: int, do: str, to: int | None = None) -> tuple[str, dict[str, Any]]:
        (refused,) = self.act(seat, do, to)
        assert isinstance(refused, ev.Refused)
        return refused.why, refused.bounds

    def happens(self, code: str, *cards: str, seat: int | None = None, card: str | None = None, **facts: Any) -> Self:
        self.feed(Happening(code, seat, card, cards, facts))
        return self

    @property
    def asks(self) -> str:
        return prompt(self.engine.expectation)

    @property
    def felt(self) -> str:
        """What the screens tell of the middle."""
        assert self.engine.round is not None
        return " · ".join(self.engine.game.middle(self.engine.round.table).lines())

    @property
    def held(self) -> str | None:
        (want, *_) = self.engine.expectation.wants
        return want.code if isinstance(want, WantFloor) else None

    @property
    def document(self) -> dict[str, Any]:
        if self.engine.round is not None and self.engine.round.begun:
            return self.engine.round.table.result.document(self.engine.round.table)
        assert self.engine.last is not None
        return self.engine.last.document

    @property
    def is_over(self) -> bool:
        return self.engine.last is not None

    def said(self, kind: type[ev.Event]) -> list[Any]:
        return [event for event in self.events if type(event) is kind]


def before_the_flop(**settings: Any) -> At:
    return At(**settings).cards(HOLES).acts("1 call, 2 call, 3 check")
