"""`cutcard floor certificates`: until when the tables' certificates are good, and the requests for the next ones.

The requests go to the authority (`cutcard enroll sign`), what it has signed comes back to the tables by a plan
(`cutcard reference plan certificate`). docs/operations/renewal.md is the page.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Engine

from controller.errors import UserError
from floor.config import FloorConfig, read_config
from floor.queries.certificates import TableCertificate, certificates
from floor.store.database import reading, with_store


def add_commands(add: Callable[..., argparse.ArgumentParser], config: Path) -> None:
    command = add("certificates", help="the tables' certificates, and the requests for the next ones")
    command.add_argument("--requests", type=Path, metavar="FOLDER", help="write the requests that wait there")
    command.add_argument("--config", type=Path, default=config, help="default: %(default)s")
    command.set_defaults(command=_certificates)


def _certificates(chosen: argparse.Namespace) -> int:
    config = read_config(chosen.config)
    return with_store(config.store, lambda engine: _show(engine, config, chosen.requests))


def _show(engine: Engine, config: FloorConfig, folder: Path | None) -> int:
    with reading(engine) as connection:
        found = certificates(connection, config.site, config.boards)
    for each in found:
        print(f"{each.table:<24} {each.broker:<12} {_said(each)}")
    if folder is not None:
        written = _write(found, folder)
        print(f"{len(written)} requests are in {folder}." if written else "No table asks for a certificate.")
    return 1 if any(each.standing == "wrong" for each in found) else 0


def _said(each: TableCertificate) -> str:
    if each.expires_at is None:
        return f"not believed: {each.text}"
    until = f"good until {datetime.fromtimestamp(each.expires_at / 1000, UTC):%Y-%m-%d}"
    return f"{until}, asks for the next one" if each.standing == "asks" else until


def _write(found: Sequence[TableCertificate], folder: Path) -> list[Path]:
    """One file for each request: `TABLE.csr`; with another broker's own key `TABLE.BROKER.csr`."""
    written: dict[Path, str] = {}
    for each in found:
        if not each.request or each.request in written.values():
            continue
        first = folder / f"{each.table}.csr"
        written[folder / f"{each.table}.{each.broker}.csr" if first in written else first] = each.request
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file, request in written.items():
            file.write_text(request)
    except OSError as error:
        raise UserError(f"The requests cannot be written to {folder}: {error.strerror}.") from None
    return list(written)
