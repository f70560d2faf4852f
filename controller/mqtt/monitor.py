"""The connection of a program that reads what tables publish: `cutcard tail`, `cutcard sparkplug`."""

from __future__ import annotations

from controller.config.broker import MqttSettings
from controller.mqtt.client_arguments import client_arguments
from controller.mqtt_client import MqttClient


def monitor_client(settings: MqttSettings) -> MqttClient:
    """A connection, to be made by `async with`; the broker remembers nothing of the one before."""
    return MqttClient(settings.host, settings.port, **client_arguments(settings))
