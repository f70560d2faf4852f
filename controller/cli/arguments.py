"""Arguments that several commands share."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from pathlib import Path
from zoneinfo import ZoneInfo

from controller.config import read_config
from controller.config.broker import MqttSettings, Tls
from controller.errors import UserError
from controller.evidence.words import SUIT_SIGNS, Words
from controller.paths import DEFAULT_CONFIG

_PLAIN_PORT, _TLS_PORT = 1883, 8884

AddParser = Callable[..., argparse.ArgumentParser]
"""`add_parser` of the program's sub-commands."""


def add_config(command: argparse.ArgumentParser) -> None:
    command.add_argument("--config", type=Path, default=DEFAULT_CONFIG, help="default: %(default)s")


def add_reading(command: argparse.ArgumentParser) -> None:
    """For commands that print rounds of a journal."""
    command.add_argument("--config", type=Path)
    command.add_argument("--journal", type=Path, help="a journal file; else that of the configuration")
    command.add_argument("--ascii", action="store_true", help="cards as 9h, without suit signs")


def add_broker(command: argparse.ArgumentParser, prefix: str = "") -> None:
    """For commands that are clients of a broker; `prefix` as in `--to-host`."""
    what = "TLS: the authority of the broker's certificate"
    command.add_argument(f"--{prefix}host", default="127.0.0.1", help="the broker (default: %(default)s)")
    command.add_argument(f"--{prefix}port", type=int, help=f"default: {_PLAIN_PORT}, with --{prefix}ca {_TLS_PORT}")
    command.add_argument(f"--{prefix}ca", type=Path, help=what)
    command.add_argument(f"--{prefix}cert", type=Path, help="our certificate")
    command.add_argument(f"--{prefix}key", type=Path, help="and its key")
    command.add_argument(f"--{prefix}username")
    command.add_argument(f"--{prefix}password-file", type=Path)
    command.add_argument(f"--{prefix}mqtt", choices=("5", "3.1.1"), default="5", help="3.1.1 for the demo's broker")


def broker_of(chosen: argparse.Namespace, client_id: str, prefix: str = "") -> MqttSettings:
    """Where the broker is, and how we show it who we are."""
    named = {
        name: getattr(chosen, f"{prefix}{name}".replace("-", "_"))
        for name in ("host", "port", "ca", "cert", "key", "username", "password-file", "mqtt")
    }
    tls = None
    if named["ca"] is not None or named["cert"] is not None:
        ca, cert, key = (None if named[name] is None else str(named[name]) for name in ("ca", "cert", "key"))
        tls = Tls(ca=ca, cert=cert, key=key)
    password_file = named["password-file"]
    return MqttSettings(
        host=named["host"],
        port=named["port"] or (_PLAIN_PORT if tls is None else _TLS_PORT),
        client_id=client_id,
        username=named["username"],
        password_file=None if password_file is None else str(password_file),
        tls=tls,
        version=named["mqtt"],
    )


def expect_names(site: str | None, tables: list[str]) -> None:
    """Of a site and tables to follow; None: all of them."""
    for name in (site, *tables):
        if name is not None and not re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,31}", name):
            raise UserError(f"{name!r} is not the name of a site or table: small letters, digits, - and _.")


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
    """With suit signs, unless --ascii is given or the terminal cannot show them; times in the house's zone, where its
    configuration is read."""
    zone = (
        None if chosen.journal is not None else ZoneInfo(read_config(chosen.config or DEFAULT_CONFIG).report.timezone)
    )
    try:
        "".join(SUIT_SIGNS.values()).encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return Words(ascii=True, zone=zone)
    return Words(ascii=chosen.ascii, zone=zone)
