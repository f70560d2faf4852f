"""Full disks, failing disks and kill -9: what was acknowledged is there, what was not left no trace."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from controller.journal import Entry, Journal, JournalError, JournalFull
from tests.support.journals import SITE, TABLE, card_out, dealt, events_of, open_journal
from tests.support.project import ROOT

BIG = b'{"kind":"note","text":"%b"}' % (b"x" * 20_000)


async def fill(journal: Journal) -> int:
    """Appends until there is no room; how many were acknowledged."""
    written = 0
    with contextlib.suppress(JournalFull):
        while True:
            await journal.append(1, card_out(written), [BIG])
            written += 1
    return written


async def test_a_full_journal_refuses_whole_and_goes_on_when_there_is_room(tmp_path: Path) -> None:
    with open_journal(tmp_path / "journal.db", max_bytes=200_000) as journal:
        written = await fill(journal)
        assert 0 < written < 20
        head = journal.head
        for _ in range(3):
            with pytest.raises(JournalFull, match="nothing is lost") as full:
                await journal.append(1, card_out(written), [BIG, BIG])
            assert "\n" not in str(full.value)
        assert journal.head == head
        assert journal.verify_chain() == head

        await journal.set_max_bytes(None)
        entry = await journal.append(1, card_out(written), [BIG, BIG])
        assert (entry.n, entry.first_seq) == (head.n + 1, head.seq + 1)
        assert journal.verify_chain() == journal.head == entry.head


async def test_what_was_asked_for_after_a_failed_append_fails_too(tmp_path: Path) -> None:
    """Its events were made at a table where the failed input had happened: alone it is about a round never dealt."""
    with open_journal(tmp_path / "journal.db", max_bytes=200_000) as journal:
        written = await fill(journal)
        too_large = [BIG] * 20
        answers = await asyncio.gather(
            journal.append(1, card_out(0), too_large),
            *(journal.append(1, card_out(n), []) for n in range(600)),
            return_exceptions=True,
        )
        assert all(isinstance(answer, JournalError) for answer in answers)
        assert journal.head.n == written
        entry = await journal.append(1, card_out(1), [])
        assert entry.n == written + 1
        assert journal.verify_chain() == entry.head


async def test_the_cursor_of_a_full_journal_still_moves(tmp_path: Path) -> None:
    with open_journal(tmp_path / "journal.db", max_bytes=200_000) as journal:
        await fill(journal)
        await journal.move_cursor("main", 2)
    with open_journal(tmp_path / "journal.db") as journal:
        assert journal.cursor == 2


FAILING_DISK = """
import resource, signal, sys
from tests.support.journals import *
from controller.journal import *

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
journal = open_journal(Path(sys.argv[1]))
write(journal, range(10))
before = journal.head

def files_may_grow_to(size):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

files_may_grow_to(Path(sys.argv[1] + "-wal").stat().st_size + 100)
for n in (10, 11):
    try:
        write(journal, [n])
        sys.exit("written on a disk that refuses")
    except JournalError as error:
        assert journal.head == before
        print(error)
files_may_grow_to(resource.RLIM_INFINITY)
write(journal, [10])
assert journal.verify_chain().n == 11
journal.close()
with open_journal(Path(sys.argv[1])) as journal:
    assert journal.verify_chain().n == 11 and journal.repair is None
"""


def test_a_disk_that_fails_in_the_middle_of_a_write_leaves_no_trace_of_it(tmp_path: Path) -> None:
    """The kernel refuses to let any file grow: a real I/O error in the middle of a commit."""
    run = subprocess.run(
        [sys.executable, "-c", FAILING_DISK, str(tmp_path / "journal.db")],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert run.returncode == 0, run.stderr
    assert "cannot be written" in run.stdout


FULL_DISK = """
import sys
from tests.support.journals import *
from controller.journal import *

journal = open_journal(Path("disk/journal.db"))
write(journal, range(10))
before = journal.head
ballast = open("disk/ballast", "wb", buffering=0)
try:
    while True:
        ballast.write(bytes(4096))
except OSError:
    pass
try:
    for n in range(10, 10_000):
        write(journal, [n])
        before = journal.head
except JournalFull as error:
    print(error)
assert journal.head == before
ballast.close()
Path("disk/ballast").unlink()
write(journal, [before.n])
assert journal.verify_chain().n == before.n + 1
journal.close()
with open_journal(Path("disk/journal.db")) as journal:
    assert journal.verify_chain().n == before.n + 1
"""


@pytest.mark.clause("ON-full-log")
def test_a_really_full_disk_refuses_and_goes_on_after_room_is_made(tmp_path: Path) -> None:
    """On a file system of one megabyte, mounted where nobody else sees it."""
    (tmp_path / "disk").mkdir()
    own_mounts = ["unshare", *(() if os.getuid() == 0 else ("--user", "--map-root-user")), "--mount"]
    mount = 'mount -t tmpfs -o size=1m none "$0/disk"'
    if (
        shutil.which("unshare") is None
        or subprocess.run([*own_mounts, "sh", "-c", mount, tmp_path], check=False).returncode
    ):
        pytest.skip("this machine does not let this user mount a small disk (unshare --mount)")
    script = f'{mount} && cd "$0" && PYTHONPATH="$1" exec "$2" -c "$3"'
    run = subprocess.run(
        [*own_mounts, "sh", "-c", script, tmp_path, ROOT, sys.executable, FULL_DISK],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert "has no room" in run.stdout


WRITER = """
import asyncio, sys
from tests.support.journals import *

async def dealer(journal, first, step):
    n = first
    while True:
        snapshot = b"state %d" % n if n % 10 == 0 else None
        entry = await journal.append(n // 10, card_out(n), dealt(n), snapshot)
        sys.stdout.buffer.write(b"%d %d\\n" % (entry.n, n))
        sys.stdout.buffer.flush()
        n += step

async def main():
    journal = open_journal(Path(sys.argv[1]))
    start = journal.head.n * 100
    await asyncio.gather(*(dealer(journal, start + k, 3) for k in range(3)))

asyncio.run(main())
"""


def test_after_kill_9_every_acknowledged_append_is_there(tmp_path: Path) -> None:
    """Again and again on the same journal, at random moments; the seed is printed when it fails."""
    seed = random.randrange(2**32)
    print("seed", seed)
    chance = random.Random(seed)
    path = tmp_path / "journal.db"
    acknowledged: dict[int, bytes] = {}
    for _ in range(12):
        acknowledged |= killed_run(path, chance.uniform(0.0, 0.08))
        with Journal.read(path) as tool:
            tool.verify_chain()
        with open_journal(path) as journal:
            entries = {entry.n: entry for entry in journal.entries()}
            assert list(entries) == list(range(1, journal.head.n + 1))
            for n, input_ in acknowledged.items():
                assert entries[n].input == input_
            check_last_snapshot(journal, entries)
    assert len(acknowledged) > 50


def killed_run(path: Path, after: float) -> dict[int, bytes]:
    """Runs a writer, kills it some time after its first acknowledged append; what it said was durable."""
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, cwd=ROOT, start_new_session=True
    ) as writer:
        assert writer.stdout is not None
        said = writer.stdout.readline()
        assert said, "the writer did not start"
        time.sleep(after)  # the moment of death, not a wait for anything
        os.kill(writer.pid, signal.SIGKILL)
        said += writer.stdout.read()
    whole_lines = said[: said.rfind(b"\n")].split(b"\n")
    return {int(n): card_out(int(number)) for n, number in (line.split() for line in whole_lines)}


def check_last_snapshot(journal: Journal, entries: dict[int, Entry]) -> None:
    found = journal.last_snapshot()
    if found is not None:
        n, state = found
        number = int(state.split()[1])
        assert entries[n].input == card_out(number)
        assert events_of(entries[n]) == dealt(number)
    assert (journal.site, journal.table) == (SITE, TABLE)
