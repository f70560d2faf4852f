"""The connection of a program that reads what tables publish: `cutcard tail`, `cutcard sparkplug`."""

from __future__ import annotations

import aiomqtt
import paho.mqtt.client as paho

from controller.config.broker import MqttSettings
from controller.mqtt.credentials import password, tls_context
from controller.mqtt_client import MqttClient

_ANSWER_WITHIN = 5.0
_VERSIONS = {"5": aiomqtt.ProtocolVersion.V5, "3.1.1": aiomqtt.ProtocolVersion.V311}


def monitor_client(settings: MqttSettings) -> MqttClient:
    """A connection, to be made by `async with`; the broker remembers nothing of the one before."""
    is_v5 = settings.version == "5"
    return MqttClient(
        settings.host,
        settings.port,
        identifier=settings.client_id,
        username=settings.username,
        password=password(settings),
        tls_context=tls_context(settings),
        protocol=_VERSIONS[settings.version],
        keepalive=settings.keepalive,
        timeout=_ANSWER_WITHIN,
        clean_start=True if is_v5 else paho.MQTT_CLEAN_START_FIRST_ONLY,
        clean_session=None if is_v5 else True,
    )
