"""Journals that somebody has made to harm those who read them: each reader refuses them in a sentence, and soon."""

from __future__ import annotations

import os
import resource
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from controller.journal import Journal, JournalReader
from controller.journal.chain import Entry, seal
from controller.journal.errors import JournalError
from tests.support.evidence_journals import play_ez
from tests.support.journals import open_journal
from tests.support.project import ROOT

SECOND_VERIFIER = ROOT / "controller" / "journal" / "verify_journal.py"
CUTCARD = ("-m", "controller.cli")
MOST_MEMORY = 512 * 1024 * 1024
ENDS_WITHIN_S = 120

_ENDLESS = "WITH RECURSIVE more(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more)"
TRIGGER = "a trigger that acts when an entry is written"
"""It does nothing to who only reads."""
CRAFTED = {
    "a view without end in place of the entries": (
        "ALTER TABLE entry RENAME TO old;"
        f"CREATE VIEW entry AS {_ENDLESS} SELECT n, (SELECT sealed FROM old WHERE old.n = 1) AS sealed FROM more"
    ),
    "a view that counts without end before its first row": (
        f"ALTER TABLE entry RENAME TO old; CREATE VIEW entry AS {_ENDLESS} "
        "SELECT n, x'00' AS sealed FROM more WHERE n < 0"
    ),
    "a gigabyte out of nothing": (
        "ALTER TABLE entry RENAME TO old; CREATE VIEW entry AS SELECT 1 AS n, zeroblob(999000000) AS sealed"
    ),
    "a name of a gigabyte": (
        "ALTER TABLE meta RENAME TO old;"
        "CREATE VIEW meta AS SELECT name, value FROM old UNION ALL SELECT 'x', hex(zeroblob(400000000))"
    ),
    TRIGGER: ("CREATE TRIGGER more AFTER INSERT ON entry BEGIN DELETE FROM entry WHERE n = new.n - 1; END"),
    "a column that is computed": "ALTER TABLE entry ADD COLUMN big TEXT AS (hex(zeroblob(400000000)))",
    "archives in a view without end": (
        "DROP TABLE archive; CREATE VIEW archive AS "
        f"{_ENDLESS} SELECT n AS number, 'journal.db' AS file, n AS first_n, n AS last_n, n AS last_seq, "
        "0 AS first_at, 0 AS last_at, x'' AS hash, x'' AS link, 0 AS test, 'beside' AS place, x'' AS state, "
        "x'' AS state_hash FROM more"
    ),
    "no table of names": "DROP TABLE meta",
    "no entries": "DROP TABLE entry",
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("whole") / "journal.db"
    play_ez(path, ("9h", "Kd", "Tc", "7s"))
    return path


@pytest.fixture
def path(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(whole, tmp_path))


def craft(path: Path, script: str) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.executescript(script)


def run(*command: object) -> subprocess.CompletedProcess[str]:
    """A program that reads a journal, with as much memory as a board can spare."""
    return subprocess.run(
        [sys.executable, *map(str, command)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=ENDS_WITHIN_S,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY)),
    )


def refused(*command: object) -> str:
    done = run(*command)
    assert done.returncode not in (0, None) and done.returncode > 0, done
    assert "Traceback" not in done.stderr, done.stderr[-2000:]
    return done.stdout + done.stderr


@pytest.mark.parametrize("what", CRAFTED)
def test_a_journal_with_another_schema_is_refused_at_once_by_every_reader(path: Path, what: str) -> None:
    craft(path, CRAFTED[what])
    with pytest.raises(JournalError):
        JournalReader.read(path)
    with pytest.raises(JournalError):
        Journal.open(path, site="bay101", table="t7")


@pytest.mark.parametrize("what", [what for what in CRAFTED if what != TRIGGER])
def test_the_second_verifier_refuses_it_too(path: Path, what: str) -> None:
    craft(path, CRAFTED[what])
    assert "its tables are not those of a journal" in refused("-I", "-S", SECOND_VERIFIER, path)


@pytest.mark.parametrize(
    "command", [("verify",), ("recall", "--journal"), ("replay", "1", "--journal"), ("report", "shift", "--journal")]
)
def test_the_commands_refuse_it_in_a_sentence(path: Path, command: tuple[str, ...]) -> None:
    craft(path, CRAFTED["a view without end in place of the entries"])
    assert "is not a journal that this Cutcard can read" in refused(*CUTCARD, *command, path)


def test_a_row_of_a_hundred_megabytes_is_not_read_into_memory(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("INSERT INTO entry SELECT max(n) + 1, zeroblob(100000000) FROM entry")
        db.commit()
    assert "too big" in refused(*CUTCARD, "verify", path)
    refused("-I", "-S", SECOND_VERIFIER, path)


DEEP = b"[" * 100_000 + b"]" * 100_000


@pytest.mark.parametrize(
    ("input_", "events"),
    [
        (b'{"at":1,"by":"x","body":' + DEEP + b"}", b"[]"),
        (b'{"at":1,"by":"bot","body":{"kind":"tick"}}', DEEP),
        (b'{"at":1,"by":"bot","body":{"kind":"tick"}}', b'[{"kind":' + DEEP + b"}]"),
        (b'{"at":1,"by":"bot","body":{"kind":"tick"}}', b'[{"kind":["x"]}]'),
        (b'{"at":' + b"9" * 5000 + b',"by":"bot","body":{"kind":"tick"}}', b"[]"),
        (b'{"at":1,"by":"bot","body":[]}', b"[1]"),
        (b"\xff\xfe", b"\xff"),
        (b"", b""),
    ],
    ids=lambda value: repr(value[:40]),
)
def test_an_entry_that_is_well_sealed_and_senseless_is_named(tmp_path: Path, input_: bytes, events: bytes) -> None:
    path = tmp_path / "journal.db"
    with open_journal(path) as journal:
        journal.append_now(0, b'{"at":1,"by":"bot","body":{"kind":"tick"}}', [])
        head = journal.head
        (last,) = journal.entries(1)
    crafted: Entry = seal(head, 0, 1, input_, events, salt=bytes(16), link=last.link)
    with closing(sqlite3.connect(path)) as db:
        db.execute("INSERT INTO entry VALUES (?, ?)", crafted.row)
        db.commit()
    assert "entry" in refused(*CUTCARD, "verify", path)
    assert "entry 2" in refused("-I", "-S", SECOND_VERIFIER, path)


def list_an_archive(path: Path, file: str) -> None:
    """Its first three entries are there, the journal states."""
    row = "INSERT INTO archive VALUES (1, ?, 1, 3, 3, 0, 0, zeroblob(32), zeroblob(32), 0, 'beside', x'', x'')"
    with closing(sqlite3.connect(path)) as db:
        db.execute(row, (file,))
        db.execute("DELETE FROM entry WHERE n <= 3")
        db.commit()


@pytest.mark.parametrize("file", ["../journal.db", "/etc/passwd", "/dev/zero", "journal.db", "", "a\x00b"])
def test_an_archive_by_another_name_than_archives_have_is_not_opened(path: Path, file: str) -> None:
    list_an_archive(path, file)
    refused(*CUTCARD, "verify", path)
    refused("-I", "-S", SECOND_VERIFIER, path)


def test_an_archive_that_lists_itself_does_not_send_its_reader_round_in_circles(path: Path) -> None:
    name = "journal.db.archive-0000000001-0000000003"
    list_an_archive(path, name)
    shutil.copy(path, path.with_name(name))
    assert "is not the one that was made" in refused(*CUTCARD, "verify", path)
    refused("-I", "-S", SECOND_VERIFIER, path)
