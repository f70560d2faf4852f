"""The table's phase, what it waits for, and since when each.

Both follow from the engine alone; since when they do is noted after every input, here. A start notes it again as it
applies the inputs of the last round, so it is the same before and after a restart.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from controller.engine.expect.bank import WantBank
from controller.engine.expect.expectation import Expectation, prompt
from controller.engine.expect.wants import WantFloor, WantWagers
from controller.engine.round.kernel import Round
from controller.engine.table.current_round import Shared

Phase = Annotated[Literal["waiting", "betting", "dealing", "settled", "held", "closed"], Meta(title="StatePhase")]


class Waiting(Struct, frozen=True):
    """What a table waits for, and since when."""

    phase: Phase
    phase_since: int
    prompt: str
    since: int
    """Since when `prompt` is what it waits for."""


class Waits:
    """Keeps since when a table waits."""

    def __init__(self, shared: Shared) -> None:
        self._lasting, self._current = shared.lasting, shared.current
        self.noted: Waiting | None = None
        """After the last input that was noted; None: none was."""

    def note(self) -> None:
        """After an input was applied."""
        now, before = self._lasting.now, self.noted
        phase, text = self.phase, prompt(self._current.expectation)
        if before is None:
            self.noted = Waiting(phase, now, text, now)
        elif (before.phase, before.prompt) != (phase, text):
            phase_since = before.phase_since if before.phase == phase else now
            self.noted = Waiting(phase, phase_since, text, now)

    @property
    def phase(self) -> Phase:
        current, expectation = self._current, self._current.expectation
        if any(type(want) is WantFloor for want in expectation.wants):
            return "held"
        if current.round is None:
            if self._lasting.state.closed:
                return "closed"
            # While the bank is offered, the players still see how the last hand went.
            is_offered = any(type(want) is WantBank for want in expectation.wants)
            return "settled" if is_offered and current.last is not None else "waiting"
        return _phase_of_round(current.round, expectation, was_one=current.last is not None)


def _phase_of_round(current: Round, expectation: Expectation, *, was_one: bool) -> Phase:
    takes_bets = any(type(want) is WantWagers for want in expectation.wants)
    if not current.begun:
        return "settled" if was_one else "betting" if takes_bets else "waiting"
    return "betting" if takes_bets else "dealing"
