"""Tables open against the licence: one more is refused, with the reason."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from floor.answers import Answered
from floor.live.live_tables import LiveTables


class Licence:
    """Counts open tables. A table that is away counts as it was seen last: it may be open."""

    def __init__(self, licensed: int | None, tables: LiveTables) -> None:
        self.licensed, self._tables = licensed, tables
        self._opening: dict[str, int] = {}
        """Tables that are being opened by orders under way."""

    @property
    def open(self) -> int:
        return sum(table.state is not None and table.state.open for table in self._tables.all.values())

    def admit(self, tables: Sequence[str]) -> tuple[list[str], list[Answered]]:
        """Those that may be opened now, which are counted until `release`; and the refusals."""
        allowed: list[str] = []
        refused: list[Answered] = []
        for name in tables:
            if self.licensed is None or self._counts(name) or self._taken() < self.licensed:
                allowed.append(name)
                self._opening[name] = self._opening.get(name, 0) + 1
            else:
                text = f"{self._taken()} tables are open, and the licence is for {self.licensed}. Close one first."
                refused.append(Answered(name, ok=False, why="licence", text=text))
        return allowed, refused

    def release(self, tables: Iterable[str]) -> None:
        """Their requests have been answered."""
        for name in tables:
            self._opening[name] -= 1
            if not self._opening[name]:
                del self._opening[name]

    def _taken(self) -> int:
        opening = sum(not self._is_open(name) for name in self._opening)
        return self.open + opening

    def _counts(self, name: str) -> bool:
        return self._is_open(name) or name in self._opening

    def _is_open(self, name: str) -> bool:
        table = self._tables.get(name)
        return table is not None and table.state is not None and table.state.open
