"""A table whose board is emulated: the image in an emulated computer, its devices at real USB serial adapters.

The board is set up as a technician does it, by files on its boot partition; what a rig needs to look inside comes over
SSH, with a key that is made for it. The page comes through the same connection.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from msgspec.structs import replace

from sim_hw.devices.kinds import DevicePlan
from sim_hw.rig.board.machine import BROKER, Machine
from sim_hw.rig.rig import Rig
from sim_hw.rig.table.broker import Broker
from sim_hw.rig.table.process import TableError, free_port, stop_process
from sim_hw.rig.toml import as_toml
from sim_hw.time.clock import SimClock

DATA, CONFIG = "/var/lib/cutcard", "/etc/cutcard/cutcard.toml"
_SITE_AT = "@@1M"
"""Where the boot partition begins in the image, as mtools writes it: the first one after the partition table."""
_STARTS_S = 4 * 3600.0
"""A limit for a board that hangs. A start is two minutes of work for one core, which may be shared by fifty."""


class BoardTable:
    """The emulated board of one table."""

    def __init__(self, folder: Path, machine: Machine, key: Path) -> None:
        self.folder, self.machine, self._key = folder, machine, key
        self._forwarding: asyncio.subprocess.Process | None = None

    @property
    def login(self) -> str:
        """The command by which a person gets a shell there."""
        return f"ssh -p {self.machine.ssh_port} -i {self._key} root@127.0.0.1"

    async def run(self, *command: str, check: bool = True, standard_input: bytes | None = None) -> str:
        """What a command prints that root runs on the board."""
        return await self.machine.ssh(*command, key=self._key, check=check, standard_input=standard_input)

    async def start(self) -> None:
        """Power on, until somebody can log in."""
        await self.machine.power_on()
        await self.until_up()

    async def until_up(self) -> None:
        async with asyncio.timeout(_STARTS_S):
            while True:
                with suppress(TableError):
                    await self.run("true")
                    return
                if not self.machine.is_on:
                    raise TableError("the emulated board has gone off by itself")
                await asyncio.sleep(1)

    async def power_off(self) -> None:
        """As the plug is pulled."""
        await self.machine.power_off()
        await stop_process(self._forwarding)
        self._forwarding = None

    async def set_up(self, staff: Path) -> Path:
        """Wait for the table, bring it its people, and return a folder that says where its page is, as a data folder
        does."""
        await self.running()
        await self.run("systemctl", "stop", "cutcard")
        # A simulated house has confirmed nothing: the table is in test mode, with a journal that begins with it.
        await self.run(f"grep -q '^test = true' {CONFIG} || sed -i '1i test = true' {CONFIG}; rm -f {DATA}/journal.db*")
        data = self.folder / "data"
        shutil.copytree(staff, data, dirs_exist_ok=True)
        people = await asyncio.to_thread(lambda: {file.name: file.read_bytes() for file in sorted(staff.iterdir())})
        for name, content in people.items():
            put = f"install -o cutcard -g cutcard -m 600 /dev/stdin {DATA}/{name}"
            await self.run(put, standard_input=content)
        await self.run("systemctl", "start", "cutcard")
        await self.running()
        return data

    async def running(self) -> None:
        """Until the daemon serves its page, which is then on a port of this machine: `data/page.url` names it."""
        async with asyncio.timeout(_STARTS_S):
            # The board waits by itself: each question from here costs it more than a second of its processor.
            await self.run("until systemctl is-active --quiet cutcard; do sleep 1; done")
        page = (await self.run("cat", f"{DATA}/page.url")).strip()
        there, here = page.rstrip("/").rpartition(":")[2], free_port()
        await stop_process(self._forwarding)
        self._forwarding = await self.machine.forward(here, int(there), self._key)
        data = self.folder / "data"
        data.mkdir(exist_ok=True)
        (data / "page.url").write_text(f"http://127.0.0.1:{here}/")


@asynccontextmanager
async def board_table(
    folder: Path, image: Path, plan: Mapping[str, DevicePlan], *, ruleset: str, broker: Broker | None, seed: int | str
) -> AsyncIterator[tuple[BoardTable, Rig]]:
    """An emulated board with these devices plugged in, set up from its boot partition; not started yet."""
    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    usb = {name: replace(device, on="tcp") for name, device in plan.items()}
    with Rig(folder / "rig", usb, seed=seed, clock=SimClock.at("real")) as rig:
        adapters = {name: int(rig.url(name).rpartition(":")[2]) for name in usb}
        key = await _key(folder / "key")
        own = folder / "board.img"
        await _run("cp", "--sparse=always", str(image), str(own))
        answers = {"site": "rig", "table": "board-1", "ruleset": ruleset, "broker": BROKER}
        files = {"board.toml": as_toml(answers), "authorized_keys": key.with_suffix(".pub").read_text()}
        await _put(own, files, folder)
        machine = Machine(folder / "machine", own, adapters=adapters, broker=None if broker is None else broker.port)
        table = BoardTable(folder, machine, key)
        try:
            yield table, rig
        finally:
            await table.power_off()


async def _key(file: Path) -> Path:
    if not await asyncio.to_thread(file.exists):
        await _run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(file))
    return file


async def _put(image: Path, files: Mapping[str, str], folder: Path) -> None:
    """Copy files to the boot partition of an image, as any computer can."""
    for name, text in files.items():
        source = folder / name
        source.write_text(text)
        await _run("mcopy", "-o", "-i", f"{image}{_SITE_AT}", str(source), f"::{name}")


async def _run(*command: str) -> None:
    process = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    out, _ = await process.communicate()
    if process.returncode:
        raise TableError(f"{' '.join(command[:3])}: {out.decode(errors='replace')}")
