"""`cutcard devices list`: the serial ports of this machine, what is on them, and the lines to paste into the config."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from controller.config.describing import toml
from controller.technician.status import DeviceStatus
from controller.technician.table import ServedTable
from devices.driver import ConnectionLost, DriverFailure
from devices.kinds import Section, all_kinds, kind_of_class, name_of_class
from devices.link.bench import on_the_bench
from devices.ports.discovery import PortError, SerialPort, find
from devices.spec import USUAL_BAUD
from protocols.link.identity import Identity

SPEEDS = (9_600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600)
"""Baud: asked again at these where something comes that is no frame."""
NOTHING = "no serial port was found: check the cable, and `dmesg` for what the machine saw of it"


async def list_ports(
    table: ServedTable, ports: Sequence[SerialPort], write: Callable[[str], None], *, baud: int, quiet: bool
) -> None:
    """A paragraph for each port. `quiet`: open none of them."""
    held = () if table.daemon is None else (await table.daemon.devices()).devices
    if not ports:
        write(NOTHING)
    for port in ports:
        write(str(port))
        holder = next((device for device in held if _is_on(device, port, ports)), None)
        if holder is not None:
            names = f": {holder.names}" if holder.names else ""
            write(f"  held by the daemon as the {holder.kind} {holder.id!r}, {holder.state}{names}")
        elif not quiet:
            for line in await _asked(port, baud, show_bytes=table.is_between_rounds):
                write(f"  {line}")


def _is_on(device: DeviceStatus, port: SerialPort, ports: Sequence[SerialPort]) -> bool:
    with suppress(PortError):
        return find(device.url, ports) in (port.path, port.by_id)
    return False


async def _asked(port: SerialPort, baud: int, *, show_bytes: bool) -> list[str]:
    try:
        return await _introduced(port, baud, show_bytes=show_bytes)
    except ConnectionLost as lost:
        if lost.found is None or lost.found.may_be_speed:
            other = await _probed(port)
            if other is not None:
                return other
        if lost.found is None:
            return [str(lost)]
        if lost.found.may_be_speed:
            for speed in SPEEDS:
                with suppress(DriverFailure):
                    return [
                        f"nothing usable at {baud} baud; at {speed} baud:",
                        *await _introduced(port, speed, show_bytes=show_bytes),
                    ]
        return [str(lost), *(f"  {row}" for row in lost.found.rows if show_bytes)]
    except DriverFailure as failure:
        return [str(failure)]


async def _introduced(port: SerialPort, baud: int, *, show_bytes: bool) -> list[str]:
    """What is on the port, and the lines for the config; a `DriverFailure` where there is no session."""
    async with on_the_bench(port.url, baud) as bench:
        description = f"{name_of_class(bench.device_class)}: {_names(await bench.identify())}"
        kind = kind_of_class(bench.device_class)
        found = [] if bench.found is None else [f"but {bench.found}"]
        found += [f"  {row}" for row in bench.found.rows] if bench.found is not None and show_bytes else []
    if kind is None:
        return [description, *found]
    section: dict[str, object] = {"kind": kind.name, "url": port.url}
    return [description, *found, *_to_paste(section | ({"baud": baud} if baud != USUAL_BAUD else {}))]


async def _probed(port: SerialPort) -> list[str] | None:
    """What is on the port where nothing speaks our link, as its kind of device finds out; None: nothing known."""
    for kind in all_kinds():
        with suppress(PortError):
            section = None if kind.probe_port is None else await kind.probe_port(port.url)
            if section is not None:
                return [f"{kind.article} {kind.words}, which is not on the device link", *_to_paste(section)]
    return None


def _to_paste(section: Section) -> list[str]:
    named = {"id": str(section["kind"]).replace("_", "-"), **section}
    return ["  [[devices]]", *(f"  {key} = {toml(value)}" for key, value in named.items())]


def _names(identity: Identity | None) -> str:
    if identity is None:
        return "it holds events that nobody took yet, and reports its name after them"
    return f"{identity.model}, serial {identity.serial}, firmware {identity.firmware}"
