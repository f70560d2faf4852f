"""The technician's work at a terminal: `cutcard devices` and `cutcard capture`, printed line by line."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from controller.errors import UserError
from controller.technician.capturing import record
from controller.technician.daemon import DaemonError
from controller.technician.listing import list_ports
from controller.technician.sending import send
from controller.technician.table import table_of
from controller.technician.watching import watch
from devices.driver import DriverFailure
from devices.lines import TraceLine
from devices.options import OptionsError
from devices.ports.discovery import SerialPort, serial_ports
from protocols.errors import ProtocolError


def list_devices(config: Path | None, urls: Sequence[str], *, baud: int, quiet: bool) -> int:
    async def work() -> None:
        table = await table_of(config)
        ports = [SerialPort(path=url) for url in urls] or await asyncio.to_thread(serial_ports)
        await list_ports(table, ports, _print, baud=baud, quiet=quiet)

    run(work())
    return 0


def watch_device(
    config: Path | None, name: str, *, baud: int, as_json: bool, seconds: float | None, sealed: bool, take_events: bool
) -> int:
    def show(line: TraceLine) -> None:
        for text in (msgspec.json.encode(line).decode(),) if as_json else line.rows():
            _print(text)

    async def work() -> None:
        table = await table_of(config)
        device = table.choose(name, baud)
        await watch(table, device, show, seconds=seconds, sealed=sealed, take_events=take_events)

    return _until_ctrl_c(work())


def send_message(config: Path | None, name: str, message: str, fields: Sequence[str], *, baud: int) -> int:
    async def work() -> None:
        table = await table_of(config)
        await send(table, table.choose(name, baud), message, fields, _print)

    run(work())
    return 0


def record_devices(
    config: Path | None,
    names: Sequence[str],
    path: Path,
    *,
    baud: int,
    seconds: float | None,
    sealed: bool,
    take_events: bool,
) -> int:
    """Without names: all devices of the configuration."""

    async def work() -> None:
        table = await table_of(config)
        chosen = names or [device.id for device in table.devices]
        devices = [table.choose(name, baud) for name in dict.fromkeys(chosen)]
        end = await record(table, devices, path, seconds=seconds, sealed=sealed, take_events=take_events)
        print(end, file=sys.stderr)

    return _until_ctrl_c(work())


def run(work: Coroutine[Any, Any, Any]) -> Any:
    """Run it; an error that a person can do something about becomes a `UserError`."""
    try:
        return asyncio.run(work)
    except (DaemonError, DriverFailure, OptionsError, ProtocolError) as error:
        text = str(error)
        raise UserError(f"{text[:1].upper()}{text[1:]}") from None


def _until_ctrl_c(work: Coroutine[Any, Any, None]) -> int:
    with suppress(KeyboardInterrupt):
        run(work)
    return 0


def _print(text: str) -> None:
    """Without buffering, for a program at the other end of a pipe."""
    print(text, flush=True)
