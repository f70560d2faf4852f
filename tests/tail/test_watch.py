"""The connection of `cutcard tail`, until it is ended."""

from __future__ import annotations

import asyncio

import pytest

from controller.mqtt import MqttSettings
from controller.tail import watch
from tests.support.running.broken_ends import BreaksAtTheEnd


async def test_it_ends_although_the_connection_cannot_be_left_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    client = BreaksAtTheEnd()
    monkeypatch.setattr(watch, "monitor_client", client)
    settings = MqttSettings(host="127.0.0.1", client_id="tail")
    watching = asyncio.create_task(watch.Watch(settings, watch.TailOptions(), print, print).run())
    async with asyncio.timeout(60):
        await client.is_used.wait()
        watching.cancel()
        with pytest.raises(asyncio.CancelledError):
            await watching
