"""One connection to a broker: aiomqtt, with the one thing that a store needs and it does not give.

aiomqtt has paho acknowledge a message as soon as it has arrived. A store must not: until the event is on the disk, the
broker is to keep it. So here nothing is acknowledged before `Wire.acknowledge`, which is called after the commit. And
we name a Receive Maximum, the number of messages that the broker may send before that: it bounds our memory, and a
store that is slow or away makes the broker wait instead of making us grow.

paho reads a packet with four calls of the socket, and writes each acknowledgement with one. Each call lets the thread
that stores go on, and waits until that thread pauses: up to 5 ms. So here the socket is read once for many packets, and
the acknowledgements of a batch are written at once.

This module knows the inside of aiomqtt (`_client`, `_on_message`) and of paho (`_sock_recv`, `_packet_queue`), and is
the only one of the floor that does.
"""

from __future__ import annotations

import logging
import socket
import struct
from collections.abc import Callable, Sequence
from typing import Any

import aiomqtt
import paho.mqtt.client as paho
from aiomqtt import MqttError
from msgspec import Struct
from paho.mqtt.enums import MQTTErrorCode
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from controller.mqtt_client import MqttClient
from floor.config import Broker

SESSION_S = 86_400
"""How long the broker keeps what is for a collector while it is away."""
_LARGEST = 1 << 20
"""Bytes of one message, as our brokers have it; a table publishes a few kilobytes."""
_ANSWER_WITHIN = 10.0
_READ_AT_ONCE = 65_536


class Arrived(Struct, frozen=True):
    """A message, and where its acknowledgement goes."""

    wire: Wire
    packet: int
    topic: str
    payload: bytes
    received_at: int


class Wire(MqttClient):
    """A connection, made by `async with`; each is used once."""

    def __init__(
        self,
        broker: Broker,
        identifier: str,
        in_flight: int,
        on_message: Callable[[Arrived], None],
        clock: Callable[[], int],
        *,
        session_s: int = SESSION_S,
    ) -> None:
        """`session_s`: how long the broker keeps what is for us while we are away; 0: nothing."""
        is_v5 = broker.version == "5"
        quiet = logging.Logger("cutcard.floor.wire", logging.CRITICAL)
        super().__init__(
            broker.host,
            broker.port,
            identifier=identifier,
            username=broker.username,
            password=broker.password(),
            tls_context=broker.tls_context(),
            protocol=aiomqtt.ProtocolVersion.V5 if is_v5 else aiomqtt.ProtocolVersion.V311,
            keepalive=broker.keepalive,
            timeout=_ANSWER_WITHIN,
            logger=quiet,
            clean_start=not session_s if is_v5 else paho.MQTT_CLEAN_START_FIRST_ONLY,
            clean_session=None if is_v5 else not session_s,
            properties=_limits(in_flight, session_s) if is_v5 else None,
            max_inflight_messages=0,
            socket_options=[(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)],
        )
        self.pending_calls_threshold = 1000
        self._client.manual_ack_set(True)
        _ReadAhead(self._client)
        self.broker = broker.name
        self.is_v5 = is_v5
        self._clock = clock
        self._hand_on = on_message

    def _on_message(self, client: paho.Client, userdata: Any, message: paho.MQTTMessage) -> None:
        if message.qos != 1:
            # Tables publish at QoS 1. What comes otherwise is not counted in the Receive Maximum: no memory for it.
            return
        self._hand_on(Arrived(self, message.mid, message.topic, bytes(message.payload), self._clock()))

    def acknowledge(self, packets: Sequence[int]) -> None:
        """The broker may forget these messages. Where the connection has ended, it will send them again."""
        self._client._packet_queue(paho.PUBACK, b"".join(_puback(packet) for packet in packets), 0, 1)

    def send(self, topic: str, payload: bytes, *, retain: bool = False, answer_to: str | None = None) -> None:
        """Sends at QoS 1, without waiting: what is lost with the connection is sent again by those who need it."""
        properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
        properties.ContentType = "application/json"
        properties.PayloadFormatIndicator = 1
        if answer_to is not None:
            properties.ResponseTopic = answer_to
        done = self._client.publish(topic, payload, qos=1, retain=retain, properties=properties)
        if done.rc != paho.MQTT_ERR_SUCCESS:
            raise MqttError(f"the connection is gone ({paho.error_string(done.rc)})")

    async def follow(self, filters: list[str]) -> None:
        """Subscribes at QoS 1; `MqttError` where the broker does not allow it."""
        reasons = await self.subscribe([(each, 1) for each in filters], timeout=_ANSWER_WITHIN)
        for each, reason in zip(filters, reasons, strict=False):
            is_failure = reason.is_failure if isinstance(reason, ReasonCode) else int(str(reason)) >= 0x80
            if is_failure:
                raise MqttError(f"the broker does not let us subscribe {each} ({reason})")

    async def until_lost(self) -> None:
        """Until the end of the connection, which is an `MqttError`. Messages do not come this way."""
        async for _ in self.messages:
            pass

    def __repr__(self) -> str:
        return f"Wire({self.broker})"


class _ReadAhead:
    """Reads what has arrived on a client's socket at once, and hands it to paho in the portions that it asks for."""

    def __init__(self, client: paho.Client) -> None:
        self._receive = client._sock_recv
        self._read_packets = client.loop_read
        self._data = b""
        self._place = 0
        client._sock_recv = self._portion  # type: ignore[method-assign]
        client.loop_read = self._loop_read  # type: ignore[method-assign]

    def _portion(self, bufsize: int) -> bytes:
        if self._place == len(self._data):
            self._data, self._place = self._receive(_READ_AT_ONCE), 0
        portion = self._data[self._place : self._place + bufsize]
        self._place += len(portion)
        return portion

    def _loop_read(self, max_packets: int = 1) -> MQTTErrorCode:
        """Every packet of what was read: nothing reports these bytes again."""
        while True:
            result = self._read_packets(max_packets)
            if result != paho.MQTT_ERR_SUCCESS or self._place == len(self._data):
                return result


def _puback(packet: int) -> bytes:
    return struct.pack("!BBH", paho.PUBACK, 2, packet)


def _limits(in_flight: int, session_s: int) -> Properties:
    properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
    properties.SessionExpiryInterval = session_s
    properties.ReceiveMaximum = in_flight
    properties.MaximumPacketSize = _LARGEST
    return properties
