"""`cutcard rules`: the rulesets, their packets and the table's sign."""

from __future__ import annotations

import argparse
import sys
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from controller.cli.arguments import AddParser
from controller.errors import UserError
from controller.paths import DEFAULT_CONFIG
from controller.plain_files import read_plain


def add_command(add: AddParser) -> None:
    command = add("rules", help="the rulesets: list, show, check, confirm, the packet to sign, and the table's sign")
    command.add_argument("what", choices=("list", "show", "check", "packet", "sign", "confirm"))
    command.add_argument("ruleset", nargs="?", help="its name; `check` takes a file too, of rules or schedules")
    command.add_argument(
        "--config", type=Path, help="`show` what the table of this configuration chose; `packet`, `sign`"
    )
    command.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="a choice to `show`, `packet`"
    )
    command.add_argument("--schedule", action="append", help="the posted schedule; again for more players")
    command.add_argument("--html", action="store_true", help="the `sign` as a page, else as lines for a reader board")
    command.add_argument("--by", default="", help="`confirm`: who confirms, by name and office")
    command.add_argument("--all", action="store_true", help="`confirm` every open reading without asking")
    command.add_argument("--answers", type=Path, help="`confirm` what this file answers (docs/compliance/readings.md)")
    command.add_argument("--key", type=Path, help="`confirm`: sign with the site's Ed25519 key, else with the board's")
    command.add_argument("--from", type=Path, dest="taken", help="`confirm`: take the confirmations of this file")
    command.add_argument(
        "--against", type=Path, help="an earlier `packet`, .json or .html: what is different comes first"
    )
    command.add_argument(
        "--out", type=Path, action="append", help="of `packet`: a .html, .pdf, .json or .txt, or a folder"
    )
    command.set_defaults(command=_rules)


def _rules(chosen: argparse.Namespace) -> int:
    from controller.config import read_config
    from controller.rules import load
    from controller.rules.check import check
    from controller.rules.show import listed
    from controller.rules.sign import as_board, as_page, sign

    if chosen.what == "list":
        print(listed())
        return 0
    if chosen.what == "check":
        checked = check(chosen.ruleset)
        for problem in checked.problems:
            print(problem)
        print(f"{checked.rulesets} rulesets, {checked.schedules} schedules, {len(checked.problems)} problems")
        return 1 if checked.problems else 0
    if chosen.what == "confirm":
        return _confirm(chosen)
    table = read_config(chosen.config).rules if chosen.config is not None else None
    slug = chosen.ruleset or (table.ruleset if table is not None else None)
    if slug is None:
        raise UserError("Which ruleset? `cutcard rules list` names them.")
    options = table.options if table is not None and table.ruleset == slug else {}
    if chosen.what == "sign":
        posted = chosen.schedule or options.get("schedule")
        if not posted:
            raise UserError("Which schedule? Give --schedule with one that `cutcard rules show` lists.")
        made = sign(load(slug), posted)
        print(as_page(made) if chosen.html else "\n".join(as_board(made)))
        return 0
    return _packet(chosen, slug, {**options, **_given(chosen)})


def _packet(chosen: argparse.Namespace, slug: str, options: dict[str, Any]) -> int:
    from controller.config import read_config
    from controller.config.confirmed import table_readings
    from controller.engine.jackpot.rules import Jackpot
    from controller.packet.compare import compare
    from controller.packet.document import decode
    from controller.packet.forms import write
    from controller.packet.make import make
    from controller.packet.text import as_text
    from controller.rules.confirmations import Confirmations

    confirmations, jackpots = Confirmations(), list[Jackpot]()
    if chosen.config is not None:
        config = read_config(chosen.config)
        confirmations = table_readings(config, chosen.config.resolve().parent / config.data).confirmations
        jackpots = [jackpot.rules for jackpot in config.jackpots]
    packet = make(slug, options, confirmations, jackpots)
    if chosen.against is not None:
        try:
            earlier = decode(read_plain(chosen.against), str(chosen.against))
        except OSError as error:
            raise UserError(f"{chosen.against} cannot be read: {error.strerror}.") from None
        packet = msgspec.structs.replace(packet, changes=compare(packet, earlier))
    if chosen.what == "show":
        print(as_text(packet))
        return 0
    for file in write(packet, chosen.out or [Path()]):
        print(file)
    return 0


def _confirm(chosen: argparse.Namespace) -> int:
    """Go through the open readings of a table, sign what is confirmed, and say what is left."""
    from controller.board_key import BoardKey, read_key
    from controller.config import read_config
    from controller.config.confirmed import table_readings
    from controller.rules.confirmations import FILE, add_confirmations, confirm, read_file
    from controller.rules.confirming import agreed, read_answers, walk

    path: Path = chosen.config or DEFAULT_CONFIG
    config = read_config(path)
    if chosen.ruleset not in (None, config.rules.ruleset):
        # Another game of the house, before it is dealt here.
        config = replace(config, rules=replace(config.rules, ruleset=chosen.ruleset, options={}))
    if chosen.schedule:
        posted = chosen.schedule if len(chosen.schedule) > 1 else chosen.schedule[0]
        options = {**config.rules.options, "schedule": posted}
        config = replace(config, rules=replace(config.rules, options=options))
    data = path.resolve().parent / config.data
    if chosen.taken is not None:
        print(f"{add_confirmations(data / FILE, read_file(chosen.taken))} confirmations are new here.")
    found = table_readings(config, data)
    for line in found.confirmations.refused:
        print(line)
    left, by = found.unconfirmed, chosen.by.strip()
    if left and chosen.answers is not None:
        answers = read_answers(chosen.answers)
        left, by = agreed(left, answers), by or answers.by.strip()
    elif left and not chosen.all and chosen.taken is None:
        if not sys.stdin.isatty():
            raise UserError("Nobody is there to answer. Give --all --by NAME, or --answers FILE.")
        left = walk(left, found.confirmations, input, print)
        by = by or (input("Who confirms, by name and office? ").strip() if left else "")
    elif not chosen.all:
        left = []
    if left:
        if not by:
            raise UserError("Who confirms? Give --by with name and office. Nothing was confirmed.")
        key = BoardKey.load_or_create(data) if chosen.key is None else BoardKey(read_key(chosen.key))
        at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        add_confirmations(data / FILE, confirm(left, site=config.site, by=by, at=at, key=key))
        print(f"{len(left)} readings are confirmed by {by}, signed with the key {key.public}: {data / FILE}.")
    after = table_readings(config, data)
    print(after.problem(path) or f"All {len(after.readings)} readings of {config.rules.ruleset} are confirmed.")
    if left or chosen.taken is not None:
        print(f"A running daemon takes them with `cutcard config apply --config {path}`.")
    return 1 if after.unconfirmed else 0


def _given(chosen: argparse.Namespace) -> dict[str, Any]:
    """The choices on the command line; a value is written as in a configuration, a word needs no quotes."""
    given: dict[str, Any] = {}
    for text in chosen.option:
        name, equals, value = text.partition("=")
        if not equals:
            raise UserError(f"--option {text}: write NAME=VALUE.")
        try:
            given[name] = tomllib.loads(f"value = {value}")["value"]
        except tomllib.TOMLDecodeError:
            given[name] = value
    if chosen.schedule:
        given["schedule"] = chosen.schedule[0] if len(chosen.schedule) == 1 else chosen.schedule
    return given
