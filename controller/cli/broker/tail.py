"""`cutcard tail` on the command line. Exit codes: 0 ended by the user, 2 it could not watch."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
from pathlib import Path

from cryptography import x509
from cryptography.x509.oid import NameOID

from controller.certificate_dates import expiring
from controller.cli.arguments import AddParser, add_broker, broker_of, expect_names
from controller.errors import UserError
from controller.mqtt import BrokerProblem, MqttSettings
from controller.operator.roles import Role


def add_command(add: AddParser) -> None:
    tail = add("tail", help="watch tables from the broker, as it happens")
    add_broker(tail)
    tail.add_argument("--site", help="only this one")
    tail.add_argument("--table", action="append", default=[], help="only this one; may be given again")
    tail.add_argument("--kind", action="append", default=[], help="only these events, as in round_settled or 'alarm_*'")
    tail.add_argument("--since-seq", type=int, metavar="N", help="begin with event N of one table")
    tail.add_argument("--json", action="store_true", help="one JSON object per line")
    tail.add_argument("--ascii", action="store_true", help="9h for the nine of hearts")
    tail.add_argument("--color", choices=("auto", "always", "never"), default="auto")
    tail.add_argument(
        "--as", dest="who", metavar="NAME/ROLE", help="who asks for the past; else the certificate's name"
    )
    tail.set_defaults(command=_tail)


def _tail(chosen: argparse.Namespace) -> int:
    client, role = _who(chosen)
    # Two that watch without certificates must not throw each other out.
    settings = broker_of(chosen, f"cutcard-tail-{os.getpid()}")
    if chosen.since_seq is not None and (not chosen.site or len(chosen.table) != 1 or chosen.mqtt != "5"):
        raise UserError("--since-seq asks one table for its past: give --site and one --table, and use MQTT 5.")
    expect_names(chosen.site, chosen.table)
    try:
        asyncio.run(_watch(chosen, settings, role, client))
    except BrokerProblem as problem:
        raise UserError(str(problem)) from None
    return 0


async def _watch(chosen: argparse.Namespace, settings: MqttSettings, role: str, client: str) -> None:
    from controller.printing.colours import paint_for, painted, plain
    from controller.tail.show import ForPeople, ForPrograms, Output
    from controller.tail.watch import TailOptions, Watch

    paint = {"always": painted, "never": plain}.get(chosen.color) or paint_for(sys.stdout)
    output: Output = (
        ForPrograms(kinds=chosen.kind) if chosen.json else ForPeople(kinds=chosen.kind, ascii=chosen.ascii, paint=paint)
    )
    options = TailOptions(chosen.site or "+", tuple(chosen.table) or ("+",), chosen.since_seq, role, client)
    watch = Watch(
        settings,
        options,
        lambda thing: _print(*output.lines(thing)),
        lambda text: print(f"cutcard: {text}", file=sys.stderr, flush=True),
    )
    watching = asyncio.create_task(watch.run())
    for _, text in expiring([chosen.cert] if chosen.cert else []):
        print(f"cutcard: {text}; renew it", file=sys.stderr, flush=True)
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, watching.cancel)
    await asyncio.wait({watching})
    _print(*output.rest())
    if not watching.cancelled():
        watching.result()


def _print(*lines: str) -> None:
    """Without buffering, for a program at the other end of a pipe."""
    for line in lines:
        print(line, flush=True)


def _who(chosen: argparse.Namespace) -> tuple[str, str]:
    """Name and role, by the certificate or by --as."""
    if chosen.cert is None:
        client, _, role = (chosen.who or "tail/monitor").partition("/")
        if role not in set(Role) or not client:
            raise UserError(f"{chosen.who!r} does not name who we are: a name, a slash and a role ({', '.join(Role)}).")
        return client, role
    name = _name_in(chosen.cert)
    match name.split("/"):
        case [client, role, site] if client and site and role in set(Role):
            if chosen.since_seq is not None and site != chosen.site:
                raise UserError(f"The certificate is for {site}: with it, tables of {chosen.site} cannot be asked.")
            return client, role
    raise UserError(
        f"The certificate {chosen.cert} is for {name!r}, which is no person or program: its name must be "
        f"NAME/ROLE/SITE, with one of the roles {', '.join(Role)}."
    )


def _name_in(certificate: Path) -> str:
    try:
        found = x509.load_pem_x509_certificate(certificate.read_bytes())
    except (OSError, ValueError) as error:
        raise UserError(f"The certificate {certificate} cannot be used: {error}.") from None
    return "".join(str(name.value) for name in found.subject.get_attributes_for_oid(NameOID.COMMON_NAME))
