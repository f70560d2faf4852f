"""The reference consumers of docs/mqtt/examples, in Python and in Node, as anybody would run them.

At the broker of deploy/mosquitto, with its certificates and access lists: whatever happens to the broker, the consumer
or a table, they print every event of every table once and in order, and report loudly where a journal was rolled back.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.config.broker import MqttSettings, Tls
from controller.engine.inputs import ShoeStarted
from tests.contract.test_judges import INSTALLED, NODE, needs_judges
from tests.support.journals import SITE, TABLE, a_state
from tests.support.project import ROOT
from tests.support.running.askers import asked_table, published
from tests.support.running.brokers import bytes_of, eventually, mosquitto, needs_mosquitto
from tests.support.running.cardrooms import Cardroom, running_cardroom

pytestmark = [pytest.mark.broker, needs_mosquitto]

EXAMPLES = ROOT / "docs" / "mqtt" / "examples"
WALL = f"wall/monitor/{SITE}"
OTHER = "t8"

each = pytest.mark.parametrize("language", ["python", pytest.param("node", marks=needs_judges)])


class Consumer:
    """A running consumer, and what it has printed."""

    def __init__(self, process: Process, folder: Path) -> None:
        self._process, self.folder = process, folder
        self.printed: list[dict[str, Any]] = []
        self.reported: list[str] = []

    async def read(self) -> None:
        """Until it ends."""
        await asyncio.gather(self._read_events(), self._read_reports())

    async def _read_events(self) -> None:
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            self.printed.append(json.loads(line))

    async def _read_reports(self) -> None:
        assert self._process.stderr is not None
        async for line in self._process.stderr:
            self.reported.append(line.decode())

    def of(self, table: str) -> list[int]:
        return [event["seq"] for event in self.printed if event["table"] == table]

    async def until(self, table: str, seq: int) -> None:
        """It has printed this event, and noted that."""

        def noted() -> bool:
            kept = (json.loads(path.read_text()) for path in self.folder.glob(f"{table}.*.json"))
            return any(series["last"] == seq for series in kept)

        await eventually(lambda: seq in self.of(table) and noted(), within=60)

    async def until_reported(self, *words: str) -> str:
        """The line that has all these words."""

        def found() -> list[str]:
            return [line for line in self.reported if all(word in line for word in words)]

        await eventually(lambda: bool(found()), within=60)
        return found()[0]


def started(language: str, folder: Path) -> list[str]:
    """The command that runs it, and the folder in which it keeps where it is."""
    folder.mkdir(exist_ok=True)
    if language == "python":
        return [sys.executable, str(EXAMPLES / "consumer.py")]
    packages, program = folder.parent / "node_modules", folder.parent / "consumer.mjs"  # Node looks for them beside it
    if not packages.exists():
        packages.symlink_to(INSTALLED / "node_modules")
    shutil.copy(EXAMPLES / program.name, program)
    return [str(NODE), str(program)]


@asynccontextmanager
async def consumer(language: str, folder: Path, port: int, *tls: Path) -> AsyncIterator[Consumer]:
    command = [*started(language, folder), "127.0.0.1", str(port), WALL, str(folder), *map(str, tls)]
    process = await asyncio.create_subprocess_exec(*command, stdout=PIPE, stderr=PIPE, limit=1 << 20)
    made = Consumer(process, folder)
    reading = asyncio.create_task(made.read())
    try:
        yield made
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        await reading


def papers(room: Cardroom, name: str) -> tuple[Path, Path, Path]:
    files = room.papers(name)
    return room.tables.file, files.certificate, files.key


def at(room: Cardroom, table: str) -> MqttSettings:
    """How a table reaches the cardroom's broker."""
    ca, cert, key = map(str, papers(room, f"{SITE}/{table}"))
    return MqttSettings(host="127.0.0.1", port=room.tables_port, client_id=table, tls=Tls(ca=ca, cert=cert, key=key))


@each
async def test_two_tables_over_tls_whatever_happens_to_the_broker_and_the_consumer(
    tmp_path: Path, language: str
) -> None:
    data = [tmp_path / name for name in (TABLE, OTHER)]
    for folder in data:
        folder.mkdir()
    with running_cardroom(tmp_path) as room:
        tls = papers(room, WALL)
        async with (
            asked_table(data[0]) as one,
            asked_table(data[1], OTHER) as two,
            published(one, at(room, TABLE)) as at_one,
            published(two, at(room, OTHER)),
        ):
            await one.happens(*[ShoeStarted(8)] * 250)  # before the consumer's first day: a hole from the beginning
            await two.happens(*[ShoeStarted(8)] * 5)
            await at_one.published(one.journal.head.seq)
            async with consumer(language, tmp_path / "kept", room.people_port, *tls) as first:
                for table in (one, two):
                    await first.until(table.journal.table, table.journal.head.seq)
            await one.happens(*[ShoeStarted(8)] * 5)  # while nobody looks
            await at_one.published(one.journal.head.seq)
            room.kill()  # and it loses what it had queued for the consumer
            await two.happens(*[ShoeStarted(8)] * 5)
            room.start()
            async with consumer(language, tmp_path / "kept", room.people_port, *tls) as second:
                await one.happens(ShoeStarted(8))
                for table in (one, two):
                    await second.until(table.journal.table, table.journal.head.seq)
            for table in (one, two):
                name, events = table.journal.table, [*first.printed, *second.printed]
                mine = {event["seq"]: event for event in events if event["table"] == name}
                assert first.of(name) + second.of(name) == list(range(1, table.journal.head.seq + 1))
                assert [mine[seq]["body"] for seq in sorted(mine)] == table.events()
            assert not any("ROLLED BACK" in line or "LOST" in line for line in first.reported + second.reported)


@each
async def test_the_holes_that_a_full_queue_leaves_are_filled(tmp_path: Path, language: str) -> None:
    """The broker keeps 300 messages for a subscriber who is away, and forgets the rest without a word."""
    with mosquitto(tmp_path, "allow_anonymous true", "max_queued_messages 300") as broker:
        settings = MqttSettings(host="127.0.0.1", port=broker.port, client_id="t7")
        async with asked_table(tmp_path) as table, published(table, settings) as publisher:
            async with consumer(language, tmp_path / "kept", broker.port) as first:
                await table.happens(*[ShoeStarted(8)] * 5)
                await first.until(TABLE, table.journal.head.seq)
            await table.happens(*[ShoeStarted(8)] * 400)
            await publisher.published(table.journal.head.seq)
            async with consumer(language, tmp_path / "kept", broker.port) as second:
                await table.happens(ShoeStarted(8))
                await second.until(TABLE, table.journal.head.seq)
            assert first.of(TABLE) + second.of(TABLE) == list(range(1, table.journal.head.seq + 1))
            assert sum("historical" in event for event in second.printed) > 300


@each
async def test_an_older_journal_that_plays_on_is_reported_and_the_other_tables_go_on(
    tmp_path: Path, language: str
) -> None:
    data, other = tmp_path / "data", tmp_path / "other"
    data.mkdir()
    other.mkdir()
    with running_cardroom(tmp_path) as room:
        tls = papers(room, WALL)
        async with asked_table(data) as table, published(table, at(room, TABLE)):
            await table.happens(*[ShoeStarted(8)] * 3)
        shutil.copy(data / "journal.db", tmp_path / "yesterday.db")
        async with (
            asked_table(data) as table,
            published(table, at(room, TABLE)),
            consumer(language, tmp_path / "kept", room.people_port, *tls) as watching,
        ):
            await table.happens(*[ShoeStarted(8)] * 3)
            recorded = table.journal.head.seq
            await watching.until(TABLE, recorded)
        shutil.copy(tmp_path / "yesterday.db", data / "journal.db")
        async with (
            asked_table(data) as table,
            asked_table(other, OTHER) as honest,
            published(table, at(room, TABLE)),
            published(honest, at(room, OTHER)),
            consumer(language, tmp_path / "kept", room.people_port, *tls) as watching,
        ):
            await table.happens(*[ShoeStarted(4)] * 9)
            assert TABLE in await watching.until_reported("ROLLED BACK", "event", "Call compliance")
            await honest.happens(*[ShoeStarted(8)] * 3)
            await watching.until(OTHER, honest.journal.head.seq)
            assert max(watching.of(TABLE), default=0) <= recorded, "what we have is not overwritten"
            (kept,) = (tmp_path / "kept").glob(f"{TABLE}.*.json")
            assert json.loads(kept.read_text())["last"] == recorded


@each
async def test_a_new_journal_is_a_series_of_its_own(tmp_path: Path, language: str) -> None:
    with running_cardroom(tmp_path) as room:
        tls = papers(room, WALL)
        journals = []
        for name in ("one", "two"):
            (tmp_path / name).mkdir()
            async with (
                asked_table(tmp_path / name) as table,
                published(table, at(room, TABLE)),
                consumer(language, tmp_path / "kept", room.people_port, *tls) as watching,
            ):
                await table.happens(*[ShoeStarted(8)] * 3)
                await watching.until(TABLE, table.journal.head.seq)
                assert {event["journal"] for event in watching.printed} == {table.journal.id}
                assert watching.of(TABLE) == list(range(1, table.journal.head.seq + 1))
                await watching.until_reported(table.journal.id)
                journals.append(table.journal.id)
        kept = {path.name for path in (tmp_path / "kept").glob("*.json")}
        assert kept == {f"{TABLE}.{journal}.json" for journal in journals}, "the first series is kept apart"


@each
async def test_what_a_table_has_no_more_is_reported_as_lost(tmp_path: Path, language: str) -> None:
    """The table is played by hand: its archives were deleted."""
    journal, base = "0d9f3c1e5b7a48269f1e2d3c4b5a6978", f"cutcard/v2/{SITE}/{TABLE}"
    event = {"seq": 6, "journal": journal, "site": SITE, "table": TABLE, "body": {}, "link": "00" * 32}
    with running_cardroom(tmp_path) as room:
        async with (
            room.client(f"{SITE}/{TABLE}") as table,
            consumer(language, tmp_path / "kept", room.people_port, *papers(room, WALL)) as watching,
        ):
            await table.subscribe(f"cutcard/v2/command/+/+/{SITE}/{TABLE}/+", qos=1)
            await table.publish(f"{base}/state", a_state("x", seq=5, journal=journal), qos=1, retain=True)
            async with asyncio.timeout(60):
                request = await anext(aiter(table.messages))
            asked = msgspec.json.decode(bytes_of(request))
            assert (asked["first"], asked["last"]) == (1, 5)
            refusal = {"id": asked["id"], "ok": False, "why": "not_kept", "text": "events 1 to 5 were deleted"}
            await table.publish(request.properties.ResponseTopic, json.dumps(refusal), qos=1)  # type: ignore[union-attr]
            await watching.until_reported("LOST", "events 1 to 5", "were deleted")
            await table.publish(f"{base}/event/x", json.dumps(event, separators=(",", ":")), qos=1)
            await watching.until(TABLE, 6)


@pytest.mark.parametrize("name", ["consumer.py", "consumer.mjs"])
def test_a_consumer_is_short_enough_to_be_read(name: str) -> None:
    lines = [line for line in (EXAMPLES / name).read_text().splitlines() if line.strip()]
    assert len(lines) < 100
