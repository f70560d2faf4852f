"""Connections to the brokers, batches into the store, and the acknowledgement after the commit.

    broker a ─► Wire ─┐            one thread
    broker b ─► Wire ─┴─► pending ─► Intake.take ─► commit ─► acknowledge every message of the batch

While a batch is written the next one gathers. A store that is away stops the loop, not the connections: nothing is
acknowledged, the brokers send no more than `in_flight` messages each, and the batch is tried again until it is in.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from aiomqtt import MqttError
from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from floor.collector.connecting import FIRST_PAUSE, LONGEST_PAUSE, keep_connected
from floor.collector.receipts import Receipts
from floor.collector.requests import Requests
from floor.collector.subscriptions import filters, identity
from floor.collector.wire import Arrived, Wire
from floor.config import Broker, FloorConfig
from floor.messages import Apart, Origin, Received, ReceivedAnswer, read
from floor.store.database import is_away
from floor.store.intake import Intake, Taken

log = logging.getLogger("cutcard.floor")

MOST_AT_ONCE = 5000
"""Messages of one transaction."""
_LONGEST_TOPIC = 300
"""Characters that are kept of where such a message came from."""


def milliseconds() -> int:
    return time.time_ns() // 1_000_000


class Collector:
    """Collects until it is cancelled."""

    def __init__(
        self,
        config: FloorConfig,
        engine: Engine,
        *,
        clock: Callable[[], int] = milliseconds,
        on_batch: Callable[[Taken], None] | None = None,
    ) -> None:
        boards = {(config.site, table): key for table, key in config.boards.items()}
        self._config = config
        self._clock = clock
        self._on_batch = on_batch
        self.intake = Intake(engine, config.calendar, boards)
        self._pending: list[Arrived] = []
        self._news = asyncio.Event()
        self._wires: dict[str, Wire] = {}
        self._requests = Requests(config, engine, self.intake, self._connected, clock)
        self._receipts = Receipts(config, engine, self._connected, clock)
        self._is_store_away = False

    def _connected(self) -> list[Wire]:
        return list(self._wires.values())

    async def run(self) -> None:
        async with asyncio.TaskGroup() as tasks:
            for broker in self._config.brokers:
                connect = partial(self._use_one_connection, broker)
                tasks.create_task(keep_connected(broker, connect), name=f"broker {broker.name}")
            tasks.create_task(self._keep_storing(), name="store")
            tasks.create_task(self._repeatedly(self._requests.look, Requests.EVERY_S), name="requests")
            tasks.create_task(self._repeatedly(self._receipts.look, Receipts.EVERY_S), name="receipts")

    # Connections

    async def _use_one_connection(self, broker: Broker) -> None:
        config = self._config
        async with Wire(broker, identity(config), config.in_flight, self._arrived, self._clock) as wire:
            lost = asyncio.create_task(wire.until_lost())
            try:
                await wire.follow(filters(config, is_v5=wire.is_v5))
                self._wires[broker.name] = wire
                self._receipts.send_all_again(wire)
                log.info("connected to the broker %s at %s", broker.name, broker.address)
                await lost
            finally:
                self._wires.pop(broker.name, None)
                lost.cancel()
                with suppress(asyncio.CancelledError, MqttError):
                    await lost

    def _arrived(self, message: Arrived) -> None:
        self._pending.append(message)
        self._news.set()

    # The store

    async def _keep_storing(self) -> None:
        while True:
            await self._news.wait()
            batch = self._pending[:MOST_AT_ONCE]
            del self._pending[:MOST_AT_ONCE]
            if not self._pending:
                self._news.clear()
            if batch:
                await self._store(batch)

    async def _store(self, batch: list[Arrived]) -> None:
        pause = FIRST_PAUSE
        while True:
            try:
                taken, answers = await asyncio.to_thread(self._take, batch)
                break
            except Exception as error:
                if not is_away(error):
                    raise
                if not self._is_store_away:
                    log.error("the store is away; nothing is acknowledged until it is back: %s", _first_line(error))
                self._is_store_away = True
                await asyncio.sleep(pause * random.uniform(0.5, 1.0))
                pause = min(2 * pause, LONGEST_PAUSE)
        if self._is_store_away:
            log.warning("the store is back")
            self._is_store_away = False
        by_wire: dict[Wire, list[int]] = {}
        for message in batch:
            by_wire.setdefault(message.wire, []).append(message.packet)
        for wire, packets in by_wire.items():
            wire.acknowledge(packets)
        for answer in answers:
            await self._requests.answered(answer)
        if self._on_batch is not None:
            self._on_batch(taken)

    def _take(self, batch: Sequence[Arrived]) -> tuple[Taken, list[ReceivedAnswer]]:
        """In a thread of its own."""
        received = [read(each.wire.broker, each.topic, each.payload, each.received_at) for each in batch]
        taken = take_or_set_apart(self.intake, received)
        return taken, [each for each in received if isinstance(each, ReceivedAnswer)]

    async def _repeatedly(self, look: Callable[[], object], every: float) -> None:
        while True:
            await asyncio.sleep(every)
            try:
                await look()  # type: ignore[misc]
            except DBAPIError as error:
                log.debug("the store is away: %s", _first_line(error))
            except MqttError as error:
                log.debug("%s", error)


def take_or_set_apart(intake: Intake, received: Sequence[Received]) -> Taken:
    """Takes a batch. Where one message in it cannot be kept at all, that one is set apart and the others are taken: no
    message keeps those after it from being stored."""
    try:
        return intake.take(received)
    except Exception as error:
        if is_away(error):
            raise
        if len(received) > 1:
            half = len(received) // 2
            one, other = take_or_set_apart(intake, received[:half]), take_or_set_apart(intake, received[half:])
            return Taken(
                one.booked + other.booked,
                one.repeats + other.repeats,
                one.waiting + other.waiting,
                one.apart + other.apart,
            )
        log.error("a message cannot be kept: %s", _first_line(error), exc_info=log.isEnabledFor(logging.DEBUG))
        (message,) = received
        origin = Origin(message.origin.broker, message.origin.topic[:_LONGEST_TOPIC], message.origin.received_at)
        text = f"it cannot be kept: {_first_line(error)[:_LONGEST_TOPIC]}"
        if isinstance(message, Apart):
            return intake.take([Apart(origin, "unkeepable", text, message.payload)])
        return intake.take([Apart(origin, "unkeepable", text, message.payload, message.site, message.table)])


def _first_line(error: Exception) -> str:
    return str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
