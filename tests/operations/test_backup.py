"""`cutcard backup` and `cutcard restore`: a table's records outlive its board."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.board_key import BoardKey
from controller.cli.main import main
from controller.config import read_config
from controller.engine.inputs import BankPosted, BetsClosed, WagerPlaced
from controller.evidence.verify import verify
from controller.journal import Journal, JournalReader
from controller.paths import RESTORING
from controller.rules import resolve
from controller.runtime.startup import StartError, data_folder
from tests.recorder.test_journal_rotation_table import KeptTable, at_table
from tests.support.evidence_journals import EZ, SITE, TABLE
from tests.support.journals import change

CONFIG = f'site = "{SITE}"\ntable = "{TABLE}"\ndata = "data"\ntest = true\n[rules]\nruleset = "{EZ}"\n'


class Board:
    """A board: its configuration and its data folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.config = folder / "cutcard.toml"
        self.data = folder / "data"

    @property
    def journal(self) -> Path:
        return self.data / "journal.db"


@pytest.fixture
def board(tmp_path: Path) -> Board:
    """Three days of play with an archive or two, a staff file, the daemon stopped."""
    board = Board(tmp_path / "board")
    board.config.write_text(CONFIG)
    board.data.mkdir()
    (board.data / "staff.json").write_text("{}\n")
    at_table(board.journal, three_days)
    return board


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    (tmp_path / "stick").mkdir()
    return tmp_path / "stick"


async def three_days(table: KeptTable) -> None:
    for _ in range(3):
        await table.day()


async def one_round(table: KeptTable) -> None:
    await table.ez_round()


def backed_up(board: Board, stick: Path) -> Path:
    """The newest backup."""
    assert main(["backup", str(stick), "--config", str(board.config)]) == 0
    return max(stick.iterdir())


def restored(backup: Path, board: Board, *, papers_of: Board) -> int:
    """With the key that the papers of the board have which made the backup."""
    key = BoardKey.load(papers_of.data)
    assert key is not None
    return main(["restore", str(backup), "--config", str(board.config), "--signed-by", key.public])


def test_a_backup_on_a_new_board_is_the_table_as_it_stood(board: Board, stick: Path, tmp_path: Path) -> None:
    backup = backed_up(board, stick)
    new = Board(tmp_path / "new")
    assert restored(backup, new, papers_of=board) == 0
    verdict = verify(new.journal, resolve)
    assert verdict.is_whole, verdict.findings
    with JournalReader.read(board.journal) as old, JournalReader.read(new.journal) as now:
        assert old.archives() and old.archives() == now.archives()
        assert list(old.entries()) == list(now.entries())
        assert old.last_snapshot() == now.last_snapshot() and old.cursor == now.cursor
    assert new.config.read_text() == CONFIG
    assert (new.data / "staff.json").read_text() == "{}\n"
    assert new.journal.stat().st_mode & 0o777 == 0o600
    at_table(new.journal, one_round)
    assert verify(new.journal, resolve).is_whole


def test_a_restored_journal_says_of_itself_that_it_was_restored(board: Board, stick: Path, tmp_path: Path) -> None:
    backup, new = backed_up(board, stick), Board(tmp_path / "new")
    restored(backup, new, papers_of=board)
    with Journal.open(new.journal, site=SITE, table=TABLE) as journal:
        assert journal.repair is not None and journal.repair.removed == 0
        assert "restored from a backup" in journal.repair.why
        assert journal.repair.file == backup.name


def test_a_backup_in_mid_round_knows_no_card_of_that_round(board: Board, stick: Path, tmp_path: Path) -> None:
    async def script(table: KeptTable) -> None:
        await table.ez_round()
        settled = table.journal.head
        await table.do(BankPosted((100_000,)), WagerPlaced(1, "player_line", 1000), BetsClosed())
        await table.cards(["9h", "Kd"])
        assert table.engine.is_dealing
        new = Board(tmp_path / "new")
        assert restored(backed_up(board, stick), new, papers_of=board) == 0  # while the daemon has the journal open
        with JournalReader.read(new.journal) as copy:
            assert copy.head.n == settled.n < table.journal.head.n

    at_table(board.journal, script)


def test_a_second_backup_shares_the_archives_of_the_first(board: Board, stick: Path) -> None:
    first = backed_up(board, stick)
    at_table(board.journal, one_round)
    second = backed_up(board, stick)
    archives = [file.name for file in first.iterdir() if "archive-" in file.name]
    assert archives
    for name in archives:
        assert (first / name).stat().st_ino == (second / name).stat().st_ino
    shutil.rmtree(first)
    assert verify(second / "journal.db", resolve).is_whole


def refused(run: Callable[[], int], capsys: pytest.CaptureFixture[str]) -> str:
    assert run() == 2
    return capsys.readouterr().err


def test_nothing_is_ever_restored_over_a_journal(board: Board, stick: Path, capsys: pytest.CaptureFixture[str]) -> None:
    backup = backed_up(board, stick)
    before = board.journal.read_bytes()
    said = refused(lambda: restored(backup, board, papers_of=board), capsys)
    assert f"{board.journal} is there: a journal is never overwritten" in said
    assert board.journal.read_bytes() == before
    board.journal.rename(board.folder / "elsewhere")
    (board.data / "journal.db-wal").write_bytes(b"log")
    assert "journal.db-wal is there" in refused(lambda: restored(backup, board, papers_of=board), capsys)


def test_a_restore_cut_short_can_be_given_again(board: Board, stick: Path) -> None:
    backup = backed_up(board, stick)
    board.journal.unlink()  # all but the journal itself was in place
    (board.data / RESTORING).mkdir()
    (board.data / RESTORING / "journal.db").write_bytes(b"half")
    with pytest.raises(StartError, match="A restore was interrupted"):
        data_folder(read_config(board.config), board.folder)
    assert restored(backup, board, papers_of=board) == 0
    assert verify(board.journal, resolve).is_whole
    assert data_folder(read_config(board.config), board.folder) == board.data


RESTORE = """
import itertools, os, shutil, sys
from controller.cli.main import main

calls, (place, step, *arguments) = itertools.count(1), sys.argv[1:]
module = {"link": os, "rmtree": shutil}[place]
real = getattr(module, place)

def or_die(*given, **named):
    return os._exit(77) if next(calls) == int(step) else real(*given, **named)

setattr(module, place, or_die)
sys.exit(main(arguments))
"""
DIED = 77


def restored_until(place: str, step: int, backup: Path, board: Board, papers_of: Board) -> int:
    """Exit code of a restore that dies before this call of `os.link` or `shutil.rmtree`, as in a power cut."""
    key = BoardKey.load(papers_of.data)
    assert key is not None
    arguments = ["restore", str(backup), "--config", str(board.config), "--signed-by", key.public]
    return subprocess.run([sys.executable, "-c", RESTORE, place, str(step), *arguments], check=False).returncode


def test_wherever_a_restore_is_cut_off_the_table_starts_with_all_of_it_or_not_at_all(
    board: Board, stick: Path, tmp_path: Path
) -> None:
    backup, new = backed_up(board, stick), Board(tmp_path / "new")
    new.config.write_text(CONFIG)
    deaths = 0
    while restored_until("link", 1 if deaths == 0 else 2, backup, new, board) == DIED and deaths < 10:
        deaths += 1  # each time one file more has its name
        with pytest.raises(StartError, match="A restore was interrupted"):
            data_folder(read_config(new.config), new.folder)
    assert deaths >= 3
    new.journal.unlink()
    for name in new.data.glob("journal.db*"):
        name.unlink()
    # The last step, the removal of the copies: all of it is there.
    assert restored_until("rmtree", 1, backup, new, board) == DIED
    assert (new.data / RESTORING).exists()
    assert data_folder(read_config(new.config), new.folder) == new.data
    assert not (new.data / RESTORING).exists()
    assert verify(new.journal, resolve).is_whole


@pytest.mark.parametrize("which", ["journal.db", "staff.json", "archive"])
def test_a_backup_that_was_changed_is_refused(
    board: Board, stick: Path, tmp_path: Path, which: str, capsys: pytest.CaptureFixture[str]
) -> None:
    backup, new = backed_up(board, stick), Board(tmp_path / "new")
    file = next(file for file in backup.iterdir() if which in file.name)
    file.chmod(0o600)
    file.write_bytes(file.read_bytes() + b" ")
    assert f"not as it was made: {file.name}" in refused(lambda: restored(backup, new, papers_of=board), capsys)
    assert not new.data.exists()


def test_the_backup_of_another_table_is_refused(
    board: Board, stick: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    backup, other = backed_up(board, stick), Board(tmp_path / "other")
    other.config.write_text(CONFIG.replace(TABLE, "t8"))
    assert f"The backup is of table {TABLE} of {SITE}" in refused(
        lambda: restored(backup, other, papers_of=board), capsys
    )


def test_archives_of_another_journal_are_not_taken_for_ours(
    board: Board, stick: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    backup, new = backed_up(board, stick), Board(tmp_path / "new")
    new.data.mkdir()
    (new.data / "journal.db.archive-0000000001-0000000002").write_bytes(b"")
    assert "of another journal than this backup" in refused(lambda: restored(backup, new, papers_of=board), capsys)


def test_a_backup_needs_its_disk_every_archive_and_something_new(
    board: Board, stick: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def to(folder: Path) -> Callable[[], int]:
        return lambda: main(["backup", str(folder), "--config", str(board.config)])

    assert "Is the disk mounted?" in refused(to(stick / "not-there"), capsys)
    backed_up(board, stick)
    assert "nothing was finished since" in refused(to(stick), capsys)
    with JournalReader.read(board.journal) as reader:
        archive = board.data / reader.archives()[0].file
    shutil.rmtree(max(stick.iterdir()))
    archive.rename(board.folder / "away")
    assert f"The archive {archive} is missing" in refused(to(stick), capsys)
    assert list(stick.iterdir()) == []
    archive.symlink_to(board.folder / "away")
    backed_up(board, stick)


def test_a_journal_that_does_not_fit_its_hashes_is_not_backed_up(
    board: Board, stick: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with JournalReader.read(board.journal) as reader:
        n = reader.live_n + 1
    change(
        board.journal,
        "UPDATE entries SET input = replace(input, 'dealer', 'dealen') WHERE n = ?",
        n,
    )
    assert main(["backup", str(stick), "--config", str(board.config)]) == 2
    assert list(stick.iterdir()) == []
