"""A connection to a broker that is left only with an error."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from types import TracebackType
from typing import NoReturn

from aiomqtt import MqttError


class BreaksAtTheEnd:
    """Stands in for a client. Leaving it fails as with a broker that has stopped reading: what it should still get does
    not go out within the time that aiomqtt allows."""

    def __init__(self) -> None:
        self.is_used = asyncio.Event()

    def __call__(self, *_: object) -> BreaksAtTheEnd:
        """The class, or the function, that makes a client."""
        return self

    async def __aenter__(self) -> BreaksAtTheEnd:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> NoReturn:
        raise MqttError("Operation timed out")

    async def subscribe(self, topics: Sequence[object]) -> list[int]:
        return [0 for _ in topics]

    async def listen_to_retained(self, topics: Sequence[str]) -> None:
        """Nothing is retained."""

    async def until_lost(self, on_message: object) -> NoReturn:
        self.is_used.set()
        await asyncio.Event().wait()
        raise AssertionError("it is never lost")

    @property
    def messages(self) -> BreaksAtTheEnd:
        return self

    def __aiter__(self) -> BreaksAtTheEnd:
        return self

    async def __anext__(self) -> NoReturn:
        await self.until_lost(None)

    def end_with_will(self) -> None:
        """It does not go out either."""
