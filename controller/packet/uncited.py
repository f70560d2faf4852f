"""Lines of the approval that nothing in a packet cites: where an officer who ticks lines off has to look first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from controller.packet.document import Block, Facts, Grid, Paragraph, Section

UNCITED = "uncited"
"""The key of the section."""
LINES = "line"
"""The column of a grid that has the lines of the approval."""
_RANGE = re.compile(r"(\d+)(?:-(\d+))?")
OTHER_TEXT = re.compile(r"\b\d{3}:")
"""The same game in another text, as in `003:1039-1224`."""
_LETTER = re.compile(r"reading \S+|[A-Z]+-?\d+")
"""The letter of a reading, which is no line."""


def lines_in(text: str) -> set[int]:
    """
    >>> sorted(lines_in("375, 490-492, reading A9")), lines_in("BS-18")
    ([375, 490, 491, 492], set())
    """
    found = _RANGE.findall(_LETTER.sub("", text))
    return {line for first, last in found for line in range(int(first), int(last or first) + 1)}


def uncited(sections: Sequence[Section], source: str) -> list[Block]:
    """The ranges of the ruleset's own lines that no fact, row or paragraph cites."""
    own = {line for part in source.split(";") if not OTHER_TEXT.search(part) for line in lines_in(part)}
    cited = {line for one in sections if one.key != "rules" for line in _cited(one.blocks)}
    ranges = ", ".join(_ranges(sorted(own - cited)))
    if not ranges:
        return [Paragraph("Every line of the approval is cited.")]
    text = (
        "Compare these lines with the order of the deal, the ranking and the settlement, which cite none: empty lines "
    )
    return [Paragraph(f"{text}and headings are among them."), Paragraph(ranges, source)]


def _cited(blocks: Iterable[Block]) -> Iterator[int]:
    for block in blocks:
        match block:
            case Paragraph():
                yield from lines_in(block.line)
            case Facts():
                for fact in block.rows:
                    yield from lines_in(fact.line)
            case Grid():
                at = block.columns.index(LINES) if LINES in block.columns else -1
                for row in block.rows if at >= 0 else ():
                    yield from lines_in(row[at])


def _ranges(lines: Sequence[int]) -> Iterator[str]:
    start = 0
    for n, line in enumerate(lines, start=1):
        if n == len(lines) or lines[n] != line + 1:
            first = lines[start]
            yield str(first) if first == line else f"{first}-{line}"
            start = n
