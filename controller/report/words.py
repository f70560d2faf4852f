"""The report's rows, once for all its forms: the columns, as text."""

from __future__ import annotations

from collections.abc import Sequence

from controller.engine.amounts import money
from controller.printing.table import Table
from controller.report.lines import NO_SENSOR, Finding, Ledger
from controller.report.period import Period


def heading(ledger: Ledger) -> list[tuple[str, str]]:
    """In the order of the count sheet: house, table, time, shift; then what came of it."""
    period = ledger.period
    time = f"{period.clock(period.start, seconds=False)} to {period.clock(period.end, seconds=False)} {period.zone}"
    rows = [("House", ledger.site), ("Table", ledger.table), ("Shift", period.name), ("Time", time)]
    if ledger.first_n:
        rows.append(("Journal", f"entries {ledger.first_n} to {ledger.last_n}, hash {ledger.last_hash[:16]}"))
    else:
        rows.append(("Journal", "no entries in this time"))
    if ledger.test:
        rows.append(("Mode", "TEST MODE: this is no record of play"))
    return rows


def totals(ledger: Ledger) -> Table:
    pieces = str(ledger.pieces)
    row = (money(ledger.due), pieces, money(ledger.missing), money(ledger.surplus), str(len(ledger.rounds)))
    return Table("Total", ("due", "pieces", "proved missing", "proved over", "fees"), (row,), frozenset(range(5)))


def boxes(ledger: Ledger) -> Table:
    rows = []
    for box in ledger.boxes:
        when = "in the slot" if box.until is None else f"out {ledger.period.clock(box.until, seconds=False)}"
        rows.append(
            (
                box.box,
                box.box_id or "not known",
                box.seal or "-",
                when,
                money(box.due),
                str(box.pieces) if box.has_sensor else NO_SENSOR,
                between(box.low, box.high, box.pieces) if box.has_sensor else "-",
                "" if box.counted is None else money(box.counted),
                "" if box.difference is None else signed(box.difference),
            )
        )
    columns = ("box", "id", "seal", "", "due", "pieces", "worth", "counted", "difference")
    return Table(f"Boxes ({len(rows)})", columns, tuple(rows), frozenset({4, 5, 6, 7, 8}))


def dealers(ledger: Ledger) -> Table:
    rows = tuple(
        (
            dealer.name or "nobody signed on",
            str(dealer.rounds),
            money(dealer.due),
            str(dealer.pieces),
            money(dealer.missing),
            money(dealer.surplus),
            str(dealer.late),
            str(dealer.unproven),
            str(dealer.unexplained),
            money(dealer.tips),
        )
        for dealer in ledger.dealers
    )
    columns = (
        "dealer",
        "fees",
        "due",
        "pieces",
        "missing",
        "over",
        "late",
        "unproven",
        "unexplained pieces",
        "tips won",
    )
    return Table("Dealers", columns, rows, frozenset(range(1, 10)))


def banks(ledger: Ledger) -> Table:
    rows = tuple((one.name, one.firm, str(one.hands), str(one.longest), str(one.kept)) for one in ledger.banks)
    columns = ("player-dealer", "firm", "hands", "most in a row", "kept after an offer")
    return Table("Player-dealers", columns, rows, frozenset({2, 3, 4}))


def jackpots(ledger: Ledger) -> Table:
    rows = tuple(
        (
            one.name,
            _or_unknown(one.main_before),
            money(one.seeded),
            money(one.contributed),
            money(one.paid),
            signed(one.adjusted),
            money(one.main),
            "not known" if one.reserve_before is None else money(one.reserve),
        )
        for one in ledger.jackpots
    )
    columns = ("jackpot", "meter before", "seeded", "contributed", "paid", "adjusted", "meter", "reserve")
    return Table("Jackpots", columns, rows, frozenset(range(1, 8)))


def _or_unknown(cents: int | None) -> str:
    return "not known" if cents is None else money(cents)


def trend(ledger: Ledger) -> Table:
    rows = []
    for dealer in ledger.dealers:
        run = 0
        for part in dealer.trend:
            run += part.difference
            name = dealer.name or "nobody signed on"
            rows.append((name, part.label, str(part.rounds), money(part.due), signed(part.difference), signed(run)))
    columns = ("dealer", "from", "fees", "due", "due less dropped", "running")
    title = "Trend: due less dropped, as far as it is proved"
    return Table(title, columns, tuple(rows), frozenset({2, 3, 4, 5}))


def unexplained(ledger: Ledger) -> Table:
    """What nobody has explained: the first thing to read."""
    found = [finding for finding in ledger.findings if finding.is_open]
    return _findings(f"Not explained ({len(found)})", ledger, found)


def explained(ledger: Ledger) -> Table:
    """Differences that were explained, one line for each explanation."""
    groups: dict[tuple[str, str, str], list[Finding]] = {}
    for finding in ledger.findings:
        if finding.explained:
            groups.setdefault((finding.what, finding.box, finding.explained), []).append(finding)
    rows = tuple(
        (
            what.replace("_", " "),
            box,
            "once" if len(found) == 1 else f"{len(found)} times",
            ", ".join(dict.fromkeys(str(finding.round) for finding in found if finding.round is not None)),
            ledger.period.clock(found[0].at),
            text,
            found[0].text + (f", and {len(found) - 1} more like it" if len(found) > 1 else ""),
        )
        for (what, box, text), found in groups.items()
    )
    return Table("Explained", ("what", "box", "", "rounds", "first", "explanation", "evidence"), rows)


def routine(ledger: Ledger) -> Table:
    """Boxes that came and went, and what has its reason in its own text."""
    found = [finding for finding in ledger.findings if finding.is_routine and finding.what != "explained"]
    return _findings("Boxes and decisions", ledger, found)


def _findings(title: str, ledger: Ledger, found: Sequence[Finding]) -> Table:
    rows = tuple(
        (
            ledger.period.clock(finding.at),
            finding.what.replace("_", " "),
            finding.box,
            "" if finding.round is None else str(finding.round),
            finding.dealer,
            finding.text,
        )
        for finding in found
    )
    return Table(title, ("time", "what", "box", "round", "dealer", "evidence"), rows)


def rounds(ledger: Ledger) -> Table:
    rows = tuple(
        (
            ledger.period.clock(line.at),
            f"{line.round}, by the clock" if line.by_the_clock else str(line.round),
            line.dealer,
            line.box,
            money(line.due),
            str(line.pieces),
            between(line.low, line.high, line.pieces),
            line.verdict.replace("_", " "),
        )
        for line in ledger.rounds
    )
    columns = ("time", "round", "dealer", "box", "due", "pieces", "worth", "judged")
    return Table("Rounds", columns, rows, frozenset({4, 5, 6}))


def everything(ledger: Ledger) -> Sequence[Table]:
    """All tables in their order: after the total, what nobody has explained comes first."""
    makes = (totals, unexplained, boxes, dealers, banks, jackpots, trend, explained, routine, rounds)
    lacks = [make for make, lines in ((banks, ledger.banks), (jackpots, ledger.jackpots)) if not lines]
    return [make(ledger) for make in makes if make not in lacks]


def signed(cents: int) -> str:
    return f"+{money(cents)}" if cents > 0 else money(cents)


def between(low: int, high: int | None, pieces: int) -> str:
    """What pieces are worth, as far as it is known.

    >>> between(200, 200, 2), between(200, 1000, 2), between(2, None, 2), between(0, 0, 0)
    ('$2.00', '$2.00 to $10.00', 'not known', '$0.00')
    """
    if high is None:
        return "not known" if pieces else money(0)
    return money(low) if low == high else f"{money(low)} to {money(high)}"


def moment(period: Period, at: int | None) -> str:
    return "" if at is None else period.clock(at)
