"""The packet as PDF, upright, with lines to sign on."""

from __future__ import annotations

from collections.abc import Iterator

from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Flowable, PageBreak

from controller.packet.document import Block, Packet, Paragraph, Section, as_table
from controller.packet.page import SIGNED, subtitle
from controller.printing.pdf import (
    HEAD,
    PORTRAIT,
    TITLE,
    document,
    natural_width,
    paragraph,
    rows_of,
    signatures,
    width,
)

_ACROSS = width(PORTRAIT)
_SECTION = ParagraphStyle("section", parent=TITLE, fontSize=12, leading=16, spaceBefore=14, keepWithNext=1)


def as_pdf(packet: Packet) -> bytes:
    foot = f"{packet.slug}, in force as {packet.in_force}"
    return document(f"{packet.title}: rules packet", foot, list(_story(packet)), PORTRAIT)


def _story(packet: Packet) -> Iterator[Flowable]:
    yield paragraph(packet.title, TITLE)
    yield paragraph(subtitle(packet))
    for section in packet.changes:
        yield from _section(section)
    if packet.changes:
        yield PageBreak()
    for section in packet.sections:
        yield from _section(section)
    yield from signatures(SIGNED, _ACROSS)


def _section(section: Section) -> Iterator[Flowable]:
    yield paragraph(section.title, _SECTION)
    for block in section.blocks:
        yield from _block(block)


def _block(block: Block) -> Iterator[Flowable]:
    if isinstance(block, Paragraph):
        yield paragraph(f"{block.text} (lines {block.line})" if block.line else block.text)
        return
    table = as_table(block)
    if table.title:
        yield paragraph(table.title, HEAD)
    yield rows_of(table, min(_ACROSS, natural_width(table)))
