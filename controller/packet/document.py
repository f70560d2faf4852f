"""The packet as a value: sections of paragraphs, facts and tables, each fact with the line of the approval.

Every form is made from it: text, HTML, PDF, and the JSON with which a later packet is compared.
"""

from __future__ import annotations

import msgspec
from msgspec import Struct

from controller.errors import UserError
from controller.printing.table import Table

FORMAT = "cutcard-packet-1"
LINE, NOTE = "line", "in words"


class Paragraph(Struct, frozen=True, tag="paragraph"):
    text: str
    line: str = ""
    """Where the approval has it; empty where no line says it."""


class Fact(Struct, frozen=True):
    """One thing that the ruleset states."""

    name: str
    value: str
    line: str = ""
    note: str = ""


class Facts(Struct, frozen=True, tag="facts"):
    rows: tuple[Fact, ...]
    title: str = ""


class Grid(Struct, frozen=True, tag="table"):
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    line: str = ""


Block = Paragraph | Facts | Grid


class Section(Struct, frozen=True):
    key: str
    title: str
    blocks: tuple[Block, ...]


class Packet(Struct, frozen=True):
    """What a compliance officer signs."""

    slug: str
    title: str
    cardroom: str
    approval: str
    in_force: str
    """The digest of the rules at this table, as it is in every round of the journal."""
    sections: tuple[Section, ...]
    changes: tuple[Section, ...] = ()
    """What differs from an earlier packet, where one was given; printed first."""
    format: str = FORMAT

    def section(self, key: str) -> Section:
        return next(section for section in self.sections if section.key == key)


def encode(packet: Packet) -> bytes:
    """The JSON form, without what it was compared with."""
    return msgspec.json.format(msgspec.json.encode(msgspec.structs.replace(packet, changes=())), indent=1)


def decode(content: bytes, name: str) -> Packet:
    """A packet from its JSON, or from the page that contains it; `UserError` where it is neither."""
    found = _embedded(content) or content
    try:
        packet = msgspec.json.decode(found, type=Packet)
    except (msgspec.ValidationError, msgspec.DecodeError):
        packet = None
    if packet is None or packet.format != FORMAT:
        raise UserError(
            f"{name} is no packet of this program's form. Give the .json or .html that `cutcard rules packet` wrote."
        )
    return packet


def as_table(block: Facts | Grid) -> Table:
    """A block as rows and columns; columns in which nothing is written are left out."""
    if isinstance(block, Grid):
        return Table(block.title, block.columns, block.rows)
    rows = tuple((fact.name, fact.value, fact.line, fact.note) for fact in block.rows)
    columns = ("", "", LINE, NOTE)
    kept = [index for index in range(4) if index < 2 or any(row[index] for row in rows)]
    return Table(
        block.title, tuple(columns[i] for i in kept), tuple(tuple(row[index] for index in kept) for row in rows)
    )


OPENING, CLOSING = '<script type="application/json" id="packet">', "</script>"


def embed(packet: Packet) -> str:
    """The JSON as a part of a page that no reader runs."""
    return f"{OPENING}{encode(packet).decode().replace('<', chr(92) + 'u003c')}{CLOSING}"


def _embedded(content: bytes) -> bytes | None:
    _, found, rest = content.partition(OPENING.encode())
    return rest.partition(CLOSING.encode())[0] if found else None
