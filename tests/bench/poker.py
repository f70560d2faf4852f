"""Whole hands of every variant that both know, and seven-card hands, beside PokerKit.

Both play the same hands from the same prepared form: no file is read and no text is parsed while the clock runs. Ours
is fed what a table feeds it (every card on its own, face down or up, with a burn before each street) and makes every
event; PokerKit gets its hole cards by the player and burns by itself.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

from pokerkit import Card as TheirCard
from pokerkit import StandardHighHand

from controller.engine.cards import codes, standard_deck
from controller.engine.ranking import High
from tests.bench.figures import Figure
from tests.bench.measure import in_turns
from tests.phh import our_table
from tests.phh.convert import inputs
from tests.phh.history import History, read, read_folder
from tests.phh.make import FILE
from tests.phh.pokerkit_table import Replay, finishing_stacks

TIMES_POKERKIT = 5
VARIANTS = {
    "NT": "no-limit",
    "FT": "limit hold'em",
    "PO": "pot-limit Omaha",
    "FO/8": "Omaha high-low",
}
"""By the names of PHH."""


def hands_figure(name: str, hands: Sequence[History], repeats: int) -> Figure:
    """So many hands from the blinds to the last chip."""
    fed = [inputs(hand) for hand in hands]
    replays = [Replay(hand) for hand in hands]

    def ours() -> int:
        engine = our_table.new_table(hands[0])
        for values in fed:
            for value in values:
                engine.apply(value)
        return len(hands)

    def theirs() -> int:
        for replay in replays:
            replay.play()
        return len(hands)

    _check(hands)
    with warnings.catch_warnings():
        # PokerKit warns where a card is dealt that it has burned itself.
        warnings.simplefilter("ignore")
        speeds = in_turns({"ours": ours, "theirs": theirs}, repeats)
    return _beside_pokerkit(name, speeds["ours"].best, speeds["ours"].median, speeds["theirs"].best, TIMES_POKERKIT)


def _check(hands: Sequence[History]) -> None:
    """Who is fast must be right first: both come to the stacks that the history tells."""
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
    for source, hands in (("our sample", read(FILE)), ("public histories", public)):
        for variant, title in VARIANTS.items():
            chosen = [hand for hand in hands if hand.variant == variant]
            if chosen:
                yield hands_figure(f"{title} hands, {source}", chosen, repeats)
    yield seven_cards(cards, repeats)


def public_hands(folder: Path | None, most: int) -> list[History]:
    """Public histories from a folder, where one is given."""
    if folder is None:
        return []
    hands = [hand for variant in VARIANTS for hand in read_folder(folder, most, (variant,))]
    if not hands:
        raise SystemExit(f"no hand of {', '.join(VARIANTS.values())} with all cards known in {folder} (*.phh, *.phhs)")
    return hands


def _beside_pokerkit(name: str, best: float, median: float, theirs: float, target: int | None = None) -> Figure:
    ratio = best / theirs
    if target is None:
        return Figure(name, best, median, "PokerKit", theirs, ratio)
    return Figure(name, best, median, "PokerKit", theirs, ratio, f"{target} times", ratio >= target)
