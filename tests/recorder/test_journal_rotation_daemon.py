"""Rotation with the daemon as its own process, devices on a wire and a real broker."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import pytest
from aiomqtt import Message

from controller.cli.main import main
from controller.evidence.verify import verify
from controller.journal import JournalReader
from controller.rules import resolve
from tests.support.running.brokers import Subscriber, bytes_of, mosquitto, needs_mosquitto
from tests.support.running.tables import laid_table

pytestmark = [pytest.mark.broker, needs_mosquitto]

EVENTS = "cutcard/v2/test/t-1/event/+"


def event(kind: str, **fields: str) -> Callable[[list[Message]], bool]:
    """Whether an event of this kind with these fields has arrived."""

    def arrived(messages: list[Message]) -> bool:
        bodies: list[dict[str, Any]] = [msgspec.json.decode(bytes_of(message))["body"] for message in messages]
        return any(body["kind"] == kind and fields.items() <= body.items() for body in bodies)

    return arrived


async def test_a_daemon_publishes_its_archives_and_misses_one_that_is_taken_away(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker:
        async with (
            Subscriber.listening(broker.port, EVENTS) as cardroom,
            laid_table(tmp_path, broker.port, seed=3) as table,
            aiohttp.ClientSession() as session,
        ):
            await table.people.play(6)
            assert main(["journal", "rotate", "--config", str(table.config)]) == 2
            await table.stop()
            assert main(["journal", "rotate", "--config", str(table.config)]) == 0
            with JournalReader.read(table.journal) as reader:
                (archive,) = reader.archives()
                assert next(reader.entries(archive.last_n + 1)).round <= 4
            await table.start(session)
            await cardroom.until(event("journal_rotated", file=archive.file, hash=archive.hash.hex()))

            file, elsewhere = table.data / archive.file, tmp_path / "elsewhere"
            table.seat_people()
            file.rename(elsewhere)
            await table.people.play(1)
            await cardroom.until(event("alarm_raised", alarm="archive_missing"))
            elsewhere.rename(file)
            await table.people.play(1)
            await cardroom.until(event("alarm_cleared", alarm="archive_missing"))
        verdict = verify(table.journal, resolve)
        assert verdict.is_whole, verdict.findings
        assert verdict.rerun is not None and verdict.rerun.rounds == 8
