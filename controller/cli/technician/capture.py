"""`cutcard capture`: the devices' wires in a file, or such a file played back."""

from __future__ import annotations

import argparse
from pathlib import Path

from controller.cli.arguments import AddParser
from controller.cli.technician.devices import add_listening
from controller.errors import UserError


def add_command(add: AddParser) -> None:
    capture = add(
        "capture",
        help="record the devices' wires into a pcapng file, or play one back",
        usage="cutcard capture FILE [options]\n       cutcard capture play FILE [options]",
    )
    capture.add_argument(
        "words", nargs="+", metavar="FILE", help="a new file to record into, - for a pipe; with `play`, one to play"
    )
    add_listening(capture)
    capture.add_argument("--device", action="append", default=[], help="record this one; play: as this one")
    capture.add_argument("--port", type=Path, help="play: where the port appears (default: ./DEVICE)")
    capture.add_argument("--speed", default="real", help="play: real, max or a factor such as x20")
    capture.add_argument("--raw", action="store_true", help="play: the recorded bytes as they are")
    capture.set_defaults(command=_capture)


def _capture(chosen: argparse.Namespace) -> int:
    from controller.technician import terminal
    from controller.technician.capturing import play

    match chosen.words:
        case ["play", file]:
            if len(chosen.device) > 1:
                raise UserError("A rig plays one device at a time: give one --device.")
            arguments = ["--speed", chosen.speed, *(["--raw"] if chosen.raw else [])]
            arguments += [f"--device={name}" for name in chosen.device]
            arguments += [f"--port={chosen.port}"] if chosen.port is not None else []
            return play(Path(file), arguments)
        case [file]:
            return terminal.record_devices(
                chosen.config,
                chosen.device,
                Path(file),
                baud=chosen.baud,
                seconds=chosen.seconds,
                sealed=chosen.sealed,
                take_events=chosen.take,
            )
    raise UserError("Name one file to record into, or `play` and one file to play.")
