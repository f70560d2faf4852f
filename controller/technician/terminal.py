"""The technician's commands at a terminal: what was asked for, done, and told line by line."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from controller.errors import UserError
from controller.technician import doctor
from controller.technician.capturing import play, record
from controller.technician.daemon import DaemonError
from controller.technician.listing import list_ports
from controller.technician.sending import send
from controller.technician.table import table_of
from controller.technician.watching import watch
from devices.driver import DriverFailure
from devices.lines import Line
from devices.options import OptionsError
from devices.ports.discovery import SerialPort, serial_ports
from protocols.errors import ProtocolError


def _doctor(chosen: argparse.Namespace) -> int:
    found = _run(doctor.examine(chosen.config))
    if chosen.json:
        print(msgspec.json.encode(found).decode())
    else:
        for line in doctor.told(found):
            print(line)
    return 0 if found.ok else 1


def _list(chosen: argparse.Namespace) -> int:
    async def run() -> None:
        table = await table_of(chosen.config)
        ports = [SerialPort(path=url) for url in chosen.url] or await asyncio.to_thread(serial_ports)
        await list_ports(table, ports, _say, baud=chosen.baud, quiet=chosen.quiet)

    _run(run())
    return 0


def _watch(chosen: argparse.Namespace) -> int:
    def show(line: Line) -> None:
        for text in (msgspec.json.encode(line).decode(),) if chosen.json else line.rows():
            _say(text)

    async def run() -> None:
        table = await table_of(chosen.config)
        device = table.choose(chosen.device, chosen.baud)
        await watch(table, device, show, seconds=chosen.seconds, sealed=chosen.sealed, take_events=chosen.take)

    return _until_ctrl_c(run())


def _send(chosen: argparse.Namespace) -> int:
    async def run() -> None:
        table = await table_of(chosen.config)
        await send(table, table.choose(chosen.device, chosen.baud), chosen.message, chosen.field, _say)

    _run(run())
    return 0


def _capture(chosen: argparse.Namespace) -> int:
    match chosen.words:
        case ["play", file]:
            return _play(chosen, Path(file))
        case [file]:
            return _record(chosen, Path(file))
    raise UserError("Name one file to record into, or `play` and one file to play.")


def _record(chosen: argparse.Namespace, path: Path) -> int:
    async def run() -> None:
        table = await table_of(chosen.config)
        names = chosen.device or [device.id for device in table.devices]
        devices = [table.choose(name, chosen.baud) for name in dict.fromkeys(names)]
        end = await record(table, devices, path, seconds=chosen.seconds, sealed=chosen.sealed, take_events=chosen.take)
        print(end, file=sys.stderr)

    return _until_ctrl_c(run())


def _play(chosen: argparse.Namespace, path: Path) -> int:
    if len(chosen.device) > 1:
        raise UserError("A rig plays one device at a time: give one --device.")
    arguments = ["--speed", chosen.speed, *(["--raw"] if chosen.raw else [])]
    arguments += [f"--device={name}" for name in chosen.device]
    arguments += [f"--port={chosen.port}"] if chosen.port is not None else []
    return play(path, arguments)


def _run(what: Coroutine[Any, Any, Any]) -> Any:
    """Run it; whatever a person can do something about becomes a `Cannot`."""
    try:
        return asyncio.run(what)
    except (DaemonError, DriverFailure, OptionsError, ProtocolError) as error:
        text = str(error)
        raise UserError(f"{text[:1].upper()}{text[1:]}") from None


def _until_ctrl_c(what: Coroutine[Any, Any, None]) -> int:
    """For what goes on until somebody ends it."""
    with suppress(KeyboardInterrupt):
        _run(what)
    return 0


def _say(text: str) -> None:
    """At once: whoever pipes it wants it live."""
    print(text, flush=True)


COMMANDS: Mapping[str, Callable[[argparse.Namespace], int]] = {
    "doctor": _doctor,
    "list": _list,
    "watch": _watch,
    "send": _send,
    "capture": _capture,
}
