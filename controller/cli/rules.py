"""`cutcard rules`: the rulesets and the table's sign."""

from __future__ import annotations

import argparse
from pathlib import Path

from controller.cli.arguments import AddParser
from controller.errors import UserError


def add_command(add: AddParser) -> None:
    command = add("rules", help="the rulesets: list, show, check, and the table's sign")
    command.add_argument("what", choices=("list", "show", "check", "sign"))
    command.add_argument("ruleset", nargs="?", help="its name; `check` takes a file too, of rules or schedules")
    command.add_argument("--config", type=Path, help="`show` what the table of this configuration chose; its `sign`")
    command.add_argument("--schedule", action="append", help="the schedule on the `sign`; again for more players")
    command.add_argument("--html", action="store_true", help="the `sign` as a page, else as lines for a reader board")
    command.set_defaults(command=_rules)


def _rules(chosen: argparse.Namespace) -> int:
    from controller.config import read_config
    from controller.rules import load
    from controller.rules.check import check
    from controller.rules.show import listed, shown
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
    print(shown(slug, options))
    return 0
