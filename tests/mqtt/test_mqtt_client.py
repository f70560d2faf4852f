"""A cancellation that comes with the broker's answer ends the wait for it: controller/mqtt_client.py."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import aiomqtt
import pytest

from controller.mqtt_client import MqttClient
from tests.support.running.brokers import mosquitto, needs_mosquitto

pytestmark = [pytest.mark.broker, needs_mosquitto]


class CancelledWithTheAnswer(MqttClient):
    """Whoever waits for a subscription is cancelled in the turn of the loop in which the broker's answer arrives."""

    waits: asyncio.Task[object]

    def _on_subscribe(self, *arguments: Any, **more: Any) -> None:
        super()._on_subscribe(*arguments, **more)
        self.waits.cancel()


async def test_a_subscription_that_is_cancelled_as_its_answer_comes_is_cancelled(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker:
        async with CancelledWithTheAnswer("127.0.0.1", broker.port, identifier="someone") as client:
            client.waits = asyncio.create_task(client.subscribe("a/topic", qos=1))
            with pytest.raises(asyncio.CancelledError):
                await client.waits


async def test_a_broker_that_does_not_answer_in_time_is_an_error_in_words(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker:
        async with MqttClient("127.0.0.1", broker.port, identifier="someone") as client:
            with pytest.raises(aiomqtt.MqttError, match="Operation timed out"):
                await client.subscribe("a/topic", qos=1, timeout=0)
