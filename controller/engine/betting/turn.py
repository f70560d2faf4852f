"""A seat is to act; what it may do is built on demand."""

from __future__ import annotations

from controller.engine.betting.betting_round import Action
from controller.engine.expect.choices import WantDecision
from controller.engine.expect.expectation import Expectation
from controller.engine.expect.lazy import LazyExpectation
from controller.engine.inputs import Act


class Turn(LazyExpectation):
    """A seat is to act. Most acts are judged without building the list of choices."""

    __slots__ = ("_action", "_built", "_seat")

    def __init__(self, action: Action, seat: int) -> None:
        self._action = action
        self._seat = seat
        self._built: Expectation | None = None

    def admits(self, act: Act) -> bool:
        seat = self._seat
        return act.seat == seat and self._action.admits(seat, act)

    def build(self) -> Expectation:
        if self._built is None:
            choices, barred = self._action.choices(self._seat)
            self._built = Expectation((WantDecision(self._seat, choices),), barred)
        return self._built
