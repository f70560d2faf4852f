"""What every connection of ours is made with: who we are, how the broker is reached, and that it remembers nothing."""

from __future__ import annotations

import ssl
from typing import Literal, TypedDict

import aiomqtt
import paho.mqtt.client as paho

from controller.config.broker import MqttSettings
from controller.mqtt.credentials import password, tls_context

_ANSWER_WITHIN = 5.0
"""Seconds for the broker to accept a connection that the network has made."""
_VERSIONS = {"5": aiomqtt.ProtocolVersion.V5, "3.1.1": aiomqtt.ProtocolVersion.V311}


class ClientArguments(TypedDict):
    """Of `aiomqtt.Client`."""

    identifier: str
    username: str | None
    password: str | None
    tls_context: ssl.SSLContext | None
    protocol: aiomqtt.ProtocolVersion
    keepalive: int
    timeout: float
    clean_start: bool | Literal[3]
    clean_session: bool | None


def client_arguments(settings: MqttSettings) -> ClientArguments:
    is_v5 = settings.version == "5"
    return ClientArguments(
        identifier=settings.client_id,
        username=settings.username,
        password=password(settings),
        tls_context=tls_context(settings),
        protocol=_VERSIONS[settings.version],
        keepalive=settings.keepalive,
        timeout=_ANSWER_WITHIN,
        # The journal is our session: the broker need not remember one.
        clean_start=True if is_v5 else paho.MQTT_CLEAN_START_FIRST_ONLY,
        clean_session=None if is_v5 else True,
    )
