"""`cutcard config`: check, show, init, example, apply. docs/operations/configuration.md is their page."""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli.arguments import AddParser, add_config
from controller.config.confirmed import table_readings
from controller.config.example import TLS
from controller.config.problems import ConfigError
from controller.config.reading import read_config
from controller.paths import DEFAULT_CONFIG

if TYPE_CHECKING:
    from devices.ports.discovery import SerialPort

DATA = "/var/lib/cutcard"
"""The data folder of an installed table."""
BROKERS_AUTHORITY = TLS["ca"]
"""Beside the configuration; where it is there, a first file has an encrypted connection."""


def add_command(add: AddParser) -> None:
    config = add("config", help="the configuration: check, show, init, example, apply")
    what = config.add_subparsers(title="commands", metavar="", required=True)
    checked = what.add_parser("check", help="every error of a file at once, with its line")
    checked.set_defaults(command=_check)
    shown = what.add_parser("show", help="every value, where it comes from, and when a change of it takes effect")
    shown.add_argument("--json", action="store_true")
    shown.set_defaults(command=_show)
    applied = what.add_parser("apply", help="let the running daemon read its file again")
    applied.set_defaults(command=_apply)
    for command in (checked, shown, applied):
        add_config(command)
    begun = what.add_parser("init", help="find the connected devices and write a first file")
    begun.add_argument("url", nargs="*", help="look at these ports; else at all that the machine has")
    add_config(begun)
    begun.add_argument("--force", action="store_true", help="replace a file that is there")
    begun.add_argument("--site", help="the cardroom's name in every topic")
    begun.add_argument("--table", help="the table's name there")
    begun.add_argument("--ruleset", help="as `cutcard rules list` names it")
    begun.add_argument("--broker", help="the cardroom's broker: a name in its certificate, or an address")
    begun.set_defaults(command=_init)
    what.add_parser("example", help="print the commented example").set_defaults(command=_example)


def _check(chosen: argparse.Namespace) -> int:
    path: Path = chosen.config
    try:
        config = read_config(path, files=True)
    except ConfigError as error:
        for line in error.lines:
            print(line, file=sys.stderr)
        return 2
    count = len(config.devices)
    devices = f"{count} device{'s' * (count != 1)}{', TEST MODE' if config.test else ''}"
    print(f"{path}: table {config.table} at {config.site}, {config.rules.ruleset}, {devices}")
    if not config.test:
        found = table_readings(config, path.resolve().parent / config.data)
        for line in found.confirmations.refused:
            print(line)
        if text := found.problem(path):
            print(f"Readings: {text} Until then no round begins.")
    return 0


def _show(chosen: argparse.Namespace) -> int:
    from controller.config import show

    if chosen.json:
        print(show.as_json(chosen.config))
        return 0
    for line in show.as_text(chosen.config):
        print(line)
    return 0


def _example(chosen: argparse.Namespace) -> int:
    from controller.config.example import example

    print(example(), end="")
    return 0


def _init(chosen: argparse.Namespace) -> int:
    from devices.ports.discovery import SerialPort

    out: Path = chosen.config
    first_configuration(
        out,
        [SerialPort(path=url) for url in chosen.url],
        site=chosen.site,
        table=chosen.table,
        ruleset=chosen.ruleset,
        broker=chosen.broker,
        force=chosen.force,
    )
    return 0


def first_configuration(
    out: Path,
    ports: Sequence[SerialPort] = (),
    *,
    site: str | None,
    table: str | None,
    ruleset: str | None,
    broker: str | None,
    force: bool = False,
) -> None:
    """Ask for what is not given, look at the ports (none: all that the machine has), and write the file."""
    from controller.config.finding import FirstValues, first_file, look_around, write_first
    from devices.ports.discovery import serial_ports

    if out.exists() and not force:
        # Refuse before anything is asked or opened.
        write_first(out, "", force=False)
    usual = FirstValues()
    values = FirstValues(
        site=_asked("Site", site, usual.site, _bad_name),
        table=_asked("Table", table, usual.table, _bad_name),
        ruleset=_asked("Ruleset", ruleset, usual.ruleset, _bad_ruleset),
        broker=_asked("Broker", broker, usual.broker, _bad_host),
        is_encrypted=(out.parent / BROKERS_AUTHORITY).exists(),
        data=DATA if out == DEFAULT_CONFIG else usual.data,
    )
    found = asyncio.run(look_around(ports or serial_ports(), print))
    write_first(out, first_file(out, values, found), force=force)
    for note in found.notes:
        print(note)
    check = f"cutcard config check --config {out}"
    print(f"{out} is written, with {len(found.devices)} devices. Look through it, then `{check}`.")


def _asked(what: str, given: str | None, usual: str, bad: Callable[[str], str]) -> str:
    """From the command line, from the person at the terminal, or the default."""
    if given is not None or not sys.stdin.isatty():
        value = usual if given is None else given
        if why := bad(value):
            raise ConfigError(f"{what}: {why}")
        return value
    while True:
        try:
            value = input(f"{what} [{usual}]: ").strip() or usual
        except EOFError:
            raise ConfigError(f"{what}: no answer came. Nothing was written.") from None
        why = bad(value)
        if not why:
            return value
        print(why)


def _bad_name(name: str) -> str:
    from controller.config.describing import sections
    from controller.config.fields import Config
    from controller.config.judging import sift

    wrong = any(problem.place == ("site",) for problem in sift({"site": name}, Config).problems)
    allowed = next(key.allowed for key in sections()[0].keys if key.name == "site")
    return f"expected {allowed}, found {name!r}." if wrong else ""


def _bad_host(name: str) -> str:
    return (
        "" if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9.:-]*", name) else f"expected a name or an address, found {name!r}."
    )


def _bad_ruleset(name: str) -> str:
    from controller.config.finding import no_ruleset
    from controller.rules import all_rulesets

    return no_ruleset(name, list(all_rulesets()))


def _apply(chosen: argparse.Namespace) -> int:
    from controller.technician.bench import data_folder
    from controller.technician.daemon import DaemonError, find_daemon

    path: Path = chosen.config
    config = read_config(path)

    async def ask() -> tuple[bool, list[str]]:
        daemon = await find_daemon(data_folder(path, config))
        if daemon is None:
            raise ConfigError(
                f"No daemon runs on the data of {path}: nobody is there to apply it. Start it, and it reads the file."
            )
        answer = await daemon.apply_config()
        return answer.ok, list(answer.lines)

    try:
        ok, lines = asyncio.run(ask())
    except DaemonError as error:
        raise ConfigError(str(error)) from None
    for line in lines:
        print(line, file=sys.stdout if ok else sys.stderr)
    return 0 if ok else 2
