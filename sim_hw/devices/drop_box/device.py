"""The drop boxes of a table by their names, behind one bus."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sim_hw.devices.drop_box.bus import SimulatedBus
from sim_hw.devices.drop_box.sensor import SimulatedSensor
from sim_hw.devices.kinds import OnWire, Wrong


class DropBoxes(OnWire):
    """Boxes with a sensor each."""

    def __init__(self, bus: SimulatedBus, sensors: Mapping[str, SimulatedSensor]) -> None:
        self.bus, self.sensors = bus, sensors
        self.wire = bus.line

    def sensor(self, box: str) -> SimulatedSensor:
        if box not in self.sensors:
            raise Wrong(f"there is no box {box!r}; the boxes are {', '.join(self.sensors)}")
        return self.sensors[box]

    def plug(self) -> None:
        self.bus.plug()

    def unplug(self) -> None:
        self.bus.unplug()

    def close(self) -> None:
        self.unplug()

    def power_cycle(self, *, keep_events: bool = False) -> None:
        """Sensors have counters and no events."""
        for sensor in self.sensors.values():
            sensor.reset()

    async def wait_online(self) -> None:
        units = {sensor.unit for sensor in self.sensors.values()}
        await self.bus.wait_until(lambda: units <= {asked.unit for asked in self.bus.asked})

    async def wait_taken(self) -> None:
        """A sensor does not know what the controller has stored."""

    async def wait_read(self, boxes: Iterable[str]) -> None:
        """Until the controller has these boxes as they are now: it asks again only when it has stored the last."""
        waited = [(sensor, sensor.times_read + 2) for sensor in map(self.sensor, boxes)]
        await self.bus.wait_until(lambda: all(sensor.times_read >= times for sensor, times in waited))
