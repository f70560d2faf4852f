"""Modbus as pymodbus speaks it, which we did not write: its frames, its server under our driver, its client at our
simulated sensors.
"""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from pymodbus.client import AsyncModbusSerialClient
from pymodbus.constants import ExcCodes
from pymodbus.exceptions import ModbusIOException
from pymodbus.framer.rtu import FramerRTU
from pymodbus.pdu import DecodePDU, ModbusPDU
from pymodbus.pdu import register_message as theirs
from pymodbus.pdu.device import ModbusDeviceIdentification
from pymodbus.pdu.exceptionresponse import ExceptionResponse
from pymodbus.pdu.mei_message import ReadDeviceInformationRequest, ReadDeviceInformationResponse
from pymodbus.server import ModbusSerialServer
from pymodbus.simulator import DataType, SimData, SimDevice

from devices.drivers.drop_box.driver import DropBoxDriver
from devices.drivers.drop_box.reports import BoxMoved, Dropped, SensorReset, SensorState
from devices.spec import DeviceSpec
from protocols import drop_box as wire
from protocols.drop_box import Lamp
from protocols.modbus import ends, frames
from sim_hw.devices.drop_box.bus import SimulatedBus
from sim_hw.devices.drop_box.sensor import SimulatedSensor
from sim_hw.time.clock import MAX_SPEED, SimClock
from sim_hw.wire.pty import Pty
from tests.support.wire.listener import listening
from tests.support.wire.null_modem import null_modem

FRAMES_COMPARED = 300


def adu(unit: int, pdu: ModbusPDU) -> bytes:
    """The frame that pymodbus makes of a PDU."""
    code = pdu.function_code | (0x80 if isinstance(pdu, ExceptionResponse) and pdu.function_code < 0x80 else 0)
    return FramerRTU(DecodePDU(False)).encode(bytes((code,)) + pdu.encode(), unit, 0)


def pairs(rng: random.Random) -> list[tuple[frames.Request | frames.Reply, ModbusPDU]]:
    """One message of each kind, in our words and in theirs."""
    address, value = rng.randrange(0x10000), rng.randrange(0x10000)
    count, values = rng.randint(1, 123), [rng.randrange(0x10000) for _ in range(rng.randint(1, 123))]
    level, number = rng.randint(1, 4), rng.randrange(7)
    names = {number: rng.randbytes(rng.randrange(20)) for number in range(rng.randint(1, 3))}
    objects = tuple((number, name.decode("latin-1")) for number, name in names.items())
    return [
        (frames.ReadHoldingRegisters(address, count), theirs.ReadHoldingRegistersRequest(address=address, count=count)),
        (frames.ReadInputRegisters(address, count), theirs.ReadInputRegistersRequest(address=address, count=count)),
        (
            frames.WriteRegister(address, value),
            theirs.WriteSingleRegisterRequest(address=address, registers=[value]),
        ),
        (
            frames.WriteRegisters(address, tuple(values)),
            theirs.WriteMultipleRegistersRequest(address=address, registers=values, count=len(values)),
        ),
        (frames.ReadIdentification(level, number), ReadDeviceInformationRequest(read_code=level, object_id=number)),
        (frames.HoldingRegisters(tuple(values)), theirs.ReadHoldingRegistersResponse(registers=values)),
        (frames.InputRegisters(tuple(values)), theirs.ReadInputRegistersResponse(registers=values)),
        (
            frames.RegisterWritten(address, value),
            theirs.WriteSingleRegisterResponse(address=address, registers=[value]),
        ),
        (frames.RegistersWritten(address, count), theirs.WriteMultipleRegistersResponse(address=address, count=count)),
        (
            frames.Identification(level, 0x83, False, 0, objects),
            ReadDeviceInformationResponse(read_code=level, information=dict(names)),
        ),
        (frames.Refusal(4, 2), ExceptionResponse(4, ExcCodes.ILLEGAL_ADDRESS)),
    ]


def test_the_same_message_has_the_same_bytes_and_each_understands_the_other() -> None:
    rng = random.Random(4)
    for _ in range(FRAMES_COMPARED):
        unit = rng.randint(1, 247)
        for ours, other in pairs(rng):
            wire_bytes = frames.encode(unit, ours)
            assert adu(unit, other) == wire_bytes
            is_request = isinstance(ours, frames.Request)
            decoded = frames.decode_request(wire_bytes) if is_request else frames.decode_reply(wire_bytes)
            assert decoded == (unit, ours)
            used, received_unit, _, pdu = FramerRTU(DecodePDU(is_request)).decode(wire_bytes)
            assert (used, received_unit, pdu) == (len(wire_bytes), unit, wire_bytes[1:-2])


class Mechanics:
    """A sensor's mechanics behind pymodbus's registers: the slot and the box are ours, the protocol is theirs."""

    def __init__(self, unit: int, clock: SimClock) -> None:
        self.sensor = SimulatedSensor(unit, clock, seed=unit, box=f"BOX-{unit}", serial=f"PYM-{unit}")
        self.written: list[int] = []
        registers = SimData(0, values=list(wire.encode(self.sensor.reading())), datatype=DataType.REGISTERS)
        lamp = SimData(0, values=[0, 0], datatype=DataType.REGISTERS)
        bits = SimData(0, values=[False] * 16, datatype=DataType.BITS)
        self.device = SimDevice(unit, simdata=([bits], [bits], [lamp], [registers]), action=self._accessed)

    async def _accessed(  # noqa: PLR0917 (the signature is pymodbus's)
        self,
        function_code: int,
        start_address: int,
        address: int,
        count: int,
        current_registers: list[int],
        set_values: list[int] | list[bool] | None,
    ) -> ExcCodes | None:
        if function_code == frames.READ_INPUT:
            current_registers[: wire.REGISTERS] = wire.encode(self.sensor.reading())
        elif set_values is not None:
            self.written = [int(value) for value in set_values]
        return None


@asynccontextmanager
async def served_by_pymodbus(path: Path, units: list[Mechanics]) -> AsyncIterator[None]:
    names = ModbusDeviceIdentification(  # type: ignore[no-untyped-call]
        info_name={"VendorName": "pymodbus", "ProductCode": "PM-DBS", "MajorMinorRevision": "3.16"}
    )
    server = ModbusSerialServer(
        [unit.device for unit in units], identity=names, port=str(path), ignore_missing_devices=True
    )
    await server.serve_forever(background=True)
    try:
        yield
    finally:
        await server.shutdown()  # type: ignore[no-untyped-call]


async def test_our_driver_reads_boxes_that_pymodbus_serves(tmp_path: Path) -> None:
    clock = SimClock(MAX_SPEED)
    main, jackpot = Mechanics(1, clock), Mechanics(2, clock)
    with null_modem(tmp_path) as (near, far):
        spec = DeviceSpec(
            id="drop",
            kind="drop_box",
            url=str(near),
            baud=19_200,
            options={
                "sensors": [{"unit": 1, "box": "main"}, {"unit": 2, "box": "jackpot"}, {"unit": 9, "box": "nobody"}],
                "poll_ms": 25,
                "parity": "none",
            },
        )
        async with served_by_pymodbus(far, [main, jackpot]), listening(spec) as listener:
            await listener.until(lambda: len(listener.of(SensorState)) == 3)
            states = {state.sensor.box: state for state in listener.of(SensorState)}
            assert {box: state.state for box, state in states.items()} == {
                "main": "online",
                "jackpot": "online",
                "nobody": "silent",
            }
            assert (states["main"].model, states["main"].serial, states["main"].firmware) == ("PM-DBS", "PYM-1", "3.16")

            main.sensor.drop(3)
            await listener.wait_for(Dropped)
            jackpot.sensor.drop(1)
            await listener.wait_for(Dropped, 2)
            main.sensor.take_box()
            moved = await listener.wait_for(BoxMoved)
            assert (moved.sensor.box, moved.is_present) == ("main", False)
            main.sensor.reset()
            main.sensor.drop(2)
            await listener.wait_for(Dropped, 3)
            assert [reset.sensor.box for reset in listener.of(SensorReset)] == ["main"]
            assert [(drop.sensor.box, drop.count) for drop in listener.of(Dropped)] == [
                ("main", 3),
                ("jackpot", 1),
                ("main", 2),
            ]

            listener.supervisor.driver("drop", DropBoxDriver).show("jackpot", Lamp.BLINKING, identify_s=5)
            jackpot.sensor.drop(1)
            await listener.wait_for(Dropped, 4)
            jackpot.sensor.drop(1)
            await listener.wait_for(Dropped, 5)
            assert jackpot.written == [Lamp.BLINKING, 5]
            assert main.written == []


KNOWS_CHIPS = 4
"""The unit of a sensor that reads the worth of what fell."""


@pytest.fixture
async def sensors(tmp_path: Path) -> AsyncIterator[dict[int, SimulatedSensor]]:
    clock = SimClock(MAX_SPEED)
    found = {unit: SimulatedSensor(unit, clock, seed=unit, box=f"BOX-{unit}") for unit in (1, 2)}
    found[KNOWS_CHIPS] = SimulatedSensor(KNOWS_CHIPS, clock, seed=1, reads_worth=True)
    bus = SimulatedBus(Pty(tmp_path, "bus"), list(found.values()), seed=1)
    bus.plug()
    yield found
    bus.unplug()


@pytest.fixture
async def client(tmp_path: Path, sensors: dict[int, SimulatedSensor]) -> AsyncIterator[AsyncModbusSerialClient]:
    client = AsyncModbusSerialClient(str(tmp_path / "bus"), baudrate=19_200, timeout=2, retries=0)
    assert await client.connect()
    yield client
    client.close()


async def test_pymodbus_reads_our_sensors(client: AsyncModbusSerialClient, sensors: dict[int, SimulatedSensor]) -> None:
    for unit, sensor in sensors.items():
        sensor.drop(unit * 10, cents=unit * 1000)
        count = wire.WORTH_REGISTERS if sensor.reads_worth else wire.REGISTERS
        reply = await client.read_input_registers(0, count=count, device_id=unit)
        reading = wire.decode(reply.registers)
        assert reading == sensor.reading()
        assert reading.drops == unit * 10
    part = await client.read_input_registers(10, count=2, device_id=2)
    assert part.registers == [0, 20]
    worth = await client.read_input_registers(26, count=4, device_id=KNOWS_CHIPS)
    assert worth.registers == [0, 40, 0, 4000]


async def test_pymodbus_lights_our_lamps(client: AsyncModbusSerialClient, sensors: dict[int, SimulatedSensor]) -> None:
    assert not (await client.write_register(0, Lamp.ON, device_id=1)).isError()
    assert not (await client.write_registers(0, [Lamp.BLINKING, 30], device_id=2)).isError()
    assert not (await client.write_register(1, 7, device_id=1)).isError()
    assert (sensors[1].lamp, sensors[1].identify_s) == (Lamp.ON, 7)
    assert (sensors[2].lamp, sensors[2].identify_s) == (Lamp.BLINKING, 30)
    assert (await client.read_holding_registers(0, count=2, device_id=2)).registers == [2, 30]


async def test_pymodbus_learns_who_our_sensors_are(client: AsyncModbusSerialClient) -> None:
    everything = await client.read_device_information(device_id=2)
    assert isinstance(everything, ReadDeviceInformationResponse)
    assert everything.information == {0: b"Cutcard", 1: b"SIM-DBS", 2: b"1.0.0"}
    product = await client.read_device_information(read_code=4, object_id=1, device_id=2)
    assert isinstance(product, ReadDeviceInformationResponse)
    assert product.information == {1: b"SIM-DBS"}


@pytest.mark.parametrize(
    ("ask", "code"),
    [
        (lambda client: client.read_coils(0, count=1, device_id=1), ExcCodes.ILLEGAL_FUNCTION),
        (lambda client: client.read_input_registers(20, count=7, device_id=1), ExcCodes.ILLEGAL_ADDRESS),
        (lambda client: client.read_holding_registers(2, count=1, device_id=1), ExcCodes.ILLEGAL_ADDRESS),
        (lambda client: client.write_register(0, 3, device_id=1), ExcCodes.ILLEGAL_VALUE),
        (lambda client: client.write_registers(0, [1, 601], device_id=1), ExcCodes.ILLEGAL_VALUE),
        (lambda client: client.write_registers(1, [1, 1], device_id=1), ExcCodes.ILLEGAL_ADDRESS),
        (
            lambda client: client.read_device_information(read_code=4, object_id=9, device_id=1),
            ExcCodes.ILLEGAL_ADDRESS,
        ),
    ],
)
async def test_pymodbus_gets_what_our_sensors_refuse(
    client: AsyncModbusSerialClient, sensors: dict[int, SimulatedSensor], ask: object, code: ExcCodes
) -> None:
    assert callable(ask)
    reply = await ask(client)
    assert isinstance(reply, ExceptionResponse)
    assert reply.exception_code == code
    assert (sensors[1].lamp, sensors[1].identify_s) == (Lamp.OFF, 0)


async def test_a_unit_that_is_not_there_says_nothing_to_pymodbus(client: AsyncModbusSerialClient) -> None:
    with pytest.raises(ModbusIOException):
        await client.read_input_registers(0, count=1, device_id=3)


async def test_a_broadcast_is_done_by_all_and_answered_by_none(
    client: AsyncModbusSerialClient, sensors: dict[int, SimulatedSensor]
) -> None:
    await client.write_register(0, Lamp.ON, device_id=0, no_response_expected=True)
    reply = await client.read_holding_registers(0, count=1, device_id=1)
    assert reply.registers == [Lamp.ON]
    assert [sensor.lamp for sensor in sensors.values()] == [Lamp.ON, Lamp.ON, Lamp.ON]


def test_the_silence_is_the_standards() -> None:
    assert ends.silence(19_200) == pytest.approx(0.002, abs=0.0001)
    assert ends.silence(9_600) == pytest.approx(0.004, abs=0.0001)
    assert ends.silence(115_200) == ends.silence(38_400) == 0.00175
