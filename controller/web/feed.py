"""The newest view for any number of watchers.

A slow watcher misses the documents in between and gets the newest one when it asks again: nothing is
queued for anybody, so a browser that stopped reading costs the table one pointer. Events are not meant to travel this
way (they are in the journal and on the broker); a screen only ever wants to be right about now.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable


class Feed:
    """Holds the newest document; every subscription yields it, then each newer one it has time for."""

    def __init__(self, first: bytes) -> None:
        self._newest = first
        self._edition = 0
        self._changed = asyncio.Event()

    def current(self) -> bytes:
        return self._newest

    def publish(self, document: bytes) -> None:
        """Call on the event loop's thread. A document equal to the newest is no change."""
        if document == self._newest:
            return
        self._newest = document
        self._edition += 1
        self._changed.set()
        self._changed = asyncio.Event()

    async def subscribe(self) -> AsyncGenerator[bytes, None]:
        seen = -1
        while True:
            if seen == self._edition:
                await self._changed.wait()
            seen = self._edition
            yield self._newest


class LazyFeed:
    """A feed whose document is made when somebody looks: where nobody does, a change costs nothing.

    While `waits` is true, a change may yet fail: the document before it stays until the next change.
    """

    def __init__(self, make: Callable[[], bytes], waits: Callable[[], bool] = lambda: False) -> None:
        self._make, self._waits = make, waits
        self._made: bytes | None = None
        self._before = b""
        self._changed = asyncio.Event()

    def current(self) -> bytes:
        if self._made is None:
            if self._waits() and self._before:
                return self._before
            self._made = self._before = self._make()
        return self._made

    def change(self) -> None:
        """Call on the event loop's thread: the document is out of date."""
        self._made = None
        self._changed.set()
        self._changed = asyncio.Event()

    async def subscribe(self) -> AsyncGenerator[bytes, None]:
        seen: bytes | None = None
        while True:
            changed = self._changed
            newest = self.current()
            if newest != seen:
                seen = newest
                yield newest
            if changed is self._changed:
                await changed.wait()
