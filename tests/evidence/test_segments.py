"""A journal with archives is verified on all cores, archive by archive: the verdict is that of one process."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.evidence import segments
from controller.evidence.segments import parts_of, verify_parts, walk_part
from controller.evidence.verify import report, verify
from controller.journal import JournalReader
from controller.journal.reader import pack_state, snapshot_hash, unpack_state
from controller.rules import resolve
from tests.support.evidence_journals import DRAGON_7, PANDA_8, PLAYER_WINS, TIE, Play, play
from tests.support.journals import change


async def rotate(table: Play) -> None:
    journal = table.recorder.journal
    await journal.move_cursor("main", journal.head.seq)
    await journal.rotate()


async def long_evening(table: Play) -> None:
    """Three archives, and some rounds after them."""
    await table.shoe()
    for _ in range(3):
        for cards in (PLAYER_WINS, TIE, DRAGON_7, PANDA_8, TIE):
            await table.ez_round(cards)
        await rotate(table)
    await table.ez_round()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of such a journal."""
    folder = tmp_path_factory.mktemp("played")
    play(folder / "journal.db", long_evening)
    return folder


def copied(played: Path, to: Path) -> Path:
    shutil.copytree(played, to, dirs_exist_ok=True)
    return to / "journal.db"


def archives(path: Path) -> list[Path]:
    return sorted(path.parent.glob("journal.db.archive-*"))


def in_archive(number: int, statement: str) -> Callable[[Path], None]:
    def damage(path: Path) -> None:
        file = archives(path)[number]
        file.chmod(0o600)
        change(file, statement)

    return damage


def remove(path: Path) -> None:
    archives(path)[1].unlink()


def swap(path: Path) -> None:
    first, second = archives(path)[:2]
    content = first.read_bytes()
    second.chmod(0o600)
    second.write_bytes(content)


def another_state(path: Path) -> None:
    """A state with a dealer who was not there, and a hash that fits it."""
    with closing(sqlite3.connect(path)) as db:
        (stored, digest) = db.execute("SELECT state, hash FROM archive WHERE number = 2").fetchone()
        snapshot: dict[str, Any] = msgspec.json.decode(unpack_state(stored) or b"")
        snapshot["state"]["rounds"] += 1
        changed = msgspec.json.encode(snapshot)
        row = pack_state(changed), snapshot_hash(digest, changed)
        db.execute("UPDATE archive SET state = ?, state_hash = ? WHERE number = 2", row)
        db.commit()


DAMAGES: dict[str, Callable[[Path], object]] = {
    "nothing": lambda path: None,
    "an entry of an archive": in_archive(1, "UPDATE entry SET sealed = x'00' WHERE n = (SELECT min(n) + 3 FROM entry)"),
    "the end of an archive": in_archive(0, "DELETE FROM entry WHERE n = (SELECT max(n) FROM entry)"),
    "an archive is missing": remove,
    "one archive in place of another": swap,
    "the state between two archives": another_state,
    "the last entries": lambda path: change(
        path, "UPDATE entry SET sealed = x'00' WHERE n = (SELECT max(n) FROM entry)"
    ),
    "the list of archives": lambda path: change(path, "UPDATE archive SET hash = zeroblob(32) WHERE number = 2"),
    "the public chain in the list": lambda path: change(
        path, "UPDATE archive SET link = zeroblob(32) WHERE number = 1"
    ),
    "the end was taken away": lambda path: change(path, "UPDATE cursor SET seq = seq + 1000"),
    "a removal that nobody recorded": lambda path: change(
        path, "UPDATE archive SET place = 'removed' WHERE number = 1"
    ),
}


@pytest.fixture
def in_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process costs a second. One at a time: a table is not made for threads."""
    monkeypatch.setattr(segments, "ProcessPoolExecutor", lambda *_, **__: ThreadPoolExecutor(1))


@pytest.mark.usefixtures("in_threads")
@pytest.mark.parametrize("damaged", DAMAGES)
def test_only_a_journal_that_is_whole_is_whole_by_the_short_way(damaged: str, played: Path, tmp_path: Path) -> None:
    path = copied(played, tmp_path)
    DAMAGES[damaged](path)
    one, short = verify(path, resolve), verify_parts(path, resolve, processes=2)
    assert one.is_whole == (damaged == "nothing")
    assert (short is not None) == one.is_whole
    if short is not None:
        assert (short.head, short.rerun) == (one.head, one.rerun)


@pytest.mark.parametrize("damaged", ["nothing", "an entry of an archive"])
def test_the_verdict_of_several_processes_is_that_of_one(damaged: str, played: Path, tmp_path: Path) -> None:
    path = copied(played, tmp_path)
    DAMAGES[damaged](path)
    one, several = verify(path, resolve), verify(path, resolve, processes=2)
    assert report(several) == report(one)
    assert (several.findings, several.head, several.rerun) == (one.findings, one.head, one.rerun)


@pytest.mark.usefixtures("in_threads")
def test_a_whole_journal_needs_no_second_way(played: Path, tmp_path: Path) -> None:
    path = copied(played, tmp_path)
    with JournalReader.read(path) as reader:
        head, known = reader.head, next(reader.entries(20, 21)).hash
    seen: list[int] = []
    whole = verify_parts(path, resolve, processes=2, known=known, progress=lambda done, _: seen.append(done))
    assert whole is not None
    assert (whole.head, whole.has_known) == (head, True)
    assert whole.rerun == verify(path, resolve).rerun
    assert seen[-1] == head.n
    other = verify_parts(path, resolve, processes=2, known=bytes(32))
    assert other is not None
    assert not other.has_known


@pytest.mark.usefixtures("in_threads")
def test_a_state_that_was_put_between_two_archives_proves_nothing(played: Path, tmp_path: Path) -> None:
    """The part after it may come out as it is written; the part before it does not end with it."""
    path = copied(played, tmp_path)
    another_state(path)
    with JournalReader.read(path) as reader:
        parts = parts_of(reader)
    assert walk_part(path, parts[0], resolve, None) is not None
    assert walk_part(path, parts[1], resolve, None) is None
    assert verify_parts(path, resolve, processes=2) is None
