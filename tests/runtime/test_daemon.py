"""The daemon as an installer meets it: what goes wrong at the start is one paragraph, exit code 2, no traceback."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from controller.journal import Journal

GOOD = """
site = "test"
table = "t-1"
[rules]
ruleset = "bankers-ez-baccarat-panda-8"
options.schedule = "ca-2/ez-baccarat/1"
[mqtt]
start_without_broker = {alone}
[[mqtt.broker]]
port = {broker}
[web]
port = 0
"""


def start(config: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "controller.cli", "run", "--config", str(config)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def refused(done: subprocess.CompletedProcess[str], *words: str) -> None:
    """One paragraph that says what to do."""
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    said = [line for line in done.stderr.splitlines() if line.startswith("cutcard: ")]
    assert len(said) == 1
    for word in words:
        assert word in said[0]


@pytest.fixture
def config(tmp_path: Path, unused_tcp_port: int) -> Path:
    path = tmp_path / "cutcard.toml"
    path.write_text(GOOD.format(broker=unused_tcp_port, alone="true"))
    return path


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('[rules]\nruleset = "bankers-ez-baccarat-panda-8"\ncolour = 3', ("colour", "[rules]", "options, ruleset")),
        ('colour = 3\n[rules]\nruleset = "bankers-ez-baccarat-panda-8"', ("colour", "top", "rules, seating")),
        ('[rules]\nruleset = "go-fish"', ("no ruleset 'go-fish'", "cutcard rules list")),
        ('[rules]\nruleset = "bankers-ez-baccarat-panda-8"\noptions = {decks = 12}', ("decks", "8")),
        ('[rules]\nruleset = "bankers-ez-baccarat-panda-8"\noptions = {jokers = 1}', ("jokers", "decks")),
        ("[rules", ("not TOML",)),
        ('site = "No Spaces Please"\n[rules]\nruleset = "bankers-ez-baccarat-panda-8"', ("site",)),
        (
            '[rules]\nruleset = "bankers-ez-baccarat-panda-8"\n[[mqtt.broker]]\nport = 70000',
            ("mqtt.broker[1].port", "65535"),
        ),
    ],
)
def test_a_config_that_cannot_be_used_names_file_key_and_what_is_allowed(
    tmp_path: Path, line: str, words: tuple[str, ...]
) -> None:
    path = tmp_path / "cutcard.toml"
    names = "" if line.startswith("site") else 'site = "test"\n'
    path.write_text(f'{names}table = "t-1"\ntest = true\n{line}\n')
    refused(start(path), "cutcard.toml", *words)


def test_a_live_table_does_not_start_without_a_posted_collection(tmp_path: Path) -> None:
    path = tmp_path / "cutcard.toml"
    path.write_text('site = "test"\ntable = "t-1"\n[rules]\nruleset = "turlock-texas-holdem"\n')
    refused(start(path), "no collection is posted", "cutcard rules show turlock-texas-holdem", "the 24", "test = true")


def test_a_config_that_is_not_there(tmp_path: Path) -> None:
    refused(start(tmp_path / "nowhere.toml"), "nowhere.toml", "--config")


def test_a_port_that_does_not_exist(config: Path) -> None:
    with config.open("a") as file:
        file.write('[[devices]]\nid = "shoe"\nkind = "shoe"\nurl = "/dev/ttyNOWHERE9"\n')
    refused(start(config), "/dev/ttyNOWHERE9", "no such port", "required = false")


def test_a_broker_that_refuses_the_connection(config: Path) -> None:
    config.write_text(config.read_text().replace("start_without_broker = true", "start_without_broker = false"))
    refused(start(config), "broker", "127.0.0.1", "start_without_broker")


def test_a_second_daemon_on_the_same_journal(config: Path) -> None:
    data = config.parent / "data"
    data.mkdir()
    journal = Journal.open(data / "journal.db", site="test", table="t-1")
    try:
        refused(start(config), "in use by another Cutcard daemon", str(os.getpid()))
    finally:
        journal.close()


def test_a_journal_of_another_table(config: Path) -> None:
    data = config.parent / "data"
    data.mkdir()
    Journal.open(data / "journal.db", site="test", table="t-2").close()
    refused(start(config), "t-2")


def test_a_page_port_that_is_taken(config: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        config.write_text(config.read_text().replace("port = 0", f"port = {port}"))
        refused(start(config), str(port), "[web]")


def test_two_devices_on_one_port(config: Path) -> None:
    with config.open("a") as file:
        for name in ("a", "b"):
            file.write(f'[[devices]]\nid = "{name}"\nkind = "shoe"\nurl = "/dev/null"\n')
    refused(start(config), "devices[2].url", "/dev/null", "is the port of 'a' too")
