"""Builds the Debian packages: `make deb`, or `python deploy/debian/build.py [--package cutcard-floor] [--version V]
[--suite trixie] [--arch arm64] [--out DIR] [--sign KEY]`. `cutcard` is for the board under a table, `cutcard-floor` for
the room's own machine. What needs the board's own Python is done by a maker (makers.py): this machine, or a root of the
board's Debian.

The program and all its Python packages become a virtual environment on Debian's own python3, in a folder with the
version in its name: /usr/lib/cutcard/VERSION. Nothing is downloaded or compiled on the board. Two packages never share
a file of the program, so an upgrade that is cut off half-way leaves the old version whole, and the link `current` moves
in one step when all of the new one is there (`postrm`, before anything of the old one goes).

The same sources give the same package, byte for byte: times are those of the last commit (SOURCE_DATE_EPOCH), Python's
caches carry hashes and no times. The Python packages are the files whose hashes are in requirements/package.txt (and
floor.txt), and no others; they are gathered once for each such list and used again. The package has a bill of materials
(sbom.py).

With --sign KEY, a signature is made beside the package: Ed25519 over its bytes, as `openssl pkeyutl` verifies it.

Where a C compiler is at hand the engine is compiled (deploy/compile.py) and laid over the program, beside its sources.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import json
import os
import re
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from controller.board_key import read_key
from controller.errors import UserError
from deploy.debian.commands import CannotBuild, folder, run, said
from deploy.debian.makers import LACKING, TRIPLETS, Maker, ThisMachine, Workshop, maker
from deploy.debian.roots import SUITES, own_suite
from deploy.debian.sbom import bill_of_materials, name_of

ROOT = Path(__file__).resolve().parents[2]
HERE = ROOT / "deploy" / "debian"
BUILD = ROOT / "build"

REQUIREMENTS = ROOT / "requirements" / "package.txt"
SCRIPTS = ("postinst", "prerm", "postrm")


@dataclass(frozen=True, slots=True)
class Product:
    """A package that is made of this tree. Each is whole by itself: two of them share no file."""

    name: str
    packages: tuple[str, ...]
    """Our own, at the top level."""
    extras: tuple[str, ...]
    requirements: tuple[Path, ...]
    system: dict[str, str]
    """Files of the system, by where they are in this tree."""
    documents: dict[str, str]
    """Below /usr/share/doc/NAME."""
    folder: Path
    """Of its control file, its scripts and its command."""
    is_compiled: bool
    """Whether it deals: then its engine is compiled."""

    @property
    def home(self) -> str:
        return f"usr/lib/{self.name}"

    @property
    def bill(self) -> str:
        return f"usr/share/doc/{self.name}/{self.name}.cdx.json"


_GRAFANA = "grafana/provisioning"
BOARD = Product(
    name="cutcard",
    # The simulated table too: a technician deals a round on a new board before the devices have come.
    packages=("controller", "protocols", "devices", "sim_hw"),
    # What an operator uses: shift reports as PDF, worked rounds. Not the demo's own broker: a board has a real one.
    extras=("report", "cases", "sparkplug"),
    requirements=(REQUIREMENTS,),
    system={
        "deploy/systemd/cutcard.service": "usr/lib/systemd/system/cutcard.service",
        "deploy/systemd/cutcard-sparkplug.service": "usr/lib/systemd/system/cutcard-sparkplug.service",
        "deploy/udev/60-cutcard.rules": "usr/lib/udev/rules.d/60-cutcard.rules",
    },
    documents={
        "LICENSE": "copyright",
        "CHANGELOG.md": "changelog.md",
        "deploy/cutcard.example.toml": "examples/cutcard.toml",
        "deploy/udev/59-cutcard-site.rules": "examples/59-cutcard-site.rules",
        "deploy/grafana/cutcard.json": "examples/grafana/cutcard.json",
        f"deploy/{_GRAFANA}/dashboards/cutcard.yaml": f"examples/{_GRAFANA}/dashboards/cutcard.yaml",
        f"deploy/{_GRAFANA}/datasources/cutcard.yaml": f"examples/{_GRAFANA}/datasources/cutcard.yaml",
        "deploy/prometheus/alerts.yml": "examples/prometheus/alerts.yml",
        "deploy/prometheus/prometheus.yml": "examples/prometheus/prometheus.yml",
        "deploy/tls/openssl.cnf": "examples/openssl.cnf",
        "deploy/sparkplug.example.env": "examples/sparkplug.env",
    },
    folder=HERE,
    is_compiled=True,
)
FLOOR = Product(
    name="cutcard-floor",
    packages=("controller", "protocols", "devices", "floor"),
    extras=("report", "floor"),
    requirements=(REQUIREMENTS, ROOT / "requirements" / "floor.txt"),
    system={
        f"deploy/floor/{unit}": f"usr/lib/systemd/system/{unit}"
        for unit in (
            "cutcard-floor.service",
            "cutcard-floor-page.service",
            "cutcard-floor-keep.service",
            "cutcard-floor-keep.timer",
        )
    },
    documents={
        "LICENSE": "copyright",
        "CHANGELOG.md": "changelog.md",
        "deploy/floor/floor.example.toml": "examples/floor.toml",
        "deploy/floor/roles.sql": "examples/roles.sql",
        "deploy/floor/alertmanager.yml": "examples/alertmanager.yml",
        "deploy/tls/openssl.cnf": "examples/openssl.cnf",
    },
    folder=HERE / "floor",
    is_compiled=False,
)
PRODUCTS = {product.name: product for product in (BOARD, FLOOR)}


@dataclass(frozen=True, slots=True)
class Target:
    """What is built, and by whom."""

    product: Product
    version: str
    maker: Maker

    @property
    def architecture(self) -> str:
        return self.maker.architecture

    @property
    def python(self) -> str:
        return self.maker.python

    @property
    def home(self) -> str:
        return f"{self.product.home}/{self.version}"

    @property
    def site(self) -> str:
        return f"lib/python{self.python}/site-packages"

    @property
    def python_after(self) -> str:
        major, minor = self.python.split(".")
        return f"{major}.{int(minor) + 1}"


def build(
    version: str | None = None,
    out: Path = BUILD,
    *,
    for_a_board: bool = True,
    product: Product = BOARD,
    by: Maker | None = None,
) -> Path:
    """The package's file. One build at a time in a tree: others wait.

    `for_a_board`: compressed and with a compiled engine. Else made quickly, to go no further than this machine.
    `by`: for another Debian or architecture than this machine's.
    """
    with _alone():
        project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
        target = Target(product=product, version=_checked(version or project["version"]), maker=by or ThisMachine())
        libraries = _libraries(target)
        with tempfile.TemporaryDirectory(dir=folder(BUILD / "deb")) as made:
            tree = Path(made) / "tree"
            _lay_program(tree / target.home, target, project, libraries)
            if for_a_board and product.is_compiled:
                _lay_compiled(tree / target.home / target.site, target)
            _lay_system(tree, target)
            _lay_bill(tree, target, project, libraries)
            _lay_control(tree, target)
            return _pack(tree, folder(out) / f"{product.name}_{target.version}_{target.architecture}.deb", for_a_board)


# The Python packages


def _libraries(target: Target) -> Path:
    """A folder with everything that the program imports, compiled, and the digests of the files that it came from; made
    once for each list of requirements."""
    lists = target.product.requirements
    parts = [*(file.read_text() for file in lists), target.python, target.maker.name, _RECIPE]
    key = hashlib.sha256("\n".join(parts).encode()).hexdigest()
    ready = BUILD / "deb" / f"libraries-{key[:16]}"
    if ready.is_dir():
        return ready
    with tempfile.TemporaryDirectory(dir=folder(BUILD / "deb")) as made:
        new, report = folder(Path(made) / "new"), Path(made) / "report.json"
        site = new / SITE
        # Only files with a known hash, and wheels only: nothing that comes from outside is run while this is built.
        how = ("--quiet", "--require-hashes", "--only-binary", ":all:", "--no-compile", "--report", str(report))
        wanted = [word for file in lists for word in ("--requirement", str(file))]
        run(*target.maker.pip, *how, "--target", str(site), *wanted)
        (new / DIGESTS).write_text(json.dumps(_installed(json.loads(report.read_text()))))
        shutil.rmtree(site / "bin", ignore_errors=True)
        for record in site.glob("*.dist-info/RECORD"):
            record.unlink()  # It lists what was just removed, and no pip will ever ask for it.
        for origin in site.glob("*.dist-info/direct_url.json"):
            origin.unlink()
        _compile(site, target)
        _open_to_all(site)
        new.rename(ready)
    return ready


def _installed(report: dict[str, Any]) -> dict[str, str]:
    """SHA-256 of the file of each package, by its name, from pip's report."""
    found = {}
    for item in report["install"]:
        found[name_of(item["metadata"]["name"])] = item["download_info"]["archive_info"]["hashes"]["sha256"]
    return found


SITE, DIGESTS = "site-packages", "digests.json"
_RECIPE = "2"
"""To be counted up when the way in which the libraries are gathered changes."""


def _extra(project: dict[str, Any], name: str) -> list[str]:
    wanted: list[str] = project["optional-dependencies"][name]
    return wanted


def needs(project: dict[str, Any], product: Product = BOARD) -> list[str]:
    """What the program in the package requires."""
    return [*project["dependencies"], *(need for extra in product.extras for need in _extra(project, extra))]


def _compile(base: Path, target: Target, *files: Path) -> None:
    """Python's caches, without times in them, and readable by all: nothing is compiled on the board."""
    place = f"/{target.product.home}/current/{target.site}"
    # One process and one order, and no random hashes: what a cache holds depends on what was compiled before it.
    there = [target.maker.place(path, BUILD) for path in (base, *(sorted(files) or (base,)))]
    how = ("-q", "-j", "1", "--invalidation-mode", "unchecked-hash", "-s", there[0], "-p", place)
    target.maker.python_runs(BUILD, "-m", "compileall", *how, *there[1:], PYTHONHASHSEED="0")


# The tree of files


def _lay_program(home: Path, target: Target, project: dict[str, Any], libraries: Path) -> None:
    site = home / target.site
    shutil.copytree(libraries / SITE, site, copy_function=os.link)
    own = Path(tempfile.mkdtemp(dir=home.parent))
    for package in target.product.packages:
        shutil.copytree(ROOT / package, own / package, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    _say_version(own / "controller" / "__init__.py", target.version)
    _compile(own, target)
    about = own / f"cutcard-{target.version}.dist-info"
    about.mkdir()
    requires = [f"Requires-Dist: {need}" for need in project["dependencies"]]
    about.joinpath("METADATA").write_text(
        "\n".join(["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {target.version}", *requires, ""])
    )
    for part in own.iterdir():
        part.rename(site / part.name)
    own.rmdir()
    (home / "bin").mkdir()
    (home / "bin" / "python3").symlink_to(f"/usr/bin/python{target.python}")
    (home / "pyvenv.cfg").write_text(
        f"home = /usr/bin\ninclude-system-site-packages = false\nversion = {target.python}\n"
    )


def _lay_compiled(site: Path, target: Target) -> None:
    """Extension modules beside the sources they were made of; Python takes the extension."""
    compiled, code = target.maker.compiled_engine(BUILD)
    if code:
        if code != LACKING:
            print("The engine could not be compiled, see above: the package has the plain one.", file=sys.stderr)
        return
    for module in compiled.rglob(f"*.cpython-{target.python.replace('.', '')}-*.so"):
        place = site / module.relative_to(compiled)
        name = module.name.partition(".")[0] + ".py"
        source = module.with_name(name)
        if source.exists() and source.read_bytes() != place.with_name(name).read_bytes():
            raise CannotBuild(f"{source.name} was changed while the package was built; build it again.")
        shutil.copyfile(module, place)
        place.chmod(0o644)
    parts = [part.relative_to(compiled) for part in compiled.rglob("*_interpreted.py")]
    for part in parts:
        shutil.copyfile(compiled / part, site / part)
    _compile(site, target, *[site / part for part in parts])


def _say_version(file: Path, version: str) -> None:
    """What the program says of itself, in the journal too, is what dpkg says of it."""
    text, times = re.subn(r'^__version__ = ".*"$', f'__version__ = "{version}"', file.read_text(), flags=re.MULTILINE)
    if times != 1:
        raise CannotBuild(f'{file} should say its version once, as in __version__ = "0.1.0"; it says it {times} times.')
    file.write_text(text)


def _lay_system(tree: Path, target: Target) -> None:
    product, papers = target.product, f"usr/share/doc/{target.product.name}"
    places = {**product.system, **{source: f"{papers}/{name}" for source, name in product.documents.items()}}
    for source, place in places.items():
        folder((tree / place).parent)
        shutil.copyfile(ROOT / source, tree / place)
    shutil.copytree(ROOT / "docs", tree / papers / "docs", ignore=shutil.ignore_patterns("images", "__pycache__"))
    shutil.copytree(ROOT / "deploy" / "mosquitto", tree / papers / "examples/mosquitto")
    command = folder(tree / "usr/bin") / product.name
    shutil.copyfile(product.folder / product.name, command)
    _open_to_all(tree)
    command.chmod(0o755)


def _lay_bill(tree: Path, target: Target, project: dict[str, Any], libraries: Path) -> None:
    digests = json.loads((libraries / DIGESTS).read_text())
    site = tree / target.home / target.site
    bill = tree / target.product.bill
    wanted = needs(project, target.product)
    bill.write_text(bill_of_materials(site, digests, target.version, wanted, int(last_commit_time())))
    bill.chmod(0o644)


def _lay_control(tree: Path, target: Target) -> None:
    control = folder(tree / "DEBIAN")
    size = sum(path.lstat().st_size for path in tree.rglob("*") if not path.is_dir()) // 1024
    values = {
        "VERSION": target.version,
        "ARCHITECTURE": target.architecture,
        "SIZE": str(size),
        "PYTHON": target.python,
        "PYTHON_AFTER": target.python_after,
    }
    control.joinpath("control").write_text(_filled((target.product.folder / "control.in").read_text(), values))
    for name in SCRIPTS:
        (control / name).write_text(_filled((target.product.folder / name).read_text(), values))
    # As dpkg --verify reads them.
    sums = (
        f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(tree)}\n"
        for path in sorted(tree.rglob("*"))
        if path.is_file() and not path.is_symlink() and control not in path.parents
    )
    control.joinpath("md5sums").write_text("".join(sums))
    _open_to_all(control)
    for name in SCRIPTS:
        (control / name).chmod(0o755)


def _pack(tree: Path, deb: Path, small: bool) -> Path:
    when = last_commit_time()
    # One thread: with more, what xz writes depends on how many cores the machine has.
    environment = {**os.environ, "SOURCE_DATE_EPOCH": when, "DPKG_DEB_THREADS_MAX": "1"}
    for path in (tree, *tree.rglob("*")):
        os.utime(path, (int(when), int(when)), follow_symlinks=False)
    part = deb.with_suffix(".part")
    # The quick setting of xz: the best one takes a minute and saves little.
    how = ("-Zxz", "-z1") if small else ("-Znone",)
    run("dpkg-deb", "--root-owner-group", *how, "--build", str(tree), str(part), environment=environment)
    part.rename(deb)
    return deb


def sign(deb: Path, key: Path) -> Path:
    """The file with the package's signature: 64 bytes, as `openssl pkeyutl -verify -rawin` reads them."""
    try:
        signature = read_key(key).sign(deb.read_bytes())
    except UserError as error:
        raise CannotBuild(str(error)) from None
    beside = deb.with_name(f"{deb.name}.sig")
    beside.write_bytes(signature)
    return beside


def last_commit_time() -> str:
    """Of everything in the package, in seconds since the epoch."""
    return os.environ.get("SOURCE_DATE_EPOCH") or _last_commit()


def _last_commit() -> str:
    try:
        return said("git", "-C", str(ROOT), "log", "-1", "--format=%ct")
    except CannotBuild:
        return str(int((ROOT / "pyproject.toml").stat().st_mtime))


# Small things


def _filled(text: str, values: dict[str, str]) -> str:
    return re.sub(r"@([A-Z_]+)@", lambda name: values[name[1]], text)


def _checked(version: str) -> str:
    """As Debian allows, without an epoch: it is in a file's name and in a folder's."""
    if not re.fullmatch(r"[0-9][A-Za-z0-9.+~]*(-[A-Za-z0-9.+~]+)?", version):
        raise CannotBuild(f"{version!r} is no version for a package: write it as 0.2.0 or 0.2.0-1.")
    return version


def _open_to_all(tree: Path) -> None:
    """Everybody may read; who may write is dpkg's business. Whatever umask the builder has."""
    for path in (tree, *tree.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() else 0o644)


@contextmanager
def _alone() -> Iterator[None]:
    with (folder(BUILD / "deb") / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def main() -> int:
    parser = argparse.ArgumentParser(description="Build the Debian package.")
    parser.add_argument("--package", choices=PRODUCTS, default=BOARD.name, help="default: %(default)s")
    parser.add_argument("--version", help="default: that of pyproject.toml; 0.2.0, or 0.2.0-1 with a revision")
    parser.add_argument("--suite", choices=SUITES, help="the board's Debian (default: this machine's)")
    parser.add_argument("--arch", choices=TRIPLETS, help="the board's architecture (default: this machine's)")
    parser.add_argument("--out", type=Path, help="folder for the package (default: build, or build/SUITE for another)")
    parser.add_argument("--sign", type=Path, metavar="KEY", help="an Ed25519 key in PEM: sign the package with it")
    chosen = parser.parse_args()
    try:
        by = maker(chosen.suite, chosen.arch)
        out = chosen.out or (BUILD / by.suite if isinstance(by, Workshop) and by.suite != own_suite() else BUILD)
        deb = build(chosen.version or None, out, product=PRODUCTS[chosen.package], by=by)
        signed = None if chosen.sign is None else sign(deb, chosen.sign)
    except CannotBuild as error:
        print(f"make deb: {error}", file=sys.stderr)
        return 2
    print(f"{deb} ({deb.stat().st_size / 1_000_000:.1f} MB)")
    if signed is not None:
        print(f"{signed}, its signature")
    return 0


if __name__ == "__main__":
    sys.exit(main())
