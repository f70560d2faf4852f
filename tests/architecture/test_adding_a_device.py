"""docs/development/adding-a-device.md does what it says: its files, put where it says, are a device that a table can
use."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import devices.kinds
import sim_hw.devices.kinds
from controller.table.translate.report import translator_of
from tests.architecture.test_adding_a_game import blocks, follow, run
from tests.support.project import ROOT

PAGE = ROOT / "docs" / "development" / "adding-a-device.md"

CONFIG = """
site = "cardroom"
table = "t-1"
data = "data"
rules.ruleset = "bankers-ez-baccarat-panda-8"

[[devices]]
id = "button"
kind = "call_button"
url = "/dev/null"
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project in which somebody followed the page."""
    copy = tmp_path_factory.mktemp("project")
    for folder in ("controller", "protocols", "devices", "sim_hw"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__", "static", "*.so"))
    follow(PAGE, copy)
    return copy


def test_the_page_has_one_module_in_each_place_and_one_line_in_the_table() -> None:
    assert [(block.kind, block.file) for block in blocks(PAGE)] == [
        ("python", "protocols/call_button.py"),
        ("python", "devices/drivers/call_button.py"),
        ("diff", "devices/kinds.py"),
        ("python", "controller/table/translate/call_button.py"),
        ("python", "sim_hw/devices/call_button.py"),
        ("python", "tests/devices/test_call_button.py"),
    ]


def test_the_new_device_passes_the_test_of_the_page(project: Path) -> None:
    done = run(project, "pytest", "-q", "-p", "no:cacheprovider", "tests/devices/test_call_button.py")
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_config_the_rig_and_the_technician_know_the_new_device(project: Path) -> None:
    (project / "cutcard.toml").write_text(CONFIG)
    checked = run(project, "controller.cli", "config", "check", "--config", "cutcard.toml")
    assert "call_button" not in checked.stdout + checked.stderr, "the check has nothing against the kind"
    listed = run(project, "sim_hw.rig.command", "list", "--acts", "--faults")
    assert listed.returncode == 0, listed.stderr
    assert ["call_button", "press"] in [line.split() for line in listed.stdout.splitlines()]
    assert "bit_errors" in listed.stdout


def test_drivers_and_simulated_devices_are_of_the_same_kinds() -> None:
    assert devices.kinds.NAMES == sim_hw.devices.kinds.NAMES


@pytest.mark.parametrize("name", devices.kinds.NAMES)
def test_a_kind_is_the_same_on_both_sides(name: str) -> None:
    driven, simulated = devices.kinds.kind_of(name), sim_hw.devices.kinds.kind_of(name)
    assert driven.name == simulated.name == name
    assert (None if driven.link is None else driven.link.device_class) == simulated.device_class
    assert driven.on_usb == simulated.on_usb
    assert driven.link is not None or driven.lines is not None, "a technician can watch its wire"


def test_device_classes_are_unique() -> None:
    classes = [kind.link.device_class for kind in devices.kinds.all_kinds() if kind.link is not None]
    assert len(set(classes)) == len(classes)


def test_every_module_of_translations_is_that_of_a_kind() -> None:
    modules = {path.stem for path in (ROOT / "controller" / "table" / "translate").glob("*.py")}
    assert modules - {"__init__", "common", "counters", "report"} <= set(devices.kinds.NAMES)
    assert translator_of("reader_board") is not None


def test_what_the_page_shows_of_another_makers_device_is_in_its_files() -> None:
    """The walk through real files: every file is there, every excerpt is in one of them."""
    section = PAGE.read_text().partition("## Another maker's device")[2]
    named = [
        ROOT / name for name in re.findall(r"`((?:docs|protocols|devices|controller|sim_hw|tests)/[\w./-]+)`", section)
    ]
    assert len(named) >= 14
    assert all(path.exists() for path in named), [path for path in named if not path.exists()]
    lines = {line.strip() for path in named if path.suffix == ".py" for line in path.read_text().splitlines()}
    lines |= {line.strip() for line in (ROOT / "devices/drivers/example_shuffler/__init__.py").read_text().splitlines()}
    excerpts = [line.strip() for line in section.splitlines() if line.startswith("    ") and line.strip()]
    commands = [line for line in excerpts if line.startswith("cutcard ")]
    assert len(commands) == 4
    assert set(excerpts) - set(commands) <= lines
