"""How `cutcard sparkplug` ends while a broker has stopped reading."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from controller.mqtt import MqttSettings
from controller.sparkplug import bridge, edge
from controller.sparkplug.birth_numbers import BirthNumbers
from controller.sparkplug.node import EdgeNode
from tests.support.running.broken_ends import BreaksAtTheEnd

SETTINGS = MqttSettings(host="127.0.0.1", client_id="bridge")


async def test_the_bridge_ends_although_the_tables_broker_cannot_be_left_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = BreaksAtTheEnd()
    monkeypatch.setattr(bridge, "monitor_client", client)
    births = BirthNumbers(tmp_path / "births.json")
    running = asyncio.create_task(bridge.Bridge(SETTINGS, SETTINGS, bridge.BridgeOptions(), births).run())
    async with asyncio.timeout(60):
        await client.is_used.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
    births.close()


async def test_a_node_ends_although_the_hosts_broker_cannot_be_left_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    link = BreaksAtTheEnd()
    monkeypatch.setattr(edge, "Link", link)
    node = edge.Edge(EdgeNode("bay101", "t-1", lambda: 0), SETTINGS, lambda: 1, "scada")
    running = asyncio.create_task(node.run())
    node.begin()
    async with asyncio.timeout(60):
        await link.is_used.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
