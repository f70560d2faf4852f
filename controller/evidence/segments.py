"""A journal verified on all cores: each archive, and what comes after the last one, in a process that has a core.

What a part continues from is in the journal's list of archives: the ends of both chains, and the state of the table.
So each part is walked and re-run by itself. In the end the parts are put together in their order: every one must end
with both chains and with the state from which the next one began. Then the whole journal was walked along its chains
from its beginning, and every input re-run after all those before it.

This is only ever a short way to "whole". Whatever is wrong, missing or merely unusual (a difference that the floor has
accepted, a correction of a round in the archive before), the answer is None, and `verify` goes the long way, which has
the words for it.
"""

from __future__ import annotations

import itertools
import multiprocessing
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from controller.engine.table.state import Resolver
from controller.evidence.rerun import OtherRules, Rerun, Rerunning
from controller.journal import Archive, Head, JournalReader, Progress

_END = 2**63 - 1


class Part(Struct, frozen=True):
    """Some entries of a journal: those of an archive, or those after the last archive."""

    before: Archive | None
    """The archive that it continues from; None: from the beginning of what is kept."""
    archive: Archive | None
    """None: the journal file itself."""

    @property
    def stop_n(self) -> int:
        return _END if self.archive is None else self.archive.last_n + 1


class Walked(Struct, frozen=True):
    """What was found of a part that is whole and comes out the same."""

    head: Head
    rerun: Rerun
    first_at: int
    last_at: int
    begins_with_step: bool
    """Its first entry records that the clock was set."""
    has_known: bool
    records_removal: bool


class Whole(Struct, frozen=True):
    """A journal that is whole, and what was re-run of it."""

    head: Head
    rerun: Rerun
    has_known: bool


def parts_of(reader: JournalReader) -> list[Part]:
    """In their order."""
    archives = [archive for archive in reader.archives() if archive.place == "beside"]
    before: list[Archive | None] = [None, *archives]
    return [Part(*pair) for pair in zip(before, [*archives, None], strict=True)]


def verify_parts(
    path: Path, resolve: Resolver, *, processes: int, known: bytes | None = None, progress: Progress | None = None
) -> Whole | None:
    """None: it is not known to be whole by this way."""
    with JournalReader.read(path) as reader:
        parts, total, cursor = parts_of(reader), reader.last_n, reader.cursor
        if len(parts) == 1:
            return None
        removed = any(archive.place == "removed" for archive in reader.archives())
    # A new process imports the engine for itself, once. It inherits no open database.
    context = multiprocessing.get_context("spawn")
    found: dict[int, Walked] = {}
    with ProcessPoolExecutor(min(processes, len(parts)), mp_context=context) as pool:
        waiting = {pool.submit(walk_part, path, part, resolve, known): at for at, part in enumerate(parts)}
        try:
            for done in as_completed(waiting):
                walked = done.result()
                if walked is None:
                    return None
                found[waiting[done]] = walked
                if progress is not None:
                    entries = sum(each.rerun.entries for each in found.values())
                    progress(entries, max(total, entries))
        except BrokenProcessPool:
            return None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    return _together([found[at] for at in range(len(parts))], cursor, has_removed=removed)


def walk_part(path: Path, part: Part, resolve: Resolver, known: bytes | None) -> Walked | None:
    """One part, in this process; None where it is not whole, or does not come out the same."""
    # Whatever it is, the long way meets it again and has the words for it.
    with suppress(Exception), JournalReader.read(path) as reader:
        return _walk(reader, part, resolve, known)
    return None


def _walk(reader: JournalReader, part: Part, resolve: Resolver, known: bytes | None) -> Walked | None:
    archives = reader.archives()
    removed = next((archive for archive in reversed(archives) if archive.place == "removed"), None)
    again = Rerunning(reader, resolve, after=part.before, up_to=part.archive)
    head, public = (
        (reader.start, reader.public_start) if part.before is None else (part.before.head, part.before.public_head)
    )
    is_known = has_removal = False
    for page, after in reader.walked(head, public, part.stop_n, archives):
        again.feed(page)
        head = after
        is_known = is_known or any(parts[6] == known for parts in page)
        has_removal = has_removal or (
            removed is not None and any(removed.removal_is_recorded_in(parts[2]) for parts in page)
        )
    if again.differences or (part.archive is not None and head != part.archive.head):
        return None
    rerun = again.done
    if part.archive is not None and not again.ends_with_its_state:
        return None
    first_at, last_at, is_step = again.times
    return Walked(head, rerun, first_at, last_at, is_step, is_known, has_removal)


def _together(walked: Sequence[Walked], cursor: int, *, has_removed: bool) -> Whole | None:
    """The parts as one journal; None where they do not follow one after the other."""
    entries = events = 0
    other_rules: tuple[OtherRules, ...] = ()
    for before, after in itertools.pairwise(walked):
        if after.rerun.entries and after.first_at < before.last_at and not after.begins_with_step:
            return None
    for each in walked:
        entries += each.rerun.entries
        events += each.rerun.events
        other_rules += each.rerun.other_rules
    last = walked[-1]
    if cursor > last.head.seq or (has_removed and not any(each.records_removal for each in walked)):
        return None
    rerun = Rerun(entries, events, last.rerun.rounds, last.rerun.test, other_rules)
    return Whole(last.head, rerun, any(each.has_known for each in walked))
