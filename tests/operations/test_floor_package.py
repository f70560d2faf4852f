"""The package cutcard-floor: built, unpacked, and used as it is; its units and scripts judged by their own tools."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from deploy.debian.build import BUILD, FLOOR, ROOT, SCRIPTS, build
from deploy.debian.makers import PYTHON
from floor.config import read_config
from tests.support.turns import comes

UNITS = [ROOT / "deploy" / "floor" / Path(unit).name for unit in FLOOR.system]
WORST_EXPOSURE = 4.0
needs_debian = pytest.mark.skipif(
    shutil.which("dpkg-deb") is None or not Path(PYTHON).exists(),
    reason="NOT DEBIAN: the floor's package was not built (it needs dpkg-deb and /usr/bin/python3)",
)


if comes(of=4):

    @needs_debian
    @pytest.mark.timeout(900)
    def test_the_package_is_whole_by_itself(tmp_path: Path) -> None:
        deb = build(None, BUILD / "floor-package", for_a_board=False, product=FLOOR)
        subprocess.run(["dpkg-deb", "--extract", str(deb), str(tmp_path)], check=True)
        control = subprocess.run(["dpkg-deb", "--field", str(deb)], capture_output=True, text=True, check=True).stdout
        version = re.search(r"^Version: (\S+)$", control, re.MULTILINE)
        assert version is not None and "Package: cutcard-floor\n" in control
        python = tmp_path / FLOOR.home / version[1] / "bin" / "python3"
        store = tmp_path / "floor.db"
        config = tmp_path / "floor.toml"
        config.write_text(f'site = "riverside"\nstore = "{store}"\n')

        def floor(*arguments: str) -> str:
            command = [str(python), "-I", "-B", "-m", "controller.cli", "floor", *arguments, "--config", str(config)]
            done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")
            assert done.returncode == 0, done.stderr
            return done.stdout

        floor("migrate")
        assert store.exists()
        floor("books", "day", "2026-11-18", "--pdf", str(tmp_path / "books.pdf"))
        assert (tmp_path / "books.pdf").read_bytes().startswith(b"%PDF-")
        libraries = python.parents[1] / "lib"
        assert list(libraries.rglob("psycopg_binary")) and not list(libraries.rglob("sim_hw"))
        assert (tmp_path / "usr/share/doc/cutcard-floor/examples/roles.sql").exists()


def test_the_example_is_a_configuration() -> None:
    found = read_config(ROOT / "deploy" / "floor" / "floor.example.toml")
    assert found.room.licensed_tables == 12 and found.alerts.urls


def test_the_scripts_are_plain_shell_without_a_fault() -> None:
    shellcheck = shutil.which("shellcheck")
    if shellcheck is None:
        pytest.skip("the maintainer scripts are checked by shellcheck (apt install shellcheck)")
    scripts = [str(FLOOR.folder / name) for name in (*SCRIPTS, FLOOR.name)]
    done = subprocess.run([shellcheck, "--shell=sh", *scripts], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("unit", [unit for unit in UNITS if unit.suffix == ".service"], ids=lambda unit: unit.stem)
def test_the_services_expose_little_of_the_machine(unit: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("the units' hardening is judged by systemd-analyze (part of systemd)")
    command = [analyze, "security", "--offline=true", "--no-pager", str(unit)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.search(r"Overall exposure level for \S+: ([0-9.]+)", done.stdout)
    assert found is not None, done.stdout + done.stderr
    assert float(found[1]) <= WORST_EXPOSURE
