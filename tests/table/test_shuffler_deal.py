"""Decks through the shuffler and stacks out of it, when all goes well: the machine, the wire, the driver."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from devices.drivers.shuffler import CheckedDeckLoaded, LimitedStack, Refused
from devices.link.authentication import DeviceVetted
from devices.reports import DeviceAnswer, DeviceEvent, DeviceState, Report
from protocols.shuffler.messages import (
    DeckUnloaded,
    DeckVerified,
    Meters,
    Mode,
    ModeChanged,
    SelfTestEnded,
    ShuffleStarted,
    StackDispensed,
    StackRemoved,
    Status,
)
from sim_hw.devices.shuffler.machine import DISPENSE_CARD, SHUFFLE_CARD, UNLOAD_CARD
from sim_hw.wire.noise import Noise
from tests.support.wire.listener import fields, has_body
from tests.support.wire.shufflers import SEVENS, THREES, TWOS_AND_FIVE, shuffler_table

NOISE = Noise(bit_errors=3e-4, lost_bytes=5e-4, dropped=0.02, repeated=0.05, cut_short=0.02, garbage=0.05)


async def test_a_deck_is_shuffled_verified_and_dealt_in_stacks_of_three(tmp_path: Path) -> None:
    async with shuffler_table(tmp_path, THREES) as table:
        await table.shuffled("red")
        taken = await table.deal(2, 3)
        rest = await table.unloaded()

        assert Counter(sum(taken, rest)) == Counter(THREES.whole_deck)
        happened = [r for r in table.controller.reports if isinstance(r, DeviceEvent)]
        assert {(r.device, r.boot) for r in happened} == {("shuffler", table.machine.boot)}
        assert [r.event_no for r in happened] == list(range(1, 9))
        assert [fields(r.body) for r in happened] == [
            (CheckedDeckLoaded, 1, "red", None, False, ""),
            (ShuffleStarted, 1, 1, "shuffled", "controller"),
            (DeckVerified, 1, 1, "shuffled", "red", 52, 52, 0, 0, 0, (), (), False),
            (LimitedStack, 1, 1, 3, tuple(taken[0]), 2),
            (StackRemoved, 1, 1),
            (LimitedStack, 1, 2, 3, tuple(taken[1]), 2),
            (StackRemoved, 1, 2),
            (DeckUnloaded, 1, 46, 46),
        ]


async def test_pai_gow_is_seven_stacks_of_seven_and_four_cards_stay(tmp_path: Path) -> None:
    async with shuffler_table(tmp_path, SEVENS) as table:
        await table.shuffled()
        taken = await table.deal(7, 7)
        rest = await table.unloaded()
        assert [len(stack) for stack in taken] == [7] * 7
        assert len(rest) == 4
        assert Counter(sum(taken, rest)) == Counter(SEVENS.whole_deck)


async def test_holdem_style_is_hands_of_two_and_then_a_board_of_five(tmp_path: Path) -> None:
    async with shuffler_table(tmp_path, TWOS_AND_FIVE) as table:
        await table.shuffled()
        hands = await table.deal(4, 2)
        (board,) = await table.deal(1, 5)
        stacks = table.controller.all(StackDispensed)
        assert [(stack.stack_no, stack.size) for stack in stacks] == [(1, 2), (2, 2), (3, 2), (4, 2), (5, 5)]
        assert [list(stack.cards) for stack in stacks] == [*hands, board]


async def test_in_batch_mode_the_whole_deck_comes_back_and_its_order_is_not_reported(tmp_path: Path) -> None:
    async with shuffler_table(tmp_path, Mode(kind="batch", decks=2)) as table:
        await table.shuffled()
        deck = await table.unloaded()
        assert len(deck) == 104
        (unloaded,) = table.controller.all(DeckUnloaded)
        assert (unloaded.count, unloaded.expected, unloaded.is_wrong_count) == (104, 104, False)
        assert not table.controller.all(StackDispensed)


async def test_a_machine_that_does_not_read_gives_stacks_of_unread_cards(tmp_path: Path) -> None:
    async with shuffler_table(tmp_path, THREES, reads_cards=False) as table:
        await table.shuffled()
        (taken,) = await table.deal(1, 3)
        (stack,) = table.controller.all(StackDispensed)
        assert len(taken) == 3
        assert stack.cards == (None, None, None)
        assert not stack.is_wrong_count
        (verified,) = table.controller.all(DeckVerified)
        assert (verified.unread, verified.problem) == (None, "")


async def test_the_cards_of_a_stack_show_in_no_repr_and_no_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    async with shuffler_table(tmp_path, THREES) as table:
        await table.shuffled()
        states = table.controller.states
        table.controller.refuses = lambda report: has_body(report, StackDispensed) and table.controller.states == states
        table.controller.dispense(1, 3)
        await table.machine.wait_tray()
        await table.machine.wait_taken()
        await table.controller.online()
        cards = table.machine.take()
        outputs = caplog.text + repr(table.controller.reports)
        assert table.controller.states == [*states, "offline", "online"]
        assert table.controller.all(StackDispensed)[0].cards == tuple(cards)
        assert len(outputs) > 500
        assert not [card for card in cards if re.search(rf"\b{card}\b", outputs)]


async def test_two_decks_take_turns_by_the_colour_of_their_backs(tmp_path: Path) -> None:
    async with shuffler_table(tmp_path, THREES, options={"backs": ["red", "blue"]}) as table:
        for back in ("red", "blue", "red", "red", "green"):
            await table.shuffled(back)
            await table.unloaded()
        loaded = table.controller.all(CheckedDeckLoaded)
        assert [(deck.deck_no, deck.back, deck.last_back) for deck in loaded] == [
            (1, "red", None),
            (2, "blue", "red"),
            (3, "red", "blue"),
            (4, "red", "red"),
            (5, "green", "red"),
        ]
        assert [deck.problem for deck in loaded] == [
            "",
            "",
            "",
            "the red deck came again, out of turn; this table plays red and blue",
            "the deck is green; this table plays red and blue",
        ]


async def test_a_deck_that_was_rejected_was_not_in_play_and_may_come_again(tmp_path: Path) -> None:
    async with shuffler_table(tmp_path, THREES, options={"backs": ["red", "blue"]}) as table:
        await table.shuffled("blue")
        await table.unloaded()
        await table.shuffled("red", without=["4h"])
        await table.unloaded()
        await table.shuffled("red")
        assert [deck.problem for deck in table.controller.all(CheckedDeckLoaded)] == ["", "", ""]


async def test_the_button_on_the_machine_starts_a_shuffle_too(tmp_path: Path) -> None:
    async with shuffler_table(tmp_path, THREES) as table:
        table.machine.load()
        table.machine.press_shuffle()
        await table.machine.wait_phase("ready")
        await table.machine.wait_taken()
        (started,) = table.controller.all(ShuffleStarted)
        assert (started.shuffle_no, started.by) == (1, "hand")
        assert await table.deal(1, 3)


async def test_no_stack_leaves_without_a_permit_nor_while_another_lies_in_the_tray(tmp_path: Path) -> None:
    async with shuffler_table(tmp_path, THREES) as table:
        await table.shuffled()
        assert not table.machine.is_moving
        table.controller.dispense(2, 3)
        await table.machine.wait_tray()
        await table.machine.wait_taken()
        assert not table.machine.is_moving
        assert (table.machine.stacks, table.machine.up_to) == (1, 2)
        table.machine.take()
        await table.machine.wait_tray()
        table.machine.take()
        await table.machine.wait_taken()
        assert not table.machine.is_moving
        assert table.machine.stacks == 2


async def test_of_several_permits_the_last_one_counts_also_when_it_is_lower(tmp_path: Path) -> None:
    async with shuffler_table(tmp_path, THREES) as table:
        await table.shuffled()
        table.controller.dispense(5, 3)
        await table.machine.wait_tray()
        await table.machine.wait_taken()
        table.controller.dispense(0, 3)
        await table.machine.link.wait_until(lambda: table.machine.up_to == 1)
        table.machine.take()
        await table.machine.wait_taken()
        assert not table.machine.is_moving
        assert table.machine.stacks == 1


async def test_a_command_that_is_given_twice_is_done_once(tmp_path: Path) -> None:
    async with shuffler_table(tmp_path, THREES) as table:
        controller, machine = table.controller, table.machine
        await table.shuffled()
        controller.driver.shuffle(boot=controller.boot, deck_no=1, shuffle_no=1)
        permit = {"boot": controller.boot, "known": controller.known, "deck_no": 1, "up_to": 1, "size": 3}
        controller.driver.dispense(**permit)
        await machine.wait_tray()
        machine.take()
        await machine.wait_taken()
        controller.driver.dispense(**permit)
        await table.unloaded()
        controller.driver.unload(boot=controller.boot, deck_no=1)
        controller.driver.ask_meters()
        meters = await controller.next(Meters)
        assert (meters.shuffles, meters.stacks, meters.jams) == (1, 1, 0)
        assert meters.cards == 52 + 3 + 49
        assert len(controller.all(DeckUnloaded)) == 1
        assert not controller.all(Refused)


async def test_noise_on_the_wire_costs_retransmissions_and_never_a_stack(tmp_path: Path) -> None:
    async with shuffler_table(tmp_path, THREES, seed=5, noise=NOISE) as table:
        await table.shuffled()
        taken = [stack for _ in range(5) for stack in await table.deal(3, 3)]
        events = {(stack.boot, stack.event_no): stack.cards for stack in table.controller.all(StackDispensed)}
        assert [list(cards) for cards in events.values()] == taken
        ours, theirs = table.controller.supervisor.statistics["shuffler"], table.machine.link.statistics
        assert ours.retransmissions + theirs.retransmissions > 0
        assert ours.framing.crc_errors + theirs.framing.crc_errors > 0


async def test_an_online_shuffler_has_reported_its_identity_its_status_and_its_meters(tmp_path: Path) -> None:
    async with shuffler_table(tmp_path, SEVENS) as table:
        await table.controller.until(lambda: bool(table.controller.all(Meters)))
        boot = table.machine.boot
        reports = [report for report in table.controller.reports if not isinstance(report, DeviceVetted)]
        status = Status(
            boot=boot,
            event_no=0,
            phase="empty",
            mode=SEVENS,
            deck_no=0,
            back=None,
            shuffle_no=0,
            stacks=0,
            up_to=0,
            size=0,
            cards_left=None,
            tray=False,
            door_open=False,
            test_no=0,
        )
        expected: list[Report] = [
            DeviceState(device="shuffler", state="connecting"),
            DeviceAnswer(device="shuffler", body=status),
            DeviceState(
                device="shuffler",
                state="online",
                model="SIM-SHUFFLER",
                serial="SIM-0002",
                firmware="1.0.0",
                boot=boot,
                draws=0,
                deck_no=0,
                up_to=0,
            ),
            DeviceAnswer(device="shuffler", body=Meters(shuffles=0, cards=0, stacks=0, jams=0, hours=0)),
        ]
        assert reports == expected


async def test_the_configured_mode_is_set_when_the_machine_comes(tmp_path: Path) -> None:
    options = {"mode": "stacks", "stack": 7, "jokers": 1}
    async with shuffler_table(tmp_path, Mode(kind="batch"), options=options) as table:
        changed = await table.controller.next(ModeChanged)
        assert (changed.mode, changed.mode.cards_in_deck, changed.by) == (SEVENS, 53, "controller")
        assert table.machine.mode == SEVENS


async def test_a_mode_waits_until_the_deck_is_out(tmp_path: Path) -> None:
    async with shuffler_table(tmp_path, THREES) as table:
        await table.shuffled()
        table.controller.driver.set_mode(SEVENS)
        assert await table.controller.refusal() == ("set mode", "busy")
        assert table.machine.mode == THREES
        await table.unloaded()
        await table.machine.link.wait_until(lambda: table.machine.mode == SEVENS)


async def test_a_self_test_says_which_parts_failed(tmp_path: Path) -> None:
    async with shuffler_table(tmp_path, THREES) as table:
        table.controller.self_test()
        assert fields(await table.controller.next(SelfTestEnded)) == (SelfTestEnded, 1, ())
        table.machine.break_part("random source", quietly=True)
        table.machine.break_part("reader", quietly=True)
        table.controller.self_test()
        assert fields(await table.controller.next(SelfTestEnded)) == (SelfTestEnded, 2, ("reader", "random source"))
        await table.machine.wait_phase("out of order")
        table.machine.fix()
        table.controller.self_test()
        await table.controller.next(SelfTestEnded)
        await table.machine.wait_phase("empty")


async def test_the_same_seed_gives_the_same_reports_byte_for_byte(tmp_path: Path) -> None:
    stories = []
    for run in ("first", "second"):
        (tmp_path / run).mkdir()
        async with shuffler_table(tmp_path / run, SEVENS, seed=42) as table:
            await table.shuffled(face_up=["9h"])
            await table.unloaded()
            await table.shuffled()
            await table.deal(7, 7)
            stories.append([r for r in table.controller.reports if isinstance(r, DeviceEvent)])
    assert stories[0] == stories[1]
    seconds = 2 * 53 * SHUFFLE_CARD + 53 * UNLOAD_CARD + 49 * DISPENSE_CARD
    assert stories[0][-1].uptime_ms == round(seconds * 1000)
