"""All tiles of the room, and who watches them.

    brokers ─► LiveTables ─┐
    store ─► Figures ──────┴─► Board: tiles, each with the edition in which it changed last ─► news for a place

Nothing is queued for anybody: a place notes the edition that it was sent last, and gets every tile that changed since,
as it is now. A screen that is slow gets fewer and newer ones. Tiles are made when somebody watches, ten times a second
at most.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec
from msgspec import Struct

from controller.web.streams import Place
from floor.config import FloorConfig
from floor.live.live_tables import LiveTables
from floor.queries.pace import Pace
from floor.room.alarms import RoomAlarm
from floor.room.drop_times import Drop
from floor.web.attention import Patience, place
from floor.web.tiles import Tile, tile_of

EVERY_S = 0.1
"""The shortest time between two messages to a screen."""
LOOK_EVERY_S = 1.0
"""What depends on the time alone is looked at so often."""


class Room(Struct, frozen=True):
    """What is shown beside the tiles."""

    site: str
    brokers: dict[str, bool] = {}
    """Whether the page is connected, by broker."""
    can_command: bool = False
    store_since: int | None = None
    """Since when the store is away; none: it is there."""
    open: int = 0
    licensed: int | None = None
    sections: tuple[str, ...] = ()
    alarms: tuple[RoomAlarm, ...] = ()
    drop_times: tuple[str, ...] = ()
    drop: Drop | None = None
    public: bool = True
    apart: int = 0
    """Messages of the last day that were kept apart."""
    alertmanagers_away: tuple[str, ...] = ()
    certificates: tuple[str, ...] = ()
    """Of the floor, that expire soon: a sentence each."""


class News(Struct, frozen=True, omit_defaults=True):
    """One message of the stream. `tiles`: those that changed, as they are now; `whole`: all there are."""

    now: int
    tiles: list[msgspec.Raw]
    whole: bool = False
    order: tuple[str, ...] = ()
    """All tables, the one that needs somebody most first; left out: as before."""
    room: Room | None = None
    """Left out: as before."""


class _Kept(Struct):
    tile: Tile
    json: bytes
    edition: int


class Board:
    """The tiles. It is an `Audience` of the streams: each place gets what changed."""

    is_over = False

    def __init__(self, tables: LiveTables, config: FloorConfig, clock: Callable[[], int]) -> None:
        self._tables, self._config, self._clock = tables, config, clock
        self._patience = Patience(config.room.waits_s * 1000, config.room.dealer_minutes * 60_000)
        self._paces: dict[str, Pace] | None = None
        self._kept: dict[str, _Kept] = {}
        self._touched: set[str] = set()
        self._edition = 1
        self._order: tuple[str, ...] = ()
        self._order_edition = self._room_edition = 1
        self._room: Callable[[], Room] = lambda: Room("")
        self._shown_room = Room("")
        self._places: dict[Place, None] = {}
        self._news = asyncio.Event()
        tables.on_change = self.changed

    def show_room(self, room: Callable[[], Room]) -> None:
        """What is shown beside the tiles."""
        self._room = room

    # What changes

    def changed(self, table: str) -> None:
        """The table has published something."""
        self._touched.add(table)
        self._news.set()

    def room_changed(self) -> None:
        self._news.set()

    def take_paces(self, paces: dict[str, Pace] | None) -> None:
        """The figures of the store; None: it has not answered yet."""
        self._paces = paces
        self._touched.update(self._tables.all)
        self._news.set()

    async def run(self) -> None:
        """Wakes who watches, when something changed and when time has passed."""
        loop = asyncio.get_running_loop()
        looked = loop.time()
        while True:
            try:
                async with asyncio.timeout(LOOK_EVERY_S):
                    await self._news.wait()
            except TimeoutError:
                pass
            if loop.time() - looked >= LOOK_EVERY_S:
                looked = loop.time()
                self._touched.update(self._tables.all)
            self._news.clear()
            if self._places and self.renew():
                for watching in self._places:
                    watching.changed.set()
            await asyncio.sleep(EVERY_S)

    # What is shown

    def renew(self) -> bool:
        """Makes the tiles of tables that were touched again; returns whether anything changed."""
        edition, now = self._edition + 1, self._clock()
        is_changed = False
        touched, self._touched = self._touched, set()
        paces = self._paces
        for name in touched:
            table = self._tables.get(name)
            if table is None:
                is_changed = self._kept.pop(name, None) is not None or is_changed
                continue
            pace = None if paces is None else paces.get(name, _NEW)
            tile = tile_of(table, self._config.section_of(name), pace, self._patience, now)
            json = _encode(tile)
            kept = self._kept.get(name)
            if kept is None or kept.json != json:
                self._kept[name] = _Kept(tile, json, edition)
                is_changed = True
        if is_changed:
            order = tuple(sorted(self._kept, key=lambda name: place(self._kept[name].tile.attention, name)))
            if order != self._order:
                self._order, self._order_edition = order, edition
        room = self._room()
        if room != self._shown_room:
            self._shown_room, self._room_edition = room, edition
            is_changed = True
        if is_changed:
            self._edition = edition
        return is_changed

    def tiles(self) -> list[Tile]:
        """All of them as they are now, in their order."""
        self._touched.update(self._tables.all)
        self.renew()
        return [self._kept[name].tile for name in self._order]

    @contextmanager
    def joined(self, place: Place) -> Iterator[None]:
        self._touched.update(self._tables.all)
        self.renew()
        self._places[place] = None
        try:
            yield
        finally:
            del self._places[place]

    def news(self, place: Place) -> bytes:
        """What changed since this place was sent something."""
        seen = place.seen if isinstance(place.seen, int) else 0
        if seen == self._edition:
            return b""
        place.seen = self._edition
        return b"event: view\nid: %d\ndata: %b\n\n" % (self._edition, _encode(self._since(seen)))

    def document(self) -> bytes:
        """All of it, for programs."""
        self._touched.update(self._tables.all)
        self.renew()
        return _encode(self._since(0))

    def _since(self, seen: int) -> News:
        return News(
            now=self._clock(),
            tiles=[msgspec.Raw(kept.json) for kept in self._kept.values() if kept.edition > seen],
            whole=seen == 0,
            order=self._order if self._order_edition > seen else (),
            room=self._shown_room if self._room_edition > seen else None,
        )


_NEW = Pace(0, "", None)
"""Of a table that the store does not have yet."""
_encode = msgspec.json.Encoder().encode
