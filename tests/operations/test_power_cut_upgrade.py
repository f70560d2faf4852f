"""The power goes in the middle of an upgrade: the board has the old program or the new one, whole, and its journal.

A Debian root (tests/support/debian.py) with the package on it, not booted: dpkg runs in it and is killed, with all that
it started, when it has unpacked so much of the newer version. Then what a technician does: start the program as it is,
`dpkg --configure -a`, and the same installation again.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import time
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from deploy.debian.build import ROOT
from tests.journal.test_rotation import play_round
from tests.support.debian import BareBoard, package, why_not
from tests.support.disks import in_memory
from tests.support.journals import open_journal

pytestmark = [
    pytest.mark.skipif(why_not() is not None, reason=why_not() or ""),
    pytest.mark.timeout(1500),
]

PATIENCE_S = 300.0
LOOK_S = 0.002


class Shelf:
    """A board that is not booted: its commands run in its root, with nothing of this machine but the kernel."""

    def __init__(self, board: BareBoard) -> None:
        self.root = board.root
        self.data = board.data

    def begin(self, *command: str) -> subprocess.Popen[bytes]:
        inside = ("unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "chroot", str(self.root))
        environment = {
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "LC_ALL": "C.UTF-8",
            "DEBIAN_FRONTEND": "noninteractive",
        }
        return subprocess.Popen(
            (*inside, *command),
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    def do(self, *command: str) -> str:
        with self.begin(*command) as process:
            said = process.communicate(timeout=PATIENCE_S)[0].decode(errors="replace")
        assert process.returncode == 0, f"{' '.join(command)}: {said[-2000:]}"
        return said

    def program(self) -> str:
        return self.do("cutcard", "--version").strip().removeprefix("cutcard ")

    def status(self) -> str:
        return self.do("dpkg-query", "--show", "--showformat", "${Version} ${db:Status-Abbrev}", "cutcard").strip()

    def of(self, version: str) -> int:
        """How many files and folders of a version are on the disk, under whatever name."""
        return sum(len(files) + len(folders) for _, folders, files in os.walk(self.root / "usr/lib/cutcard" / version))

    def cut_when(self, holds: Callable[[], bool], *command: str) -> None:
        """Begin a command and kill all of it as soon as this holds; it must not have ended before."""
        process = self.begin(*command)
        deadline = time.monotonic() + PATIENCE_S
        while not holds():
            assert process.poll() is None and time.monotonic() < deadline, "the installation ended before it was cut"
            time.sleep(LOOK_S)
        process.kill()
        process.communicate()


def fingerprint(folder: Path) -> dict[str, str]:
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(folder.iterdir())}


def test_an_upgrade_cut_anywhere_leaves_a_whole_program_and_the_journal(tmp_path: Path) -> None:
    older = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    newer = f"{older}+next"
    first, second = package(), package(newer)
    with in_memory(3_000_000_000, tmp_path) as folder:
        cut_short(Shelf(BareBoard(folder)), first, second, older, newer)


def cut_short(shelf: Shelf, first: Path, second: Path, older: str, newer: str) -> None:
    for deb in (first, second):
        (shelf.root / "root" / deb.name).write_bytes(deb.read_bytes())
    shelf.do("dpkg", "--install", f"/root/{first.name}")
    with open_journal(shelf.data / "journal.db") as journal:
        play_round(journal)
    before, whole = fingerprint(shelf.data), shelf.of(older)
    assert whole > 500 and shelf.program() == older
    current = shelf.root / "usr/lib/cutcard/current"
    cuts: dict[str, Callable[[], bool]] = {
        "its first files are there": lambda: shelf.of(newer) > 5,
        "half of it is there": lambda: shelf.of(newer) > whole // 2,
        "the switch is made": lambda: str(current.readlink()) == newer,
    }
    for when, holds in cuts.items():
        shelf.cut_when(holds, "dpkg", "--install", f"/root/{second.name}")
        assert shelf.program() in (older, newer), when
        shelf.do("dpkg", "--configure", "-a")
        shelf.do("dpkg", "--install", f"/root/{second.name}")
        assert (shelf.program(), shelf.status()) == (newer, f"{newer} ii"), when
        assert fingerprint(shelf.data) == before, when
        shelf.do("dpkg", "--install", "--force-downgrade", f"/root/{first.name}")
        assert shelf.program() == older, when
        assert shelf.of(newer) == 0, when
