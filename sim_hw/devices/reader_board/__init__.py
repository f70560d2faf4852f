"""The simulated reader board: LED signs on one line.

device      the line, and the signs on it
sign        one sign: its memory, its pages
led_matrix  a page as a picture
led_font    the letters

May import `protocols` and, of `sim_hw`, what is below `devices`.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from sim_hw.devices.kinds import Making, SimulatedKind
from sim_hw.devices.reader_board.device import SimulatedReaderBoard
from sim_hw.devices.reader_board.sign import SimulatedSign


async def look(board: SimulatedReaderBoard) -> list[list[list[str]]]:
    """Every page of every sign, as text."""
    return [sign.pages for sign in board.signs]


async def picture(board: SimulatedReaderBoard, *, to: str, sign: int = 1, page: int = 1) -> None:
    """A PNG of a page, as the sign shows it."""
    Path(to).write_bytes(board.signs[sign - 1].png(page - 1))  # noqa: ASYNC240


class BoardModel(Struct, forbid_unknown_fields=True):
    keeps_memory: bool = False
    answers: bool = True


def _build(making: Making) -> SimulatedReaderBoard:
    model: BoardModel = making.model
    signs = [
        SimulatedSign(
            sign.get("address", "01"),
            rows=sign.get("rows", 2),
            columns=sign.get("columns", 24),
            keeps_memory=model.keeps_memory,
            answers=model.answers,
        )
        for sign in making.options.get("signs", [{}])
    ]
    return SimulatedReaderBoard(making.port, signs, line=making.options.get("line", "7E1"), seed=making.seed)


KIND = SimulatedKind(
    name="reader_board",
    build=_build,
    model=BoardModel,
    baud=9_600,
    bare_options={"gap_ms": 20, "poll_ms": 100, "settle_ms": 20},
    acts=(look, picture),
)
