"""An event loop in simulated time: when nobody has anything to do, it is the next timer's time.

Whatever asyncio waits for (sleeps, time-outs, keep-alives, retries) takes no real time: a day at a table is minutes.
And one seed is one day. All that happens in the loop happens in an order that depends on nothing outside of it:

- What is asked of a thread is done while the loop waits for it (`run_in_executor`).
- The loop looks at its sockets only when nobody in it has anything to do, and takes them in the order in which they
  were registered. Both ends of each are in this loop, on this machine's memory alone (`AF_UNIX`): what one end has
  written, the other can read at once, whatever else the machine does. A server on a port of the network is reached
  from inside the loop in the same way (`create_connection`).
- Timers that ring at the same time ring in the order in which they were set. Sets of tasks are walked through in the
  order of the tasks.
- Python's collector of cycles runs at times of the loop, not whenever it has counted enough objects.

What works for the loop outside of this process (the disk, a broker) is waited for by its caller.
"""

from __future__ import annotations

import asyncio
import contextvars
import gc
import heapq
import math
import selectors
import signal
import socket
import threading
import time
import weakref
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from typing import Any, TypeVar, TypeVarTuple

from sim_hw.time.clock import SimClock

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

MOST_REAL_S = 30.0
"""Nothing outside keeps the loop waiting for this long, unless it hangs."""

MOST_TURNS = 20_000
"""Of the loop, at one moment: nobody has that much to do at once."""
MOMENT = 1e-6
"""A timer never fires at exactly its time. Code that computes `now - then >= span` where the timer was `then + span`
would, by a rounding, find that nothing is due, and ask for the same moment again, for ever."""
COLLECTS_EVERY = 600.0
"""Simulated seconds between two runs of Python's collector."""

LIFE: contextvars.ContextVar[object] = contextvars.ContextVar("life", default=None)
"""Whose a task is: tasks that it starts are of the same life. See `SimLoop.end_life`."""


class OutsideHangs(Exception):
    """The loop waits for something outside, and it does not come."""


class TimeStandsStill(Exception):
    """Two parties of the loop keep each other busy, and time does not move."""


class SimLoop(asyncio.SelectorEventLoop):
    """`asyncio.Runner(loop_factory=SimLoop)` runs a day in minutes."""

    is_simulated = True
    """Ports do not count our own work in it."""

    def __init__(self) -> None:
        self._now = 0.0
        self._collects_at = COLLECTS_EVERY
        self._set_timers = 0
        self._made_tasks = 0
        self._signals: dict[int, Callable[[], object]] = {}
        self._tasks: weakref.WeakValueDictionary[int, asyncio.Task[Any]] = weakref.WeakValueDictionary()
        """Those of a life, in the order in which they were made."""
        self._lives: weakref.WeakKeyDictionary[asyncio.Task[Any], object] = weakref.WeakKeyDictionary()
        self._servers: dict[int, _Listening] = {}
        """By their port."""
        super().__init__(_Selector(self))
        self._clock_resolution = math.ulp(self._now)
        """The span in which asyncio lets a timer ring early; of the machine's clock otherwise. Time does not go on by
        itself here: who finds at his timer that it is not yet time, and sets it again, would do so for ever."""
        self.set_task_factory(self._make_task)

    def time(self) -> float:
        """Simulated seconds since the loop was made."""
        return self._now

    def run_forever(self) -> None:
        """Until it is stopped; with Python's collector at times of the loop."""
        collected = gc.isenabled()
        gc.disable()
        # Modules and rules stay: the collector need not look through them again and again.
        gc.freeze()
        try:
            super().run_forever()
        finally:
            gc.unfreeze()
            if collected:
                gc.enable()

    def call_at(
        self, when: float, callback: Callable[[*Ts], object], *args: *Ts, context: contextvars.Context | None = None
    ) -> asyncio.TimerHandle:
        """Those of the same time ring in the order in which they were set."""
        self._check_closed()  # type: ignore[attr-defined]
        self._set_timers += 1
        timer = _Timer(when, callback, args, self, context)
        timer.number = self._set_timers
        heapq.heappush(self._scheduled, timer)  # type: ignore[attr-defined]
        timer._scheduled = True  # type: ignore[attr-defined]
        return timer

    def call_later(
        self, delay: float, callback: Callable[[*Ts], object], *args: *Ts, context: contextvars.Context | None = None
    ) -> asyncio.TimerHandle:
        return self.call_at(self._now + delay, callback, *args, context=context)

    def call_soon_threadsafe(
        self, callback: Callable[[*Ts], object], *args: *Ts, context: contextvars.Context | None = None
    ) -> asyncio.Handle:
        if self._thread_id == threading.get_ident():  # type: ignore[attr-defined]
            return self.call_soon(callback, *args, context=context)
        return super().call_soon_threadsafe(callback, *args, context=context)

    def _ring_next(self) -> None:
        """It is the next timer's time."""
        self._now = max(self._now, self._scheduled[0].when()) + MOMENT  # type: ignore[attr-defined]
        self._clock_resolution = math.ulp(self._now)
        if self._now >= self._collects_at:
            self._collects_at = self._now + COLLECTS_EVERY
            gc.collect()

    # What is outside

    def run_in_executor(self, executor: Executor | None, func: Callable[[*Ts], T], *args: *Ts) -> asyncio.Future[T]:
        """Done at once: a thread would be finished sooner or later, and everybody else meanwhile further or not."""
        done: asyncio.Future[T] = self.create_future()
        try:
            done.set_result(func(*args))
        except Exception as error:
            done.set_exception(error)
        return done

    # Those who listen inside

    async def create_server(self, protocol_factory: Any, host: Any = None, port: Any = None, **options: Any) -> Any:
        """On a port of the network, for others; from inside, `create_connection` leads to it without the network."""
        server = await super().create_server(protocol_factory, host, port, **options)
        listening = _Listening(server, protocol_factory, contextvars.copy_context())
        self._servers = {port: other for port, other in self._servers.items() if other.server.is_serving()}
        for bound in server.sockets:
            self._servers[bound.getsockname()[1]] = listening
        return server

    async def create_connection(self, protocol_factory: Any, host: Any = None, port: Any = None, **options: Any) -> Any:
        """To somebody in this loop: over a pair of sockets that has no network between its ends."""
        listening = self._servers.get(port) if options.get("sock") is None else None
        if listening is None:
            return await super().create_connection(protocol_factory, host, port, **options)
        if not listening.server.is_serving():
            raise ConnectionRefusedError(f"nobody listens on port {port} any more")
        ours, theirs = socket.socketpair()
        for end in (ours, theirs):
            end.setblocking(False)
        # As a task of the one who listens, as it would be if he had accepted the connection.
        await self.create_task(
            self.connect_accepted_socket(listening.protocol_factory, theirs), context=listening.context.copy()
        )
        return await super().create_connection(protocol_factory, sock=ours)

    # What a process has, and several daemons of one loop would share

    def add_signal_handler(self, sig: int, callback: Callable[[*Ts], object], *args: *Ts) -> None:
        """Kept for `signalled`; the process's own signals stay with the caller that runs the loop."""
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
        """End all its tasks, wherever they are, in the order in which they were made; as far as Python lets us, what
        SIGKILL does."""
        while tasks := [task for task in self._tasks.values() if not task.done() and self._lives.get(task) is life]:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
        for timer in self._scheduled:  # type: ignore[attr-defined]
            if timer._context.get(LIFE) is life:
                timer.cancel()

    def _make_task(self, loop: asyncio.AbstractEventLoop, coro: Any, **options: Any) -> asyncio.Task[Any]:
        self._made_tasks += 1
        task = _Task(coro, loop=loop, number=self._made_tasks, **options)
        context = options.get("context")
        life = LIFE.get() if context is None else context.get(LIFE)
        if life is not None:
            self._tasks[task.number] = task
            self._lives[task] = life
        return task


class _Listening:
    """A server of the loop, and whose it is."""

    __slots__ = ("context", "protocol_factory", "server")

    def __init__(self, server: asyncio.Server, protocol_factory: Any, context: contextvars.Context) -> None:
        self.server, self.protocol_factory, self.context = server, protocol_factory, context


class _Timer(asyncio.TimerHandle):
    """A timer that knows how many were set before it."""

    __slots__ = ("number",)
    number: int
    _when: float

    def __lt__(self, other: object) -> bool:
        assert type(other) is _Timer
        return self._when < other._when if self._when != other._when else self.number < other.number


class _Task(asyncio.Task[Any]):
    """A task whose place in a set (of a task group, of a server) follows from when it was made, not from where in the
    memory it is."""

    def __init__(self, coro: Any, *, number: int, **options: Any) -> None:
        self.number = number
        super().__init__(coro, **options)

    def __hash__(self) -> int:
        return self.number


class _Selector(selectors.DefaultSelector):
    """Looks at the sockets when there is nothing else to do; where nothing is ready, it moves the loop's time and not
    ours."""

    def __init__(self, loop: SimLoop) -> None:
        super().__init__()
        self._loop = loop
        self._turns = 0
        """Of the loop, at this one moment."""
        self._registered = 0
        self._places: dict[int, int] = {}
        """When each socket was registered, by its descriptor."""

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        key = super().register(fileobj, events, data)
        self._registered += 1
        self._places[key.fd] = self._registered
        return key

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self._turns += 1
        if self._turns > MOST_TURNS:
            self._turns = 0
            self._give_up()
        if self._loop._ready:  # type: ignore[attr-defined]
            return []
        if ready := super().select(0):
            return self._in_order(ready)
        if timeout is None:
            return self._wait_outside()
        if timeout > 0:
            self._turns = 0
            self._loop._ring_next()
        return []

    def _in_order(self, ready: list[tuple[selectors.SelectorKey, int]]) -> list[tuple[selectors.SelectorKey, int]]:
        if len(ready) > 1:
            ready.sort(key=lambda each: self._places[each[0].fd])
        return ready

    def _wait_outside(self) -> list[tuple[selectors.SelectorKey, int]]:
        """Nobody inside waits for any time: only somebody outside can go on."""
        began = time.monotonic()
        while not (ready := super().select(1.0)):
            if time.monotonic() - began > MOST_REAL_S:
                raise OutsideHangs(f"nothing has happened outside the loop for {MOST_REAL_S:g} seconds")
        return self._in_order(ready)

    def _give_up(self) -> None:
        ready = super().select(0)
        handles = [*self._loop._ready, *(handle for key, _ in ready for handle in key.data if handle)]  # type: ignore[attr-defined]
        busy = ", ".join(sorted({repr(getattr(each._callback, "__self__", each)) for each in handles})[:5])
        raise TimeStandsStill(f"{MOST_TURNS} turns of the loop at {self._loop.time():.3f} s; now: {busy}")


class LoopClock(SimClock):
    """The devices' clock, in a simulated loop: its time is theirs."""

    def __init__(self, loop: SimLoop) -> None:
        super().__init__()
        self._loop = loop

    def now_ms(self) -> int:
        return round(self._loop.time() * 1000)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
