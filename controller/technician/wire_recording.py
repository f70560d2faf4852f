"""A capture file being recorded; no card can be read from it before its round is over.

Bytes pass on the wire before the engine knows what they mean: when the first card of a round has been recorded, the
round has not begun yet. So every packet is kept back for a moment, and given out only while no round is running and no
report is on its way to the engine. When a round begins, a plain recording ends there and then, and what it kept back
is thrown away; a sealed one keeps the packets of the round back until it is over.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Sequence
from contextlib import suppress
from functools import partial
from typing import Literal

from msgspec import Struct

from controller import __version__
from devices.ports.tap import Chunk, Direction, Taps
from devices.spec import DeviceSpec
from protocols.pcapng import Interface, Packet, Section, encode

KEPT_BACK_S = 2.0
"""From the wire to the engine a card takes milliseconds, and the time of a commit, during which `busy` holds."""
MAX_KEPT = 8 * 1024 * 1024
"""Bytes kept back: an hour of six busy devices. What exceeds them is dropped and counted."""
LOOK_EVERY_S = 0.25

WARNING = (
    "Recorded by Cutcard on the wires of a card table. It may hold cards that nobody may know, those of folded hands "
    "and burned cards among them. It is evidence: keep it sealed, give it to nobody but surveillance."
)


class Wire(Struct, frozen=True):
    """A device whose port is recorded, and what is known of it."""

    spec: DeviceSpec
    identity: str = ""
    first_messages: tuple[bytes, ...] = ()
    """Its messages at the start of its session, before the recording began: a playback needs them."""

    @property
    def interface(self) -> Interface:
        spec, identity = self.spec, self.identity or "of unknown identity"
        words = " and ".join(message.hex() for message in self.first_messages)
        began = f" Its session began with {words}." if words else ""
        return Interface(
            name=spec.id,
            description=f"{spec.kind} on {spec.url}",
            comment=f"The {spec.kind} {spec.id!r}, {identity}, on {spec.url} at {spec.baud} baud. Inbound is from the "
            f"device to the board.{began}",
        )


def header(wires: Sequence[Wire], table: str) -> bytes:
    """What a file begins with."""
    section = Section(comment=f"{WARNING} Table: {table}.", application=f"cutcard {__version__}")
    return encode(section) + b"".join(encode(wire.interface) for wire in wires)


def packet_of(number: int, chunk: Chunk, dropped: int = 0) -> Packet:
    """A chunk that passed on the wire of this number."""
    direction: Literal["in", "out"] = "in" if chunk.direction is Direction.IN else "out"
    return Packet(interface=number, at_ns=chunk.at_ns, direction=direction, data=chunk.data, dropped=dropped)


class WireRecording:
    """One recording. It listens from its making until `stop`; `packets` yields what may be shown."""

    def __init__(self, wires: Sequence[Wire], taps: Taps, *, sealed: bool, round_running: bool) -> None:
        self._loop = asyncio.get_running_loop()
        self._sealed = sealed
        self._running = False
        self._busy = 0
        self._kept: deque[tuple[float, Packet]] = deque()
        self._kept_bytes = 0
        self._dropped = [0 for _ in wires]
        self._changed = asyncio.Event()
        self._listening = True
        self._stops = [taps[wire.spec.url].listen(partial(self.received, number)) for number, wire in enumerate(wires)]
        self.round_changed(round_running)

    def stop(self) -> None:
        """Listen no more. What is kept back may still be given."""
        for stop in self._stops:
            stop()
        self._listening = False
        self._changed.set()

    def give_up(self) -> None:
        """End at once, without what is kept back."""
        self._kept.clear()
        self._kept_bytes = 0
        self.stop()

    def round_changed(self, running: bool) -> None:
        self._running = running
        if running and not self._sealed:
            self.give_up()
        self._changed.set()

    def report_under_way(self, change: int) -> None:
        """A report has set out for the engine (1), or has arrived (-1)."""
        self._busy += change

    async def packets(self) -> AsyncGenerator[bytes, None]:
        """The recording without its header, until it was stopped and nothing is kept back; b"" while nothing comes."""
        while True:
            while (packet := self._next()) is not None:
                yield encode(packet)
            if not self._listening and not self._kept:
                return
            self._changed.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_EVERY_S):
                    await self._changed.wait()
            yield b""

    def received(self, number: int, chunk: Chunk) -> None:
        if self._kept_bytes + len(chunk.data) > MAX_KEPT:
            self._dropped[number] += 1
            return
        packet = packet_of(number, chunk, self._dropped[number])
        self._dropped[number] = 0
        self._kept.append((self._loop.time(), packet))
        self._kept_bytes += len(chunk.data)

    def _next(self) -> Packet | None:
        if self._running or self._busy or not self._kept or self._kept[0][0] > self._loop.time() - KEPT_BACK_S:
            return None
        _, packet = self._kept.popleft()
        self._kept_bytes -= len(packet.data)
        return packet
