"""Pai gow with cards and with tiles: two hands each, asked of the ranking that the table uses."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from typing import get_args

from controller.engine.cards.card import CARDS
from controller.games.pai_gow.options import PaiGowOptions
from controller.games.pai_gow.settlement import Verdict, outcome
from controller.games.pai_gow_tiles.options import TileOptions
from controller.games.pai_gow_tiles.tiles import GONG, PAIR, SINGLE_ORDER, WONG, tile_set
from controller.packet.document import Block, Grid, Paragraph
from controller.packet.tables.ranking import chart_of
from controller.packet.values import words


def tables(options: PaiGowOptions) -> list[Block]:
    ranking = options.ranking
    return [
        *chart_of(ranking.back, "Ranking of the back hand, five cards, best first"),
        *chart_of(ranking.front, "Ranking of the front hand, two cards, best first"),
        Paragraph(
            "Seven cards are set as a front hand of two and a back hand of five; the back must outrank the front."
        ),
        Grid("The base wager", ("front", "back", "wager"), tuple(_compared())),
    ]


def _compared() -> Iterator[tuple[str, ...]]:
    """Both hands against the player-dealer's, and what that means for the wager."""
    for front, back in product(get_args(Verdict), repeat=2):
        yield words(front), words(back), outcome({"front": front, "back": back})


def tile_tables(options: TileOptions) -> list[Block]:
    ranking, names = options.ranking, options.names
    copies = tile_set()
    tiles = tuple(
        (str(n), name, ", ".join(f"{code} (twice)" if copies[code] == 2 else code for code in codes))
        for n, (name, codes) in enumerate(zip(names.ranks, SINGLE_ORDER, strict=True), start=1)
    )
    pairs: dict[int, list[tuple[int, str, str]]] = {}
    for one, other in combinations_with_replacement(copies, 2):
        if one == other and copies[one] < 2:
            continue
        rank = ranking.rank([CARDS[one], CARDS[other]])
        kind, *of = ranking.document([CARDS[one], CARDS[other]])
        pairs.setdefault(rank.kind, []).append((rank.high, " ".join([kind, *of]), f"{one} with {other}"))
    rows = [
        (name, said, cards)
        for kind, name in ((PAIR, "pair"), (WONG, "Wong"), (GONG, "Gong"))
        for _, said, cards in sorted(pairs[kind], reverse=True)
    ]
    return [
        Grid("The tiles, best first", ("", "name", "tiles"), tiles),
        Grid("Hands of two tiles above all points, best first", ("", "hand", "tiles"), tuple(rows)),
        Paragraph(
            "Every other hand counts the last digit of its spots, nine is best; equal points go by the higher tile. An "
            "equal hand, and zero against zero, is the player-dealer's. Four tiles are set as a low and a high hand; "
            "the wager wins if both win, loses if both lose, and is a push otherwise."
        ),
    ]
