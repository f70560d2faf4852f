"""What is different from an earlier packet of the same ruleset, section by section."""

from __future__ import annotations

from collections.abc import Iterator

from controller.errors import UserError
from controller.packet.document import Facts, Grid, Packet, Paragraph, Section

ADDED, REMOVED, CHANGED = "added", "removed", "changed"


def compare(packet: Packet, earlier: Packet) -> tuple[Section, ...]:
    """The first page of a packet that was given an earlier one."""
    if packet.slug != earlier.slug:
        raise UserError(
            f"The earlier packet is of {earlier.slug}, this one of {packet.slug}. Give one of the same rules."
        )
    rows: list[tuple[str, ...]] = []
    titles = {section.key: section.title for section in (*earlier.sections, *packet.sections)}
    before = {section.key: dict(_entries(section)) for section in earlier.sections}
    now = {section.key: dict(_entries(section)) for section in packet.sections}
    for key, title in titles.items():
        old, new = before.get(key, {}), now.get(key, {})
        for name in dict.fromkeys((*old, *new)):
            if old.get(name) != new.get(name):
                what = ADDED if name not in old else REMOVED if name not in new else CHANGED
                rows.append((title, what, name, old.get(name, ""), new.get(name, "")))
    heading = Paragraph(f"The earlier packet was in force as {earlier.in_force}, this one is as {packet.in_force}.")
    if not rows:
        return (Section("changes", "Changes", (heading, Paragraph("Nothing is different from the earlier packet."))),)
    columns = ("section", "", "what", "earlier", "now")
    return (Section("changes", "Changes", (heading, Grid("Different from the earlier packet", columns, tuple(rows)))),)


def _entries(section: Section) -> Iterator[tuple[str, str]]:
    """Everything that a section states, by a name that a small change leaves as it is."""
    seen: dict[str, int] = {}
    for name, value in _named(section):
        seen[name] = seen.get(name, 0) + 1
        yield (name if seen[name] == 1 else f"{name} ({seen[name]})"), value


def _named(section: Section) -> Iterator[tuple[str, str]]:
    for block in section.blocks:
        match block:
            case Paragraph():
                # A sentence has no name but itself: a changed one is one removed and one added.
                yield block.text, block.line or "stated"
            case Facts():
                for fact in block.rows:
                    value = f"{fact.value} (line {fact.line})" if fact.line else fact.value
                    yield _within(block.title, fact.name), f"{value}; {fact.note}" if fact.note else value
            case Grid():
                names = _columns_that_name(block)
                for row in block.rows:
                    yield (
                        _within(block.title, ", ".join(filter(None, row[:names]))),
                        " | ".join(row[names:]) or "stated",
                    )


def _columns_that_name(block: Grid) -> int:
    """How many of the first columns it takes to tell the rows apart."""
    count = 1
    while count < len(block.columns) and len({row[:count] for row in block.rows}) < len(block.rows):
        count += 1
    return count


def _within(title: str, name: str) -> str:
    return f"{title}: {name}" if title else name
