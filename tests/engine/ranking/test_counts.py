"""Every hand of the deck, counted: the categories have the sizes that everybody knows.

Of hands that are alike but for their suits' names one is looked at. That suits tell nothing beyond a flush is shown by
looking at each hand of the natural deck: an eighth of them in every run, others with each commit, and all of them in
`make whole`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations, islice
from typing import NamedTuple

import pytest

from controller.engine.cards.card import RANKS, SUITS, Card, card, standard_deck
from controller.engine.ranking import HIGH, THREE_CARD, High, Rank, Ranking
from tests.support.games.suit_classes import suit_classes
from tests.support.turns import part

JOKER = card("Jo")
BUG = High(jokers="bug")
WILD = High(jokers="wild")

NATURAL = {
    "royal_flush": 4,
    "straight_flush": 36,
    "four_of_a_kind": 624,
    "full_house": 3_744,
    "flush": 5_108,
    "straight": 10_200,
    "three_of_a_kind": 54_912,
    "two_pair": 123_552,
    "pair": 1_098_240,
    "high_card": 1_302_540,
}

WITH_WILD_JOKER = {
    "five_of_a_kind": 13,
    "royal_flush": 24,
    "straight_flush": 180,
    "four_of_a_kind": 3_120,
    "full_house": 6_552,
    "flush": 7_804,
    "straight": 20_532,
    "three_of_a_kind": 137_280,
    "two_pair": 123_552,
    "pair": 1_268_088,
    "high_card": 1_302_540,
}


def counted(ranking: Ranking, hands: Iterable[tuple[Card, ...]]) -> dict[str, int]:
    return by_category(Counter(map(ranking.rank, hands)))


def counted_with_a_joker(ranking: Ranking) -> dict[str, int]:
    """All hands of five cards from a deck with a joker: each hand that has it, and of the others one for all that are
    alike but for their suits' names."""
    ranks = Counter(ranking.rank((*four, JOKER)) for four in combinations(standard_deck(), 4))
    for hand, ways in suit_classes(5):
        ranks[ranking.rank(hand)] += ways
    return by_category(ranks)


def by_category(ranks: Counter[Rank]) -> dict[str, int]:
    totals: Counter[str] = Counter()
    for rank, hands in ranks.items():
        totals[rank.category.value] += hands
    return dict(totals)


def test_all_2_598_960_five_card_hands_fall_into_the_known_categories_and_7_462_values() -> None:
    ranks: Counter[Rank] = Counter()
    for hand, ways in suit_classes(5):
        ranks[HIGH.rank(hand)] += ways
    assert ranks.total() == 2_598_960
    assert len(ranks) == 7_462
    assert by_category(ranks) == NATURAL


@pytest.mark.parametrize("eighth", part(range(8), of=8))
def test_hands_that_are_alike_but_for_the_names_of_their_suits_have_the_same_rank(eighth: int) -> None:
    """Each hand against the same hand with its suits in the order in which they first come."""
    deck = standard_deck()
    hands = islice(combinations(deck, 5), eighth, None, 8)
    assert sum(HIGH.rank(hand) != HIGH.rank(renamed(hand)) for hand in hands) == 0


def renamed(hand: tuple[Card, ...]) -> list[Card]:
    first = "".join(dict.fromkeys(one.code[1] for one in hand))
    return [card(one.code[0] + SUITS[first.index(one.code[1])]) for one in hand]


def test_all_22_100_three_card_hands_fall_into_the_known_categories() -> None:
    assert counted(High(THREE_CARD), combinations(standard_deck(), 3)) == {
        "royal_flush": 4,
        "straight_flush": 44,
        "three_of_a_kind": 52,
        "straight": 720,
        "flush": 1_096,
        "pair": 3_744,
        "high_card": 16_440,
    }


def test_all_2_869_685_hands_with_a_fully_wild_joker_fall_into_the_known_categories() -> None:
    assert sum(WITH_WILD_JOKER.values()) == 2_869_685
    assert counted_with_a_joker(WILD) == WITH_WILD_JOKER


def test_all_2_869_685_hands_with_a_bug_fall_into_the_categories_that_substitution_gives(
    joker_hands: list[JokerHand],
) -> None:
    expected = Counter(NATURAL)
    for joker_hand in joker_hands:
        expected[joker_hand.bug[0]] += joker_hand.weight
    assert expected.total() == 2_869_685
    assert counted_with_a_joker(BUG) == dict(expected)


def test_a_joker_is_worth_the_best_card_that_may_be_put_in_its_place(joker_hands: list[JokerHand]) -> None:
    for joker_hand in joker_hands:
        assert written(BUG, joker_hand.natural) == joker_hand.bug
        assert written(WILD, joker_hand.natural) == joker_hand.wild


@pytest.fixture(scope="module")
def joker_hands() -> list[JokerHand]:
    return [JokerHand(hand, weight, *with_joker(hand)) for hand, weight in four_card_hands().items()]


# An evaluator of its own, slow and plain, that knows nothing of jokers: it tries every card in the joker's place.

Natural = tuple[int, int]
Hand = tuple[Natural, ...]

DECK: Hand = tuple((rank, suit) for suit in range(4) for rank in range(2, 15))


class JokerHand(NamedTuple):
    """Four natural cards beside a joker, how many hands are alike but for their suits, and what they are worth."""

    natural: Hand
    weight: int
    bug: list[str]
    wild: list[str]


ORDER = [
    "high_card",
    "pair",
    "two_pair",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
    "five_of_a_kind",
]
BY_SHAPE = {
    (5,): "five_of_a_kind",
    (4, 1): "four_of_a_kind",
    (3, 2): "full_house",
    (3, 1, 1): "three_of_a_kind",
    (2, 2, 1): "two_pair",
    (2, 1, 1, 1): "pair",
}
COMPLETED = {"straight", "flush", "straight_flush", "royal_flush"}


def plainly(hand: Hand) -> tuple[int, list[int]]:
    """The place of five natural cards in `ORDER`, and the ranks that break ties."""
    grouped = sorted(Counter(rank for rank, _ in hand).items(), key=lambda group: (group[1], group[0]), reverse=True)
    ranks = [rank for rank, _ in grouped]
    if len(ranks) < 5:
        return ORDER.index(BY_SHAPE[tuple(count for _, count in grouped)]), ranks
    flush = len({suit for _, suit in hand}) == 1
    top = 5 if ranks == [14, 5, 4, 3, 2] else ranks[0] if ranks[0] - ranks[4] == 4 else None
    if flush and top == 14:
        return ORDER.index("royal_flush"), []
    if top:
        return ORDER.index("straight_flush" if flush else "straight"), [top]
    return ORDER.index("flush" if flush else "high_card"), ranks


def with_joker(hand: Hand) -> tuple[list[str], list[str]]:
    """What four cards and a joker are worth: the joker as a bug, and fully wild."""
    wild = [plainly((*hand, other)) for other in DECK if other not in hand]
    bug = [plainly((*hand, (14, suit))) for suit in range(4) if (14, suit) not in hand]
    bug += [value for value in wild if ORDER[value[0]] in COMPLETED]
    if len({rank for rank, _ in hand}) == 1:
        five_of_a_kind = plainly((*hand, hand[0]))
        wild.append(five_of_a_kind)
        if hand[0][0] == 14:
            bug.append(five_of_a_kind)
    return document(max(bug)), document(max(wild))


def document(value: tuple[int, list[int]]) -> list[str]:
    return [ORDER[value[0]], *(RANKS[rank - 2] for rank in value[1])]


def written(ranking: Ranking, hand: Hand) -> list[str]:
    return ranking.rank([*(card(RANKS[rank - 2] + SUITS[suit]) for rank, suit in hand), JOKER]).document()


def four_card_hands() -> dict[Hand, int]:
    """One hand for each class of hands that differ only in the names of their suits, with the size of the class."""
    first: dict[tuple[tuple[int, ...], ...], Hand] = {}
    weights: Counter[Hand] = Counter()
    for hand in combinations(DECK, 4):
        by_suit = tuple(sorted(tuple(rank for rank, suit in hand if suit == own) for own in range(4)))
        weights[first.setdefault(by_suit, hand)] += 1
    return dict(weights)
