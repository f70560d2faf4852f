"""What every sight can do."""

from __future__ import annotations

from abc import ABC, abstractmethod

LISTED = 12
"""How many things that were seen instead are listed, the last ones."""


class Sight(ABC):
    """One thing that a scenario waits to see: whether it is there now, and what is there instead."""

    up_to = 0
    """The index behind the last event that it used, once it was seen."""

    @abstractmethod
    def holds(self) -> bool: ...

    @abstractmethod
    async def wait(self) -> None: ...

    @abstractmethod
    def seen(self) -> str:
        """What it was."""

    @abstractmethod
    def instead(self) -> str: ...
