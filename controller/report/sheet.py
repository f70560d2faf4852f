"""The report as CSV (RFC 4180): one table, `kind` is the kind of row; money in dollars, times in the house's clock."""

from __future__ import annotations

import csv
import io

from controller.printing.sheet import plain
from controller.report.lines import Ledger
from controller.report.words import moment

COLUMNS = (
    "kind",
    "house",
    "table",
    "shift",
    "from",
    "to",
    "time",
    "box",
    "box_id",
    "seal",
    "round",
    "dealer",
    "due",
    "pieces",
    "worth_low",
    "worth_high",
    "counted",
    "difference",
    "missing",
    "over",
    "what",
    "text",
)


def as_csv(ledger: Ledger) -> str:
    period = ledger.period
    every = {
        "house": ledger.site,
        "table": ledger.table,
        "shift": period.shift,
        "from": period.clock(period.start),
        "to": period.clock(period.end),
    }
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, restval="")
    writer.writeheader()

    def row(kind: str, **values: str | int | None) -> None:
        row_values = {name: "" if value is None else plain(str(value)) for name, value in values.items()}
        writer.writerow({**every, "kind": kind, **row_values})

    row(
        "total",
        due=_dollars(ledger.due),
        pieces=ledger.pieces,
        missing=_dollars(ledger.missing),
        over=_dollars(ledger.surplus),
        what="test mode" if ledger.test else "",
        text=f"entries {ledger.first_n} to {ledger.last_n}, hash {ledger.last_hash}" if ledger.first_n else "",
    )
    for box in ledger.boxes:
        row(
            "box",
            time=moment(period, box.until),
            box=box.box,
            box_id=box.box_id,
            seal=box.seal,
            due=_dollars(box.due),
            pieces=box.pieces if box.has_sensor else None,
            worth_low=_dollars(box.low) if box.has_sensor and box.high is not None else None,
            worth_high=None if box.high is None or not box.has_sensor else _dollars(box.high),
            counted=None if box.counted is None else _dollars(box.counted),
            difference=None if box.difference is None else _dollars(box.difference),
        )
    for dealer in ledger.dealers:
        row(
            "dealer",
            dealer=dealer.name,
            due=_dollars(dealer.due),
            pieces=dealer.pieces,
            missing=_dollars(dealer.missing),
            over=_dollars(dealer.surplus),
            text=f"{dealer.rounds} fees, {dealer.late} late, {dealer.unproven} unproven, "
            f"{dealer.unexplained} pieces unexplained, {_dollars(dealer.tips)} of tips won",
        )
        for part in dealer.trend:
            row(
                "trend",
                time=part.label,
                dealer=dealer.name,
                due=_dollars(part.due),
                difference=_dollars(part.difference),
                missing=_dollars(part.missing),
                over=_dollars(part.surplus),
            )
    for bank in ledger.banks:
        row(
            "player_dealer",
            what=bank.name,
            text=f"{bank.firm or 'no firm'}: {bank.hands} hands, {bank.longest} in a row at most, "
            f"{bank.kept} times kept",
        )
    for jackpot in ledger.jackpots:
        before = "not known" if jackpot.main_before is None else _dollars(jackpot.main_before)
        row(
            "jackpot",
            what=jackpot.name,
            text=f"meter {_dollars(jackpot.main)}, reserve {_dollars(jackpot.reserve)}, before {before}: "
            f"seeded {_dollars(jackpot.seeded)}, contributed {_dollars(jackpot.contributed)}, "
            f"paid {_dollars(jackpot.paid)}, adjusted {_dollars(jackpot.adjusted)}",
        )
    for finding in ledger.findings:
        row(
            "finding",
            time=period.clock(finding.at),
            box=finding.box,
            round=finding.round,
            dealer=finding.dealer,
            what=finding.what,
            text=finding.text,
        )
    for line in ledger.rounds:
        row(
            "round",
            time=period.clock(line.at),
            box=line.box,
            round=line.round,
            dealer=line.dealer,
            due=_dollars(line.due),
            pieces=line.pieces,
            worth_low=None if line.high is None else _dollars(line.low),
            worth_high=None if line.high is None else _dollars(line.high),
            missing=_dollars(line.missing),
            over=_dollars(line.surplus),
            what=line.verdict,
        )
    return out.getvalue()


def _dollars(cents: int) -> str:
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02}"
