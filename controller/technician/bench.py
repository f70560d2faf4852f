"""The devices of a table without its daemon: the ports are opened here, and the devices keep their events."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from msgspec.structs import replace

from controller.config import Config
from controller.evidence.rerun import current_table
from controller.journal import JournalError, JournalReader
from controller.rules import resolve
from controller.technician.status import DeviceStatus
from devices.driver import ConnectionLost, Driver, DriverFailure, WrongDevice
from devices.kinds import kind_of, make_driver, name_of_class
from devices.link.bench import Bench, on_the_bench
from devices.link.driver import LinkDriver
from devices.options import OptionsError
from devices.ports.tap import Taps, listening_in
from devices.reports import DeviceState, Report, State
from devices.spec import DeviceSpec
from protocols.errors import ProtocolError
from protocols.link.identity import STATUS_REQUEST_KIND

ATTENDED_S = 5.0
"""How long a device that is not on the link is attended to see whether it is there."""

HOLDS_EVENTS = "it holds events that the daemon has not taken yet"


async def look_at(spec: DeviceSpec, *, show_bytes: bool) -> DeviceStatus:
    """The state of a device, read once. `show_bytes`: also the bytes of one that is nearly right, which may name
    cards."""
    try:
        driver = make_driver(spec)
        if isinstance(driver, LinkDriver):
            return await _look_at_link(spec, show_bytes=show_bytes)
        return await _look_at_other(spec, driver)
    except WrongDevice as wrong:
        return _away(spec, "wrong_device", wrong)
    except ConnectionLost as lost:
        rows = lost.found.rows if show_bytes and lost.found is not None else []
        return replace(_away(spec, "offline", lost), evidence=tuple(rows))
    except (OptionsError, DriverFailure, ProtocolError) as failure:
        return _away(spec, "offline", failure)


async def attend(
    spec: DeviceSpec, taps: Taps, *, take_events: bool, begun: Callable[[Bench], None] = lambda _: None
) -> NoReturn:
    """Hold a session with a device, so that something passes by its tap, until it goes away: a `DriverFailure`.

    `begun` is called with the session of a device on the link.
    """
    driver = make_driver(spec)
    if isinstance(driver, LinkDriver):
        async with on_the_bench(spec.url, spec.baud, taps=taps, take_events=take_events) as bench:
            begun(bench)
            with suppress(ConnectionLost):
                await bench.identify()
            await bench.ask(bytes((STATUS_REQUEST_KIND,)))
            await bench.stay()
    with listening_in(taps):
        await driver.run(_nobody)


def data_folder(path: Path, config: Config) -> Path:
    """Where the daemon of this configuration keeps its journal."""
    return path.resolve().parent / config.data


def unfinished_round(journal: Path) -> int | None:
    """The round that this journal has begun and not ended. A journal that cannot be judged counts as one: 0."""
    if not journal.exists():
        return None
    try:
        with JournalReader.read(journal) as reader:
            table = current_table(reader, reader.head, resolve)
    except JournalError:
        return 0
    if table is None:
        return 0
    return table.round_number if table.is_dealing else None


async def _look_at_link(spec: DeviceSpec, *, show_bytes: bool) -> DeviceStatus:
    async with on_the_bench(spec.url, spec.baud) as bench:
        kind = kind_of(spec.kind)
        if kind.link is None or bench.device_class != kind.link.device_class:
            raise WrongDevice(f"the device on {spec.url} is {name_of_class(bench.device_class)}, not a {kind.words}")
        identity = await bench.identify()
        found = "" if bench.found is None else str(bench.found)
        state = DeviceState(
            device=spec.id,
            state="online",
            model=identity.model if identity else None,
            serial=identity.serial if identity else None,
            firmware=identity.firmware if identity else None,
            detail=found or (HOLDS_EVENTS if bench.keeps_events else ""),
        )
        rows = bench.found.rows if bench.found is not None and show_bytes else []
        slowest = bench.slowest_answer
        return replace(DeviceStatus.of(spec, state, bench.statistics, slowest=slowest), evidence=tuple(rows))


async def _look_at_other(spec: DeviceSpec, driver: Driver) -> DeviceStatus:
    """Attend it as the daemon would, until it is there. Its sensors lose nothing by being read."""
    online: asyncio.Future[DeviceState] = asyncio.get_running_loop().create_future()

    async def sink(report: Report) -> None:
        if isinstance(report, DeviceState) and report.state == "online" and not online.done():
            online.set_result(report)

    attending = asyncio.create_task(driver.run(sink))
    waits: set[asyncio.Future[Any]] = {online, attending}
    try:
        await asyncio.wait(waits, timeout=ATTENDED_S, return_when=asyncio.FIRST_COMPLETED)
        if online.done():
            return DeviceStatus.of(spec, online.result(), driver.statistics)
        if attending.done():
            attending.result()
        raise ConnectionLost(f"no answer in {ATTENDED_S:g} s")
    finally:
        attending.cancel()
        with suppress(asyncio.CancelledError, DriverFailure, ProtocolError):
            await attending


def _away(spec: DeviceSpec, state: State, failure: Exception) -> DeviceStatus:
    return DeviceStatus.of(spec, DeviceState(device=spec.id, state=state, detail=str(failure)), None)


async def _nobody(_: Report) -> None:
    """Takes what sensors and boards report, which cost them nothing."""
