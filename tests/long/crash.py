"""Kills a table at random moments, again and again, and looks whether anything was lost, invented or done twice.

    python -m tests.long.crash [--times 200] [--seed S]

A child plays one ruleset at random on a real journal and writes, to a pipe, each input it is about to submit and each
one that was acknowledged. The parent kills it (SIGKILL) at a random moment, opens the journal as the next start would,
and checks: every acknowledged entry is there with its hash, at most the one input in flight besides; phase and
expectation are those that stood; the same hash. The next child first submits the unacknowledged input again, as a
device would, under the same reference. In the end every reference is in the journal exactly once, and the whole log
replays.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import os
import random
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from controller import __version__
from controller.clock import SystemClock
from controller.engine.expect.bot import answer
from controller.engine.expect.expectation import prompt
from controller.engine.inputs import ShoeStarted, Started, decode_body, decode_input
from controller.engine.table.engine import TableEngine
from controller.evidence.rerun import rerun
from controller.journal import Journal, JournalReader
from controller.recorder.recorder import Recorder
from controller.rules import all_rulesets, resolve
from controller.soak.choice import GAMES
from tests.engine.test_bot import a_table
from tests.support.games.own_cards import own_cards


class ChildLine(Struct):
    """One line of the child: an input it is about to submit, or what stood after it was acknowledged."""

    ref: str
    body: msgspec.Raw = msgspec.Raw(b"null")
    n: int = 0
    hash: str = ""
    state: str = ""


class Lost(AssertionError):
    """A promise was broken."""


def state_of(engine: TableEngine[Any]) -> str:
    """Phase and expectation in one digest."""
    said = msgspec.json.encode([engine.expectation, prompt(engine.expectation), engine.public_result])
    return hashlib.sha256(said).hexdigest()[:16]


class Story:
    """One ruleset on one journal, through many lives."""

    def __init__(self, slug: str, folder: Path, seed: int) -> None:
        self.slug, self.path = slug, folder / f"{slug}.db"
        self.rng = random.Random(f"{slug}/{seed}")
        setup = msgspec.to_builtins(a_table(self.rng, all_rulesets()[slug]), str_keys=True)
        self.started = Started(__version__, slug, resolve(slug, {}).digest, {}, setup, True)
        self.submitted = 0
        self.pending: ChildLine | None = None
        self.lives = 0

    def live_and_die(self) -> None:
        """One life: fork, play, kill, look."""
        self.lives += 1
        reading, writing = os.pipe()
        seed = self.rng.getrandbits(32)
        child = os.fork()
        if child == 0:
            os.close(reading)
            try:
                asyncio.run(self._play(os.fdopen(writing, "wb", buffering=0), seed))
            except BaseException:
                traceback.print_exc()  # a child that is not killed has failed, and should say how
            finally:
                os._exit(3)
        os.close(writing)
        lines = self._watch(reading, child)
        self._look(lines)

    def _watch(self, reading: int, child: int) -> list[ChildLine]:
        """Read until a random number of acknowledgements, wait a random instant, kill, read the rest."""
        patience = self.rng.randint(1, 25)
        lines: list[bytes] = []
        with os.fdopen(reading, "rb") as pipe:
            while patience:
                line = pipe.readline()
                if not line:
                    raise Lost(f"{self.slug}: the child ended by itself (seed of this run replays it)")
                lines.append(line)
                patience -= b'"hash":"' in line and b'"hash":""' not in line
            time.sleep(self.rng.random() * 0.004)
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            lines += [line for line in pipe if line.endswith(b"\n")]
        return [msgspec.json.decode(line, type=ChildLine) for line in lines]

    def _look(self, reported: list[ChildLine]) -> None:
        acknowledged = [line for line in reported if line.hash]
        intended = [line for line in reported if not line.hash]
        self.pending = intended[-1] if intended and intended[-1].ref != acknowledged[-1].ref else None
        self.submitted = max(int(line.ref.partition(":")[2]) for line in reported)
        journal = Journal.open(self.path, site="crash", table="t-1")
        try:
            if journal.repair is not None and journal.repair.removed:
                raise Lost(f"{self.slug}: a kill tore entries out of the journal: {journal.repair}")
            entries = {entry.n: entry for entry in journal.entries(1)}
            for line in acknowledged:
                if line.n not in entries or entries[line.n].hash.hex() != line.hash:
                    raise Lost(f"{self.slug}: entry {line.n} was acknowledged and is not there as it was")
            last = acknowledged[-1]
            if journal.head.n > last.n + 1:
                raise Lost(f"{self.slug}: {journal.head.n - last.n} entries that nobody submitted")
            recorder = Recorder(journal, resolve, SystemClock(), self.started)
            if journal.head.n == last.n and state_of(recorder.engine) != last.state:
                raise Lost(f"{self.slug}: after entry {last.n} the table is elsewhere than it was")
        finally:
            journal.close()

    async def _play(self, pipe: Any, seed: int) -> None:
        rng = random.Random(seed)
        journal = Journal.open(self.path, site="crash", table="t-1")
        recorder = Recorder(journal, resolve, SystemClock(), self.started)
        if journal.head.n == 0:
            await recorder.submit(self.started, "daemon")
        count = self.submitted
        while True:
            if self.pending is not None:
                body, ref = decode_body(bytes(self.pending.body)), self.pending.ref
                self.pending = None
            else:
                count += 1
                ref, engine = f"0:{count}", recorder.engine
                cards = Cards(engine, rng)
                if cards.is_new_shoe_due:
                    body = ShoeStarted(cards.decks)
                else:
                    body = answer(engine.expectation, rng, cards.next, name_card=cards.next, look=cards.of)
            raw = msgspec.Raw(msgspec.json.encode(body))
            pipe.write(msgspec.json.encode(ChildLine(ref, raw)) + b"\n")
            await recorder.submit(body, "bot", ref)
            head = journal.head
            pipe.write(
                msgspec.json.encode(ChildLine(ref, n=head.n, hash=head.hash.hex(), state=state_of(recorder.engine)))
                + b"\n"
            )

    def check_whole(self) -> int:
        """Every reference once, and the log replays."""
        with JournalReader.read(self.path) as reader:
            reader.verify_chain()
            refs = Counter(decode_input(entry.input).ref for entry in reader.entries(1))
            twice = {ref: times for ref, times in refs.items() if ref is not None and times > 1}
            if twice:
                raise Lost(f"{self.slug}: applied twice: {twice}")
            return rerun(reader, reader.head, resolve).entries


class Cards:
    """The pack as it must be, given what is out: any card that is left may come next."""

    def __init__(self, engine: TableEngine[Any], rng: random.Random) -> None:
        self._rng = rng
        self._engine = engine
        deck = engine.game.deck(engine.options) or {}
        out = engine.round.table.out if engine.round is not None else {}
        self._left = [code for code, count in deck.items() for _ in range(count - out.get(code, 0))]

    @property
    def decks(self) -> int:
        return sum((self._engine.game.deck(self._engine.options) or {}).values()) // 52

    @property
    def is_new_shoe_due(self) -> bool:
        """Between two rounds, when the cards of a shoe may not be enough for the next one."""
        return self.decks > 1 and not self._engine.is_dealing and len(self._left) < 104

    def next(self) -> str:
        return self._left.pop(self._rng.randrange(len(self._left)))

    def of(self, place: int | str) -> list[str]:
        return own_cards(self._engine, place)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.long.crash")
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    chosen = parser.parse_args()
    print(f"seed {chosen.seed}", flush=True)
    games = [slug for slug in GAMES if slug in all_rulesets()]
    with tempfile.TemporaryDirectory() as folder:
        stories = [Story(slug, Path(folder), chosen.seed) for slug in games]
        for life in range(chosen.times):
            stories[life % len(stories)].live_and_die()
        entries = sum(story.check_whole() for story in stories)
    print(f"{chosen.times} kills, {len(games)} games, {entries} entries: nothing lost, nothing twice")
    return 0


if __name__ == "__main__":
    sys.exit(main())
