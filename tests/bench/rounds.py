"""EZ Baccarat with seven betting seats: a journal verified, the bare engine, a recorder that makes every input durable.

A round is the player-dealer's money, seven wagers, "no more bets" and four to six cards from a shoe that numbers what
it reports, as a real one does: about fourteen inputs.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from controller.clock import SystemClock
from controller.engine.cards.card import codes, standard_deck
from controller.engine.events import encode_events
from controller.engine.inputs import (
    BankPosted,
    BetsClosed,
    CardOut,
    Input,
    ShoeStarted,
    Started,
    WagerPlaced,
    decode_input,
    encode_input,
)
from controller.engine.table.engine import TableEngine
from controller.evidence.rerun import Rerunning
from controller.evidence.verify import verify
from controller.games.baccarat import third_card
from controller.games.baccarat.ez_script import is_dragon_7, is_panda_8
from controller.games.baccarat.script import LINES
from controller.journal import Append, Commit, Journal, JournalReader
from controller.recorder.recorder import Recorder, first_engine
from controller.rules import resolve
from tests.bench.compiled import CompiledTable
from tests.bench.figures import Figure
from tests.bench.measure import in_turns
from tests.support.games.who_banks import NOBODY, is_offered

RULESET = "bankers-ez-baccarat-panda-8"
DECKS = 8
SEATS = tuple(range(1, 8))
CUT_CARD_AT = 14
"""Cards left in the shoe when the next round needs a new one."""
ROUNDS_A_SECOND = 12_000
PART_OF_BARE_LOOP = 25
GROUP = 256


def first_input() -> Started:
    setup = {"seats": SEATS, "player_dealer": 8, "min_wager": 500, "max_wager": 50_000}
    return Started("bench", RULESET, resolve(RULESET, {}).digest, {}, setup)


def evening(engine: TableEngine[Any], rounds: int, seed: int, step_ms: int = 1) -> Iterator[Input]:
    """What happens at this table, an input in `step_ms`; each is applied before the next one is asked for.

    Only the engine knows when a round has all its cards.
    """
    rng = random.Random(seed)
    shoe: list[str] = []
    clock, device_events = itertools.count(1_760_000_000_000, step_ms), itertools.count(1)
    yield Input(next(clock), "daemon", first_input())
    for _ in range(rounds):
        if is_offered(engine):
            yield Input(next(clock), "dealer", NOBODY)
        if len(shoe) < CUT_CARD_AT:
            shoe = codes(standard_deck()) * DECKS
            rng.shuffle(shoe)
            yield Input(next(clock), "dealer", ShoeStarted(DECKS))
        yield Input(next(clock), "dealer", BankPosted((2_000_000,)))
        for seat in SEATS:
            cents = rng.randrange(5, 100) * 100
            yield Input(next(clock), "dealer", WagerPlaced(seat, rng.choice(LINES), cents))
        yield Input(next(clock), "dealer", BetsClosed())
        before = engine.last
        while engine.last is before:
            yield Input(next(clock), "device:shoe", CardOut(shoe.pop()), f"7f03:{next(device_events)}")


async def write_journal(path: Path, rounds: int, seed: int = 1) -> None:
    """The journal of such an evening, in large commits: how it was written makes no difference to `verify`."""
    engine = first_engine(RULESET, {}, resolve)
    journal = Journal.open(path, site="bench", table="t-1")
    try:
        commits: list[Commit] = []
        for value in evening(engine, rounds, seed):
            events = engine.apply(value)
            new = Append(engine.round_number, encode_input(value), encode_events(events), len(events), None)
            commits.append(journal.writer.commit(new))
            if len(commits) == GROUP:
                await asyncio.gather(*commits)
                commits.clear()
        await asyncio.gather(*commits)
    finally:
        journal.close()


def coup(points: tuple[int, ...]) -> tuple[str, bool, bool]:
    """One round by the drawing rules alone: the very functions of the game's script, on six points."""
    player, banker = (points[0] + points[2]) % 10, (points[1] + points[3]) % 10
    player_cards = banker_cards = 2
    if not third_card.is_natural(player, banker):
        rest = list(points[4:])
        third: int | None = None
        if third_card.player_draws(player):
            third = rest.pop(0)
            player, player_cards = (player + third) % 10, 3
        if third_card.banker_draws(banker, third):
            banker, banker_cards = (banker + rest.pop(0)) % 10, 3
    return (
        third_card.winner(player, banker),
        is_dragon_7(player, banker, banker_cards),
        is_panda_8(player, banker, player_cards),
    )


def figures(folder: Path, rounds: int, repeats: int) -> Iterator[Figure]:
    """A journal verified, and the engine alone."""
    path = folder / "rounds.db"
    asyncio.run(write_journal(path, rounds))
    with JournalReader.read(path) as reader:
        inputs = [decode_input(entry.input) for entry in reader.entries()]
    rng = random.Random(2)
    points = [tuple(rng.choices(list(third_card.POINTS.values()), k=6)) for _ in range(rounds)]

    def rerun() -> int:
        with JournalReader.read(path) as reader:
            again = Rerunning(reader, resolve)
            for page in reader.whole_pages():
                again.feed(page)
        return rounds

    def command() -> int:
        verdict = verify(path, resolve)
        assert verdict.is_whole, verdict.findings
        return rounds

    def bare() -> int:
        for six in points:
            coup(six)
        return rounds

    def engine() -> int:
        table = first_engine(RULESET, {}, resolve)
        for value in inputs:
            table.apply(value)
        return len(inputs)

    runs = {"rerun": rerun, "command": command, "bare": bare, "engine": engine}
    with CompiledTable.where_built() as compiled:
        if compiled is not None:
            runs["compiled"] = lambda: compiled.verify(path, rounds)
        speeds = in_turns(runs, repeats, lambda: time.process_time() + (0.0 if compiled is None else compiled.spent))
    bare_loop = speeds["bare"]
    due = min(ROUNDS_A_SECOND, bare_loop.best / PART_OF_BARE_LOOP)
    runs_shown = {
        "cutcard verify": "compiled",
        "cutcard verify, from the sources": "command",
        "chain and re-run, from the sources": "rerun",
    }
    for name, run in runs_shown.items():
        speed = speeds.get(run)
        if speed is None:
            continue
        # The target is for what a cardroom installs: the compiled engine, where it could be built.
        is_judged = run == "compiled" or "compiled" not in speeds
        yield Figure(
            f"EZ rounds, {name}",
            speed.best,
            speed.median,
            "bare drawing rules",
            bare_loop.best,
            speed.best / bare_loop.best,
            f"{due:,.0f}/s" if is_judged else "",
            speed.best >= due if is_judged else None,
            worse="smaller",
        )
    yield Figure("engine inputs of EZ rounds", speeds["engine"].best, speeds["engine"].median)


async def durable_rounds(folder: Path, rounds: int) -> Figure:
    """Rounds through a recorder: every input is on the disk before the next one comes."""
    journal = Journal.open(folder / "recorder.db", site="bench", table="t-1")
    try:
        recorder = Recorder(journal, resolve, SystemClock(), first_input())
        began = time.perf_counter()
        for value in evening(recorder.engine, rounds, seed=1):
            await recorder.submit(value.body, value.by, value.ref)
        speed = rounds / (time.perf_counter() - began)
    finally:
        journal.close()
    return Figure("EZ rounds recorded, each input durable", speed, speed)
