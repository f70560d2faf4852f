"""A crowd of strangers before a table's page, as a process of its own: half-open connections and stream clients.

    async with crowd(page, half_open=1000, streams=1000):
        ...

They come from many addresses (127.1.0.0/16), and a client that is closed or refused comes again.
"""

from __future__ import annotations

import asyncio
import resource
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit

ADDRESSES = 250
AGAIN_AFTER_S = 1.0
"""As a stream client of a browser does, on average."""
STREAM = b"GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n"


@asynccontextmanager
async def crowd(page: str, *, half_open: int, streams: int) -> AsyncIterator[None]:
    """Until the block ends; it begins when everybody has connected once."""
    port = urlsplit(page).port or 0
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.support.hostile.crowds", str(port), str(half_open), str(streams)),
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(120):
            assert await process.stdout.readline() == b"here\n"
        yield
    finally:
        process.terminate()
        await process.wait()


async def _come(port: int, half_open: int, streams: int) -> None:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    here: set[int] = set()
    total, all_here = half_open + streams, asyncio.Event()

    async def stranger(number: int) -> None:
        while True:
            with suppress(OSError):
                reader, writer = await asyncio.open_connection(
                    "127.0.0.1", port, local_addr=(f"127.1.0.{1 + number % ADDRESSES}", 0)
                )
                if number >= half_open:
                    writer.write(STREAM)
                here.add(number)
                if len(here) == total:
                    all_here.set()
                while await reader.read(65536):
                    pass
                writer.close()
            await asyncio.sleep(AGAIN_AFTER_S)

    tasks = [asyncio.create_task(stranger(number)) for number in range(total)]
    await all_here.wait()
    print("here", flush=True)
    await asyncio.gather(*tasks)


if __name__ == "__main__":
    asyncio.run(_come(*(int(argument) for argument in sys.argv[1:])))
