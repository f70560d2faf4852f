"""No message keeps the others from being stored, fills the disk or ends the collector."""

from __future__ import annotations

import random

import msgspec
import pytest
from sqlalchemy import Engine

from floor.collector.collector import take_or_set_apart
from floor.run import print_overview
from floor.store.database import is_away
from floor.store.intake import MOST_JOURNALS, Taken
from floor.store.rebuild import compare
from floor.store.schema import DOCUMENTS, JOURNALS
from tests.support.floor_store import SITE, an_intake, count, problems, reasons, received
from tests.support.hostile.floor_messages import hostile_message
from tests.support.recorded_days import FreshTable, Published, days
from tests.support.turns import turn

LONG = "".join(random.Random(1).choices("abcdefghijklmnopqrstuvwxyz0123456789", k=9000))
"""Too long for an index of PostgreSQL, and it cannot be compressed."""
JOURNAL = "0" * 32


@pytest.fixture
def table() -> FreshTable:
    return FreshTable(SITE, "t-1", days()[0], seed=1)


def stored(engine: Engine, *messages: Published) -> Taken:
    return take_or_set_apart(an_intake(engine), received(messages))


def document(topic: str, **fields: object) -> Published:
    said = {"document": topic.split("/", maxsplit=1)[0], "journal": JOURNAL, **fields}
    return Published(f"cutcard/v2/{SITE}/t-1/{topic}", msgspec.json.encode(said))


def test_mutated_messages_among_good_ones_lose_none_of_them(engine: Engine) -> None:
    rng = random.Random(turn())
    tables = [FreshTable(SITE, f"t-{number}", name, seed=1) for number, name in enumerate(days())]
    others = [FreshTable(SITE, f"h-{number}", name, seed=2) for number, name in enumerate(days())]
    intake = an_intake(engine)
    left = [(table, list(table.events[:60])) for table in tables]
    while any(events for _, events in left):
        batch = [hostile_message(rng, rng.choice(others)) for _ in range(rng.randrange(20))]
        for _, events in left:
            batch += events[:15]
            del events[:15]
        take_or_set_apart(intake, received(batch))
    for table in tables:
        del table.events[60:], table.links[61:]
    assert problems(engine, tables) == []
    assert compare(engine) == {}


def test_a_number_too_large_for_the_database_in_an_event_of_another_table(engine: Engine, table: FreshTable) -> None:
    fields = msgspec.json.decode(table.events[0].payload)
    huge = Published(table.events[0].topic, msgspec.json.encode({**fields, "table": "t-9", "seq": 10**30}))
    assert stored(engine, huge).apart == 1
    assert reasons(engine) == {"malformed": 1}


@pytest.mark.parametrize(
    "message",
    [
        document("state", journal=LONG),
        document(f"alarm/{LONG}"),
        document(f"device/{LONG}"),
        Published(f"cutcard/v2/{SITE}/{LONG}/state", b'{"document":"state","journal":"%b"}' % JOURNAL.encode()),
        Published(f"cutcard/v2/{LONG}/t-1/online", b"{}"),
    ],
)
def test_a_name_too_long_for_an_index_stops_nobody(engine: Engine, table: FreshTable, message: Published) -> None:
    taken = stored(engine, *table.events[:5], message, *table.events[5:10])
    assert (taken.booked, taken.apart) == (10, 1)


def test_what_no_form_forbids_and_no_index_takes_is_not_tried_for_ever(engine: Engine, table: FreshTable) -> None:
    """A wager by a name that an index of PostgreSQL has no room for: the event follows, and is signed by its chain."""
    day = FreshTable(SITE, "t-1", "baccarat", seed=1)
    end = next(n for n, event in enumerate(day.events) if b'"kind":"round_settled"' in event.payload)
    odd = FreshTable(SITE, "t-2", "baccarat", seed=2)
    del odd.events[end:], odd.links[end + 1 :], odd._hashes[end + 1 :]
    began = msgspec.json.decode(odd.events[-1].payload)
    wager = msgspec.json.encode({"kind": "wager_set", "place": 1, "wager": LONG, "cents": 500, "before": 0})
    odd.add("wager_set", wager, began["round"], began["at"])
    body = bytes(msgspec.json.encode(msgspec.json.decode(day.events[end].payload)["body"]))
    odd.add("round_settled", body, began["round"], began["at"])
    stored(engine, *odd.events)
    assert stored(engine, *day.events).booked == len(day.events)
    assert problems(engine, [day]) == []


def test_a_room_with_more_documents_than_a_statement_has_conditions(engine: Engine) -> None:
    taken = stored(engine, *(document(f"alarm/a-{number}") for number in range(1500)))
    assert taken.apart == 0
    assert count(engine, DOCUMENTS) == 1500


def test_journals_without_end_fill_no_disk(engine: Engine, table: FreshTable) -> None:
    flood = [document("state", journal=f"{number:032x}") for number in range(1000)]
    taken = stored(engine, *flood)
    assert taken.apart == 1000 - MOST_JOURNALS
    assert count(engine, JOURNALS) == MOST_JOURNALS
    assert reasons(engine) == {"too_many_journals": 1000 - MOST_JOURNALS}
    other = FreshTable(SITE, "t-2", days()[0], seed=1)
    assert stored(engine, *other.events).booked == len(other.events)


def test_a_store_that_is_full_or_locked_is_away_and_a_message_it_refuses_is_not(engine: Engine) -> None:
    with engine.connect() as connection:
        statements = ["SELECT * FROM nothing", "INSERT INTO sites VALUES (1)"]
        for statement in statements:
            with pytest.raises(Exception) as refused:
                connection.exec_driver_sql(statement)
            assert not is_away(refused.value)
            connection.rollback()
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("PRAGMA max_page_count = 1")
            fill = f"INSERT INTO sites VALUES ('x', hex(zeroblob(100000)), '{LONG}')"
        else:
            connection.exec_driver_sql("SET statement_timeout = 1")
            fill = "SELECT pg_sleep(10)"
        with pytest.raises(Exception) as away:
            connection.exec_driver_sql(fill)
        assert is_away(away.value)
        connection.rollback()


def test_what_is_kept_apart_does_not_control_the_terminal(
    engine: Engine, table: FreshTable, capsys: pytest.CaptureFixture[str]
) -> None:
    fields = msgspec.json.decode(table.events[0].payload)
    stored(engine, Published(table.events[0].topic, msgspec.json.encode({**fields, "table": "\x1b[2Jgone"})))
    print_overview(engine)
    shown = capsys.readouterr().out
    assert "gone" in shown
    assert "\x1b" not in shown
