"""`cutcard journal`: what there is, rotation by hand, and the one file for somebody who does not have Cutcard."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from controller.cli.main import main
from controller.config import JournalConfig
from controller.evidence.verify import verify
from controller.journal import Journal, JournalReader
from controller.rules import resolve
from tests.recorder.test_journal_rotation_table import KeptTable, at_table, removed_table
from tests.support.evidence_journals import PLAYER_WINS, SITE, TABLE, SteadyClock
from tests.support.journals import change

NEVER = JournalConfig(rotate_at_mb=0, rotate_after_days=0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


async def three_days(table: KeptTable) -> None:
    for _ in range(3):
        await table.day()


async def five_rounds(table: KeptTable) -> None:
    await table.day(rounds=5)


def unpacked(package: Path) -> Path:
    folder = package.with_suffix("")
    with ZipFile(package) as files:
        files.extractall(folder)
    return folder


def checked(folder: Path) -> subprocess.CompletedProcess[str]:
    """As somebody does who has Python and nothing else."""
    command = [sys.executable, "-I", "-S", "verify_journal.py", "journal.db"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_info_prints_size_entries_archives_and_cursor(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    at_table(path, three_days)
    assert main(["journal", "info", "--journal", str(path)]) == 0
    said = capsys.readouterr().out
    with JournalReader.read(path) as reader:
        head = reader.head
        assert f"table {TABLE} of {SITE}" in said
        assert f"entries   {head.n}, head {head.hash.hex()}" in said
        (broker,) = reader.cursors
        waiting = f"published to {broker} up to {reader.cursor}, {head.seq - reader.cursor} waiting"
        assert f"events    {head.seq}, {waiting}" in said
        assert f"live      {head.n - reader.live_n + 1} entries, since 2025-11-" in said
        first, second = reader.archives()
        for archive in (first, second):
            assert f"{archive.file}  2025-11-" in said
    assert "not running" in said
    path.with_name(first.file).unlink()
    with Journal.open(path, site=SITE, table=TABLE):
        assert main(["journal", "info", "--journal", str(path)]) == 1
    said = capsys.readouterr().out
    assert "daemon    running" in said
    (line,) = [line for line in said.splitlines() if first.file in line]
    assert "MISSING" in line


def test_a_journal_is_rotated_by_hand_while_the_daemon_is_stopped(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    at_table(path, five_rounds, NEVER)
    assert main(["journal", "rotate", "--journal", str(path)]) == 0
    said = capsys.readouterr().out
    with JournalReader.read(path) as reader:
        (archive,) = reader.archives()
    assert archive.file in said and archive.hash.hex() in said
    assert verify(path, resolve).is_whole
    assert main(["journal", "rotate", "--journal", str(path)]) == 2
    assert "needed to recover" in capsys.readouterr().err


def test_a_running_daemons_journal_is_not_rotated_by_hand(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    at_table(path, five_rounds, NEVER)
    with Journal.open(path, site=SITE, table=TABLE):
        assert main(["journal", "rotate", "--journal", str(path)]) == 2
        said = capsys.readouterr().err
        assert "daemon of this table is running" in said and "stop the daemon first" in said
        assert len(said.splitlines()) == 1
    with JournalReader.read(path) as reader:
        assert reader.archives() == []


def test_the_journal_of_a_configuration_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "cutcard.toml"
    config.write_text(
        'site = "bay101"\ntable = "t7"\ntest = true\n[rules]\nruleset = "bankers-ez-baccarat-panda-8"\n'
        "[journal]\nrotate_at_mb = 8\nkeep_days = 2000\n"
    )
    assert main(["journal", "info", "--config", str(config)]) == 2
    assert "There is no journal" in capsys.readouterr().err
    (tmp_path / "data").mkdir()
    Journal.open(tmp_path / "data" / "journal.db", site=SITE, table=TABLE).close()
    assert main(["journal", "info", "--config", str(config)]) == 0
    assert "archives  none" in capsys.readouterr().out
    config.write_text(config.read_text().replace("2000", "-1"))
    assert main(["journal", "info", "--config", str(config)]) == 2
    assert "journal.keep_days" in capsys.readouterr().err


@pytest.mark.clause("CA-4CCR-12003")
def test_an_export_is_checked_by_plain_python_and_read_by_cutcard(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    at_table(path, three_days)
    package = tmp_path / "for-the-inspector.zip"
    assert main(["journal", "export", "--journal", str(path), "--to", str(package)]) == 0
    assert "verify_journal.py inside" in capsys.readouterr().out
    assert package.stat().st_mode & 0o777 == 0o600
    folder = unpacked(package)
    with JournalReader.read(path) as reader:
        head, archives = reader.head, reader.archives()
    names = {file.name for file in folder.iterdir()}
    assert names == {"journal.db", "verify_journal.py", "README.txt", *(archive.file for archive in archives)}
    done = checked(folder)
    *_, last = done.stdout.splitlines(keepends=True)
    assert last == f"{head.n} entries, {head.seq} events, {head.hash.hex()}\n", done.stderr
    assert last in (folder / "README.txt").read_text()
    verdict = verify(folder / "journal.db", resolve)
    assert verdict.is_whole and verdict.head == head


@pytest.mark.parametrize("where", ["journal", "archive"])
def test_a_change_to_an_export_is_seen(path: Path, tmp_path: Path, where: str) -> None:
    at_table(path, three_days)
    package = tmp_path / "export.zip"
    assert main(["journal", "export", "--journal", str(path), "--to", str(package)]) == 0
    folder = unpacked(package)
    with JournalReader.read(path) as reader:
        archive = reader.archives()[1]
    file = folder / ("journal.db" if where == "journal" else archive.file)
    change(file, "UPDATE entries SET input = replace(input, '9h', '8h')")
    done = checked(folder)
    assert done.returncode == 1
    assert f"{file.name}: entry " in done.stderr
    file.unlink()
    assert f"{file.name} is missing" in checked(folder).stderr


def test_an_export_after_a_removal_says_what_is_not_in_it(path: Path, tmp_path: Path) -> None:
    removed_table(path)
    package = tmp_path / "export.zip"
    assert main(["journal", "export", "--journal", str(path), "--to", str(package)]) == 0
    with JournalReader.read(path) as reader:
        first_n, head = reader.first_n, reader.head
    folder = unpacked(package)
    done = checked(folder)
    assert f"entries up to {first_n - 1} are not here" in done.stdout
    assert done.stdout.endswith(f"{head.n} entries, {head.seq} events, {head.hash.hex()}\n"), done.stderr
    assert verify(folder / "journal.db", resolve).is_whole
    change(folder / "journal.db", "UPDATE archive SET hash = zeroblob(32) WHERE last_n = ?", first_n - 1)
    assert checked(folder).returncode == 1


def test_of_a_round_that_is_being_dealt_nothing_is_exported(path: Path, tmp_path: Path) -> None:
    """Its cards may be ones that nobody may know yet."""

    async def in_mid_round(table: KeptTable) -> None:
        await three_days(table)
        await table.ez_round(PLAYER_WINS[:2])

    at_table(path, in_mid_round)
    with JournalReader.read(path) as reader:
        running = next(entry for entry in reader.entries() if entry.round == 13)
    package = tmp_path / "export.zip"
    assert main(["journal", "export", "--journal", str(path), "--to", str(package)]) == 0
    folder = unpacked(package)
    with JournalReader.read(folder / "journal.db") as exported:
        assert exported.head.n == running.n - 1
        assert all(entry.round <= 12 for entry in exported.entries())
    assert f"Entries {running.n} to " in (folder / "README.txt").read_text()
    assert verify(folder / "journal.db", resolve).is_whole


def test_an_export_overwrites_nothing_and_a_broken_journal_is_not_exported(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    at_table(path, three_days)
    there = tmp_path / "there.zip"
    there.write_text("somebody's file")
    assert main(["journal", "export", "--journal", str(path), "--to", str(there)]) == 2
    assert "there.zip cannot be written" in capsys.readouterr().err
    assert there.read_text() == "somebody's file"
    with JournalReader.read(path) as reader:
        archive = reader.archives()[1]
    change(path.with_name(archive.file), "DELETE FROM entry WHERE n = ?", archive.last_n - 3)
    assert main(["journal", "export", "--journal", str(path), "--to", str(tmp_path / "new.zip")]) == 2
    assert archive.file in capsys.readouterr().err
    assert not (tmp_path / "new.zip").exists()


def test_an_export_is_named_by_table_and_entries(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at_table(path, five_rounds, NEVER, SteadyClock())
    monkeypatch.chdir(tmp_path)
    assert main(["journal", "export", "--journal", str(path)]) == 0
    with JournalReader.read(path) as reader:
        assert (tmp_path / f"{SITE}-{TABLE}-1-{reader.head.n}.zip").exists()
    assert main(["journal", "info", "--to", "x", "--journal", str(path)]) == 2
