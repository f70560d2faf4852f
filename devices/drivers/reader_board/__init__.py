"""The reader board: LED signs that show results, limits and the history of the shoe.

driver   keeps the signs up to date over all connections
content  what a board shows, apart from how many columns it has
keeper   what to send to which sign, and when
memory   what a sign holds
options  the signs in the config
lines    the wire, for a technician

May import what a driver may: see `devices.drivers`.
"""

from __future__ import annotations

from devices.drivers.reader_board.driver import ReaderBoardDriver
from devices.drivers.reader_board.lines import SignLines
from devices.drivers.reader_board.options import ReaderBoardOptions
from devices.kinds import DeviceKind

KIND = DeviceKind(
    name="reader_board", driver=ReaderBoardDriver, options=ReaderBoardOptions, lines=lambda _: SignLines()
)
