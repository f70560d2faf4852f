"""Which driver attends which kind of device."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from devices.card_reader import CardReaderDriver
from devices.dice_cup import DiceCupDriver
from devices.driver import Driver
from devices.drop_box import DropBoxDriver
from devices.key_panel import KeyPanelDriver
from devices.reader_board import ReaderBoardDriver
from devices.shoe import ShoeDriver
from devices.shuffler import ShufflerDriver
from devices.spec import DeviceSpec, Kind
from protocols.link import Timings

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
