"""Journals for the evidence tests, made as a table makes them: a desk over a real journal."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path

from controller.desk import Desk, Outcome
from controller.engine import bot
from controller.engine.inputs import (
    AnyBody,
    BankPosted,
    BetsClosed,
    CardOut,
    ShoeStarted,
    Started,
    TableSet,
    WagerPlaced,
)
from controller.engine.table import TableEngine
from controller.journal import Entry, Head, Journal, JournalReader
from controller.journal.chain import genesis, seal
from controller.rules import load, resolve

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

    def now_ms(self) -> int:
        self.now += 1000
        return self.now

    def heard(self, uptime_ms: int) -> None:
        """Nobody tells it the time."""


class Play:
    """A table to play on; everything lands in its journal."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    @property
    def engine(self) -> TableEngine[object]:
        return self.desk.engine

    async def do(self, *bodies: AnyBody, by: str = "dealer") -> Outcome:
        for body in bodies:
            outcome = await self.desk.submit(body, by)
        return outcome

    async def cards(self, codes: Iterable[str | None]) -> None:
        for code in codes:
            await self.do(CardOut(code), by="device:shoe")

    async def shoe(self) -> None:
        await self.do(ShoeStarted(8), by="device:shoe")

    async def ez_round(self, codes: Sequence[str] = PLAYER_WINS) -> None:
        """Seat 1 bets $10 on Player and $5 on the tie, seat 2 $20 on Banker."""
        await self.do(
            BankPosted((100_000,)),
            WagerPlaced(1, "player_line", 1000),
            WagerPlaced(1, "tie", 500),
            WagerPlaced(2, "banker_line", 2000),
            BetsClosed(),
        )
        await self.cards(codes)


def started(ruleset: str = EZ, *, test: bool = False, **setup: object) -> Started:
    seating = {"seats": [1, 2, 3], "player_dealer": 8, **setup}
    return Started("0.1.0", ruleset, load(ruleset).digest_with({}), {}, seating, test)


def play(path: Path, script: Callable[[Play], Awaitable[None]], first: Started | None = None) -> Head:
    """Open the journal, start the table, play the script, close; gives where the journal then stands."""

    async def run() -> Head:
        first_start = first or started()
        with Journal.open(path, site=SITE, table=TABLE) as journal:
            desk = Desk(journal, resolve, SteadyClock(), first_start)
            await desk.submit(first_start, "daemon")
            await script(Play(desk))
            return journal.head

    return asyncio.run(run())


def play_ez(path: Path, *hands: Sequence[str], test: bool = False) -> Head:
    """One shoe, these hands."""

    async def script(table: Play) -> None:
        await table.shoe()
        for hand in hands:
            await table.ez_round(hand)

    return play(path, script, started(test=test))


def play_at_random(path: Path, ruleset: str, rounds: int, seed: int) -> Head:
    """A bot plays any game; a table that is held or waits for what the bot cannot know is voided by the floor."""
    rng = random.Random(seed)

    async def script(table: Play) -> None:
        deck: list[str] = []

        def next_card() -> str:
            if not deck:
                counts = table.engine.game.deck(table.engine.options) or {}
                deck.extend(code for code, count in counts.items() for _ in range(count))
                rng.shuffle(deck)
            return deck.pop()

        while table.engine.round_number < rounds or (table.engine.round is not None and table.engine.round.begun):
            before = table.engine.round_number
            body = bot.answer(table.engine.expectation, rng, next_card, name_card=next_card)
            await table.do(body, by="bot")
            if table.engine.round is None or not table.engine.round.begun:
                uses_shoe = table.engine.game.uses_shoe
                if not uses_shoe or before == 0:
                    deck.clear()

    return play(path, script, started(ruleset))


def entries(path: Path) -> list[Entry]:
    with JournalReader.read(path) as reader:
        return list(reader.entries())


def change(path: Path, statement: str, *values: object) -> None:
    """What somebody with access to the board could do."""
    db = sqlite3.connect(path)
    db.execute(statement, values)
    db.commit()
    db.close()


def forge(path: Path, alter: Callable[[Entry], Entry]) -> None:
    """Alters entries and makes every hash fit again: what somebody who knows the program could do."""
    head = genesis(SITE, TABLE)
    db = sqlite3.connect(path)
    for entry in entries(path):
        new = alter(entry)
        sealed = seal(head, new.round, new.count, new.input, new.events)
        head = sealed.head
        db.execute(
            "UPDATE entry SET round = ?, input = ?, events = ?, first_seq = ?, count = ?, hash = ? WHERE n = ?",
            (sealed.round, sealed.input, sealed.events, sealed.first_seq, sealed.count, sealed.hash, sealed.n),
        )
    db.commit()
    db.close()
