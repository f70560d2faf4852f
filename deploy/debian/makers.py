"""Who does the steps of a package that need the board's own Python: its bytecode, its compiled engine.

`ThisMachine` where the board has this machine's Debian and architecture. A `Workshop` for every other board: a root of
the board's Debian, but of this machine's architecture, so that everything in it runs at full speed; with a C compiler
for the board's architecture and the headers that it needs. The files of the Python packages are chosen by pip, for the
board's Python and its C library; none of them is run.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Protocol

from deploy.debian.commands import CannotBuild, folder, run, said, tool
from deploy.debian.roots import KEPT, SUITES, alone, entered, make_root, own_suite

ROOT = Path(__file__).resolve().parents[2]
PYTHON = "/usr/bin/python3"
"""Debian's own: what the board has."""

LACKING = 3
"""How deploy/compile.py says that it has no compiler, and has said so."""

TRIPLETS = {"amd64": "x86_64-linux-gnu", "arm64": "aarch64-linux-gnu"}
_GLIBC = dict(zip(SUITES, (36, 41), strict=True))
"""The C library of each release, 2.36 and 2.41: a wheel may ask for an older one."""
_OLDEST_GLIBC = 17
_TOOLS = ("mypy", "mypy_extensions", "librt", "pathspec", "ast_serialize", "setuptools")
"""Of requirements/dev.txt: what deploy/compile.py needs, with its own needs; and all types-… ."""
_TREE, _WORK = "tree", "work"
"""Where the sources and the folder of the build are in a workshop."""


class Maker(Protocol):
    """Makes what only the board's own Python can make."""

    name: str
    architecture: str
    python: str
    """The board's, as in 3.13."""
    pip: tuple[str, ...]
    """The command that installs files for the board, without its arguments."""

    def python_runs(self, work: Path, *arguments: str, **environment: str) -> None:
        """A command of the board's Python; `work` is the folder that it reads and writes. A path below it, or below
        the tree, is written as `place` returns it."""

    def place(self, path: Path, work: Path) -> str:
        """What this path is called there."""

    def compiled_engine(self, work: Path) -> tuple[Path, int]:
        """The folder with the engine as machine code, and the exit code of deploy/compile.py."""


class ThisMachine:
    """The board has the same Debian and architecture as this machine."""

    def __init__(self) -> None:
        self.architecture = said("dpkg", "--print-architecture")
        self.python = said(PYTHON, "-c", "import sys; print('%d.%d' % sys.version_info[:2])")
        self.name = self.architecture
        pip = (sys.executable, "-m", "pip", "--python", PYTHON, "--disable-pip-version-check", "install")
        self.pip: tuple[str, ...] = pip

    def python_runs(self, work: Path, *arguments: str, **environment: str) -> None:
        run(PYTHON, *arguments, environment={**os.environ, **environment})

    def place(self, path: Path, work: Path) -> str:
        return str(path)

    def compiled_engine(self, work: Path) -> tuple[Path, int]:
        into = work / "compiled"
        here = f"{sys.version_info.major}.{sys.version_info.minor}"
        if here != self.python:
            print(f"The engine is not compiled: this is Python {here}, the board's is {self.python}.", file=sys.stderr)
            return into, LACKING
        command = (sys.executable, str(ROOT / "deploy" / "compile.py"), "--into", str(into))
        return into, subprocess.run(command, check=False).returncode


class Workshop:
    """A root of the board's Debian with a compiler for its architecture; made once, and kept."""

    def __init__(self, suite: str, architecture: str) -> None:
        own = said("dpkg", "--print-architecture")
        if own not in TRIPLETS:
            raise CannotBuild(
                f"This machine is {own}: a package for another board is built on {' or '.join(TRIPLETS)}."
            )
        self.architecture, self.suite, self._own = architecture, suite, own
        self.name = f"{suite}-{architecture}"
        self._triplet = TRIPLETS[architecture]
        self._root = self._made()
        self.python = (self._root / "usr/bin/python3").readlink().name.removeprefix("python")
        self.pip = (
            sys.executable,
            "-m",
            "pip",
            "--disable-pip-version-check",
            "install",
            *self._files_for(architecture),
        )
        self._lay_tools()

    def python_runs(self, work: Path, *arguments: str, **environment: str) -> None:
        run(*self._inside(work, PYTHON, *arguments, **environment))

    def place(self, path: Path, work: Path) -> str:
        for base, there in ((work, _WORK), (ROOT, _TREE)):
            if path.is_relative_to(base):
                return str(Path("/", there) / path.relative_to(base))
        raise CannotBuild(f"{path} is neither in {work} nor in {ROOT}.")

    def compiled_engine(self, work: Path) -> tuple[Path, int]:
        into = work / f"compiled-{self.name}"
        environment = {"PYTHONDONTWRITEBYTECODE": "1"}
        if self.architecture != self._own:
            # As Debian's own cross builds do it: the other Python's settings, whose compiler is the cross compiler.
            machine = self._triplet.partition("-")[0]
            environment["_PYTHON_HOST_PLATFORM"] = f"linux-{machine}"
            environment["_PYTHON_SYSCONFIGDATA_NAME"] = f"_sysconfigdata__{self._triplet}"
        compiling = (f"/{_TREE}/deploy/compile.py", "--into", self.place(into, work))
        return into, subprocess.run(self._inside(work, PYTHON, *compiling, **environment), check=False).returncode

    def _inside(self, work: Path, *command: str, **environment: str) -> tuple[str, ...]:
        settings = [f"{name}={value}" for name, value in {"LC_ALL": "C.UTF-8", **environment}.items()]
        clean = ("env", "-i", "PATH=/usr/sbin:/usr/bin", "HOME=/root", *settings)
        unshare, *rest = entered(self._root, *clean, *command, mounts={ROOT: _TREE, folder(work): _WORK})
        return (tool(unshare) or unshare, *rest)

    def _made(self) -> Path:
        """One root for all architectures of a release: they may be in one together."""
        include = ["python3", "gcc", "libc6-dev", "libpython3-dev"]
        others = [other for other in TRIPLETS if other != self._own]
        for other in others:
            compiler = f"gcc-{TRIPLETS[other].replace('_', '-')}"
            include += [compiler, f"libc6-dev:{other}", f"libpython3-dev:{other}"]
        root = KEPT / f"workshop-{self.suite}"
        with alone(root):
            if not root.is_dir():
                print(f"Making {root}, once: Debian's compilers for {self.suite} …", file=sys.stderr)
                make_root(root, self.suite, include, (self._own, *others))
                for place in (_TREE, _WORK):
                    (root / place).mkdir()
        return root

    def _files_for(self, architecture: str) -> tuple[str, ...]:
        """Options of pip: wheels for this release's Python and C library on an architecture, and nothing else."""
        machine = TRIPLETS[architecture].partition("-")[0]
        newest = _GLIBC[self.suite]
        platforms = [f"manylinux_2_{minor}_{machine}" for minor in range(newest, _OLDEST_GLIBC - 1, -1)]
        named = [word for platform in (*platforms, f"manylinux2014_{machine}") for word in ("--platform", platform)]
        return ("--no-deps", "--implementation", "cp", "--python-version", self.python, *named)

    def _lay_tools(self) -> None:
        """mypyc and what it reads types from, into the workshop's own Python: the files that requirements/ pins."""
        wanted = (ROOT / "requirements" / "package.txt").read_text() + "\n" + _blocks_of_tools()
        site = self._root / f"usr/local/lib/python{self.python}/dist-packages"
        stamp = self._root / "usr/local/lib/tools"
        digest = hashlib.sha256(wanted.encode()).hexdigest()
        with alone(self._root), tempfile.NamedTemporaryFile("w", suffix=".txt") as listed:
            if stamp.exists() and stamp.read_text() == digest:
                return
            listed.write(wanted)
            listed.flush()
            pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--upgrade")
            how = ("--require-hashes", "--only-binary", ":all:", *self._files_for(self._own), "--target", str(site))
            run(*pip, *how, "--requirement", listed.name)
            stamp.write_text(digest)


def maker(suite: str | None, architecture: str | None) -> Maker:
    """For a board with this release and architecture; None: this machine's."""
    here, own = said("dpkg", "--print-architecture"), own_suite()
    suite, architecture = suite or own, architecture or here
    if (suite, architecture) == (own, here):
        return ThisMachine()
    if suite not in SUITES or architecture not in TRIPLETS:
        known = f"{' or '.join(SUITES)} on {' or '.join(TRIPLETS)}"
        raise CannotBuild(
            f"A package for {suite or 'this system'} on {architecture} cannot be built here: say {known}."
        )
    return Workshop(suite, architecture)


def _blocks_of_tools() -> str:
    """Of dev.txt: name, version and hashes of what compiles."""
    blocks = re.split(r"\n(?!    )", (ROOT / "requirements" / "dev.txt").read_text())
    chosen = [block for block in blocks if block.startswith((*(f"{name}==" for name in _TOOLS), "types-"))]
    return "\n".join(chosen) + "\n"
