"""A line of LED signs, decoded for a technician."""

from __future__ import annotations

from devices.lines import TraceLine
from devices.ports.tap import Chunk, Direction
from protocols.alpha.packets import PacketDecoder

_SEVEN_BITS = bytes(value & 0x7F for value in range(256))


class SignLines:
    """The Alpha sign protocol. On a 7E1 line the highest bit is parity, which does not matter here."""

    def __init__(self) -> None:
        self._decoders = {direction: PacketDecoder() for direction in Direction}

    def feed(self, chunk: Chunk) -> list[TraceLine]:
        packets = self._decoders[chunk.direction].feed(chunk.data.translate(_SEVEN_BITS))
        hexed = chunk.data.hex(" ")
        if not packets:
            return [TraceLine.of(chunk, f"{len(chunk.data)} bytes", hexed=hexed)]
        return [TraceLine.of(chunk, "a packet", repr(packet), hexed=hexed) for packet in packets]
