"""`cutcard config init`: which devices are connected, and a first file that names them.

Three questions are asked of the machine: who is there on the device link, which units of a Modbus line are drop-box
sensors, which USB devices are barcode readers of the HID point-of-sale class. A reader board does not say who it is: a
port on which nobody answers is noted in the file, for the technician to name.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from controller.config.example import EXAMPLE, Values, commented
from controller.config.problems import ConfigError, nearest
from controller.config.reading import parse_config
from devices.driver import DriverFailure
from devices.link.bench import on_the_bench
from devices.link.codecs import device_class_of
from devices.ports.discovery import SerialPort
from devices.ports.modbus_bus import open_bus
from devices.ports.transport import Parity, PortError
from devices.ports.usb import hid_urls, open_hid
from devices.spec import DeviceSpec
from protocols import drop_box
from protocols.errors import ProtocolError
from protocols.hid.pos import find_scans
from protocols.link.session import LinkStatistics
from protocols.modbus.frames import InputRegisters

LINK_BAUD, MODBUS_BAUD = 115_200, 19_200
UNITS = range(1, 5)
"""Of a Modbus line: a table has a collection box and a jackpot box, seldom more."""
PARITIES: tuple[Parity, ...] = ("even", "none")
BOXES = {1: "collection", 2: "jackpot"}


class Found(Struct, frozen=True):
    """What a look at the machine gave."""

    devices: tuple[Mapping[str, object], ...]
    """As [[devices]] has them."""
    notes: tuple[str, ...]
    """A line for each port on which nothing of ours answered."""


class Wish(Struct, frozen=True):
    """What a first file says besides its devices."""

    site: str = "cardroom"
    table: str = "table-1"
    ruleset: str = "bankers-ez-baccarat-panda-8"
    data: str = "data"


async def look_around(ports: Sequence[SerialPort], tell: Callable[[str], None]) -> Found:
    """Ask at every port and on the USB bus; `tell` hears of each thing found."""
    devices: list[dict[str, object]] = []
    notes: list[str] = []
    for port in ports:
        try:
            device = await _on_link(port) or await _on_modbus(port)
        except PortError as error:
            notes.append(f"{port}: {error}")
            continue
        if device is None:
            notes.append(f"{port}: nobody answers. A reader board does not say who it is; name it by hand.")
        else:
            devices.append(device)
            tell(f"{port}: a {str(device['kind']).replace('_', ' ')}")
    for url in await asyncio.to_thread(_readers):
        devices.append({"kind": "card_reader", "url": url})
        tell(f"{url}: a card reader")
    return Found(tuple(_named(devices)), tuple(notes))


def first_file(path: Path, wish: Wish, found: Found) -> str:
    """A commented file for this table, which passes `cutcard config check`."""
    head = [
        "# Made by `cutcard config init`. Relative paths are reckoned from the file's folder. What is commented out is",
        "# the default. `cutcard config check` judges the file, docs/configuration.md explains every key.",
        # What a USB device calls itself is its own word: it must not get out of the comment.
        *(f"# {''.join(c if c.isprintable() else '?' for c in note)}" for note in found.notes),
    ]
    values: Values = {
        "": {"site": wish.site, "table": wish.table, "data": wish.data},
        "rules": {"ruleset": wish.ruleset},
        "mqtt": dict(EXAMPLE["mqtt"]),
        "web": dict(EXAMPLE["web"]),
    }
    text = commented(head, values, found.devices, ())
    parse_config(path, text)
    return text


def write_first(path: Path, text: str, *, force: bool) -> None:
    """`ConfigError` where there is a file already, or none can be written."""
    if path.exists() and not force:
        raise ConfigError(
            f"There is a configuration {path} already. Name another with --out, or replace it with --force."
        )
    fresh = path.with_name(f".{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with fresh.open("w", encoding="utf-8") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        fresh.replace(path)
    except OSError as error:
        raise ConfigError(f"The configuration {path} cannot be written: {error.strerror}.") from None


def no_ruleset(name: str, known: Sequence[str]) -> str:
    """Why a ruleset cannot be taken; empty where it can."""
    if name in known:
        return ""
    return f"there is no ruleset {name!r}.{nearest(name, known)} `cutcard rules list` names them."


async def _on_link(port: SerialPort) -> dict[str, object] | None:
    try:
        async with on_the_bench(port.url, LINK_BAUD) as bench:
            device_class = device_class_of(bench.device_class)
    except PortError:
        raise
    except (DriverFailure, ProtocolError):
        return None
    return None if device_class is None else {"kind": device_class.name.lower(), "url": port.url}


async def _on_modbus(port: SerialPort) -> dict[str, object] | None:
    """Sensors lose nothing by being read."""
    refused: PortError | None = None
    for parity in PARITIES:
        spec = DeviceSpec(id="probe", kind="drop_box", url=port.url, baud=MODBUS_BAUD)
        try:
            async with open_bus(spec, parity, LinkStatistics.fresh()) as bus:
                units = []
                for unit in UNITS:
                    try:
                        reply = await bus.ask(unit, drop_box.READ)
                    except (DriverFailure, ProtocolError):
                        continue
                    if isinstance(reply, InputRegisters) and reply.values[0] == drop_box.MAP:
                        units.append(unit)
        except PortError as error:
            # A line that cannot be set so may take the other parity.
            refused = error
            continue
        except DriverFailure:
            continue
        if units:
            sensors = [{"unit": unit, "box": BOXES.get(unit, f"box_{unit}")} for unit in units]
            options: dict[str, object] = {"sensors": sensors}
            options |= {} if parity == PARITIES[0] else {"parity": parity}
            return {"kind": "drop_box", "url": port.url, "baud": MODBUS_BAUD, "options": options}
        refused = None
    if refused is not None:
        raise refused
    return None


def _readers() -> list[str]:
    """The urls of the barcode readers on the USB bus; where USB cannot be used there are none."""
    readers = []
    try:
        urls = hid_urls()
    except DriverFailure:
        return []
    for url in urls:
        try:
            open_hid(url, find_scans).close()
        except (DriverFailure, ProtocolError):
            continue
        readers.append(url)
    return readers


def _named(devices: Sequence[Mapping[str, object]]) -> list[dict[str, object]]:
    """Each called like its kind; the second shoe is shoe-2."""
    named, seen = [], dict[str, int]()
    for device in devices:
        kind = str(device["kind"]).replace("_", "-")
        seen[kind] = seen.get(kind, 0) + 1
        name = kind if seen[kind] == 1 else f"{kind}-{seen[kind]}"
        named.append({"id": name, **device})
    return named
