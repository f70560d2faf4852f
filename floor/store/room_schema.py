"""The tables of the page: what people did there, what was frozen to compare with later, alarms of the room.

They do not follow from events, and `rebuild` leaves them as they are. docs/floor/store.md lists them.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Index, Table, Text

from floor.store.moments import Moment
from floor.store.schema import METADATA

__all__ = [
    "DROPS_BEGUN",
    "MARKED_JOURNALS",
    "MARKS",
    "METADATA",
    "OF_THE_PAGE",
    "PAGE_ACTS",
    "ROLLOUTS",
    "ROLLOUT_TABLES",
    "ROOM_ALARMS",
]

PAGE_ACTS = Table(
    "page_acts",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("site", Text, nullable=False),
    Column("at", Moment, nullable=False),
    Column("by", Text, nullable=False),
    Column("client", Text, nullable=False),
    Column("act", Text, nullable=False),
    Column("table_name", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("ok", Boolean, nullable=False),
    Column("why", Text, nullable=False),
    Column("text", Text, nullable=False),
    Index("page_acts_by_time", "site", "at"),
)
"""What people did at the page: signed in and out, commands to tables with their answers, drops, marks. `by`: role and
name, as in `floor:ann`; empty where nobody had proved who he was. `client`: the address of the browser."""

MARKS = Table(
    "marks",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("site", Text, nullable=False),
    Column("at", Moment, nullable=False),
    Column("by", Text, nullable=False),
    Column("name", Text, nullable=False),
)
"""A moment to compare with later."""

MARKED_JOURNALS = Table(
    "marked_journals",
    METADATA,
    Column("mark", Text, primary_key=True),
    Column("journal", Text, primary_key=True),
    Column("site", Text, nullable=False),
    Column("table_name", Text, nullable=False),
    Column("seq", BigInteger, nullable=False),
)
"""Where each journal ended when a mark was set. What came after it has higher numbers."""

ROOM_ALARMS = Table(
    "room_alarms",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("site", Text, nullable=False),
    Column("alarm", Text, nullable=False),
    Column("table_name", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("raised_at", Moment, nullable=False),
    Column("acknowledged_by", Text, nullable=False),
    Column("acknowledged_at", Moment),
    Column("cleared_at", Moment),
)
"""What was wrong in the room: more tables open than licensed, a box that was taken out outside the drop times."""

DROPS_BEGUN = Table(
    "drops_begun",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("site", Text, nullable=False),
    Column("began_at", Moment, nullable=False),
    Column("by", Text, nullable=False),
    Column("second", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("ended_at", Moment),
    Column("ended_by", Text, nullable=False),
)
"""The drops, each begun by two people. `reason`: why outside the drop times."""

ROLLOUTS = Table(
    "rollouts",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("site", Text, nullable=False),
    Column("at", Moment, nullable=False),
    Column("by", Text, nullable=False),
    Column("what", Text, nullable=False),
    Column("plan", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("reason", Text, nullable=False),
)
"""Signed updates by a plan. `state`: planned, running, stopped, done; `reason`: why it was stopped."""

ROLLOUT_TABLES = Table(
    "rollout_tables",
    METADATA,
    Column("rollout", Text, primary_key=True),
    Column("table_name", Text, primary_key=True),
    Column("site", Text, nullable=False),
    Column("position", BigInteger, nullable=False),
    Column("state", Text, nullable=False),
    Column("changes", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("at", Moment),
)
"""One table of a plan. `state`: waiting, unknown (it was sent, and no answer came), done, refused; `changes`: what the
table stated that it would change, `text`: its answer."""

OF_THE_PAGE = (PAGE_ACTS, MARKS, MARKED_JOURNALS, ROOM_ALARMS, DROPS_BEGUN, ROLLOUTS, ROLLOUT_TABLES)
