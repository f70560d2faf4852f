"""`cutcard reference`: updates by signed reference (docs/mqtt/references.md).

    keygen    a new pair of keys to sign references with
    sign      the fields of a request for one table
    plan      signed requests for several tables, for the floor to roll out
    show      the software package that waits at this table
    install   install that package, as root

`keygen`, `sign` and `plan` are for the cardroom's office, `show` and `install` for the board.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import time
from hashlib import file_digest
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from controller.board_key import new_key, read_key
from controller.cli.arguments import AddParser, add_config, data_of
from controller.config import read_config
from controller.engine.update_inputs import Reference, What
from controller.errors import UserError
from controller.technician.daemon import DaemonError, find_daemon
from controller.updates.bundles import (
    MOST_TEXT,
    expect_certificate,
    expect_config_text,
    expect_package,
    read_staff_bundle,
)
from controller.updates.rejection import ReferenceRejected
from controller.updates.software import WaitingSoftware, install
from controller.updates.statement import allowed, key_id, sign

_WHAT: tuple[What, ...] = ("staff", "configuration", "software", "certificate")


def add_command(add: AddParser) -> None:
    reference = add(
        "reference", help="staff, configuration, software and certificates by signed reference: sign, show, install"
    )
    parts = reference.add_subparsers(title="commands", metavar="", required=True)

    keygen = parts.add_parser("keygen", help="a new pair of keys to sign references with")
    keygen.add_argument("key", type=Path, help="where the private key goes")
    keygen.set_defaults(command=_keygen)

    signing = parts.add_parser("sign", help="the fields of a request, for one table")
    signing.add_argument("what", choices=_WHAT)
    signing.add_argument("file", type=Path, help="the bundle, as it is at the address")
    signing.add_argument("--address", required=True, help="where the table fetches it")
    signing.add_argument("--site", required=True)
    signing.add_argument("--table", required=True)
    signing.add_argument("--key", type=Path, required=True, help="the private key")
    signing.add_argument("--serial", type=int, help="higher than the last one (default: the time in seconds)")
    signing.set_defaults(command=_sign)

    planning = parts.add_parser("plan", help="signed requests for several tables, for the floor to roll out")
    planning.add_argument("what", choices=_WHAT)
    planning.add_argument("file", help="the bundle; {table} in it stands for the name of each table")
    planning.add_argument("--address", required=True, help="where the tables fetch it; {table} as above")
    planning.add_argument("--site", required=True)
    planning.add_argument(
        "--table", action="append", required=True, help="repeated: in this order, the first one first"
    )
    planning.add_argument("--key", type=Path, required=True, help="the private key")
    planning.add_argument("--serial", type=int, help="higher than the last one (default: the time in seconds)")
    planning.set_defaults(command=_plan)

    show = parts.add_parser("show", help="the software package that waits at this table")
    add_config(show)
    show.set_defaults(command=_show)

    installing = parts.add_parser("install", help="check the package that waits, and install it, as root")
    add_config(installing)
    installing.add_argument("--trust", metavar="KEY", help="only this public key counts (default: those in [updates])")
    installing.set_defaults(command=_install)


def _keygen(chosen: argparse.Namespace) -> int:
    public = new_key(chosen.key).public_key()
    print(f"The private key is in {chosen.key}: keep it off the tables. Its id is {key_id(public)}.")
    print("The public one, for [updates] keys:")
    print(public.public_bytes_raw().hex())
    return 0


def _sign(chosen: argparse.Namespace) -> int:
    now = time.time_ns() // 1_000_000
    print(msgspec.json.encode(_signed(chosen, chosen.table, chosen.file, chosen.address, now)).decode())
    return 0


def _plan(chosen: argparse.Namespace) -> int:
    now = time.time_ns() // 1_000_000
    if len(set(chosen.table)) < len(chosen.table):
        raise UserError("A table is named twice.")
    tables = []
    for table in chosen.table:
        file, address = (text.replace("{table}", table) for text in (chosen.file, chosen.address))
        tables.append({"table": table, **_signed(chosen, table, Path(file), address, now)})
    plan = {"format": 1, "site": chosen.site, "what": chosen.what, "made": now, "tables": tables}
    print(msgspec.json.format(msgspec.json.encode(plan), indent=1).decode())
    return 0


def _signed(chosen: argparse.Namespace, table: str, file: Path, address: str, now: int) -> dict[str, Any]:
    """The fields of a request for one table."""
    key = read_key(chosen.key)
    try:
        prefix = address[: address.rfind("/") + 1]
        allowed(address, (prefix,))
    except ReferenceRejected:
        raise UserError(
            f"{address} is not an address that a table fetches: https://HOST/PATH or file:///PATH, the path of "
            "letters, digits and . _ ~ -."
        ) from None
    try:
        with file.open("rb") as opened:
            digest, size = file_digest(opened, "sha256").hexdigest(), os.fstat(opened.fileno()).st_size
        _expect_usable(chosen.what, file, size)
    except OSError as error:
        raise UserError(f"{file} cannot be read: {error.strerror}.") from None
    except ReferenceRejected as error:
        raise UserError(f"{file} is not signed: {error}.") from None
    fields: dict[str, Any] = {
        "what": chosen.what,
        "address": address,
        "size": size,
        "sha256": digest,
        "issued": now,
        "serial": now // 1000 if chosen.serial is None else chosen.serial,
        "key": key_id(key.public_key()),
    }
    try:
        reference = msgspec.convert(fields, Reference)
    except msgspec.ValidationError:
        raise UserError("A serial number is at least 1, an address has at most 512 letters, a bundle 1 GB.") from None
    del fields["what"]
    fields["signature"] = sign(reference, chosen.site, table, key)
    return fields


def _expect_usable(what: What, file: Path, size: int) -> None:
    """What no table would take is not signed."""
    if what == "software":
        expect_package(file)
        return
    if size > MOST_TEXT:
        raise UserError(f"{file} has {size} bytes; a table takes at most {MOST_TEXT}.")
    match what:
        case "staff":
            read_staff_bundle(file.read_bytes())
        case "configuration":
            expect_config_text(file.read_bytes())
        case "certificate":
            expect_certificate(file.read_bytes())


def _show(chosen: argparse.Namespace) -> int:
    paper = WaitingSoftware(data_of(chosen.config)).paper()
    reference = paper.reference
    print(f"{reference.address}, {reference.size} bytes, serial {reference.serial}, fetched for {paper.by}")
    print(f"sha256 {reference.sha256}")
    return 0


def _install(chosen: argparse.Namespace) -> int:
    if os.geteuid() != 0:
        raise UserError("Only root installs software: run it with sudo.")
    data = data_of(chosen.config)
    if asyncio.run(_is_dealing(data)):
        raise UserError("A round is running: install between rounds.")
    config = read_config(chosen.config)
    if chosen.trust:
        config = replace(config, updates=replace(config.updates, keys={"given": chosen.trust}))
    paper = install(WaitingSoftware(data), config)
    print(f"Installed: serial {paper.reference.serial}. Now look at the table with `cutcard doctor`.")
    return 0


async def _is_dealing(data: Path) -> bool:
    try:
        daemon = await find_daemon(data)
        return daemon is not None and (await daemon.devices()).round_running
    except DaemonError as error:
        raise UserError(str(error)) from None
