"""A Modbus master for judging one sensor on a bus."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from protocols import drop_box
from protocols.errors import ProtocolError
from protocols.modbus import frames
from sim_hw.conform.hands import Hands
from sim_hw.conform.opening import Line
from sim_hw.conform.requirement import Broken
from sim_hw.conform.trace import Trace

ANSWER_WITHIN = 0.3
BETWEEN = 0.02
"""Seconds of silence before each request."""


def _decoded(data: bytes, to_device: bool) -> list[str]:
    try:
        unit, message = frames.decode_request(data) if to_device else frames.decode_reply(data)
    except ProtocolError as error:
        return [f"not a frame of the page: {error}"]
    return [f"unit {unit}: {message!r}"]


class ModbusBench:
    """One sensor on one bus."""

    def __init__(self, line: Line, hands: Hands, unit: int) -> None:
        self.hands, self.unit = hands, unit
        self.trace = Trace(_decoded)
        self.answered_at = 0.0
        self.asked_at = 0.0
        self._line = line
        self._loop = asyncio.get_running_loop()
        self._received = b""
        self._changed = asyncio.Event()
        line.receive = self._arrived

    async def ready(self) -> None:
        """A sensor has no sessions."""

    @property
    def is_gone(self) -> bool:
        return self._line.is_lost

    def close(self) -> None:
        self._line.close()

    async def pause(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def _arrived(self, data: bytes) -> None:
        self.trace.add(self._loop.time(), False, data)
        if not self._received:
            self.answered_at = self._loop.time()
        self._received += data
        self._changed.set()

    async def send(self, adu: bytes) -> bytes:
        """Bytes on the bus; whatever comes back."""
        await self.pause(BETWEEN)
        self._received = b""
        self.asked_at = self._loop.time()
        self.trace.add(self.asked_at, True, adu)
        self._line.write(adu)
        with suppress(TimeoutError):
            async with asyncio.timeout(ANSWER_WITHIN):
                while not self._is_whole():
                    self._changed.clear()
                    await self._changed.wait()
        return self._received

    def _is_whole(self) -> bool:
        try:
            frames.decode_reply(self._received)
        except ProtocolError:
            return False
        return True

    async def ask(self, request: frames.Request) -> frames.Reply:
        """A request of the page, and its answer."""
        return self.reply(await self.send(frames.encode(self.unit, request)), repr(request))

    def reply(self, adu: bytes, what: str) -> frames.Reply:
        try:
            unit, reply = frames.decode_reply(adu)
        except ProtocolError:
            raise Broken(f"an answer to {what} within {ANSWER_WITHIN:g} s", adu.hex(" ") or "none") from None
        if unit != self.unit:
            raise Broken(f"an answer of unit {self.unit}", f"one of unit {unit}")
        return reply

    async def raw(self, pdu: bytes, what: str) -> frames.Reply:
        """A request that has a form of its own."""
        head = bytes((self.unit,)) + pdu
        return self.reply(await self.send(head + frames.crc16(head).to_bytes(2, "little")), what)

    async def registers(self, count: int = 26) -> tuple[int, ...]:
        reply = await self.ask(frames.ReadInputRegisters(0, count))
        if not isinstance(reply, frames.InputRegisters):
            raise Broken(f"{count} input registers", f"{reply!r}")
        return reply.values

    async def reading(self) -> drop_box.Reading:
        # Register 0 has a requirement of its own.
        return drop_box.decode((drop_box.MAP, *(await self.registers())[1:]))

    async def survey(self) -> str:
        reply = await self.ask(frames.ReadIdentification(1, 0))
        if isinstance(reply, frames.Identification):
            return f"{' '.join(text for _, text in reply.objects)}, unit {self.unit}"
        return f"a sensor without identification, unit {self.unit}"
