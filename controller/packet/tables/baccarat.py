"""Baccarat: points, naturals and the third-card table, asked of the functions that the scripts use."""

from __future__ import annotations

from typing import Any

from controller.engine.cards.card import rank_name
from controller.engine.round.game import Game
from controller.games.baccarat.options import BaccaratOptions, RoyaleOptions
from controller.games.baccarat.third_card import POINTS, banker_draws, is_natural, player_draws
from controller.packet.document import Block, Grid, Paragraph
from controller.packet.values import runs

TOTALS = range(10)
DRAWS, STANDS = "draws", "stands"


def tables(game: Game[Any], options: BaccaratOptions) -> list[Block]:
    bank = getattr(game, "bank_hand", "banker")
    by_points: dict[int, list[str]] = {}
    for rank, points in POINTS.items():
        by_points.setdefault(points, []).append(rank_name(rank))
    counts = Grid(
        "Points of a card",
        ("points", "cards"),
        tuple((str(points), " ".join(ranks)) for points, ranks in sorted(by_points.items())),
    )
    naturals = " or ".join(str(total) for total in TOTALS if is_natural(total, 0))
    ends = Paragraph(
        "A hand counts the last digit of the sum of its points; the higher count wins. "
        f"A total of {naturals} on the first two cards of either hand is a natural, and nobody draws."
    )
    player = Grid(
        "The player hand's third card",
        ("total of two cards", ""),
        tuple((str(total), DRAWS if player_draws(total) else STANDS) for total in TOTALS if not is_natural(total, 0)),
    )
    thirds = (*TOTALS, None)
    table = Grid(
        f"The {bank} hand's third card, by the points of the player hand's third card",
        (f"{bank} total", *("player stood" if third is None else str(third) for third in thirds)),
        tuple(
            (str(total), *("D" if banker_draws(total, third) else "S" for third in thirds))
            for total in TOTALS
            if not is_natural(0, total)
        ),
    )
    blocks: list[Block] = [counts, ends, player, table, Paragraph(f"D: {DRAWS}, S: {STANDS}.")]
    if isinstance(options, RoyaleOptions):
        counts_at = runs(options.option_cards)
        blocks.append(Paragraph(f"On five each bettor chooses, where the open card of the {bank} counts {counts_at}."))
    return blocks
