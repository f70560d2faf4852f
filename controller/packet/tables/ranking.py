"""Charts of poker hands: the rows of the chart that ranks them at the table, each with an example that it ranks so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from controller.engine.cards.card import CARDS, JOKER, Card, rank_name
from controller.engine.ranking import HIGH, Badugi, Category, Chart, High, Low, Ranking
from controller.games.ante.caribbean_stud.options import CaribbeanOptions
from controller.games.ante.three_card_holdem.script import QUALIFIES as HOLDEM_QUALIFIES
from controller.games.ante.three_card_holdem.settlement import THREE
from controller.games.ante.three_card_poker.options import ThreeCardOptions
from controller.games.ante.three_card_poker.script import QUALIFIES as THREE_CARD_QUALIFIES
from controller.games.ante.ultimate_holdem.script import QUALIFIES as ULTIMATE_QUALIFIES
from controller.games.poker.core.script import Poker
from controller.packet.document import Block, Grid, Paragraph
from controller.packet.values import words

MEANS: Mapping[Category, str] = {
    Category.FIVE_OF_A_KIND: "five cards of one rank, one of them a joker",
    Category.ROYAL_FLUSH: "the highest straight, all of one suit",
    Category.MINI_ROYAL: "the highest straight, all of one suit",
    Category.STRAIGHT_FLUSH: "cards in sequence, all of one suit",
    Category.FOUR_OF_A_KIND: "four cards of one rank",
    Category.FULL_HOUSE: "three cards of one rank and two of another",
    Category.FLUSH: "all cards of one suit",
    Category.STRAIGHT: "cards in sequence",
    Category.THREE_OF_A_KIND: "three cards of one rank",
    Category.TWO_PAIR: "two cards of one rank and two of another",
    Category.PAIR: "two cards of one rank",
    Category.HIGH_CARD: "none of the other hands",
    Category.BADUGI_4: "four cards of four ranks and four suits",
    Category.BADUGI_3: "three such cards",
    Category.BADUGI_2: "two such cards",
    Category.BADUGI_1: "one card",
}
JOKERS = {
    "none": "There is no joker.",
    "bug": "A joker is an ace, or completes a straight or a flush.",
    "pairs": "A joker pairs a single card or completes a straight or a flush; it makes no three of a kind.",
    "wild": "A joker is any card.",
    "low": "A joker is the card that makes the hand lowest.",
}
_TRIED = 40_000


def chart_of(ranking: Ranking, title: str = "") -> list[Block]:
    """One chart, best hand first."""
    chart = ranking.chart
    rows = tuple(
        (str(n), words(category.value), MEANS[category], _example(ranking, category))
        for n, category in enumerate(_rows(ranking), start=1)
    )
    columns = ("", "hand", "what it is", "example")
    heading = title or f"Ranking: {chart.name}, best hand first"
    return [Grid(heading, columns, rows), Paragraph(" ".join(_remarks(ranking)))]


def of_poker(game: Poker[Any], options: Any) -> list[Block]:
    rankings = game.rankings(options)
    blocks: list[Block] = []
    if rankings.high is not None:
        blocks += chart_of(rankings.high, _half(rankings.high) if rankings.low is not None else "")
    if rankings.low is not None:
        blocks += chart_of(rankings.low, _half(rankings.low) if rankings.high is not None else "")
        if rankings.qualifier is not None:
            text = (
                f"A low hand takes its half only with five different ranks, the highest {rankings.qualifier} or lower."
            )
            blocks.append(Paragraph(text))
    if rankings.high is not None and rankings.low is not None:
        names = f"{rankings.high.chart.name} and the best {rankings.low.chart.name}"
        blocks.append(Paragraph(f"The pot is divided between the best {names}."))
    if rankings.use_hole is not None:
        held = (rankings.use_hole,) if isinstance(rankings.use_hole, int) else rankings.use_hole
        text = f"A hand uses {' or '.join(map(str, held))} of the player's own cards, the others from the board."
        blocks.append(Paragraph(text))
    return blocks


def _half(ranking: Ranking) -> str:
    return f"Ranking for one half of the pot: {ranking.chart.name}, best hand first"


def of_caribbean(options: CaribbeanOptions) -> list[Block]:
    return [*chart_of(HIGH), _qualifies(options.least_hand())]


def of_three_card_poker(options: ThreeCardOptions) -> list[Block]:
    blocks = [*chart_of(options.ranking), _qualifies(THREE_CARD_QUALIFIES)]
    if any(bonus.by == "six_cards" for bonus in options.bonuses.values()):
        blocks += chart_of(HIGH, "Ranking of the best five of six cards, best hand first")
    return blocks


def of_three_card_holdem() -> list[Block]:
    return [*chart_of(THREE), _qualifies(HOLDEM_QUALIFIES)]


def of_ultimate_holdem() -> list[Block]:
    return [*chart_of(HIGH, "Ranking: the best five of seven cards, best hand first"), _qualifies(ULTIMATE_QUALIFIES)]


def _qualifies(least: Sequence[str]) -> Paragraph:
    """The least hand in words: "high card Q", "pair of 4"."""
    category, *ranks = least
    of = {"pair": " of "}.get(category, " ") if ranks else ""
    return Paragraph(f"The player-dealer qualifies with {words(category)}{of}{'-'.join(ranks)} or better.")


def _rows(ranking: Ranking) -> list[Category]:
    """The rows that this deck can make."""
    jokers = getattr(ranking, "jokers", "none")
    return [row for row in ranking.chart.categories if row is not Category.FIVE_OF_A_KIND or jokers != "none"]


def _remarks(ranking: Ranking) -> Iterator[str]:
    chart = ranking.chart
    if chart.lowest_wins:
        yield "The lowest hand wins."
    if isinstance(ranking, Badugi):
        return
    if Category.STRAIGHT in chart.categories:
        order = "" if chart.lowest_wins else ", best first"
        yield f"Straights{order}: {', '.join(_straight(bits) for _, bits in chart.straights)}."
        if chart.wheel == "none" and chart.ranks[-1] == 14:
            yield "The ace with the lowest cards is no straight."
    else:
        yield "Straights and flushes do not count."
    ranks = " ".join(rank_name(rank) for rank in chart.descending)
    yield f"Ranks from high to low: {ranks}."
    if isinstance(ranking, High | Low) and (ranking.jokers != "none" or chart.size != 2):
        yield JOKERS[ranking.jokers]
    if Category.FIVE_OF_A_KIND in _rows(ranking) and isinstance(ranking, High) and ranking.five_of_a_kind == "aces":
        yield "Only aces make five of a kind."


def _straight(bits: int) -> str:
    ranks = [rank for rank in range(14, 1, -1) if bits >> rank & 1]
    is_wheel = ranks[0] == 14 and ranks[1] != 13 and ranks[-1] == 2
    ordered = [*ranks[1:], ranks[0]] if is_wheel else ranks
    return "-".join(rank_name(rank) for rank in ordered)


def _example(ranking: Ranking, category: Category) -> str:
    """The first hand that the ranking itself ranks so, from high cards down; a joker only where it must be."""
    for cards in islice(_hands(ranking.chart, category), _TRIED):
        try:
            if ranking.rank(cards).category is category:
                return " ".join(card.code for card in cards)
        except ValueError:
            continue
    return ""


def _hands(chart: Chart, category: Category) -> Iterator[list[Card]]:
    """Hands that may be of this category, the most likely first."""
    ranks = chart.ranks if chart.lowest_wins else chart.descending
    shapes = {
        Category.FIVE_OF_A_KIND: (4,),
        Category.FOUR_OF_A_KIND: (4,),
        Category.FULL_HOUSE: (3, 2),
        Category.THREE_OF_A_KIND: (3,),
        Category.TWO_PAIR: (2, 2),
        Category.PAIR: (2,),
    }
    suited = category in (Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH, Category.MINI_ROYAL)
    if category in (Category.STRAIGHT, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH, Category.MINI_ROYAL):
        for straight in chart.straights:
            run = [rank for rank in ranks if straight.bits >> rank & 1]
            yield _cards(run, "sssss" if suited else "shdcs")
    elif category.value.startswith("badugi"):
        count = int(category.value[-1])
        yield _cards(ranks[:4], "shdc"[:count] + "shdc"[count - 1] * (4 - count))
    elif category in shapes:
        yield from _groups(chart, ranks, shapes[category], joker=category is Category.FIVE_OF_A_KIND)
    else:
        for skip in range(len(ranks) - chart.size + 1):
            run = [*ranks[: chart.size - 1], ranks[chart.size - 1 + skip]]
            yield _cards(run, "sssss" if suited else "shdcs")


def _groups(chart: Chart, ranks: Sequence[int], shape: tuple[int, ...], *, joker: bool) -> Iterator[list[Card]]:
    held = [CARDS[rank_name(rank) + suit] for rank, n in zip(ranks, shape, strict=False) for suit in "shdc"[:n]]
    if joker:
        yield [*held, CARDS[JOKER]]
        return
    singles = ranks[len(shape) :][: chart.size - len(held)]
    yield [*held, *_cards(singles, "dchs")]


def _cards(ranks: Sequence[int], suits: str) -> list[Card]:
    return [CARDS[rank_name(rank) + suit] for rank, suit in zip(ranks, suits, strict=False)]
