"""A subscriber in a process of its own: `python -m tests.bench.hearing PORT TOPIC…`.

For every message a line: when it was heard, on the clock that all processes of a machine share, and its topic.
It stands apart so that it is never busy with something else when a message comes.
"""

from __future__ import annotations

import asyncio
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiomqtt

PATIENCE_S = 30.0


class Ear:
    """The near end of it."""

    def __init__(self, process: Process) -> None:
        self._process = process

    async def first(self, topic: str) -> float:
        """When the next message on this topic, or below it, was heard; those on others are passed over."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                at, heard = await self._line()
                if heard.startswith(topic):
                    return at

    async def _line(self) -> tuple[float, str]:
        assert self._process.stdout is not None
        at, _, topic = (await self._process.stdout.readline()).decode().strip().partition(" ")
        if not topic:
            raise RuntimeError("the subscriber has ended")
        return float(at), topic


@asynccontextmanager
async def hearing(port: int, *topics: str) -> AsyncIterator[Ear]:
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", __name__, str(port), *topics, stdout=PIPE)
    ear = Ear(process)
    try:
        await ear.first("subscribed")
        yield ear
    finally:
        process.terminate()
        await process.wait()


async def _hear(port: int, topics: list[str]) -> None:
    async with aiomqtt.Client("127.0.0.1", port, protocol=aiomqtt.ProtocolVersion.V5) as client:
        await client.subscribe([(topic, 1) for topic in topics])
        print("0 subscribed", flush=True)
        async for message in client.messages:
            print(f"{time.perf_counter():.9f} {message.topic}", flush=True)


if __name__ == "__main__":
    asyncio.run(_hear(int(sys.argv[1]), sys.argv[2:]))
