"""The package for a board with another processor: built here, installed and started there.

It is built twice, from nothing but the kept roots, and is the same. Then it is installed in an arm64 root, whose
programs run under qemu-user: the program starts there, with the engine that was compiled for that processor.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.debian.commands import run
from deploy.debian.roots import KEPT, alone, entered, make_root, why_not
from tests.support.project import ROOT

SUITE, ARCHITECTURE = "trixie", "arm64"
NEEDED = ("adduser", "libusb-1.0-0", "python3", "tzdata", "udev")
EMULATION = Path("/proc/sys/fs/binfmt_misc/qemu-aarch64")

pytestmark = [
    pytest.mark.skipif(why_not() is not None, reason=why_not() or ""),
    pytest.mark.skipif(not EMULATION.exists(), reason="NO ARM64: deploy/setup-machine.sh board installs qemu-user"),
    pytest.mark.timeout(3600),
]

BUILD_IT = """
import os, sys
from pathlib import Path
import deploy.debian.build as debian
from deploy.debian.makers import maker
os.umask(int(sys.argv[2], 8))
debian.BUILD = Path(sys.argv[1])
print(debian.build(None, debian.BUILD, by=maker("trixie", "arm64")))
"""


def built(folder: Path, umask: str, **environment: str) -> Path:
    """A package built from nothing, in another folder and with another environment."""
    folder.mkdir()
    command = [sys.executable, "-c", BUILD_IT, str(folder), umask]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.strip())


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("package") / "one", "022", TZ="UTC", PYTHONHASHSEED="1")


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Path]:
    """A Debian for arm64, with what the package depends on."""
    base = KEPT / f"bare-{SUITE}-{ARCHITECTURE}.tar"
    with alone(base):
        if not base.exists():
            make_root(base, SUITE, NEEDED, (ARCHITECTURE,))
    root = tmp_path / "root"
    root.mkdir()
    run("tar", "-C", str(root), "-xf", str(base))
    yield root
    run("rm", "-rf", "--one-file-system", str(root))


def on(board: Path, *command: str) -> str:
    clean = ("env", "-i", "PATH=/usr/sbin:/usr/bin", "HOME=/root", "LC_ALL=C.UTF-8")
    return run(*entered(board, *clean, *command))


def test_two_builds_for_another_architecture_are_the_same_bytes(package: Path, tmp_path: Path) -> None:
    other = built(tmp_path / "another-place", "077", TZ="Asia/Tokyo", PYTHONHASHSEED="2", LC_ALL="C")
    assert package.read_bytes() == other.read_bytes()
    assert run("dpkg-deb", "--field", str(package), "Architecture").strip() == ARCHITECTURE


def test_it_is_installed_on_its_own_debian_and_starts_with_its_own_compiled_engine(package: Path, board: Path) -> None:
    (board / package.name).write_bytes(package.read_bytes())
    on(board, "dpkg", "--install", f"/{package.name}")
    assert on(board, "cutcard", "--version") == here("--version")
    kernel = "from controller.engine.round import kernel; print(kernel.__file__)"
    loaded = on(board, "/usr/lib/cutcard/current/bin/python3", "-I", "-B", "-c", kernel)
    assert loaded.strip().endswith("-aarch64-linux-gnu.so")


def here(*command: str) -> str:
    """What the program prints on this machine."""
    done = (sys.executable, "-m", "controller.cli", *command)
    return subprocess.run(done, cwd=ROOT, capture_output=True, text=True, check=True).stdout
