"""How a process that deals ends: its rounds are printed in one JSON line, the devices stay until somebody stops it."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Coroutine
from typing import Any


async def deal_until_stopped(
    deal: Coroutine[Any, Any, int], stop: asyncio.Event, failures: tuple[type[Exception], ...]
) -> int:
    """The process's exit code. `failures`: what the table or the people may fail with; printed, not raised."""
    dealing = asyncio.create_task(deal)
    stopped = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({dealing, stopped}, return_when=asyncio.FIRST_COMPLETED)
        if not dealing.done():
            return 0
        try:
            print(json.dumps({"dealt": dealing.result()}), flush=True)
        except failures as error:
            if stop.is_set():
                return 0
            print(json.dumps({"failed": f"{type(error).__name__}: {error}"}), flush=True)
            return 1
        await stopped
        return 0
    finally:
        for task in (dealing, stopped):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, *failures):
                await task
