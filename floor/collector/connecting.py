"""A connection to a broker, made again and again for as long as the program runs."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable
from typing import NoReturn

from aiomqtt import MqttError

from controller.cancellation import end_if_cancelled
from floor.config import Broker

log = logging.getLogger("cutcard.floor")

FIRST_PAUSE, LONGEST_PAUSE = 0.25, 10.0
"""Seconds between attempts, each shortened at random by up to half."""


async def keep_connected(
    broker: Broker, use_one_connection: Callable[[], Awaitable[None]], longest_pause: float = LONGEST_PAUSE
) -> NoReturn:
    """Until it is cancelled. `use_one_connection` returns or raises `MqttError` when its connection has ended."""
    pause, reported = FIRST_PAUSE, ""
    while True:
        began = time.monotonic()
        try:
            await use_one_connection()
        except MqttError as error:
            if str(error) != reported or time.monotonic() - began > LONGEST_PAUSE:
                text = "the broker %s at %s is away, and is tried again: %s"
                log.warning(text, broker.name, broker.address, error)
            reported = str(error)
        end_if_cancelled()
        if time.monotonic() - began > LONGEST_PAUSE:
            pause = FIRST_PAUSE
        await asyncio.sleep(pause * random.uniform(0.5, 1.0))
        pause = min(2 * pause, longest_pause)
