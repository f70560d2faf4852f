"""From a plan's words to a simulated device, and what all of them have in common although their wires differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct, field

from protocols.cards import RANKS
from protocols.hid.card_codes import CARD_TEXTS
from protocols.shuffler.messages import Mode
from sim_hw.devices.card_reader import PRODUCT, VENDOR, SimulatedCardReader
from sim_hw.devices.dice_cup import SimulatedDiceCup
from sim_hw.devices.drop_box import Box, SimulatedSensor
from sim_hw.devices.key_panel import SimulatedKeyPanel
from sim_hw.devices.modbus_bus import SimulatedBus as ModbusBus
from sim_hw.devices.reader_board.device import SimulatedReaderBoard
from sim_hw.devices.reader_board.sign import SimulatedSign
from sim_hw.devices.shoe import SimulatedShoe
from sim_hw.devices.shuffler.device import SimulatedShuffler
from sim_hw.time.clock import SimClock
from sim_hw.usb.backend import SimulatedBus as UsbBus
from sim_hw.wire.line import Line, Port
from sim_hw.wire.pty import Pty
from sim_hw.wire.tcp import TcpPort

Kind = Literal["card_reader", "dice_cup", "drop_box", "key_panel", "reader_board", "shoe", "shuffler"]
KINDS: tuple[Kind, ...] = ("card_reader", "dice_cup", "drop_box", "key_panel", "reader_board", "shoe", "shuffler")

BAUD: Mapping[Kind, int] = {"drop_box": 19_200, "reader_board": 9_600}
"""Where it is not the device link's."""


S = TypeVar("S", bound=Struct)


class Wrong(Exception):
    """What a plan, an act or a fault asks for and cannot have, in a sentence for whoever wrote it."""


@dataclass(frozen=True, eq=False)
class DropBoxes:
    """The boxes of a table by their names, behind one bus."""

    bus: ModbusBus
    sensors: Mapping[str, SimulatedSensor]

    async def wait_read(self, boxes: Iterable[str]) -> None:
        """Until the controller has heard how these stand now: it asks again only when it has stored what it heard."""
        waited = [(sensor, sensor.times_read + 2) for sensor in map(self.sensor, boxes)]
        await self.bus.wait_until(lambda: all(sensor.times_read >= times for sensor, times in waited))

    def sensor(self, box: str) -> SimulatedSensor:
        if box not in self.sensors:
            raise Wrong(f"there is no box {box!r}; the boxes are {', '.join(self.sensors)}")
        return self.sensors[box]


LinkModel = SimulatedShoe | SimulatedShuffler | SimulatedDiceCup | SimulatedKeyPanel
Model = LinkModel | DropBoxes | SimulatedReaderBoard | SimulatedCardReader


class DevicePlan(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One device of a table, as a rig's plan says it."""

    kind: Kind
    on: Literal["pty", "tcp"] = "pty"
    """Where it appears. A card reader is on the USB bus, whatever stands here."""
    required: bool = True
    """For the daemon: whether its port must be there at the start."""
    options: dict[str, Any] = field(default_factory=dict)
    """As in the daemon's config; the model takes from them what concerns it (a shuffler's mode, a bus's sensors)."""
    model: dict[str, Any] = field(default_factory=dict)
    """What only the simulated device needs to know, by its kind: see docs/rig.md."""
    port: str = ""
    """A real port: nothing is simulated, the daemon is sent there."""


class _Common(Struct, forbid_unknown_fields=True):
    serial: str = ""
    firmware: str = "1.0.0"


class _ShufflerModel(_Common):
    reads_cards: bool = True
    mode: str = ""
    """Set at its panel before the daemon comes, where not by the daemon's options."""
    stack: int = 0
    packet: int = 0
    jokers: int = 0


class _PanelModel(_Common):
    keys: int = 12
    has_keypad: bool = True


class _BoxesModel(_Common):
    capacity: int = 3000
    """Pieces that a box holds."""
    counter_bits: int = 32
    tells_worth: bool = False
    """Whether its sensors know what a chip is worth."""


class _BoardModel(Struct, forbid_unknown_fields=True):
    keeps_memory: bool = False
    answers: bool = True


class _ReaderModel(Struct, forbid_unknown_fields=True):
    serial: str = "SIM-0001"
    beside_keyboard: bool = False


def build(name: str, plan: DevicePlan, folder: Path, usb: UsbBus, *, clock: SimClock, seed: int | str) -> Model:
    """A device, unplugged. Its seed is the rig's and its own name: two shoes of one rig hold different cards."""
    port: Port = TcpPort() if plan.on == "tcp" else Pty(folder, name)
    own, options, model = f"{seed}/{name}", plan.options, plan.model
    match plan.kind:
        case "shoe":
            said = _said(name, model, _Common)
            return SimulatedShoe(port, clock, seed=own, serial=said.serial or "SIM-0001", firmware=said.firmware)
        case "shuffler":
            machine = _said(name, model, _ShufflerModel)
            return SimulatedShuffler(
                port,
                clock,
                seed=own,
                reads_cards=machine.reads_cards,
                mode=_mode(options, machine),
                serial=machine.serial or "SIM-0002",
                firmware=machine.firmware,
            )
        case "dice_cup":
            said = _said(name, model, _Common)
            return SimulatedDiceCup(port, clock, seed=own, serial=said.serial or "SIM-0003", firmware=said.firmware)
        case "key_panel":
            panel = _said(name, model, _PanelModel)
            return SimulatedKeyPanel(
                port,
                clock,
                seed=own,
                keys=panel.keys,
                has_keypad=panel.has_keypad,
                serial=panel.serial or "SIM-0004",
                firmware=panel.firmware,
            )
        case "drop_box":
            return _boxes(port, options, _said(name, model, _BoxesModel), clock, own)
        case "reader_board":
            board = _said(name, model, _BoardModel)
            signs = [
                SimulatedSign(
                    sign.get("address", "01"),
                    rows=sign.get("rows", 2),
                    columns=sign.get("columns", 24),
                    keeps_memory=board.keeps_memory,
                    answers=board.answers,
                )
                for sign in options.get("signs", [{}])
            ]
            return SimulatedReaderBoard(port, signs, line=options.get("line", "7E1"), seed=own)
        case "card_reader":
            reader = _said(name, model, _ReaderModel)
            texts = {card: text for text, card in options["codes"].items()} if "codes" in options else CARD_TEXTS
            return SimulatedCardReader(
                usb, seed=own, serial=reader.serial, beside_keyboard=reader.beside_keyboard, texts=texts
            )


def url_of(model: Model) -> str:
    """What a config says to reach it."""
    if isinstance(model, SimulatedCardReader):
        return f"usb://{VENDOR:04x}:{PRODUCT:04x}/{model.serial}"
    line = line_of(model)
    assert line is not None
    return line.port.url


def line_of(model: Model) -> Line | None:
    """Its wire; none for a device on USB, which has checksums and retries of its own."""
    match model:
        case DropBoxes():
            return model.bus.line
        case SimulatedReaderBoard():
            return model.line
        case SimulatedCardReader():
            return None
    return model.link.line


def plug(model: Model) -> None:
    (model.bus if isinstance(model, DropBoxes) else model).plug()


def unplug(model: Model) -> None:
    (model.bus if isinstance(model, DropBoxes) else model).unplug()


def close(model: Model) -> None:
    """Out, and nothing moves any more."""
    if isinstance(model, SimulatedShuffler):
        model.switch_off()
    unplug(model)


async def online(model: Model) -> None:
    """Until a controller has found it."""
    match model:
        case DropBoxes():
            units = {sensor.unit for sensor in model.sensors.values()}
            await model.bus.wait_until(lambda: units <= {asked.unit for asked in model.bus.asked})
        case SimulatedReaderBoard():
            await model.until(lambda: all(sign.obeyed for sign in model.signs))
        case SimulatedCardReader():
            await model.usb.wait_opened()
        case _:
            await model.wait_online()


async def taken(model: Model) -> None:
    """Until the controller has all that happened at it, as far as the device can know."""
    match model:
        case SimulatedCardReader():
            await model.usb.wait_taken()
        case DropBoxes() | SimulatedReaderBoard():
            return
        case _:
            await model.wait_taken()


def is_plugged(model: Model) -> bool:
    line = line_of(model)
    return line.is_plugged if line is not None else isinstance(model, SimulatedCardReader) and model.usb.is_plugged


def _said(name: str, model: Mapping[str, Any], kind: type[S]) -> S:
    try:
        return msgspec.convert(dict(model), type=kind)
    except msgspec.ValidationError as error:
        raise Wrong(f"the model of {name!r}: {error}") from None


def _mode(options: Mapping[str, Any], machine: _ShufflerModel) -> Mode:
    kind = options.get("mode", machine.mode or "batch")
    return Mode(
        kind=kind,
        stack=options.get("stack", machine.stack),
        packet=options.get("packet", machine.packet),
        ranks=options.get("ranks", RANKS),
        jokers=options.get("jokers", machine.jokers),
        decks=options.get("decks", 1),
    )


def _boxes(port: Port, options: Mapping[str, Any], model: _BoxesModel, clock: SimClock, seed: str) -> DropBoxes:
    named: dict[str, SimulatedSensor] = {}
    for wanted in options.get("sensors", ()):
        box, unit = str(wanted["box"]), int(wanted["unit"])
        sensor = SimulatedSensor(
            unit,
            clock,
            seed=seed,
            box=f"BOX-{unit}",
            serial=f"SIM-{unit}",
            counter_bits=model.counter_bits,
            tells_worth=model.tells_worth,
        )
        sensor.box = Box(f"BOX-{unit}", capacity=model.capacity)
        named[box] = sensor
    return DropBoxes(ModbusBus(port, list(named.values()), seed=seed), named)
