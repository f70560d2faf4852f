"""A subscriber in a process of its own: `python -m tests.bench.subscriber PORT TOPIC…`.

It prints a line for every message: when it arrived, on the clock that all processes of a machine share, and its topic.
It is a process of its own so that it is never busy with something else when a message comes.
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


class TimedSubscriber:
    """Reads what that process prints."""

    def __init__(self, process: Process) -> None:
        self._process = process

    async def first(self, topic: str) -> float:
        """When the next message on this topic, or below it, arrived; messages on other topics are skipped."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                at, received = await self._line()
                if received.startswith(topic):
                    return at

    async def _line(self) -> tuple[float, str]:
        assert self._process.stdout is not None
        at, _, topic = (await self._process.stdout.readline()).decode().strip().partition(" ")
        if not topic:
            raise RuntimeError("the subscriber has ended")
        return float(at), topic


@asynccontextmanager
async def subscribed(port: int, *topics: str) -> AsyncIterator[TimedSubscriber]:
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", __name__, str(port), *topics, stdout=PIPE)
    subscriber = TimedSubscriber(process)
    try:
        await subscriber.first("subscribed")
        yield subscriber
    finally:
        process.terminate()
        await process.wait()


async def _print_messages(port: int, topics: list[str]) -> None:
    async with aiomqtt.Client("127.0.0.1", port, protocol=aiomqtt.ProtocolVersion.V5) as client:
        await client.subscribe([(topic, 1) for topic in topics])
        print("0 subscribed", flush=True)
        async for message in client.messages:
            print(f"{time.perf_counter():.9f} {message.topic}", flush=True)


if __name__ == "__main__":
    asyncio.run(_print_messages(int(sys.argv[1]), sys.argv[2:]))
