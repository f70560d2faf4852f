"""aiomqtt's client, whose waits lose no cancellation.

aiomqtt waits with `asyncio.wait_for`. Before Python 3.12 that returns the result when an answer of the broker and a
cancellation come in the same turn of the loop: the cancellation is gone, and what was to end goes on for ever. Here
`asyncio.timeout` waits, which keeps both apart. `tests/mqtt/test_mqtt_client.py` shows it.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable
from typing import TypeVar

import aiomqtt

T = TypeVar("T")


class MqttClient(aiomqtt.Client):
    """A connection, made by `async with`. Knows one inside of aiomqtt: `_wait_for`, by which it waits for answers."""

    async def _wait_for(self, fut: Awaitable[T], timeout: float | None) -> T:  # noqa: ASYNC109  aiomqtt asks so
        seconds = self.timeout if timeout is None else timeout
        try:
            async with asyncio.timeout(None if seconds == math.inf else seconds):
                return await fut
        except TimeoutError:
            raise aiomqtt.MqttError("Operation timed out") from None
