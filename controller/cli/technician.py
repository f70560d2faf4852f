"""The technician's commands on the command line: doctor, devices, capture.

Exit codes: 0 all is well, 1 something is wrong with the table, 2 the command could not do what was asked.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from controller.paths import DEFAULT_CONFIG
from controller.technician.request import USUAL_BAUD


def add_technician_commands(add: Callable[..., argparse.ArgumentParser]) -> None:
    """Put the commands beside the others; `add` is `add_parser` of the program's sub-commands."""
    look = add("doctor", help="what is configured, what answers, and what to check")
    look.add_argument("--config", type=Path, default=DEFAULT_CONFIG, help="default: %(default)s")
    look.add_argument("--json", action="store_true")
    look.set_defaults(command=_later("doctor"))

    devices = add("devices", help="ports and the devices on them: list, watch, send")
    what = devices.add_subparsers(title="commands", metavar="", required=True)
    listed = what.add_parser("list", help="the serial ports, what is on them, and the lines for the config")
    listed.add_argument("url", nargs="*", help="look at these ports; else at all that the machine has")
    listed.add_argument("--quiet", action="store_true", help="open none of them")
    _add_reading(listed)
    listed.set_defaults(command=_later("list"))
    watched = what.add_parser("watch", help="what passes on a device's wire, decoded and in hex")
    watched.add_argument("device", help="its id in the config, or a url")
    watched.add_argument("--json", action="store_true", help="one object a line")
    _add_listening(watched)
    watched.set_defaults(command=_later("watch"))
    sent = what.add_parser("send", help="one message to a device, and its answer")
    sent.add_argument("device", help="its id in the config, or a url")
    sent.add_argument("message", help="its name, as in identify, status_request, permit")
    sent.add_argument("field", nargs="*", help="field=value")
    _add_reading(sent)
    sent.set_defaults(command=_later("send"))

    capture = add(
        "capture",
        help="record the devices' wires into a pcapng file, or play one back",
        usage="cutcard capture FILE [options]\n       cutcard capture play FILE [options]",
    )
    capture.add_argument("words", nargs="+", metavar="FILE", help="a new file to record into; with `play`, one to play")
    _add_listening(capture)
    capture.add_argument("--device", action="append", default=[], help="record this one; play: as this one")
    capture.add_argument("--port", type=Path, help="play: where the port appears (default: ./DEVICE)")
    capture.add_argument("--speed", default="real", help="play: real, max or a factor such as x20")
    capture.add_argument("--raw", action="store_true", help="play: the recorded bytes as they are")
    capture.set_defaults(command=_later("capture"))


def _add_reading(command: argparse.ArgumentParser) -> None:
    command.add_argument("--config", type=Path, help=f"default: {DEFAULT_CONFIG} where there is one")
    command.add_argument("--baud", type=int, default=USUAL_BAUD, help="of a url that is not in the config")


def _add_listening(command: argparse.ArgumentParser) -> None:
    _add_reading(command)
    command.add_argument("--seconds", type=float, help="end by itself")
    command.add_argument("--sealed", action="store_true", help="with cards: docs/technician.md says when and how")
    command.add_argument("--take", action="store_true", help="on a bench: take the device's events away from it")


def _later(name: str) -> Callable[[argparse.Namespace], int]:
    """Imports what the command needs when it runs: nobody else should wait for that."""

    def run(chosen: argparse.Namespace) -> int:
        from controller.technician.terminal import COMMANDS

        return COMMANDS[name](chosen)

    return run
