"""What an LED sign shows, as text and as a picture of its dots.

A page is rows of cells, a cell one character and its colour. The picture is a PNG with a palette, written with the
standard library: each dot a small disc, dark ones visible, as on a sign in a lit room.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

from protocols.alpha.codes import Colour, Position
from sim_hw.devices.reader_board.led_font import HEIGHT, WIDTH, glyph

Rgb = tuple[int, int, int]

LIT: dict[Colour, Rgb] = {
    Colour.RED: (255, 36, 24),
    Colour.GREEN: (60, 255, 60),
    Colour.AMBER: (255, 176, 0),
    Colour.DIM_RED: (140, 16, 10),
    Colour.DIM_GREEN: (24, 130, 24),
    Colour.BROWN: (130, 84, 20),
    Colour.ORANGE: (255, 112, 0),
    Colour.YELLOW: (255, 240, 40),
}
HOUSING: Rgb = (12, 12, 12)
DARK_DOT: Rgb = (38, 30, 30)
MANY_COLOURS = (Colour.RED, Colour.AMBER, Colour.GREEN)
"""What rainbow, mix and auto go through, character by character."""

PITCH = 6
"""Pixels from dot to dot."""
_DISC = (".###.", "#####", "#####", "#####", ".###.")


@dataclass(frozen=True, slots=True)
class Cell:
    character: str
    colour: Colour


Row = tuple[Cell, ...]
Page = tuple[Row, ...]


def as_text(page: Page) -> list[str]:
    """The rows as a person reads them."""
    return ["".join(cell.character for cell in row) for row in page]


def as_dots(
    page: Page, rows: int, columns: int, position: Position = Position.FILL, *, centred: bool = True
) -> list[list[Colour | None]]:
    """The dots of a sign of this number of rows and columns of characters, None for a dark one."""
    dots: list[list[Colour | None]] = [[None] * (columns * (WIDTH + 1)) for _ in range(rows * (HEIGHT + 1))]
    spare = rows - len(page)
    down = {Position.TOP: 0, Position.BOTTOM: spare * (HEIGHT + 1)}.get(position, spare * (HEIGHT + 1) // 2)
    for nth, row in enumerate(page):
        top = down + nth * (HEIGHT + 1)
        left = (columns - len(row)) * (WIDTH + 1) // 2 if centred else 0
        for place, cell in enumerate(row):
            colour = cell.colour if cell.colour in LIT else MANY_COLOURS[place % len(MANY_COLOURS)]
            for y, line in enumerate(glyph(cell.character)):
                for x, dot in enumerate(line):
                    if dot == "#":
                        dots[top + y][left + place * (WIDTH + 1) + x] = colour
    return dots


def as_png(dots: Sequence[Sequence[Colour | None]]) -> bytes:
    """The picture of a sign with these dots."""
    palette = [HOUSING, DARK_DOT, *LIT.values()]
    index: dict[Colour | None, int] = {None: 1} | {colour: n for n, colour in enumerate(LIT, start=2)}
    lines = []
    border = bytes(2 * PITCH + len(dots[0]) * PITCH)
    for row in dots:
        colours = [index[dot] for dot in row]
        for slice_of_disc in (*_DISC, "....."):
            line = bytearray(PITCH)
            for colour in colours:
                line += bytes(colour if pixel == "#" else 0 for pixel in slice_of_disc) + b"\0"
            lines.append(bytes(line + bytes(PITCH)))
    return _png([border] * PITCH + lines + [border] * PITCH, palette)


def _png(lines: Sequence[bytes], palette: Sequence[Rgb]) -> bytes:
    """An indexed PNG (ISO 15948) of lines of palette numbers."""
    header = struct.pack(">IIBBBBB", len(lines[0]), len(lines), 8, 3, 0, 0, 0)
    colours = b"".join(bytes(rgb) for rgb in palette)
    data = zlib.compress(b"".join(b"\0" + line for line in lines), 9)
    chunks = ((b"IHDR", header), (b"PLTE", colours), (b"IDAT", data), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in chunks
    )
