"""An emulated computer that starts the image: QEMU without hardware virtualisation, so on every machine, but slowly.

    machine = Machine(folder, image, adapters={"shoe": 41207})
    await machine.power_on()
    await machine.console.until("login:")
    machine.power_off()          # as the plug is pulled: what was not on the disk is gone

The image is not changed: what the board writes is in a file beside it, which outlives the power. Each adapter is a USB
serial adapter of a well-known make (FTDI) whose line is a TCP port of this machine. It is plugged in while something
listens there, and pulled when that ends: the board's kernel sees the one and the other.

The board reaches nothing of this machine or beyond but the broker's port, as 10.0.2.100:1883.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from sim_hw.rig.table.process import TableError, free_port, tail

BROKER = "10.0.2.100"
"""Of the cardroom, as the board knows it; on port 1883."""
MEMORY_MB = 1024
_FIRMWARE = (
    ("/usr/share/OVMF/OVMF_CODE_4M.fd", "/usr/share/OVMF/OVMF_VARS_4M.fd"),
    ("/usr/share/OVMF/OVMF_CODE.fd", "/usr/share/OVMF/OVMF_VARS.fd"),
)
_QEMU = "qemu-system-x86_64"
_DISK = "8G"
"""Of the emulated card: the image and room to grow. It takes as much of this machine's disk as was written."""
_INSTRUCTION = 2
"""The board's clock goes on by 2**2 ns with each instruction that it executes, as in a processor of 250 MHz with one a
cycle. So where this machine is busy the board is slow in its own time too, and nothing in it waits in vain: a watchdog
or a time limit of the board counts what the board could do meanwhile."""
_STYLE = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]|\r")


class Console:
    """The board's serial console: everything that came, and what is typed."""

    def __init__(self, log: Path) -> None:
        self.log = log
        self._read_up_to = 0
        self._news = asyncio.Condition()
        self._text = ""
        self._writer: asyncio.StreamWriter | None = None
        self._reading: asyncio.Task[None] | None = None

    @property
    def text(self) -> str:
        return self._text

    async def connect(self, socket: Path) -> None:
        reader, self._writer = await asyncio.open_unix_connection(socket)
        self._reading = asyncio.create_task(self._read(reader))

    async def until(self, words: str) -> str:
        """Wait until the console shows this (a regular expression) after what was waited for before; the line."""
        async with self._news:
            while (found := re.search(words, self._text[self._read_up_to :])) is None:
                await self._news.wait()
            self._read_up_to += found.end()
            return found[0]

    async def type(self, line: str) -> None:
        assert self._writer is not None
        self._writer.write(f"{line}\r".encode())
        await self._writer.drain()

    async def close(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)
        if self._writer is not None:
            self._writer.close()
        self._reading = self._writer = None

    async def _read(self, reader: asyncio.StreamReader) -> None:
        with self.log.open("ab") as log:
            while data := await reader.read(4096):
                log.write(data)
                log.flush()
                async with self._news:
                    self._text += _STYLE.sub(b"", data).decode(errors="replace")
                    self._news.notify_all()


class Machine:
    """One emulated computer with its disk."""

    def __init__(
        self, folder: Path, image: Path, *, adapters: Mapping[str, int] | None = None, broker: int | None = None
    ) -> None:
        """`adapters`: TCP ports of this machine, by the serial number of the adapter; `broker`: the broker's port."""
        self.folder, self.image = folder, image
        self.ssh_port = free_port()
        self.console = Console(folder / "console.log")
        self._adapters, self._broker = dict(adapters or {}), broker
        self._process: asyncio.subprocess.Process | None = None
        folder.mkdir(parents=True, exist_ok=True)

    @property
    def disk(self) -> Path:
        return self.folder / "disk.qcow2"

    @property
    def is_on(self) -> bool:
        return self._process is not None and self._process.returncode is None

    async def power_on(self) -> None:
        """Returns when the computer runs; the console shows how far it is."""
        if not self.disk.exists():
            made = ("qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b", str(self.image.resolve()))
            await _run(*made, str(self.disk), _DISK)
        variables = self.folder / "variables.fd"
        code, fresh = _firmware()
        if not variables.exists():
            shutil.copyfile(fresh, variables)
        socket = self.folder / "console"
        socket.unlink(missing_ok=True)
        with (self.folder / "qemu.log").open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *_command(code, variables, self.disk, socket, self._network()),
                *self._usb(),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        async with asyncio.timeout(60):
            while not socket.exists():
                if not self.is_on:
                    raise TableError(f"QEMU did not start: {tail(self.folder / 'qemu.log')}")
                await asyncio.sleep(0.05)
        await self.console.connect(socket)

    async def power_off(self) -> None:
        """As the plug is pulled."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()
        await self.console.close()

    async def ssh(self, *command: str, key: Path, check: bool = True, standard_input: bytes | None = None) -> str:
        """What a command prints that root runs on the board."""
        process = await asyncio.create_subprocess_exec(
            *(*self._ssh(key), "root@127.0.0.1", *command),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        out, _ = await process.communicate(standard_input)
        if check and process.returncode:
            raise TableError(
                f"{' '.join(command)} ended with {process.returncode} on the board: {out.decode()[-1500:]}"
            )
        return out.decode(errors="replace")

    async def forward(self, here: int, there: int, key: Path) -> asyncio.subprocess.Process:
        """The process that brings a port of the board's loopback to one of this machine's."""
        way = ("-N", "-o", "ExitOnForwardFailure=yes", "-L", f"127.0.0.1:{here}:127.0.0.1:{there}")
        return await asyncio.create_subprocess_exec(
            *(*self._ssh(key), *way, "root@127.0.0.1"), stdin=asyncio.subprocess.DEVNULL
        )

    def _ssh(self, key: Path) -> tuple[str, ...]:
        where = ("-p", str(self.ssh_port), "-i", str(key), "-o", "BatchMode=yes", "-o", "StrictHostKeyChecking=no")
        quiet = ("-o", f"UserKnownHostsFile={os.devnull}", "-o", "LogLevel=ERROR", "-o", "ConnectTimeout=60")
        return ("ssh", *where, *quiet)

    def _network(self) -> str:
        ways = [f"hostfwd=tcp:127.0.0.1:{self.ssh_port}-:22"]
        if self._broker is not None:
            ways.append(f"guestfwd=tcp:{BROKER}:1883-tcp:127.0.0.1:{self._broker}")
        return ",".join(["user", "id=net", "restrict=on", *ways])

    def _usb(self) -> list[str]:
        words = ["-device", "qemu-xhci,id=usb"]
        for serial, port in self._adapters.items():
            line = f"socket,id=line-{serial},host=127.0.0.1,port={port},reconnect=1"
            words += ["-chardev", line, "-device", f"usb-serial,bus=usb.0,chardev=line-{serial},serial={serial}"]
        return words


def why_not() -> str | None:
    """Why no computer can be emulated here; None where it can."""
    if missing := [name for name in (_QEMU, "qemu-img", "ssh") if shutil.which(name) is None]:
        return f"an emulated board needs {', '.join(missing)} (deploy/setup-machine.sh board installs them)"
    if not any(Path(code).exists() for code, _ in _FIRMWARE):
        return "an emulated board needs the firmware of EFI machines (deploy/setup-machine.sh board installs it)"
    return None


def _command(code: str, variables: Path, disk: Path, console: Path, network: str) -> list[str]:
    return [
        *(_QEMU, "-machine", "q35,accel=tcg", "-m", str(MEMORY_MB), "-display", "none", "-nodefaults"),
        *("-icount", f"shift={_INSTRUCTION},sleep=on"),
        *("-drive", f"if=pflash,format=raw,readonly=on,file={code}"),
        *("-drive", f"if=pflash,format=raw,file={variables}"),
        *("-drive", f"if=virtio,format=qcow2,discard=unmap,file={disk}"),
        *("-chardev", f"socket,id=console,path={console},server=on,wait=off", "-serial", "chardev:console"),
        *("-netdev", network, "-device", "virtio-net-pci,netdev=net,romfile="),
        *("-device", "virtio-rng-pci", "-device", "i6300esb", "-action", "watchdog=reset"),
    ]


def _firmware() -> tuple[str, str]:
    for code, variables in _FIRMWARE:
        if Path(code).exists():
            return code, variables
    raise TableError(why_not() or "there is no firmware")


async def _run(*command: str) -> None:
    process = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    out, _ = await process.communicate()
    if process.returncode:
        raise TableError(f"{' '.join(command[:2])}: {out.decode(errors='replace')}")
