"""Which drop-box sensors are on a serial port. Reading a sensor changes nothing in it."""

from __future__ import annotations

from devices.driver import DriverFailure
from devices.kinds import Section
from devices.ports.modbus_bus import ModbusBus, open_bus
from devices.ports.transport import Parity, PortError
from devices.spec import DeviceSpec
from protocols import drop_box
from protocols.errors import ProtocolError
from protocols.link.session import LinkStatistics
from protocols.modbus.frames import InputRegisters

BAUD = 19_200
UNITS = range(1, 5)
"""A table has a collection box and a jackpot box, seldom more."""
PARITIES: tuple[Parity, ...] = ("even", "none")
BOXES = {1: "collection", 2: "jackpot"}
TRIES = 3
"""Questions to a unit on a line where another one has answered: a busy board is late now and then, and half of the
sensors of a table would be a wrong section."""


async def probe_sensors(url: str) -> Section | None:
    """The section for the sensors on this port, or None; `PortError` where the port cannot be used at all."""
    refused: PortError | None = None
    for parity in PARITIES:
        try:
            units = await _units(url, parity)
        except PortError as error:
            # A line that cannot be set so may take the other parity.
            refused = error
            continue
        except DriverFailure:
            continue
        if units:
            sensors = [{"unit": unit, "box": BOXES.get(unit, f"box_{unit}")} for unit in units]
            options: dict[str, object] = {"sensors": sensors}
            options |= {} if parity == PARITIES[0] else {"parity": parity}
            return {"kind": "drop_box", "url": url, "baud": BAUD, "options": options}
        refused = None
    if refused is not None:
        raise refused
    return None


async def _units(url: str, parity: Parity) -> list[int]:
    spec = DeviceSpec(id="probe", kind="drop_box", url=url, baud=BAUD)
    async with open_bus(spec, parity, LinkStatistics.fresh()) as bus:
        units = {unit for unit in UNITS if await _is_sensor(bus, unit)}
        for _ in range(TRIES - 1 if units else 0):
            units |= {unit for unit in UNITS if unit not in units and await _is_sensor(bus, unit)}
    return sorted(units)


async def _is_sensor(bus: ModbusBus, unit: int) -> bool:
    try:
        reply = await bus.ask(unit, drop_box.READ)
    except (DriverFailure, ProtocolError):
        return False
    return isinstance(reply, InputRegisters) and reply.values[0] in (drop_box.MAP, drop_box.WORTH_MAP)
