"""Simulated sensors on a real pseudo-terminal, the real driver under the real supervisor."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from devices.drivers.drop_box.driver import DropBoxDriver
from devices.drivers.drop_box.reports import (
    BoxMoved,
    CountDoubtful,
    DoorMoved,
    DropMark,
    Dropped,
    SensorEvent,
    SensorFault,
    SensorMet,
    SensorReset,
    SensorState,
    WeightChanged,
)
from devices.options import OptionsError
from devices.ports.modbus_bus import ANSWER_WITHIN
from devices.reports import DeviceState
from devices.spec import DeviceSpec
from protocols.drop_box import Lamp
from protocols.modbus.ends import on_the_wire
from protocols.modbus.frames import BUSY, WriteRegisters
from sim_hw.devices.drop_box.bus import SimulatedBus
from sim_hw.devices.drop_box.sensor import Box, SimulatedSensor
from sim_hw.time.clock import MAX_SPEED, SimClock
from sim_hw.wire.noise import Noise
from sim_hw.wire.pty import Pty
from tests.support.wire.listener import Listener, listening, running

MAIN, JACKPOT = 1, 2
POLL_MS = 25
NOISE = Noise(bit_errors=1e-4, lost_bytes=3e-4, dropped=0.02, repeated=0.03, cut_short=0.02, garbage=0.1)


class Table:
    """Two boxes on one bus."""

    def __init__(self, directory: Path, *, noise: Noise | None = None, counter_bits: int = 32) -> None:
        self.clock = SimClock(MAX_SPEED)
        self.port = Pty(directory, "bus")
        self.main = SimulatedSensor(MAIN, self.clock, seed=1, box="M-041", serial="DBS-442", counter_bits=counter_bits)
        self.jackpot = SimulatedSensor(JACKPOT, self.clock, seed=1, box="J-007", serial="DBS-443")
        self.bus = SimulatedBus(self.port, [self.main, self.jackpot], seed=1, noise=noise)
        self.bus.plug()
        self.spec = spec_of(self.port.path)

    async def played(self, seconds: float = 1.0) -> None:
        """Simulated time goes by, and the main box is looked at once more."""
        await self.clock.sleep(seconds)
        await self.bus.wait_asked(MAIN, 2)


def spec_of(path: Path, **options: object) -> DeviceSpec:
    defaults = {
        "sensors": [{"unit": MAIN, "box": "main"}, {"unit": JACKPOT, "box": "jackpot"}],
        "poll_ms": POLL_MS,
        "parity": "none",
    }
    return DeviceSpec(id="drop", kind="drop_box", url=str(path), baud=19_200, options=defaults | options)


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[Table]:
    table = Table(tmp_path)
    yield table
    table.bus.unplug()


@pytest.fixture
async def listener(table: Table) -> AsyncIterator[Listener]:
    async with listening(table.spec) as up:
        await up.wait_for(SensorState, 2)
        yield up


def reports_of(listener: Listener, box: str = "main") -> list[SensorEvent]:
    """What happened at a box, after it was met."""
    return [report for report in listener.of(SensorEvent) if report.sensor.box == box][1:]


async def test_an_online_bus_has_reported_its_sensors(table: Table, listener: Listener) -> None:
    main, jackpot = listener.of(SensorState)
    assert (main.sensor.box, main.state) == ("main", "online")
    assert (main.model, main.serial, main.firmware) == ("SIM-DBS", "DBS-442", "1.0.0")
    assert (jackpot.sensor.box, jackpot.serial) == ("jackpot", "DBS-443")
    assert listener.of(DeviceState)[-1] == DeviceState(
        device="drop", state="online", model="SIM-DBS", serial="DBS-442, DBS-443", firmware="1.0.0"
    )
    assert [met.sensor.box for met in listener.of(SensorMet)] == ["main", "jackpot"]


async def test_what_falls_is_counted_once_and_in_its_box(table: Table, listener: Listener) -> None:
    table.main.drop(3)
    await listener.wait_for(Dropped)
    table.jackpot.drop()
    await listener.wait_for(Dropped, 2)
    table.main.drop(2)
    third = await listener.wait_for(Dropped, 3)
    await table.played()
    assert [(drop.sensor.box, drop.count, drop.total, drop.into) for drop in listener.of(Dropped)] == [
        ("main", 3, 3, "M-041"),
        ("jackpot", 1, 1, "J-007"),
        ("main", 2, 5, "M-041"),
    ]
    assert third.mark.total == 5


async def test_a_sensor_that_knows_chips_reports_the_worth_of_what_fell(table: Table) -> None:
    knows = SimulatedSensor(MAIN, table.clock, seed=3, box="M-041", serial="DBS-542", reads_worth=True)
    counts = table.bus.sensors[MAIN]
    table.bus.sensors[MAIN] = knows
    async with listening(table.spec) as up:
        await up.wait_for(SensorState, 2)
        knows.drop(2, cents=600)
        assert ((first := await up.wait_for(Dropped)).count, first.cents) == (2, 600)
        knows.drop(3)
        assert ((second := await up.wait_for(Dropped, 2)).count, second.cents) == (3, None)
        table.bus.sensors[MAIN] = counts
        await up.wait_for(SensorReset)
        counts.drop(1)
        third = await up.wait_for(Dropped, 3)
        assert (third.count, third.cents, third.total, third.mark.reported_cents) == (1, None, 6, None)
    assert not [state for state in up.of(SensorState) if state.state != "online"]


async def test_what_fell_while_the_cable_was_out_is_counted_when_it_is_back(table: Table, listener: Listener) -> None:
    table.bus.unplug()
    assert (await listener.gone()).detail
    table.main.drop(7)
    table.bus.plug()
    dropped = await listener.wait_for(Dropped)
    assert (dropped.count, dropped.total) == (7, 7)
    await listener.online()
    assert len(listener.of(SensorMet)) == 2


async def test_what_fell_while_the_controller_was_down_is_counted_when_it_is_given_its_marks_back(
    table: Table,
) -> None:
    async with listening(table.spec) as first:
        await first.wait_for(SensorState, 2)
        table.main.drop(4)
        stored = msgspec.json.encode((await first.wait_for(Dropped)).mark)
    table.main.drop(2)
    again = Listener(table.spec)
    again.supervisor.driver("drop", DropBoxDriver).resume({"main": msgspec.json.decode(stored, type=DropMark)})
    async with running(again):
        dropped = await again.wait_for(Dropped)
        assert (dropped.count, dropped.total) == (2, 6)
        await again.wait_for(SensorState, 2)
        assert [met.sensor.box for met in again.of(SensorMet)] == ["jackpot"]


async def test_the_count_of_a_sensor_that_was_never_met_begins_where_it_stands(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.main.count_from(57)
    async with listening(table.spec) as listener:
        await listener.wait_for(SensorState, 2)
        await table.played()
        assert listener.of(Dropped) == []
        table.main.drop()
        assert (await listener.wait_for(Dropped)).count == 1
    table.bus.unplug()


@pytest.mark.parametrize("bits", [16, 32])
async def test_a_counter_that_rolls_over_is_no_reset_and_no_negative_drop(tmp_path: Path, bits: int) -> None:
    table = Table(tmp_path, counter_bits=bits)
    table.main.count_from((1 << bits) - 2)
    async with listening(table.spec) as listener:
        await listener.wait_for(SensorState, 2)
        table.main.drop(5)
        await listener.wait_for(Dropped)
        await table.played()
        assert table.main.drops == 3
        assert [(type(report), getattr(report, "count", None)) for report in reports_of(listener)][:1] == [(Dropped, 5)]
        assert not listener.of(SensorReset) and not listener.of(CountDoubtful)
    table.bus.unplug()


async def test_a_reset_is_seen_as_such_and_what_fell_since_is_counted(table: Table, listener: Listener) -> None:
    table.main.drop(9)
    await listener.wait_for(Dropped)
    table.main.reset()
    table.main.drop(2)
    dropped = await listener.wait_for(Dropped, 2)
    reset = listener.of(SensorReset)[0]
    assert (reset.resets, reset.last_drops) == (1, 9)
    assert listener.reports.index(reset) < listener.reports.index(dropped)
    assert (dropped.count, dropped.total) == (2, 11)
    assert all(drop.count > 0 for drop in listener.of(Dropped))


async def test_a_sensor_that_was_exchanged_for_another_is_a_reset(table: Table, listener: Listener) -> None:
    table.main.drop(9)
    await listener.wait_for(Dropped)
    table.main.serial = "DBS-900"
    table.main.reset()
    reset = await listener.wait_for(SensorReset)
    assert reset.mark.serial == "DBS-900"
    await listener.until(lambda: listener.of(SensorState)[-1].serial == "DBS-900")
    assert [drop.count for drop in listener.of(Dropped)] == [9]


async def test_a_counter_that_goes_back_without_a_reset_counts_nothing(table: Table, listener: Listener) -> None:
    table.main.drop(9)
    await listener.wait_for(Dropped)
    table.main.count_from(5)
    doubtful = await listener.wait_for(CountDoubtful)
    assert (doubtful.last_drops, doubtful.drops, doubtful.mark.total) == (9, 5, 9)
    assert "from 9 to 5" in doubtful.why
    table.main.drop()
    assert (await listener.wait_for(Dropped, 2)).count == 1


async def test_a_box_that_is_emptied_is_reported_step_by_step_in_order(table: Table, listener: Listener) -> None:
    table.main.drop(2)
    await listener.wait_for(Dropped)
    table.main.open_door()
    await listener.wait_for(DoorMoved)
    full = table.main.take_box()
    await listener.wait_for(BoxMoved)
    table.main.put_box(Box("M-042"))
    await listener.wait_for(BoxMoved, 2)
    table.main.shut_door()
    await listener.wait_for(DoorMoved, 2)
    table.main.drop()
    last = await listener.wait_for(Dropped, 2)
    assert full.pieces == 2
    assert [(door.is_open, door.times_opened) for door in listener.of(DoorMoved)] == [(True, 1), (False, 0)]
    assert [(box.is_present, box.box_id, box.times_removed) for box in listener.of(BoxMoved)] == [
        (False, None, 1),
        (True, "M-042", 0),
    ]
    assert last.into == "M-042"


async def test_a_box_that_is_taken_and_put_back_between_two_readings_is_seen(table: Table, listener: Listener) -> None:
    table.main.drop(3)
    table.main.open_door()
    table.main.put_box(table.main.take_box())
    table.main.shut_door()
    table.main.drop(1)
    await listener.wait_for(DoorMoved)
    before, moved, after, door = reports_of(listener)[:4]
    assert isinstance(before, Dropped)
    assert isinstance(moved, BoxMoved)
    assert isinstance(after, Dropped)
    assert isinstance(door, DoorMoved)
    assert (before.count, moved.times_removed, moved.is_present, after.count) == (3, 1, True, 1)
    assert (door.is_open, door.times_opened) == (False, 1)


async def test_a_weight_is_reported_when_it_has_settled_and_with_what_fell(table: Table, listener: Listener) -> None:
    await table.played()
    empty = await listener.wait_for(WeightChanged)
    assert (empty.grams, empty.was, empty.drops) == (1800, None, 0)

    table.main.drop(2)
    await listener.wait_for(Dropped)
    await table.played()
    assert [change.grams for change in weights(listener)] == [1800], "20 g are less than a step"

    table.main.drop(1)
    await table.clock.sleep(1)
    await listener.until(lambda: len(weights(listener)) == 2)
    change = weights(listener)[1]
    assert (change.grams, change.was, change.drops) == (1830, 1800, 3)


async def test_a_weight_that_drifts_is_reported_as_one_that_nothing_fell_for(table: Table, listener: Listener) -> None:
    await table.played()
    await listener.wait_for(WeightChanged)
    for _ in range(6):
        table.main.drift(-10)
        await table.played()
    assert [(change.grams, change.drops) for change in weights(listener)] == [(1800, 0), (1770, 0), (1740, 0)]


def weights(listener: Listener) -> list[WeightChanged]:
    return [change for change in listener.of(WeightChanged) if change.sensor.box == "main"]


async def test_what_a_sensor_finds_wrong_is_reported_once_and_when_it_is_over(table: Table, listener: Listener) -> None:
    table.main.faults.add("slot blocked")
    await listener.wait_for(SensorFault)
    await table.played()
    table.main.faults.clear()
    await listener.wait_for(SensorFault, 2)
    assert [fault.faults for fault in listener.of(SensorFault)] == [("slot blocked",), ()]


async def test_a_box_that_is_full_says_so(table: Table, listener: Listener) -> None:
    assert table.main.box is not None
    table.main.box.capacity = 5
    table.main.drop(5)
    assert (await listener.wait_for(SensorFault)).faults == ("box full",)


async def test_a_report_that_could_not_be_stored_is_given_again_the_same(table: Table, listener: Listener) -> None:
    listener.refuses = lambda report: isinstance(report, Dropped)
    table.main.drop(3)
    await listener.until(lambda: len(listener.refused) >= 2)
    table.main.drop(4)
    await listener.until(lambda: len(listener.refused) >= 4)
    listener.refuses = lambda _: False
    await listener.wait_for(Dropped, 2)
    assert set(listener.refused) == {listener.of(Dropped)[0]}
    assert [drop.count for drop in listener.of(Dropped)] == [3, 4]


async def test_noise_on_the_bus_costs_questions_and_never_a_piece(tmp_path: Path) -> None:
    table = Table(tmp_path, noise=NOISE)
    async with listening(table.spec) as listener:
        for _ in range(40):
            table.main.drop(2)
            await table.played(0.2)
        await listener.until(lambda: sum(drop.count for drop in listener.of(Dropped)) + first_total(listener) == 80)
        assert not listener.of(CountDoubtful) and not listener.of(SensorReset)
        assert all(drop.count > 0 for drop in listener.of(Dropped))
        statistics = listener.supervisor.statistics["drop"]
        assert statistics.retransmissions > 0
        assert statistics.framing.noise_bytes > 0
    table.bus.unplug()


def first_total(listener: Listener) -> int:
    """What the counter already said when the main box was met."""
    return next((met.mark.drops for met in listener.of(SensorMet) if met.sensor.box == "main"), 0)


async def test_a_silent_sensor_is_reported_once_and_does_not_hold_up_the_other(
    table: Table, listener: Listener
) -> None:
    table.jackpot.fall_silent()
    await listener.wait_for(SensorState, 3)
    silent = listener.of(SensorState)[2]
    assert (silent.sensor.box, silent.state) == ("jackpot", "silent")
    assert silent.detail.startswith("unit 2 gave no answer in 0.1")
    assert listener.state == "online"
    assert listener.detail.startswith("jackpot: unit 2 gave no answer")

    table.main.drop()
    await listener.wait_for(Dropped)
    table.jackpot.drop(6)
    table.jackpot.speak_again()
    back = await listener.wait_for(SensorState, 4)
    assert (back.sensor.box, back.state) == ("jackpot", "online")
    assert listener.of(Dropped)[-1].count == 6
    assert listener.detail == ""


async def test_between_two_readings_of_a_healthy_sensor_lies_one_unanswered_question_at_most(tmp_path: Path) -> None:
    clock = SimClock(MAX_SPEED)
    sensors = [SimulatedSensor(unit, clock, seed=unit, serial=f"S-{unit}") for unit in range(1, 7)]
    bus = SimulatedBus(Pty(tmp_path, "bus"), sensors, seed=1)
    bus.plug()
    options = [{"unit": unit, "box": f"box_{unit}"} for unit in range(1, 7)]
    async with listening(spec_of(tmp_path / "bus", sensors=options)) as listener:
        await listener.wait_for(SensorState, 6)
        for sensor in sensors[1:]:
            sensor.fall_silent()
        await listener.wait_for(SensorState, 11)
        bus.asked.clear()
        await bus.wait_asked(1, 40)
        unanswered = ANSWER_WITHIN + on_the_wire(8 + 57, 19_200)
        turns = [index for index, asked in enumerate(bus.asked) if asked.unit == 1]
        assert max(later - earlier for earlier, later in pairwise(turns)) <= 2, "at most one other in between"
        moments = sorted(asked.at for asked in bus.asked if asked.unit == 1)
        gaps = sorted(later - earlier for earlier, later in pairwise(moments))
        assert gaps[len(gaps) * 9 // 10] < POLL_MS / 1000 + unanswered + 0.05
        assert {asked.unit for asked in bus.asked} > {1}, "the silent ones are still asked"
    bus.unplug()


async def test_a_bus_on_which_nobody_answers_is_offline_and_comes_back(table: Table, listener: Listener) -> None:
    for sensor in (table.main, table.jackpot):
        sensor.fall_silent()
    offline = await listener.gone()
    assert offline.state == "offline"
    assert offline.detail.startswith(f"no sensor answers on {table.port.path}: check the bus's cable")
    silent = len([state for state in listener.of(SensorState) if state.state == "silent"])
    table.main.drop(2)
    await table.bus.wait_asked(MAIN, 4)
    for sensor in (table.main, table.jackpot):
        sensor.speak_again()
    assert (await listener.wait_for(Dropped)).count == 2
    await listener.online()
    assert len([state for state in listener.of(SensorState) if state.state == "silent"]) == silent == 2


async def test_a_device_that_is_no_drop_box_sensor_is_named_as_such(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.main.map = 0x1234
    table.jackpot.map = 0x1234
    async with listening(table.spec) as listener:
        wrong = await listener.gone()
        assert wrong.state == "wrong_device"
        assert "its register 0 is 0x1234, not 0xdb01" in wrong.detail
    table.bus.unplug()


async def test_another_sensor_than_the_config_wants_is_not_read(tmp_path: Path) -> None:
    table = Table(tmp_path)
    sensors = [{"unit": MAIN, "box": "main", "serial": "DBS-1"}, {"unit": JACKPOT, "box": "jackpot"}]
    async with listening(spec_of(table.port.path, sensors=sensors)) as listener:
        await listener.until(lambda: any(state.state == "wrong_device" for state in listener.of(SensorState)))
        await listener.online()
        assert "main: unit 1 is sensor DBS-442, the config wants DBS-1" in listener.detail
        table.main.drop()
        table.jackpot.drop()
        await listener.wait_for(Dropped)
        assert [drop.sensor.box for drop in listener.of(Dropped)] == ["jackpot"]
    table.bus.unplug()


async def test_answers_with_a_wrong_crc_are_asked_for_again(table: Table, listener: Listener) -> None:
    table.main.garble(2)
    table.main.drop(3)
    assert (await listener.wait_for(Dropped)).count == 3
    assert listener.supervisor.statistics["drop"].framing.crc_errors == 2
    assert [state.state for state in listener.of(SensorState)] == ["online", "online"]


async def test_a_sensor_without_names_is_read_all_the_same(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.main.answers_identification = False
    async with listening(table.spec) as listener:
        main = await listener.wait_for(SensorState)
        assert (main.model, main.serial) == (None, "DBS-442")
    table.bus.unplug()


async def test_somebody_who_babbles_on_the_bus_does_not_become_a_reading(table: Table, listener: Listener) -> None:
    for number in range(200):
        table.bus.babble(bytes((number, 4, 52)) * 40)
        await asyncio.sleep(0)
    table.main.drop(2)
    assert (await listener.wait_for(Dropped)).count == 2
    assert not listener.of(SensorReset) and not listener.of(CountDoubtful)


async def test_a_lamp_is_lit_and_lit_again_after_a_reset(table: Table, listener: Listener) -> None:
    driver = listener.supervisor.driver("drop", DropBoxDriver)
    driver.show("main", Lamp.ON, identify_s=30)
    await table.bus.wait_until(lambda: table.main.lamp is Lamp.ON)
    assert table.main.identify_s == 30
    table.main.reset()
    await table.bus.wait_until(lambda: table.main.lamp is Lamp.ON)
    assert table.main.identify_s == 0
    driver.show("main", Lamp.OFF)
    await table.bus.wait_until(lambda: table.main.lamp is Lamp.OFF)
    assert table.jackpot.lamp is Lamp.OFF
    with pytest.raises(ValueError, match="has no box 'side'; its boxes are main, jackpot"):
        driver.show("side", Lamp.ON)


async def test_a_lamp_that_is_refused_is_not_asked_for_for_ever(table: Table, listener: Listener) -> None:
    table.main.lamp_works = False
    listener.supervisor.driver("drop", DropBoxDriver).show("main", Lamp.ON)
    await table.bus.wait_until(lambda: any(isinstance(asked.request, WriteRegisters) for asked in table.bus.asked))
    await table.bus.wait_asked(MAIN, 5)
    assert sum(isinstance(asked.request, WriteRegisters) for asked in table.bus.asked) == 1
    assert listener.state == "online"


async def test_a_sensor_that_is_busy_is_asked_again_and_is_no_wrong_device(table: Table, listener: Listener) -> None:
    table.main.refuse(BUSY, BUSY)
    table.main.drop()
    assert (await listener.wait_for(Dropped)).count == 1
    assert [state.state for state in listener.of(SensorState)] == ["online", "online"]
    assert listener.supervisor.statistics["drop"].rejections == 2


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({}, "the field sensors is missing"),
        ({"sensors": []}, "options.sensors: expected at least 1 values"),
        (
            {"sensors": [{"unit": 300, "box": "main"}]},
            "options.sensors[0].unit: expected a whole number of at most 247, 300 came",
        ),
        ({"sensors": [{"unit": 1, "box": "Main Box"}]}, "options.sensors[0].box"),
        ({"sensors": [{"unit": 1, "box": "a"}, {"unit": 1, "box": "b"}]}, "each sensor has its own unit"),
        ({"sensors": [{"unit": 1, "box": "a"}, {"unit": 2, "box": "a"}]}, "each sensor has its own box"),
        ({"sensors": [{"unit": 1, "box": "a"}], "pol_ms": 3}, "there is no field pol_ms"),
        (
            {"sensors": [{"unit": 1, "box": "a"}], "parity": "mark"},
            "options.parity: expected one of the words that are known there, 'mark' came",
        ),
    ],
)
def test_wrong_options_name_the_device_the_key_and_what_is_allowed(options: dict[str, object], says: str) -> None:
    spec = DeviceSpec(id="drop", kind="drop_box", url="anywhere", options=options)
    with pytest.raises(OptionsError) as refused:
        DropBoxDriver(spec)
    assert says in str(refused.value)
    assert "the drop_box 'drop'" in str(refused.value)
    assert "sensors, poll_ms, answer_ms, parity, weight_step_g" in str(refused.value)
