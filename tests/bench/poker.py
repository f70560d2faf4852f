"""Whole hands of every variant that both know, and seven-card hands, beside PokerKit.

Both play the same hands from the same prepared form: no file is read and no text is parsed while the clock runs. Ours
is fed what a table feeds it (every card on its own, face down or up, with a burn before each street) and makes every
event; PokerKit gets its hole cards by the player and burns by itself.
"""

from __future__ import annotations

import gc
import random
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace
from pokerkit import Card as TheirCard
from pokerkit import StandardHighHand

from controller.engine.cards.card import codes, standard_deck
from controller.engine.inputs import Input
from controller.engine.ranking import High
from controller.engine.round import kernel
from controller.engine.table.engine import TableEngine
from tests.bench import compiled
from tests.bench.figures import Figure
from tests.bench.measure import in_turns
from tests.games.poker.phh import make, make_stud_draw, our_table
from tests.games.poker.phh.convert import OURS, inputs
from tests.games.poker.phh.history import History, read, read_folder
from tests.games.poker.phh.pokerkit_table import Replay, finishing_stacks, is_playable

TIMES_POKERKIT = 5
HANDS_A_RUN = 20
"""At the least, few histories being played several times: a run of some milliseconds says more of the machine."""
VARIANTS = {
    "NT": "no-limit",
    "FT": "limit hold'em",
    "PO": "pot-limit Omaha",
    "FO/8": "Omaha high-low",
    "F7S": "seven-card stud",
    "F7S/8": "seven-card stud high-low",
    "FR": "Razz",
    "F2L3D": "deuce to seven, three draws",
    "N2L1D": "deuce to seven, one draw",
    "FB": "Badugi",
}
"""By the names of PHH."""


def hands_figure(name: str, hands: Sequence[History], repeats: int) -> Figure:
    """Hands from the blinds to the last chip, one after the other at a table that is already built."""
    _check(hands)
    times = -(-HANDS_A_RUN // len(hands))
    engine, fed = _fed(hands)
    replays = [Replay(hand) for hand in hands]

    def ours() -> int:
        before = engine.round_number
        for _ in range(times):
            for values in fed:
                for value in values:
                    engine.apply(value)
        return engine.round_number - before

    def theirs() -> int:
        for _ in range(times):
            for replay in replays:
                replay.play()
        return times * len(hands)

    # As the daemon does once it is ready: the collector leaves alone what was loaded before, for both.
    gc.collect()
    gc.freeze()
    try:
        with warnings.catch_warnings():
            # PokerKit warns where a card is dealt that it has burned itself.
            warnings.simplefilter("ignore")
            speeds = in_turns({"ours": ours, "theirs": theirs}, repeats, time.process_time)
    finally:
        gc.unfreeze()
    assert engine.round_number == (1 + repeats) * times * len(hands), "a hand was not dealt to its end"
    return _beside_pokerkit(name, speeds["ours"].best, speeds["ours"].median, speeds["theirs"].best, TIMES_POKERKIT)


def _fed(hands: Sequence[History]) -> tuple[TableEngine[Any], list[list[Input]]]:
    """A table for these hands of one game, and what it is fed for each of them, the setting of the table first."""
    if hands[0].variant in OURS:
        return our_table.new_table(hands[0]), [inputs(hand) for hand in hands]
    tables = [our_table.listened(hand) for hand in hands]
    for table in tables:
        table.finishing_stacks()
    return tables[0].fresh_table(), [table.fed for table in tables]


def _check(hands: Sequence[History]) -> None:
    """A fast result must be right first: both come to the stacks that the history records."""
    for hand in hands:
        assert our_table.finishing_stacks(hand) == finishing_stacks(hand) == hand.finishing_stacks, hand


def seven_cards(count: int, repeats: int) -> Figure:
    """The best five of two hole cards and a board; every run has new deals, since ours remembers what it has ranked."""
    rng = random.Random(3)
    deck = standard_deck()
    deals = iter([[rng.sample(deck, 7) for _ in range(count)] for _ in range(repeats + 1)])
    few = [rng.sample(deck, 7) for _ in range(max(1, count // 20))]
    parsed = [tuple(tuple(TheirCard.parse("".join(codes(part)))) for part in (deal[:2], deal[2:])) for deal in few]
    high = High()

    def ours() -> int:
        for deal in next(deals):
            high.best(deal[:2], deal[2:])
        return count

    def theirs() -> int:
        for hole, board in parsed:
            StandardHighHand.from_game(hole, board)
        return len(parsed)

    speeds = in_turns({"ours": ours, "theirs": theirs}, repeats)
    return _beside_pokerkit(
        "seven-card hands ranked", speeds["ours"].best, speeds["ours"].median, speeds["theirs"].best
    )


def figures(public: Sequence[History], cards: int, repeats: int) -> Iterator[Figure]:
    sample = [hand for file in (make.FILE, make_stud_draw.FILE) for hand in read(file)]
    sources = {"our sample": sample, "public histories": list(public)}
    # The target is for what a cardroom installs: the compiled engine, where it could be built.
    as_installed = list(compiled_figures(sources, repeats))
    yield from as_installed
    for figure in by_variant(sources, repeats):
        yield replace(figure, name=f"{figure.name}, from the sources", target="", met=None) if as_installed else figure
    yield seven_cards(cards, repeats)


def by_variant(sources: Mapping[str, Sequence[History]], repeats: int) -> Iterator[Figure]:
    for source, hands in sources.items():
        for variant, title in VARIANTS.items():
            chosen = [hand for hand in hands if hand.variant == variant]
            if chosen:
                yield hands_figure(f"{title} hands, {source}", chosen, repeats)


def compiled_figures(sources: Mapping[str, Sequence[History]], repeats: int) -> Iterator[Figure]:
    """The same hands in a process that has the compiled engine, where it is built; PokerKit plays in turns there."""
    if not compiled.is_built():
        return
    command = [sys.executable, "-m", "tests.bench.poker", str(repeats)]
    done = subprocess.run(
        command,
        cwd=compiled.FOLDER,
        env=compiled.environment(compiled.FOLDER),
        input=msgspec.json.encode(sources),
        stdout=subprocess.PIPE,
        check=True,
    )
    yield from msgspec.json.decode(done.stdout, type=list[Figure])


def main() -> None:
    """In the process with the compiled engine: hands come in, figures go out."""
    assert not kernel.__file__.endswith(".py"), f"{kernel.__file__} is not compiled"
    sources = msgspec.json.decode(sys.stdin.buffer.read(), type=dict[str, list[History]])
    figures = list(by_variant(sources, int(sys.argv[1])))
    sys.stdout.buffer.write(msgspec.json.encode(figures))


def public_hands(folder: Path | None, most: int) -> list[History]:
    """Public histories from a folder, where one is given."""
    if folder is None:
        return []
    hands = [hand for hand in read_folder(folder, most, VARIANTS) if is_playable(hand)]
    if not hands:
        raise SystemExit(f"no hand of {', '.join(VARIANTS.values())} with all cards known in {folder} (*.phh, *.phhs)")
    return hands


def _beside_pokerkit(name: str, best: float, median: float, theirs: float, target: int | None = None) -> Figure:
    ratio = best / theirs
    if target is None:
        return Figure(name, best, median, "PokerKit", theirs, ratio, worse="smaller")
    return Figure(name, best, median, "PokerKit", theirs, ratio, f"{target} times", ratio >= target, worse="smaller")


if __name__ == "__main__":
    main()
