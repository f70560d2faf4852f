"""A table that takes commands, without a broker between: requests go in at the gate, answers are written down.

async with asked_table(tmp_path) as table:
    answer = await table.ask("floor", "close", reason="end of shift")
    assert answer["ok"]
"""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiomqtt
import msgspec
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from controller import __version__
from controller.clock import SystemClock
from controller.config import Config, RulesConfig
from controller.config.broker import MqttSettings
from controller.contract.topics import Topics
from controller.engine import inputs as happened
from controller.engine.inputs import Started, decode_input
from controller.engine.table.waiting import Phase
from controller.journal import Journal
from controller.mqtt import Publisher
from controller.mqtt.command_gate import CommandGate
from controller.recorder.recorder import Recorder
from controller.rules import resolve
from controller.updates.service import SignedUpdates
from tests.support import contract_checks
from tests.support.journals import SITE, TABLE, a_state

BASE = f"cutcard/v2/{SITE}/{TABLE}"
TOPICS = Topics(SITE, TABLE)
NOW = 1_763_260_000_000
EZ = "bankers-ez-baccarat-panda-8"
SETUP = {"seats": [1, 2, 3], "player_dealer": 8, "min_wager": 500, "max_wager": 50000}

STAFF = ("ann", "sam", "lee", "kim")


class AskedTable:
    """One run of a table's recorder and command gate on its journal. It takes requests as a publisher hands them over,
    and notes what it answers."""

    broker = "main"

    def __init__(self, journal: Journal, ruleset: str = EZ, setup: dict[str, Any] = SETUP) -> None:
        self.journal = journal
        self.now = NOW
        self.blinked: list[tuple[str, int]] = []
        self.answers: asyncio.Queue[tuple[str, list[Any], bytes | None]] = asyncio.Queue()
        """Topic, payloads and correlation data of each answer."""
        self.started = Started(__version__, ruleset, resolve(ruleset, {}).digest, {}, setup, True)
        self.config = Config(site=journal.site, table=journal.table, rules=RulesConfig(ruleset))
        """Of which only [updates] and [journal] are read here."""
        self.recorder = Recorder(journal, resolve, SystemClock(), self.started)
        self.updates = SignedUpdates(self.recorder, journal.path.parent, lambda: self.config, None)
        self.gate = CommandGate(
            self.recorder,
            session="run-1",
            blink=lambda device, seconds: self.blinked.append((device, seconds)),
            can_blink=lambda device: device == "shoe",
            is_on_staff=lambda name: name in STAFF,
            on_retired=lambda: None,
            updates=self.updates,
            clock=lambda: self.now,
        )
        self._numbers = itertools.count(1)

    def answer(self, topic: str, payloads: Iterator[bytes], correlation: bytes | None) -> None:
        said = list(payloads)
        for payload in said:
            assert contract_checks.problem(topic, payload) is None, contract_checks.problem(topic, payload)
        self.answers.put_nowait((topic, [msgspec.json.decode(payload) for payload in said], correlation))

    def use_the_time_of_day(self) -> None:
        """Judge by it whether a request has expired, as a real table does."""
        self.now = time.time_ns() // 1_000_000

    def request(self, **fields: Any) -> dict[str, Any]:
        """A request that is good for a minute."""
        return {"id": f"r{next(self._numbers)}", "expires": self.now + 60_000, **fields}

    async def ask(self, role: str, command: str, **fields: Any) -> dict[str, Any]:
        """The answer to a well-formed request of the client "pit-desk"."""
        return await self.send(role, command, self.request(**fields))

    async def send(self, role: str, command: str, request: dict[str, Any] | bytes, **how: Any) -> dict[str, Any]:
        """The last message of the answer."""
        _, said, _ = await self.send_raw(TOPICS.command(role, "pit-desk", command), request, **how)
        return dict(said[-1])

    async def send_raw(
        self,
        topic: str,
        request: dict[str, Any] | bytes,
        *,
        response_topic: str | None = None,
        correlation: bytes | None = None,
        retain: bool = False,
    ) -> tuple[str, list[Any], bytes | None]:
        self.drop(topic, request, response_topic=response_topic, correlation=correlation, retain=retain)
        async with asyncio.timeout(20):
            return await self.answers.get()

    def drop(
        self,
        topic: str,
        request: dict[str, Any] | bytes,
        *,
        response_topic: str | None = None,
        correlation: bytes | None = None,
        retain: bool = False,
    ) -> None:
        """A message as the broker hands it over, without waiting for an answer."""
        properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
        if response_topic is not None:
            properties.ResponseTopic = response_topic
        if correlation is not None:
            properties.CorrelationData = correlation
        payload = request if isinstance(request, bytes) else msgspec.json.encode(request)
        self.gate.take(aiomqtt.Message(topic, payload, 1, retain, 1, properties), self)

    async def happens(self, *bodies: happened.AnyBody) -> None:
        for body in bodies:
            await self.recorder.submit(body, "dealer")

    def events(self) -> list[dict[str, Any]]:
        return [msgspec.json.decode(event.body) for event in self.journal.events_from(1, 10_000)]

    def kinds(self) -> list[str]:
        return [event["kind"] for event in self.events()]

    def inputs(self) -> list[happened.Input]:
        return [decode_input(entry.input) for entry in self.journal.entries(1)]


@asynccontextmanager
async def asked_table(folder: Path, name: str = TABLE, site: str = SITE, **how: Any) -> AsyncIterator[AskedTable]:
    """A table just started; entered again on the same folder, it is the next run of the daemon."""
    journal = Journal.open(folder / "journal.db", site=site, table=name)
    table = AskedTable(journal, **how)
    await table.recorder.submit(table.started, "daemon")
    running = asyncio.create_task(table.gate.run())
    try:
        yield table
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running
        journal.close()


@asynccontextmanager
async def published(table: AskedTable, settings: MqttSettings) -> AsyncIterator[Publisher]:
    """A table at a broker: events, answers, state."""
    publisher = Publisher(
        table.journal,
        settings,
        session="run-1",
        clock=lambda: table.now,
        on_request=lambda message: table.gate.take(message, publisher),
    )
    table.use_the_time_of_day()

    def renew(_: object) -> None:
        journal = table.journal
        which = {"journal": journal.id, "table": journal.table, "site": journal.site}
        phase: Phase = "dealing" if table.recorder.engine.is_dealing else "waiting"
        state = a_state("as it is now", seq=journal.head.seq, phase=phase, **which)
        publisher.state_changed(state)

    table.recorder.listen(renew)
    renew(())
    publisher.start()
    try:
        assert await publisher.first_attempt() is None
        yield publisher
    finally:
        await publisher.stop()
