"""An event loop in simulated time: when nobody has anything to do, it is the next timer's time.

Whatever asyncio reckons with (sleeps, time-outs, keep-alives, retries) takes no real time, and happens in the same
order every time. Time stands still while something outside this process works for the loop: a thread that commits to
the disk, a broker that owes an acknowledgement (`hold`). A day at a table is minutes, and one seed is one day.
"""

from __future__ import annotations

import asyncio
import contextvars
import selectors
import signal
import threading
import time
import weakref
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any, TypeVar, TypeVarTuple

from sim_hw.clock import SimClock

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

MOST_REAL_S = 30.0
"""Nothing outside keeps the loop waiting for so long, unless it hangs."""

MOST_TURNS = 20_000
"""Of the loop, at one moment: nobody has that much to do at once."""
MOMENT = 1e-6
"""A timer never rings at its very time. Who reckons `now - then >= span` where the timer was `then + span` would, by a
rounding, find that nothing is due, and ask for the same moment again, for ever."""

LIFE: contextvars.ContextVar[object] = contextvars.ContextVar("life", default=None)
"""Whose a task is: tasks that it starts are of the same life. See `SimLoop.end_life`."""


class OutsideHangs(Exception):
    """Simulated time was held, and nobody let go of it."""


class TimeStandsStill(Exception):
    """Two parties of the loop keep each other busy, and time does not move."""


class SimLoop(asyncio.SelectorEventLoop):
    """`asyncio.Runner(loop_factory=SimLoop)` runs a day in minutes."""

    is_simulated = True
    """Ports do not reckon up our own work in it."""

    def __init__(self) -> None:
        self._now = 0.0
        self._held = 0
        self._signals: dict[int, Callable[[], object]] = {}
        self._tasks: weakref.WeakSet[asyncio.Task[Any]] = weakref.WeakSet()
        self._lives: weakref.WeakKeyDictionary[asyncio.Task[Any], object] = weakref.WeakKeyDictionary()
        super().__init__(_Selector(self))
        self.set_task_factory(self._make_task)

    def time(self) -> float:
        """Simulated seconds since the loop was made."""
        return self._now

    # What is outside

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Time stands still: somebody outside the loop is at work."""
        self._held += 1
        try:
            yield
        finally:
            self._held -= 1

    def hold_until(self, done: asyncio.Future[Any]) -> None:
        """`hold` until this is done."""
        if not done.done():
            self._held += 1
            done.add_done_callback(self._let_go)

    def _let_go(self, _: object) -> None:
        self._held -= 1

    def run_in_executor(self, executor: Executor | None, func: Callable[[*Ts], T], *args: *Ts) -> asyncio.Future[T]:
        """A thread works: time waits for it."""
        work = super().run_in_executor(executor, func, *args)
        self.hold_until(work)
        return work

    async def real_wait(self, event: asyncio.Event, seconds: float) -> bool:
        """Wait for something outside, in real time; False where it did not come."""
        came = True

        def give_up() -> None:
            nonlocal came
            came = event.is_set()
            event.set()

        late = threading.Timer(seconds, lambda: self.call_soon_threadsafe(give_up))
        late.start()
        try:
            with self.hold():
                await event.wait()
        finally:
            late.cancel()
        return came

    # What a process has, and several daemons of one loop would share

    def add_signal_handler(self, sig: int, callback: Callable[[*Ts], object], *args: *Ts) -> None:
        """Kept for `signalled`; the process's own signals stay with whoever runs the loop."""
        self._signals[sig] = lambda: callback(*args)

    def remove_signal_handler(self, sig: int) -> bool:
        return self._signals.pop(sig, None) is not None

    def signalled(self, sig: signal.Signals) -> None:
        """The daemon in this loop is sent a signal."""
        self._signals[sig]()

    def start_life(self, life: object, main: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Begin a task whose whole offspring can be ended at once."""
        context = contextvars.copy_context()
        context.run(LIFE.set, life)
        return self.create_task(main, context=context)

    async def end_life(self, life: object) -> None:
        """End all its tasks, wherever they are; as far as Python lets us, what SIGKILL does."""
        while tasks := [task for task in self._tasks if not task.done() and self._lives.get(task) is life]:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
        for timer in self._scheduled:  # type: ignore[attr-defined]
            if timer._context.get(LIFE) is life:
                timer.cancel()

    def _make_task(self, loop: asyncio.AbstractEventLoop, coro: Any, **options: Any) -> asyncio.Task[Any]:
        task: asyncio.Task[Any] = asyncio.Task(coro, loop=loop, **options)
        context = options.get("context")
        life = LIFE.get() if context is None else context.get(LIFE)
        if life is not None:
            self._tasks.add(task)
            self._lives[task] = life
        return task


class _Selector(selectors.DefaultSelector):
    """Looks at the ports; where nothing is ready, it moves the loop's time and not ours."""

    def __init__(self, loop: SimLoop) -> None:
        super().__init__()
        self._loop = loop
        self._turns = 0
        """Of the loop, at this one moment."""

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        self._turns += 1
        if self._turns > MOST_TURNS:
            self._turns = 0
            handles = [*self._loop._ready, *(handle for key, _ in ready for handle in key.data if handle)]  # type: ignore[attr-defined]
            busy = ", ".join(sorted({repr(getattr(each._callback, "__self__", each)) for each in handles})[:5])
            raise TimeStandsStill(f"{MOST_TURNS} turns of the loop at {self._loop.time():.3f} s; now: {busy}")
        if ready or (timeout is not None and timeout <= 0):
            return ready
        if self._loop._held or timeout is None:
            began = time.monotonic()
            while not (ready := super().select(1.0)):
                if time.monotonic() - began > MOST_REAL_S:
                    raise OutsideHangs(f"nothing has happened outside the loop for {MOST_REAL_S:g} seconds")
            return ready
        self._turns = 0
        self._loop._now += timeout + MOMENT
        return ready


class LoopClock(SimClock):
    """The devices' clock, in a simulated loop: its time is theirs."""

    def __init__(self, loop: SimLoop) -> None:
        super().__init__()
        self._loop = loop

    def now_ms(self) -> int:
        return round(self._loop.time() * 1000)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
