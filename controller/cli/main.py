"""The command `cutcard`.

Whatever a person can get wrong ends with one paragraph on standard error that says what to do, and exit code 2.

Only what the command that is asked for needs is loaded: a board has to start its daemon quickly, and keeps in memory
what was loaded.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import importlib
import logging
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from controller import __version__
from controller.errors import UserError

Command = Callable[[argparse.Namespace], int]


def main(arguments: Sequence[str] | None = None) -> int:
    arguments = sys.argv[1:] if arguments is None else arguments
    parser = command_line(arguments[0] if arguments else None)
    chosen = parser.parse_args(arguments)
    command: Command | None = getattr(chosen, "command", None)
    if command is None:
        parser.print_help()
        return 2
    try:
        return command(chosen)
    except BrokenPipeError:
        return 1
    except KeyboardInterrupt:
        return 130
    except UserError as error:
        print(f"cutcard: {error}", file=sys.stderr)
        return 2


_ELSEWHERE: Mapping[tuple[str, ...], str] = {
    ("config",): "controller.cli.config:add_config_command",
    ("verify", "replay", "recall", "attest"): "controller.cli.evidence:add_commands",
    ("journal",): "controller.cli.journal:add_journal_command",
    ("backup", "restore"): "controller.admin.backup:add_backup_commands",
    ("firmware",): "controller.cli.firmware:add_firmware_command",
    ("doctor", "devices", "capture"): "controller.cli.technician:add_technician_commands",
    ("rig",): "controller.cli.rig:add_rig_command",
    ("staff",): "controller.cli.staff:add_staff_command",
    ("enroll",): "controller.admin.enroll:add_enroll_command",
    ("tail",): "controller.cli.tail:add_tail_command",
    ("report",): "controller.cli.report:add_report_command",
    ("soak",): "controller.cli.soak:add_soak_command",
}
"""The commands that have a module of their own, and what puts them beside the others."""


def command_line(wanted: str | None = None) -> argparse.ArgumentParser:
    """Every command that there is, with its arguments; of those elsewhere only the one that is wanted, if it is one."""
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

    known = {*commands.choices, *(name for names in _ELSEWHERE for name in names)}
    for names, place in _ELSEWHERE.items():
        if wanted in names or wanted not in known:
            module, _, function = place.partition(":")
            getattr(importlib.import_module(module), function)(commands.add_parser)
    return parser


def _run(chosen: argparse.Namespace) -> int:
    with _all_kept():
        from controller import app, logs
        from controller.config.reading import read_source

        logs.begin(logging.DEBUG if chosen.verbose else logging.INFO)
        config, digest = read_source(chosen.config)
    asyncio.run(app.run(config, chosen.config.resolve().parent, chosen.config, digest))
    return 0


@contextlib.contextmanager
def _all_kept() -> Iterator[None]:
    """Modules stay loaded for good: a collector that looks through them again and again only makes the start longer.

    What their loading leaves behind (0.7 MB) is kept with them.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def _demo(chosen: argparse.Namespace) -> int:
    from controller.demo import run as demo

    return demo.main(
        demo.DemoOptions(
            seed=chosen.seed,
            rounds=chosen.rounds,
            speed=chosen.speed,
            headless=chosen.headless,
            json=chosen.json,
            port=chosen.port,
            game=chosen.game,
        )
    )


def _cases(chosen: argparse.Namespace) -> int:
    from controller.cases.__main__ import main as run_cases

    return run_cases([str(chosen.folder), *(["--game", chosen.game] if chosen.game else [])])


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
            raise UserError("Which schedule? Say --schedule with one that `cutcard rules show` lists.")
        made = sign(load(slug), posted)
        print(as_page(made) if chosen.html else "\n".join(as_board(made)))
        return 0
    print(shown(slug, options))
    return 0


if __name__ == "__main__":
    sys.exit(main())
