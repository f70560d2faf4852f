"""What the program is made of: pinned files, a bill of materials, a package that can be built again and is signed."""

from __future__ import annotations

import base64
import functools
import hashlib
import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import NormalizedName, canonicalize_name

from controller.board_key import new_key
from deploy.debian.build import BOARD, FLOOR, needs, sign
from deploy.debian.commands import CannotBuild
from deploy.debian.makers import PYTHON
from deploy.lock import Sources, renewed
from tests.support.project import ROOT

PACKAGE, FOR_FLOOR, DEV = (ROOT / "requirements" / f"{name}.txt" for name in ("package", "floor", "dev"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
TARGETS = [
    {"python_version": python, "python_full_version": f"{python}.0", "platform_machine": machine}
    for python in ("3.11", "3.12", "3.13", "3.14")
    for machine in ("x86_64", "aarch64")
]
OWN = "cutcard"


def pinned(file: Path) -> dict[NormalizedName, tuple[str, list[str]]]:
    """Version and hashes by name, of one file."""
    found = {}
    for block in re.split(r"\n(?!    )", file.read_text().strip()):
        if not block.startswith(("#", "-r ")):
            head, *hashes = block.split(" \\\n")
            name, version = head.split("==")
            found[canonicalize_name(name)] = (version, [line.removeprefix("    --hash=sha256:") for line in hashes])
    return found


def closure(wanted: list[str]) -> set[str]:
    """These packages and everything that they need, on any machine that we support, by their own metadata."""
    return {name for target in TARGETS for name in _closure(wanted, target)}


def _closure(wanted: list[str], target: dict[str, str]) -> set[str]:
    done: set[tuple[str, str]] = set()
    waiting = [Requirement(text) for text in wanted]
    while waiting:
        need = waiting.pop()
        name = canonicalize_name(need.name)
        for extra in {"", *need.extras}:
            if (name, extra) not in done:
                done.add((name, extra))
                waiting += [part for part in _needs_of(name) if _applies(part, extra, target)]
    return {name for name, _ in done}


@functools.cache
def _needs_of(name: str) -> list[Requirement]:
    return [Requirement(text) for text in importlib.metadata.requires(name) or []]


def _applies(need: Requirement, extra: str, target: dict[str, str]) -> bool:
    return need.marker is None or need.marker.evaluate({**target, "extra": extra})


# The hashes


@pytest.mark.parametrize("file", [PACKAGE, FOR_FLOOR, DEV], ids=lambda file: file.name)
def test_every_package_has_one_version_and_hashes_and_nothing_names_a_host(file: Path) -> None:
    assert not re.search(r"://|\bindex-url|\bfind-links|\btrusted-host|@ ", file.read_text())
    for name, (version, hashes) in pinned(file).items():
        assert re.fullmatch(r"[0-9][0-9a-z.]*", version), name
        assert hashes and all(re.fullmatch("[0-9a-f]{64}", digest) for digest in hashes), name
        assert hashes == sorted(set(hashes)), name


def test_the_lists_are_complete_and_have_nothing_else() -> None:
    package, floor, dev = pinned(PACKAGE), pinned(FOR_FLOOR), pinned(DEV)
    assert "-r package.txt\n-r floor.txt\n" in DEV.read_text()
    assert not package.keys() & dev.keys() and not (package.keys() | dev.keys()) & floor.keys()
    assert closure(needs(PROJECT["project"])) == package.keys()
    assert closure(needs(PROJECT["project"], FLOOR)) <= package.keys() | floor.keys()
    assert floor.keys() <= closure(needs(PROJECT["project"], FLOOR))
    development = [f"{OWN}[dev]", *PROJECT["build-system"]["requires"]]
    assert closure(development) - {OWN} == package.keys() | floor.keys() | dev.keys()


def test_this_environment_has_exactly_the_pinned_versions() -> None:
    everything = {**pinned(PACKAGE), **pinned(FOR_FLOOR), **pinned(DEV)}
    installed = {canonicalize_name(each.name): each.version for each in importlib.metadata.distributions()}
    assert installed.keys() - {OWN, "pip"} <= everything.keys()
    for name, (version, _) in everything.items():
        assert installed[name] == version, name


def test_make_venv_takes_only_files_with_a_known_hash() -> None:
    printed = subprocess.run(
        ["make", "--no-print-directory", "--dry-run", "--always-make", "venv"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    installs = [line for line in printed.splitlines() if " pip " in line]
    assert len(installs) == 2
    assert "--require-hashes --only-binary :all: --requirement requirements/dev.txt" in installs[0]
    assert "--no-deps --no-build-isolation --editable ." in installs[1]


class TwoFiles(Sources):
    """Offers two files of every release but one."""

    def __init__(self) -> None:
        pass

    def digests(self, name: str, version: str) -> set[str]:
        return set() if name == "gone" else {digest * 64 for digest in "ba"}


def test_renewing_writes_the_hashes_of_all_files_and_leaves_the_rest_alone() -> None:
    before = "# Why\n-r package.txt\none==1.0 \\\n    --hash=sha256:old\ntwo==2.0\n"
    hashes = "".join(f" \\\n    --hash=sha256:{digest * 64}" for digest in "ab")
    assert renewed(before, ["two"], TwoFiles()) == before.replace("two==2.0", f"two==2.0{hashes}")
    assert renewed(before, [], TwoFiles()) == f"# Why\n-r package.txt\none==1.0{hashes}\ntwo==2.0{hashes}\n"
    with pytest.raises(SystemExit, match=r"no file of gone==1\.0"):
        renewed("gone==1.0\n", [], TwoFiles())


def wheel(folder: Path) -> Path:
    """A package of one line."""
    made = folder / "innocent-1.0-py3-none-any.whl"
    about = "innocent-1.0.dist-info"
    files = {
        "innocent.py": "X = 1\n",
        f"{about}/METADATA": "Metadata-Version: 2.1\nName: innocent\nVersion: 1.0\n",
        f"{about}/WHEEL": "Wheel-Version: 1.0\nGenerator: a test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = [f"{name},sha256={_digest_of(text)},{len(text)}" for name, text in files.items()]
    files[f"{about}/RECORD"] = "\n".join([*record, f"{about}/RECORD,,", ""])
    with zipfile.ZipFile(made, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return made


def _digest_of(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()


def install(wheels: Path, requirement: str, to: Path) -> subprocess.CompletedProcess[str]:
    """As `make venv` and the package's build do it, from a folder."""
    file = wheels / "requirements.txt"
    file.write_text(requirement + "\n")
    how = ["--require-hashes", "--only-binary", ":all:", "--no-index", "--find-links", str(wheels)]
    pip = [sys.executable, "-m", "pip", "--isolated", "--disable-pip-version-check", "install", "--quiet"]
    return subprocess.run(
        [*pip, *how, "--target", str(to), "--requirement", str(file)], capture_output=True, text=True, check=False
    )


def test_a_file_with_another_hash_is_not_installed(tmp_path: Path) -> None:
    digest = hashlib.sha256(wheel(tmp_path).read_bytes()).hexdigest()
    good = install(tmp_path, f"innocent==1.0 --hash=sha256:{digest}", tmp_path / "good")
    assert good.returncode == 0, good.stderr
    assert (tmp_path / "good" / "innocent.py").exists()
    for requirement in (f"innocent==1.0 --hash=sha256:{'0' * 64}", "innocent==1.0", f"innocent --hash=sha256:{digest}"):
        refused = install(tmp_path, requirement, tmp_path / "bad")
        assert refused.returncode != 0
        assert "hash" in refused.stderr.lower()
        assert not (tmp_path / "bad" / "innocent.py").exists()


# The package


needs_debian = pytest.mark.skipif(
    shutil.which("dpkg-deb") is None or not Path(PYTHON).exists(),
    reason="NOT DEBIAN: the package was not built twice (it needs dpkg-deb and /usr/bin/python3)",
)

BUILD_IT = """
import os, sys
from pathlib import Path
import deploy.debian.build as debian
os.umask(int(sys.argv[2], 8))
debian.BUILD = Path(sys.argv[1])
print(debian.build(None, debian.BUILD, for_a_board=False))
"""


def built(folder: Path, umask: str, **environment: str) -> Path:
    """A package built from nothing, in another folder and with another environment."""
    folder.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", BUILD_IT, str(folder), umask],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.strip())


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Path]]:
    """Two builds that have nothing in common but the sources."""
    folder = tmp_path_factory.mktemp("packages")
    yield (
        built(folder / "one", "022", TZ="UTC", PYTHONHASHSEED="1"),
        built(folder / "another-place", "077", TZ="Asia/Tokyo", PYTHONHASHSEED="2", LC_ALL="C"),
    )
    shutil.rmtree(folder)


@needs_debian
def test_two_builds_of_the_package_are_the_same_bytes(packages: tuple[Path, Path]) -> None:
    one, other = packages
    assert one.read_bytes() == other.read_bytes()


def contents(deb: Path) -> tarfile.TarFile:
    tar = subprocess.run(["dpkg-deb", "--fsys-tarfile", str(deb)], capture_output=True, check=True).stdout
    return tarfile.open(fileobj=BytesIO(tar))


@needs_debian
def test_the_package_has_a_bill_of_materials_of_everything_in_it(packages: tuple[Path, Path]) -> None:
    with contents(packages[0]) as files:
        inside = {
            canonicalize_name(found[1])
            for name in files.getnames()
            if (found := re.search(r"/site-packages/([^/]+)-[^-/]+\.dist-info$", name))
        }
        file = files.extractfile(f"./{BOARD.bill}")
        assert file is not None
        bill: dict[str, Any] = json.load(file)
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", bill["serialNumber"])
    assert bill["metadata"]["component"]["name"] == OWN
    components = {canonicalize_name(each["name"]): each for each in bill["components"]}
    assert components.keys() == inside - {OWN} == pinned(PACKAGE).keys()
    for name, (version, hashes) in pinned(PACKAGE).items():
        component = components[name]
        assert component["version"] == version
        assert component["purl"] == f"pkg:pypi/{name}@{version}"
        assert component["licenses"], name
        assert {each["content"] for each in component["hashes"]} <= set(hashes)
    references = {each["bom-ref"] for each in bill["components"]} | {OWN}
    graph = {each["ref"]: each["dependsOn"] for each in bill["dependencies"]}
    assert graph.keys() == references
    assert {need for needed in graph.values() for need in needed} == references - {OWN}
    assert "pkg:pypi/msgspec@" in " ".join(graph[OWN])


@needs_debian
def test_the_package_names_no_place_of_the_machine_that_built_it(packages: tuple[Path, Path]) -> None:
    with contents(packages[0]) as files:
        for member in files:
            assert (member.uname, member.gname) == ("root", "root")
            file = files.extractfile(member) if member.isfile() else None
            if file is not None and member.name.endswith((".json", "METADATA", "INSTALLER", ".cfg", ".pyc")):
                content = file.read()
                assert str(packages[0].parent).encode() not in content and str(ROOT).encode() not in content, member


# The signature, checked by the commands of docs/operations/install.md


def command_of(page: str, part: str) -> str:
    """The one command of a page that has these words, on one line."""
    text = (ROOT / page).read_text().replace("\\\n", " ")
    found = [line.partition(" #")[0].strip() for line in text.splitlines() if line.startswith("    ") and part in line]
    assert len(found) == 1, found
    return found[0]


INSTALL, BUILDING = "docs/operations/install.md", "deploy/README.md"


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="NO OPENSSL: the package's signature was not tested")
def test_a_signed_package_is_verified_by_the_command_of_the_page(tmp_path: Path) -> None:
    deb = tmp_path / "cutcard_0.2.0_arm64.deb"
    deb.write_bytes(os.urandom(100_000))
    for part in ("openssl genpkey", "-pubout"):
        made = run(command_of(BUILDING, part), tmp_path)
        assert made.returncode == 0, made.stderr
    signature = sign(deb, tmp_path / "release.key")
    assert signature.name == "cutcard_0.2.0_arm64.deb.sig"
    verify = command_of(INSTALL, "pkeyutl -verify")
    good = run(verify, tmp_path)
    assert good.returncode == 0 and "Signature Verified Successfully" in good.stdout, good.stderr
    assert run(command_of(INSTALL, "sha256sum"), tmp_path).returncode == 0

    deb.write_bytes(deb.read_bytes()[:-1] + b"\0")
    bad = run(verify, tmp_path)
    assert bad.returncode != 0 and "Success" not in bad.stdout


@pytest.mark.skipif(shutil.which("openssl") is None, reason="NO OPENSSL: the package's signature was not tested")
def test_a_package_that_another_key_signed_is_refused(tmp_path: Path) -> None:
    deb = tmp_path / "cutcard_0.2.0_arm64.deb"
    deb.write_bytes(b"a package")
    new_key(tmp_path / "release.key")
    run(command_of(BUILDING, "-pubout"), tmp_path)
    new_key(tmp_path / "other.key")
    sign(deb, tmp_path / "other.key")
    assert run(command_of(INSTALL, "pkeyutl -verify"), tmp_path).returncode != 0


def test_a_release_key_that_others_may_read_is_not_used(tmp_path: Path) -> None:
    deb = tmp_path / "cutcard_0.2.0_arm64.deb"
    deb.write_bytes(b"a package")
    new_key(tmp_path / "release.key")
    (tmp_path / "release.key").chmod(0o644)
    with pytest.raises(CannotBuild, match="others may read"):
        sign(deb, tmp_path / "release.key")
    assert not list(tmp_path.glob("*.sig"))


def test_no_key_is_in_the_repository() -> None:
    words = "BEGIN (EC |ED25519 |RSA )?" + "PRIVATE KEY"  # in two parts: this file has them too
    listed = subprocess.run(["git", "grep", "-lE", words], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode > 1:
        pytest.skip("NOT A GIT TREE: the repository was not searched for keys")
    assert listed.stdout.decode() == ""
