"""`cutcard devices`: ports and the devices on them."""

from __future__ import annotations

import argparse
from pathlib import Path

from controller.cli.arguments import AddParser
from controller.paths import DEFAULT_CONFIG
from devices.spec import USUAL_BAUD


def add_command(add: AddParser) -> None:
    devices = add("devices", help="ports and the devices on them: list, watch, send")
    what = devices.add_subparsers(title="commands", metavar="", required=True)
    listed = what.add_parser("list", help="the serial ports, what is on them, and the lines for the config")
    listed.add_argument("url", nargs="*", help="look at these ports; else at all that the machine has")
    listed.add_argument("--quiet", action="store_true", help="open none of them")
    add_table(listed)
    listed.set_defaults(command=_list)
    watched = what.add_parser("watch", help="what passes on a device's wire, decoded and in hex")
    watched.add_argument("device", help="its id in the config, or a url")
    watched.add_argument("--json", action="store_true", help="one JSON object per line")
    add_listening(watched)
    watched.set_defaults(command=_watch)
    sent = what.add_parser("send", help="one message to a device, and its answer")
    sent.add_argument("device", help="its id in the config, or a url")
    sent.add_argument("message", help="its name, as in identify, status_request, permit")
    sent.add_argument("field", nargs="*", help="field=value")
    add_table(sent)
    sent.set_defaults(command=_send)


def add_table(command: argparse.ArgumentParser) -> None:
    command.add_argument("--config", type=Path, help=f"default: {DEFAULT_CONFIG} where there is one")
    command.add_argument("--baud", type=int, default=USUAL_BAUD, help="of a url that is not in the config")


def add_listening(command: argparse.ArgumentParser) -> None:
    add_table(command)
    command.add_argument("--seconds", type=float, help="end after this time")
    command.add_argument("--sealed", action="store_true", help="with cards: see docs/operations/technician.md")
    command.add_argument("--take", action="store_true", help="on a bench: take the device's events away from it")


def _list(chosen: argparse.Namespace) -> int:
    from controller.technician import terminal

    return terminal.list_devices(chosen.config, chosen.url, baud=chosen.baud, quiet=chosen.quiet)


def _watch(chosen: argparse.Namespace) -> int:
    from controller.technician import terminal

    return terminal.watch_device(
        chosen.config,
        chosen.device,
        baud=chosen.baud,
        as_json=chosen.json,
        seconds=chosen.seconds,
        sealed=chosen.sealed,
        take_events=chosen.take,
    )


def _send(chosen: argparse.Namespace) -> int:
    from controller.technician import terminal

    return terminal.send_message(chosen.config, chosen.device, chosen.message, chosen.field, baud=chosen.baud)
