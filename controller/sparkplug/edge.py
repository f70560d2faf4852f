"""The connection of one edge node to the Sparkplug broker. A will belongs to one connection, so each table has its own.

The session begins when the table is online (`begin`), and ends when it is not (`end`), when the primary host
application goes offline, or when the connection is lost. Every connection has the next bdSeq.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable

import aiomqtt
import msgspec
from aiomqtt import MqttError
from msgspec import Struct

from controller.cancellation import end_if_cancelled
from controller.config.broker import MqttSettings
from controller.mqtt.link import Link
from controller.mqtt.problems import BrokerProblem
from controller.sparkplug.node import NAMESPACE, EdgeNode, Message

log = logging.getLogger(__name__)

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
"""Seconds between attempts to connect, doubled each time."""


class HostState(Struct, frozen=True):
    """Whether a host application is there (STATE)."""

    online: bool
    timestamp: int


_host_state = msgspec.json.Decoder(HostState)


class Edge:
    """Runs until it is cancelled."""

    def __init__(
        self,
        node: EdgeNode,
        settings: MqttSettings,
        next_bd_seq: Callable[[], int],
        primary_host: str | None = None,
    ) -> None:
        self._node = node
        self._settings = settings
        self._next_bd_seq = next_bd_seq
        self._host_topic = None if primary_host is None else f"{NAMESPACE}/STATE/{primary_host}"
        self._host: HostState | None = None
        """The newest state of the primary host on this connection."""
        self._link: Link | None = None
        self._is_wanted = asyncio.Event()
        self._is_over = asyncio.Event()
        self._name = f"{node.group}/{node.node}"

    def begin(self) -> None:
        """The table is online."""
        self._is_over.clear()
        self._is_wanted.set()

    def end(self) -> None:
        """The table is offline, or nobody knows."""
        self._is_wanted.clear()
        self._is_over.set()

    def publish(self, messages: list[Message]) -> None:
        """What the node has to publish; its session is on this connection."""
        link = self._link
        if link is None:
            return
        try:
            for message in messages:
                link.send_once(message.topic, message.payload)
        except MqttError:
            # `_session` sees the end of the connection too, and begins again with births.
            self._node.lost()

    async def run(self) -> None:
        pause = FIRST_PAUSE
        while True:
            await self._is_wanted.wait()
            began = time.monotonic()
            try:
                await self._session()
            except (MqttError, BrokerProblem) as error:
                end_if_cancelled()
                why = error.__cause__ or error
                log.warning("%s: no connection to the Sparkplug broker %s: %s", self._name, self._settings.address, why)
                if time.monotonic() - began > LONGEST_PAUSE:
                    pause = FIRST_PAUSE
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    async def _session(self) -> None:
        """One connection; returns when we ended it, and raises `MqttError` where it was lost."""
        will = self._node.connect(self._next_bd_seq())
        link = Link(self._settings, aiomqtt.Will(will.topic, will.payload, qos=1, retain=False), _ignore_ack)
        self._host = None
        try:
            async with link:
                self._link = link
                # Requests and host states are awaited before the birth, so that none is missed.
                await link.listen_to_retained(
                    [self._node.topic("NCMD"), *([] if self._host_topic is None else [self._host_topic])]
                )
                receiving = asyncio.create_task(link.until_lost(self._receive))
                ending = asyncio.create_task(self._is_over.wait())
                try:
                    if self._host_topic is None:
                        self._give_birth()
                    await asyncio.wait({receiving, ending}, return_when=asyncio.FIRST_COMPLETED)
                    if receiving.done():
                        receiving.result()
                finally:
                    receiving.cancel()
                    ending.cancel()
                    await asyncio.gather(receiving, ending, return_exceptions=True)
                    await self._die(link)
        finally:
            self._link = None
            self._node.lost()
            if self._is_wanted.is_set():
                # Ended by the host's absence: begin again, and wait for it.
                self._is_over.clear()

    def _give_birth(self) -> None:
        if not self._is_wanted.is_set():
            return
        messages = self._node.births()
        log.info("%s is born on %s", self._name, self._settings.address)
        self.publish(messages)

    async def _die(self, link: Link) -> None:
        """With a birth there is a death, by either side; of a lost connection the broker publishes it."""
        was_born = self._node.is_born
        death = self._node.death()
        if was_born:
            try:
                await link.publish(death.topic, death.payload, qos=1, timeout=2)
                log.info("%s is dead", self._name)
            except MqttError:
                return
        link.end_with_will()

    def _receive(self, message: aiomqtt.Message) -> None:
        if not isinstance(message.payload, bytes):
            return
        if str(message.topic) == self._host_topic:
            self._take_host_state(message.payload)
        elif not message.retain:
            self.publish(self._node.command(message.payload))

    def _take_host_state(self, payload: bytes) -> None:
        try:
            state = _host_state.decode(payload)
        except (msgspec.MsgspecError, RecursionError):
            log.warning("%s: ignored a state of the primary host that cannot be read", self._name)
            return
        if self._host is not None and state.timestamp < self._host.timestamp:
            # The will of an earlier connection of the host, delivered late.
            return
        self._host = state
        if state.online and not self._node.is_born:
            self._give_birth()
        elif not state.online and self._node.is_born:
            log.info("%s: the primary host is offline", self._name)
            self._is_over.set()


def _ignore_ack(mid: int, reason: object) -> None:
    pass
