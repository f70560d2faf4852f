"""`cutcard floor books`: the books of a shift, a day or a month; count sheets."""

from __future__ import annotations

import argparse
import getpass
import time
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import Engine

from controller.errors import UserError
from floor.books import counts, forms, words
from floor.books.house import read_staff, staff_of_page
from floor.books.make import books
from floor.books.scope import Scope, narrowed, of_day, of_month, of_shift
from floor.config import FloorConfig, read_config
from floor.store.database import reading, with_store


def add_commands(add: Callable[..., argparse.ArgumentParser], config: Path) -> None:
    parts = add("books", help="the books of a shift, a day or a month; count sheets").add_subparsers(required=True)
    day = parts.add_parser("day", help="of a gaming day")
    day.add_argument("day", help="2026-11-18")
    month = parts.add_parser("month", help="of a month")
    month.add_argument("month", help="2026-11")
    shift = parts.add_parser("shift", help="of a shift")
    shift.add_argument("day", help="the gaming day, 2026-11-18")
    shift.add_argument("shift", help="its name in [shifts] of the configuration")
    for one, scope in ((day, _day), (month, _month), (shift, _shift)):
        _add_scope(one)
        one.set_defaults(command=_print, scope=scope)
    count = parts.add_parser("count", help="take a count sheet, a CSV file")
    count.add_argument("file", type=Path)
    count.set_defaults(command=_count)
    key = parts.add_parser("key", help="key what was counted in one box")
    key.add_argument("table")
    key.add_argument("box_id")
    key.add_argument("amount", help="1234.50")
    key.add_argument("--counted-by", required=True, help="who counted")
    key.add_argument("--at", help="when, by the clock of the house; else now")
    key.add_argument("--seal", default="")
    key.add_argument("--note", default="")
    key.set_defaults(command=_key)
    for one in (day, month, shift, count, key):
        one.add_argument("--config", type=Path, default=config, help="default: %(default)s")


def _add_scope(one: argparse.ArgumentParser) -> None:
    one.add_argument(
        "--site", action="append", help="of a company: this site; may be repeated. Else that of the configuration"
    )
    one.add_argument("--table", action="append", default=[], help="may be repeated")
    one.add_argument("--section", help="as in [sections] of the configuration")
    one.add_argument("--game", default="", help="a ruleset")
    one.add_argument("--dealer")
    one.add_argument("--test", action="store_true", help="tables in test mode, and no others")
    one.add_argument("--part", action="append", choices=words.PARTS, help="only this part; may be repeated")
    one.add_argument("--staff", type=Path, help="the staff list, for the access review: CSV with name, role, left")
    for form in ("html", "csv", "pdf", "json"):
        one.add_argument(f"--{form}", type=Path, metavar="FILE", help=f"as {form.upper()} into this file")


def _day(chosen: argparse.Namespace, config: FloorConfig, sites: tuple[str, ...]) -> Scope:
    return of_day(sites, chosen.day)


def _month(chosen: argparse.Namespace, config: FloorConfig, sites: tuple[str, ...]) -> Scope:
    return of_month(sites, chosen.month)


def _shift(chosen: argparse.Namespace, config: FloorConfig, sites: tuple[str, ...]) -> Scope:
    return of_shift(sites, chosen.day, chosen.shift, config.shifts, config.calendar)


def _print(chosen: argparse.Namespace) -> int:
    config = read_config(chosen.config)
    scope = narrowed(
        chosen.scope(chosen, config, tuple(chosen.site or [config.site])),
        config.sections,
        tables=chosen.table,
        section=chosen.section or "",
        game=chosen.game,
        dealer=chosen.dealer,
        test=chosen.test,
    )
    staff = staff_of_page(Path(config.page.staff)) if chosen.staff is None else read_staff(chosen.staff)

    def work(engine: Engine) -> int:
        with reading(engine) as connection:
            made = books(connection, scope, config, staff)
        zone, parts = config.day.timezone, chosen.part or words.PARTS
        if chosen.html is not None:
            _write(chosen.html, forms.html(made, zone, parts))
        if chosen.csv is not None:
            _write(chosen.csv, forms.csv(made, zone, parts))
        if chosen.pdf is not None:
            _write(chosen.pdf, forms.pdf(made, zone, parts))
        if chosen.json is not None:
            _write(chosen.json, forms.json(made))
        if chosen.html is chosen.csv is chosen.pdf is chosen.json is None:
            print(forms.text(made, zone, parts))
        return 0

    return with_store(config.store, work)


def _write(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise UserError(f"{path} cannot be written: {error.strerror}.") from None
    print(path)


def _count(chosen: argparse.Namespace) -> int:
    config = read_config(chosen.config)

    def work(engine: Engine) -> int:
        tables = counts.known_tables(engine, config.site)
        lines = counts.read_file(chosen.file, tables, config.calendar, _now())
        return _enter(engine, config, lines)

    return with_store(config.store, work)


def _key(chosen: argparse.Namespace) -> int:
    config = read_config(chosen.config)
    cells = {
        "table": chosen.table,
        "box_id": chosen.box_id,
        "seal": chosen.seal,
        "counted_at": chosen.at or "",
        "amount": chosen.amount,
        "counted_by": chosen.counted_by,
        "note": chosen.note,
    }

    def work(engine: Engine) -> int:
        tables = counts.known_tables(engine, config.site)
        return _enter(engine, config, [counts.keyed(cells, tables, config.calendar, _now())])

    return with_store(config.store, work)


def _enter(engine: Engine, config: FloorConfig, lines: list[counts.SheetLine]) -> int:
    taken = counts.enter(engine, lines, counts.Entered(config.site, config.calendar, getpass.getuser(), _now()))
    print(f"{taken} boxes taken" if taken else "this sheet is there already: nothing is changed")
    return 0


def _now() -> int:
    return time.time_ns() // 1_000_000
