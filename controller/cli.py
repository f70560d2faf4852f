"""The command `cutcard`.

Whatever a person can get wrong ends with one paragraph on standard error that says what to do, and exit code 2.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from controller import __version__
from controller.config import ConfigError, read_config
from controller.enroll import CannotEnroll, add_enroll_command
from controller.evidence.commands import BadRequest, add_commands
from controller.firmware.commands import add_firmware_command
from controller.firmware.control import NoDaemon
from controller.firmware.signing import ImageError
from controller.journal import JournalError
from controller.journal.commands import add_journal_command
from controller.report.commands import CannotReport, add_report_command
from controller.rig import add_rig_command
from controller.rules import RulesError
from controller.soak.wish import CannotSoak, add_soak_command
from controller.staff import StaffError
from controller.staff_commands import add_staff_command
from controller.tail.command import CannotTail, add_tail_command
from controller.technician.commands import add_technician_commands
from controller.technician.request import Cannot as TechnicianCannot

Command = Callable[[argparse.Namespace], int]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = _parser()
    chosen = parser.parse_args(arguments)
    command: Command | None = getattr(chosen, "command", None)
    if command is None:
        parser.print_help()
        return 2
    try:
        return command(chosen)
    except _CANNOT as error:
        print(f"cutcard: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        return 1
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="cutcard", description="The software on the board under a card table.")
    parser.add_argument("--version", action="version", version=f"cutcard {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="")

    run = commands.add_parser("run", help="run the daemon of one table")
    run.add_argument("--config", type=Path, default=Path("/etc/cutcard/cutcard.toml"), help="default: %(default)s")
    run.add_argument("--verbose", action="store_true")
    run.set_defaults(command=_run)

    demo = commands.add_parser("demo", help="a simulated table, its broker and its daemon, dealt until Ctrl-C")
    demo.add_argument("--seed", type=int, default=None, help="the same seed deals the same cards")
    demo.add_argument("--rounds", type=int, default=None, help="stop after so many rounds")
    demo.add_argument("--speed", default="real", help="real, max, or a factor such as 5 (default: real)")
    demo.add_argument("--headless", action="store_true", help="no page address, no prompt: for scripts")
    demo.add_argument("--json", action="store_true", help="end with one JSON line")
    demo.add_argument("--port", type=int, default=8080, help="of the page; 0 takes a free one (default: %(default)s)")
    demo.add_argument("--game", default="", help="a ruleset, as `cutcard rules list` names them (default: baccarat)")
    demo.set_defaults(command=_demo)

    cases = commands.add_parser("cases", help="run worked rounds through the kernel")
    cases.add_argument("folder", type=Path)
    cases.add_argument("--game")
    cases.set_defaults(command=_cases)

    rules = commands.add_parser("rules", help="the rulesets: list, show, check, and the table's sign")
    rules.add_argument("what", choices=("list", "show", "check", "sign"))
    rules.add_argument("ruleset", nargs="?", help="its name; `check` takes a file too, of rules or schedules")
    rules.add_argument("--config", type=Path, help="`show` what the table of this configuration chose; its `sign`")
    rules.add_argument("--schedule", action="append", help="the schedule on the `sign`; again for more players")
    rules.add_argument("--html", action="store_true", help="the `sign` as a page, else as lines for a reader board")
    rules.set_defaults(command=_rules)

    add_commands(commands.add_parser)
    add_journal_command(commands.add_parser)
    add_firmware_command(commands.add_parser)
    add_technician_commands(commands.add_parser)
    add_rig_command(commands.add_parser)
    add_staff_command(commands.add_parser)
    add_enroll_command(commands.add_parser)
    add_tail_command(commands.add_parser)
    add_report_command(commands.add_parser)
    add_soak_command(commands.add_parser)
    return parser


def _run(chosen: argparse.Namespace) -> int:
    from controller import app

    logging.basicConfig(
        level=logging.DEBUG if chosen.verbose else logging.INFO, format="%(levelname)s %(name)s: %(message)s"
    )
    config = read_config(chosen.config)
    try:
        asyncio.run(app.run(config, chosen.config.resolve().parent))
    except app.StartError as error:
        raise Cannot(str(error)) from None
    return 0


def _demo(chosen: argparse.Namespace) -> int:
    from controller import demo

    try:
        return demo.main(
            demo.Wishes(
                seed=chosen.seed,
                rounds=chosen.rounds,
                speed=chosen.speed,
                headless=chosen.headless,
                json=chosen.json,
                port=chosen.port,
                game=chosen.game,
            )
        )
    except demo.DemoError as error:
        raise Cannot(str(error)) from None


def _cases(chosen: argparse.Namespace) -> int:
    from controller.cases.__main__ import main as run_cases

    return run_cases([str(chosen.folder), *(["--game", chosen.game] if chosen.game else [])])


def _rules(chosen: argparse.Namespace) -> int:
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
        raise Cannot("Which ruleset? `cutcard rules list` names them.")
    options = table.options if table is not None and table.ruleset == slug else {}
    if chosen.what == "sign":
        posted = chosen.schedule or options.get("schedule")
        if not posted:
            raise Cannot("Which schedule? Say --schedule with one that `cutcard rules show` lists.")
        made = sign(load(slug), posted)
        print(as_page(made) if chosen.html else "\n".join(as_board(made)))
        return 0
    print(shown(slug, options))
    return 0


class Cannot(Exception):
    """Why a command cannot do what was asked, in one paragraph."""


_CANNOT = (
    Cannot,
    CannotSoak,
    CannotEnroll,
    CannotReport,
    CannotTail,
    TechnicianCannot,
    BadRequest,
    ConfigError,
    ImageError,
    NoDaemon,
    JournalError,
    RulesError,
    StaffError,
)


if __name__ == "__main__":
    sys.exit(main())
