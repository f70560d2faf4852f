"""The layers: a byte meets the folders in order, and nothing looks back."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

from tests.support.imports import imports, nodes
from tests.support.project import ROOT

OURS = {"controller", "protocols", "devices", "sim_hw", "floor", "tests"}

MAY_IMPORT = {
    "protocols": {"protocols"},
    "devices": {"protocols", "devices"},
    "sim_hw": {"protocols", "sim_hw"},
    "controller": {"protocols", "devices", "controller"},
    "floor": {"protocols", "controller", "floor"},
}


def files(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


MEET = ROOT / "controller" / "soak"
"""The one place where daemon and simulated table share a process, because they share their time:
docs/development/soak.md."""

LAYERS = {
    "protocols": [
        "errors layout_errors type_errors values cards",
        "hid link modbus pcapng rfc2217",
        "alpha dice_cup drop_box firmware key_panel shoe shuffler",
        "example_shuffler wireshark",
    ],
    "controller": [
        "cancellation certificate_dates clock durable_files errors hand_names mqtt_client paths plain_files printing "
        "private_files scrape_targets toml_text tpm",
        "board_key child_processes",
        "journal engine",
        "games",
        "logs rules operator",
        "contract web cases demo",
        "config",
        "certificates",
        "recorder report",
        "updates",
        "evidence firmware mqtt packet",
        "admin outputs tail technician",
        "board metrics sparkplug",
        "table runtime",
        "app",
        "soak",
        "cli",
    ],
    "controller/engine": [
        "native amounts bounds reading alarms cards",
        "facts body actor",
        "jackpot_inputs",
        "journal_inputs slip_inputs update_inputs",
        "inputs",
        "bank bets events procedures ranking",
        "money",
        "drop expect fees house_way jackpot",
        "betting round",
        "shoe",
        "table",
    ],
    "floor": [
        "gaming_day page_settings answers",
        "config messages",
        "certificates store",
        "collector queries",
        "live people",
        "room",
        "commands",
        "alerts books rollout targets",
        "company renewal run",
        "web",
        "demo",
        "cli",
    ],
    "floor/store": [
        "moments",
        "schema",
        "room_schema",
        "bulk database",
        "derived",
        "migrations quarantine series",
        "company documents marks page_acts rebuild retention rollouts",
        "intake",
    ],
    "sim_hw": ["firmware time usb wire", "devices", "people conform", "rig", "pytest_plugin"],
}
"""Each folder from the bottom up: a part may import what is on a line before its own, and its own part. Every
import counts, lazy ones and those for types too."""


@pytest.mark.parametrize("folder", MAY_IMPORT)
def test_a_folder_imports_only_what_comes_before_it(folder: str) -> None:
    for path in files(folder):
        ours = {name.split(".")[0] for name in imports(path)} & OURS
        assert ours <= MAY_IMPORT[folder] | ({"sim_hw"} if MEET in path.parents else set()), path


@pytest.mark.parametrize("folder", LAYERS)
def test_a_part_imports_only_parts_below_it(folder: str) -> None:
    level = {part: n for n, line in enumerate(LAYERS[folder]) for part in line.split()}
    root = folder.replace("/", ".")
    for path in files(folder):
        own = path.relative_to(ROOT / folder).parts[0].removesuffix(".py")
        if own == "__init__":
            continue
        assert own in level, f"{path} has no layer: add it to LAYERS"
        for name in imports(path):
            other = name.removeprefix(f"{root}.").split(".")[0] if name.startswith(f"{root}.") else own
            if other in level and other != own:
                assert level[other] < level[own], f"{path} imports {name}, which is not below {own}"


def test_the_contract_stands_on_values() -> None:
    """Other programs import it: it must not bring the daemon with it."""
    allowed = ("controller.contract", "controller.engine", "controller.operator.roles")
    for path in files("controller/contract"):
        ours = {name for name in imports(path) if name.startswith("controller.")}
        assert not {name for name in ours if not name.startswith(allowed)}, path


OF_THE_TABLE = (
    "controller.cancellation",
    "controller.certificate_dates",
    "controller.certificates.published",
    "controller.child_processes",
    "controller.contract",
    "controller.engine.amounts",
    "controller.errors",
    "controller.evidence.words",
    "controller.journal.checkpoint",
    "controller.journal.published",
    "controller.mqtt_client",
    "controller.durable_files",
    "controller.printing",
    "controller.scrape_targets",
    "controller.toml_text",
    "protocols.type_errors",
    # What every page and every staff file has.
    "controller.operator.authenticator",
    "controller.operator.roles",
    "controller.operator.sessions",
    "controller.operator.staff",
    "controller.web.assets",
    "controller.web.clients",
    "controller.web.connections",
    "controller.web.hosts",
    "controller.web.pages",
    "controller.web.streams",
    "controller.web.tls",
)
"""What the floor may know of the daemon: the published contract, the public chain and checkpoints, events in words;
helpers that know nothing of a table (errors, TOML, money as text, tables on paper); and of the table's page and its
people what knows nothing of a table."""


def test_the_floor_knows_tables_by_their_contract_alone() -> None:
    for path in files("floor"):
        ours = {name for name in imports(path) if name.split(".")[0] in OURS - {"floor"}}
        assert not {name for name in ours if not name.startswith(OF_THE_TABLE)}, path


def test_nothing_imports_the_floor() -> None:
    """The command line loads it by its name, in one place."""
    for folder in ("protocols", "devices", "sim_hw", "controller"):
        for path in files(folder):
            assert not {name for name in imports(path) if name.split(".")[0] == "floor"}, path


def test_nobody_needs_the_soak_to_run_a_table() -> None:
    """It is loaded on request; the command line knows only which games it takes."""
    for path in files("controller"):
        if MEET not in path.parents and path.name != "soak.py":
            assert not {name for name in imports(path) if name.startswith("controller.soak")}, path


@pytest.mark.parametrize("folder", ["controller/engine", "controller/games"])
def test_engine_and_games_are_pure(folder: str) -> None:
    allowed = (*sys.stdlib_module_names, "msgspec", "protocols.type_errors", "controller.engine", "controller.games")
    impure = {"asyncio", "socket", "time", "datetime", "random", "secrets", "os", "sqlite3", "threading", "subprocess"}
    may_be_random = {"bot.py"}
    to_the_compiler = ("native.py", "mypy_extensions")
    for path in files(folder):
        for name in imports(path):
            # One word for the compiler, which nothing loads at a table.
            is_to_compiler = (path.name, name.split(".")[0]) == to_the_compiler
            assert name.startswith(allowed) or is_to_compiler, f"{path}: {name}"
            if path.name not in may_be_random:
                assert name.split(".")[0] not in impure, f"{path}: {name}"


def test_protocols_stand_on_construct_and_msgspec() -> None:
    allowed = {*sys.stdlib_module_names, "construct", "msgspec", "protocols"}
    for path in files("protocols"):
        assert {name.split(".")[0] for name in imports(path)} <= allowed, path


def test_protocols_do_no_io() -> None:
    for path in files("protocols"):
        assert not {name.split(".")[0] for name in imports(path)} & {"asyncio", "socket", "serial", "usb", "time"}, path


def test_only_a_slot_makes_a_face() -> None:
    """`Face` is the type of a card that everybody may know; making one by hand would be a back door."""
    for path in [*files("controller/engine"), *files("controller/games"), *files("controller")]:
        if path == ROOT / "controller" / "engine" / "cards" / "card.py":
            continue
        for node in nodes(path):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id != "Face", path


def test_no_helper_of_the_tests_has_the_name_of_a_product_module() -> None:
    product = {
        path.stem
        for part in ("controller", "protocols", "devices", "sim_hw", "floor")
        for path in (ROOT / part).rglob("*.py")
    }
    helpers = {path.stem for path in (ROOT / "tests" / "support").rglob("*.py")}
    assert helpers & product == {"__init__"}
