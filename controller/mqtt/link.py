"""One connection to the broker: aiomqtt, with the three things that a journal's publisher needs and it does not give.

aiomqtt's `publish` waits for one acknowledgement per call and ignores its reason code. MQTT 5 brokers acknowledge
a message they refuse, with the reason; taking that for success would lose an event. So a `Link` sends without waiting
and hands every acknowledgement on with its reason; it reports how many unacknowledged messages the broker allows
(Receive Maximum, which paho ignores); and it notices at once when the connection ends before the broker has answered,
where aiomqtt would wait for its timeout.

This module knows aiomqtt's inside (`_client`, `_loop`, `_connected`, `_disconnected` and its `_on_…` callbacks), and is
the only one of the daemon that does, beside the one inside that `controller/mqtt_client.py` knows.
"""

from __future__ import annotations

import contextlib
import logging
import socket
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any

import aiomqtt
import paho.mqtt.client as paho
from aiomqtt import MqttError
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from controller.config.broker import MqttSettings
from controller.contract.messages import CONTENT_TYPE
from controller.mqtt.client_arguments import client_arguments
from controller.mqtt_client import MqttClient

_NO_LIMIT = 65_535
"""What MQTT 5 assumes when the broker names no Receive Maximum."""
_LARGEST_REQUEST = 2 << 20
"""Bytes of one message to us. A broker drops what is larger without a word to its sender, so this is more than our
broker takes from anybody (`max_packet_size` in deploy/mosquitto/cutcard.conf). Whatever comes is answered: the gate
refuses requests that are far smaller than this."""


class _ErrorLog(logging.Logger):
    """Finds in paho's log why the operating system or TLS gave a connection up: paho reports it nowhere else."""

    found: OSError | None = None

    def log(self, level: int, msg: object, *args: object, **_: object) -> None:
        for arg in args:
            if isinstance(arg, OSError):
                self.found = arg


OnMessage = Callable[[aiomqtt.Message], None]
OnAck = Callable[[int, ReasonCode], None]
"""Called with the packet id of an acknowledged message and the broker's reason code."""


class Link(MqttClient):
    """A connection, made by `async with`. Each one is used once."""

    def __init__(self, settings: MqttSettings, will: aiomqtt.Will | None, on_ack: OnAck) -> None:
        is_v5 = settings.version == "5"
        self._error_log = _ErrorLog("cutcard.mqtt.wire", logging.CRITICAL)
        is_local = settings.socket is not None
        super().__init__(
            settings.socket or settings.host,
            settings.port,
            transport="unix" if is_local else "tcp",
            **client_arguments(settings),
            logger=self._error_log,
            will=will,
            properties=_limits() if is_v5 else None,
            # No limit: what comes is handed on at once, and a request that is dropped here would get no answer.
            max_queued_incoming_messages=None,
            # We keep the window ourselves; paho would walk through all of it at every acknowledgement.
            max_inflight_messages=0,
            # Events are small and wanted now: they must not wait for one another in the kernel.
            socket_options=[] if is_local else [(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)],
        )
        self._is_v5 = is_v5
        self._on_ack = on_ack
        self._given_up = False
        self.allowed_unacknowledged = _NO_LIMIT

    def send(self, topic: str, payload: bytes, *, retain: bool = False, correlation: bytes | None = None) -> int:
        """Sends at QoS 1 without waiting; returns the packet id under which it will be acknowledged. With MQTT 5 the
        message states what it is: JSON in UTF-8, and, of an answer, to which request it belongs."""
        properties = None
        if self._is_v5 and payload:
            properties = _JSON if correlation is None else json_properties(PacketTypes.PUBLISH, correlation)
        info = self._client.publish(topic, payload, qos=1, retain=retain, properties=properties)
        if info.rc != paho.MQTT_ERR_SUCCESS:
            raise MqttError(f"the connection is gone ({paho.error_string(info.rc)})")
        return info.mid

    def send_once(self, topic: str, payload: bytes) -> None:
        """Sends at QoS 0, where the next message makes up for one that is lost."""
        info = self._client.publish(topic, payload, qos=0)
        if info.rc != paho.MQTT_ERR_SUCCESS:
            raise MqttError(f"the connection is gone ({paho.error_string(info.rc)})")

    async def listen(self, topics: str) -> None:
        """Asks for what is published there from now on; `MqttError` where the broker does not allow it."""
        await self._listen(topics, SubscribeOptions.RETAIN_DO_NOT_SEND)

    async def listen_also_to_retained(self, topics: str) -> None:
        """The same, and what is retained there now."""
        await self._listen(topics, SubscribeOptions.RETAIN_SEND_ON_SUBSCRIBE)

    async def _listen(self, topics: str, retained: int) -> None:
        options = SubscribeOptions(qos=1, noLocal=True, retainHandling=retained)
        (reason,) = await self.subscribe(topics, options=options)
        if isinstance(reason, ReasonCode) and reason.is_failure:
            raise MqttError(str(reason))

    async def listen_to_retained(self, topics: Sequence[str]) -> None:
        """Asks for what is retained there; `MqttError` where the broker does not answer."""
        await self.subscribe([(topic, 1) for topic in topics])

    async def until_lost(self, on_message: OnMessage) -> None:
        """Hands on what comes in until the end of the connection, and raises `MqttError` then."""
        try:
            async for message in self.messages:
                on_message(message)
        except MqttError as error:
            raise MqttError(f"the connection broke off ({error.__cause__})") from error

    def abort(self) -> None:
        """Ends the connection as if the wire were cut, so that the broker publishes the will."""
        transport = self._client.socket()
        if isinstance(transport, socket.socket):
            with contextlib.suppress(OSError):  # the other end was first
                transport.shutdown(socket.SHUT_RDWR)

    def end_with_will(self) -> None:
        """Says goodbye so that the broker publishes the will, which only MQTT 5 can ask for; with 3.1.1 it is the
        sender's own business to publish it before."""
        if self._is_v5:
            self._client.disconnect(reasoncode=ReasonCode(PacketTypes.DISCONNECT, "Disconnect with will message"))

    async def __aenter__(self) -> Link:
        try:
            return await super().__aenter__()
        except BaseException:
            # After a timeout aiomqtt leaves the socket open and its reader on the loop.
            self._given_up = True
            self._client.disconnect()
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await super().__aexit__(kind, error, trace)
        # `until_lost` has raised it already; asyncio must not complain that it was never retrieved.
        self._disconnected.exception()

    def _on_connect(
        self,
        client: paho.Client,
        userdata: Any,
        flags: paho.ConnectFlags,
        reason_code: ReasonCode,
        properties: Properties | None = None,
    ) -> None:
        self.allowed_unacknowledged = getattr(properties, "ReceiveMaximum", _NO_LIMIT)
        super()._on_connect(client, userdata, flags, reason_code, properties)

    def _on_disconnect(
        self,
        client: paho.Client,
        userdata: Any,
        flags: paho.DisconnectFlags,
        reason_code: ReasonCode,
        properties: Properties | None = None,
    ) -> None:
        if not self._connected.done() and not self._given_up:
            error = MqttError("it closed the connection before answering")
            error.__cause__ = self._error_log.found
            self._connected.set_exception(error)
        super()._on_disconnect(client, userdata, flags, reason_code, properties)

    def _on_socket_register_write(self, client: paho.Client, userdata: Any, sock: Any) -> None:
        def watch() -> None:
            # Where it was closed in the meantime, its number may be another socket's by now; aiomqtt does not look.
            now = client.socket()
            if now is not None and now is sock:
                self._loop.add_writer(now.fileno(), self._write)

        self._loop.call_soon_threadsafe(watch)

    def _write(self) -> None:
        try:
            self._client.loop_write()
        except Exception as error:  # as aiomqtt: the connection broke
            if not self._disconnected.done():
                self._disconnected.set_exception(error)

    def _on_publish(
        self, client: paho.Client, userdata: Any, mid: int, reason_code: ReasonCode, properties: Properties
    ) -> None:
        super()._on_publish(client, userdata, mid, reason_code, properties)
        self._on_ack(mid, reason_code)


def _limits() -> Properties:
    properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
    properties.MaximumPacketSize = _LARGEST_REQUEST
    return properties


def last_will(settings: MqttSettings, topic: str, payload: bytes) -> aiomqtt.Will:
    """What the broker publishes when it loses the connection, retained."""
    properties = json_properties(PacketTypes.WILLMESSAGE) if settings.version == "5" else None
    return aiomqtt.Will(topic, payload, qos=1, retain=True, properties=properties)


def json_properties(packet: int, correlation: bytes | None = None) -> Properties:
    """What a message of ours states about itself with MQTT 5."""
    properties = Properties(packet)  # type: ignore[no-untyped-call]
    properties.ContentType = CONTENT_TYPE
    properties.PayloadFormatIndicator = 1
    if correlation is not None:
        properties.CorrelationData = correlation
    return properties


class _Packed(Properties):
    """Properties that stay as they are: every event has the same, and paho would write them again for each."""

    def __init__(self, properties: Properties) -> None:
        super().__init__(properties.packetType)  # type: ignore[no-untyped-call]
        object.__setattr__(self, "_packed", properties.pack())  # type: ignore[no-untyped-call]

    def pack(self) -> bytes:
        packed: bytes = self.__dict__["_packed"]
        return packed


_JSON = _Packed(json_properties(PacketTypes.PUBLISH))
