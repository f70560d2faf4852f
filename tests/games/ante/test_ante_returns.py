"""What the bonus bets of the ante games give back: every hand counted by our own ranking, and once more without it.

Hands that differ only by their suits' names are worth the same, so few of them are looked at: 134,459 for all 2,598,960
of five cards; for six and seven, a hand without five cards of a suit is worth what its ranks are worth, and one with
five of them what those are worth. The second count knows nothing of our charts: it looks at ranks and runs naively.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import comb

import pytest

from controller.engine.cards.card import RANKS, SUITS, Card, card, standard_deck
from controller.engine.money.bank import Odds
from controller.engine.ranking import HIGH, Category
from controller.games.ante.caribbean_stud.options import CaribbeanOptions
from controller.games.ante.three_card_holdem.options import ThreeCardHoldemOptions
from controller.games.ante.three_card_holdem.settlement import pair_or_suited, straight_or_up
from controller.games.ante.three_card_poker.options import ThreeCardOptions
from controller.games.ante.ultimate_holdem.options import UthOptions
from controller.rules import load
from tests.support.games.suit_classes import suit_classes

Counts = dict[str, int]
THREE_CARD_RULESETS = {
    "bankers-three-card-poker": "bonus",
    "bankers-three-card-poker-6-card-bonus": "pair_plus",
    "calgrand-three-card-poker": "bonus",
    "calgrand-three-card-poker-1-3": "bonus",
    "turlock-three-card-poker": "bonus",
    "turlock-three-card-poker-6-card-bonus": "pair_plus",
}
SIX_CARDS = {
    "royal_flush": 188,
    "straight_flush": 1_656,
    "four_of_a_kind": 14_664,
    "full_house": 165_984,
    "flush": 205_792,
    "straight": 361_620,
    "three_of_a_kind": 732_160,
    "two_pair": 2_532_816,
    "pair": 9_730_740,
    "high_card": 6_612_900,
}
SEVEN_CARDS = {
    "royal_flush": 4_324,
    "straight_flush": 37_260,
    "four_of_a_kind": 224_848,
    "full_house": 3_473_184,
    "flush": 4_047_644,
    "straight": 6_180_020,
    "three_of_a_kind": 6_461_620,
    "two_pair": 31_433_400,
    "pair": 58_627_800,
    "high_card": 23_294_460,
}
"""Both as every table of poker probabilities prints them."""


def options_of(slug: str, **chosen: object) -> object:
    return load(slug).options(chosen)


def returned(counts: Mapping[str, int], pays: Mapping[str, str]) -> Fraction:
    """What a bet wins on average: its payoff where the hand is listed, its stake lost where it is not."""
    won = sum(hands * (Odds(pays[row]).payoff(1) if row in pays else -1) for row, hands in counts.items())
    return Fraction(won, sum(counts.values()))


def by_name(pays: Mapping[Category, str]) -> dict[str, str]:
    return {hand.value: odds for hand, odds in pays.items()}


# Every hand, by our own ranking


@cache
def rank_groups(cards: int) -> list[tuple[Mapping[str, int], int]]:
    """How many cards of each rank, and in how many ways of suits without five cards of one."""
    every = map(Counter, combinations_with_replacement(RANKS, cards))
    possible = [groups for groups in every if max(groups.values()) <= len(SUITS)]
    return [(groups, _ways_without_flush(tuple(sorted(groups.values())))) for groups in possible]


@cache
def _ways_without_flush(groups: tuple[int, ...]) -> int:
    ways = 0
    for suits in product(*(combinations(SUITS, size) for size in groups)):
        held = Counter(suit for chosen in suits for suit in chosen)
        ways += max(held.values()) < 5
    return ways


@cache
def by_category(cards: int) -> Counts:
    """Categories of all hands of six or seven cards. Beside five of a suit there is no room for a full house, so the
    suited cards alone tell what such a hand is."""
    counts: Counter[str] = Counter()
    for groups, ways in rank_groups(cards):
        counts[HIGH.rank(_off_suit(groups)).category.value] += ways
    for suited in range(5, cards + 1):
        others = comb(52 - len(RANKS), cards - suited)
        for ranks in combinations(RANKS, suited):
            counts[HIGH.rank([card(rank + "s") for rank in ranks]).category.value] += len(SUITS) * others
    return dict(counts)


def _off_suit(groups: Mapping[str, int]) -> list[Card]:
    """Cards of these ranks, no five of a suit."""
    hand: list[Card] = []
    for i, (rank, size) in enumerate(groups.items()):
        hand += [card(rank + SUITS[(i + j) % len(SUITS)]) for j in range(size)]
    return hand


# Once more, without it


def naive_category(ranks: Mapping[str, int]) -> str:
    """What ranks alone make."""
    sizes = sorted(ranks.values(), reverse=True)
    if sizes[0] == 4:
        return "four_of_a_kind"
    if sizes[0] == 3 and len(sizes) > 1 and sizes[1] >= 2:
        return "full_house"
    if longest_run(ranks) >= 5:
        return "straight"
    return {3: "three_of_a_kind", 2: "two_pair" if sizes.count(2) > 1 else "pair", 1: "high_card"}[sizes[0]]


def longest_run(ranks: Collection[str]) -> int:
    """Ranks that follow one another, the ace below the two and above the king."""
    present = "".join(rank if rank in ranks else "." for rank in "A" + RANKS)
    return max(map(len, present.split(".")))


def naive_counts(cards: int) -> Counts:
    counts: Counter[str] = Counter()
    for groups, ways in rank_groups(cards):
        counts[naive_category(groups)] += ways
    for suited in range(5, cards + 1):
        others = comb(52 - len(RANKS), cards - suited)
        for ranks in combinations(RANKS, suited):
            name = "straight_flush" if longest_run(ranks) >= 5 else "flush"
            counts["royal_flush" if set("AKQJT") <= set(ranks) else name] += len(SUITS) * others
    return dict(counts)


def naive_straight_or_up(hand: Sequence[Card]) -> str:
    codes = {card.code for card in hand}
    for suit in SUITS:
        ranks = [code[0] for code in codes if code[1] == suit]
        if {"A", "K", "Q"} <= set(ranks):
            others = [code[0] for code in codes - {"A" + suit, "K" + suit, "Q" + suit}]
            return "akq_suited_plus_pair" if others[0] == others[1] else "akq_suited"
        if len(ranks) >= 3 and longest_run(ranks) >= 3:
            return "straight_flush"
    every = "".join(code[0] for code in codes)
    if any(every.count(rank) >= 3 for rank in every):
        return "three_of_a_kind"
    return "straight" if longest_run(every) >= 3 else "none"


# Three cards


@pytest.mark.parametrize(("slug", "bonus"), THREE_CARD_RULESETS.items())
def test_pair_plus_keeps_968_of_22_100_in_every_room(slug: str, bonus: str) -> None:
    options = options_of(slug)
    assert isinstance(options, ThreeCardOptions)
    ranked = (options.ranking.rank(hand).category.value for hand in combinations(standard_deck(), 3))
    counts = Counter(ranked)
    top = "mini_royal" if options.mini_royal else "royal_flush"
    runs = 12 * 4**3
    assert counts == {
        top: 4,
        "straight_flush": 12 * 4 - 4,
        "three_of_a_kind": 13 * comb(4, 3),
        "straight": runs - 12 * 4,
        "flush": 4 * comb(13, 3) - 12 * 4,
        "pair": 13 * comb(4, 2) * 48,
        "high_card": (comb(13, 3) - 12) * (4**3 - 4),
    }
    assert counts.total() == 22_100
    assert returned(counts, by_name(options.bonuses[bonus].pays)) == Fraction(-968, 22_100)


def test_a_suited_ace_two_three_that_is_a_flush_takes_from_the_bonus() -> None:
    options = options_of("turlock-three-card-poker", a23_suited="flush")
    assert isinstance(options, ThreeCardOptions)
    counts = Counter(options.ranking.rank(hand).category.value for hand in combinations(standard_deck(), 3))
    assert (counts["straight_flush"], counts["flush"]) == (40, 1_100)
    assert returned(counts, by_name(options.bonuses["bonus"].pays)) == Fraction(-968 - 4 * (40 - 3), 22_100)


# Six and seven cards


@pytest.mark.parametrize(("cards", "known"), [(6, SIX_CARDS), (7, SEVEN_CARDS)])
def test_every_hand_of_six_and_seven_cards_is_counted(cards: int, known: Counts) -> None:
    counts = by_category(cards)
    assert counts == known == naive_counts(cards)
    assert sum(counts.values()) == comb(52, cards)


@pytest.mark.parametrize(
    ("slug", "trips", "edge"),
    [
        ("bankers-three-card-poker-6-card-bonus", None, "6.74"),
        ("turlock-three-card-poker-6-card-bonus", 7, "8.56"),
        ("turlock-three-card-poker-6-card-bonus", 6, "12.16"),
        ("turlock-three-card-poker-6-card-bonus", 8, "4.97"),
    ],
)
def test_the_6_card_bonus_keeps_what_the_sheet_says(slug: str, trips: int | None, edge: str) -> None:
    options = options_of(slug, **({} if trips is None else {"six_card_three_of_a_kind": trips}))
    assert isinstance(options, ThreeCardOptions)
    pays = {hand.value: odds.text for hand, odds in options.tables["six_card_bonus"].items()}
    assert f"{float(-100 * returned(by_category(6), pays)):.2f}" == edge


@pytest.mark.parametrize(
    ("slug", "kept"), [("bankers-ultimate-texas-holdem", "1.90"), ("turlock-ultimate-texas-holdem", "6.18")]
)
def test_trips_keeps_what_its_published_table_keeps(slug: str, kept: str) -> None:
    """A hand that is played to the river; a fold that counts by the board alone keeps more."""
    options = options_of(slug)
    assert isinstance(options, UthOptions)
    assert f"{float(-100 * returned(by_category(7), by_name(options.pays.trips))):.2f}" == kept


def test_the_blinds_table_costs_less_than_a_quarter_of_it_even_if_every_hand_won() -> None:
    """All hands of seven cards, each winning: an upper bound of what the blind's table can cost the bank."""
    for slug in ("bankers-ultimate-texas-holdem", "turlock-ultimate-texas-holdem"):
        options = options_of(slug)
        assert isinstance(options, UthOptions)
        paid = sum(Odds(odds).payoff(2) * by_category(7)[hand.value] for hand, odds in options.pays.blind.items())
        by_hand = 2 * (500 * 4_324 + 50 * 37_260 + 10 * 224_848 + 3 * 3_473_184 + 6_180_020) + 3 * 4_047_644
        assert paid == by_hand
        assert Fraction(paid, 2 * comb(52, 7)) < Fraction(1, 4)


# Five cards


def test_straight_or_up_and_pair_or_suited_keep_what_two_counts_agree_on() -> None:
    options = options_of("turlock-three-card-holdem")
    assert isinstance(options, ThreeCardHoldemOptions)
    ours, naive = _weighed(straight_or_up), _weighed(naive_straight_or_up)
    assert ours == naive
    assert sum(ours.values()) == comb(52, 5)
    assert ours["akq_suited_plus_pair"] + ours["akq_suited"] == 4 * comb(49, 2)
    assert ours["akq_suited_plus_pair"] == 4 * (10 * comb(4, 2) + 3 * comb(3, 2))
    holes = Counter(pair_or_suited(pair) for pair in combinations(standard_deck(), 2))
    assert returned(holes, options.pays.pair_or_suited) == Fraction(
        30 * 4 + 20 * 6 + 10 * 6 + 4 * 66 + 308 - 936, comb(52, 2)
    )
    assert Fraction(-1, 10) < returned(ours, options.pays.straight_or_up) < 0


def _weighed(row: Callable[[Sequence[Card]], str]) -> Counts:
    counts: Counter[str] = Counter()
    for hand, ways in suit_classes(5):
        counts[row(hand)] += ways
    return dict(counts)


@pytest.mark.parametrize("slug", ["calgrand-caribbean-stud-poker", "village-caribbean-stud"])
def test_the_player_dealer_plays_1_463_700_hands_of_caribbean_stud_and_a_call_wins_by_the_table(slug: str) -> None:
    """The call's table over all five-card hands, each of them winning: even money, and so much above it."""
    options = options_of(slug)
    assert isinstance(options, CaribbeanOptions)
    qualifies, counts = _caribbean()
    pair_or_better = comb(52, 5) - counts["high_card"]
    assert qualifies == pair_or_better + (comb(11, 3) - 1) * (4**5 - 4) == 1_463_700
    paid = sum(
        hands * Odds(options.pays.call.get(Category(row), options.pays.call_otherwise)).payoff(1)
        for row, hands in counts.items()
    )
    above_even = {
        "royal_flush": 4 * 9,
        "straight_flush": 36 * 8,
        "four_of_a_kind": 624 * 7,
        "full_house": 3_744 * 6,
        "flush": 5_108 * 5,
        "straight": 10_200 * 4,
        "three_of_a_kind": 54_912 * 2,
        "two_pair": 123_552,
    }
    assert paid == comb(52, 5) + sum(above_even.values())


@cache
def _caribbean() -> tuple[int, Counts]:
    qualifies, counts = 0, Counter[str]()
    for hand, ways in suit_classes(5):
        rank = HIGH.rank(hand)
        counts[rank.category.value] += ways
        qualifies += ways * rank.reaches(["high_card", "A", "K"])
    return qualifies, dict(counts)
