"""What the daemon takes of a small board: memory, and processor time from its start until it is ready.

Beside it, in turns: a process that imports the same modules that are not ours (Python's own, aiohttp, msgspec …, in the
order in which a daemon loads them) and does nothing. Both find their byte code made, as the package brings it. Time is
processor time: it does not matter what else the machine does. With no device, and with six simulated ones on a table
of every kind (docs/protocols/rig.md), whose memory is taken when all are on line.
"""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import tempfile
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from tests.bench.figures import Figure
from tests.engine.test_table_devices import CONFIG as SIX_DEVICES
from tests.engine.test_table_devices import FullTable
from tests.support.running.brokers import free_port

MOST_TIMES = 1.5
OURS = ("controller", "devices", "protocols", "sim_hw")
NO_DEVICE = SIX_DEVICES[: SIX_DEVICES.index("[[devices]]")]
PATIENCE_S = 60.0
IDLE = """
import importlib, signal, sys
for name in sys.argv[1:]:
    importlib.import_module(name)
print("ready", flush=True)
signal.pause()
"""
TRY = """
import importlib, sys
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except ImportError:  # somebody looked for it who can do without
        continue
    print(name)
"""


class Taken(NamedTuple):
    seconds: float
    kilobytes: int


async def figures(folder: Path, repeats: int) -> list[Figure]:
    """The least of several runs of each."""
    folder = folder / "footprint"
    folder.mkdir()
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder / "byte-code"), "PYTHONDONTWRITEBYTECODE": ""}
    found: list[Figure] = []
    for name, config in (("no device", NO_DEVICE), ("six devices", SIX_DEVICES)):
        place = folder / name.replace(" ", "-")
        modules = await _imported(place.with_suffix(".imports"), config, environment)
        ours: list[Taken] = []
        bare: list[Taken] = []
        for run in range(1 + repeats):  # the first makes the byte code
            taken = await _daemon(place.with_suffix(f".{run}"), config, environment), await _idle(modules, environment)
            if run:
                ours.append(taken[0])
                bare.append(taken[1])
        least, idle = _least(ours), _least(bare)
        found += [
            _beside(f"daemon, {name}: start to ready", least.seconds * 1000, idle.seconds * 1000, " ms"),
            _beside(f"daemon, {name}: memory", least.kilobytes / 1000, idle.kilobytes / 1000, " MB"),
        ]
    return found


def _least(runs: list[Taken]) -> Taken:
    return Taken(min(run.seconds for run in runs), min(run.kilobytes for run in runs))


def _beside(name: str, ours: float, bare: float, unit: str) -> Figure:
    ratio, target = ours / bare, f"at most {MOST_TIMES:g} times"
    return Figure(name, ours, ours, "imports alone", bare, ratio, target, ratio <= MOST_TIMES, unit, "larger")


@asynccontextmanager
async def _ready(
    place: Path, config: str, environment: Mapping[str, str], *flags: str, ports: Path | None = None
) -> AsyncIterator[Process]:
    """A daemon that has just notified systemd that it is ready; its log is `daemon.log` in `place`."""
    file = _laid(place, config.format(broker=free_port(), folder=ports or place, poll_ms=250))
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear, (place / "daemon.log").open("wb") as log:
        ear.bind("")  # the kernel finds a name for it
        ear.setblocking(False)
        daemon = await asyncio.create_subprocess_exec(
            *(sys.executable, *flags, "-m", "controller.cli", "run", "--config", str(file)),
            env={**environment, "NOTIFY_SOCKET": "@" + ear.getsockname()[1:].decode()},
            stderr=log,
        )
        try:
            async with asyncio.timeout(PATIENCE_S):
                said = b""
                while b"READY=1" not in said:
                    said = await asyncio.get_running_loop().sock_recv(ear, 4096)
            yield daemon
        finally:
            daemon.terminate()
            await daemon.wait()


def _laid(place: Path, config: str) -> Path:
    place.mkdir()
    file = place / "cutcard.toml"
    file.write_text(config)
    return file


async def _daemon(place: Path, config: str, environment: Mapping[str, str]) -> Taken:
    """Of a table whose devices are plugged in, where it has any."""
    with tempfile.TemporaryDirectory() as folder:
        table = FullTable(Path(folder))
        has_devices = config is SIX_DEVICES
        if has_devices:
            table.plug()
        try:
            async with _ready(place, config, environment, ports=table.folder) as daemon:
                seconds = _seconds(daemon.pid)
                if has_devices:
                    table.data = place / "data"
                    await table.until_online()
                return Taken(seconds, _kilobytes(daemon.pid))
        finally:
            if has_devices:
                table.unplug()


async def _imported(place: Path, config: str, environment: Mapping[str, str]) -> list[str]:
    """What a daemon of this table has loaded when it is ready, and is not ours."""
    away = config.replace("[[devices]]", "[[devices]]\nrequired = false")
    async with _ready(place, away, environment, "-X", "importtime"):
        pass
    log = (place / "daemon.log").read_text().splitlines()
    names = [line.rpartition("|")[2].strip() for line in log if line.startswith("import time:")]
    others = [name for name in names[1:] if name.partition(".")[0] not in OURS]
    trial = await asyncio.create_subprocess_exec(sys.executable, "-c", TRY, *others, env=environment, stdout=PIPE)
    return (await trial.communicate())[0].decode().split()


async def _idle(modules: list[str], environment: Mapping[str, str]) -> Taken:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", IDLE, *modules), env=environment, stdout=PIPE
    )
    assert process.stdout is not None
    assert await process.stdout.readline() == b"ready\n"
    taken = Taken(_seconds(process.pid), _kilobytes(process.pid))
    process.terminate()
    await process.wait()
    return taken


def _seconds(pid: int) -> float:
    """Processor time of all its threads, to the nanosecond."""
    threads = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9


def _kilobytes(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))
