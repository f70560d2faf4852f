"""`cutcard sparkplug` on the command line. Exit codes: 0 ended by a signal, 2 it could not run."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import re
import signal
from collections.abc import Coroutine
from pathlib import Path

from controller.cli.arguments import AddParser, add_broker, broker_of, expect_names
from controller.errors import UserError


def add_command(add: AddParser) -> None:
    sparkplug = add("sparkplug", help="tables as Sparkplug B edge nodes, for SCADA systems")
    add_broker(sparkplug)
    add_broker(sparkplug, "to-")
    sparkplug.add_argument("--to-client-id", default="sparkplug", help="of each node, before -SITE-TABLE (%(default)s)")
    sparkplug.add_argument("--site", help="only this one")
    sparkplug.add_argument("--table", action="append", default=[], help="only this one; may be given again")
    sparkplug.add_argument("--primary-host", metavar="ID", help="wait for this host application (STATE)")
    sparkplug.add_argument(
        "--state", type=Path, required=True, metavar="FILE", help="where the birth numbers (bdSeq) are kept"
    )
    sparkplug.set_defaults(command=_sparkplug)


def _sparkplug(chosen: argparse.Namespace) -> int:
    expect_names(chosen.site, chosen.table)
    if chosen.primary_host is not None and not re.fullmatch(r"[^/+#\0]{1,200}", chosen.primary_host):
        raise UserError(f"{chosen.primary_host!r} is not the id of a host application: no '/', '+' and '#'.")
    source = broker_of(chosen, f"cutcard-sparkplug-{os.getpid()}")
    target = broker_of(chosen, chosen.to_client_id, "to-")
    try:
        import google.protobuf  # noqa: F401
    except ImportError:
        raise UserError(
            "The Sparkplug bridge needs the protobuf library: `pip install 'cutcard[sparkplug]'`. "
            "The Debian package has it."
        ) from None
    from controller.logs import begin
    from controller.mqtt import BrokerProblem
    from controller.mqtt.credentials import password, tls_context
    from controller.sparkplug.birth_numbers import BirthNumbers
    from controller.sparkplug.bridge import Bridge, BridgeOptions

    begin(logging.INFO)
    options = BridgeOptions(chosen.site or "+", tuple(chosen.table) or ("+",), chosen.primary_host)
    births = BirthNumbers(chosen.state)
    try:
        for settings in (source, target):
            # A file that cannot be used is a mistake to report now, not when the first table is online.
            password(settings)
            tls_context(settings)
        asyncio.run(_until_ended(Bridge(source, target, options, births).run()))
    except BrokerProblem as problem:
        raise UserError(str(problem)) from None
    finally:
        births.close()
    return 0


async def _until_ended(running: Coroutine[None, None, None]) -> None:
    bridging = asyncio.create_task(running)
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, bridging.cancel)
    await asyncio.wait({bridging})
    if not bridging.cancelled():
        bridging.result()
