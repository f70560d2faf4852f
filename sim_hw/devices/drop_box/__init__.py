"""The simulated drop boxes: sensors on a Modbus line, and boxes that fill.

device  the boxes by their names
bus     the sensors' end of the line
sensor  one sensor, with a box in it

May import `protocols` and, of `sim_hw`, what is below `devices`.
"""

from __future__ import annotations

from sim_hw.devices.drop_box.bus import SimulatedBus
from sim_hw.devices.drop_box.device import DropBoxes
from sim_hw.devices.drop_box.sensor import Box, SimulatedSensor
from sim_hw.devices.kinds import CommonModel, Fault, Making, SimulatedKind

# What people do with it


async def drop(boxes: DropBoxes, *, box: str = "collection", pieces: int = 1, cents: int | None = None) -> int:
    """Pieces through the slot; gives what is then in the box. `cents`: their worth, where the sensor reads it."""
    sensor = boxes.sensor(box)
    sensor.drop(pieces, cents)
    return sensor.box.pieces if sensor.box is not None else 0


async def take_box(boxes: DropBoxes, *, box: str = "collection") -> int:
    return boxes.sensor(box).take_box().pieces


async def put_box(boxes: DropBoxes, *, box: str = "collection", id: str = "BOX-9", capacity: int = 3000) -> None:
    boxes.sensor(box).put_box(Box(id, capacity=capacity))


async def open_box_door(boxes: DropBoxes, *, box: str = "collection") -> None:
    boxes.sensor(box).open_door()


async def shut_box_door(boxes: DropBoxes, *, box: str = "collection") -> None:
    boxes.sensor(box).shut_door()


# What goes wrong


async def drift(boxes: DropBoxes, *, box: str = "collection", grams: int = 35) -> None:
    """The scale moves by itself."""
    boxes.sensor(box).drift(grams)


async def silent(boxes: DropBoxes, *, box: str = "collection") -> None:
    """One sensor of the bus answers no more; the others do."""
    boxes.sensor(box).fall_silent()


async def _speak(boxes: DropBoxes) -> None:
    for sensor in boxes.sensors.values():
        sensor.speak_again()


class BoxesModel(CommonModel):
    capacity: int = 3000
    """Pieces that a box holds."""
    counter_bits: int = 32
    reads_worth: bool = False
    """Whether its sensors read the worth of a chip."""


def _build(making: Making) -> DropBoxes:
    model: BoxesModel = making.model
    named: dict[str, SimulatedSensor] = {}
    for wanted in making.options.get("sensors", ()):
        unit = int(wanted["unit"])
        sensor = named[str(wanted["box"])] = SimulatedSensor(
            unit,
            making.clock,
            seed=making.seed,
            box=f"BOX-{unit}",
            serial=f"SIM-{unit}",
            counter_bits=model.counter_bits,
            reads_worth=model.reads_worth,
        )
        sensor.box = Box(f"BOX-{unit}", capacity=model.capacity)
    return DropBoxes(SimulatedBus(making.port, list(named.values()), seed=making.seed), named)


KIND = SimulatedKind(
    name="drop_box",
    build=_build,
    model=BoxesModel,
    baud=19_200,
    parity="even",
    bare_options={"sensors": [{"unit": 1, "box": "collection"}], "parity": "none", "poll_ms": 50},
    patient_options={"answer_ms": 2000},
    acts=(drop, take_box, put_box, open_box_door, shut_box_door),
    faults=(Fault(drift), Fault(silent, _speak)),
)
