"""A seat is asked: what it may do is written out when somebody wants to see it."""

from __future__ import annotations

from controller.engine.betting.betting_round import Action
from controller.engine.expect.expectation import Expectation, WantDecision
from controller.engine.expect.lazy import Deferred
from controller.engine.inputs import Act


class Turn(Deferred):
    """A seat is asked. Most acts are judged without the menu of what else it might have done."""

    __slots__ = ("_action", "_seat", "_told")

    def __init__(self, action: Action, seat: int) -> None:
        self._action = action
        self._seat = seat
        self._told: Expectation | None = None

    def admits(self, act: Act) -> bool:
        seat = self._seat
        return act.seat == seat and self._action.admits(seat, act)

    def told(self) -> Expectation:
        if self._told is None:
            choices, barred = self._action.choices(self._seat)
            self._told = Expectation((WantDecision(self._seat, choices),), barred)
        return self._told
