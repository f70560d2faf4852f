"""The tables of the store. docs/floor/store.md describes them for those who read them with SQL of their own.

Every column that means the same has the same name everywhere: `site`, `table_name`, `journal`, `seq`, `round`. `at`
is when it happened by the books' clock, `day` the gaming day of that moment. Money is whole cents.

What a table publishes is in `events`, once and in order. All rows of the tables below "worked out of the events" follow
from it alone: `cutcard floor rebuild` makes them again.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, Boolean, Column, Connection, Index, LargeBinary, MetaData, Table, Text, event, text

from floor.store.moments import Day, Moment

METADATA = MetaData()


def _id(name: str, *, key: bool = False) -> Column[str]:
    return Column(name, Text, primary_key=key, nullable=False)


def _number(name: str, *, key: bool = False, null: bool = False) -> Column[int]:
    # On SQLite a lone integer key would become a row id; none of ours is alone.
    return Column(name, BigInteger, primary_key=key, nullable=null and not key, autoincrement=False)


def _text(name: str, *, null: bool = False) -> Column[str]:
    return Column(name, Text, nullable=null)


def _at(name: str = "at", *, key: bool = False, null: bool = False) -> Column[int]:
    return Column(name, Moment, primary_key=key, nullable=null)


def _flag(name: str) -> Column[bool]:
    return Column(name, Boolean, nullable=False)


def _day() -> Column[str]:
    return Column("day", Day, nullable=False)


def _place() -> tuple[Column[str], Column[str]]:
    return _id("site"), _id("table_name")


def _of_a_site() -> tuple[Column[str], Column[str]]:
    """The same in a table that a company partitions by site: there every key has the site."""
    return _id("site", key=True), _id("table_name")


def _one_event() -> tuple[Column[Any], ...]:
    """The first columns of a row that follows from one event: which, where and when."""
    return _id("journal", key=True), _number("seq", key=True), *_of_a_site(), _at(), _day()


# What the tables publish

SITES = Table(
    "sites",
    METADATA,
    _id("site", key=True),
    _text("timezone"),
    _text("day_begins"),
)

TABLES = Table(
    "tables",
    METADATA,
    _id("site", key=True),
    _id("table_name", key=True),
    Column("board_key", Text),
    Column("journal", Text),
    _at("first_seen"),
    _at("last_seen"),
    _at("silent_since", null=True),
)
"""`board_key`: the key of the first checkpoint; `journal`: the newest; `silent_since`: it says it is online, and does
not answer."""

JOURNALS = Table(
    "journals",
    METADATA,
    _id("journal", key=True),
    *_place(),
    _number("seq"),
    Column("link", Text),
    Column("hash", Text),
    _number("known_seq"),
    _number("waiting"),
    _at("first_seen"),
    _at("booked_at"),
    _at("hole_since", null=True),
    _at("asked_at", null=True),
    Column("asked_by", Text),
    _text("state"),
    _text("reason"),
    Column("context", LargeBinary, nullable=False),
)
"""`seq`: every event up to here is in `events`. `known_seq`: the table has at least this one. `state`: whole,
disputed or rolled_back."""

EVENTS = Table(
    "events",
    METADATA,
    _id("journal", key=True),
    _number("seq", key=True),
    _at("booked_at", key=True),
    *_of_a_site(),
    _number("round"),
    _at(),
    _at("received_at"),
    _text("kind"),
    _flag("test"),
    Column("by", Text),
    _text("body"),
    _text("hash"),
    _text("link"),
    Index("events_by_kind", "kind", "booked_at"),
    postgresql_partition_by="RANGE (booked_at)",
    sqlite_with_rowid=False,
)

WAITING = Table(
    "waiting",
    METADATA,
    _id("journal", key=True),
    _number("seq", key=True),
    _id("link", key=True),
    _at("received_at"),
    Column("topic", Text, nullable=False),
    Column("payload", LargeBinary, nullable=False),
)
"""Events that came after a hole, until the hole is filled."""

GAPS = Table(
    "gaps",
    METADATA,
    _id("journal", key=True),
    _number("first_seq", key=True),
    _number("last_seq"),
    _at(),
    _text("reason"),
    *_place(),
)
"""Events that the table no longer had when they were requested."""

DOCUMENTS = Table(
    "documents",
    METADATA,
    _id("site", key=True),
    _id("table_name", key=True),
    _id("document", key=True),
    _id("name", key=True),
    _id("broker", key=True),
    Column("journal", Text),
    _number("seq"),
    _at("received_at"),
    Column("payload", Text, nullable=False),
)
"""The retained documents as they are now. `name`: of the device or the alarm."""

CHECKPOINTS = Table(
    "checkpoints",
    METADATA,
    _id("journal", key=True),
    _number("seq", key=True),
    _id("hash", key=True),
    *_place(),
    _number("entry"),
    _text("link"),
    _at(),
    _at("received_at"),
    _text("board_key"),
    _text("verdict"),
    Column("payload", Text, nullable=False),
)
"""`verdict`: matches, ahead (the events have not come yet), contradicts."""

QUARANTINE = Table(
    "quarantine",
    METADATA,
    _id("digest", key=True),
    _at("first_at"),
    _at("last_at"),
    _number("times"),
    _text("reason"),
    _text("text"),
    _text("broker"),
    _text("topic"),
    Column("site", Text),
    Column("table_name", Text),
    Column("journal", Text),
    Column("seq", BigInteger),
    Column("payload", LargeBinary, nullable=False),
)
"""What was received and is in no figure, with the reason. The same again is counted in `times`."""

# Worked out of the events

ROUNDS = Table(
    "rounds",
    METADATA,
    _id("journal", key=True),
    _number("round", key=True),
    *_of_a_site(),
    _number("seq"),
    _day(),
    _at("started_at"),
    _at("closed_at", null=True),
    _at(),
    _flag("test"),
    _flag("void"),
    _text("ruleset"),
    _text("digest"),
    _text("dealer"),
    Column("player_dealer", Text),
    _text("banker"),
    _text("firm"),
    _text("outcome"),
    _number("wagers"),
    _number("wagered_cents"),
    _number("bank_net_cents"),
    _text("void_reason"),
    _number("corrections"),
    _text("corrected_by"),
    _text("corrected_reason"),
    _text("result"),
    _number("bank_hand"),
    _number("cards"),
    _number("betting_ms", null=True),
    _number("dealing_ms"),
    _number("idle_ms", null=True),
    Index("rounds_by_day", "site", "day"),
)
"""Rounds that are over. `seq`: of the event that ended it; `result`: that event's body, corrected. `bank_hand`: which
hand of this player-dealer it was, 0 where the position does not rotate; `cards`: those that came to a hand and were
read; `betting_ms`: from its begin until betting closed, `dealing_ms` from then to its end, `idle_ms` since the end of
the round before."""

WAGERS = Table(
    "wagers",
    METADATA,
    _id("journal", key=True),
    _number("round", key=True),
    _id("place", key=True),
    _id("wager", key=True),
    *_of_a_site(),
    _day(),
    _number("cents"),
    Column("net_cents", BigInteger),
    _number("uncovered_cents"),
    _flag("void"),
    _flag("test"),
)

FEE_LEDGER = Table(
    "fee_ledger",
    METADATA,
    *_one_event(),
    _number("round"),
    _flag("test"),
    _text("box"),
    _text("dealer"),
    _number("cents"),
    _number("before_cents"),
    _number("after_cents"),
    _text("cause"),
    _text("payer"),
    Column("place", Text),
    _text("fee"),
    Column("fee_row", BigInteger),
    _text("moment"),
    _text("name"),
    _flag("by_the_clock"),
    _text("ruleset"),
    Index("fee_ledger_by_day", "site", "day"),
)

DROPS = Table(
    "drops",
    METADATA,
    *_one_event(),
    Column("round", BigInteger),
    _flag("test"),
    _text("kind"),
    _text("box"),
    _text("box_id"),
    _text("dealer"),
    _number("due_cents"),
    _number("pieces"),
    _number("low_cents"),
    Column("high_cents", BigInteger),
    _text("proof"),
    _text("text"),
    _text("by"),
    _flag("by_the_clock"),
    _text("ruleset"),
    Index("drops_by_day", "site", "day"),
)
"""`kind`: matched, explained, or what differs: short, over, wrong_amount, …"""

PIECES = Table(
    "pieces",
    METADATA,
    *_one_event(),
    _number("round"),
    _flag("test"),
    _text("box"),
    _text("dealer"),
    _text("ruleset"),
    _number("pieces"),
    _number("low_cents"),
    Column("high_cents", BigInteger),
    Index("pieces_by_day", "site", "day"),
)
"""What the sensors saw fall into the boxes. `high_cents` is null where nobody has stated the chips' worth."""

BOXES = Table(
    "boxes",
    METADATA,
    *_one_event(),
    _flag("test"),
    _text("box"),
    _text("box_id"),
    _text("seal"),
    _at("since", null=True),
    _number("due_cents"),
    _number("running_cents"),
    _number("pieces"),
    _number("low_cents"),
    Column("high_cents", BigInteger),
    _number("short_cents"),
    _number("astray"),
    _text("doubts"),
)
"""Boxes that were taken out."""

COUNTS = Table(
    "counts",
    METADATA,
    *_one_event(),
    _flag("test"),
    _text("box"),
    _text("box_id"),
    Column("box_seq", BigInteger),
    _text("seal"),
    _number("cents"),
    _number("due_cents"),
    _number("difference_cents"),
    _text("verdict"),
    _text("by"),
)
"""What the count room found. `box_seq`: the `seq` of the box in `boxes`."""

ALARMS = Table(
    "alarms",
    METADATA,
    *_one_event(),
    _flag("test"),
    _text("alarm"),
    _text("text"),
    _text("acknowledged_by"),
    _at("acknowledged_at", null=True),
    _at("cleared_at", null=True),
    _text("settled_by"),
    _text("reason"),
    Index("alarms_by_day", "site", "day"),
)

STAFF_ACTS = Table(
    "staff_acts",
    METADATA,
    *_one_event(),
    _number("round"),
    _flag("test"),
    _text("by"),
    _text("act"),
    _text("subject"),
    _flag("ok"),
    _text("reason"),
    Index("staff_acts_by_day", "site", "day"),
)

DEVICES = Table(
    "devices",
    METADATA,
    *_one_event(),
    _text("device"),
    _text("state"),
    _text("model"),
    _text("serial"),
    _text("firmware"),
    _text("facts"),
)
"""Each change of a device: the newest row of a device is how it is. An update of its firmware is a change."""

JACKPOTS = Table(
    "jackpots",
    METADATA,
    *_one_event(),
    Column("round", BigInteger),
    _flag("test"),
    _text("jackpot"),
    _text("kind"),
    _number("cents"),
    Column("before_cents", BigInteger),
    Column("after_cents", BigInteger),
    _text("reason"),
    _text("by"),
)
"""What changed a meter, or is to be decided."""

POSITIONS = Table(
    "positions",
    METADATA,
    *_one_event(),
    _number("round"),
    _flag("test"),
    _text("kind"),
    _text("place"),
    _text("name"),
    _text("firm"),
    _number("hands"),
)
"""The player-dealer's position: taken, set without an offer, kept because everybody declined, or the game was broken
after `hands`."""

PACKS = Table(
    "packs",
    METADATA,
    *_one_event(),
    _flag("test"),
    _text("by"),
    _text("device"),
    _text("serial"),
    _text("back"),
    _number("cards", null=True),
)
"""Packs that were made ready: by a shuffler, `device` and its serial number, or by hand."""

DERIVED = (
    ROUNDS,
    WAGERS,
    FEE_LEDGER,
    DROPS,
    PIECES,
    BOXES,
    COUNTS,
    ALARMS,
    STAFF_ACTS,
    DEVICES,
    JACKPOTS,
    POSITIONS,
    PACKS,
)
"""What `rebuild` makes again from the events."""

# Stated by people

COUNT_SHEETS = Table(
    "count_sheets",
    METADATA,
    _id("sheet", key=True),
    _number("line", key=True),
    _id("site", key=True),
    _id("table_name"),
    _day(),
    _text("box_id"),
    _text("seal"),
    _number("cents"),
    _at("counted_at"),
    _text("counted_by"),
    _text("note"),
    _at("entered_at"),
    _text("entered_by"),
    Index("count_sheets_by_box", "site", "table_name", "box_id"),
)
"""What the count room wrote down. Nothing here is changed: of two lines about one box the one that was entered later
counts, and both are shown. `sheet`: the digest of the file, or of what was keyed."""

_EVENTS_OF_A_MONTH = """
CREATE FUNCTION floor_events_month(month_begins text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  partition text := 'events_' || to_char(month_begins::date, 'YYYY_MM');
BEGIN
  IF to_regclass(partition) IS NULL THEN
    PERFORM pg_advisory_xact_lock(7266502);
    EXECUTE format(
      'CREATE TABLE IF NOT EXISTS %I PARTITION OF events FOR VALUES FROM (%L) TO (%L)',
      partition,
      to_char(month_begins::date, 'YYYY-MM-01 00:00:00+00'),
      to_char(month_begins::date + interval '1 month', 'YYYY-MM-01 00:00:00+00')
    );
  END IF;
END $$
"""
"""Makes the partition of a month where there is none. It runs with its owner's rights: who writes events makes no
tables otherwise."""


@event.listens_for(METADATA, "after_create")
def _create_function(_metadata: MetaData, connection: Connection, **_options: Any) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text(_EVENTS_OF_A_MONTH))
