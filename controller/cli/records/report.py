"""`cutcard report`: what a shift owed, what was counted, and where they differ.

Exit code 0, whatever the report says; 2 where it cannot be made.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from controller.cli.arguments import AddParser, journal_of
from controller.config import ReportConfig, read_config
from controller.errors import UserError
from controller.journal import JournalReader
from controller.paths import DEFAULT_CONFIG
from controller.report.forms import FORMS
from controller.report.ledger import last_moment, read_ledger
from controller.report.period import Period, PeriodRequest, requested_period
from controller.report.text import as_text


def add_command(add: AddParser) -> None:
    command = add("report", help="fees due and counted, by round, dealer, box and shift")
    command.add_argument("what", choices=("shift",))
    command.add_argument("--config", type=Path, help=f"default: {DEFAULT_CONFIG}")
    command.add_argument("--journal", type=Path, help="a journal file; else that of the configuration")
    command.add_argument("--shift", help="its name, as under [report] in the config")
    command.add_argument("--date", help="the day on which the shift begins, 2026-11-15; else the journal's last")
    command.add_argument("--from", dest="start", metavar="TIME", help="instead of a shift: 2026-11-15T06:00")
    command.add_argument("--to", dest="end", metavar="TIME")
    command.add_argument("--timezone", help="the house's, as America/Los_Angeles; else the config's")
    for form in FORMS:
        command.add_argument(f"--{form}", type=Path, metavar="FILE", help=f"write it as {form.upper()}; - prints it")
    command.set_defaults(command=_report)


def _report(chosen: argparse.Namespace) -> int:
    with JournalReader.read(journal_of(chosen)) as reader:
        ledger = read_ledger(reader, _period(chosen, reader))
    wanted: dict[str, Path] = {form: path for form in FORMS if (path := getattr(chosen, form)) is not None}
    for form, path in wanted.items():
        _write(path, FORMS[form](ledger))
    if not wanted:
        print(as_text(ledger))
    return 0


def _period(chosen: argparse.Namespace, reader: JournalReader) -> Period:
    house = _house(chosen)
    zone: str = chosen.timezone or house.timezone
    return requested_period(
        PeriodRequest(chosen.shift, chosen.date, chosen.start, chosen.end), last_moment(reader), house.shifts, zone
    )


def _house(chosen: argparse.Namespace) -> ReportConfig:
    if chosen.journal is not None:
        return ReportConfig()
    return read_config(chosen.config or DEFAULT_CONFIG).report


def _write(path: Path, made: bytes) -> None:
    if str(path) == "-":
        sys.stdout.buffer.write(made)
        return
    try:
        path.write_bytes(made)
    except OSError as error:
        raise UserError(f"{path} cannot be written: {error.strerror}.") from None
