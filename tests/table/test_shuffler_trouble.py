"""What goes wrong at a shuffler, and that nothing is dealt on by somebody who does not know of it."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from pathlib import Path

import pytest

from devices.drivers.shuffler import CheckedDeckLoaded, Refused, ShufflerDriver
from devices.options import OptionsError
from devices.reports import DeviceEvent, DeviceState
from devices.spec import DeviceSpec
from protocols import shoe
from protocols.errors import ProtocolError
from protocols.link import identity
from protocols.shuffler import messages as wire
from protocols.shuffler.codec import decode, encode
from protocols.shuffler.messages import (
    BoxedCard,
    DeckUnloaded,
    DeckVerified,
    DoorMoved,
    Fault,
    JamCleared,
    Jammed,
    Meters,
    Mode,
    ModeChanged,
    StackDispensed,
)
from sim_hw.devices.link_peer import LinkPeer
from sim_hw.wire.pty import Pty
from tests.support.wire.listener import has_body, running
from tests.support.wire.shufflers import SEVENS, THREES, Controller, ShufflerTable, shuffler_table

DECK = Counter(THREES.whole_deck)


async def verified(table: ShufflerTable, **mistakes: object) -> DeckVerified:
    await table.shuffled(**mistakes)  # type: ignore[arg-type]
    return table.controller.all(DeckVerified)[-1]


@pytest.mark.parametrize(
    ("mistakes", "problem"),
    [
        ({"without": ["4h"]}, "51 cards, 52 expected; missing 4h"),
        ({"extra": ["Ks", "Jo"]}, "54 cards, 52 expected; too many Jo, Ks"),
        ({"without": ["4h", "2c"], "extra": ["Ks", "9d*"]}, "missing 2c, 4h; too many Ks, 9d*"),
        ({"face_up": ["7d"]}, "1 face up; missing 7d"),
        ({"strange_backs": 2}, "2 with another back"),
        ({"cards": ["2c", "Ah"]}, "2 cards, 52 expected; missing 3c, 4c, 5c"),
    ],
)
async def test_a_deck_that_is_not_whole_is_named_and_not_dealt(
    tmp_path: Path, mistakes: dict[str, object], problem: str
) -> None:
    async with shuffler_table(tmp_path, THREES) as table:
        found = await verified(table, **mistakes)
        assert problem in found.problem
        assert table.machine.phase == "rejected"
        table.controller.dispense(1, 3)
        assert await table.controller.refusal() == ("dispense", "not fit")
        assert not table.controller.all(StackDispensed)
        await table.unloaded()


async def test_a_machine_that_does_not_read_counts_and_names_no_card(tmp_path: Path) -> None:
    async with shuffler_table(tmp_path, THREES, reads_cards=False) as table:
        found = await verified(table, without=["4h"], face_up=["7d"])
        assert found.problem == "51 cards, 52 expected; 1 face up"
        assert (found.missing, found.extra) == ((), ())


async def test_more_cards_than_fit_into_a_message_are_said_to_be_more(tmp_path: Path) -> None:
    async with shuffler_table(tmp_path, THREES) as table:
        found = await verified(table, cards=["2c"])
        assert len(found.missing) == 40
        assert found.more
        assert found.problem.endswith(", and more")


async def test_a_counter_that_errs_and_a_reader_that_fails_are_not_passed_over(tmp_path: Path) -> None:
    async with shuffler_table(tmp_path, THREES) as table:
        table.machine.miscount(-1)
        assert (await verified(table)).problem == "51 cards, 52 expected"
        assert len(await table.unloaded()) == 52
        (unloaded,) = table.controller.all(DeckUnloaded)
        assert unloaded.is_wrong_count
        table.machine.fail_reads(1)
        assert (await verified(table)).problem.startswith("1 not read; missing ")


async def test_a_boxed_card_found_in_the_shuffle_is_reported_with_its_place(tmp_path: Path) -> None:
    async with shuffler_table(tmp_path, THREES) as table:
        await table.shuffled(face_up=["7d", "9h"])
        boxed = table.controller.all(BoxedCard)
        places = [THREES.whole_deck.index(card) + 1 for card in ("7d", "9h")]
        assert [(card.card_no, card.stack_no) for card in boxed] == [(place, 0) for place in places]


async def test_a_sorted_deck_is_reported_as_not_shuffled_and_not_dealt(tmp_path: Path) -> None:
    async with shuffler_table(tmp_path, Mode(kind="sort")) as table:
        found = await verified(table)
        assert (found.order, found.problem) == ("sorted", "sorted, not shuffled")
        assert table.machine.phase == "sorted"
        table.controller.dispense(1, 3)
        assert await table.controller.refusal() == ("dispense", "not shuffled")
        assert await table.unloaded() == THREES.whole_deck


async def test_a_person_at_the_machines_panel_is_reported_and_has_control_until_the_deck_is_out(tmp_path: Path) -> None:
    options = {"mode": "stacks", "stack": 3}
    async with shuffler_table(tmp_path, THREES, options=options) as table:
        table.machine.choose_mode(Mode(kind="sort"))
        changed = await table.controller.next(ModeChanged)
        assert (changed.mode.kind, changed.by) == ("sort", "hand")
        assert (await verified(table)).order == "sorted"
        await table.unloaded()
        await table.machine.link.wait_until(lambda: table.machine.mode == THREES)


async def test_a_jam_in_mid_deal_reports_its_place_and_ends_the_permit(tmp_path: Path) -> None:
    async with shuffler_table(tmp_path, THREES) as table:
        controller, machine = table.controller, table.machine
        await table.shuffled()
        first = await table.deal(1, 3)
        machine.jam_at(2, "out-feed")
        controller.dispense(4, 3)
        jam = await controller.next(Jammed)
        assert (jam.during, jam.where, jam.card_no, jam.stack_no, jam.in_stack) == ("dispensing", "out-feed", 2, 2, 1)
        controller.unload()
        assert await controller.refusal() == ("unload", "jammed")
        machine.clear_jam()
        await controller.next(JamCleared)
        assert (machine.phase, machine.up_to) == ("held", 1)
        controller.dispense(4, 3)
        assert await controller.refusal() == ("dispense", "held")
        rest = await table.unloaded()
        assert Counter(sum(first, rest)) == DECK
        assert len(controller.all(StackDispensed)) == 1
        controller.driver.ask_meters()
        assert (await controller.next(Meters)).jams == 1


async def test_a_jam_in_mid_shuffle_leaves_a_deck_that_can_only_be_unloaded(tmp_path: Path) -> None:
    async with shuffler_table(tmp_path, THREES) as table:
        table.machine.jam_at(31)
        table.machine.load()
        table.machine.press_shuffle()
        jam = await table.controller.next(Jammed)
        assert (jam.during, jam.where, jam.card_no, jam.stack_no) == ("shuffling", "rack", 31, 0)
        table.machine.clear_jam()
        await table.machine.wait_taken()
        table.controller.shuffle()
        assert await table.controller.refusal() == ("shuffle", "held")
        assert Counter(await table.unloaded()) == DECK
        assert not table.controller.all(DeckVerified)
        (unloaded,) = table.controller.all(DeckUnloaded)
        assert (unloaded.count, unloaded.expected) == (52, None)


async def test_a_jam_while_unloading_is_cleared_and_the_count_is_of_all_cards(tmp_path: Path) -> None:
    async with shuffler_table(tmp_path, THREES) as table:
        await table.shuffled()
        table.machine.jam_at(10, "tray")
        table.controller.unload()
        await table.controller.next(Jammed)
        table.machine.clear_jam()
        await table.machine.wait_taken()
        taken = table.machine.take()
        taken += await table.unloaded()
        assert Counter(taken) == DECK
        (unloaded,) = table.controller.all(DeckUnloaded)
        assert (unloaded.count, unloaded.expected) == (52, 52)


async def test_a_card_that_turns_up_boxed_in_the_deal_stops_it_until_it_is_permitted_anew(tmp_path: Path) -> None:
    async with shuffler_table(tmp_path, SEVENS) as table:
        controller, machine = table.controller, table.machine
        await table.shuffled()
        machine.turn_card(10)
        controller.dispense(7, 7)
        for _ in range(2):
            await machine.wait_tray()
            machine.take()
        await machine.wait_taken()
        (boxed,) = controller.all(BoxedCard)
        assert (boxed.stack_no, boxed.card_no) == (2, 3)
        assert controller.all(StackDispensed)[1].cards[2] is None
        assert not machine.is_moving
        assert machine.stacks == 2
        assert len(await table.deal(5, 7)) == 5


@pytest.mark.parametrize("by", [1, -1])
@pytest.mark.clause("MD-36.05.03.27")
async def test_a_stack_with_a_wrong_count_stops_the_deal(tmp_path: Path, by: int) -> None:
    async with shuffler_table(tmp_path, THREES) as table:
        await table.shuffled()
        table.machine.misfeed(by)
        table.controller.dispense(5, 3)
        await table.machine.wait_tray()
        assert len(table.machine.take()) == 3 + by
        await table.machine.wait_taken()
        (stack,) = table.controller.all(StackDispensed)
        assert stack.is_wrong_count
        assert (table.machine.stacks, table.machine.up_to) == (1, 1)
        await table.unloaded()
        (unloaded,) = table.controller.all(DeckUnloaded)
        assert (unloaded.count, unloaded.expected) == (49 - by, 49 - by)


async def test_a_permit_that_was_given_without_knowing_of_an_irregularity_is_refused(tmp_path: Path) -> None:
    async with shuffler_table(tmp_path, THREES) as table:
        controller, machine = table.controller, table.machine
        await table.shuffled()
        machine.turn_card(1)
        controller.hold = asyncio.Event()
        controller.dispense(1, 3)
        await machine.wait_tray()
        machine.take()
        controller.driver.dispense(boot=controller.boot, known=controller.known, deck_no=1, up_to=2, size=3)
        controller.hold.set()
        assert await controller.refusal() == ("dispense", "irregularity")
        await machine.wait_taken()
        assert machine.stacks == 1
        assert await table.deal(1, 3)


async def test_a_door_that_is_opened_over_a_shuffled_deck_makes_it_unfit(tmp_path: Path) -> None:
    async with shuffler_table(tmp_path, THREES) as table:
        controller, machine = table.controller, table.machine
        await table.shuffled()
        machine.move_door(is_open=True)
        await controller.next(DoorMoved)
        controller.unload()
        assert await controller.refusal() == ("unload", "door open")
        machine.move_door(is_open=False)
        await machine.wait_taken()
        controller.dispense(1, 3)
        assert await controller.refusal() == ("dispense", "held")
        assert Counter(await table.unloaded()) == DECK


async def test_a_door_that_is_opened_in_mid_stack_stops_the_motor_at_once(tmp_path: Path) -> None:
    async with shuffler_table(tmp_path, THREES) as table:
        await table.shuffled()
        table.controller.dispense(1, 3)
        await table.machine.link.wait_until(lambda: table.machine.is_moving)
        table.machine.move_door(is_open=True)
        assert not table.machine.is_moving
        cards = table.machine.take_out_by_hand()
        table.machine.move_door(is_open=False)
        await table.machine.wait_taken()
        assert Counter(cards) == DECK
        (unloaded,) = table.controller.all(DeckUnloaded)
        assert unloaded.count is None
        assert not unloaded.is_wrong_count
        assert not table.controller.all(StackDispensed)
        await table.shuffled()
        assert await table.deal(1, 3)


async def test_a_machine_that_breaks_is_out_of_order_until_a_self_test_passes(tmp_path: Path) -> None:
    async with shuffler_table(tmp_path, THREES) as table:
        controller, machine = table.controller, table.machine
        await table.shuffled()
        machine.break_part("out-feed")
        assert (await controller.next(Fault)).part == "out-feed"
        controller.dispense(1, 3)
        assert await controller.refusal() == ("dispense", "out of order")
        controller.unload()
        assert await controller.refusal() == ("unload", "out of order")
        controller.self_test()
        assert await controller.refusal() == ("self test", "out of order")
        machine.move_door(is_open=True)
        machine.take_out_by_hand()
        machine.move_door(is_open=False)
        machine.fix()
        await machine.wait_taken()
        controller.self_test()
        await machine.wait_phase("empty")
        await machine.wait_taken()
        await table.shuffled()


async def test_what_a_machine_refuses_it_says_why(tmp_path: Path) -> None:
    async with shuffler_table(tmp_path, THREES) as table:
        controller, machine, driver = table.controller, table.machine, table.controller.driver
        boot = machine.boot
        controller.shuffle()
        assert await controller.refusal() == ("shuffle", "other deck")
        machine.load()
        await machine.wait_taken()
        driver.shuffle(boot=boot, deck_no=1, shuffle_no=3)
        assert await controller.refusal() == ("shuffle", "out of turn")
        controller.dispense(1, 3)
        assert await controller.refusal() == ("dispense", "not shuffled")
        controller.self_test()
        assert await controller.refusal() == ("self test", "busy")
        machine.press_shuffle()
        await machine.wait_phase("ready")
        await machine.wait_taken()
        controller.dispense(1, 5)
        assert await controller.refusal() == ("dispense", "wrong size")
        controller.dispense(18, 3)
        assert await controller.refusal() == ("dispense", "too few cards")
        driver.dispense(boot=boot, known=controller.known, deck_no=2, up_to=1, size=3)
        assert await controller.refusal() == ("dispense", "other deck")
        driver.unload(boot=boot, deck_no=2)
        assert await controller.refusal() == ("unload", "other deck")
        driver.self_test(boot=boot, test_no=5)
        assert await controller.refusal() == ("self test", "out of turn")
        assert machine.stacks == 0


async def test_stacks_of_a_batch_are_refused(tmp_path: Path) -> None:
    async with shuffler_table(tmp_path, Mode(kind="batch")) as table:
        await table.shuffled()
        table.controller.dispense(1, 3)
        assert await table.controller.refusal() == ("dispense", "wrong mode")


async def test_a_power_cut_in_mid_shuffle_leaves_a_deck_to_be_unloaded_and_drops_every_request(
    tmp_path: Path,
) -> None:
    async with shuffler_table(tmp_path, THREES) as table:
        controller, machine = table.controller, table.machine
        machine.load()
        await machine.wait_taken()
        before = controller.boot
        controller.shuffle()
        await machine.link.wait_until(lambda: machine.is_moving)
        machine.power_cycle()
        controller.driver.shuffle(boot=before, deck_no=1, shuffle_no=2)
        await controller.until(lambda: controller.states[-1] == "offline")
        status = await controller.online()
        assert status.boot == machine.boot != before
        assert (status.phase, status.deck_no, status.shuffle_no) == ("held", 1, 0)
        assert controller.all(CheckedDeckLoaded)[-1].found
        assert Counter(await table.unloaded()) == DECK
        assert not controller.all(Refused)
        await table.shuffled()
        assert await table.deal(1, 3)


async def test_a_pulled_cable_in_mid_deal_loses_no_stack_and_keeps_the_permit(tmp_path: Path) -> None:
    async with shuffler_table(tmp_path, THREES) as table:
        controller, machine = table.controller, table.machine
        await table.shuffled()
        controller.dispense(4, 3)
        taken = []
        await machine.wait_tray()
        taken.append(machine.take())
        machine.unplug()
        for _ in range(2):
            await machine.wait_tray()
            taken.append(machine.take())
        await controller.until(lambda: controller.states[-1] == "offline")
        machine.plug()
        status = await controller.online()
        assert (status.stacks, status.tray) == (4, True)
        taken.append(machine.take())
        await machine.wait_taken()
        stacks = {(stack.boot, stack.event_no): stack for stack in controller.all(StackDispensed)}.values()
        assert [list(stack.cards) for stack in stacks] == taken
        assert [stack.stack_no for stack in stacks] == [1, 2, 3, 4]


async def test_what_is_requested_while_the_machine_is_away_is_done_when_it_is_back(tmp_path: Path) -> None:
    async with shuffler_table(tmp_path, THREES) as table:
        await table.shuffled()
        table.machine.unplug()
        await table.controller.until(lambda: table.controller.states[-1] == "offline")
        table.controller.dispense(1, 3)
        table.controller.dispense(2, 3)
        table.machine.plug()
        await table.machine.wait_tray()
        assert table.machine.up_to == 2


async def test_a_request_to_dispense_is_forgotten_when_something_irregular_comes_first(tmp_path: Path) -> None:
    async with shuffler_table(tmp_path, THREES) as table:
        controller, machine = table.controller, table.machine
        await table.shuffled()
        machine.unplug()
        await controller.until(lambda: controller.states[-1] == "offline")
        controller.dispense(2, 3)
        machine.move_door(is_open=True)
        machine.move_door(is_open=False)
        machine.plug()
        await controller.next(Meters)
        assert len(controller.all(DoorMoved)) == 2
        assert not controller.all(Refused)


async def test_a_stack_that_the_sink_could_not_take_comes_again_under_the_same_number(tmp_path: Path) -> None:
    async with shuffler_table(tmp_path, THREES) as table:
        controller, machine = table.controller, table.machine
        await table.shuffled()
        controller.refuses = lambda report: has_body(report, StackDispensed) and "offline" not in controller.states
        (taken,) = await table.deal(1, 3)
        await controller.online()
        assert controller.states[-2:] == ["offline", "online"]
        (stack,) = controller.all(StackDispensed)
        assert list(stack.cards) == taken
        numbers = [report.event_no for report in controller.reports if isinstance(report, DeviceEvent)]
        assert numbers == list(range(1, len(numbers) + 1))
        assert not machine.is_moving


async def test_a_shoe_on_the_shufflers_port_is_named(tmp_path: Path) -> None:
    port = Pty(tmp_path, "shuffler")
    peer = LinkPeer(port, shoe.DEVICE_CLASS, lambda _: None, rng=random.Random(1))
    peer.plug()
    async with running(Controller(str(port.path), {}, None)) as controller:
        await controller.until(lambda: controller.states[-1:] == ["wrong_device"])
        wrong = controller.all(DeviceState)[-1]
        assert wrong.detail == f"the device on {port.path} is a shoe, not a shuffler"
    peer.unplug()


async def test_a_machine_whose_answer_does_not_fit_is_not_believed(tmp_path: Path) -> None:
    def liar(request: bytes) -> None:
        match decode(request):
            case identity.Identify():
                answer: wire.Message = identity.Identity(boot=9, model="m", serial="s", firmware="f")
            case identity.StatusRequest():
                answer = wire.Status(
                    boot=9,
                    event_no=0,
                    phase="ready",
                    mode=THREES,
                    deck_no=1,
                    back="red",
                    shuffle_no=1,
                    stacks=0,
                    up_to=0,
                    size=0,
                    cards_left=52,
                    tray=False,
                    door_open=False,
                    test_no=0,
                )
            case wire.MetersRequest():
                answer = wire.Meters(shuffles=0, cards=0, stacks=0, jams=0, hours=0)
            case _:
                answer = wire.DispenseState(boot=9, deck_no=1, stacks=0, up_to=9, size=3, refused=None)
        peer.post(encode(answer), keep=False)

    port = Pty(tmp_path, "shuffler")
    peer = LinkPeer(port, wire.DEVICE_CLASS, liar, rng=random.Random(1))
    peer.plug()
    async with running(Controller(str(port.path), {}, None)) as controller:
        await controller.online()
        controller.dispense(1, 3)
        await controller.until(lambda: controller.states[-1] == "offline")
        detail = controller.all(DeviceState)[-1].detail
        assert detail.startswith("the shuffler answered Dispense(")
    peer.unplug()


def driver_with(**options: object) -> ShufflerDriver:
    return ShufflerDriver(DeviceSpec(id="ace", kind="shuffler", url="anywhere", options=options))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"colour": "red"}, "there is no field colour"),
        ({"mode": "sort"}, "'sort'"),
        ({"mode": "stacks"}, "a stack has 1 to 60"),
        ({"mode": "stacks", "stack": 3, "ranks": "A2"}, "ranks stand in the order"),
        ({"stack": 3}, "need `mode"),
        ({"backs": ["red", "red"]}, "its own colour"),
        ({"backs": ["pink"]}, "'pink'"),
        ({"jokers": "one"}, "options.jokers"),
    ],
)
def test_options_that_cannot_be_are_refused_with_the_device_and_the_key(options: dict[str, object], says: str) -> None:
    with pytest.raises(OptionsError, match="the shuffler 'ace'") as refused:
        driver_with(**options)
    assert says in str(refused.value)


def test_a_command_that_does_not_fit_the_wire_is_the_callers_mistake() -> None:
    driver = driver_with()
    with pytest.raises(ProtocolError, match="does not fit the wire"):
        driver.dispense(boot=1, known=0, deck_no=1, up_to=1, size=0)
    with pytest.raises(ProtocolError, match="does not fit the wire"):
        driver.set_mode(Mode(kind="stacks"))
