"""Connections to the brokers in the page's own name: states in, commands out, answers back.

Each connection begins anew (no session): the broker then sends every retained document once, and a page that was away
wants no more than that. What the tables publish is acknowledged at once, nothing here has to be durable.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from aiomqtt import MqttError

from controller.contract.topics import ROOT
from floor.collector.connecting import keep_connected
from floor.collector.wire import Arrived, Wire
from floor.config import Broker, FloorConfig
from floor.live.live_tables import LiveTables
from floor.messages import ReceivedAnswer, ReceivedDocument, read

log = logging.getLogger("cutcard.floor")

ROLE = "program"
_LONGEST_PAUSE = 1.0
"""Between attempts to connect: a screen waits for us."""
_IN_FLIGHT = 500


class Follower:
    """Follows the tables until it is cancelled. `wires` has the open connections by broker."""

    def __init__(
        self,
        config: FloorConfig,
        tables: LiveTables,
        wires: dict[str, Wire],
        on_answer: Callable[[ReceivedAnswer], None],
        on_connections: Callable[[], None],
        *,
        clock: Callable[[], int],
    ) -> None:
        self._config, self._tables, self._clock = config, tables, clock
        self._on_answer, self._on_connections = on_answer, on_connections
        self._wires = wires
        self._unacknowledged: dict[Wire, list[int]] = {}
        self.changed_at = clock()
        """When a connection was made or lost last."""

    @property
    def brokers(self) -> dict[str, bool]:
        """Whether we are connected, by broker."""
        return {broker.name: broker.name in self._wires for broker in self._config.brokers}

    async def run(self) -> None:
        async with asyncio.TaskGroup() as tasks:
            for broker in self._config.page_brokers():
                connect = partial(self._use_one_connection, broker)
                tasks.create_task(keep_connected(broker, connect, _LONGEST_PAUSE), name=f"broker {broker.name}")

    async def _use_one_connection(self, broker: Broker) -> None:
        config = self._config
        identity = f"{config.page.client}/{ROLE}/{config.site}"
        async with Wire(broker, identity, _IN_FLIGHT, self._arrived, self._clock, session_s=0) as wire:
            lost = asyncio.create_task(wire.until_lost())
            try:
                base = f"{ROOT}/{config.site}/+"
                answers = [f"{ROOT}/reply/{identity}/#"] if wire.is_v5 else []
                await wire.follow([f"{base}/state", f"{base}/online", *answers])
                self._wires[broker.name] = wire
                self._connections_changed()
                log.info("the page is connected to the broker %s at %s", broker.name, broker.address)
                await lost
            finally:
                self._wires.pop(broker.name, None)
                self._unacknowledged.pop(wire, None)
                self._tables.forget_broker(broker.name)
                self._connections_changed()
                lost.cancel()
                with suppress(asyncio.CancelledError, MqttError):
                    await lost

    def _connections_changed(self) -> None:
        self.changed_at = self._clock()
        self._on_connections()

    def _arrived(self, message: Arrived) -> None:
        received = read(message.wire.broker, message.topic, message.payload, message.received_at)
        match received:
            case ReceivedDocument():
                self._tables.take(received)
            case ReceivedAnswer():
                self._on_answer(received)
        if not self._unacknowledged:
            asyncio.get_running_loop().call_soon(self._acknowledge)
        self._unacknowledged.setdefault(message.wire, []).append(message.packet)

    def _acknowledge(self) -> None:
        """What one reading of the sockets has brought, together."""
        waiting, self._unacknowledged = self._unacknowledged, {}
        for wire, packets in waiting.items():
            wire.acknowledge(packets)
