"""The drop-box sensors of a table: several on one RS-485 bus, one driver.

Each sensor is asked in its turn (`rota`), what its readings say happened is worked out (`drop_watch`) and given to the
sink, oldest first; the next reading is looked at when the sink has all of it. The bus is online while one of its
sensors answers; each sensor's own state is a `SensorState`.

Options in the config:

    sensors        one per box: unit (1 to 247), box (a name such as "main" or "jackpot"), and, where only one
                   particular sensor will do, its serial
    poll_ms        milliseconds from one question to a sensor to the next (250)
    answer_ms      milliseconds that a sensor has for an answer, besides the time on the wire (100)
    parity         "even", as the Modbus standard has it, "none" or "odd"
    weight_step_g  the least change of a box's weight that is reported, in grams (25)
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Annotated, NoReturn

from msgspec import Meta, Struct

from devices.driver import ConnectionLost, WrongDevice
from devices.drivers.drop_box.reports import DropMark, Sensor, SensorState
from devices.drivers.drop_box.rota import SILENT_AFTER, Rota
from devices.drivers.drop_box.watch import DropWatch
from devices.options import options_of
from devices.ports.modbus_bus import ANSWER_WITHIN, ModbusBus, NoAnswer, open_bus
from devices.ports.transport import Parity
from devices.reports import DeviceState, Sink
from devices.spec import DeviceSpec
from protocols import drop_box as wire
from protocols.drop_box import Lamp
from protocols.errors import ProtocolError
from protocols.link.session import LinkStatistics, Timings
from protocols.modbus import frames

POLL_MS = 250
WEIGHT_STEP_G = 25

log = logging.getLogger(__name__)


class SensorOptions(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    unit: Annotated[int, Meta(ge=1, le=247)]
    box: Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]{0,31}$")]
    serial: str | None = None


class DropBoxOptions(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    sensors: Annotated[tuple[SensorOptions, ...], Meta(min_length=1, max_length=16)]
    poll_ms: Annotated[int, Meta(ge=20, le=10_000)] = POLL_MS
    answer_ms: Annotated[int, Meta(ge=20, le=10_000)] = round(ANSWER_WITHIN * 1000)
    parity: Parity = "even"
    weight_step_g: Annotated[int, Meta(ge=1, le=100_000)] = WEIGHT_STEP_G

    def __post_init__(self) -> None:
        for what, values in (
            ("unit", [sensor.unit for sensor in self.sensors]),
            ("box", [sensor.box for sensor in self.sensors]),
        ):
            if len(set(values)) != len(values):
                raise ValueError(f"each sensor has its own {what}; these are {', '.join(map(str, values))}")


class WrongSensor(ProtocolError):
    """Something answers at a unit, and it is not the sensor that the config says."""


class _Station(Struct):
    """One sensor, over all connections."""

    options: SensorOptions
    sensor: Sensor
    watch: DropWatch
    reported: SensorState | None = None
    """As the sink last took it."""
    state: SensorState | None = None
    """Since the port was opened; None: not known yet."""
    boot: int | None = None
    """The power-up whose names are known."""
    question: frames.ReadInputRegisters = wire.READ
    """All the registers that it has, as far as is known: a sensor that reads the worth has more."""
    named: frames.Identification | None = None
    requested: frames.WriteRegisters | None = None
    shown: frames.WriteRegisters | None = None

    @property
    def is_lost(self) -> bool:
        return self.state is not None and self.state.state != "online"


class DropBoxDriver:
    """The sensors of one bus, over all openings of its port."""

    def __init__(self, spec: DeviceSpec, timings: Timings | None = None) -> None:
        """`timings` are the device link's; a Modbus line has its own."""
        self.spec = spec
        self.statistics = LinkStatistics.fresh()
        self._options = options_of(spec, DropBoxOptions)
        self._stations = {options.unit: self._station(options) for options in self._options.sensors}
        self._bus_reported: DeviceState | None = None
        self._bus_is_reported = False
        """Since the state of a sensor last changed."""

    def resume(self, marks: Mapping[str, DropMark]) -> None:
        """What was reported of each box, by box: the `mark` of its last stored report. Call it before `run`."""
        for station in self._stations.values():
            station.watch.mark = marks.get(station.sensor.box, station.watch.mark)

    def show(self, box: str, lamp: Lamp, *, identify_s: int = 0) -> None:
        """Set a box's lamp, and blink for `identify_s` seconds so that a person finds it. The last one wins.

        The lamp is set again after a reset of the sensor; the blinking is not repeated.
        """
        for station in self._stations.values():
            if station.sensor.box == box:
                station.requested = wire.show(lamp, identify_s)
                return
        boxes = ", ".join(station.sensor.box for station in self._stations.values())
        raise ValueError(f"{self.spec.id} has no box {box!r}; its boxes are {boxes}")

    def can_blink(self, part: str) -> bool:
        """Each box can."""
        return any(station.sensor.box == part for station in self._stations.values())

    def blink(self, seconds: int, part: str = "") -> None:
        """Let a person find this box; its lamp stays as it is otherwise."""
        for station in self._stations.values():
            if station.sensor.box == part:
                lamp = Lamp.OFF if station.requested is None else Lamp(station.requested.values[0])
                self.show(part, lamp, identify_s=seconds)

    async def run(self, sink: Sink) -> NoReturn:
        """One opening of the port, until it fails: with a `DriverFailure` or the sink's own error."""
        loop = asyncio.get_running_loop()
        self._bus_reported, self._bus_is_reported = None, False
        for station in self._stations.values():
            station.state = station.named = station.boot = station.shown = None
        options = self._options
        answer_within = options.answer_ms / 1000
        async with open_bus(self.spec, options.parity, self.statistics, answer_within=answer_within) as bus:
            rota = Rota(self._stations, options.poll_ms / 1000, loop.time())
            while True:
                unit, due = rota.next()
                await asyncio.sleep(due - loop.time())
                await self._attend(bus, rota, self._stations[unit], sink)

    async def _attend(self, bus: ModbusBus, rota: Rota, station: _Station, sink: Sink) -> None:
        loop = asyncio.get_running_loop()
        asked_at = loop.time()
        try:
            reading = await self._read(bus, station)
            await self._identify(bus, station, reading)
        except (NoAnswer, ProtocolError) as failure:
            failures = rota.failed(station.sensor.unit, loop.time())
            if isinstance(failure, WrongSensor) or failures >= SILENT_AFTER:
                await self._lost(station, failure, sink)
            return
        rota.answered(station.sensor.unit, asked_at)
        if not station.watch.pending:
            station.watch.observe(reading)
        while station.watch.pending:
            await sink(station.watch.pending[0])
            station.watch.reported()
        await self._report_state(station, self._online(station, reading), sink)
        await self._light(bus, station)

    async def _read(self, bus: ModbusBus, station: _Station) -> wire.Reading:
        unit = station.sensor.unit
        reply = await bus.ask(unit, station.question)
        if isinstance(reply, frames.Refusal) and reply.code == frames.ILLEGAL_ADDRESS and station.question != wire.READ:
            # Another sensor sits there now, one that only counts.
            station.question = wire.READ
            reply = await bus.ask(unit, station.question)
        if isinstance(reply, frames.InputRegisters) and reply.values[0] == wire.WORTH_MAP:
            reply = await self._read_worth(bus, station, reply)
        if isinstance(reply, frames.Refusal):
            if reply.code in (frames.ILLEGAL_FUNCTION, frames.ILLEGAL_ADDRESS):
                raise WrongSensor(f"unit {unit} is no drop-box sensor: {reply}")
            raise ProtocolError(f"unit {unit} gave no reading: {reply}")
        assert isinstance(reply, frames.InputRegisters)
        if reply.values[0] not in (wire.MAP, wire.WORTH_MAP):
            raise WrongSensor(
                f"unit {unit} is no drop-box sensor: its register 0 is 0x{reply.values[0]:04x}, not 0x{wire.MAP:04x}"
            )
        reading = wire.decode(reply.values)
        wanted = station.options.serial
        if wanted is not None and reading.serial != wanted:
            raise WrongSensor(f"unit {unit} is sensor {reading.serial}, the config wants {wanted} for this box")
        return reading

    async def _read_worth(self, bus: ModbusBus, station: _Station, reply: frames.Reply) -> frames.Reply:
        """Its whole map in one answer, which is one moment."""
        if station.question == wire.READ_WORTH:
            return reply
        station.question = wire.READ_WORTH
        return await bus.ask(station.sensor.unit, station.question)

    async def _identify(self, bus: ModbusBus, station: _Station, reading: wire.Reading) -> None:
        """Ask for its names, once per power-up. A sensor that has none is read all the same."""
        if station.boot == reading.boot:
            return
        reply = await bus.ask(station.sensor.unit, wire.IDENTIFY)
        station.named = reply if isinstance(reply, frames.Identification) else None
        station.boot = reading.boot
        station.shown = None

    async def _light(self, bus: ModbusBus, station: _Station) -> None:
        requested = station.requested
        if requested is None or requested == station.shown:
            return
        try:
            reply = await bus.ask(station.sensor.unit, requested)
        except NoAnswer:
            return
        if isinstance(reply, frames.Refusal):
            log.warning("%s, unit %d: the lamp was refused: %s", self.spec.id, station.sensor.unit, reply)
        lamp = wire.show(Lamp(requested.values[0]))
        if station.requested is requested:
            station.requested = lamp
        station.shown = lamp

    async def _lost(self, station: _Station, failure: Exception, sink: Sink) -> None:
        wrong = isinstance(failure, WrongSensor)
        state = SensorState(sensor=station.sensor, state="wrong_device" if wrong else "silent", detail=str(failure))
        station.boot = None
        await self._report_state(station, state, sink)
        stations = self._stations.values()
        if not all(other.is_lost for other in stations):
            return
        if any(other.state is not None and other.state.state == "wrong_device" for other in stations):
            raise WrongDevice(f"on {self.spec.url}: {self._detail()}")
        raise ConnectionLost(
            f"no sensor answers on {self.spec.url}: check the bus's cable and termination and the sensors' power"
        )

    async def _report_state(self, station: _Station, state: SensorState, sink: Sink) -> None:
        if state == station.state == station.reported and self._bus_is_reported:
            return
        station.state, self._bus_is_reported = state, False
        if state != station.reported:
            await sink(state)
            station.reported = state
        bus = self._bus_state()
        answering = any(other.state is not None and not other.is_lost for other in self._stations.values())
        if answering and bus != self._bus_reported:
            await sink(bus)
            self._bus_reported = bus
        self._bus_is_reported = True

    def _bus_state(self) -> DeviceState:
        def joined(values: list[str | None]) -> str | None:
            return ", ".join(dict.fromkeys(value for value in values if value)) or None

        states = [station.state for station in self._stations.values() if station.state is not None]
        return DeviceState(
            device=self.spec.id,
            state="online",
            model=joined([state.model for state in states]),
            serial=joined([state.serial for state in states]),
            firmware=joined([state.firmware for state in states]),
            detail=self._detail(),
        )

    def _detail(self) -> str:
        lost = [station.state for station in self._stations.values() if station.is_lost]
        return "; ".join(f"{state.sensor.box}: {state.detail}" for state in lost if state is not None)

    def _online(self, station: _Station, reading: wire.Reading) -> SensorState:
        names = dict(station.named.objects) if station.named is not None else {}
        return SensorState(
            sensor=station.sensor,
            state="online",
            model=names.get(wire.PRODUCT_OBJECT),
            serial=reading.serial,
            firmware=names.get(wire.FIRMWARE_OBJECT),
        )

    def _station(self, options: SensorOptions) -> _Station:
        sensor = Sensor(device=self.spec.id, unit=options.unit, box=options.box)
        return _Station(options, sensor, DropWatch(sensor, self._options.weight_step_g))
