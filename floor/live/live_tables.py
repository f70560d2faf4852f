"""All tables of the site as they are now, from the retained documents of every broker.

A table that publishes over two brokers is one table: of its states the newest counts, and it is connected if any broker
says so. A broker that we have lost says nothing: a table that only it knew is not known to be connected any more.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec import Struct, field

from controller.contract import Online
from floor.live.documents import LiveState, decode_state
from floor.messages import ReceivedDocument

_online = msgspec.json.Decoder(Online).decode


class LiveTable(Struct):
    """One table."""

    name: str
    state: LiveState | None = None
    last_at: int = 0
    """When its newest input happened: by its own clock, and never later than when we received it."""
    online: dict[str, bool] = field(default_factory=dict)
    """By broker, of those that we are connected to."""

    @property
    def is_online(self) -> bool:
        return any(self.online.values())


class LiveTables:
    """Takes documents."""

    def __init__(self) -> None:
        self.on_change: Callable[[str], None] = lambda table: None
        """Called with the name of each table that changed."""
        self._tables: dict[str, LiveTable] = {}
        self.malformed = 0
        """State documents that could not be read; the collector keeps them apart."""

    @property
    def all(self) -> dict[str, LiveTable]:
        """Those that have published a state, by name."""
        return {name: table for name, table in self._tables.items() if table.state is not None}

    def get(self, name: str) -> LiveTable | None:
        table = self._tables.get(name)
        return None if table is None or table.state is None else table

    def take(self, document: ReceivedDocument) -> None:
        """One retained document, or its end."""
        match document.document:
            case "state":
                self._take_state(document)
            case "online":
                self._take_online(document)

    def _take_state(self, document: ReceivedDocument) -> None:
        if not document.payload:
            # Retired, or its topic was emptied by hand: the other broker's copy is emptied too, or comes again.
            if self._tables.pop(document.table, None) is not None:
                self.on_change(document.table)
            return
        try:
            state = decode_state(document.payload)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            self.malformed += 1
            return
        table = self._table(document.table)
        at = min(state.at, document.origin.received_at)
        if table.state is not None and not _is_newer(state, at, table.state, table.last_at):
            return
        table.state, table.last_at = state, at
        self.on_change(table.name)

    def _take_online(self, document: ReceivedDocument) -> None:
        table = self._table(document.table)
        table.online[document.origin.broker] = bool(document.payload) and _online(document.payload).online
        self.on_change(table.name)

    def _table(self, name: str) -> LiveTable:
        return self._tables.setdefault(name, LiveTable(name))

    def forget_broker(self, broker: str) -> None:
        """Its connection is gone: what it said about who is connected may be wrong by now."""
        for table in self._tables.values():
            if table.online.pop(broker, None) is not None:
                self.on_change(table.name)


def _is_newer(state: LiveState, at: int, than: LiveState, its_at: int) -> bool:
    """Within a journal by its numbers; of two journals the one that was written to later. Its time is never later than
    when we received it: a table whose clock was ahead is not shown for ever."""
    if state.journal == than.journal:
        return state.seq >= than.seq
    return at >= its_at
