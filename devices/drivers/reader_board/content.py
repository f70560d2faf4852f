"""What a reader board should show, and how it comes onto one sign.

`BoardContent` is the whole board at one moment, in panels of lines; it knows no signs. `picture` fits it to a sign of
a given size: the commands that make the sign show it, once with everything in the text and once with a string for each
line.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, islice
from typing import Literal

from protocols.alpha.codes import MAX_STRING, PRIORITY, Colour, Control, Mode, Position
from protocols.alpha.commands import WriteString, WriteText
from protocols.alpha.special import File
from protocols.alpha.text import CallString, Item, Items, Section
from protocols.values import Value

PanelName = Literal["results", "table", "statistics", "previous"]

PANEL_LINES: Mapping[PanelName, int] = {"results": 2, "table": 2, "statistics": 6, "previous": 6}
"""How many lines a panel may have: the sign's memory is laid out for them once."""

MAX_COLUMNS = 40
BYTES_PER_CHARACTER = 3
"""At worst each character has a colour of its own before it."""
assert MAX_COLUMNS * BYTES_PER_CHARACTER <= MAX_STRING

TEXT = "A"


class Span(Value):
    text: str
    colour: Colour = Colour.AMBER


class SignLine(Value):
    """One line. Where a sign has no room for it, `keep` says which end stays."""

    spans: tuple[Span, ...] = ()
    keep: Literal["start", "end"] = "start"

    @property
    def text(self) -> str:
        return "".join(span.text for span in self.spans)


def line(text: str, colour: Colour = Colour.AMBER) -> SignLine:
    """A line of one colour."""
    return SignLine((Span(text, colour),))


class BoardContent(Value, kw_only=True):
    """Everything the board shows at one moment."""

    results: tuple[SignLine, ...] = ()
    table: tuple[SignLine, ...] = ()
    statistics: tuple[SignLine, ...] = ()
    previous: tuple[SignLine, ...] = ()
    notice: SignLine | None = None
    """Takes the whole board while it is shown."""

    def panel(self, name: PanelName) -> tuple[SignLine, ...]:
        panels: Mapping[PanelName, tuple[SignLine, ...]] = {
            "results": self.results,
            "table": self.table,
            "statistics": self.statistics,
            "previous": self.previous,
        }
        return panels[name][: PANEL_LINES[name]]


class Picture(Value):
    """The content as commands for one sign."""

    inline: WriteText
    """Everything in the text itself."""
    calls: WriteText
    """The same with a string for each line."""
    strings: tuple[WriteString, ...]
    notice: WriteText
    """Without sections: there is none, and the display is given back."""


def picture(content: BoardContent, panels: Sequence[PanelName], *, rows: int, columns: int) -> Picture:
    """The content as a sign of this size shows it; a panel of more lines than it has rows takes several pages."""
    pages: list[list[WriteString]] = []
    labels = iter(_LABELS)
    for name in panels:
        # A line has the same string whatever the other panels hold: when one of them shrinks nothing changes places.
        labels_of_panel = list(islice(labels, PANEL_LINES[name]))
        lines = [
            WriteString(label, _fit(shown, columns))
            for label, shown in zip(labels_of_panel, content.panel(name), strict=False)
        ]
        pages += [lines[at : at + rows] for at in range(0, len(lines), rows)]
    notice = () if content.notice is None else (Section(Position.MIDDLE, Mode.HOLD, _fit(content.notice, columns)),)
    return Picture(
        inline=_text([[string.items for string in page] for page in pages], rows),
        calls=_text([[(CallString(string.label),) for string in page] for page in pages], rows),
        strings=tuple(string for page in pages for string in page),
        notice=WriteText(PRIORITY, notice),
    )


def memory_for(panels: Sequence[PanelName], *, columns: int) -> tuple[File, ...]:
    """The files of a sign that shows these panels: its text, which must hold everything, and a string for each line."""
    lines = sum(PANEL_LINES[name] for name in panels)
    size = columns * BYTES_PER_CHARACTER
    return (File.text(TEXT, 16 + lines * (size + 1)), *(File.string(label, size) for label in _LABELS[:lines]))


_LABELS = "abcdefghijklmnopqrstuvwxyz"


def _text(pages: Iterable[Iterable[Items]], rows: int) -> WriteText:
    items: list[Item] = []
    for page in pages:
        items += [Control.NEW_PAGE] if items else []
        for nth, shown in enumerate(page):
            items += [Control.NEW_LINE, *shown] if nth else shown
    position = Position.FILL if rows > 1 else Position.MIDDLE
    # Every character takes the same room, so that figures which change do not move what is beside them.
    return WriteText(TEXT, (Section(position, Mode.HOLD, (Control.FIXED_WIDTH_ON, *(items or (" ",)))),))


def _fit(shown: SignLine, columns: int) -> Items:
    """What of a line a sign has room for, in characters that it has."""
    cells = [(span.colour, character) for span in shown.spans for character in span.text]
    cells = cells[-columns:] if shown.keep == "end" else cells[:columns]
    items: list[Item] = []
    for colour, run in groupby(cells, key=lambda cell: cell[0]):
        characters = "".join(character if " " <= character < "~" else "?" for _, character in run)
        items += [colour, characters]
    # An empty string would let the lines below move up.
    return tuple(items) or (" ",)
