"""Two brokers, a database, a collector: whichever fails, the page goes on showing what the tables do.

How old a screen gets meanwhile is measured by `make bench` (tests/bench/floor_stale.py), where time counts.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import pytest

from tests.support.floor_rooms import a_table
from tests.support.running.brokers import needs_mosquitto
from tests.support.running.doubled_floor import FAILURES, doubled_floor, next_of
from tests.support.running.floor_pages import SITE
from tests.support.running.postgres import needs_postgres

pytestmark = [pytest.mark.broker, needs_mosquitto, needs_postgres]
_WITHIN_S = 120


@asynccontextmanager
async def stream(url: str) -> AsyncIterator[AsyncIterator[dict[str, Any]]]:
    """The tiles as the page's stream brings them."""

    async def tiles(response: aiohttp.ClientResponse) -> AsyncIterator[dict[str, Any]]:
        async for line in response.content:
            if line.startswith(b"data: {"):
                for tile in msgspec.json.decode(line[6:]).get("tiles", ()):
                    yield tile

    async with aiohttp.ClientSession() as session, session.get(f"{url}api/floor/stream") as response:
        yield tiles(response)


async def test_no_single_failure_keeps_news_from_the_screen(tmp_path: Path) -> None:
    async with doubled_floor(tmp_path) as floor, stream(floor.url) as tiles:
        state = a_table("t-1", SITE, 1, _now())

        async def comes() -> None:
            """The newest state, on the stream that was never interrupted."""
            async with asyncio.timeout(_WITHIN_S):
                async for tile in tiles:
                    if (tile["table"], tile["seq"], tile["online"]) == ("t-1", state.seq, True):
                        return

        floor.tables.publish(state)
        await comes()
        for what, (fail, restore) in FAILURES.items():
            before = await shown(floor.url, lambda floor: floor["tiles"][0].get("rounds_hour") is not None)
            await asyncio.to_thread(fail, floor)
            if what == "the database is killed":
                away = await shown(floor.url, lambda floor: floor["room"].get("store_since"))
                figures = [each["tiles"][0].get(name) for each in (before, away) for name in ("rounds_hour", "journal")]
                assert figures[:2] == figures[2:], "what the store said last stays"
            for _ in range(3):
                state = next_of(state, _now())
                floor.tables.publish(state)
                await comes()
            await asyncio.to_thread(restore, floor)


async def shown(url: str, holds: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """The tiles and what is beside them, once it is like that."""
    async with asyncio.timeout(_WITHIN_S), aiohttp.ClientSession() as session:
        while True:
            async with session.get(f"{url}api/floor") as response:
                found: dict[str, Any] = await response.json()
            if holds(found):
                return found
            await asyncio.sleep(0.05)


def _now() -> int:
    return time.time_ns() // 1_000_000
