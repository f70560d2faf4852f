"""One publisher for each of a table's brokers. They know nothing of each other.

Each has its own connection, its own cursor in the journal, and its own copy of what the retained topics hold. Each is a
task of its own, so a broker that is away, slow or frozen delays nothing at the other; what waits for it is in the
journal. A request is answered where it came from.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Mapping

from aiomqtt import Message

from controller.config.broker import MqttSettings
from controller.journal import Journal, JournalError
from controller.mqtt.problems import BrokerProblem
from controller.mqtt.publisher import Publisher

log = logging.getLogger("cutcard.mqtt")


class Publishers:
    """The publishers of one table. Make and use them on one event loop."""

    def __init__(
        self,
        journal: Journal,
        brokers: Mapping[str, MqttSettings],
        *,
        session: str,
        rng: random.Random | None = None,
        on_connection: Callable[[], None] | None = None,
        on_request: Callable[[Message, Publisher], None] | None = None,
        on_receipt: Callable[[Message], None] | None = None,
        on_head: Callable[[bytes, str], Awaitable[None]] | None = None,
    ) -> None:
        """`on_request` is called with a request and the publisher that answers it, `on_head` with the checkpoint that
        a broker has retained and the broker's name; the others as in `Publisher`."""
        self._journal, self._session, self._rng = journal, session, rng
        self._on_connection, self._on_request, self._on_receipt = on_connection, on_request, on_receipt
        self._on_head = on_head
        self._state: bytes | None = None
        self._devices: dict[str, bytes] = {}
        self._alarms: dict[str, bytes] = {}
        self._certificates: dict[str, bytes] = {}
        self._head: bytes | None = None
        self._settings = dict(brokers)
        self._is_retired = False
        self.by_broker: Mapping[str, Publisher] = {
            name: self._publisher(name, settings) for name, settings in brokers.items()
        }

    @property
    def connected(self) -> bool:
        """Whether a broker has the table now, this one or that."""
        return any(publisher.connected for publisher in self.by_broker.values())

    async def start(self) -> None:
        """Publishes from now on, whatever becomes of the brokers, until `stop`."""
        await self._keep_cursors()
        for publisher in self.by_broker.values():
            publisher.start()

    async def first_attempt(self) -> list[BrokerProblem | JournalError]:
        """Empty as soon as one of the brokers has taken us; otherwise why none did."""
        problems: list[BrokerProblem | JournalError] = []
        attempts = [asyncio.create_task(publisher.first_attempt()) for publisher in self.by_broker.values()]
        try:
            for attempt in asyncio.as_completed(attempts):
                problem = await attempt
                if problem is None:
                    return []
                problems.append(problem)
        finally:
            for left in attempts:
                left.cancel()
        return problems

    async def published(self, seq: int) -> None:
        """Waits until every broker has acknowledged every event up to `seq`."""
        await asyncio.gather(*(publisher.published(seq) for publisher in self.by_broker.values()))

    async def change(self, brokers: Mapping[str, MqttSettings]) -> None:
        """These are the brokers from now on. One whose settings differ is connected to anew, and gets what the old one
        has not acknowledged."""
        gone = [publisher for name, publisher in self.by_broker.items() if name not in brokers]
        await asyncio.gather(*(publisher.stop(0) for publisher in gone))
        kept = {name: publisher for name, publisher in self.by_broker.items() if name in brokers}
        new = {name: self._publisher(name, settings) for name, settings in brokers.items() if name not in kept}
        self.by_broker = {name: kept.get(name) or new[name] for name in brokers}
        for name, publisher in kept.items():
            if self._settings[name] != brokers[name]:
                publisher.connect_anew(brokers[name])
        self._settings = dict(brokers)
        await self._keep_cursors()
        for publisher in new.values():
            publisher.start()
        if gone and self._on_connection is not None:
            self._on_connection()

    async def stop(self, drain: float) -> None:
        await asyncio.gather(*(publisher.stop(drain) for publisher in self.by_broker.values()))

    def retire(self) -> None:
        """Before `start`, or after `stop`: the journal has ended. From the next start on each broker gets the rest of
        it, over a connection that has nothing else to send, and everything of the table is cleared there."""
        self._is_retired = True
        self.by_broker = {name: self._publisher(name, settings) for name, settings in self._settings.items()}

    @property
    def not_cleared(self) -> list[str]:
        """The brokers that a retired table still has to clear."""
        return [name for name, publisher in self.by_broker.items() if not publisher.is_cleared]

    async def ended(self) -> None:
        """Waits until each of a retired table's brokers is cleared."""
        await asyncio.gather(*(publisher.ended() for publisher in self.by_broker.values()))

    def state_changed(self, body: bytes) -> None:
        self._state = body
        for publisher in self.by_broker.values():
            publisher.state_changed(body)

    def device_changed(self, device_id: str, body: bytes) -> None:
        self._devices[device_id] = body
        for publisher in self.by_broker.values():
            publisher.device_changed(device_id, body)

    def alarm_changed(self, name: str, body: bytes | None) -> None:
        if body is None:
            self._alarms.pop(name, None)
        else:
            self._alarms[name] = body
        for publisher in self.by_broker.values():
            publisher.alarm_changed(name, body)

    def certificate_changed(self, broker: str, body: bytes) -> None:
        """What the table has for a broker is published at every broker: one that does not take it any more is where
        nobody would read it."""
        self._certificates[broker] = body
        for publisher in self.by_broker.values():
            publisher.certificate_changed(broker, body)

    def head_changed(self, body: bytes) -> None:
        self._head = body
        for publisher in self.by_broker.values():
            publisher.head_changed(body)

    def _publisher(self, name: str, settings: MqttSettings) -> Publisher:
        """With the documents of this moment."""
        on_request, on_head = self._on_request, self._on_head
        publisher = Publisher(
            self._journal,
            settings,
            broker=name,
            session=self._session,
            rng=self._rng,
            on_connection=self._on_connection,
            on_request=None if on_request is None else lambda message: on_request(message, publisher),
            on_receipt=self._on_receipt,
            on_head=None if on_head is None else lambda head: on_head(head, name),
            is_retired=self._is_retired,
        )
        if self._state is not None:
            publisher.state_changed(self._state)
        for device, body in self._devices.items():
            publisher.device_changed(device, body)
        for alarm, body in self._alarms.items():
            publisher.alarm_changed(alarm, body)
        for of_broker, body in self._certificates.items():
            publisher.certificate_changed(of_broker, body)
        if self._head is not None:
            publisher.head_changed(self._head)
        return publisher

    async def _keep_cursors(self) -> None:
        try:
            await self._journal.keep_cursors(self.by_broker)
        except JournalError as error:
            log.warning("a broker that is new may get events again after a restart: %s", error)
