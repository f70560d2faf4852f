"""A thousand half-open connections and a thousand stream clients before a real daemon: the table goes on."""

from __future__ import annotations

import os
import re
import ssl
from pathlib import Path

import aiohttp
import pytest

from tests.support.authorities import SERVER, Authority
from tests.support.hostile.crowds import crowd
from tests.support.running.brokers import Subscriber, mosquitto, needs_mosquitto
from tests.support.running.consoles import CONFIG, LIMITS, MannedTable

pytestmark = [pytest.mark.broker, needs_mosquitto]

TABLE = "cutcard/v2/test/t-9"
DESCRIPTORS = 1024
"""What a process has by default."""


@pytest.mark.parametrize("is_secure", [False, True], ids=["http", "tls"])
async def test_a_crowd_of_strangers_stops_neither_the_dealer_nor_the_publisher(tmp_path: Path, is_secure: bool) -> None:
    table = MannedTable(tmp_path)
    authority = Authority(tmp_path, "pages")
    files = authority.issue("page", SERVER, host="127.0.0.1")
    trusting = ssl.create_default_context(cafile=authority.file)
    table.before = ("sh", "-c", f'ulimit -n {DESCRIPTORS}; exec "$@"', "sh")
    with mosquitto(tmp_path, "allow_anonymous true") as broker:
        table.config.write_text(
            CONFIG.format(
                ruleset="bankers-ez-baccarat-panda-8",
                options="{}",
                seats=[1, 2],
                player_dealer=8,
                limits=LIMITS,
                broker=broker.port,
            )
            + (f'certificate = "{files.certificate}"\nkey = "{files.key}"\n' if is_secure else "")
        )
        async with (
            Subscriber.listening(broker.port, f"{TABLE}/#") as cardroom,
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=60)) as session,
        ):
            await table.start(session)
            try:
                page = table.page
                if is_secure:
                    (page,) = re.findall(r"https://127\.0\.0\.1:\d+/", (tmp_path / "daemon.log").read_text())
                async with crowd(page, half_open=1000, streams=1000) as strangers:
                    # A console that comes now, from the network and not from the board.
                    connector = aiohttp.TCPConnector(local_addr=("127.0.0.7", 0), ssl=trusting)
                    async with aiohttp.ClientSession(page, connector=connector) as tablet:
                        dealer = table.pins["dealer"]
                        async with tablet.post("/api/login", json=dealer) as answer:
                            assert answer.status == 200
                            headers = {"Authorization": f"Bearer {(await answer.json())['token']}"}
                        async with tablet.get("/api/console/stream", headers=headers) as stream:
                            assert stream.status == 200
                            for body in ({"kind": "shoe_started", "decks": 8}, {"kind": "close_bets"}):
                                async with tablet.post("/api/acts", json=body, headers=headers) as answer:
                                    assert answer.status == 200, await answer.text()
                        watching = 0
                        while watching < 64:  # they come one after the other: on a busy machine that takes a while
                            async with tablet.get("/healthz") as answer:
                                watching = (await answer.json())["streams"]
                            assert watching <= 64 + 1, "the screens, and the console"
                    assert len([*os.scandir(f"/proc/{table.pid}/fd")]) < DESCRIPTORS * 0.75
                    await cardroom.until(lambda _: bool(cardroom.on(f"{TABLE}/event/bets_closed")))
                    seen = len(cardroom.on(f"{TABLE}/online"))
                    broker.stop()
                    broker.start()
                    await cardroom.until(lambda _: len(cardroom.on(f"{TABLE}/online")) > seen)
                assert strangers.streams >= 1 and strangers.refused >= 1, "no room is an answer in words"
                assert len((tmp_path / "daemon.log").read_text().splitlines()) < 50
            finally:
                assert await table.stop() == 0
