"""`cutcard config init`: which devices are connected, and a first file that names them.

Each serial port is asked who is there on the device link; then each kind of device looks for itself, on the port
(`DeviceKind.probe_port`) or elsewhere (`DeviceKind.find`). A reader board does not identify itself: a port on which
nothing answers is noted in the file, for the technician to name.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from controller.config.example import EXAMPLE, TLS, Values, commented
from controller.config.fields import TableConfig
from controller.config.problems import ConfigError
from controller.config.reading import parse_config
from controller.durable_files import replace_file
from controller.errors import nearest
from controller.rules import load
from devices.driver import DriverFailure
from devices.kinds import Section, all_kinds, kind_of_class
from devices.link.bench import on_the_bench
from devices.ports.discovery import SerialPort
from devices.ports.transport import PortError
from devices.spec import USUAL_BAUD
from protocols.errors import ProtocolError


class Found(Struct, frozen=True):
    """What was found on the machine."""

    devices: tuple[Section, ...]
    """The [[devices]] sections."""
    notes: tuple[str, ...]
    """A line for each port on which no device of ours answered."""


class FirstValues(Struct, frozen=True):
    """What a first file contains besides its devices."""

    site: str = "cardroom"
    table: str = "table-1"
    ruleset: str = "bankers-ez-baccarat-panda-8"
    broker: str = "127.0.0.1"
    is_encrypted: bool = False
    """The connection to it: with the certificates of `cutcard enroll`."""
    data: str = "data"


async def look_around(ports: Sequence[SerialPort], show: Callable[[str], None]) -> Found:
    """Look at every port and on the USB bus; `show` is called with a line for each thing found."""
    devices: list[Section] = []
    notes: list[str] = []
    for port in ports:
        try:
            device = await _on_port(port)
        except PortError as error:
            notes.append(f"{port}: {error}")
            continue
        if device is None:
            notes.append(f"{port}: nothing answers. A reader board does not identify itself; name it by hand.")
        else:
            devices.append(device)
            show(f"{port}: a {str(device['kind']).replace('_', ' ')}")
    for device in await _elsewhere():
        devices.append(device)
        show(f"{device['url']}: a {str(device['kind']).replace('_', ' ')}")
    return Found(tuple(_named(devices)), tuple(notes))


def first_file(path: Path, first: FirstValues, found: Found) -> str:
    """A commented file for this table, which passes `cutcard config check`."""
    head = [
        "# Made by `cutcard config init`. Relative paths start at the file's folder. What is commented out is",
        "# the default. `cutcard config check` checks the file, docs/operations/configuration.md explains every key.",
        # The name of a USB device comes from the device: it must not break out of the comment.
        *(f"# {''.join(c if c.isprintable() else '?' for c in note)}" for note in found.notes),
    ]
    seating, schedule = _seating(first.ruleset), load(first.ruleset).proposed_schedule()
    if schedule is None:
        # Nobody may guess a fee: the table opens when the house has written its own schedule.
        head.append("# No collection is printed for this game: the table is in test mode until the house has written")
        head.append("# its own schedule under [rules] (docs/table/fees.md).")
    live: Section = {} if schedule is not None else {"test": True}
    values: Values = {
        "": {"site": first.site, "table": first.table, "data": first.data, **live},
        "rules": {"ruleset": first.ruleset, **({} if schedule is None else {"options": {"schedule": schedule}})},
        **({"seating": seating} if seating else {}),
        "mqtt": dict(EXAMPLE["mqtt"]),
        "mqtt.broker": {"host": first.broker, **({"port": 8883, "tls": TLS} if first.is_encrypted else {"port": 1883})},
        "web": dict(EXAMPLE["web"]),
        "firmware": dict(EXAMPLE["firmware"]),
    }
    text = commented(head, values, found.devices, ())
    parse_config(path, text)
    return text


def _seating(ruleset: str) -> Section:
    """The seats of a game whose approval allows fewer than the usual table has; empty where the usual ones fit."""
    rules, usual = load(ruleset), TableConfig()
    most = rules.game.most_seats(rules.options())
    banked = rules.game.has_player_dealer
    if most is None or len(usual.seats) + banked <= most:
        return {}
    seats = list(range(1, most + 1 - banked))
    return {"seats": seats, "player_dealer": most} if banked else {"seats": seats}


def write_first(path: Path, text: str, *, force: bool) -> None:
    """`ConfigError` where there is a file already, or none can be written."""
    if path.exists() and not force:
        raise ConfigError(
            f"There is a configuration {path} already. Name another with --out, or replace it with --force."
        )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, text.encode(), 0o666)
    except OSError as error:
        raise ConfigError(f"The configuration {path} cannot be written: {error.strerror}.") from None


def no_ruleset(name: str, known: Sequence[str]) -> str:
    """Why a ruleset cannot be taken; empty where it can."""
    if name in known:
        return ""
    return f"there is no ruleset {name!r}.{nearest(name, known)} `cutcard rules list` names them."


async def _on_port(port: SerialPort) -> Section | None:
    """The section for what answers on this port: on the device link, or to a probe of its kind."""
    section = await _on_link(port)
    for kind in all_kinds():
        if section is None and kind.probe_port is not None:
            section = await kind.probe_port(port.url)
    return section


async def _on_link(port: SerialPort) -> Section | None:
    try:
        async with on_the_bench(port.url, USUAL_BAUD) as bench:
            kind = kind_of_class(bench.device_class)
    except PortError:
        raise
    except (DriverFailure, ProtocolError):
        return None
    return None if kind is None else {"kind": kind.name, "url": port.url}


async def _elsewhere() -> list[Section]:
    """The sections for what is not on a serial port."""
    return [section for kind in all_kinds() if kind.find is not None for section in await asyncio.to_thread(kind.find)]


def _named(devices: Sequence[Section]) -> list[Section]:
    """Each gets its kind as its id; the second shoe is shoe-2."""
    named, seen = list[Section](), dict[str, int]()
    for device in devices:
        kind = str(device["kind"]).replace("_", "-")
        seen[kind] = seen.get(kind, 0) + 1
        name = kind if seen[kind] == 1 else f"{kind}-{seen[kind]}"
        named.append({"id": name, **device})
    return named
