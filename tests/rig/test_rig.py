"""The rig: devices of a plan in one folder, hands and faults by name."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from devices.drivers.card_reader.driver import CardScanned
from devices.ports.usb_remote import SOCKET
from devices.spec import DeviceSpec
from protocols.dice_cup import DiceRead
from protocols.shoe import CardDrawn, Overdraw
from sim_hw.devices.drop_box.device import DropBoxes
from sim_hw.devices.kinds import NAMES, DevicePlan, Wrong
from sim_hw.devices.reader_board.device import SimulatedReaderBoard
from sim_hw.devices.shoe import SimulatedShoe
from sim_hw.devices.shuffler.device import SimulatedShuffler
from sim_hw.rig.faults import all_faults
from sim_hw.rig.rig import Rig
from sim_hw.wire.noise import Noise
from tests.support.wire.listener import has_body, listening

OPTIONS: dict[str, dict[str, Any]] = {
    "drop_box": {"sensors": [{"unit": 1, "box": "collection"}, {"unit": 2, "box": "jackpot"}], "parity": "none"},
    "shuffler": {"mode": "stacks", "stack": 2, "packet": 5},
}


def plan(*kinds: str) -> dict[str, DevicePlan]:
    return {kind: DevicePlan(kind, options=OPTIONS.get(kind, {})) for kind in kinds}


def spec(rig: Rig, name: str) -> DeviceSpec:
    device = rig.plan[name]
    return DeviceSpec(id=name, kind=device.kind, url=rig.url(name), options=device.options)


# Where the devices appear


async def test_every_kind_of_device_stands_in_one_folder_under_its_name(tmp_path: Path) -> None:
    with Rig(tmp_path, plan(*NAMES)) as rig:
        assert set(rig.models) == set(NAMES)
        for kind in NAMES:
            assert rig[kind].is_plugged
            if kind != "card_reader":
                assert rig.url(kind) == str(tmp_path / kind)
                assert (tmp_path / kind).exists()
        assert rig.environment() == {SOCKET: str(tmp_path / "usb")}
    assert not any((tmp_path / kind).is_symlink() for kind in NAMES)
    assert not (tmp_path / "usb").exists()


async def test_a_shoe_on_tcp_is_a_shoe(tmp_path: Path) -> None:
    with Rig(tmp_path, {"shoe": DevicePlan("shoe", on="tcp")}) as rig:
        assert rig.url("shoe").startswith("socket://127.0.0.1:")
        async with listening(spec(rig, "shoe")) as controller:
            await controller.online()
            shoe = rig.of(SimulatedShoe, "shoe")
            shoe.load(cards=["9h", "2c"])
            shoe.force_draw()
            where = rig.url("shoe")
            await rig.fault("unplug", "shoe")
            await controller.gone()
            await rig.fix("unplug", "shoe")
            assert rig.url("shoe") == where
            await controller.online()


async def test_a_card_reader_is_reached_over_a_socket_by_the_drivers_own_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Rig(tmp_path, plan("card_reader")) as rig:
        monkeypatch.setenv(SOCKET, rig.environment()[SOCKET])
        async with listening(spec(rig, "card_reader")) as controller:
            state = await controller.online()
            assert state.serial == "SIM-0001"
            await rig.act("card_reader", "scan", cards="9h Td")
            await controller.wait_for(CardScanned, 2)
            assert [report.card for report in controller.of(CardScanned)] == ["9h", "Td"]
            await rig.fault("unplug", "card_reader")
            await controller.gone()
            await rig.fix("unplug", "card_reader")
            await controller.online()
            await rig.act("card_reader", "scan", cards="2c")
            assert (await controller.wait_for(CardScanned, 3)).card == "2c"


async def test_a_real_port_takes_the_place_of_a_device(tmp_path: Path) -> None:
    with Rig(tmp_path, {"shoe": DevicePlan("shoe", port="/dev/ttyUSB0")}) as rig:
        assert rig.devices_config()[0]["url"] == "/dev/ttyUSB0"
        with pytest.raises(Wrong, match="real one, on /dev/ttyUSB0"):
            await rig.act("shoe", "load")


# Hands


async def test_cards_come_as_they_were_scripted(tmp_path: Path) -> None:
    with Rig(tmp_path, plan("shoe")) as rig:
        async with listening(spec(rig, "shoe")) as controller:
            await controller.online()
            assert await rig.act("shoe", "load", cards="9h 2c Td", cut_card_at=2) == ["9h", "2c", "Td"]
            out = [await rig.act("shoe", "pull_hard") for _ in range(4)]
            assert out == ["9h", "2c", "cut card", "Td"]


async def test_one_seed_is_one_order_of_cards_and_two_shoes_are_two(tmp_path: Path) -> None:
    def orders(seed: int) -> list[object]:
        rig = Rig(tmp_path, {"one": DevicePlan("shoe"), "two": DevicePlan("shoe")}, seed=seed)
        for name in ("one", "two"):
            rig.of(SimulatedShoe, name).load(1)
        return [rig.of(SimulatedShoe, name).order for name in ("one", "two")]

    first, again, other = orders(7), orders(7), orders(8)
    assert first == again != other
    assert first[0] != first[1]


async def test_the_dice_fall_as_the_story_needs_them(tmp_path: Path) -> None:
    with Rig(tmp_path, plan("dice_cup")) as rig:
        async with listening(spec(rig, "dice_cup")) as controller:
            await controller.online()
            assert await rig.act("dice_cup", "throw", shows=[1, 6, 6]) == [1, 6, 6]
            assert (await controller.wait_for(DiceRead)).values == (1, 6, 6)
            with pytest.raises(Wrong, match="dice show 1 to 6"):
                await rig.act("dice_cup", "throw", shows=[7])


async def test_a_box_fills_and_says_so(tmp_path: Path) -> None:
    boxes_plan = {"boxes": DevicePlan("drop_box", options=OPTIONS["drop_box"], model={"capacity": 5})}
    with Rig(tmp_path, boxes_plan) as rig:
        assert await rig.act("boxes", "drop", pieces=4) == 4
        sensor = rig.of(DropBoxes, "boxes").sensor("collection")
        assert sensor.reading().faults == ()
        assert await rig.act("boxes", "drop") == 5
        assert sensor.reading().faults == ("box full",)
        assert await rig.act("boxes", "take_box") == 5
        await rig.act("boxes", "put_box", id="BOX-2")
        assert sensor.reading().faults == ()


async def test_the_board_is_seen_as_text_and_as_a_picture(tmp_path: Path) -> None:
    with Rig(tmp_path / "rig", plan("reader_board")) as rig:
        assert rig.of(SimulatedReaderBoard, "reader_board").signs[0].pages == []
        await rig.act("reader_board", "picture", to=str(tmp_path / "sign.png"))
        assert (tmp_path / "sign.png").read_bytes().startswith(b"\x89PNG")


async def test_a_slip_of_the_pen_is_a_sentence(tmp_path: Path) -> None:
    with Rig(tmp_path, plan("shoe")) as rig:
        with pytest.raises(Wrong, match=r"a shoe has no act 'peel'; it has .*draw"):
            await rig.act("shoe", "peel")
        with pytest.raises(Wrong, match="it has no card; it has decks, cards, cut_card_at"):
            await rig.act("shoe", "load", card="9h")
        with pytest.raises(Wrong, match="times: expected a whole number, a text came"):
            await rig.act("shoe", "draw", times="two")
        with pytest.raises(Wrong, match="there is no device 'shuffler'"):
            await rig.act("shuffler", "take")
        with pytest.raises(Wrong, match="a shoe cannot have the fault jam"):
            await rig.fault("jam", "shoe")
        with pytest.raises(Wrong, match="there is no fault 'gremlins'"):
            await rig.fault("gremlins", "shoe")
        assert rig.story == []


# Faults


@pytest.mark.parametrize(("name", "kind"), [(name, kind) for name, kinds in all_faults().items() for kind in kinds])
async def test_a_fault_can_begin_and_be_fixed(name: str, kind: str, tmp_path: Path) -> None:
    with Rig(tmp_path, plan(kind)) as rig:
        if name == "boxed_card":
            rig.of(SimulatedShuffler, kind).load("red")
        elif name in ("lose_cards", "repeat_number"):
            shoe = rig.of(SimulatedShoe, kind)
            shoe.load(1)
            shoe.force_draw()
        await rig.fault(name, kind)
        await rig.fix(name, kind)
        assert rig[kind].is_plugged
        assert [done.what for done in rig.story] == ["fault", "fix"]


async def test_a_bad_wire_is_bad_until_it_is_fixed(tmp_path: Path) -> None:
    with Rig(tmp_path, plan("shoe"), seed=3) as rig:
        shoe = rig.of(SimulatedShoe, "shoe")
        async with listening(spec(rig, "shoe")) as controller:
            await controller.online()
            for fault, rate in (("bit_errors", 0.001), ("lost_bytes", 0.01), ("doubled_bytes", 0.01)):
                await rig.fault(fault, "shoe", rate=rate)
            shoe.load(cards=["9h"] * 60)
            for _ in range(40):
                shoe.force_draw()
            await rig.fix("bit_errors", "shoe")
            assert shoe.link.line.noise == Noise()
            async with asyncio.timeout(30):
                await shoe.wait_taken()
            numbers = [report.event_no for report in controller.reports if hasattr(report, "event_no")]
            assert numbers == sorted(set(numbers)), "an event was lost or came twice"
            assert shoe.link.statistics.retransmissions > 0, "the wire was not bad"


async def test_a_stuck_device_is_away_although_its_port_is_there(tmp_path: Path) -> None:
    with Rig(tmp_path, plan("shoe")) as rig:
        async with listening(spec(rig, "shoe")) as controller:
            await controller.online()
            await rig.fault("stuck", "shoe")
            rig.of(SimulatedShoe, "shoe").load(cards=["9h"])
            await controller.gone()
            assert (tmp_path / "shoe").exists()
            await rig.fix("stuck", "shoe")
            await controller.online()
            await rig.of(SimulatedShoe, "shoe").wait_taken()


async def test_a_slow_device_answers_late_and_completely(tmp_path: Path) -> None:
    with Rig(tmp_path, plan("shoe")) as rig:
        shoe = rig.of(SimulatedShoe, "shoe")
        async with listening(spec(rig, "shoe")) as controller:
            await controller.online()
            await rig.fault("slow", "shoe", seconds=0.05)
            shoe.load(cards=["9h", "2c"])
            await rig.act("shoe", "pull_hard")
            await shoe.wait_taken()
            assert has_body(controller.reports[-1], Overdraw)


async def test_a_rate_is_a_chance_before_each_thing_that_is_done(tmp_path: Path) -> None:
    rig = Rig(tmp_path, plan("shoe"), seed=1)
    await rig.fault("misread", "shoe", rate=0.3)
    due = [bool(rig.faults.due("shoe")) for _ in range(200)]
    assert 30 < sum(due) < 90
    await rig.fix("misread", "shoe")
    assert not any(rig.faults.due("shoe") for _ in range(50))
    with pytest.raises(Wrong, match="from 0 to 1"):
        await rig.fault("misread", "shoe", rate=2)


async def test_a_reader_that_never_reads_gives_cards_without_a_name(tmp_path: Path) -> None:
    with Rig(tmp_path, plan("shoe")) as rig:
        shoe = rig.of(SimulatedShoe, "shoe")
        async with listening(spec(rig, "shoe")) as controller:
            await controller.online()
            await rig.act("shoe", "load", cards="9h 2c")
            await rig.fault("misread", "shoe", rate=1.0)
            shoe.permit = 1
            await rig.act("shoe", "draw")
            assert (await controller.wait_for(CardDrawn)).card is None


def test_a_drop_box_on_a_terminal_is_configured_without_parity(tmp_path: Path) -> None:
    """A pseudo-terminal has none, and a plan need not know that."""
    boxes = {"sensors": [{"unit": 1, "box": "collection"}]}
    (on_terminal,) = Rig(tmp_path, {"boxes": DevicePlan("drop_box", options=boxes)}).devices_config()
    assert on_terminal["options"] == {**boxes, "parity": "none", "answer_ms": 2000}


async def test_a_busy_machine_has_time_to_answer_for_a_sensor(tmp_path: Path) -> None:
    """A rig's daemon waits two seconds for a sensor, unless the plan says otherwise."""
    options = OPTIONS["drop_box"]
    with Rig(tmp_path, {"boxes": DevicePlan("drop_box", options=options)}) as rig:
        (config,) = rig.devices_config()
        assert config["options"]["answer_ms"] == 2000
        rig.of(DropBoxes, "boxes").wire.noise = Noise(delay=(0.3, 0.4))
        slow = DeviceSpec(id="boxes", kind="drop_box", url=rig.url("boxes"), options=config["options"])
        async with listening(slow) as controller:
            await controller.online()
    with Rig(tmp_path, {"boxes": DevicePlan("drop_box", options={**options, "answer_ms": 50})}) as rig:
        assert rig.devices_config()[0]["options"]["answer_ms"] == 50
