"""The types that a game's script is written in, and what a script raises.

A script is a generator: it yields the `Expectation` that it waits for and is sent the input that met it. `None` sent in
means "something happened, look again".
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

from controller.engine import events as ev
from controller.engine.expect.expectation import Expectation
from controller.engine.expect.lazy import LazyExpectation
from controller.engine.expect.want import Refusal
from controller.engine.expect.wants import WantFloor
from controller.engine.inputs import Act, AnyBody, FloorAct, WagerPlaced, kind_of

T = TypeVar("T")
Script = Generator[Expectation | LazyExpectation, "AnyBody | None", None]
Move = Generator[Expectation | LazyExpectation, "AnyBody | None", T]
"""A part of a script that returns a value: `slot = yield from t.deal(hand)`."""


class Voided(Exception):
    """Raised by a ruling or a script: the round is void."""

    def __init__(self, ruling: str, reason: str = "") -> None:
        super().__init__(ruling)
        self.ruling, self.reason = ruling, reason


class Unruled(Exception):
    """Raised by a ruling that does not fit the moment: nothing has changed, the floor must decide.

    `code` is the sheet's name for it, where it has one.
    """

    def __init__(self, reason: str, code: str = "") -> None:
        super().__init__(reason)
        self.reason, self.code = reason, code


def call_floor(events: list[ev.Event], code: str, text: str) -> Move[None]:
    """Something the script cannot decide: the table is held until a supervisor resumes or voids."""
    events += [ev.Irregularity(code, text), ev.Held(code, text)]
    while True:
        body = yield Expectation((WantFloor(code, text, ("resume", "void")),))
        if type(body) is FloorAct and body.do == "void":
            raise Voided("floor_void", body.reason)
        if type(body) is FloorAct:
            events.append(ev.Resumed(body.do, body.reason))
            return


def refused(body: AnyBody, refusal: Refusal) -> ev.Refused:
    """The event of an input that was refused; it names no card."""
    match body:
        case Act():
            what = f"seat {body.seat}: {body.do}"
        case WagerPlaced():
            what = f"{body.place}: {body.wager}"
        case _:
            what = kind_of(body)
    return ev.Refused(what, refusal.why, refusal.text, refusal.bounds)
