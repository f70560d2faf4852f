"""What passed on a wire, decoded for a technician, with the cards withheld.

A message can name a card that nobody may know yet. If its class hides a field from its `repr`, that field and the bytes
are left out. A message that cannot be decoded is withheld too, because it might name a card. A sealed decoder, for a
bench, shows everything. Each kind of device has its decoder: `DeviceKind.lines`, and `devices.link.lines` for the link.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Literal, Protocol

from msgspec import Struct

from devices.ports.tap import Chunk, Direction


class TraceLine(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One frame, packet or report that passed."""

    at_ns: int
    direction: Literal["in", "out"]
    text: str
    """A frame of the link, or what it was."""
    message: str = ""
    """The message in it."""
    hex: str = ""
    """Its bytes on the wire."""
    withheld: bool = False
    """The bytes are left out, because they may name cards."""

    @classmethod
    def of(cls, chunk: Chunk, text: str, message: str = "", *, hexed: str = "", withheld: bool = False) -> TraceLine:
        return cls(
            at_ns=chunk.at_ns,
            direction="in" if chunk.direction is Direction.IN else "out",
            text=text,
            message=message,
            hex="" if withheld else hexed,
            withheld=withheld,
        )

    def rows(self) -> Iterator[str]:
        """As a person reads it."""
        at = datetime.fromtimestamp(self.at_ns / 1e9, UTC)
        yield f"{at:%H:%M:%S}.{at.microsecond // 1000:03} {self.direction:<3}  {self.text}"
        hexed = "hex withheld: it may name cards" if self.withheld else self.hex
        for more in (self.message, hexed):
            if more:
                yield f"{'':18}{more}"


class Lines(Protocol):
    """A decoder of one wire, both directions."""

    def feed(self, chunk: Chunk) -> list[TraceLine]: ...
