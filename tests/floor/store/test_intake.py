"""What comes in is in the store once and in order, whichever way it came."""

from __future__ import annotations

import random

import msgspec
import pytest
from sqlalchemy import Engine

from controller.board_key import BoardKey
from controller.contract import Actor
from floor.store.intake import Intake
from floor.store.rebuild import compare
from floor.store.schema import EVENTS, WAITING
from tests.support.floor_store import SITE, an_intake, count, mixed, problems, reasons, received, rows, take
from tests.support.recorded_days import FreshTable, Published, days


@pytest.fixture
def tables() -> list[FreshTable]:
    return [FreshTable(SITE, f"t-{number}", name, seed=1) for number, name in enumerate(days())]


def test_every_event_is_there_once_and_in_order(engine: Engine, tables: list[FreshTable]) -> None:
    taken = take(an_intake(engine), mixed(tables))
    assert sum(each.booked for each in taken) == sum(len(table.events) for table in tables)
    assert problems(engine, tables) == []
    assert reasons(engine) == {}


@pytest.mark.parametrize("seed", range(3))
def test_any_order_any_repeats_and_any_batches_give_the_same_rows(
    engine: Engine, tables: list[FreshTable], seed: int
) -> None:
    rng = random.Random(seed)
    messages = mixed(tables)
    messages += rng.sample(messages, len(messages) // 2)
    messages.sort(key=lambda _: rng.random())
    one, other = an_intake(engine), an_intake(engine)
    while messages:
        size = rng.randint(1, 700)
        take(rng.choice([one, other]), messages[:size], broker=rng.choice("ab"))
        del messages[:size]
    assert problems(engine, tables) == []
    assert reasons(engine) == {}
    assert count(engine, WAITING) == 0
    assert compare(engine) == {}


def test_what_is_worked_out_is_a_function_of_the_events(engine: Engine, tables: list[FreshTable]) -> None:
    take(an_intake(engine), mixed(tables), at_once=137)
    assert compare(engine) == {}
    assert rows(engine, "SELECT count(*) FROM rounds")[0][0] > 150
    due = rows(engine, "SELECT journal, box, sum(cents) FROM fee_ledger GROUP BY journal, box ORDER BY 1, 2")
    after = rows(
        engine,
        "SELECT journal, box, after_cents FROM fee_ledger f WHERE seq = (SELECT max(seq) FROM fee_ledger g "
        "WHERE g.journal = f.journal AND g.box = f.box) ORDER BY 1, 2",
    )
    assert due == after


def test_a_hole_keeps_what_comes_after_it_waiting(engine: Engine, tables: list[FreshTable]) -> None:
    table, intake = tables[0], an_intake(engine)
    take(intake, [*table.events[:10], *table.events[11:20]])
    assert rows(engine, "SELECT seq, known_seq, waiting FROM journals") == [(10, 10, 9)]
    take(intake, [table.events[10]])
    assert rows(engine, "SELECT seq, known_seq, waiting FROM journals") == [(20, 20, 0)]
    assert count(engine, EVENTS) == 20


def test_a_state_shows_a_hole_at_the_end(engine: Engine, tables: list[FreshTable]) -> None:
    table = tables[0]
    take(an_intake(engine), [*table.events[:10], table.state(12)])
    ((seq, known, hole_since),) = rows(engine, "SELECT seq, known_seq, hole_since FROM journals")
    assert (seq, known) == (10, 12)
    assert hole_since is not None


def forged(table: FreshTable, changes: dict[str, object]) -> Published:
    """The table's 11th event, altered."""
    fields = msgspec.json.decode(table.events[10].payload)
    return Published(table.events[10].topic, msgspec.json.encode({**fields, **changes}))


@pytest.mark.parametrize(
    ("reason", "changes"),
    [
        ("does_not_follow", {"at": 1}),
        ("does_not_follow", {"hash": "0" * 64}),
        ("other_table", {"table": "t-9"}),
        ("other_kind", {"kind": "fee_changed"}),
        ("malformed", {"seq": -1}),
        ("malformed", {"seq": 10**30}),
        ("malformed", {"journal": "nobody"}),
    ],
)
def test_a_forged_event_is_kept_apart_and_changes_no_figure(
    engine: Engine, tables: list[FreshTable], reason: str, changes: dict[str, object]
) -> None:
    table, intake = tables[0], an_intake(engine)
    take(intake, table.events[:10])
    take(intake, [forged(table, changes)])
    assert reasons(engine) == {reason: 1}
    take(intake, table.events[10:])
    assert problems(engine, [table]) == []
    assert compare(engine) == {}


@pytest.mark.parametrize("payload", [b"", b"\xff\xfe", b"[]", b"{}", b"null", b"[" * 5000])
def test_a_corrupt_payload_is_kept_apart(engine: Engine, tables: list[FreshTable], payload: bytes) -> None:
    table, intake = tables[0], an_intake(engine)
    take(intake, [*table.events[:5], Published(table.events[5].topic, payload), *table.events[5:10]])
    assert reasons(engine) == {"malformed": 1}
    assert count(engine, EVENTS) == 10


def test_the_same_bad_message_again_is_counted_and_takes_no_room(engine: Engine, tables: list[FreshTable]) -> None:
    intake = an_intake(engine)
    for _ in range(3):
        take(intake, [Published(tables[0].events[0].topic, b"x")] * 5)
    assert rows(engine, "SELECT reason, times FROM quarantine") == [("malformed", 15)]


def test_a_number_that_comes_with_another_content_is_kept_apart(engine: Engine, tables: list[FreshTable]) -> None:
    """The table's journal was put back, and goes on otherwise."""
    table, intake = tables[0], an_intake(engine)
    take(intake, [*table.events[:20], table.head(20)])
    back = FreshTable(SITE, table.table, days()[0], seed=1)
    del back.events[15:], back.links[16:], back._hashes[16:]
    other = back.add("table_opened", b'{"kind":"table_opened","by":"floor:eve"}', 3, 1)
    take(intake, [other])
    assert reasons(engine) == {"other_link": 1}
    assert rows(engine, "SELECT state FROM journals") == [("whole",)]  # the board has signed ours
    for _ in range(6):
        back.add("table_opened", b'{"kind":"table_opened","by":"floor:eve"}', 3, 1)
    take(intake, [back.head(18)])
    assert rows(engine, "SELECT state FROM journals") == [("rolled_back",)]
    assert reasons(engine)["rolled_back"] == 1
    assert count(engine, EVENTS) == 20


def test_a_dispute_is_decided_by_the_boards_next_checkpoint(engine: Engine, tables: list[FreshTable]) -> None:
    table, intake = tables[0], an_intake(engine)
    take(intake, [*table.events[:20], table.head(10)])
    back = FreshTable(SITE, table.table, days()[0], seed=1)
    del back.events[15:], back.links[16:], back._hashes[16:]
    take(intake, [back.add("table_opened", b'{"kind":"table_opened","by":"floor:eve"}', 3, 1)])
    assert rows(engine, "SELECT state FROM journals") == [("disputed",)]
    take(intake, [table.head(18)])
    assert rows(engine, "SELECT state FROM journals") == [("whole",)]


def test_a_checkpoint_of_another_key_is_kept_apart(engine: Engine, tables: list[FreshTable]) -> None:
    table, intake = tables[0], an_intake(engine)
    take(intake, [*table.events[:20], table.head(10)])
    take(intake, [table.head(20, key=tables[1].key)])
    damaged = table.head(20)
    take(intake, [Published(damaged.topic, damaged.payload.replace(b'"entry":20', b'"entry":21'))])
    assert reasons(engine) == {"other_key": 1, "forged_checkpoint": 1}
    assert rows(engine, "SELECT seq, verdict FROM checkpoints") == [(10, "matches")]


def test_a_key_in_the_configuration_comes_before_the_first_that_is_seen(
    engine: Engine, tables: list[FreshTable]
) -> None:
    table: FreshTable = tables[0]
    known: BoardKey = tables[1].key
    intake: Intake = an_intake(engine, {(SITE, table.table): known.public})
    take(intake, [*table.events[:20], table.head(10)])
    assert reasons(engine) == {"other_key": 1}
    assert rows(engine, "SELECT state FROM journals") == [("unattested",)]


def test_a_clock_in_the_past_moves_no_figure_to_another_day(engine: Engine, tables: list[FreshTable]) -> None:
    table, intake = tables[0], an_intake(engine)
    take(intake, table.events)
    last = 1_763_260_000_000 + 7_200_000
    table.add("fee_changed", b'{"kind":"fee_changed","box":"collection","cents":100,"cause":"due"}', 1, last)
    table.add("fee_changed", b'{"kind":"fee_changed","box":"collection","cents":200,"cause":"due"}', 1, 86_400_000)
    table.add("fee_changed", b'{"kind":"fee_changed","box":"collection","cents":300,"cause":"due"}', 1, 4 * 10**12)
    intake.take(received(table.events[-3:], at=last + 1000))
    found = rows(engine, "SELECT cents, day FROM fee_ledger ORDER BY seq DESC LIMIT 3")
    assert [(cents, str(day)) for cents, day in found] == [
        (300, "2025-11-15"),
        (200, "2025-11-15"),
        (100, "2025-11-15"),
    ]
    assert reasons(engine) == {"clock": 2}
    assert problems(engine, [table]) == []


def test_a_body_that_is_not_of_its_kind_is_kept_and_makes_no_figure(engine: Engine, tables: list[FreshTable]) -> None:
    table, intake = tables[0], an_intake(engine)
    take(intake, table.events[:20])
    del table.events[20:], table.links[21:], table._hashes[21:]
    table.add("fee_changed", b'{"kind":"fee_changed","box":"collection","cents":"many","cause":"due"}', 1, 1)
    table.add("fee_changed", b'{"kind":"fee_changed","box":"collection","cents":1%b,"cause":"due"}' % (b"0" * 40), 1, 1)
    table.add("table_opened", b'{"kind":"table_opened","by":"a\\u0000b"}', 1, 1)
    table.add("a_kind_of_a_later_version", b'{"kind":"a_kind_of_a_later_version","x":[1]}', 1, 1)
    take(intake, table.events[20:])
    assert problems(engine, [table]) == []
    assert reasons(engine)["unreadable_body"] == 2
    assert compare(engine) == {}


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("round_voided", b'{"kind":"round_voided","reason":"misdeal","ruling":"void"}'),
        ("fees_waived", b'{"kind":"fees_waived","cents":100,"reason":"misdeal"}'),
        ("resumed", b'{"kind":"resumed","do":"resume","reason":"checked"}'),
    ],
)
def test_who_did_it_is_taken_from_the_envelope_where_the_body_has_nobody(
    engine: Engine, tables: list[FreshTable], kind: str, body: bytes
) -> None:
    table, intake = tables[0], an_intake(engine)
    del table.events[20:], table.links[21:], table._hashes[21:]
    table.add(kind, body, 1, 1_763_260_000_000, by=Actor("floor", "ann", "console", "pit"))
    table.add(kind, body, 1, 1_763_260_000_000)
    take(intake, table.events)
    assert reasons(engine) == {}
    assert rows(engine, f"SELECT \"by\" FROM staff_acts WHERE act = '{kind}' ORDER BY seq DESC LIMIT 2") == [
        ("",),
        ("floor:ann",),
    ]
    assert compare(engine) == {}


def test_events_that_the_table_no_longer_has_are_a_gap(engine: Engine, tables: list[FreshTable]) -> None:
    table, intake = tables[0], an_intake(engine)
    take(intake, table.events[10:20])
    intake.lose(table.journal, 1, 10, "the table no longer had them", 1)
    assert rows(engine, "SELECT first_seq, last_seq FROM gaps") == [(1, 10)]
    assert rows(engine, "SELECT seq, waiting FROM journals") == [(20, 0)]
    take(intake, table.events[20:30])
    assert reasons(engine) == {}
    assert count(engine, EVENTS) == 20


def test_what_was_invented_beyond_the_end_is_kept_apart(engine: Engine, tables: list[FreshTable]) -> None:
    table, intake = tables[0], an_intake(engine)
    invented = FreshTable(SITE, table.table, days()[0], seed=1).events[40]
    take(intake, [*table.events[:10], invented])
    intake.ends(table.journal, 10, 2 * 10**12)
    assert reasons(engine) == {"beyond_the_end": 1}
    assert rows(engine, "SELECT seq, known_seq, waiting, hole_since FROM journals") == [(10, 10, 0, None)]
