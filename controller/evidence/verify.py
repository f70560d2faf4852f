"""`cutcard verify`: the chain of hashes is whole, and re-running every input gives the same events.

Two things are proved, in one pass over the entries. The chain shows that nothing was changed since it was written; the
re-run shows that what was written is what the rules make of the inputs, so an event that was forged together with all
hashes after it is found as well. What neither can show is a journal rewritten from its inputs on, or shortened: against
that helps a hash that somebody keeps elsewhere (every published event carries one), which `known` looks for, and a
checkpoint that the board has signed.

Nothing is repaired here: a torn end is reported and left for the daemon's next start.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from msgspec import Struct
from msgspec.structs import astuple

from controller.engine.table.state import Resolver
from controller.errors import UserError
from controller.evidence.beside import WORTH_IT, Found, OtherProcess, rerun_beside
from controller.evidence.rerun import Differs, OtherRules, Rerun, Rerunning
from controller.evidence.segments import verify_parts
from controller.journal import Archive, Head, JournalBroken, JournalError, JournalReader, Progress, Repair
from controller.journal.chain import Parts, head_after
from controller.journal.checkpoint import BadCheckpoint, contradiction, own_file, read_checkpoint
from controller.journal.log import torn_pages
from controller.journal.store import beside
from controller.rules import RulesError


class Verdict(Struct):
    """What became of the verification: whole if there is no finding."""

    path: Path
    findings: list[str] = []
    site: str = ""
    table: str = ""
    head: Head | None = None
    """The end of the chain, where the chain is whole."""
    rerun: Rerun | None = None
    """What was re-run, where all of it came out the same."""
    repairs: list[Repair] = []
    archives: list[Archive] = []

    @property
    def not_here(self) -> Archive | None:
        """The last archive before what could be verified, where that is not all there ever was."""
        return next((archive for archive in reversed(self.archives) if archive.place != "beside"), None)

    @property
    def is_whole(self) -> bool:
        return not self.findings


def verify(
    path: Path,
    resolve: Resolver,
    *,
    known: bytes | None = None,
    checkpoints: Sequence[Path] = (),
    hashing: Progress | None = None,
    rerunning: Progress | None = None,
    processes: int = 1,
) -> Verdict:
    """Verify a journal, read only. `known` is the hash of an entry that must be in it; it must not contradict one of
    the `checkpoints`, nor the one that is kept beside it. In several `processes` it finds the same sooner.

    Raises `JournalError` where it cannot be read at all, `RulesError` where this program lacks its rules.
    """
    verdict = Verdict(path)
    torn = 0 if is_written(path) else torn_pages(beside(path, "-wal"))
    if torn:
        verdict.findings.append(
            f"The end is torn: the log {path.name}-wal ends in {torn} pages that are no whole commit, from a write "
            "that was cut short before it was acknowledged, or from damage. Nothing was repaired now; the daemon "
            "keeps and reports them when it starts."
        )
    try:
        with JournalReader.read(path) as reader, ExitStack() as stack:
            verdict.site, verdict.table = reader.site, reader.table
            verdict.repairs, verdict.archives = reader.repairs(), reader.archives()
            head, is_known, again = _in_parts(path, resolve, processes, known, (hashing, rerunning)) or _in_order(
                reader,
                stack.enter_context(_apart(reader, resolve, rerunning))
                if processes > 1
                else _Again(reader, resolve, rerunning),
                known,
                hashing,
            )
            verdict.head = head
            if not is_known and known is not None:
                verdict.findings.append(
                    f"No entry has the hash {known.hex()}: entries are missing, or the journal was written again."
                )
            kept = own_file(path)
            files = [kept, *checkpoints] if kept.exists() else checkpoints
            verdict.findings += [text for file in files if (text := _contradicted(reader, file))]
            verdict.findings += [_unfit(n, is_here=here) for n, here in reader.unfit_snapshots()]
            damage = reader.damage()
            again.finish(head.n)
            verdict.findings += [_behind(differs, recorded) for differs, recorded in again.differences]
            if damage is not None:
                verdict.findings.append(f"Every entry is whole, but another part of the file is damaged: {damage}.")
            verdict.rerun = again.done()
    except JournalBroken as error:
        first = 1 if verdict.not_here is None else verdict.not_here.last_n + 1
        whole = f" Entries {first} to {error.n - 1} are whole." if error.n is not None and error.n > first else ""
        verdict.findings.append(f"{error}{whole}")
    except Differs as error:
        verdict.findings.append(_differs(error))
    return verdict


def _in_order(
    reader: JournalReader, again: _Again | _AgainBeside, known: bytes | None, hashing: Progress | None
) -> tuple[Head, bool, _Again | _AgainBeside]:
    """Along the chains from the first entry to the last: the head, whether the `known` hash is there, the re-run."""
    head, is_known = reader.start, known is None
    for page in reader.whole_pages(hashing):
        head = head_after(page, head)
        is_known = is_known or any(parts[6] == known for parts in page)
        again.feed(page)
    return head, is_known, again


def _in_parts(
    path: Path,
    resolve: Resolver,
    processes: int,
    known: bytes | None,
    bars: Sequence[Progress | None],
) -> tuple[Head, bool, _WasRerun] | None:
    """The same from archive to archive on all cores; None where that does not show that the journal is whole."""
    if processes == 1:
        return None

    def progress(entries: int, total: int) -> None:
        for each in bars:
            if each is not None:
                each(entries, total)

    whole = verify_parts(path, resolve, processes=processes, known=known, progress=progress)
    return None if whole is None else (whole.head, whole.has_known, _WasRerun(whole.rerun))


class _WasRerun:
    """A re-run that came out the same, part by part."""

    differences: Sequence[tuple[Differs, bool]] = ()

    def __init__(self, rerun: Rerun) -> None:
        self._rerun = rerun

    def finish(self, last_n: int) -> None:
        """It is."""

    def done(self) -> Rerun:
        return self._rerun


def _differs(error: Differs) -> str:
    return f"Entry {error.n}, re-run, does not come out the same: {error.text}."


def _behind(differs: Differs, recorded: bool) -> str:
    """Of a difference behind which the journal continues, from the state in an entry that a start wrote."""
    continues = "the journal continues from the state in a later entry."
    held, unseen = f"The table was held for it, and {continues}", f"No start recorded it; {continues}"
    return f"{_differs(differs)} {held if recorded else unseen}"


def _contradicted(reader: JournalReader, file: Path) -> str | None:
    try:
        why = contradiction(reader, read_checkpoint(file.read_bytes()))
    except OSError as error:
        raise UserError(f"The checkpoint {file} cannot be read: {error.strerror}.") from None
    except BadCheckpoint as error:
        return f"The checkpoint {file} cannot be believed: {error}."
    return None if why is None else f"ROLLED BACK: {file}: {why}."


def _unfit(n: int, *, is_here: bool) -> str:
    if is_here:
        return f"The snapshot that was kept with entry {n} is not what was written: its hash does not fit."
    return f"A snapshot was taken after entry {n}, which is not here: entries were taken away from the end."


class _Again:
    """The re-run beside the walk along the chain.

    What it finds waits until the chain is known to be whole: an entry that was changed need not come out the same.
    """

    def __init__(self, reader: JournalReader, resolve: Resolver, progress: Progress | None) -> None:
        self._progress = progress
        self._total = reader.last_n
        self._found: Differs | RulesError | None = None
        self._running: Rerunning | None = None
        try:
            self._running = Rerunning(reader, resolve)
        except (Differs, RulesError) as error:
            self._found = error

    def feed(self, page: list[Parts]) -> None:
        if self._running is None or self._found is not None:
            return
        try:
            self._running.feed(page)
        except (Differs, RulesError) as error:
            self._found = error
            return
        if self._progress is not None:
            self._progress(self._running.entries, max(self._total, self._running.entries))

    def finish(self, last_n: int) -> None:
        """The chain is whole, up to this entry."""

    @property
    def differences(self) -> list[tuple[Differs, bool]]:
        return [] if self._running is None else self._running.differences

    def done(self) -> Rerun | None:
        if self._found is not None:
            raise self._found
        return None if self._running is None else self._running.done


class _AgainBeside:
    """The same in another process, which is asked when the chain is known to be whole."""

    def __init__(self, other: OtherProcess, reader: JournalReader, resolve: Resolver) -> None:
        self._other, self._reader, self._resolve = other, reader, resolve
        self._total = reader.last_n
        self._found: Found | _Again = Found()

    def feed(self, page: list[Parts]) -> None:
        self._other.look(self._total)

    def finish(self, last_n: int) -> None:
        self._found = self._other.found_up_to(last_n) or self._here(last_n)

    def _here(self, last_n: int) -> _Again:
        """The other process ended without an answer."""
        again = _Again(self._reader, self._resolve, None)
        for entry in self._reader.entries(self._reader.first_n, last_n + 1):
            again.feed([astuple(entry)])
        return again

    @property
    def differences(self) -> list[tuple[Differs, bool]]:
        return self._found.differences if isinstance(self._found, _Again) else self._found.accounted_for()

    def done(self) -> Rerun | None:
        if isinstance(self._found, _Again):
            return self._found.done()
        if self._found.error is not None:
            raise self._found.error
        return self._found.rerun


@contextmanager
def _apart(reader: JournalReader, resolve: Resolver, progress: Progress | None) -> Iterator[_AgainBeside]:
    with rerun_beside(reader.path, reader.last_n, resolve, progress) as other:
        yield _AgainBeside(other, reader, resolve)


def worth_processes(path: Path) -> int:
    """How many processes are worth it for this journal on this machine. What is no journal is worth one: `verify` says
    why."""
    try:
        with JournalReader.read(path) as reader:
            is_long = reader.last_n - reader.first_n >= WORTH_IT
    except JournalError:
        return 1
    return len(os.sched_getaffinity(0)) if is_long else 1


def is_written(path: Path) -> bool:
    """Whether a daemon has the journal open: its log may then end in a write that is under way.

    Looked up in the kernel's list of locks, since trying the lock could keep a daemon from starting.
    """
    try:
        lock = beside(path, ".lock")
        mine = ["FLOCK", lock.read_text().strip(), str(lock.stat().st_ino)]
        held = [line.split() for line in Path("/proc/locks").read_text().splitlines()]
    except OSError:
        return False
    # 1: FLOCK ADVISORY WRITE <process> <major>:<minor>:<inode> 0 EOF
    return any([row[1], row[4], row[5].rpartition(":")[2]] == mine for row in held if len(row) > 5)


def report(verdict: Verdict) -> str:
    """The verdict for people."""
    return "\n".join([*_verdict(verdict), *_figures(verdict), *_notes(verdict)])


def _verdict(verdict: Verdict) -> list[str]:
    whose = f"table {verdict.table} of {verdict.site}" if verdict.table else "unknown table"
    lines = [f"{verdict.path}, {whose}"]
    if verdict.is_whole:
        lines.append("WHOLE: no hash is broken, and re-running every input gives the same events.")
    else:
        lines += [f"NOT WHOLE: {finding}" for finding in verdict.findings]
    return lines


def _figures(verdict: Verdict) -> list[str]:
    head, done = verdict.head, verdict.rerun
    if head is None:
        return []
    rounds = [] if done is None else [f"  rounds   {done.rounds}"]
    return [f"  entries  {head.n}", *rounds, f"  events   {head.seq}", f"  head     {head.hash.hex()}"]


def _notes(verdict: Verdict) -> list[str]:
    done = verdict.rerun
    lines = ["  TEST MODE: the table is in test mode now."] if done is not None and done.test else []
    if (before := verdict.not_here) is not None:
        why = "removed when their time was over, as an entry records" if before.place == "removed" else "in other files"
        lines.append(f"  not here  entries 1 to {before.last_n}: {why}. What follows them was verified.")
    for repair in verdict.repairs:
        lines.append(
            f"  cut      once cut back to entry {repair.whole_n}: {repair.why}. {repair.removed} damaged entries went, "
            f"event {repair.published} was the last published; what was cut off is in {repair.file}."
        )
    lines += [_rules_note(rules) for rules in done.other_rules] if done is not None else []
    return lines


def _rules_note(rules: OtherRules) -> str:
    return (
        f"  rules    entry {rules.n}: {rules.ruleset} was in force with digest {rules.dealt}, this program has "
        f"{rules.here}; the events are the same under both."
    )
