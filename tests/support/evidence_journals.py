"""Journals for the evidence tests, made as a table makes them: a recorder on a real journal."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from controller import __version__
from controller.engine.expect.bot import answer
from controller.engine.inputs import (
    Act,
    Amended,
    AnyBody,
    BankPosted,
    BetsClosed,
    CardOut,
    Change,
    CutCardOut,
    ShoeStarted,
    Started,
    WagerPlaced,
)
from controller.engine.table.engine import TableEngine
from controller.journal import Entry, Head, Journal, JournalReader, Seeded
from controller.journal.chain import seal
from controller.recorder.recorder import Outcome, Recorder
from controller.rules import all_rulesets, load, resolve
from tests.engine.test_bot import a_table
from tests.long.crash import Cards
from tests.support.games.who_banks import NOBODY, is_offered

SITE, TABLE = "bay101", "t7"
EZ = "bankers-ez-baccarat-panda-8"
NOON_UTC = 1_763_208_000_000
"""12:00:00 on 15 November 2025."""

PLAYER_WINS = ("9h", "Kd", "Tc", "7s")
TIE = ("9h", "9d", "Tc", "Ts")
DRAGON_7 = ("2h", "Kd", "Kc", "4c", "4s", "3d")
PANDA_8 = ("Ah", "Ks", "4c", "7d", "3d")


class SteadyClock:
    """A second passes between two looks at it."""

    def __init__(self) -> None:
        self.now = NOON_UTC
        self._set = 0

    def set_by(self, ms: int) -> None:
        """Somebody sets it."""
        self.now += ms
        self._set += ms

    def now_ms(self) -> int:
        self.now += 1000
        return self.now

    def elapsed_ms(self) -> int:
        return self.now - self._set

    def is_synced(self) -> bool:
        return False

    def resume(self, last_ms: int) -> None:
        self.now = max(self.now, last_ms)

    def observe(self, uptime_ms: int) -> None:
        """It gets no time from outside."""


class Play:
    """A table to play on; everything lands in its journal."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder

    @property
    def engine(self) -> TableEngine[Any]:
        return self.recorder.engine

    async def do(self, *bodies: AnyBody, by: str = "dealer") -> Outcome:
        for body in bodies:
            outcome = await self.recorder.submit(body, by)
        return outcome

    async def cards(self, codes: Iterable[str | None]) -> None:
        for code in codes:
            await self.do(CardOut(code), by="device:shoe")

    async def act(self, seat: int, do: str) -> None:
        await self.do(Act(seat, do))

    async def cut_card(self) -> None:
        await self.do(CutCardOut(), by="device:shoe")

    async def shoe(self) -> None:
        await self.do(ShoeStarted(8), by="device:shoe")

    async def corrected_round(self, reason: str) -> None:
        """A round on a new shoe whose eighth input the floor corrects: the card was the nine of spades. Then a tie."""
        await self.shoe()
        await self.ez_round()
        await self.do(Amended(1, (Change(8, {"kind": "card_out", "card": "9s"}),), reason), by="floor:ann")
        await self.ez_round(TIE)

    async def ez_round(self, codes: Sequence[str] = PLAYER_WINS) -> None:
        """Seat 1 bets $10 on Player and $5 on the tie, seat 2 $20 on Banker."""
        if is_offered(self.engine):
            await self.do(NOBODY)
        await self.do(
            BankPosted((100_000,)),
            WagerPlaced(1, "player_line", 1000),
            WagerPlaced(1, "tie", 500),
            WagerPlaced(2, "banker_line", 2000),
            BetsClosed(),
        )
        await self.cards(codes)


def started(
    ruleset: str = EZ, *, test: bool = False, options: dict[str, Any] | None = None, bank: tuple[int, ...] | None = None
) -> Started:
    seating = {"seats": [1, 2, 3], "player_dealer": 8, "bank": bank}
    chosen = options or {}
    return Started(__version__, ruleset, load(ruleset).digest_with(chosen), chosen, seating, test)


def play(path: Path, script: Callable[[Play], Awaitable[None]], first: Started | None = None) -> Head:
    """Open the journal, start the table, play the script, close; returns where the journal then ends."""

    async def run() -> Head:
        first_start = first or started()
        with Journal.open(path, site=SITE, table=TABLE, chance=Seeded("evidence")) as journal:
            recorder = Recorder(journal, resolve, SteadyClock(), first_start)
            recorder.snapshot_every = 0  # small journals have snapshots and rotate too
            await recorder.submit(first_start, "daemon")
            await script(Play(recorder))
            return journal.head

    return asyncio.run(run())


def play_ez(path: Path, *hands: Sequence[str], test: bool = False) -> Head:
    """These hands, eight from each shoe."""

    async def script(table: Play) -> None:
        await table.shoe()
        for number, hand in enumerate(hands):
            if number and number % 8 == 0:
                await table.shoe()
            await table.ez_round(hand)

    return play(path, script, started(test=test))


def play_at_random(path: Path, ruleset: str, seed: int, rounds: int = 3) -> Head:
    """A bot plays any game from what the table says it waits for."""
    rng = random.Random(seed)
    setup = msgspec.to_builtins(a_table(rng, all_rulesets()[ruleset]), str_keys=True)

    async def script(table: Play) -> None:
        while table.engine.round_number < rounds:
            pack = Cards(table.engine, rng)
            expectation = table.engine.expectation
            await table.do(answer(expectation, rng, pack.next, name_card=pack.next, look=pack.of), by="bot")

    return play(path, script, Started(__version__, ruleset, load(ruleset).digest_with({}), {}, setup))


def entries(path: Path) -> list[Entry]:
    with JournalReader.read(path) as reader:
        return list(reader.entries())


def forge(path: Path, alter: Callable[[Entry], Entry]) -> None:
    """Alters entries and makes every hash and link fit again: what somebody who knows the program could do."""
    with JournalReader.read(path) as reader:
        head, public, publication = reader.start, reader.public_start, reader.whose.publication
    db = sqlite3.connect(path)
    for entry in entries(path):
        new = alter(entry)
        sealed = seal(head, new.round, new.count, new.input, new.events, salt=new.salt, link=public.link)
        head = sealed.head
        with suppress(msgspec.MsgspecError, ValueError):
            public = publication.after(sealed, test=public.test)
        db.execute("REPLACE INTO entry (n, sealed) VALUES (?, ?)", sealed.row)
    db.commit()
    db.close()
