"""Slips: several acts as one, bound to what was asked, and taken back by the one who sent them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.clock import DeviceClock
from controller.engine.actor import Actor
from controller.engine.inputs import AnyBody, SensorSeen, Started, decode_body
from controller.engine.slip_inputs import TakenBack
from controller.evidence.rerun import rerun
from controller.journal import Journal, JournalFull
from controller.operator.offers.offers import Offer, offers
from controller.operator.slips import Slip, judge_slip
from controller.recorder.recorder import Outcome, Recorder
from controller.rules import resolve

HOLDEM, ULTIMATE = "bankers-texas-holdem", "bankers-ultimate-texas-holdem"
SAM, EVE = (Actor("dealer", name, "console", "127.0.0.1") for name in ("sam", "eve"))
POSTED = {
    "seats": [1, 2, 3],
    "button": 1,
    "settings": {
        "structure": {"kind": "fixed_limit", "low": 200, "high": 400},
        "blinds": {"2": 100, "3": 200},
        "stacks": {"1": 10000, "2": 10000, "3": 10000},
    },
}
BANKED = {"seats": [1, 2, 3], "player_dealer": 8}


class AtTheTable:
    """A dealer with a page: he sends what is offered."""

    def __init__(self, journal: Journal, ruleset: str, setup: dict[str, Any]) -> None:
        self.journal = journal
        self.started = Started("0", ruleset, "digest", {}, setup, True)
        self.recorder = Recorder(journal, resolve, DeviceClock(), self.started)

    async def open(self) -> AtTheTable:
        await self.recorder.submit(self.started, "daemon")
        return self

    def offered(self, id: str) -> Offer:
        return next(offer for offer in offers(self.recorder.engine, keys_cards=True) if offer.id == id)

    @property
    def ids(self) -> list[str]:
        return [offer.id for offer in offers(self.recorder.engine, keys_cards=True)]

    async def send(self, offer: Offer, by: Actor = SAM, **filled: Any) -> Outcome:
        acts = tuple(map(decode_body, offer.acts({**offer.body, **filled})))
        if len(acts) == 1 and not offer.moment:
            return await self.recorder.submit(acts[0], by)
        slip = Slip(acts, offer.moment)
        return await self.recorder.submit_slip(acts, by, lambda engine: judge_slip(slip, engine))

    async def take(self, *ids: str) -> None:
        for id in ids:
            outcome = await self.send(self.offered(id))
            assert outcome.refusal is None, outcome.refusal

    def inputs(self) -> list[dict[str, Any]]:
        return [msgspec.json.decode(entry.input)["body"] for entry in self.journal.entries(1)]


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    opened = Journal.open(tmp_path / "journal.db", site="test", table="t-1")
    yield opened
    opened.close()


async def holdem(journal: Journal) -> AtTheTable:
    return await AtTheTable(journal, HOLDEM, POSTED).open()


async def ultimate(journal: Journal, *wagers: tuple[int, str]) -> AtTheTable:
    table = await AtTheTable(journal, ULTIMATE, BANKED).open()
    for seat, wager in wagers:
        await table.recorder.submit(decode_body({"kind": "wager", "place": seat, "wager": wager, "cents": 1000}), SAM)
    return table


async def test_the_hole_cards_are_one_touch_and_an_entry_for_each(journal: Journal) -> None:
    table = await holdem(journal)
    assert table.offered("deal_all").label == "Dealt to all: 6 cards face down"
    before = journal.head.n
    await table.take("deal_all")
    assert journal.head.n == before + 6
    assert table.inputs()[-6:] == [{"kind": "card_out", "card": None}] * 6
    rerun(journal, journal.head, resolve)


async def test_everybody_goes_along_checks_and_shows_in_one_touch_each(journal: Journal) -> None:
    table = await holdem(journal)
    await table.take("deal_all", "everyone:call")
    assert (await table.send(table.offered("card_after"), card="2c")).refusal is None
    for code in ("7d", "Js"):
        await table.send(table.offered("card"), card=code)
    await table.take("everyone:check")
    assert [body["do"] for body in table.inputs() if body["kind"] == "act"] == ["call", "call", "check"] + 3 * ["check"]
    assert table.recorder.engine.state == again(table).engine.state


async def test_a_second_tap_finds_that_its_question_was_answered(journal: Journal) -> None:
    table = await holdem(journal)
    await table.take("deal_all")
    call = table.offered("1:call")
    assert (await table.send(call)).refusal is None
    refusal = (await table.send(call)).refusal
    assert refusal is not None and refusal.why == "no_longer_asked"
    assert refusal.text.startswith("that was asked before; now: Seat 2")
    assert table.inputs()[-1]["kind"] == "slip_refused"


async def test_a_check_of_the_flop_is_none_of_the_turn(journal: Journal) -> None:
    table = await holdem(journal)
    await table.take("deal_all", "everyone:call")
    await table.send(table.offered("card_after"), card="2c")
    for code in ("7d", "Js"):
        await table.send(table.offered("card"), card=code)
    stale = table.offered("2:check")
    await table.take("everyone:check")
    await table.send(table.offered("card_after"), card="Qs")
    assert table.offered("2:check").body == stale.body
    refusal = (await table.send(stale)).refusal
    assert refusal is not None and refusal.why == "no_longer_asked"


async def test_what_happens_meanwhile_beside_the_question_refuses_nothing(journal: Journal) -> None:
    table = await ultimate(journal, (1, "ante"), (1, "blind"))
    closing = table.offered("close_bets")
    await table.recorder.submit(decode_body({"kind": "wager", "place": 2, "wager": "ante", "cents": 1000}), SAM)
    await table.recorder.submit(decode_body({"kind": "wager", "place": 2, "wager": "blind", "cents": 1000}), SAM)
    await table.recorder.submit(SensorSeen("boxes.collection", "collection", "dropped", 1), "device:boxes")
    assert (await table.send(closing)).refusal is None


async def test_where_one_act_is_refused_none_is_done(journal: Journal) -> None:
    table = await holdem(journal)
    await table.take("deal_all")
    before, engine = journal.head.n, table.recorder.engine.state
    acts: tuple[AnyBody, ...] = tuple(
        decode_body({"kind": "act", "seat": seat, "do": do}) for seat, do in ((1, "call"), (2, "call"), (3, "bring_in"))
    )
    outcome = await table.recorder.submit_slip(acts, SAM, lambda engine: None)
    assert outcome.refusal is not None
    assert journal.head.n == before + 1 and table.inputs()[-1]["kind"] == "slip_refused"
    assert table.recorder.engine.state == engine
    assert "1:call" in table.ids
    rerun(journal, journal.head, resolve)


async def test_a_full_disk_leaves_nothing_of_a_slip(journal: Journal) -> None:
    table = await holdem(journal)
    await table.take("deal_all")
    before = journal.head.n
    await journal.set_max_bytes(1)
    with pytest.raises(JournalFull):
        for _ in range(200):
            await table.take("everyone:call", "take_back")
    assert (journal.head.n - before) % 4 in (0, 3)
    await journal.set_max_bytes(None)
    assert table.recorder.engine.state == again(table).engine.state


async def test_the_bets_of_the_last_hand_are_placed_again_by_those_who_are_there(journal: Journal) -> None:
    both = [(seat, wager) for seat in (1, 2) for wager in ("ante", "blind")]
    table = await ultimate(journal, *both)
    await table.take("close_bets", "deal_all", "everyone:check")
    await table.recorder.submit(decode_body({"kind": "floor", "do": "void", "reason": "test"}), SAM)
    assert table.offered("same_bets").label == "Same bets as last hand: $40, 2 seats"
    await table.take("same_bets")
    book = table.recorder.engine.round
    assert book is not None and book.table.book == {1: {"ante": 1000, "blind": 1000}, 2: {"ante": 1000, "blind": 1000}}
    assert "same_bets" not in table.ids


async def test_a_wager_without_its_mate_is_named_before_the_bets_are_closed(journal: Journal) -> None:
    table = await ultimate(journal, (1, "ante"), (1, "blind"), (3, "ante"))
    assert table.offered("close_bets").sure == (
        "Seat 3: ante alone. Such a wager goes back. Close the bets all the same?"
    )
    await table.recorder.submit(decode_body({"kind": "wager", "place": 3, "wager": "blind", "cents": 1000}), SAM)
    assert table.offered("close_bets").sure == ""


async def test_a_hand_that_would_be_void_is_named_before(journal: Journal) -> None:
    table = await ultimate(journal, (3, "ante"))
    assert table.offered("close_bets").sure.startswith("Seat 3: ante alone. ")


async def test_a_dealer_takes_back_his_last_act_and_nothing_is_lost(journal: Journal) -> None:
    table = await holdem(journal)
    await table.take("deal_all", "1:call", "2:fold")
    assert table.offered("take_back").label == "Take back: Seat 2: fold"
    await table.take("take_back")
    assert {"2:fold", "2:call"} <= set(table.ids)
    assert table.inputs()[-2:] == [
        {"kind": "act", "seat": 2, "do": "fold"},
        {"kind": "take_back", "round": 1, "first": 7},
    ]
    (corrected,) = [event for event in published(table) if event["kind"] == "corrected"]
    assert (corrected["reason"], corrected["by"]) == ("taken back", "dealer:sam")
    assert table.recorder.engine.state == again(table).engine.state
    rerun(journal, journal.head, resolve)


async def test_a_batch_is_taken_back_as_one(journal: Journal) -> None:
    table = await holdem(journal)
    await table.take("deal_all", "everyone:call", "take_back")
    assert "1:call" in table.ids and "everyone:call" in table.ids


async def test_nobody_takes_back_what_another_did(journal: Journal) -> None:
    table = await holdem(journal)
    await table.take("deal_all", "1:call")
    refusal = (await table.send(table.offered("take_back"), EVE)).refusal
    assert refusal is not None and (refusal.why, refusal.text.split()[0]) == ("not_yours", "dealer:sam")


async def test_a_card_that_was_keyed_is_the_floors_to_correct(journal: Journal) -> None:
    table = await holdem(journal)
    await table.take("deal_all", "everyone:call")
    back = TakenBack(1, len(table.recorder.engine.played.inputs))
    await table.send(table.offered("card_after"), card="2c")
    assert "take_back" not in table.ids
    refusal = (await table.recorder.submit(back, SAM)).refusal
    assert refusal is not None and refusal.why == "card_exposed"


async def test_once_something_has_followed_an_act_stays(journal: Journal) -> None:
    table = await holdem(journal)
    await table.take("deal_all", "1:call")
    back = table.offered("take_back")
    await table.take("2:call")
    refusal = (await table.send(back)).refusal
    assert refusal is not None and refusal.why == "not_the_last"


async def test_what_settled_the_hand_is_not_taken_back(journal: Journal) -> None:
    table = await holdem(journal)
    await table.take("deal_all", "1:fold", "2:fold")
    assert "take_back" not in table.ids
    refusal = (await table.recorder.submit(TakenBack(1, 7), SAM)).refusal
    assert refusal is not None and refusal.why == "round_over"


def again(table: AtTheTable) -> Recorder:
    """The recorder that the next start would make of this journal."""
    return Recorder(table.journal, resolve, DeviceClock(), table.started)


def published(table: AtTheTable) -> list[dict[str, Any]]:
    return [event for entry in table.journal.entries(1) for event in msgspec.json.decode(entry.events)]
