"""The commands that keep a staff file: of a table, and of the floor.

    cutcard staff add ann --role floor --number 1042     asks for the PIN, twice, or takes it from standard input
    cutcard staff list
    cutcard staff remove ann

`cutcard floor staff` has the same for the floor page.
"""

from __future__ import annotations

import argparse
import getpass
import sys
from collections.abc import Callable
from pathlib import Path

from controller.operator.roles import PEOPLE, Role
from controller.operator.staff import StaffError, describe, read_staff, write_staff

PathOf = Callable[[Path], Path]
"""The staff file, from the configuration."""


def add_staff_commands(staff: argparse.ArgumentParser, default_config: Path, path_of: PathOf, command: str) -> None:
    """Add, list and remove, to the parser of `command`."""
    what = staff.add_subparsers(title="commands", metavar="", required=True)
    added = what.add_parser("add", help="a person, or a new PIN, role or badge for one")
    added.add_argument("name", help="as the journal will name the person: small letters, digits, . and -")
    added.add_argument("--role", required=True, choices=[role.value for role in PEOPLE])
    added.add_argument("--number", required=True, help="staff number, four to eight digits: keyed at the panel")
    added.add_argument("--full-name", default="")
    added.add_argument("--badge", action="store_true", help="ask for the badge too: hold it to the reader")
    listed = what.add_parser("list", help="everybody, without their secrets")
    removed = what.add_parser("remove", help="a person; a session that is open ends")
    removed.add_argument("name")
    for parser, run in ((added, _add), (listed, _list), (removed, _remove)):
        parser.add_argument("--config", type=Path, default=default_config, help="default: %(default)s")
        parser.set_defaults(command=run, path_of=path_of, staff_command=command)


def _add(chosen: argparse.Namespace) -> int:
    path = chosen.path_of(chosen.config)
    pin = _secret("PIN", twice=True)
    badge = _secret("Badge", twice=False) if chosen.badge else ""
    staff = read_staff(path).with_member(
        chosen.name, Role(chosen.role), chosen.number, pin, full_name=chosen.full_name, badge=badge
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    write_staff(path, staff)
    print(f"{chosen.name} is on the staff as {chosen.role}.")
    return 0


def _list(chosen: argparse.Namespace) -> int:
    people = read_staff(chosen.path_of(chosen.config)).people
    print(describe(people) if people else f"Nobody yet: add people with `{chosen.staff_command} add`.")
    return 0


def _remove(chosen: argparse.Namespace) -> int:
    path = chosen.path_of(chosen.config)
    write_staff(path, read_staff(path).without(chosen.name))
    print(f"{chosen.name} may act here no more.")
    return 0


def _secret(what: str, *, twice: bool) -> str:
    """Typed unseen; from a pipe, one line."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().strip()
    given = getpass.getpass(f"{what}: ").strip()
    if twice and getpass.getpass(f"{what} again: ").strip() != given:
        raise StaffError("The two are not the same; nothing was changed.")
    return given
