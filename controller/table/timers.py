"""What happens at a table because time passes: bets are closed, the grace for a drop is over.

The engine has no clock. It states until when it waits; these timers submit an input when that time has come.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine

from controller.clock import Clock
from controller.engine.expect.wants import WantWagers
from controller.engine.inputs import BetsClosed, TimePassed
from controller.engine.table.clock import began_at
from controller.journal import JournalError
from controller.recorder.recorder import Recorder


class Timers:
    """The timers of one table."""

    def __init__(self, recorder: Recorder, clock: Clock, tick: Callable[[], None]) -> None:
        """`tick` is called each second while bets are open for a time."""
        self._recorder, self._clock, self._tick = recorder, clock, tick
        self._bets: asyncio.TimerHandle | None = None
        self._look: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[object]] = set()

    def follow(self) -> None:
        """After a commit, or a failed one: set the timers by what the table waits for now."""
        self._set_bets_timer()
        self._set_look_timer()

    def end(self) -> None:
        for timer in (self._bets, self._look):
            if timer is not None:
                timer.cancel()

    def seconds_to_bet(self) -> int | None:
        """What is left of the running timer, for the reader board."""
        if self._bets is None:
            return None
        return max(0, round(self._bets.when() - asyncio.get_running_loop().time()))

    def _set_bets_timer(self) -> None:
        """The optional timer closes the bets of a round, counted from its first wager."""
        seconds = getattr(self._recorder.engine.options, "bet_close_timer", 0)
        current = self._recorder.engine.round
        betting = (
            current is not None
            and current.begun
            and any(isinstance(want, WantWagers) for want in current.expectation.wants)
        )
        if self._bets is not None and not betting:
            self._bets.cancel()
            self._bets = None
        elif betting and seconds and self._bets is None:
            loop, number = asyncio.get_running_loop(), self._recorder.engine.round_number
            # After a restart what is left counts from the first wager, not from the start.
            gone = (self._clock.now_ms() - began_at(self._recorder.engine.played.inputs)) / 1000
            self._bets = loop.call_later(max(0.0, seconds - gone), self._close_bets, number)
            loop.call_later(1, self._second_is_over)

    def _second_is_over(self) -> None:
        if self._bets is not None:
            self._tick()
            asyncio.get_running_loop().call_later(1, self._second_is_over)

    def _close_bets(self, number: int) -> None:
        self._bets = None
        if self._recorder.engine.round_number == number:
            self._begin(self._recorder.submit(BetsClosed(), "timer"))

    def _set_look_timer(self) -> None:
        """The grace time for a drop must end even when nothing else happens."""
        look = self._recorder.engine.next_look()
        if self._look is not None:
            self._look.cancel()
            self._look = None
        # While nothing can be written down, nothing is judged; the next commit that succeeds comes by here.
        if look is not None and self._recorder.trouble is None:
            left = max(0.0, (look - self._clock.now_ms()) / 1000)
            self._look = asyncio.get_running_loop().call_later(left, self._look_again)

    def _look_again(self) -> None:
        self._look = None
        look = self._recorder.engine.next_look()
        if look is None or look > self._clock.now_ms():
            self._set_look_timer()
            return
        self._begin(self._submit_time())

    async def _submit_time(self) -> None:
        with contextlib.suppress(JournalError):
            await self._recorder.submit(TimePassed(), "timer")

    def _begin(self, work: Coroutine[None, None, object]) -> None:
        # The loop itself holds a task only weakly.
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
