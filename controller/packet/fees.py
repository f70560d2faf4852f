"""The collection: what the approval prints beside how it is read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import msgspec
from msgspec import Struct, structs

from controller.engine.fees.schedule import PrintedRule
from controller.engine.jackpot.rules import Jackpot, in_words
from controller.packet.document import Block, Fact, Facts, Grid, Paragraph
from controller.packet.facts import Source
from controller.packet.values import said, words
from controller.rules import Ruleset
from controller.rules.fee_words import amount, fees_said, limits_said, readings_said
from controller.rules.printed import as_printed, cited, printed
from controller.rules.schedules import Chosen, Posted, available, find
from controller.rules.sign import NO_SHARE, TAKEN

POSTED, AVAILABLE = "The posted collection", "Collections that the cardroom may post for this game; none is chosen here"
CELL = 32
"""Characters up to which a line of the text may be one cell of a table."""
HEADINGS = 16
"""Lines before a block of schedules that are shown with it."""
LIST_ITEM = re.compile(r"(- |\d+[.)] |[a-z][.)] )")
"""What a rule in a list begins with: the heading of a collection is none."""


def collection(source: Source) -> list[Block]:
    """The schedule that a table posts, or every one that it may post."""
    ruleset, chosen = source.ruleset, source.chosen
    posted = posted_of(ruleset, chosen)
    if posted is not None:
        found = [find(name, posted.cardroom, ruleset.fee_game) for name in posted.schedule.id.split(" + ")]
        return [*_beside(POSTED, found), *_as_posted(posted)]
    found = [find(name, ruleset.data.cardroom, ruleset.fee_game) for name in _names(ruleset)]
    if not found:
        return [Paragraph("No collection of this game is printed; the house supplies its own, or takes none.")]
    return _beside(AVAILABLE, found)


def posted_of(ruleset: Ruleset, chosen: Mapping[str, Any]) -> Posted | None:
    """What a table posts; None where it chose nothing."""
    option = ruleset.data.options.get("schedule")
    name: Chosen | None = chosen.get("schedule", option.default if option is not None else None)
    return ruleset.posted(name) if name else None


def _names(ruleset: Ruleset) -> tuple[str, ...]:
    return available(ruleset.data.cardroom, ruleset.fee_game)


def _beside(title: str, schedules: Sequence[Posted]) -> list[Block]:
    """Block by block of the print: the lines as they are, and each schedule that is read from them."""
    blocks: list[Block] = []
    for text, of_text in groupby(schedules, key=lambda posted: posted.schedule.source.partition(":")[0]):
        rows: list[tuple[str, ...]] = []
        for source, group in groupby(of_text, key=lambda posted: posted.schedule.source):
            alike = list(group)
            read = "\n".join(line for one in alike for line in _as_read(one))
            rows.append((source.partition(":")[2], _as_printed(alike[0]), read))
        blocks.append(Grid(f"{title} ({text})", ("line", "as printed", "as read"), tuple(rows)))
    return blocks


def _as_printed(posted: Posted) -> str:
    source = cited(posted.schedule.source)
    lines = printed(posted.cardroom, source.text)
    before = _headings(lines, source.lines[0]) if source.lines else []
    shown = [as_printed(lines[number]) for number in source.lines if number in lines]
    if sum(" | " in line or len(line) > CELL for line in shown) * 5 < len(shown):
        # The text has one cell of the table in each line.
        shown = [" | ".join(shown)]
    return "\n".join([*before, *shown])


def _headings(lines: Mapping[int, str], first: int) -> list[str]:
    """The headings right before a block; none where other rows of the table are there. Another table, and a list of
    rules, end them."""
    found: list[str] = []
    for number in range(first - 1, first - 1 - HEADINGS, -1):
        line = as_printed(lines.get(number, ""))
        if any(mark in line for mark in ("$", "¢")) and len(line) < 120:
            break
        if LIST_ITEM.match(line) or (" | " in line and found and " | " not in found[0]):
            break
        if line:
            found.insert(0, line)
        if line.startswith("#"):
            break
    return found


def _as_read(posted: Posted) -> Iterator[str]:
    schedule = posted.schedule
    collected = f", collected {words(schedule.collect_at)}" if schedule.collect_at is not None else ""
    yield f"{schedule.id}: {limits_said(schedule)}{collected}"
    if schedule.bonus:
        yield f"{words(schedule.bonus)} {amount(schedule.bonus_min)} to {amount(schedule.bonus_max)}"
    yield from fees_said(schedule)
    yield from filter(None, (" ".join(schedule.note.split()), readings_said(schedule)))


def _as_posted(posted: Posted) -> list[Block]:
    """How it is charged at this table: everything else that the schedule has."""
    schedule = posted.schedule
    rows = [Fact(words(name), _value(name, value)) for name, value in _fields(schedule) if name not in SHOWN]
    rows += [Fact(f"house: {words(name)}", said(value, name)) for name, value in _fields(schedule.house)]
    taken = [TAKEN[schedule.collect_at]] if schedule.collect_at is not None else []
    return [*map(Paragraph, (*taken, NO_SHARE)), Facts(tuple(rows), "How it is charged")]


SHOWN = frozenset({"id", "games", "fee", "collect_at", "source", "note", "house", "reading", "by_game", "printed"})
"""Fields of a schedule that are said elsewhere in the section."""
AMOUNTS = frozenset({"table_min", "table_max", "spot_max", "bonus_min", "bonus_max", "wager_step", "off_step"})
ALWAYS = frozenset({"between_bands", "below_bands", "on_void", "waiver", "no_action", "time_from"})


def _fields(value: Struct) -> Iterator[tuple[str, Any]]:
    """What is not as it would be without being said, and the readings that every schedule has."""
    for field in structs.fields(value):
        found = getattr(value, field.name)
        default = field.default_factory() if field.default_factory is not msgspec.NODEFAULT else field.default
        if found != default or field.name in ALWAYS:
            yield field.name, found


def _value(name: str, value: Any) -> str:
    if name in AMOUNTS or name.startswith(
        ("printed_", "buy_in", "stakes", "blinds", "spread", "bets", "ante", "point")
    ):
        amounts = value if isinstance(value, tuple) else (value,)
        return ", ".join(amount(cents) if isinstance(cents, int) else str(cents) for cents in amounts)
    return said(value, name)


def jackpots(source: Source, rules: Sequence[Jackpot]) -> list[Block]:
    """Fees that are collected for a jackpot, what the documents print about it, and the house's own rules."""
    ruleset = source.ruleset
    posted = posted_of(ruleset, source.chosen)
    found = (
        [posted] if posted is not None else [find(n, ruleset.data.cardroom, ruleset.fee_game) for n in _names(ruleset)]
    )
    rows: list[tuple[str, ...]] = []
    printed: dict[PrintedRule, None] = {}
    for one in found:
        printed |= dict.fromkeys(one.schedule.printed_jackpot_rules)
        with_box = [row for row in one.schedule.fee if row.kind == "jackpot" or row.box == "jackpot"]
        if with_box:
            rows.append((one.schedule.id, "\n".join(fees_said(one.schedule, with_box)), one.schedule.source))
    if not rows:
        return [Paragraph("No fee is collected for a jackpot.")]
    blocks: list[Block] = [
        Paragraph("These fees go into the jackpot box."),
        Grid("Fees for a jackpot", ("schedule", "fee", "line"), tuple(rows)),
        *(Paragraph(rule.text, rule.lines) for rule in printed),
    ]
    if not rules:
        return [*blocks, Paragraph("How a jackpot is paid is the house's rule; this packet has none of it.")]
    return [*blocks, *(Paragraph(sentence) for jackpot in rules for sentence in in_words(jackpot))]
