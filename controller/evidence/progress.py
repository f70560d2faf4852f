"""A progress bar on a terminal, for work that takes longer than a second. Elsewhere it draws nothing."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType
from typing import Self, TextIO

PATIENCE_S = 1.0
"""Work that is done within this time needs no bar."""
REDRAW_S = 0.1
WIDTH = 30


class Bar:
    """Draws itself over one line and wipes that line away at the end.

    with Bar("hashes", sys.stderr) as bar:
        reader.verify_chain(bar)
    """

    def __init__(self, what: str, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._what, self._stream, self._clock = what, stream, clock
        self._drawn = False

    def __enter__(self) -> Self:
        self._on_terminal = self._stream.isatty()
        self._next = self._clock() + PATIENCE_S
        return self

    def __call__(self, done: int, total: int) -> None:
        if not self._on_terminal:
            return
        now = self._clock()
        if now < self._next:
            return
        self._next = now + REDRAW_S
        filled = WIDTH * done // max(total, 1)
        bar = "#" * filled + "." * (WIDTH - filled)
        self._stream.write(f"\r{self._what} [{bar}] {100 * done // max(total, 1):3} %  {done:,} of {total:,}\x1b[K")
        self._stream.flush()
        self._drawn = True

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._drawn:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
