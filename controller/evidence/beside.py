"""A journal re-run in a process of its own, beside the walk along its chains: `cutcard verify` on two cores.

The re-run needs nothing of the chains, except that what it finds counts only where they are whole. So the other process
reads the same entries, and this one asks for what it found when the chains are known to be whole. It says the same as
`Rerunning` in this process; where it ends without an answer, for whatever reason, the caller re-runs by itself.

The other process is a new one, which imports the engine for itself: half a second, so not for a short journal.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path

from msgspec import Struct
from msgspec.structs import astuple

from controller.engine.table.state import Resolver
from controller.evidence.rerun import Differs, Rerun, Rerunning
from controller.journal import JournalReader, Progress
from controller.journal.chain import unseal
from controller.rules import RulesError

WORTH_IT = 20_000
"""Entries of a journal that is re-run beside: some seconds of work."""
_END_S = 5.0


class Found(Struct):
    """What a re-run found."""

    rerun: Rerun | None = None
    differs: tuple[int, str] | None = None
    """An entry that differs, and nothing accounts for it."""
    no_rules: str | None = None
    differences: list[tuple[int, str, bool]] = []

    def accounted_for(self) -> list[tuple[Differs, bool]]:
        return [(Differs(n, text), recorded) for n, text, recorded in self.differences]

    @property
    def error(self) -> Differs | RulesError | None:
        if self.no_rules is not None:
            return RulesError(self.no_rules)
        return None if self.differs is None else Differs(*self.differs)


class OtherProcess:
    """The re-run of a journal, under way."""

    def __init__(self, answers: Connection, progress: Progress | None) -> None:
        self._answers, self._progress = answers, progress
        self._total = 0
        self._is_gone = False

    def look(self, total: int) -> None:
        """Takes what it has reported so far."""
        self._total = total
        try:
            while not self._is_gone and self._answers.poll():
                self._take()
        except (OSError, EOFError):
            self._is_gone = True

    def found_up_to(self, last_n: int) -> Found | None:
        """Waits for its end; None where it ended without an answer."""
        try:
            self._answers.send(last_n)
            while not self._is_gone:
                if (found := self._take()) is not None:
                    return found
        except (OSError, EOFError):
            pass
        return None

    def _take(self) -> Found | None:
        answer: Found | int = self._answers.recv()
        if isinstance(answer, Found):
            return answer
        if self._progress is not None:
            self._progress(answer, max(self._total, answer))
        return None


@contextmanager
def rerun_beside(path: Path, last_n: int, resolve: Resolver, progress: Progress | None) -> Iterator[OtherProcess]:
    """Re-runs the entries up to `last_n` meanwhile, and those after it when it is asked for what it found."""
    apart = multiprocessing.get_context("spawn")
    ours, its = apart.Pipe()
    process = apart.Process(target=_main, args=(path, last_n, resolve, its), daemon=True)
    process.start()
    its.close()
    try:
        yield OtherProcess(ours, progress)
    finally:
        ours.close()
        process.terminate()
        process.join(_END_S)


def _main(path: Path, last_n: int, resolve: Resolver, its: Connection) -> None:
    # An end without an answer is one too: the caller re-runs by itself, and meets what was met here.
    with suppress(Exception), JournalReader.read(path) as reader:
        its.send(_found(reader, last_n, resolve, its))


def _found(reader: JournalReader, last_n: int, resolve: Resolver, its: Connection) -> Found:
    running: Rerunning | None = None
    try:
        running = Rerunning(reader, resolve)
        last_n = _feed(running, reader, reader.first_n, last_n, its)
        _feed(running, reader, last_n + 1, its.recv(), its)
        return Found(running.done, differences=_accounted(running))
    except Differs as error:
        return Found(differs=(error.n, error.text), differences=_accounted(running))
    except RulesError as error:
        return Found(no_rules=str(error), differences=_accounted(running))


def _feed(running: Rerunning, reader: JournalReader, first_n: int, last_n: int, its: Connection) -> int:
    for rows in reader.rows(first_n, last_n + 1):
        running.feed([astuple(unseal(row)) for row in rows])
        its.send(running.entries)
    return last_n


def _accounted(running: Rerunning | None) -> list[tuple[int, str, bool]]:
    found = [] if running is None else running.differences
    return [(differs.n, differs.text, recorded) for differs, recorded in found]
