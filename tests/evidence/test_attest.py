"""`cutcard attest`: digests that an inspector can confirm with a paper and `sha256sum`."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from controller import __version__
from controller.cli.main import main
from controller.cli.records import attest as command
from controller.rules import load
from tests.support.evidence_journals import EZ, PLAYER_WINS, SITE, TABLE, Play, play, play_ez, started
from tests.support.project import ROOT

PAGE = (ROOT / "docs" / "compliance" / "evidence.md").read_text()
CONFIG = f"""
site = "{SITE}"
table = "{TABLE}"
[rules]
ruleset = "{EZ}"
options.schedule = "ca-2/ez-baccarat/1"
"""
POSTED = {"schedule": "ca-2/ez-baccarat/1"}
TESTING = "test = true\n" + CONFIG.replace('options.schedule = "ca-2/ez-baccarat/1"\n', "")
"""In test mode no collection needs to be posted."""
Printed = pytest.CaptureFixture[str]


@pytest.fixture
def config(tmp_path: Path) -> Path:
    file = tmp_path / "cutcard.toml"
    file.write_text(CONFIG)
    (tmp_path / "data").mkdir()
    return file


@pytest.fixture
def journal(tmp_path: Path, config: Path) -> Path:
    return tmp_path / "data" / "journal.db"


def attested(printed: Printed, *arguments: object, code: int = 0) -> Any:
    assert main(["attest", "--json", *map(str, arguments)]) == code
    return json.loads(printed.readouterr().out)


def by_hand(command: str) -> list[str]:
    """What a shell says in the folder of the program."""
    ran = subprocess.run(["sh", "-c", command], cwd=ROOT, capture_output=True, text=True, check=True)
    return ran.stdout.splitlines()


def commands_of_the_page(begins: str) -> list[str]:
    """The lines of the page's shell block that begins with this comment."""
    (block,) = [block for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) if block.startswith(begins)]
    return [line for line in block.splitlines() if not line.startswith("#")]


def test_the_commands_of_the_page_confirm_the_program_file_by_file_and_as_a_whole(capsys: Printed) -> None:
    listing, whole = commands_of_the_page("# the program's list")
    found = attested(capsys)["program"]
    assert by_hand(listing) == [f"{file['sha256']}  {file['path']}" for file in found["files"]]
    assert by_hand(whole) == [f"{found['sha256']}  -"]


def test_every_module_and_every_data_file_is_in_it_and_no_cache(capsys: Printed) -> None:
    paths = {file["path"] for file in attested(capsys)["program"]["files"]}
    assert {
        "controller/engine/round/kernel.py",
        "controller/rules/bankers/ez-baccarat-panda-8.toml",
        "controller/web/static/display.js",
        "protocols/link/session.py",
        "devices/supervisor.py",
    } <= paths
    assert not any("__pycache__" in path for path in paths)


def test_the_commands_of_the_page_confirm_the_rules_in_force(config: Path, capsys: Printed) -> None:
    file, in_force = commands_of_the_page("# a ruleset")
    config.write_text(TESTING)
    rules = attested(capsys, "--config", config)["rules"]
    assert by_hand(file) == [f"{rules['file']['sha256']}  {rules['file']['path']}"]
    assert by_hand(in_force) == [rules["digest"]]
    assert (rules["ruleset"], rules["options"]) == (EZ, "{}")


def test_the_configuration_file_is_attested_as_it_lies_there(config: Path, capsys: Printed) -> None:
    found = attested(capsys, "--config", config)
    assert found["configuration"] == {"path": str(config), "sha256": hashlib.sha256(config.read_bytes()).hexdigest()}
    config.write_text(CONFIG + "# a comment\n")
    assert attested(capsys, "--config", config)["configuration"] != found["configuration"]


def test_options_that_a_table_chose_change_the_rules_in_force(config: Path, capsys: Printed) -> None:
    config.write_text(TESTING)
    before = attested(capsys, "--config", config)["rules"]
    config.write_text(TESTING + "[rules.options]\ndecks = 6\n")
    after = attested(capsys, "--config", config)["rules"]
    assert after["file"] == before["file"]
    assert after["options"] == '{"decks":6}'
    assert after["digest"] != before["digest"]


def test_the_schedule_in_force_is_attested_with_its_file(config: Path, capsys: Printed) -> None:
    """By a ruleset that takes a schedule, with the first that its room may post."""
    slug, schedule = "turlock-fortune-pai-gow-poker", "paigow-2016-1"
    seats = "[seating]\nseats = [1, 2, 3, 4, 5, 6]\n"
    config.write_text(TESTING.replace(EZ, slug) + f'[rules.options]\nschedule = "{schedule}"\n{seats}')
    found = attested(capsys, "--config", config)["schedule"]
    assert found["schedule"] == schedule
    assert found["file"]["sha256"] == hashlib.sha256((ROOT / found["file"]["path"]).read_bytes()).hexdigest()
    assert schedule in main_text(capsys, "--config", config)


def test_the_head_of_the_journal_and_the_rules_it_was_dealt_under_are_attested(
    config: Path, journal: Path, capsys: Printed
) -> None:
    config.write_text(TESTING)
    assert attested(capsys, "--config", config)["journal"] is None
    head = play_ez(journal, PLAYER_WINS, test=True)
    found = attested(capsys, "--config", config)
    assert found["journal"] == {
        "path": str(journal),
        "entries": head.n,
        "events": head.seq,
        "hash": head.hash.hex(),
        "rules": load(EZ).digest_with({}),
        "test": True,
    }
    assert found["warnings"] == []


async def nothing(table: Play) -> None:
    """A daemon that only starts."""


def test_a_configuration_that_the_daemon_was_not_started_with_is_a_warning(
    config: Path, journal: Path, capsys: Printed
) -> None:
    play(journal, nothing, started(options=POSTED))
    config.write_text(CONFIG.replace("ca-2/ez-baccarat/1", "ca-2/ez-baccarat/2"))
    found = attested(capsys, "--config", config, code=1)
    assert "has not started with this configuration" in found["warnings"][0]
    config.write_text(CONFIG.replace(TABLE, "t8"))
    assert "is that of table t7" in attested(capsys, "--config", config, code=1)["warnings"][0]


def main_text(printed: Printed, *arguments: object, code: int = 0) -> str:
    assert main(["attest", *map(str, arguments)]) == code
    return printed.readouterr().out


def test_test_mode_is_reported(config: Path, journal: Path, capsys: Printed) -> None:
    assert re.search(r"^test mode +no$", main_text(capsys, "--config", config), re.MULTILINE)
    config.write_text("test = true\n" + CONFIG)
    play(journal, nothing, started(test=True, options=POSTED))
    assert re.search(r"^test mode +YES$", main_text(capsys, "--config", config), re.MULTILINE)
    config.write_text(CONFIG)
    text = main_text(capsys, "--config", config, code=1)
    assert re.search(r"^test mode +YES$", text, re.MULTILINE)
    assert "WARNING        Test mode differs" in text


def test_the_text_has_the_same_digests_as_the_json_and_is_the_same_every_time(
    config: Path, journal: Path, capsys: Printed
) -> None:
    config.write_text(TESTING)
    head = play_ez(journal, PLAYER_WINS, test=True)
    text = main_text(capsys, "--config", config)
    found = attested(capsys, "--config", config)
    assert text == main_text(capsys, "--config", config)
    for digest in (
        found["program"]["sha256"],
        found["rules"]["digest"],
        found["rules"]["file"]["sha256"],
        found["configuration"]["sha256"],
        head.hash.hex(),
    ):
        assert digest in text
    assert text.startswith(f"cutcard        {__version__}\n")
    assert text.splitlines()[-1] == "  ".join(found["program"]["files"][-1][name] for name in ("sha256", "path"))


def test_libraries_are_named_with_their_versions(capsys: Printed) -> None:
    assert {"aiomqtt", "msgspec", "construct"} <= attested(capsys)["packages"].keys()


def test_without_a_configuration_the_program_is_attested_alone(
    tmp_path: Path, capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "DEFAULT_CONFIG", tmp_path / "none.toml")
    found = attested(capsys)
    assert (found["configuration"], found["rules"], found["journal"]) == (None, None, None)
    assert "this is the program alone" in main_text(capsys)
    assert main(["attest", "--config", str(tmp_path / "none.toml")]) == 2
