"""A microcontroller's flash: two slots for images and a log of records, under a power that can go at any step.

It behaves as NOR flash does. Erasing sets every bit, programming can only clear bits, and both take their time: an
operation is made of steps, and after `cut_power_after(n)` the n-th step from now does not happen. What was done before
it stays, half a chunk, half a record, half an erased slot.
"""

from __future__ import annotations

from collections.abc import Iterator
from zlib import crc32

ERASED = 0xFF
_KEPT_RECORDS = 64


class PowerCut(Exception):
    """The power went in the middle of something."""


class Flash:
    """Two slots of `capacity` bytes, and the log."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self._slots = [bytearray([ERASED]) * capacity, bytearray([ERASED]) * capacity]
        self._log: list[bytearray] = []
        self._steps_left: int | None = None
        self.steps = 0
        """Done so far, in the whole life."""

    def cut_power_after(self, steps: int) -> None:
        """This number of steps is still done."""
        self._steps_left = steps

    def read(self, slot: int, size: int) -> bytes:
        return bytes(self._slots[slot][:size])

    def erase(self, slot: int) -> None:
        half = self.capacity // 2
        for start, end in ((0, half), (half, self.capacity)):
            self._step()
            self._slots[slot][start:end] = bytes([ERASED]) * (end - start)

    def program(self, slot: int, offset: int, data: bytes) -> None:
        for start, part in _halves(data):
            self._step()
            for at, byte in enumerate(part, start=offset + start):
                self._slots[slot][at] &= byte

    def note(self, record: bytes) -> None:
        """Append a record with its checksum."""
        cell = bytearray()
        for _, part in _halves(record + crc32(record).to_bytes(4, "big")):
            self._step()
            if not cell:
                self._log.append(cell)
            cell += part
        if len(self._log) > 2 * _KEPT_RECORDS:
            # A real device writes two sectors in turn, and erases the one that has nothing new in it.
            del self._log[:-_KEPT_RECORDS]

    def last_record(self) -> bytes | None:
        """The last whole one."""
        for cell in reversed(self._log):
            record, checksum = bytes(cell[:-4]), bytes(cell[-4:])
            if crc32(record).to_bytes(4, "big") == checksum:
                return record
        return None

    def _step(self) -> None:
        if self._steps_left is not None:
            if self._steps_left == 0:
                self._steps_left = None
                raise PowerCut
            self._steps_left -= 1
        self.steps += 1


def _halves(data: bytes) -> Iterator[tuple[int, bytes]]:
    half = (len(data) + 1) // 2
    yield 0, data[:half]
    yield half, data[half:]
