"""The package on a bare board: installed, dealt at, upgraded in mid-round, removed.

The board is a Debian root booted by systemd in a container (tests/support/debian.py): the unit with its watchdog and
all of its hardening is systemd's own to run. The shoe is the rig's, on a socket. What a container has not got is USB
and udev: the rules have a test of their own (tests/operations/test_udev.py).
"""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from controller.journal import JournalReader
from deploy.debian.build import HERE, ROOT, SCRIPTS
from sim_hw.devices.kinds import DevicePlan
from sim_hw.people.baccarat import Console, find_console
from sim_hw.rig.rig import Rig
from sim_hw.rig.table.daemon import hire
from sim_hw.rig.toml import as_toml
from tests.support.debian import BareBoard, booted, package, why_not
from tests.support.running.brokers import free_port

UNIT = ROOT / "deploy" / "systemd" / "cutcard.service"
WORST_EXPOSURE = 2.5
CARDS = "9h 2c 8d 3s 5c 5d 6h 6s"

needs_board = pytest.mark.skipif(why_not() is not None, reason=why_not() or "")


def config(rig: Rig) -> dict[str, Any]:
    """What a technician would write."""
    return {
        "site": "riverside",
        "table": "baccarat-1",
        "data": "/var/lib/cutcard",
        "test": True,
        "rules": {"ruleset": "bankers-ez-baccarat-panda-8"},
        "seating": {"seats": [1, 2], "min_wager": 500},
        "journal": {"warn_below_mb": 0, "stop_below_mb": 0},
        "mqtt": {"broker": [{"port": free_port()}], "start_without_broker": True},
        "web": {"port": 0},
        "devices": rig.devices_config(),
    }


class Table:
    """The board with a shoe and people at it."""

    def __init__(self, board: BareBoard, rig: Rig, session: aiohttp.ClientSession) -> None:
        self.board, self.rig, self._session = board, rig, session

    async def console(self) -> Console:
        return await find_console(self._session, self.board.data, 120)

    async def install(self, deb: Path) -> str:
        place = self.board.put(deb, f"/root/{deb.name}")
        done = await self.board.do("apt-get", "install", "--yes", "--no-install-recommends", place)
        (self.board.root / place.lstrip("/")).unlink()
        return done.out

    async def state(self) -> dict[str, Any]:
        """What a cardroom sees of the table, without what a restart may change."""
        state: dict[str, Any] = json.loads(await (await self.console()).state())
        return {name: value for name, value in state.items() if name not in ("seq", "at", "devices", "alarms")}

    async def draw(self) -> None:
        await self.rig.act("shoe", "draw")

    def entries(self) -> list[tuple[int, bytes, dict[str, Any]]]:
        """The journal, as it lies on the board."""
        with JournalReader.read(self.board.data / "journal.db") as reader:
            return [(entry.n, entry.hash, json.loads(entry.input)) for entry in reader.entries(1)]

    async def unit(self, *names: str) -> dict[str, str]:
        """What systemd says of the service."""
        shown = (await self.board.do("systemctl", "show", "cutcard", "--property", ",".join(names))).out
        return dict(line.split("=", 1) for line in shown.splitlines() if "=" in line)


@needs_board
@pytest.mark.timeout(1500)
async def test_a_table_is_installed_dealt_upgraded_in_mid_round_and_removed_with_nothing_left_but_its_data(
    tmp_path: Path,
) -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    newer = f"{version}+next"
    first, second = await asyncio.to_thread(package), await asyncio.to_thread(package, newer)
    async with aiohttp.ClientSession() as session, booted(tmp_path) as board:
        bare = board.files()
        with Rig(tmp_path / "rig", {"shoe": DevicePlan("shoe", on="tcp")}, seed=7) as rig:
            table = Table(board, rig, session)
            await installed_and_configured(table, first, tmp_path)
            await dealt_to_mid_round(table)
            before, entries = await table.state(), table.entries()

            await table.install(second)

            await upgraded_without_a_loss(table, before, entries, newer)
            await dealt_to_the_end(table)
        await removed(board, bare)


async def installed_and_configured(table: Table, deb: Path, folder: Path) -> None:
    """A first install says what to do and starts nothing; with a configuration the service runs, as its user."""
    board = table.board
    assert "cutcard config init --config /etc/cutcard/cutcard.toml" in await table.install(deb)
    assert (await table.unit("ActiveState", "UnitFileState")) == {"ActiveState": "inactive", "UnitFileState": "enabled"}
    assert board.owned("/etc/cutcard") == "root:cutcard 750"
    assert board.owned("/var/lib/cutcard") == "cutcard:cutcard 700"
    (board.root / "etc/cutcard/cutcard.toml").write_text(as_toml(config(table.rig)))
    for file in (await hire(folder / "staff")).iterdir():
        shutil.copy(file, board.data / file.name)
    board.run("sh", "-c", "chown cutcard:cutcard /var/lib/cutcard/*")

    await board.do("systemctl", "start", "cutcard")

    await table.rig.wait_online()
    running = await table.unit("ActiveState", "User", "MainPID", "WatchdogUSec", "StatusText", "NRestarts")
    assert running["ActiveState"] == "active"
    assert running["NRestarts"] == "0"
    assert running["WatchdogUSec"] == "12s"
    assert board.run("stat", "-c", "%U", f"/proc/{running['MainPID']}").out.strip() == "cutcard"


async def dealt_to_mid_round(table: Table) -> None:
    console = await table.console()
    await table.rig.act("shoe", "load", cards=CARDS)
    await console.act({"kind": "wager", "place": 1, "wager": "player_line", "cents": 1000})
    await console.act({"kind": "close_bets"})
    for _ in range(3):
        await table.draw()
    state = await table.state()
    assert state["phase"] == "dealing"
    assert [len(hand) for hand in state["hands"].values()] == [2, 1]


async def upgraded_without_a_loss(
    table: Table, before: dict[str, Any], entries: list[tuple[int, bytes, dict[str, Any]]], newer: str
) -> None:
    await table.console()
    await table.rig.wait_online()
    after = table.entries()
    assert after[: len(entries)] == entries
    started = [body["body"] for _, _, body in after[len(entries) :] if body["body"]["kind"] == "started"]
    assert [body["version"] for body in started] == [newer]
    assert await table.state() == {**before, "version": newer}
    assert (await table.board.do("cutcard", "--version")).out.strip() == f"cutcard {newer}"
    versions = [path.name for path in (table.board.root / "usr/lib/cutcard").iterdir()]
    assert sorted(versions) == sorted([newer, "current"])


async def dealt_to_the_end(table: Table) -> None:
    """The round goes on with the next card, under the new program; what it wrote proves itself."""
    board = table.board
    while (await table.state())["phase"] == "dealing":
        await table.draw()
    assert (await table.state())["round"] == 1
    assert "ALARM" not in (await table.unit("StatusText"))["StatusText"]
    verified = await board.do("runuser", "-u", "cutcard", "--", "cutcard", "verify", "/var/lib/cutcard/journal.db")
    assert verified.code == 0
    logged = [json.loads(line) for line in board.run("journalctl", "-u", "cutcard", "-o", "json").out.splitlines()]
    about_shoe = [entry for entry in logged if entry.get("CUTCARD_DEVICE") == "shoe"]
    assert {entry["CUTCARD_TABLE"] for entry in about_shoe} == {"baccarat-1"}
    assert any("online" in entry["MESSAGE"] for entry in about_shoe)
    # Those left in the shoe are known to nobody, and the log names no card at all.
    said = " ".join(str(value) for entry in logged for value in entry.values())
    assert not [card for card in CARDS.split() if re.search(rf"\b{card}\b", said)]


async def removed(board: BareBoard, bare: set[str]) -> None:
    await board.do("apt-get", "remove", "--yes", "cutcard")
    left = board.files() - bare
    assert {path for path in left if not path.startswith("/var/lib/cutcard")} == {
        "/etc/cutcard",
        "/etc/cutcard/cutcard.toml",
    }
    assert "/var/lib/cutcard/journal.db" in left
    assert board.files() >= bare

    said = (await board.do("apt-get", "purge", "--yes", "cutcard")).out
    assert "the table's journal stays in /var/lib/cutcard" in said
    assert {path for path in board.files() - bare if not path.startswith("/var/lib/cutcard")} == set()
    assert (board.data / "journal.db").exists()
    dpkg = board.root / "var/lib/dpkg/info"
    assert not list(dpkg.glob("cutcard*"))
    assert board.run("systemctl", "list-unit-files", "cutcard.service", check=False).out.count("cutcard") == 0


def test_the_maintainers_scripts_are_plain_shell_without_a_fault() -> None:
    shellcheck = shutil.which("shellcheck")
    if shellcheck is None:
        pytest.skip("the maintainer scripts are checked by shellcheck (apt install shellcheck)")
    scripts = [HERE / name for name in (*SCRIPTS, "cutcard")]
    done = subprocess.run([shellcheck, "--shell=sh", *map(str, scripts)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_service_exposes_little_of_the_board() -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("the unit's hardening is judged by systemd-analyze (part of systemd)")
    done = subprocess.run(
        [analyze, "security", "--offline=true", "--no-pager", str(UNIT)], capture_output=True, text=True, check=False
    )
    found = re.search(r"Overall exposure level for cutcard.service: ([0-9.]+)", done.stdout)
    assert found is not None, done.stdout + done.stderr
    assert float(found[1]) <= WORST_EXPOSURE
