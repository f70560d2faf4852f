"""What passed on the port, with its time and its direction: for reports in hex and decoded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Passed:
    """Bytes that were written or read at one moment."""

    at: float
    to_device: bool
    data: bytes


Decode = Callable[[bytes, bool], list[str]]
"""One line for each frame in these bytes."""

MOST_LINES = 60


class Trace:
    """All that passed since `mark`."""

    def __init__(self, decode: Decode) -> None:
        self._decode = decode
        self._passed: list[Passed] = []
        self._began = 0.0

    def mark(self, now: float) -> None:
        """Forget what was: another requirement begins."""
        self._passed.clear()
        self._began = now

    def add(self, at: float, to_device: bool, data: bytes) -> None:
        self._passed.append(Passed(at, to_device, data))

    def lines(self) -> list[str]:
        """What passed, newest last; of a long trace its beginning and its end."""
        lines = []
        for passed in self._passed:
            arrow = "to the device  " if passed.to_device else "from the device"
            head = f"{passed.at - self._began:8.3f} s  {arrow}  "
            lines.append(head + passed.data.hex(" "))
            lines += [" " * len(head) + text for text in self._decode(passed.data, passed.to_device)]
        if len(lines) <= MOST_LINES:
            return lines
        half = MOST_LINES // 2
        return [*lines[:half], f"… {len(lines) - MOST_LINES} lines …", *lines[-half:]]
