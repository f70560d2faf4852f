"""The README's two commands on clean machines: `make machines [SUITES="bookworm trixie"]`, as root.

Each suite is a Debian of its own: mmdebstrap makes a bare root with python3, make and git, from the mirror of this
machine's apt, and a copy of it is entered with chroot, in mount and process namespaces of its own. There the last
commit is cloned, and `make demo` and `make test` run, first as root, who may install what the tests need, then as an
ordinary user. The demo must come to the same journal everywhere.

Roots and downloaded packages are kept in build/machines, with a log of each run. The network is this machine's.
"""

from __future__ import annotations

import argparse
import os
import shutil
import ssl
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.support.debian import PATH, apt_mirror, tool
from tests.support.project import ROOT

KEPT = ROOT / "build" / "machines"
SUITES = ("bookworm", "trixie")
INCLUDE = ("ca-certificates", "git", "make", "python3")
USERS = {"root": "/root", "ann": "/home/ann"}
DEMO = "--headless --json --rounds 5 --seed 7 --speed max"
CERTIFICATES = "etc/ssl/certs/ca-certificates.crt"

ENTER = """
set -e
mount --bind "$1" "$1"
mount -t proc proc "$1/proc"
mount --rbind /sys "$1/sys"
mount --rbind /dev "$1/dev"
mount -t tmpfs tmpfs "$1/run"
mkdir "$1/run/lock"
mount --bind "$2" "$1/var/cache/apt/archives"
cd "$1"
shift 2
exec chroot "$@"
"""


class Machine:
    """A clean Debian under a folder."""

    def __init__(self, suite: str) -> None:
        self.suite, self.root, self._packages = suite, KEPT / suite, KEPT / f"{suite}-packages"
        base = _base_root(suite)
        shutil.rmtree(self.root, ignore_errors=True)
        self.root.mkdir()
        (self._packages / "partial").mkdir(parents=True, exist_ok=True)
        subprocess.run(("tar", "-C", str(self.root), "-xf", str(base)), check=True)
        for file in ("etc/resolv.conf", "etc/hosts"):
            shutil.copy(Path("/", file), self.root / file)
        if trusted := os.environ.get("SSL_CERT_FILE") or ssl.get_default_verify_paths().cafile:
            shutil.copy(trusted, self.root / CERTIFICATES)
        (self.root / "etc/apt/apt.conf.d/90machine").write_text("".join(f"{line}\n" for line in _apt_options()))
        self.run("root", "useradd", "--create-home", "--shell", "/bin/sh", "ann")

    def run(self, user: str, *command: str, log: Path | None = None) -> subprocess.CompletedProcess[str]:
        """A command in this machine, with nothing of our own environment."""
        home = USERS[user]
        environment = (f"PATH={PATH}", f"HOME={home}", "LANG=C.UTF-8", f"PIP_CERT=/{CERTIFICATES}")
        enter = ("unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", ENTER, "sh")
        inside = (f"--userspec={user}", str(self.root), "env", "-i", f"--chdir={home}", *environment, *command)
        done = subprocess.run(
            (*enter, str(self.root), str(self._packages), *inside),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
        if log is not None:
            with log.open("a") as file:
                file.write(f"$ {' '.join(command)}\n{done.stdout}\n")
        return done

    def lay_tree(self, user: str) -> None:
        """A clone of the last commit in the user's home."""
        place = self.root / USERS[user].lstrip("/") / "cutcard"
        subprocess.run(("git", "clone", "--quiet", "--no-hardlinks", str(ROOT), str(place)), check=True)
        self.run("root", "chown", "-R", f"{user}:{user}", f"{USERS[user]}/cutcard")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.long.machines", description="make machines")
    parser.add_argument("suites", nargs="*", default=SUITES, help="of Debian; default: %(default)s")
    suites = parser.parse_args().suites
    if problem := why_not():
        print(f"make machines: {problem}", file=sys.stderr)
        return 2
    KEPT.mkdir(parents=True, exist_ok=True)
    hashes, failed = set[str](), False
    for suite in suites:
        machine = Machine(suite)
        python = machine.run("root", "python3", "--version").stdout.strip()
        for user in USERS:
            log = KEPT / f"{suite}-{user}.log"
            log.unlink(missing_ok=True)
            machine.lay_tree(user)
            for what, code, last in _two_commands(machine, user, log):
                print(
                    f"{suite} ({python}), {user}: make {what}: {'passed' if code == 0 else 'FAILED'}: {last}",
                    flush=True,
                )
                failed |= code != 0
                if what == "demo":
                    hashes.add(last)
            print(f"  {log}")
    if len(hashes) > 1:
        print("FAILED: the demo's journal is not the same everywhere")
    return 1 if failed or len(hashes) > 1 else 0


def _two_commands(machine: Machine, user: str, log: Path) -> Iterator[tuple[str, int, str]]:
    for what, *arguments in (("demo", f"DEMO={DEMO}"), ("test",)):
        done = machine.run(user, "make", "--directory=cutcard", "--no-print-directory", what, *arguments, log=log)
        lines = [line for line in done.stdout.splitlines() if line.strip()] or [""]
        summaries = [line for line in lines if " passed" in line or " failed" in line]
        yield what, done.returncode, (summaries or lines)[-1]


def why_not() -> str | None:
    """Why no clean machine can be made here; None where it can."""
    if os.getuid() != 0:
        return "a Debian root is entered by root only: sudo make machines"
    missing = [name for name in ("mmdebstrap", "unshare", "git") if tool(name) is None]
    if missing:
        return f"install {', '.join(missing)}: apt-get install mmdebstrap util-linux git"
    if apt_mirror() is None:
        return "apt has no source of Debian packages here from which a root could be made"
    return None


def _base_root(suite: str) -> Path:
    """A tar of the bare root; made where it is not there."""
    ready, part = KEPT / f"{suite}.tar", KEPT / f"{suite}.part.tar"
    if not ready.exists():
        options = [f"--aptopt={line}" for line in _apt_options()]
        make = ("mmdebstrap", "--quiet", "--variant=minbase", f"--include={','.join(INCLUDE)}", *options)
        subprocess.run((*make, suite, str(part), str(apt_mirror())), check=True)
        part.rename(ready)
    return ready


def _apt_options() -> list[str]:
    """How this machine's apt reaches its mirror: proxies, and whether an old index will do."""
    dump = subprocess.run(("apt-config", "dump"), capture_output=True, text=True, check=True).stdout
    wanted = ("Acquire::http", "Acquire::https", "Acquire::Check-Valid-Until")
    return [line for line in dump.splitlines() if line.startswith(wanted) and not line.endswith(' "";')]


if __name__ == "__main__":
    sys.exit(main())
