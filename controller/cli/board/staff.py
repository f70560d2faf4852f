"""`cutcard staff`: who may act at this table."""

from __future__ import annotations

from pathlib import Path

from controller.cli.arguments import AddParser
from controller.config import read_config
from controller.operator.staff import FILE
from controller.operator.staff_commands import add_staff_commands
from controller.paths import DEFAULT_CONFIG


def add_command(add: AddParser) -> None:
    staff = add("staff", help="the people who may act at this table: add, list, remove")
    add_staff_commands(staff, DEFAULT_CONFIG, _path, "cutcard staff")


def _path(config: Path) -> Path:
    return config.resolve().parent / read_config(config).data / FILE
