"""What must hold for any hand, on any chart, with any joker."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.engine.cards.card import RANKS, Card, card, standard_deck
from controller.engine.ranking import (
    ACE_TO_FIVE,
    CHINESE_FRONT,
    DEUCE_TO_SEVEN,
    FORTUNE,
    HIGH,
    MEXICAN,
    STANDARD,
    THREE_CARD,
    TWO_CARD,
    Badugi,
    High,
    Low,
    Ranking,
)

JOKER = card("Jo")
DECK = standard_deck()

CHARTS = [STANDARD, replace(STANDARD, wheel="second"), FORTUNE, MEXICAN, THREE_CARD, CHINESE_FRONT, TWO_CARD]
RANKINGS: list[High | Low] = [
    *(High(chart) for chart in CHARTS),
    *(High(chart, jokers="bug") for chart in CHARTS),
    *(High(chart, jokers="wild") for chart in CHARTS),
    High(jokers="bug", five_of_a_kind="none"),
    High(jokers="wild", five_of_a_kind="aces"),
    High(jokers="wild", flush_pairs=True),
    High(replace(THREE_CARD, suited_wheel="flush")),
    Low(ACE_TO_FIVE, jokers="low"),
    Low(DEUCE_TO_SEVEN, jokers="low"),
]


def deck_of(ranking: High | Low) -> list[Card]:
    deck = [c for c in DECK if c.rank in ranking.chart.ranks]
    return deck if ranking.jokers == "none" else [*deck, JOKER, JOKER]


@st.composite
def dealt(draw: st.DrawFn, at_most: int = 8) -> tuple[Ranking, list[Card]]:
    """A ranking and cards for it, more often of few suits or ranks than chance would deal them."""
    ranking = draw(st.sampled_from(RANKINGS))
    deck = deck_of(ranking)
    suits = draw(st.sampled_from(["cdhs", "ch", "h"]))
    ranks = draw(st.sampled_from([RANKS, "A23456", "TJQKA7", "A9"]))
    crowd = [c for c in deck if c.is_joker or (c.code[1] in suits and c.code[0] in ranks)]
    indices = draw(
        st.lists(
            st.one_of(st.integers(0, len(deck) - 1), st.sampled_from([deck.index(c) for c in crowd] or [0])),
            min_size=ranking.chart.size,
            max_size=at_most,
            unique=True,
        )
    )
    return ranking, [deck[i] for i in indices]


@settings(max_examples=500, deadline=None)
@given(dealt())
def test_the_best_of_n_is_the_best_of_all_its_hands(hand: tuple[Ranking, list[Card]]) -> None:
    ranking, cards = hand
    fives = combinations(cards, ranking.chart.size)
    assert ranking.rank(cards).document() == max(map(ranking.rank, fives)).document()


@given(st.lists(st.sampled_from(DECK), min_size=7, max_size=7, unique=True))
def test_the_best_of_seven_is_the_best_of_its_twenty_one_fives(cards: list[Card]) -> None:
    assert HIGH.rank(cards) == max(map(HIGH.rank, combinations(cards, 5)))


@settings(deadline=None)
@given(dealt(), st.randoms(use_true_random=False))
def test_the_order_in_which_cards_came_does_not_matter(hand: tuple[Ranking, list[Card]], random: Random) -> None:
    ranking, cards = hand
    shuffled = list(cards)
    random.shuffle(shuffled)
    assert ranking.rank(shuffled) == ranking.rank(cards)


@settings(deadline=None)
@given(dealt(at_most=7))
def test_the_cards_of_the_best_hand_are_a_hand_of_that_value(hand: tuple[Ranking, list[Card]]) -> None:
    ranking, cards = hand
    best = ranking.best_cards(cards)
    assert len(best) == ranking.chart.size
    assert [cards.count(c) >= best.count(c) for c in best] == [True] * len(best)
    assert ranking.rank(best) == ranking.rank(cards)


@given(st.lists(st.sampled_from(DECK), min_size=7, max_size=7, unique=True))
def test_playing_the_board_means_that_every_best_five_is_the_board(cards: list[Card]) -> None:
    hole, board = cards[:2], cards[2:]
    best = HIGH.rank(cards)
    best_fives = {frozenset(five) for five in combinations(cards, 5) if HIGH.rank(five) == best}
    assert HIGH.plays_board(hole, board) == (best_fives == {frozenset(board)})


@given(st.lists(st.sampled_from(DECK), min_size=9, max_size=9, unique=True))
def test_omaha_is_the_best_of_its_sixty_hands(cards: list[Card]) -> None:
    hole, board = cards[:4], cards[4:]
    hands = [(*own, *common) for own in combinations(hole, 2) for common in combinations(board, 3)]
    assert len(hands) == 60
    for ranking in (HIGH, Low(ACE_TO_FIVE)):
        assert ranking.best(hole, board, use_hole=2) == max(map(ranking.rank, hands))


@given(st.lists(st.sampled_from(DECK), min_size=4, max_size=4, unique=True))
def test_the_joker_of_ace_to_five_is_the_lowest_rank_not_in_the_hand(cards: list[Card]) -> None:
    held = {c.code[0] for c in cards}
    lowest_missing = next(rank for rank in "A23456" if rank not in held)
    stands_for = next(c for c in DECK if c.code[0] == lowest_missing)
    low = Low(ACE_TO_FIVE, jokers="low")
    assert low.rank([*cards, JOKER]) == low.rank([*cards, stands_for])


@given(st.lists(st.sampled_from(DECK), min_size=4, max_size=4, unique=True))
def test_the_joker_of_deuce_to_seven_is_the_card_that_makes_the_hand_lowest(cards: list[Card]) -> None:
    low = Low(DEUCE_TO_SEVEN, jokers="low")
    assert low.rank([*cards, JOKER]) == max(low.rank([*cards, other]) for other in DECK if other not in cards)


@given(st.lists(st.sampled_from(DECK), min_size=1, max_size=5, unique=True))
def test_a_badugi_hand_is_the_best_of_all_its_parts(cards: list[Card]) -> None:
    badugi = Badugi()
    parts = [part for size in range(1, len(cards) + 1) for part in combinations(cards, size)]
    assert badugi.rank(cards) == max(map(badugi.rank, parts))
    best = badugi.best_cards(cards)
    assert len({c.suit for c in best}) == len({c.rank for c in best}) == len(best)
    assert badugi.rank(best) == badugi.rank(cards)
