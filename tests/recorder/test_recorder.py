"""The recorder: engine and journal in step, whatever happens to the commit or to the caller."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from controller.clock import DeviceClock
from controller.engine import events as ev
from controller.engine.expect.expectation import prompt
from controller.engine.inputs import (
    Amended,
    AnyBody,
    BetsClosed,
    CardOut,
    Change,
    FloorAct,
    Input,
    PackReported,
    ShoeStarted,
    Started,
    TimePassed,
    WagerPlaced,
    encode_input,
)
from controller.evidence.rerun import rerun
from controller.evidence.verify import verify
from controller.journal import Journal, JournalFull
from controller.recorder.recorder import SNAPSHOT_EVERY, Recorder
from controller.rules import resolve
from tests.bench.rounds import evening, first_input

EZ = "bankers-ez-baccarat-panda-8"
STARTED = Started("0", EZ, "digest", {}, {"seats": [1, 2, 3], "player_dealer": 8}, True)
HAND: tuple[AnyBody, ...] = (BetsClosed(), CardOut("9h"), CardOut("Kd"), CardOut("Tc"), CardOut("7s"))


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    opened = Journal.open(tmp_path / "journal.db", site="test", table="t-1")
    yield opened
    opened.close()


async def deal(recorder: Recorder) -> None:
    """A hand from its first card to its settlement."""
    for body in HAND:
        await recorder.submit(body, "dealer")


async def a_recorder(journal: Journal) -> Recorder:
    recorder = Recorder(journal, resolve, DeviceClock(), STARTED)
    await recorder.submit(STARTED, "daemon")
    await recorder.submit(ShoeStarted(8), "dealer")
    return recorder


def again(journal: Journal) -> Recorder:
    """The recorder that the next start would make of this journal."""
    return Recorder(journal, resolve, DeviceClock(), STARTED)


async def test_a_snapshot_is_kept_at_the_end_of_a_round_when_it_saves_a_start_many_entries(journal: Journal) -> None:
    recorder = Recorder(journal, resolve, DeviceClock(), first_input())
    kept: list[int] = []
    for value in evening(recorder.engine, rounds=9, seed=1):
        last = recorder.engine.last
        await recorder.submit(value.body, value.by, value.ref)
        newest = journal.last_snapshot()
        if newest is not None and newest[0] not in kept:
            assert recorder.engine.last is not last, "with the entry that ended a round"
            kept.append(newest[0])
            assert again(journal).engine.state == recorder.engine.state
    assert again(journal).engine.state == recorder.engine.state
    assert len(kept) == 3, "every third round"
    assert all(after - before >= SNAPSHOT_EVERY for before, after in itertools.pairwise([0, *kept]))


async def test_a_full_disk_changes_nothing_and_play_goes_on_when_there_is_room(journal: Journal) -> None:
    recorder = await a_recorder(journal)
    await recorder.submit(WagerPlaced(1, "tie", 1000), "dealer")
    before, head = prompt(recorder.engine.expectation), journal.head
    await journal.set_max_bytes(1)
    with pytest.raises(JournalFull):
        for _ in range(500):
            await recorder.submit(WagerPlaced(2, "tie", 1000), "dealer")
    assert prompt(recorder.engine.expectation) == before
    assert journal.head.n >= head.n
    await journal.set_max_bytes(None)
    await deal(recorder)
    assert recorder.engine.state == again(journal).engine.state
    rerun(journal, journal.head, resolve)


async def test_nobody_may_look_between_the_engine_and_the_journal(journal: Journal) -> None:
    recorder = await a_recorder(journal)
    seen: list[bool] = []
    recorder.listen(lambda _: seen.append(recorder.is_writing))
    submitting = asyncio.ensure_future(recorder.submit(WagerPlaced(1, "tie", 1000), "dealer"))
    await asyncio.sleep(0)
    assert recorder.is_writing
    await submitting
    assert not recorder.is_writing and seen == [False]
    await journal.set_max_bytes(1)
    with pytest.raises(JournalFull):
        for _ in range(500):
            await recorder.submit(WagerPlaced(2, "tie", 1000), "dealer")
    assert not recorder.is_writing and not any(seen)


async def test_a_caller_that_is_cancelled_leaves_engine_and_journal_in_step(journal: Journal) -> None:
    recorder = await a_recorder(journal)
    for body in (*HAND, *HAND):
        task = asyncio.create_task(recorder.submit(body, "dealer"))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert recorder.engine.state == again(journal).engine.state
    assert recorder.engine.expectation == again(journal).engine.expectation
    await recorder.submit(BetsClosed(), "dealer")
    assert recorder.engine.round_number == again(journal).engine.round_number
    rerun(journal, journal.head, resolve)


async def test_a_repeat_from_a_device_is_not_applied_twice_even_after_a_restart(journal: Journal) -> None:
    recorder = await a_recorder(journal)
    await recorder.submit(BetsClosed(), "dealer")
    await recorder.submit(CardOut("9h"), "device:shoe", "aa:1")
    assert (await recorder.submit(CardOut("9h"), "device:shoe", "aa:1")).repeat
    later = again(journal)
    assert (await later.submit(CardOut("9h"), "device:shoe", "aa:1")).repeat
    assert not (await later.submit(CardOut("Kd"), "device:shoe", "aa:2")).repeat


async def test_the_last_settled_round_can_still_be_corrected_after_a_restart(journal: Journal) -> None:
    recorder = await a_recorder(journal)
    await deal(recorder)
    later = again(journal).engine
    assert later.last is not None
    assert [value.body for value in later.last.inputs] == list(HAND)


async def test_a_refused_amendment_between_two_rounds_does_not_stand_in_the_way_of_a_restart(journal: Journal) -> None:
    recorder = await a_recorder(journal)
    await deal(recorder)
    refused = await recorder.submit(Amended(1, (Change(99, None),), "no such input"), "floor:ann")
    assert refused.refusal is not None
    await deal(recorder)
    assert again(journal).engine.state == recorder.engine.state


async def test_an_amendment_cannot_bring_other_rules_to_the_table(journal: Journal) -> None:
    recorder = await a_recorder(journal)
    await deal(recorder)
    rules = {"kind": "started", "version": "0.1.0", "ruleset": "bankers-omaha", "digest": "x"}
    refused = await recorder.submit(Amended(1, (Change(0, rules),), "other rules"), "floor:ann")
    assert refused.refusal is not None
    assert refused.refusal.why == "not_of_a_round"
    await deal(recorder)
    assert again(journal).engine.state == recorder.engine.state


async def test_a_corrected_round_stays_corrected_after_a_restart(journal: Journal) -> None:
    recorder = await a_recorder(journal)
    await deal(recorder)
    await recorder.submit(Amended(1, (Change(1, {"kind": "card_out", "card": "2h"}),), "misread"), "floor:ann")
    assert prompt(recorder.engine.expectation) == prompt(again(journal).engine.expectation) == "Player draws"
    for code in ("5d", "6c"):
        await recorder.submit(CardOut(code), "dealer")
    await deal(recorder)
    assert again(journal).engine.state == recorder.engine.state
    rerun(journal, journal.head, resolve)


async def a_journal_with_a_difference(journal: Journal, *, running: bool = True) -> int:
    """A journal in which another program's entry holds an event that this one does not make; its number."""
    recorder = await a_recorder(journal)
    for body in HAND[: 2 if running else None]:
        await recorder.submit(body, "dealer")
    value = Input(1, "device:shoe", CardOut("2c"), "7f03:12")
    entry = journal.append_now(recorder.engine.round_number, encode_input(value), [b'{"kind":"invented"}'])
    return entry.n


async def test_a_start_that_finds_a_difference_holds_the_table_and_writes_it_down(journal: Journal) -> None:
    n = await a_journal_with_a_difference(journal)
    recorder = again(journal)
    assert f"entry {n} of the journal does not come out the same" in prompt(recorder.engine.expectation)
    outcome = await recorder.submit(STARTED, "daemon")
    assert isinstance(outcome.events[0], ev.TableStarted)
    kinds = [msgspec.json.decode(event.body)["kind"] for event in journal.events_from(1, 100)]
    assert kinds[-3:] == ["replay_differed", "alarm_raised", "table_started"]
    refused = await recorder.submit(WagerPlaced(1, "tie", 1000), "dealer")
    assert refused.refusal is not None


async def test_the_floor_voids_what_cannot_be_re_run_and_the_table_goes_on(journal: Journal) -> None:
    n = await a_journal_with_a_difference(journal)
    recorder = again(journal)
    await recorder.submit(STARTED, "daemon")
    assert (await recorder.submit(FloorAct("resume", "go on"), "floor:ann")).refusal is not None
    outcome = await recorder.submit(FloorAct("void", "video looked at"), "floor:ann")
    voided, accepted, cleared = outcome.events
    assert isinstance(voided, ev.RoundVoided) and not voided.returned
    assert voided.fees == "not_known"
    assert accepted == ev.DifferenceAccepted(n, "floor:ann", "video looked at")
    assert cleared == ev.AlarmCleared("replay_differs")
    number = recorder.engine.round_number
    for body in HAND:
        assert (await recorder.submit(body, "dealer")).refusal is None
    assert recorder.engine.round_number == number + 1


async def test_between_rounds_the_floor_accepts_and_nothing_is_void(journal: Journal) -> None:
    await a_journal_with_a_difference(journal, running=False)
    recorder = again(journal)
    outcome = await recorder.submit(FloorAct("resume", "seen"), "floor:ann")
    assert [type(event) for event in outcome.events] == [ev.DifferenceAccepted, ev.AlarmCleared]


async def test_a_restart_after_a_difference_gives_the_same_table(journal: Journal) -> None:
    await a_journal_with_a_difference(journal)
    recorder = again(journal)
    await recorder.submit(STARTED, "daemon")
    assert again(journal).engine.state == recorder.engine.state
    await recorder.submit(FloorAct("void", "seen"), "floor:ann")
    assert again(journal).engine.state == recorder.engine.state
    await recorder.submit(BetsClosed(), "dealer")
    restarted = again(journal).engine
    assert (restarted.state, restarted.expectation) == (recorder.engine.state, recorder.engine.expectation)


async def test_what_a_device_sent_before_the_difference_is_not_taken_again(journal: Journal) -> None:
    await a_journal_with_a_difference(journal)
    recorder = again(journal)
    assert (await recorder.submit(CardOut("2c"), "device:shoe", "7f03:12")).repeat


async def test_the_cards_of_a_round_that_cannot_be_re_run_have_left_the_shoe(journal: Journal) -> None:
    await a_journal_with_a_difference(journal)
    recorder = again(journal)
    await recorder.submit(FloorAct("void", "video looked at"), "floor:ann")
    shoe = recorder.engine.state.shoe
    assert shoe is not None
    assert (shoe.drawn, shoe.out) == (2, {"9h": 1, "2c": 1})


async def test_the_pack_of_a_round_that_cannot_be_re_run_is_out_of_play(journal: Journal) -> None:
    seating = {"seats": [1, 2, 3], "player_dealer": 8}
    dealt_by_stacks = Started("0", "bankers-ultimate-texas-holdem", "digest", {}, seating, True)
    recorder = Recorder(journal, resolve, DeviceClock(), dealt_by_stacks)
    await recorder.submit(dealt_by_stacks, "daemon")
    await recorder.submit(PackReported("red", 52, "shuffler"), "device:shuffler")
    await recorder.submit(FloorAct("hold", "a look at the cards"), "floor:ann")
    assert recorder.engine.is_dealing and recorder.engine.state.packs.in_play is not None
    value = Input(1, "floor:ann", FloorAct("resume", "all is well"))
    journal.append_now(1, encode_input(value), [b'{"kind":"invented"}'])
    state = again(journal).engine.state
    assert state.packs.in_play is None and state.packs.withdrawn
    assert state.ledger["red"].packs == 1


async def test_verify_reports_a_difference_that_was_accepted_and_goes_on_after_it(journal: Journal) -> None:
    n = await a_journal_with_a_difference(journal)
    found = verify(journal.path, resolve).findings
    assert len(found) == 1
    recorder = again(journal)
    await recorder.submit(FloorAct("void", "seen"), "floor:ann")
    await deal(recorder)
    verdict = verify(journal.path, resolve)
    assert len(verdict.findings) == 1
    assert f"Entry {n}, re-run, does not come out the same" in verdict.findings[0]
    assert "held for it" in verdict.findings[0]
    assert verdict.rerun is not None and verdict.rerun.rounds == recorder.engine.round_number
    value = Input(2_000_000_000_000, "dealer", CardOut("2c"))
    second = journal.append_now(recorder.engine.round_number, encode_input(value), [b'{"kind":"invented"}']).n
    findings = verify(journal.path, resolve).findings
    assert [text.split(",")[0] for text in findings] == [f"Entry {n}", f"Entry {second}"]


async def test_the_text_of_a_difference_names_no_card_that_only_the_re_run_shows(journal: Journal) -> None:
    recorder = await a_recorder(journal)
    for body in HAND[:2]:
        await recorder.submit(body, "dealer")
    value = Input(1, "device:shoe", CardOut("2c"), "7f03:12")
    forged = b'{"kind":"card_dealt","to":"player","nth":1,"card":null}'
    n = journal.append_now(recorder.engine.round_number, encode_input(value), [forged]).n
    text = prompt(again(journal).engine.expectation)
    assert f"entry {n} " in text and "card_dealt" in text
    assert "2c" not in text


async def test_verify_goes_on_behind_a_difference_that_no_start_recorded(journal: Journal) -> None:
    """A start begins at the last snapshot and does not look at what is before it."""
    recorder = await a_recorder(journal)
    recorder.snapshot_every = 0
    value = Input(2_000_000_000_000, "board", TimePassed())
    first = journal.append_now(0, encode_input(value), [b'{"kind":"invented"}']).n
    for body in (*HAND, *HAND[:2]):
        await recorder.submit(body, "dealer")
    value = Input(2_000_000_000_000, "device:shoe", CardOut("2c"), "7f03:12")
    second = journal.append_now(recorder.engine.round_number, encode_input(value), [b'{"kind":"invented"}']).n
    await again(journal).submit(FloorAct("void", "seen"), "floor:ann")
    verdict = verify(journal.path, resolve)
    assert [text.split(",")[0] for text in verdict.findings] == [f"Entry {first}"]
    assert "No start recorded it" in verdict.findings[0]
    assert verdict.rerun is not None and second < journal.head.n
