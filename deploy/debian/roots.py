"""Debian roots: of any release and architecture, made by mmdebstrap from the mirrors of this machine's own apt.

`make_root` makes one; `entered` is the command line that runs a command in it, with chroot, in mount and process
namespaces of its own. `why_not` says what a machine lacks for it. Built roots are kept outside the tree, in KEPT: they
are the same for every clone, and `make clean` does not cost half an hour.
"""

from __future__ import annotations

import fcntl
import os
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from deploy.debian.commands import CannotBuild, folder, run, tool

KEPT = Path("/var/cache/cutcard-board")
SUITES = ("bookworm", "trixie")
"""Debian 12 and 13."""

_ENTER = """
set -e
root=$1
shift
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /sys "$root/sys"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/run"
mkdir "$root/run/lock"
while [ "$1" != -- ]; do
  mount --bind "$1" "$root/$2"
  shift 2
done
shift
cd "$root"
exec chroot "$@"
"""


def why_not() -> str | None:
    """Why no root can be made and entered here; None where it can."""
    if os.getuid() != 0:
        return "a Debian root is made and entered by root only"
    if missing := [name for name in ("mmdebstrap", "unshare", "chroot") if tool(name) is None]:
        return f"install {', '.join(missing)}: apt-get install mmdebstrap util-linux coreutils"
    if apt_mirror() is None:
        return "apt has no source of Debian packages here from which a root could be made"
    return None


def make_root(
    to: Path, suite: str, include: Sequence[str], architectures: Sequence[str] = (), hooks: Sequence[str] = ()
) -> None:
    """A new folder, or a tar where the name ends in .tar, with these packages and what they depend on. `architectures`:
    its own, then those whose packages it can have besides; none: this machine's. `hooks`: of mmdebstrap, as options."""
    if problem := why_not():
        raise CannotBuild(f"{problem[:1].upper()}{problem[1:]}.")
    folder(to.parent)
    part = to.with_name(f"part-{to.name}")
    if part.exists():
        # Of a run that was ended: it may still have this machine's devices mounted in it.
        run("rm", "-rf", "--one-file-system", str(part))
    options = [f"--aptopt={line}" for line in apt_options()]
    if architectures:
        options.append(f"--architectures={','.join(architectures)}")
    command = ("mmdebstrap", "--variant=minbase", f"--include={','.join(include)}", *options, *hooks)
    run(*command, suite, str(part), *_sources(suite))
    part.rename(to)


def entered(
    root: Path, *command: str, mounts: Mapping[Path, str] | None = None, options: Sequence[str] = ()
) -> tuple[str, ...]:
    """The command line that runs this command in the root. `mounts`: folders of this machine, and where they are there;
    `options`: of chroot."""
    pairs = [word for source, place in (mounts or {}).items() for word in (str(source), place)]
    unshared = ("unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", _ENTER, "sh")
    return (*unshared, str(root), *pairs, "--", *options, str(root), *command)


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """One process at a time makes what is at this path; others wait."""
    with folder(path.parent).joinpath(f"{path.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def apt_mirror() -> str | None:
    """Where this machine's apt has Debian itself from."""
    return _mirrors().get("")


def own_suite() -> str:
    """The release of this machine; empty where it is not Debian."""
    system = dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', Path("/etc/os-release").read_text(), re.MULTILINE))
    return system.get("VERSION_CODENAME", "") if system.get("ID") == "debian" else ""


def apt_options() -> list[str]:
    """How this machine's apt reaches its mirrors: proxies, and whether an old index will do."""
    dump = subprocess.run(("apt-config", "dump"), capture_output=True, text=True, check=True).stdout
    wanted = ("Acquire::http", "Acquire::https", "Acquire::Check-Valid-Until")
    return [line for line in dump.splitlines() if line.startswith(wanted) and not line.endswith(' "";')]


def _mirrors() -> dict[str, str]:
    """The mirrors of this release, by what follows its name: nothing, -updates, -security."""
    suite = own_suite()
    if tool("apt-get") is None or not suite:
        return {}
    ask = ("apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE)", "Created-By: Packages")
    found: dict[str, str] = {}
    for line in subprocess.run(ask, capture_output=True, text=True, check=False).stdout.splitlines():
        mirror, _, release = line.partition(" ")
        if release in (suite, f"{suite}-updates", f"{suite}-security"):
            found.setdefault(release.removeprefix(suite), mirror)
    return found


def _sources(suite: str) -> list[str]:
    """apt's lines for a release, with its updates where this machine has its own."""
    return [f"deb {mirror} {suite}{part} main" for part, mirror in _mirrors().items()]
