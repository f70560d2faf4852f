"""Connecting again and again, until the program ends."""

from __future__ import annotations

import asyncio

import pytest
from aiomqtt import MqttError

from floor.collector.connecting import keep_connected
from floor.config import Broker


async def test_it_ends_although_the_connection_that_it_ends_is_broken() -> None:
    connected = asyncio.Event()

    async def use_one_connection() -> None:
        try:
            connected.set()
            await asyncio.Event().wait()
        finally:
            raise MqttError("the broker is away")

    keeper = asyncio.create_task(keep_connected(Broker(name="a"), use_one_connection))
    await connected.wait()
    keeper.cancel()
    async with asyncio.timeout(30):
        with pytest.raises(asyncio.CancelledError):
            await keeper
