"""How long a dealer's act takes while a thousand half-open connections and a thousand stream clients crowd the page.

From the request of a signed-in console, which watches its stream, to the answer: HTTP, engine, the durable commit.
Beside it the same acts undisturbed, in turns with them: a crowd comes and leaves, then others come. Once over plain
HTTP, once over TLS. The crowd is a process of its own on the same machine (`tests/support/hostile/crowds.py`), at a
lower priority than the table and cheap enough not to need its processor; what it did is printed, since a crowd that did
not come proves nothing. The processor time that the daemon takes from request to answer stands beside it: on a machine
with other work the time alone says little.
"""

from __future__ import annotations

import asyncio
import re
import ssl
import statistics
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
from msgspec import Struct

from tests.bench.figures import Figure
from tests.support.authorities import SERVER, Authority
from tests.support.hostile.crowds import AGAIN_AFTER_S, Strangers, crowd
from tests.support.running.consoles import manned_table

TIMES = 2.0
TURNS = 4
"""How often the crowd comes."""
PAUSE_S = 0.05
"""Between two acts; a dealer needs longer."""
TABLET = "127.0.0.7"
"""An address that is not the board's own."""
CPUCLOCK_SCHED = 2
"""In a clock's number: all threads of the process whose number is in its other bits (clock_getcpuclockid)."""
ROOM_FOR_RETRIES = 4
"""A crowd comes at least one in this many times as often as its clients would like."""


class _Act(Struct, frozen=True):
    """From its request to its answer."""

    s: float
    processor_s: float
    """Of the daemon, whatever it did meanwhile."""


class _Tablet:
    """A console that has signed in."""

    def __init__(self, session: aiohttp.ClientSession, token: str, daemon: int) -> None:
        self._session, self._headers = session, {"Authorization": f"Bearer {token}"}
        self._processor = ~daemon << 3 | CPUCLOCK_SCHED

    async def watch(self) -> None:
        async with self._session.get("/api/console/stream", headers=self._headers) as stream:
            async for _ in stream.content.iter_any():
                pass

    async def acts(self, number: int) -> list[_Act]:
        took = []
        for turn in range(number):
            await asyncio.sleep(PAUSE_S)
            body = {"kind": "table_set", "seats": [1, 2] if turn % 2 else [1, 2, 3]}
            spent, began = time.clock_gettime(self._processor), time.perf_counter()
            async with self._session.post("/api/acts", json=body, headers=self._headers) as answer:
                assert answer.status == 200, await answer.text()
            took.append(_Act(time.perf_counter() - began, time.clock_gettime(self._processor) - spent))
        return took

    async def streams(self) -> int:
        """How many watch the table now, this one included."""
        async with self._session.get("/healthz") as answer:
            return int((await answer.json())["streams"])


async def figures(folder: Path, acts: int, strangers: int) -> list[Figure]:
    found: list[Figure] = []
    for is_secure in (False, True):
        quiet: list[_Act] = []
        crowded: list[_Act] = []
        place = folder / ("crowded-tls" if is_secure else "crowded")
        place.mkdir()
        async with _console(place, is_secure=is_secure) as (console, page):
            await console.acts(acts // 10)
            for turn in range(TURNS):
                quiet += await console.acts(acts // TURNS)
                async with crowd(page, half_open=strangers, streams=strangers, network=1 + turn) as came:
                    crowded += await console.acts(acts // TURNS)
                _look_at(came, strangers, turn)
                await _has_calmed_down(console)
        found += _beside(crowded, quiet, " over TLS" if is_secure else "")
    return found


@asynccontextmanager
async def _console(folder: Path, *, is_secure: bool) -> AsyncIterator[tuple[_Tablet, str]]:
    """A signed-in console that watches its stream, and the address of the page."""
    more, trusting = "", None
    if is_secure:
        authority = Authority(folder, "pages")
        files = authority.issue("page", SERVER, host="127.0.0.1")
        more = f'certificate = "{files.certificate}"\nkey = "{files.key}"\n'
        trusting = ssl.create_default_context(cafile=authority.file)
    async with manned_table(folder, "bankers-ez-baccarat-panda-8", more=more) as table:
        page = table.page
        if is_secure:
            (page,) = re.findall(r"https://127\.0\.0\.1:\d+/", (folder / "daemon.log").read_text())
        connector = aiohttp.TCPConnector(local_addr=(TABLET, 0), ssl=trusting or True)
        async with aiohttp.ClientSession(page, connector=connector) as tablet:
            async with tablet.post("/api/login", json=table.pins["dealer"]) as answer:
                console = _Tablet(tablet, (await answer.json())["token"], table.pid)
            watching = asyncio.create_task(console.watch())
            try:
                yield console, page
            finally:
                watching.cancel()


def _look_at(came: Strangers, strangers: int, turn: int) -> None:
    rate, core = came.connections / came.seconds, came.processor_s / came.seconds
    print(
        f"crowd {turn + 1}: {rate:,.0f} connections a second in {came.seconds:.0f} s, {came.streams} of them watched, "
        f"{came.refused} were refused in words; it took {core:.0%} of a core",
        file=sys.stderr,
    )
    assert rate * AGAIN_AFTER_S * ROOM_FOR_RETRIES > strangers, "the crowd did not come"


async def _has_calmed_down(console: _Tablet) -> None:
    """Until no stranger is left at the table."""
    async with asyncio.timeout(30):
        while await console.streams() > 1:  # noqa: ASYNC110 - of another process
            await asyncio.sleep(0.1)


def _beside(crowded: list[_Act], quiet: list[_Act], how: str) -> Iterator[Figure]:
    times = [act.s for act in crowded], [act.s for act in quiet]
    processor = [act.processor_s for act in crowded], [act.processor_s for act in quiet]
    for what, (ours, theirs), at, most in (
        ("median", times, 0.5, None),
        ("99th percentile", times, 0.99, TIMES),
        ("processor time, median", processor, 0.5, None),
        ("processor time, 99th percentile", processor, 0.99, None),
    ):
        value, floor = _quantile(ours, at), _quantile(theirs, at)
        yield Figure(
            f"act before a crowd{how}, {what}",
            value * 1e6,
            statistics.median(ours) * 1e6,
            "the same act undisturbed",
            floor * 1e6,
            value / floor,
            "" if most is None else f"cost at most {most:g}",
            None if most is None else value <= most * floor,
            " µs",
            "larger",
        )


def _quantile(values: list[float], at: float) -> float:
    return sorted(values)[min(len(values) - 1, int(at * len(values)))]
