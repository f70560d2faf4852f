"""The desk: engine and journal in step, whatever happens to the commit or to the caller."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.clock import DeviceClock
from controller.desk import Desk, ReplayDiffers
from controller.engine.expect import prompt
from controller.engine.inputs import (
    Amended,
    AnyBody,
    BetsClosed,
    CardOut,
    Change,
    ShoeStarted,
    Started,
    WagerPlaced,
)
from controller.evidence.rerun import rerun
from controller.journal import Journal, JournalFull
from controller.rules import resolve

EZ = "bankers-ez-baccarat-panda-8"
STARTED = Started("0", EZ, "digest", {}, {"seats": [1, 2, 3], "player_dealer": 8}, True)
HAND: tuple[AnyBody, ...] = (BetsClosed(), CardOut("9h"), CardOut("Kd"), CardOut("Tc"), CardOut("7s"))


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    opened = Journal.open(tmp_path / "journal.db", site="test", table="t-1")
    yield opened
    opened.close()


async def a_desk(journal: Journal) -> Desk:
    desk = Desk(journal, resolve, DeviceClock(), STARTED)
    await desk.submit(STARTED, "daemon")
    await desk.submit(ShoeStarted(8), "dealer")
    return desk


def again(journal: Journal) -> Desk:
    """The desk that the next start would make of this journal."""
    return Desk(journal, resolve, DeviceClock(), STARTED)


async def test_a_full_disk_changes_nothing_and_play_goes_on_when_there_is_room(journal: Journal) -> None:
    desk = await a_desk(journal)
    await desk.submit(WagerPlaced(1, "tie", 1000), "dealer")
    before, head = prompt(desk.engine.expectation), journal.head
    await journal.set_max_bytes(1)
    with pytest.raises(JournalFull):
        for _ in range(500):
            await desk.submit(WagerPlaced(2, "tie", 1000), "dealer")
    assert prompt(desk.engine.expectation) == before
    assert journal.head.n >= head.n
    await journal.set_max_bytes(None)
    for body in HAND:
        await desk.submit(body, "dealer")
    assert desk.engine.state == again(journal).engine.state
    rerun(journal, journal.head, resolve)


async def test_nobody_may_look_between_the_engine_and_the_journal(journal: Journal) -> None:
    desk = await a_desk(journal)
    seen: list[bool] = []
    desk.listen(lambda _: seen.append(desk.is_writing))
    submitting = asyncio.ensure_future(desk.submit(WagerPlaced(1, "tie", 1000), "dealer"))
    await asyncio.sleep(0)
    assert desk.is_writing
    await submitting
    assert not desk.is_writing and seen == [False]
    await journal.set_max_bytes(1)
    with pytest.raises(JournalFull):
        for _ in range(500):
            await desk.submit(WagerPlaced(2, "tie", 1000), "dealer")
    assert not desk.is_writing and not any(seen)


async def test_a_caller_that_is_cancelled_leaves_engine_and_journal_in_step(journal: Journal) -> None:
    desk = await a_desk(journal)
    for body in (*HAND, *HAND):
        task = asyncio.create_task(desk.submit(body, "dealer"))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert desk.engine.state == again(journal).engine.state
    assert desk.engine.expectation == again(journal).engine.expectation
    await desk.submit(BetsClosed(), "dealer")
    assert desk.engine.round_number == again(journal).engine.round_number
    rerun(journal, journal.head, resolve)


async def test_a_repeat_from_a_device_is_not_applied_twice_even_after_a_restart(journal: Journal) -> None:
    desk = await a_desk(journal)
    await desk.submit(BetsClosed(), "dealer")
    await desk.submit(CardOut("9h"), "device:shoe", "aa:1")
    assert (await desk.submit(CardOut("9h"), "device:shoe", "aa:1")).repeat
    later = again(journal)
    assert (await later.submit(CardOut("9h"), "device:shoe", "aa:1")).repeat
    assert not (await later.submit(CardOut("Kd"), "device:shoe", "aa:2")).repeat


async def test_the_last_settled_round_can_still_be_corrected_after_a_restart(journal: Journal) -> None:
    desk = await a_desk(journal)
    for body in HAND:
        await desk.submit(body, "dealer")
    later = again(journal).engine
    assert later.last is not None
    assert [value.body for value in later.last.inputs] == list(HAND)


async def test_time_never_goes_back_in_the_journal(journal: Journal) -> None:
    class Jumping(DeviceClock):
        times = iter((5000, 3000, 9000, 1))

        def now_ms(self) -> int:
            return next(self.times)

    desk = Desk(journal, resolve, Jumping(), STARTED)
    await desk.submit(STARTED, "daemon")
    for _ in range(3):
        await desk.submit(ShoeStarted(8), "dealer")
    assert [event.at for event in journal.events_from(1, 100)] == sorted(e.at for e in journal.events_from(1, 100))


async def test_a_journal_written_by_other_rules_does_not_open_in_silence(journal: Journal) -> None:
    desk = await a_desk(journal)
    await desk.submit(BetsClosed(), "dealer")
    journal.append_now(1, b'{"at":1,"by":"dealer","body":{"kind":"card_out","card":"9h"}}', [b'{"kind":"invented"}'])
    with pytest.raises(ReplayDiffers, match="entry 4"):
        again(journal)


async def test_a_refused_amendment_between_two_rounds_does_not_stand_in_the_way_of_a_restart(journal: Journal) -> None:
    desk = await a_desk(journal)
    for body in HAND:
        await desk.submit(body, "dealer")
    refused = await desk.submit(Amended(1, (Change(99, None),), "no such input"), "floor:ann")
    assert refused.refusal is not None
    for body in HAND:
        await desk.submit(body, "dealer")
    assert again(journal).engine.state == desk.engine.state


async def test_an_amendment_cannot_bring_other_rules_to_the_table(journal: Journal) -> None:
    desk = await a_desk(journal)
    for body in HAND:
        await desk.submit(body, "dealer")
    rules = {"kind": "started", "version": "0.1.0", "ruleset": "bankers-omaha", "digest": "x"}
    refused = await desk.submit(Amended(1, (Change(0, rules),), "other rules"), "floor:ann")
    assert refused.refusal is not None
    assert refused.refusal.why == "not_of_a_round"
    for body in HAND:
        await desk.submit(body, "dealer")
    assert again(journal).engine.state == desk.engine.state


async def test_a_corrected_round_stays_corrected_after_a_restart(journal: Journal) -> None:
    desk = await a_desk(journal)
    for body in HAND:
        await desk.submit(body, "dealer")
    await desk.submit(Amended(1, (Change(1, {"kind": "card_out", "card": "2h"}),), "misread"), "floor:ann")
    assert prompt(desk.engine.expectation) == prompt(again(journal).engine.expectation) == "Player draws"
    for code in ("5d", "6c"):
        await desk.submit(CardOut(code), "dealer")
    for body in HAND:
        await desk.submit(body, "dealer")
    assert again(journal).engine.state == desk.engine.state
    rerun(journal, journal.head, resolve)
