"""How long a dealer's act takes while a thousand half-open connections and a thousand stream clients crowd the page.

From the request of a signed-in console, which watches its stream, to the answer: HTTP, engine, the durable commit. The
same acts before the crowd comes are the floor. The crowd is a process of its own, on the same machine
(`tests/support/hostile/crowds.py`): what it takes from the processor counts against us.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

import aiohttp

from tests.bench.figures import Figure
from tests.support.hostile.crowds import crowd
from tests.support.running.brokers import free_port
from tests.support.running.consoles import CONFIG, LIMITS, MannedTable

TIMES = 2.0
PAUSE_S = 0.05
"""Between two acts; a dealer needs longer."""
TABLET = "127.0.0.7"
"""An address that is not the board's own."""


class _Tablet:
    """A console that has signed in."""

    def __init__(self, session: aiohttp.ClientSession, token: str) -> None:
        self._session, self._headers = session, {"Authorization": f"Bearer {token}"}

    async def watch(self) -> None:
        async with self._session.get("/api/console/stream", headers=self._headers) as stream:
            async for _ in stream.content.iter_any():
                pass

    async def acts(self, number: int) -> list[float]:
        """Seconds that each act took."""
        took = []
        for turn in range(number):
            await asyncio.sleep(PAUSE_S)
            body = {"kind": "table_set", "seats": [1, 2] if turn % 2 else [1, 2, 3]}
            began = time.perf_counter()
            async with self._session.post("/api/acts", json=body, headers=self._headers) as answer:
                assert answer.status == 200, await answer.text()
            took.append(time.perf_counter() - began)
        return took


async def figures(folder: Path, acts: int, strangers: int) -> list[Figure]:
    folder = folder / "crowded"
    folder.mkdir()
    table = MannedTable(folder)
    table.config.write_text(
        CONFIG.format(
            ruleset="bankers-ez-baccarat-panda-8",
            options="{}",
            seats=[1, 2],
            player_dealer=8,
            limits=LIMITS,
            broker=free_port(),
        )
    )
    async with aiohttp.ClientSession() as session:
        await table.start(session)
        try:
            connector = aiohttp.TCPConnector(local_addr=(TABLET, 0))
            async with aiohttp.ClientSession(table.page, connector=connector) as tablet:
                async with tablet.post("/api/login", json=table.pins["dealer"]) as answer:
                    console = _Tablet(tablet, (await answer.json())["token"])
                watching = asyncio.create_task(console.watch())
                await console.acts(acts // 10)
                quiet = await console.acts(acts)
                async with crowd(table.page, half_open=strangers, streams=strangers):
                    crowded = await console.acts(acts)
                watching.cancel()
        finally:
            await table.stop()
    return list(_beside(crowded, quiet, strangers))


def _beside(crowded: list[float], quiet: list[float], strangers: int) -> Iterator[Figure]:
    for name, at, most in (("median", 0.5, None), ("99th percentile", 0.99, TIMES)):
        ours, floor = _quantile(crowded, at), _quantile(quiet, at)
        yield Figure(
            f"act before a crowd, {name}",
            ours * 1e6,
            statistics.median(crowded) * 1e6,
            "the same act undisturbed",
            floor * 1e6,
            ours / floor,
            "" if most is None else f"cost at most {most:g}",
            None if most is None else ours <= most * floor,
            " µs",
        )


def _quantile(values: list[float], at: float) -> float:
    return sorted(values)[min(len(values) - 1, int(at * len(values)))]
