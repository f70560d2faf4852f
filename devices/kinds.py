"""Which driver attends which kind of device."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from devices.driver import Driver
from devices.drivers.card_reader.driver import CardReaderDriver
from devices.drivers.dice_cup import DiceCupDriver
from devices.drivers.drop_box.driver import DropBoxDriver
from devices.drivers.key_panel import KeyPanelDriver
from devices.drivers.reader_board.driver import ReaderBoardDriver
from devices.drivers.shoe import ShoeDriver
from devices.drivers.shuffler import ShufflerDriver
from devices.spec import DeviceSpec, Kind
from protocols.link.session import Timings

Factory = Callable[[DeviceSpec, Timings | None], Driver]

FACTORIES: Mapping[Kind, Factory] = {
    "card_reader": CardReaderDriver,
    "dice_cup": DiceCupDriver,
    "drop_box": DropBoxDriver,
    "key_panel": KeyPanelDriver,
    "reader_board": ReaderBoardDriver,
    "shoe": ShoeDriver,
    "shuffler": ShufflerDriver,
}


def make_driver(spec: DeviceSpec, timings: Timings | None = None) -> Driver:
    """The driver for a device of the config."""
    return FACTORIES[spec.kind](spec, timings)
