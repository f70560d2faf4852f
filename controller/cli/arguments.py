"""Arguments that several commands share."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from controller.config import read_config
from controller.errors import UserError
from controller.evidence.words import SUIT_SIGNS, Words
from controller.paths import DEFAULT_CONFIG

AddParser = Callable[..., argparse.ArgumentParser]
"""`add_parser` of the program's sub-commands."""


def add_config(command: argparse.ArgumentParser) -> None:
    command.add_argument("--config", type=Path, default=DEFAULT_CONFIG, help="default: %(default)s")


def add_reading(command: argparse.ArgumentParser) -> None:
    """For commands that print rounds of a journal."""
    command.add_argument("--config", type=Path)
    command.add_argument("--journal", type=Path, help="a journal file; else that of the configuration")
    command.add_argument("--ascii", action="store_true", help="cards as 9h, without suit signs")


def journal_of(chosen: argparse.Namespace) -> Path:
    """The journal that was named, or the one of the configuration."""
    path: Path | None = chosen.journal
    if path is not None:
        if chosen.config is not None:
            raise UserError("Name a journal or a configuration, not both.")
        return path
    return data_of(chosen.config or DEFAULT_CONFIG) / "journal.db"


def data_of(config: Path) -> Path:
    """The data folder of the table with this configuration."""
    return config.resolve().parent / read_config(config).data


def words_of(chosen: argparse.Namespace) -> Words:
    """With suit signs, unless --ascii is given or the terminal cannot show them."""
    try:
        "".join(SUIT_SIGNS.values()).encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return Words(ascii=True)
    return Words(ascii=chosen.ascii)
