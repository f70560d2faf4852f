"""A wire between a table and its broker that a test can cut in the middle of a byte stream, or make slow."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from tests.support.running.brokers import eventually


class Wire:
    """Forwards one port of loopback to another."""

    def __init__(self, to: int, *, bytes_a_second: int | None = None) -> None:
        self.port = 0
        self.cuts = 0
        """How often it was cut."""
        self._to = to
        self._rate = bytes_a_second
        self._pieces: list[int] = []
        self._open: set[asyncio.StreamWriter] = set()
        self._busy: set[asyncio.Task[None]] = set()

    def cut_after(self, pieces: list[int]) -> None:
        """The next connections are cut, each after its number of bytes in both directions; later ones are not."""
        self._pieces = list(reversed(pieces))

    async def until_cut(self, times: int) -> None:
        await eventually(lambda: self.cuts >= times, within=120)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        left = [self._pieces.pop() if self._pieces else -1]
        try:
            there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self._to)
        except OSError:
            writer.close()
            return
        ends = {writer, there_writer}
        self._open |= ends
        ways = [
            asyncio.create_task(self._carry(reader, there_writer, left)),
            asyncio.create_task(self._carry(there_reader, writer, left)),
        ]
        self._busy.update(ways)
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()
        self._busy.difference_update(ways)
        for end in ends:
            # No goodbye: what was on its way is lost, as on a wire that breaks.
            end.transport.abort()
        self._open -= ends

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, left: list[int]) -> None:
        with suppress(OSError):
            while data := await reader.read(512 if self._rate else 65_536):
                if 0 <= left[0] <= len(data):
                    writer.write(data[: left[0]])
                    await writer.drain()
                    self.cuts += 1
                    return
                left[0] -= len(data) if left[0] >= 0 else 0
                writer.write(data)
                await writer.drain()
                if self._rate:
                    await asyncio.sleep(len(data) / self._rate)


@asynccontextmanager
async def wire(to: int, *, bytes_a_second: int | None = None) -> AsyncIterator[Wire]:
    made = Wire(to, bytes_a_second=bytes_a_second)
    server = await asyncio.start_server(made._serve, "127.0.0.1", 0)
    made.port = server.sockets[0].getsockname()[1]
    try:
        yield made
    finally:
        server.close()
        for way in tuple(made._busy):
            way.cancel()
        for end in tuple(made._open):
            end.transport.abort()


def random_cuts(seed: int, times: int, most: int) -> list[int]:
    """Where to cut: short pieces are as likely as long ones, so that connecting, greeting and publishing are hit."""
    rng = random.Random(seed)
    return [round(most ** rng.random()) for _ in range(times)]
