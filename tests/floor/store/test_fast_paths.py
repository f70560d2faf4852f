"""The ways that are quick, beside the slow ways that they equal."""

from __future__ import annotations

import random

import msgspec
import pytest
from msgspec.structs import asdict
from sqlalchemy import Engine, select, update

from controller.contract import Envelope
from floor.messages import quick_envelope, read
from floor.store import bulk
from floor.store.database import reading
from floor.store.schema import JOURNALS, QUARANTINE
from tests.support.floor_store import NOON, SITE, an_intake, take
from tests.support.recorded_days import FreshTable, days

_slow = msgspec.json.Decoder(Envelope).decode
_KEYS = ("seq", "journal", "round", "round_id", "at", "currency", "hash", "link", "by", "kind", "body")
_WRONG = (
    b"-1",
    b"0",
    b"1e99",
    b"null",
    b'"zz"',
    b'"' + b"A" * 64 + b'"',
    b'"' + b" " * 64 + b'"',
    b'"\xff"',
    b"[]",
    b"{}",
)


def test_an_envelope_that_is_found_quickly_is_the_one_that_is_found_slowly() -> None:
    for name in days():
        for message in FreshTable(SITE, "t-1", name).events:
            found = quick_envelope(message.payload)
            assert found is not None
            assert asdict(found) == asdict(_slow(message.payload))


@pytest.mark.parametrize("key", _KEYS)
@pytest.mark.parametrize("wrong", _WRONG)
def test_what_the_slow_way_refuses_is_not_found_quickly(key: str, wrong: bytes) -> None:
    payload = FreshTable(SITE, "t-1", days()[0]).events[40].payload
    fields = msgspec.json.decode(payload, type=dict[str, msgspec.Raw])
    fields[key] = msgspec.Raw(wrong)
    changed = msgspec.json.encode(fields)
    found = quick_envelope(changed)
    try:
        slow = _slow(changed)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        assert found is None
    else:
        assert found is None or asdict(found) == asdict(slow)


def test_a_mutated_event_becomes_the_same_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(7)
    messages = FreshTable(SITE, "t-1", days()[1]).events[:300]
    mutated = []
    for message in messages:
        payload = bytearray(message.payload)
        for _ in range(rng.randrange(3)):
            payload[rng.randrange(len(payload))] = rng.randrange(256)
        mutated.append((message.topic, bytes(payload)))
    quick = [read("a", topic, payload, NOON) for topic, payload in mutated]
    monkeypatch.setattr("floor.messages.quick_envelope", lambda payload: None)
    slow = [read("a", topic, payload, NOON) for topic, payload in mutated]
    assert [_plain(each) for each in quick] == [_plain(each) for each in slow]


def _plain(received: object) -> object:
    assert isinstance(received, msgspec.Struct)
    fields = asdict(received)
    envelope = fields.pop("envelope", None)
    return type(received).__name__, fields, None if envelope is None else asdict(envelope)


def test_rows_that_are_changed_at_once_are_changed_as_one_by_one(engine: Engine) -> None:
    tables = [FreshTable(SITE, name, days()[0]) for name in ("t-1", "t-2", "t-3")]
    take(an_intake(engine), [message for table in tables for message in table.events[:5]])
    changes = [
        {"journal": table.journal, "seq": 7, "link": None, "known_seq": 9, "booked_at": NOON + n, "hole_since": hole}
        | {"reason": 'a "quoted" \\ word,\n and π', "context": b'{"dealer":"ann \\u00e9"}'}
        for n, (table, hole) in enumerate(zip(tables, (None, NOON, NOON + 5), strict=True))
    ]
    with engine.begin() as connection:
        bulk.change(connection, JOURNALS, changes)
        at_once = connection.execute(select(JOURNALS).order_by(JOURNALS.c.journal)).all()
    with engine.begin() as connection:
        for change in changes:
            here = JOURNALS.c.journal == change["journal"]
            connection.execute(update(JOURNALS).where(here).values(**{**change, "seq": 1}))
            connection.execute(update(JOURNALS).where(here).values(**change))
        assert connection.execute(select(JOURNALS).order_by(JOURNALS.c.journal)).all() == at_once


def test_every_letter_comes_back_as_it_was_written(engine: Engine) -> None:
    texts = ["plain", "a\tb", "c\\d", "e\nf", "g\rh", "\\N", "\\.", "π", ""]
    rows = [
        (f"{n}", NOON, NOON, n, text, text, "a", "t", None, "t-1", None, None, bytes(range(256)))
        for n, text in enumerate(texts)
    ]
    with engine.begin() as connection:
        bulk.insert(connection, QUARANTINE, rows)
    with reading(engine) as connection:
        found = [tuple(row) for row in connection.execute(select(QUARANTINE).order_by(QUARANTINE.c.digest))]
    assert found == rows
