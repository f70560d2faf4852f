"""A simulated dice cup on a real pseudo-terminal, the real driver under the real supervisor."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from devices.drivers.dice_cup import CheckedDice, CheckedOpened, DiceCupDriver
from devices.options import OptionsError
from devices.reports import DeviceEvent, DeviceState
from devices.spec import DeviceSpec
from protocols import dice_cup as wire
from protocols.link.identity import Identify, Identity, StatusRequest
from sim_hw.devices.dice_cup import SimulatedDiceCup
from sim_hw.devices.link_peer import LinkPeer
from sim_hw.time.clock import MAX_SPEED, SimClock
from sim_hw.wire.noise import Noise
from sim_hw.wire.pty import Pty
from tests.support.wire.listener import Listener, has_body, listening, of_type
from tests.support.wire.ports import a_port

NOISE = Noise(bit_errors=3e-4, lost_bytes=5e-4, dropped=0.02, repeated=0.05, cut_short=0.02, garbage=0.05)


def spec_of(port: Pty, **options: object) -> DeviceSpec:
    return DeviceSpec(id="cup", kind="dice_cup", url=str(port.path), options=options)


@pytest.fixture
def port(tmp_path: Path) -> Iterator[Pty]:
    yield from a_port(tmp_path, "cup")


@pytest.fixture
async def cup(port: Pty) -> AsyncIterator[SimulatedDiceCup]:
    simulated = SimulatedDiceCup(port, SimClock(MAX_SPEED), seed=7)
    simulated.plug()
    yield simulated
    simulated.unplug()


@pytest.fixture
async def listener(port: Pty, cup: SimulatedDiceCup) -> AsyncIterator[Listener]:
    async with listening(spec_of(port)) as up:
        await up.online()
        yield up


async def test_an_online_cup_has_reported_its_identity(cup: SimulatedDiceCup, listener: Listener) -> None:
    assert listener.of(DeviceState)[-1] == DeviceState(
        device="cup", state="online", model="SIM-CUP", serial="SIM-0003", firmware="1.0.0", boot=cup.boot
    )


async def test_a_throw_is_reported_in_the_order_in_which_the_table_sees_it(
    cup: SimulatedDiceCup, listener: Listener
) -> None:
    cup.shake(5)
    seen = cup.open()
    cup.shut()
    await cup.wait_taken()
    shaken, opened, shown, shut = [event.body for event in listener.of(DeviceEvent)]
    assert isinstance(shaken, wire.Shaken)
    assert shaken.shakes == 5
    assert isinstance(opened, CheckedOpened)
    assert (opened.roll_no, opened.was_shaken) == (1, True)
    assert isinstance(shown, CheckedDice)
    assert (shown.roll_no, shown.values, shown.problem) == (1, seen, None)
    assert isinstance(shut, wire.Shut)
    assert [event.event_no for event in listener.of(DeviceEvent)] == [1, 2, 3, 4]


async def test_a_hundred_throws_arrive_as_they_fell_although_the_wire_is_bad(port: Pty) -> None:
    cup = SimulatedDiceCup(port, SimClock(MAX_SPEED), seed=3, noise=NOISE)
    cup.plug()
    async with listening(spec_of(port)) as listener:
        await listener.online()
        thrown = []
        for _ in range(100):
            thrown.append(cup.throw())
            await cup.wait_taken()
        shown = list(dict.fromkeys((dice.roll_no, dice.values) for dice in listener.of(CheckedDice)))
        assert [values for _, values in shown] == thrown
        assert len({sum(values) for values in thrown}) > 10
    cup.unplug()


async def test_a_cup_that_was_not_shaken_is_reported_as_such(port: Pty, cup: SimulatedDiceCup) -> None:
    async with listening(spec_of(port, shakes_needed=3)) as listener:
        await listener.online()
        for strokes in (2, 3):
            cup.throw(strokes)
        cup.shut()
        cup.open()
        await cup.wait_taken()
        assert [(opened.shakes, opened.was_shaken) for opened in listener.of(CheckedOpened)] == [
            (2, False),
            (3, True),
            (0, False),
        ]


async def test_a_die_that_cannot_be_read_makes_no_roll(cup: SimulatedDiceCup, listener: Listener) -> None:
    cup.read_next_as((4, None, 2))
    cup.throw()
    await cup.wait_taken()
    shown = listener.of(CheckedDice)[0]
    assert (shown.values, shown.problem) == ((4, None, 2), "unread")


async def test_a_die_too_few_or_too_many_makes_no_roll(cup: SimulatedDiceCup, listener: Listener) -> None:
    cup.lose_die()
    cup.throw()
    cup.add_die()
    cup.add_die()
    cup.throw()
    await cup.wait_taken()
    assert [(len(shown.values), shown.problem) for shown in listener.of(CheckedDice)] == [
        (2, "wrong_count"),
        (4, "wrong_count"),
    ]


async def test_a_reader_at_fault_reads_nothing_and_says_so(cup: SimulatedDiceCup, listener: Listener) -> None:
    cup.fail("reader")
    cup.throw()
    cup.fix("reader")
    good = cup.throw()
    await cup.wait_taken()
    assert [(fault.fault, fault.is_over) for fault in listener.of(wire.Fault)] == [("reader", False), ("reader", True)]
    assert [(shown.values, shown.problem) for shown in listener.of(CheckedDice)] == [
        ((None, None, None), "unread"),
        (good, None),
    ]


async def test_what_happened_while_the_cable_was_out_is_reported_when_it_is_back(
    cup: SimulatedDiceCup, listener: Listener
) -> None:
    cup.unplug()
    await listener.gone()
    seen = cup.throw()
    cup.plug()
    await cup.wait_taken()
    assert [shown.values for shown in listener.of(CheckedDice)] == [seen]
    await listener.online()


async def test_a_throw_that_could_not_be_stored_is_reported_again_under_the_same_number(
    cup: SimulatedDiceCup, listener: Listener
) -> None:
    listener.refuses = lambda report: has_body(report, CheckedDice)
    cup.throw()
    await listener.until(lambda: len(listener.refused) >= 2)
    # If its acknowledgement was lost with the session, the opening comes again too, under its own number.
    assert len({opened.event_no for opened in listener.of(CheckedOpened)}) == 1
    listener.refuses = lambda _: False
    shown = await listener.wait_for(CheckedDice)
    assert of_type(listener.refused, CheckedDice) == [shown] * len(listener.refused)


async def test_a_cup_gets_its_number_of_dice_and_again_after_a_power_cut(port: Pty, cup: SimulatedDiceCup) -> None:
    async with listening(spec_of(port, dice=2)):
        await cup.link.wait_until(lambda: cup.expected == 2)
        cup.power_cycle()
        assert cup.expected == 3
        await cup.link.wait_until(lambda: cup.expected == 2)


async def test_a_cup_that_is_set_to_something_else_than_was_asked_is_not_used(port: Pty) -> None:
    def stubborn(request: bytes) -> None:
        match wire.decode(request):
            case Identify():
                answer: wire.Answer = Identity(boot=9, model="m", serial="s", firmware="f")
            case StatusRequest():
                answer = wire.Status(boot=9, roll_no=0, is_open=False, shakes=0, dice=3)
            case _:
                answer = wire.DiceSet(dice=3)
        peer.post(wire.encode(answer), keep=False)

    peer = LinkPeer(port, wire.DEVICE_CLASS, stubborn, rng=random.Random(1))
    peer.plug()
    async with listening(spec_of(port, dice=2)) as listener:
        assert (await listener.gone()).detail == "the dice cup answered SetDice with DiceSet"
    peer.unplug()


async def test_a_gap_in_the_event_numbers_is_not_passed_over(port: Pty) -> None:
    def answers(request: bytes) -> None:
        match wire.decode(request):
            case Identify():
                peer.post(wire.encode(Identity(boot=9, model="m", serial="s", firmware="f")), keep=False)
            case StatusRequest():
                peer.post(wire.encode(wire.Status(boot=9, roll_no=0, is_open=False, shakes=0, dice=3)), keep=False)

    peer = LinkPeer(port, wire.DEVICE_CLASS, answers, rng=random.Random(1))
    peer.post(wire.encode(wire.Shaken(boot=9, event_no=1, uptime_ms=0, shakes=1)), keep=True)
    peer.plug()
    async with listening(spec_of(port)) as listener:
        await peer.wait_until(lambda: peer.kept == 0)
        peer.post(wire.encode(wire.Shaken(boot=9, event_no=3, uptime_ms=0, shakes=1)), keep=True)
        assert (await listener.gone()).detail == "the dice cup sent event 3 after event 1"
    assert peer.kept == 1
    peer.unplug()


async def test_a_cup_on_the_shoes_port_is_named_as_such(port: Pty, cup: SimulatedDiceCup) -> None:
    async with listening(DeviceSpec(id="shoe", kind="shoe", url=str(port.path))) as listener:
        wrong = await listener.gone()
        assert wrong.state == "wrong_device"
        assert wrong.detail == f"the device on {port.path} is a dice cup, not a shoe"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"dice": 9}, "options.dice: expected a whole number of at most 8, 9 came"),
        ({"dies": 3}, "options: there is no field dies"),
    ],
)
def test_wrong_options_name_the_device_the_key_and_what_is_allowed(options: dict[str, object], says: str) -> None:
    with pytest.raises(OptionsError) as refused:
        DiceCupDriver(DeviceSpec(id="cup", kind="dice_cup", url="anywhere", options=options))
    assert says in str(refused.value)
    assert "the options dice, shakes_needed" in str(refused.value)


def test_the_dice_fall_as_the_seed_says(tmp_path: Path) -> None:
    def falls(seed: int) -> list[tuple[int, ...]]:
        cup = SimulatedDiceCup(Pty(tmp_path, "cup"), SimClock(MAX_SPEED), seed=seed)
        return [cup.throw() for _ in range(20)]

    rng = random.Random("7/dice")
    assert falls(7) == falls(7) == [tuple(rng.randint(1, 6) for _ in range(3)) for _ in range(20)]
    assert falls(7) != falls(8)


def test_a_hand_cannot_do_with_a_cup_what_cannot_be_done(tmp_path: Path) -> None:
    cup = SimulatedDiceCup(Pty(tmp_path, "cup"), SimClock(MAX_SPEED), seed=1)
    with pytest.raises(ValueError, match="shut already"):
        cup.shut()
    cup.open()
    with pytest.raises(ValueError, match="open already"):
        cup.open()
    with pytest.raises(ValueError, match="cannot be shaken"):
        cup.shake()
