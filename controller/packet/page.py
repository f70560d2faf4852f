"""The packet as one HTML file, with the JSON in it that a later packet is compared with."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from controller.packet.document import Block, Packet, Paragraph, Section, as_table, embed
from controller.printing.page import lines, page, rows_of

SIGNED = ("Prepared by", "Compliance officer", "Date")
_STYLE = """
body { max-width: 72rem; font-size: 13px; } h2 { border-bottom: 2px solid #1a1a1a; padding-bottom: .15rem; }
h3 { font-size: .95rem; margin: 1rem 0 .2rem; } p { margin: .3rem 0; } .line { color: #555; }
nav { columns: 2; margin: 1rem 0; } nav a { display: block; color: inherit; }
td:first-child { min-width: 6rem; } .signed { display: flex; gap: 2rem; margin-top: 3rem; }
.signed div { flex: 1; border-top: 1px solid #1a1a1a; padding-top: .2rem; }
@media print { h2, h3 { break-after: avoid; } nav { display: none; } section.changes { break-after: page; } }
"""


def as_page(packet: Packet) -> str:
    title = f"{packet.title}: rules packet"
    everything = (*packet.changes, *packet.sections)
    body = [f"<h1>{escape(packet.title)}</h1>", f"<p>{escape(subtitle(packet))}</p>"]
    body += ["<nav>", *(f'<a href="#{one.key}">{escape(one.title)}</a>' for one in everything), "</nav>"]
    body += [line for section in packet.changes for line in _section(section, "changes")]
    body += [line for section in packet.sections for line in _section(section, "rules")]
    body += ['<div class="signed">', *(f"<div>{escape(who)}</div>" for who in SIGNED), "</div>", embed(packet)]
    return page(title, _STYLE, body)


def subtitle(packet: Packet) -> str:
    approval = packet.approval or "no approval id is printed"
    return f"{packet.cardroom}, {approval}; {packet.slug}, in force as {packet.in_force}"


def _section(section: Section, kind: str) -> Iterator[str]:
    yield f'<section class="{kind}" id="{section.key}"><h2>{escape(section.title)}</h2>'
    for block in section.blocks:
        yield from _block(block)
    yield "</section>"


def _block(block: Block) -> Iterator[str]:
    if isinstance(block, Paragraph):
        line = f' <span class="line">(lines {escape(block.line)})</span>' if block.line else ""
        yield f"<p>{lines(block.text)}{line}</p>"
        return
    table = as_table(block)
    if table.title:
        yield f"<h3>{escape(table.title)}</h3>"
    yield rows_of(table)
