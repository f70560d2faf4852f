"""The packet for a terminal: what `cutcard rules show` prints."""

from __future__ import annotations

from collections.abc import Iterator

from controller.packet.document import Block, Packet, Paragraph, Section, as_table
from controller.printing.text import WIDTH, folded, wrapped

_INDENT = "  "


def as_text(packet: Packet, width: int = WIDTH) -> str:
    return "\n".join(_lines(packet, width))


def _lines(packet: Packet, width: int) -> Iterator[str]:
    yield f"{packet.title} ({packet.slug})"
    for section in (*packet.changes, *packet.sections):
        yield from _section(section, width)


def _section(section: Section, width: int) -> Iterator[str]:
    yield ""
    yield section.title.upper()
    for block in section.blocks:
        yield from _block(block, width)


def _block(block: Block, width: int) -> Iterator[str]:
    if isinstance(block, Paragraph):
        text = f"{block.text} (lines {block.line})" if block.line else block.text
        yield from wrapped(text, width, _INDENT)
        return
    table = as_table(block)
    if table.title:
        yield from wrapped(table.title, width, _INDENT)
    yield from folded(table, _INDENT * 2, width)
