"""The books as tables of text, once for all forms. Times are in the clock of the house."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from controller.engine.amounts import money
from controller.printing.table import Table
from floor.books.lines import Books, BoxLine, SumLine

PARTS = (
    "total",
    "not_whole",
    "differences",
    "watch",
    "boxes",
    "sites",
    "sections",
    "tables",
    "games",
    "dealers",
    "days",
    "pace",
    "rounds",
    "decisions",
    "banks",
    "jackpots",
    "alarms",
    "acts",
    "access",
    "devices",
)
"""The parts of the books, in the order in which they are printed: first what somebody has to act on."""


def heading(books: Books) -> list[tuple[str, str]]:
    scope = books.scope
    rows = [("Site" if len(scope.sites) == 1 else "Sites", ", ".join(scope.sites))]
    days = scope.first if scope.first == scope.last else f"{scope.first} to {scope.last}"
    rows.append(("Gaming day" if scope.first == scope.last else "Gaming days", days))
    named = (
        ("Shift", scope.shift),
        ("Section", scope.section),
        ("Tables", "" if scope.section else ", ".join(scope.tables)),
        ("Game", scope.game),
        ("Dealer", scope.dealer or ""),
        ("Mode", "TEST MODE: no money" if scope.test else ""),
    )
    rows += [(name, text) for name, text in named if text]
    late = f"of {len(books.not_whole)} tables something is missing: these books may change"
    rows.append(("Complete", late if books.not_whole else "every event of these tables is here"))
    return rows


def parts(books: Books, zone: str, wanted: Sequence[str] = PARTS) -> list[Table]:
    """The tables; one that has no row is left out, except those that state that there is nothing to act on."""
    clock = _clock(zone)
    made = [_MAKERS[name](books, clock) for name in PARTS if name in wanted]
    return [table for table in made if table.rows or table.title in _ALWAYS]


Clock = Callable[[int | None], str]


def _clock(zone: str) -> Clock:
    place = ZoneInfo(zone)

    def shown(at: int | None) -> str:
        return "" if at is None else f"{datetime.fromtimestamp(at / 1000, place):%Y-%m-%d %H:%M}"

    return shown


def _sum_table(title: str, kind: str) -> Callable[[Books, Clock], Table]:
    columns = (
        *("site", kind, "rounds", "void", "corrected", "wagered", "due", "waived", "pieces", "worth"),
        *("missing", "over", "counted", "difference"),
    )

    def made(books: Books, _: Clock) -> Table:
        lines = [books.total] if title == "Total" else getattr(books, title.lower())
        rows = tuple(_sum_row(line, _NAMELESS.get(kind, "")) for line in lines)
        return Table(title, columns, rows, frozenset(range(2, 14)))

    return made


_NAMELESS = {"dealer": "nobody signed on", "section": "no section"}


def _sum_row(line: SumLine, nameless: str) -> tuple[str, ...]:
    return (
        line.site,
        line.name or nameless,
        f"{line.rounds:,}",
        str(line.void),
        str(line.corrected),
        money(line.wagered),
        money(line.due),
        money(line.waived),
        f"{line.pieces:,}",
        _worth(line.low, line.high),
        money(line.missing),
        money(line.over),
        "" if line.counted is None else money(line.counted),
        _signed(line.difference),
    )


def _worth(low: int, high: int | None) -> str:
    if high is None:
        return f"{money(low)} or more" if low else "not known"
    return money(low) if low == high else f"{money(low)} to {money(high)}"


def _signed(cents: int | None) -> str:
    return "" if cents is None else f"+{money(cents)}" if cents > 0 else money(cents)


def _seconds(ms: int | None) -> str:
    return "" if ms is None else f"{ms / 1000:.0f} s"


def _not_whole(books: Books, _: Clock) -> Table:
    return Table("Not complete", ("site", "table", ""), tuple((w.site, w.table, w.text) for w in books.not_whole))


_LEVELS = {"report": "report", "regulator": "report, copy to the regulator", "": ""}


def _differences(books: Books, _: Clock) -> Table:
    rows = tuple(
        (
            one.site,
            one.table,
            one.day,
            one.what,
            money(one.due),
            money(one.found),
            _signed(one.difference),
            _LEVELS[one.level],
            one.text,
        )
        for one in books.differences
    )
    columns = ("site", "table", "day", "what", "due", "found", "difference", "asks for", "")
    return Table("Differences", columns, rows, frozenset({4, 5, 6}))


def _boxes(books: Books, clock: Clock) -> Table:
    columns = ("site", "table", "taken out", "box", "id", "seal", "due", "worth", "counted", "difference", "by", "")
    rows = tuple(_box_row(box, clock) for box in books.boxes)
    return Table("Boxes", columns, rows, frozenset({6, 7, 8, 9}))


def _box_row(box: BoxLine, clock: Clock) -> tuple[str, ...]:
    counted = "not counted" if box.counted is None else money(box.counted)
    due = "" if box.due is None else money(box.due)
    by = f"{box.counted_by} ({box.source})" if box.source else ""
    worth = _worth(box.low, box.high)
    figures = due, worth, counted, _signed(box.difference), by, "; ".join(box.problems)
    return (box.site, box.table, clock(box.at), box.box, box.box_id, box.seal, *figures)


def _pace(books: Books, _: Clock) -> Table:
    rows = tuple(
        (
            one.site,
            one.table,
            one.game,
            f"{one.rounds:,}",
            f"{one.an_hour:.0f}",
            _seconds(one.betting),
            _seconds(one.dealing),
            _seconds(one.idle),
        )
        for one in books.pace
    )
    columns = ("site", "table", "game", "rounds", "an hour", "betting", "dealing", "between")
    return Table("Pace", columns, rows, frozenset(range(3, 8)))


def _rounds(books: Books, clock: Clock) -> Table:
    rows = tuple(
        (
            one.site,
            one.table,
            str(one.round),
            clock(one.at),
            one.game,
            one.dealer,
            "void" if one.void else f"corrected {one.corrections} times" if one.corrections > 1 else "corrected",
            one.by,
            one.why.replace("_", " "),
        )
        for one in books.rounds
    )
    columns = ("site", "table", "round", "time", "game", "dealer", "", "by", "why")
    return Table("Void and corrected rounds", columns, rows, frozenset({2}))


def _decisions(books: Books, clock: Clock) -> Table:
    rows = tuple(
        (
            one.site,
            one.table,
            clock(one.at),
            str(one.round),
            one.by or "not known",
            one.act.replace("_", " "),
            one.subject,
            one.reason,
        )
        for one in books.decisions
    )
    return Table("Decisions", ("site", "table", "time", "round", "by", "what", "about", "reason"), rows, frozenset({3}))


def _banks(books: Books, _: Clock) -> Table:
    rows = tuple(
        (
            one.site,
            one.name,
            one.firm,
            str(one.tables),
            f"{one.hands:,}",
            str(one.longest),
            str(one.kept),
            str(one.broken),
            _signed(one.net),
        )
        for one in books.banks
    )
    columns = (
        "site",
        "player-dealer",
        "firm",
        "tables",
        "hands",
        "most in a row",
        "kept",
        "games broken",
        "won or lost",
    )
    return Table("Player-dealers", columns, rows, frozenset(range(3, 9)))


def _jackpots(books: Books, _: Clock) -> Table:
    rows = tuple(
        (
            one.site,
            one.table,
            one.jackpot,
            "not known" if one.before is None else money(one.before),
            money(one.seeded),
            money(one.contributed),
            money(one.paid),
            _signed(one.adjusted),
            "not known" if one.after is None else money(one.after),
        )
        for one in books.jackpots
    )
    columns = ("site", "table", "jackpot", "before", "seeded", "contributed", "paid", "adjusted", "after")
    return Table("Jackpots", columns, rows, frozenset(range(3, 9)))


def _alarms(books: Books, _: Clock) -> Table:
    rows = tuple(
        (
            one.site,
            one.table,
            one.alarm,
            str(one.times),
            str(one.open),
            str(one.unseen),
            _seconds(one.slowest),
            one.text,
        )
        for one in books.alarms
    )
    columns = ("site", "table", "alarm", "times", "still open", "never seen", "seen after, at most", "the last")
    return Table("Alarms", columns, rows, frozenset({3, 4, 5, 6}))


def _acts(books: Books, _: Clock) -> Table:
    rows = tuple(
        (one.site, one.by or "the table", one.act.replace("_", " "), str(one.times), str(one.refused))
        for one in books.acts
    )
    return Table("Acts of people", ("site", "by", "what", "times", "refused"), rows, frozenset({3, 4}))


def _access(books: Books, clock: Clock) -> Table:
    rows = tuple(
        (
            one.site,
            one.name,
            ", ".join(one.roles),
            clock(one.first),
            clock(one.last),
            str(one.acts),
            "; ".join(one.findings),
        )
        for one in books.access
    )
    return Table("Access", ("site", "name", "roles", "first", "last", "acts", ""), rows, frozenset({5}))


def _devices(books: Books, clock: Clock) -> Table:
    rows = tuple(
        (
            one.site,
            one.table,
            one.device,
            one.model,
            one.serial,
            one.firmware,
            one.state,
            clock(one.since),
            "" if one.shuffles is None else str(one.shuffles),
            "" if one.meter is None else f"{one.meter:,}",
            "" if one.cards is None else f"{one.cards:,}",
        )
        for one in books.devices
    )
    columns = (
        "site",
        "table",
        "device",
        "model",
        "serial",
        "firmware",
        "state",
        "since",
        "shuffles",
        "its meter",
        "cards",
    )
    return Table("Devices", columns, rows, frozenset({8, 9, 10}))


def _watch(books: Books, _: Clock) -> Table:
    rows = tuple(
        (
            one.site,
            one.kind,
            one.name,
            str(one.shifts),
            _signed(one.missing),
            money(one.level),
            money(one.limit),
            f"passed in {one.found}" if one.found else "",
        )
        for one in books.watch
        if one.found or one.level
    )
    columns = ("site", "", "name", "shifts", "due less dropped", "sum", "limit", "")
    return Table("Watch", columns, rows, frozenset({3, 4, 5, 6}))


_ALWAYS = frozenset({"Total", "Differences"})
_MAKERS: dict[str, Callable[[Books, Clock], Table]] = {
    "total": _sum_table("Total", ""),
    "not_whole": _not_whole,
    "differences": _differences,
    "watch": _watch,
    "boxes": _boxes,
    "sites": _sum_table("Sites", ""),
    "sections": _sum_table("Sections", "section"),
    "tables": _sum_table("Tables", "table"),
    "games": _sum_table("Games", "game"),
    "dealers": _sum_table("Dealers", "dealer"),
    "days": _sum_table("Days", "day"),
    "pace": _pace,
    "rounds": _rounds,
    "decisions": _decisions,
    "banks": _banks,
    "jackpots": _jackpots,
    "alarms": _alarms,
    "acts": _acts,
    "access": _access,
    "devices": _devices,
}
