"""Whose turn it is to be asked, on a bus where some do not answer. No I/O; time is passed in.

Who answered is asked again after the poll interval. Who did not is asked again later and later, and only when everybody
who answers has had a turn since the last such question: so the silent cost those who answer one unanswered question
per round at most, however many they are.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

SILENT_AFTER = 3
"""Unanswered questions in a row; before that, noise is as likely as a dead sensor."""
FIRST_WAIT = 1.0
LAST_WAIT = 10.0


class _Turn(Struct):
    due: float
    failures: int = 0
    had_turn: bool = False
    """Since somebody who does not answer was last asked."""


class Rota:
    def __init__(self, units: Iterable[int], every: float, now: float) -> None:
        """`every`: seconds from one question to a unit to the next."""
        self._every = every
        self._turns = {unit: _Turn(now) for unit in units}

    def next(self) -> tuple[int, float]:
        """Who is asked next, and when."""
        turns = self._turns
        answering = [unit for unit, turn in turns.items() if not turn.failures]
        may_try_silent = all(turns[unit].had_turn for unit in answering)
        candidates = list(turns) if may_try_silent else answering
        unit = min(candidates, key=lambda unit: (turns[unit].due, turns[unit].failures, unit))
        return unit, turns[unit].due

    def answered(self, unit: int, asked_at: float) -> None:
        turn = self._turns[unit]
        turn.failures, turn.had_turn = 0, True
        turn.due = asked_at + self._every

    def failed(self, unit: int, now: float) -> int:
        """How many times in a row it has not answered now."""
        turn = self._turns[unit]
        if turn.failures:
            for other in self._turns.values():
                other.had_turn = False
        turn.failures += 1
        overdue = turn.failures - SILENT_AFTER
        turn.due = now + (self._every if overdue < 0 else min(LAST_WAIT, FIRST_WAIT * (1 << min(overdue, 10))))
        return turn.failures
