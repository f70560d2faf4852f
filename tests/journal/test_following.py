"""A reader that follows the journal as it grows reads the same as one that comes later."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from controller.journal import Journal, JournalEvent, JournalReader


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with closing(Journal.open(tmp_path / "journal.db", site="bay101", table="t7")) as opened:
        yield opened


def happened(at: int, kind: str = "card", **more: object) -> bytes:
    return msgspec.json.encode({"at": at, "by": "test", "body": {"kind": kind, **more}})


def caused(count: int) -> list[bytes]:
    return [msgspec.json.encode({"kind": "card_dealt", "nth": n}) for n in range(count)]


async def test_a_follower_gets_every_event_once_in_order_and_in_its_mode(journal: Journal) -> None:
    rng = random.Random(1)
    followed: list[JournalEvent] = []
    for at in range(200):
        if rng.random() < 0.05:
            await journal.append(1, happened(at, "started", test=rng.random() < 0.5), caused(1))
        elif rng.random() < 0.2:
            # Several in one commit.
            await asyncio.gather(*(journal.append(1, happened(at), caused(rng.randrange(3))) for _ in range(4)))
        else:
            await journal.append(1, happened(at), caused(rng.randrange(4)))
        if rng.random() < 0.7:
            followed += journal.events_from(len(followed) + 1, rng.choice((1, 2, 256)))
        if rng.random() < 0.2:
            # Somebody else asks for the past in between.
            journal.events_from(rng.randrange(1, journal.head.seq + 2), rng.choice((1, 3, 256)))
    while more := journal.events_from(len(followed) + 1, 256):
        followed += more
    with closing(JournalReader.read(journal.path)) as reader:
        assert followed == reader.events_from(1, 10_000)
    assert [event.seq for event in followed] == list(range(1, journal.head.seq + 1))
    assert {event.test for event in followed} == {True, False}


async def test_a_follower_who_waits_at_the_end_gets_what_was_just_committed(journal: Journal) -> None:
    await journal.append(1, happened(1), caused(2))
    assert [event.seq for event in journal.events_from(1, 256)] == [1, 2]
    assert journal.events_from(3, 256) == []
    await journal.append(1, happened(2), caused(1))
    await journal.append(1, happened(3), [])
    await journal.append(2, happened(4), caused(2))
    assert [(event.seq, event.round, event.at) for event in journal.events_from(3, 256)] == [
        (3, 1, 2),
        (4, 2, 4),
        (5, 2, 4),
    ]


async def test_a_watcher_is_called_before_the_callers_of_append_go_on(journal: Journal) -> None:
    order: list[str] = []
    journal.watch(lambda: order.append("watcher"))
    writing = asyncio.ensure_future(journal.append(1, happened(1), caused(1)))
    writing.add_done_callback(lambda _: order.append("caller"))
    await writing
    await asyncio.sleep(0)
    assert order == ["watcher", "caller"]
