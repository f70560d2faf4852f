"""A journal re-run in a second process: the verdict is that of one process, whatever is wrong with the journal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from controller.evidence import verify as module
from controller.evidence.beside import rerun_beside
from controller.evidence.verify import report, verify
from controller.journal import Entry
from controller.rules import resolve
from tests.support.evidence_journals import DRAGON_7, PLAYER_WINS, TIE, forge, play_ez
from tests.support.journals import change


def forged(**fields: Any) -> Callable[[Path], None]:
    """Entry 8 with other fields, and all hashes after it made to fit."""
    return lambda path: forge(path, lambda entry: replace(entry, **fields) if entry.n == 8 else entry)


def forged_input(path: Path) -> None:
    def alter(entry: Entry) -> Entry:
        return replace(entry, input=entry.input.replace(b'"9h"', b'"8h"')) if entry.n == 8 else entry

    forge(path, alter)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "nothing": lambda path: None,
    "a hash": lambda path: change(path, "UPDATE entries SET hash = zeroblob(32) WHERE n = 11"),
    "an input": forged_input,
    "events": forged(events=b"[]", count=0),
    "no JSON": forged(events=b"nonsense"),
    "a round": forged(round=4),
    "an entry is no entry": lambda path: change(path, "UPDATE entry SET sealed = x'00' WHERE n = 9"),
    "the beginning": lambda path: change(path, "DELETE FROM entry WHERE n < 4"),
    "the end": lambda path: change(path, "DELETE FROM entry WHERE n > 19"),
    "a snapshot": lambda path: change(path, "UPDATE snapshot SET hash = zeroblob(32)"),
}


@pytest.mark.parametrize("damaged", DAMAGES)
def test_two_processes_find_what_one_finds(damaged: str, tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    play_ez(path, PLAYER_WINS, TIE, DRAGON_7)
    DAMAGES[damaged](path)
    one, two = verify(path, resolve), verify(path, resolve, processes=2)
    assert report(two) == report(one)
    assert (two.findings, two.head, two.rerun) == (one.findings, one.head, one.rerun)
    assert one.is_whole == (damaged == "nothing")


def test_where_the_other_process_ends_without_an_answer_this_one_re_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal.db"
    play_ez(path, PLAYER_WINS, TIE)
    forged_input(path)
    one = verify(path, resolve)
    # A file that is not there for the other process only.
    monkeypatch.setattr(
        "controller.evidence.verify.rerun_beside", lambda _, *more: rerun_beside(tmp_path / "nowhere.db", *more)
    )
    assert report(verify(path, resolve, processes=2)) == report(one)
    assert not one.is_whole


def test_a_long_journal_is_worth_it_and_a_short_one_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "journal.db"
    play_ez(path, PLAYER_WINS, TIE)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1})
    assert module.worth_processes(path) == 1
    monkeypatch.setattr(module, "WORTH_IT", 10)
    assert module.worth_processes(path) == 2
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0})
    assert module.worth_processes(path) == 1, "one core"
