"""Reads what the tables publish, as a monitor, and hands it to their edge nodes.

A node lives while its table is online *and* we are connected to the tables' broker: without that nobody knows what a
table does, and a screen must not show old values as new ones.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
from aiomqtt import MqttError
from msgspec import Struct

from controller.cancellation import end_if_cancelled
from controller.certificate_dates import keep_warning
from controller.config.broker import MqttSettings
from controller.contract.messages import AlarmDocument, DeviceDocument, Online, StateDocument
from controller.contract.topics import ROOT
from controller.mqtt.monitor import monitor_client
from controller.mqtt.problems import BrokerProblem
from controller.sparkplug.birth_numbers import BirthNumbers
from controller.sparkplug.edge import FIRST_PAUSE, LONGEST_PAUSE, Edge
from controller.sparkplug.node import EdgeNode, Message
from controller.tail.follow import Follower, Garbled, Hole, NewJournal, ReceivedEvent, RolledBack

log = logging.getLogger(__name__)

_MOST_TABLES = 500
_MOST_DOCUMENTS = 700
"""Of one table."""
_TOPICS = "online", "device/+", "alarm/+", "state", "event/+"
"""In this order: what a birth needs has come when the state has."""

Document = StateDocument | DeviceDocument | AlarmDocument
_online = msgspec.json.Decoder(Online)
_document = msgspec.json.Decoder(Document)


class BridgeOptions(Struct, frozen=True):
    """Which tables, and for whom."""

    site: str = "+"
    tables: tuple[str, ...] = ("+",)
    primary_host: str | None = None
    """Births wait for this host application; None: they do not."""

    @property
    def subscriptions(self) -> list[str]:
        return [f"{ROOT}/{self.site}/{table}/{topic}" for table in self.tables for topic in _TOPICS]


class Bridge:
    """Runs until it is cancelled; ends every session with its death then."""

    def __init__(
        self, source: MqttSettings, target: MqttSettings, options: BridgeOptions, births: BirthNumbers
    ) -> None:
        self._source = source
        self._target = target
        self._options = options
        self._births = births
        self._follower = Follower()
        self._tables: dict[str, _Table] = {}

    async def run(self) -> None:
        own = [Path(each.tls.cert) for each in (self._source, self._target) if each.tls and each.tls.cert]
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(keep_warning(own, log.warning))
            await self._follow_source(lambda edge: tasks.create_task(edge.run()))

    async def _follow_source(self, start: Callable[[Edge], object]) -> None:
        pause = FIRST_PAUSE
        while True:
            began = time.monotonic()
            try:
                async with monitor_client(self._source) as client:
                    await client.subscribe([(topic, 1) for topic in self._options.subscriptions])
                    log.info("following the tables on %s", self._source.address)
                    async for message in client.messages:
                        if isinstance(message.payload, bytes):
                            self._receive(str(message.topic), message.payload, start)
            except (MqttError, BrokerProblem) as error:
                log.warning(
                    "no connection to the tables' broker %s: %s", self._source.address, error.__cause__ or error
                )
            finally:
                for table in self._tables.values():
                    table.is_uncertain()
            end_if_cancelled()
            if time.monotonic() - began > LONGEST_PAUSE:
                pause = FIRST_PAUSE
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _receive(self, topic: str, payload: bytes, start: Callable[[Edge], object]) -> None:
        levels = topic.removeprefix(f"{ROOT}/").split("/")
        if len(levels) < 3:
            return
        table = self._table(levels[0], levels[1], start)
        if table is None:
            return
        try:
            match levels[2:]:
                case ["online"] if payload:
                    table.take_online(_online.decode(payload))
                case ["state"] | ["device", _] | ["alarm", _] if payload:
                    table.take_document("/".join(levels[2:]), _document.decode(payload))
                case ["device" | "alarm", _]:
                    table.forget_document("/".join(levels[2:]))
                case ["event", _]:
                    self._receive_event(table, topic, payload)
        except (msgspec.MsgspecError, RecursionError) as error:
            log.warning("%s does not fit the contract and is left out: %s", topic, error)

    def _receive_event(self, table: _Table, topic: str, payload: bytes) -> None:
        for thing in self._follower.receive(topic, payload, retained=False):
            match thing:
                case ReceivedEvent(event=event):
                    table.publish(table.node.take_event(event))
                case NewJournal():
                    table.node.forget_events()
                case RolledBack(seq=seq):
                    log.warning("%s: event %d contradicts an earlier one: the journal was rolled back", topic, seq)
                case Hole(first=first, last=last):
                    log.warning("%s: events %d to %d were not received", thing.table, first, last)
                case Garbled(why=why):
                    log.warning("%s does not fit the contract and is left out: %s", topic, why)

    def _table(self, site: str, name: str, start: Callable[[Edge], object]) -> _Table | None:
        key = f"{site}/{name}"
        table = self._tables.get(key)
        if table is None:
            if len(self._tables) >= _MOST_TABLES:
                log.warning("more than %d tables: %s is left out", _MOST_TABLES, key)
                return None
            node = EdgeNode(site, name, lambda: time.time_ns() // 1_000_000)
            settings = msgspec.structs.replace(self._target, client_id=f"{self._target.client_id}-{site}-{name}")
            edge = Edge(node, settings, lambda: self._births.next(key), self._options.primary_host)
            table = self._tables[key] = _Table(node, edge)
            start(edge)
        return table


class _Table:
    """What the broker has of one table."""

    def __init__(self, node: EdgeNode, edge: Edge) -> None:
        self.node = node
        self._edge = edge
        self._online: Online | None = None
        self._documents: dict[str, Document] = {}
        """By topic; also those of another journal than the one that is online, which may be newer or left over."""

    def publish(self, messages: list[Message]) -> None:
        self._edge.publish(messages)

    def is_uncertain(self) -> None:
        """We lost the tables' broker. It will send what it has retained again."""
        self._edge.end()
        self._online = None
        self._documents = {}
        self.node.forget_documents()

    def take_online(self, online: Online) -> None:
        before, self._online = self._online, online
        if before is None or before.journal != online.journal:
            self._edge.end()
            self.node.forget_documents()
            for document in self._documents.values():
                if document.journal == online.journal:
                    self._hand_on(document)
        self._begin_or_end()

    def take_document(self, topic: str, document: Document) -> None:
        if topic not in self._documents and len(self._documents) >= _MOST_DOCUMENTS:
            log.warning("more than %d documents of one table: %s is left out", _MOST_DOCUMENTS, topic)
            return
        self._documents[topic] = document
        if self._online is not None and document.journal == self._online.journal:
            self._hand_on(document)
            self._begin_or_end()

    def forget_document(self, topic: str) -> None:
        self._documents.pop(topic, None)
        kind, _, name = topic.partition("/")
        self.publish(self.node.forget_device(name) if kind == "device" else self.node.forget_alarm(name))

    def _hand_on(self, document: Document) -> None:
        match document:
            case StateDocument():
                self.publish(self.node.take_state(document))
            case DeviceDocument():
                self.publish(self.node.take_device(document))
            case AlarmDocument():
                self.publish(self.node.take_alarm(document))

    def _begin_or_end(self) -> None:
        if self._online is not None and self._online.online and self.node.is_known:
            self._edge.begin()
        else:
            self._edge.end()
