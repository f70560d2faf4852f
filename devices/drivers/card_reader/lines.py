"""The reports of a card reader, for a technician."""

from __future__ import annotations

from devices.lines import TraceLine
from devices.ports.tap import Chunk


class ReaderLines:
    """A card reader: every report may be a card."""

    def __init__(self, *, sealed: bool) -> None:
        self._sealed = sealed

    def feed(self, chunk: Chunk) -> list[TraceLine]:
        hexed = chunk.data.hex(" ")
        return [TraceLine.of(chunk, f"a report of {len(chunk.data)} bytes", hexed=hexed, withheld=not self._sealed)]
