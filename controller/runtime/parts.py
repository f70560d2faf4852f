"""The parts of a daemon: one small interface, one list, one place where they start and stop."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any

from msgspec import Struct

from controller.engine import events as ev


class Part(Struct, frozen=True, kw_only=True):
    """One part, as far as the daemon's life is concerned. Each has only what it needs of these."""

    name: str
    running: Callable[[], AbstractAsyncContextManager[object]] | None = None
    """Entered at the start and left at the stop."""
    work: Callable[[], Coroutine[Any, Any, None]] | None = None
    """A task from the start to the stop. If it ends by itself, the daemon stops."""
    stop: Callable[[], None] | None = None
    follow: Callable[[tuple[ev.Event, ...]], None] | None = None
    """Called after every commit, and without events after one that failed."""


@contextlib.asynccontextmanager
async def running(parts: Sequence[Part], ended: asyncio.Event) -> AsyncIterator[None]:
    """Start the parts in order and stop them in the reverse order; `ended` is set when the work of one ends."""
    async with contextlib.AsyncExitStack() as stack:
        for part in parts:
            if part.running is not None:
                await stack.enter_async_context(part.running())
            if part.work is not None:
                task = asyncio.create_task(part.work(), name=part.name)
                task.add_done_callback(lambda _: ended.set())
                stack.push_async_callback(_cancel, task)
            if part.stop is not None:
                stack.callback(part.stop)
        yield


async def _cancel(task: asyncio.Task[None]) -> None:
    """Raises what ended it, where that was an error."""
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
