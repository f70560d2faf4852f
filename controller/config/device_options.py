"""What each kind of device takes under `options`: the types of its driver."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from devices.drivers.card_reader.options import CardReaderOptions
from devices.drivers.dice_cup import DiceCupOptions
from devices.drivers.drop_box.driver import DropBoxOptions
from devices.drivers.key_panel import KeyPanelOptions
from devices.drivers.reader_board.options import ReaderBoardOptions
from devices.drivers.shuffler import ShufflerOptions
from devices.spec import Kind


class NoOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """A kind that needs nothing besides."""


OPTIONS: Mapping[Kind, type[Struct]] = {
    "card_reader": CardReaderOptions,
    "dice_cup": DiceCupOptions,
    "drop_box": DropBoxOptions,
    "key_panel": KeyPanelOptions,
    "reader_board": ReaderBoardOptions,
    "shoe": NoOptions,
    "shuffler": ShufflerOptions,
}
