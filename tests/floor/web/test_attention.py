"""Which table needs somebody, and how much: the order of the tiles, as docs/floor/page.md lists it."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from controller.contract.messages import ReadingsInForce
from floor.config import FloorConfig
from floor.live.live_tables import LiveTables
from floor.messages import ReceivedDocument, read
from floor.queries.pace import Pace
from floor.web.attention import LEVELS, Level, Patience, natural, place
from floor.web.board import Board
from floor.web.tiles import Tile, tile_of
from tests.support.floor_rooms import a_table, as_published, online, troubled
from tests.support.project import ROOT
from tests.support.recorded_days import Published

NOW = 1_763_300_000_000
SITE = "riverside"
PATIENCE = Patience(180_000, 3_600_000)
WELL = Pace(40, "whole", None)


def feed(tables: LiveTables, *messages: Published, broker: str = "a", at: int = NOW) -> None:
    for message in messages:
        received = read(broker, message.topic, message.payload, at)
        assert isinstance(received, ReceivedDocument)
        tables.take(received)


def tile(kind: int | None = None, *, pace: Pace = WELL, is_online: bool = True, name: str = "t-1") -> Tile:
    """The tile of a table in one of the situations of `troubled`."""
    state = a_table(name, SITE, 1, NOW)
    if kind is not None:
        state = troubled(state, kind, NOW)
    tables = LiveTables()
    feed(tables, online(state, is_online=is_online), as_published(state))
    return tile_of(tables.all[name], "", pace, PATIENCE, NOW)


@pytest.mark.parametrize(
    ("kind", "level", "why"),
    [
        (0, "stopped", "Held: a card could not be read"),
        (1, "stopped", "The journal cannot be written"),
        (2, "urgent", "The collection box is $5 short"),
        (3, "urgent", "$5.00 of fees did not fall, unexplained"),
        (4, "waiting", "Waits: Seat 3: hit or stand"),
        (5, "notice", "shoe is offline"),
        (6, "notice", "Away: shoe"),
        (7, "notice", "The dealer is due for relief"),
        (8, "closed", ""),
        (None, "playing", ""),
    ],
)
def test_each_situation_has_its_level_and_its_sentence(kind: int | None, level: Level, why: str) -> None:
    found = tile(kind).attention
    assert (found.level, found.why) == (level, why)


@pytest.mark.parametrize(
    ("pace", "is_online", "why"),
    [
        (WELL, False, "Open, and not connected"),
        (Pace(0, "whole", NOW - 1), True, "Connected, and does not answer"),
        (Pace(0, "rolled_back", None), True, "Call the compliance officer: its journal was rolled back"),
        (Pace(0, "disputed", None), True, "Call the compliance officer: two events have the same number"),
    ],
)
def test_a_table_that_cannot_be_trusted_comes_first(pace: Pace, is_online: bool, why: str) -> None:
    found = tile(pace=pace, is_online=is_online).attention
    assert (found.level, found.why) == ("stopped", why)


def test_a_closed_table_that_is_away_needs_nobody() -> None:
    assert tile(8, is_online=False).attention.level == "closed"


def test_an_acknowledged_alarm_needs_nobody_at_once_and_is_not_forgotten() -> None:
    state = troubled(a_table("t-1", SITE, 1, NOW), 1, NOW)
    ((name, alarm),) = state.alarms.items()
    seen = replace(state, alarms={name: replace(alarm, acknowledged_by="floor:ann", acknowledged_at=NOW)})
    tables = LiveTables()
    feed(tables, online(seen), as_published(seen))
    found = tile_of(tables.all["t-1"], "", WELL, PATIENCE, NOW)
    assert (found.attention.level, found.stop, found.unseen) == ("notice", 1, 0)


def test_tiles_are_sorted_by_level_then_by_since_when_then_by_name() -> None:
    tiles = [tile(kind, name=f"t-{number}") for number, kind in enumerate((8, None, 7, 4, 2, 1, 0, None), start=1)]
    longer = replace(tiles[5], table="t-9", attention=replace(tiles[5].attention, since=NOW - 3_600_000))
    names = [each.table for each in sorted([*tiles, longer], key=lambda each: place(each.attention, each.table))]
    assert names == ["t-9", "t-7", "t-6", "t-5", "t-4", "t-3", "t-2", "t-8", "t-1"]


def test_calm_tables_do_not_move_about() -> None:
    """Whatever phase they are in: else a wall of tiles would never be still."""
    first, second = tile(name="t-2"), tile(name="t-10")
    later = replace(first, attention=replace(first.attention, since=NOW))
    assert place(later.attention, "t-2") < place(second.attention, "t-10")
    assert natural("table-9") < natural("table-10") < natural("table-10b")


def test_the_page_in_the_docs_has_the_levels_in_their_order() -> None:
    text = (ROOT / "docs" / "floor" / "page.md").read_text()
    found = [line.split("|")[1].strip(" `") for line in text.splitlines() if line.startswith("| `")]
    assert tuple(name for name in found if name in LEVELS) == LEVELS


def test_a_tile_has_what_the_table_published() -> None:
    shown = tile()
    assert (shown.title, shown.min_cents, shown.max_cents) == ("Ultimate Texas Hold'em", 1000, 50_000)
    assert (shown.dealer, shown.dealer_since, shown.bank, shown.seats) == ("lena", NOW - 60_000, "2", 2)
    assert (shown.due, shown.low, shown.high, shown.short, shown.devices, shown.rounds_hour) == (
        (24_000, 24_000, 24_000, 0, 2, 40)
    )
    assert tile(6).away == ("shoe",)
    assert shown.readings == "test mode: none asked for"


def test_a_tile_names_the_readings_that_the_house_has_not_confirmed() -> None:
    state = replace(a_table("t-1", SITE, 1, NOW), readings=ReadingsInForce(12, ("decks", "odd_cents")))
    tables = LiveTables()
    feed(tables, online(state), as_published(state))
    shown = tile_of(tables.all["t-1"], "", WELL, PATIENCE, NOW)
    assert shown.readings == "2 of 12 not confirmed: decks, odd_cents"


def test_of_two_brokers_the_newest_state_counts_and_one_connection_is_enough() -> None:
    tables = LiveTables()
    old, new = a_table("t-1", SITE, 1, NOW, seq=5), a_table("t-1", SITE, 1, NOW, seq=6)

    feed(tables, online(new), as_published(new))
    feed(tables, online(old, is_online=False), as_published(old), broker="b")
    table = tables.all["t-1"]
    assert table.state is not None
    assert (table.state.seq, table.is_online) == (6, True)
    tables.forget_broker("a")
    assert not table.is_online, "the broker that knew of the connection is gone"
    feed(tables, replace(as_published(new), payload=b'{"document":"state","journal":"%b"}' % (b"0" * 32)))
    assert (tables.malformed, tables.all["t-1"].state) == (1, table.state)


def test_a_state_from_a_clock_that_was_ahead_does_not_hide_the_next_journal() -> None:
    tables = LiveTables()
    ahead = replace(a_table("t-1", SITE, 1, NOW), journal="a" * 32, at=NOW + 20 * 365 * 86_400_000)
    feed(tables, as_published(ahead))
    feed(tables, as_published(replace(ahead, journal="b" * 32, at=NOW + 1000)), at=NOW + 1000)
    state = tables.all["t-1"].state
    assert state is not None
    assert state.journal == "b" * 32


@pytest.mark.parametrize("number", [10**400, -(10**30), 2**64])
def test_a_number_that_nothing_can_calculate_with_freezes_no_wall(number: int) -> None:
    tables = LiveTables()
    feed(tables, as_published(a_table("t-1", SITE, 1, NOW)))
    board = Board(tables, FloorConfig(site=SITE, store="unused"), lambda: NOW)
    other = as_published(a_table("t-2", SITE, 1, NOW))
    fields = json.loads(other.payload)
    for change in ({"at": number}, {"boxes": [{**fields["boxes"][0], "short": number}]}):
        feed(tables, replace(other, payload=json.dumps(fields | change).encode()))
    assert [tile.table for tile in board.tiles()] == ["t-1"]


def test_a_retired_table_leaves_the_page() -> None:
    tables = LiveTables()
    state = a_table("t-1", SITE, 1, NOW)
    changed: list[str] = []
    tables.on_change = changed.append
    feed(tables, as_published(state), replace(as_published(state), payload=b""))
    assert (list(tables.all), changed) == ([], ["t-1", "t-1"])
