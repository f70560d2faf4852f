"""A bare board with Debian on it: a root made by debootstrap, booted by systemd in a container.

The root is made once on a machine, from the mirror and suite of the machine's own apt, and kept in build/. A board is a
fresh copy of it. The container shares the machine's network, so a rig on loopback is as near to the daemon as its
devices would be. `why_not` says what a machine lacks for it.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from deploy.debian.build import BOARD, BUILD, ROOT, build
from deploy.debian.commands import PATH, tool
from deploy.debian.roots import apt_mirror, own_suite
from tests.support.turns import turn

INCLUDE = ("adduser", "libusb-1.0-0", "python3", "systemd", "tzdata", "udev")
"""What the package depends on, and an init: `apt` inside then needs no network."""
BOOT_S = 120.0
COMMAND_S = 240.0
MOVING = re.compile(
    # What a running Debian and its package manager write for themselves.
    r"^/(dev|proc|sys|run|tmp|var/tmp|var/cache|var/log|var/lib/(apt|dpkg|systemd|private)|root/\.)"
    r"|^/etc/(machine-id|resolv\.conf|\.updated|ld\.so\.cache|(passwd|group|shadow|gshadow|subuid|subgid)-?)$|\.updated$"
)


class Done(NamedTuple):
    code: int
    out: str


class BoardFailed(AssertionError):
    """A command on the board ended badly: which, and what it said."""


def why_not() -> str | None:
    """Why no board can be made here; None where it can."""
    if os.getuid() != 0:
        return "a Debian root is made and booted by root only"
    missing = [name for name in ("debootstrap", "systemd-nspawn", "dpkg-deb", "nsenter") if tool(name) is None]
    if missing:
        return f"a Debian root needs {', '.join(missing)} (deploy/setup-machine.sh tests installs them)"
    if not Path("/usr/bin/python3").exists():
        return "the package is built with Debian's own /usr/bin/python3, which is not here"
    if _apt_source() is None:
        return "apt has no source of Debian packages here from which a root could be made"
    return None


def base_root() -> Path:
    """A tar of the bare root; made at the first call on a machine, which takes a minute or two. Others wait for it."""
    folder = BUILD / "deb"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "root.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return _base_root()


def _base_root() -> Path:
    source = _apt_source()
    assert source is not None
    mirror, suite = source
    ready = BUILD / "deb" / f"root-{suite}-{'-'.join(INCLUDE)}.tar"
    if ready.exists():
        return ready
    root = ready.with_suffix(".making")
    shutil.rmtree(root, ignore_errors=True)
    _machine("debootstrap", "--variant=minbase", f"--include={','.join(INCLUDE)}", suite, str(root), mirror)
    # A board of this test looks at no network: its packages are all there.
    (root / "etc/apt/sources.list").write_text("")
    for heavy in ("usr/share/doc", "usr/share/man", "usr/share/locale", "var/cache/apt/archives"):
        shutil.rmtree(root / heavy, ignore_errors=True)
    (root / "var/cache/apt/archives/partial").mkdir(parents=True)
    for unit in ("apt-daily.timer", "apt-daily-upgrade.timer", "e2scrub_all.timer", "systemd-logind.service"):
        (root / "etc/systemd/system" / unit).symlink_to("/dev/null")
    part = ready.with_suffix(".part")
    _machine("tar", "-C", str(root), "-cf", str(part), ".")
    shutil.rmtree(root)
    part.rename(ready)
    return ready


class BareBoard:
    """A Debian of its own under a folder; boot it, or put the power off."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "root"
        self.log = folder / "boot.log"
        self._nspawn: subprocess.Popen[bytes] | None = None
        self._init = 0
        self.root.mkdir(parents=True)
        _machine("tar", "-C", str(self.root), "-xf", str(base_root()))

    @property
    def data(self) -> Path:
        return self.root / "var/lib/cutcard"

    def boot(self) -> None:
        """Returns when systemd has started what is enabled; `BoardFailed` where it does not come up."""
        command = ("systemd-nspawn", "--boot", "--quiet", "--register=no", "--keep-unit", "--resolv-conf=off")
        nspawn = (tool(command[0]) or command[0], *command[1:], "--directory", str(self.root))
        with self.log.open("ab") as log:
            self._nspawn = subprocess.Popen(
                nspawn, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
        deadline = time.monotonic() + BOOT_S
        while time.monotonic() < deadline and self._nspawn.poll() is None:
            self._init = self._init or self._find_init()
            if self._init and self.run("systemctl", "is-system-running", check=False).out.strip() in (
                "running",
                "degraded",
            ):
                return
            time.sleep(0.1)
        said = self.log.read_text(errors="replace")[-1500:]
        raise BoardFailed(f"systemd did not come up in a container: {said}")

    def power_off(self) -> None:
        """Without a word to anybody in it."""
        if self._nspawn is not None:
            if self._init:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(self._init, signal.SIGKILL)
            self._nspawn.kill()
            self._nspawn.wait()
        self._nspawn, self._init = None, 0

    def run(self, *command: str, check: bool = True) -> Done:
        """A command as root on the running board."""
        inside = ("nsenter", "--target", str(self._init), "--all", "--wdns=/", "env", "-i", f"PATH={PATH}")
        done = subprocess.run(
            (*inside, "HOME=/root", "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive", *command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=COMMAND_S,
            check=False,
        )
        if check and done.returncode:
            raise BoardFailed(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout[-3000:]}")
        return Done(done.returncode, done.stdout)

    async def do(self, *command: str, check: bool = True) -> Done:
        """The same, while the rig beside it lives on."""
        return await asyncio.to_thread(self.run, *command, check=check)

    def put(self, file: Path, place: str) -> str:
        """Carry a file to the board; gives its path there."""
        shutil.copy(file, self.root / place.lstrip("/"))
        return place

    def owned(self, place: str) -> str:
        return self.run("stat", "-c", "%U:%G %a", place).out.strip()

    def files(self) -> set[str]:
        """Everything on the board but what a running Debian moves by itself."""
        found = set()
        for folder, folders, names in os.walk(self.root):
            here = "/" + os.path.relpath(folder, self.root).removeprefix(".")
            here = here.rstrip("/")
            folders[:] = [name for name in folders if not MOVING.search(f"{here}/{name}")]
            found |= {f"{here}/{name}" for name in (*names, *folders) if not MOVING.search(f"{here}/{name}")}
        return found

    def _find_init(self) -> int:
        """The container's first process, as this machine numbers it."""
        assert self._nspawn is not None
        waiting = [self._nspawn.pid]
        while waiting:
            process = Path("/proc") / str(waiting.pop())
            with contextlib.suppress(OSError):
                numbers = re.search(r"^NSpid:\s+\d+\s+1$", (process / "status").read_text(), re.MULTILINE)
                if numbers and (process / "comm").read_text().strip() == "systemd":
                    return int(process.name)
                waiting += map(int, (process / "task" / process.name / "children").read_text().split())
        return 0


@asynccontextmanager
async def booted(folder: Path) -> AsyncIterator[BareBoard]:
    """A bare board that runs. Nothing of ours is on it yet: where it does not come up, the machine cannot have one."""
    try:
        board = await asyncio.to_thread(BareBoard, folder)
    except BoardFailed as failure:
        pytest.skip(f"no Debian root could be made here: {failure}")
    try:
        try:
            await asyncio.to_thread(board.boot)
        except BoardFailed as failure:
            pytest.skip(f"no Debian root could be booted here: {failure}")
        yield board
    finally:
        await asyncio.to_thread(board.power_off)
        shutil.rmtree(board.root, ignore_errors=True)


def package(version: str | None = None) -> Path:
    """The package of this tree, or one that calls itself newer; built once for the same sources."""
    folder = BUILD / "deb"
    folder.mkdir(parents=True, exist_ok=True)
    stamp = folder / f"package-{version or 'own'}.json"
    with (folder / "package.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        sources = _sources()
        if stamp.exists():
            known = json.loads(stamp.read_text())
            if known["sources"] == sources and Path(known["file"]).exists():
                return Path(known["file"])
        made = build(version, folder, for_a_board=False)
        stamp.write_text(json.dumps({"sources": sources, "file": str(made)}))
        return made


def _sources() -> str:
    """A digest of everything that goes into a package, and of the commit, whose time its files have."""
    digest = hashlib.sha256(str(turn()).encode())
    for part in (*BOARD.packages, "deploy", "docs", "requirements", "pyproject.toml", "CHANGELOG.md", "LICENSE"):
        place = ROOT / part
        for file in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(f"{file.relative_to(ROOT)}\n".encode() + file.read_bytes())
    return digest.hexdigest()


def _machine(*command: str) -> None:
    done = subprocess.run(
        (tool(command[0]) or command[0], *command[1:]), capture_output=True, text=True, errors="replace", check=False
    )
    if done.returncode:
        raise BoardFailed(f"{' '.join(command[:3])} … failed:\n{(done.stdout + done.stderr)[-2000:]}")


def _apt_source() -> tuple[str, str] | None:
    """Mirror and suite of Debian itself, as this machine's apt has them."""
    mirror = apt_mirror()
    return None if mirror is None else (mirror, own_suite())


if __name__ == "__main__":
    began = time.monotonic()
    print(base_root(), f"{time.monotonic() - began:.0f} s")
    sys.exit(0)
