"""House ways: every hand is set legally, by the row that the sheet names, and the setter says why."""

from __future__ import annotations

import random
import re
from collections import Counter
from itertools import combinations

import msgspec
import pytest

from controller.engine.cards.card import Card, card, codes, standard_deck
from controller.engine.house_way import HouseWay, HouseWayData, Setting
from controller.engine.house_way.rows import WITHOUT_JOKER
from controller.games.pai_gow.options import PaiGowOptions
from controller.rules import load
from tests.support.games.second_house_way import second_opinion
from tests.support.games.second_house_way_bankers import fully_wild, one_point_one
from tests.support.hostile.fuzz import how_many

DECK = standard_deck(jokers=1)
JOKER = DECK[-1]


def options(joker: str = "fully_wild") -> PaiGowOptions:
    made = load("turlock-fortune-pai-gow-poker").options({"joker": joker})
    assert isinstance(made, PaiGowOptions)
    return made


def cards(text: str) -> list[Card]:
    return [card(code) for code in text.split()]


def setter_of(slug: str, **chosen: object) -> HouseWay:
    made = load(slug).options(chosen)
    assert isinstance(made, PaiGowOptions)
    assert made.setter is not None
    return made.setter


def set_by_house(text: str) -> Setting:
    return setter_of("turlock-fortune-pai-gow-poker").set(cards(text))


def ranks_in_front(setting: Setting) -> str:
    return "".join("*" if card.is_joker else card.code[0] for card in setting.front)


CHARTS = {
    "turlock-fortune-pai-gow-poker": (second_opinion, 24),
    "bankers-fortune-pai-gow-poker-1-1": (one_point_one, 19),
    "bankers-fortune-pai-gow-poker-joker-fully-wild": (fully_wild, 19),
}
"""Each printed house way with a second reading of its sheet, and how many rows must have come."""


def dealt(rng: random.Random, n: int) -> list[Card]:
    """Every fourth hand has the joker, every fifth only a few ranks: the rare rows must come too."""
    if n % 4 == 0:
        hand = [JOKER, *rng.sample(DECK[:-1], 6)]
    elif n % 5 == 0:
        few = rng.sample(range(2, 15), 3)
        hand = rng.sample([c for c in DECK if c.rank in few or c is JOKER], 7)
    else:
        hand = rng.sample(DECK, 7)
    rng.shuffle(hand)
    return hand


@pytest.mark.parametrize("slug", CHARTS)
def test_random_hands_are_set_legally_and_as_a_second_reading_of_the_sheet_has_it(slug: str) -> None:
    (opinion, least_rows), setter = CHARTS[slug], setter_of(slug)
    rng, rows = random.Random(2016), Counter[str]()
    for n in range(how_many()):
        hand = dealt(rng, n)
        setting = setter.set(hand)
        assert setting.is_legal, codes(hand)
        assert sorted(codes((*setting.front, *setting.back))) == sorted(codes(hand))
        assert (setting.row, ranks_in_front(setting)) == opinion(codes(hand)), codes(hand)
        rows[setting.row] += 1
    assert len(rows) >= least_rows, rows


@pytest.mark.parametrize("slug", CHARTS)
def test_of_fronts_that_look_alike_the_one_with_the_best_back_is_set_and_then_the_one_dealt_first(slug: str) -> None:
    rng, setter = random.Random(853), setter_of(slug)
    for n in range(600):
        hand = dealt(rng, n)
        setting = setter.set(hand)
        alike = [
            arranged
            for front in combinations(hand, 2)
            if sorted(card.rank for card in front) == sorted(card.rank for card in setting.front)
            for arranged in [setting.ranking.arrange(hand, front)]
        ]
        best = max(arranged.back_rank for arranged in alike)
        first = next(arranged for arranged in alike if arranged.back_rank == best)
        assert set(setting.front) == set(first.front), codes(hand)


ONE_HAND_OF_EACH = {
    "five_aces_with_kings": "Jo Ac Ad Ah As Kc Kd",
    "five_aces": "Jo Ac Ad Ah As Qc Qd",
    "four_of_a_kind_and_a_pair": "4c 4d 4h 4s Kc Kd 9h",
    "four_of_a_kind": "9c 9d 9h 9s Kc 3d 2h",
    "four_of_a_kind_with_joker": "7c 7d 7h 7s Jo Kd Ac",
    "full_house_and_a_joker": "Jo Kc Kd Kh 9c 9d As",
    "two_sets": "9c 9d 9h 4c 4d 4h Ks",
    "full_house_and_a_pair": "9c 9d 9h 5c 5d 3h 3s",
    "natural_full_house": "9c 9d 9h 5c 5d Ah Ks",
    "three_pairs": "Jc 8h Jd 8s 5c 5d Ah",
    "three_of_a_kind_with_a_joker": "Jo 8c 8d 8h Kc Td 2s",
    "complete_hand_pair_and_joker": "9c Kh Qd Js Tc 9d Jo",
    "complete_hand": "Th 9h 8h 6h 3h Kc Jd",
    "complete_hand_q_front": "8c 7d 6h 5s Jo Qc 2d",
    "ace_front_pair_behind": "Ah Jh 9h 5h 3h Jc 2d",
    "complete_hand_with_trips": "9h 9c 9d 8s 7c 6d 5h",
    "trip_aces": "Ac Ad Ah Kc Jd 7s 4h",
    "trip_kings": "Kc Kd Kh Qc Jd 7s 4h",
    "trips_q_or_lower": "Qc Qd Qh Ac Kd 7s 4h",
    "two_pairs_and_a_joker": "Jo 9c 9d 5h 5s Qc 2d",
    "two_pairs_behind": "Qc Qd 7h 7s Ac Kd 9h",
    "two_pairs_split": "Qc Qd 7h 7s Ac Jd 9h",
    "one_pair_and_a_joker": "Jo 3c 3d Ah Ks 9c 7d",
    "one_pair": "Ks Kd Ah Qc 8d 5s 3c",
    "joker_handicap": "Jo Ac Kd 9h 7s 5c 3d",
    "no_pairs": "Ah Qd Jc 9s 7d 4c 2h",
}


def test_every_row_of_the_table_is_played_and_says_why() -> None:
    said: dict[str, set[str]] = {}
    chart = options().house_way
    assert chart is not None
    for row in chart.rows:
        for way in row.set:
            said.setdefault(way.id, set()).add(f"{row.hand}: {way.say}")
    assert ONE_HAND_OF_EACH.keys() == said.keys()
    for row_id, hand in ONE_HAND_OF_EACH.items():
        setting = set_by_house(hand)
        assert setting.row == row_id
        assert setting.explained in said[row_id]
    assert set_by_house(ONE_HAND_OF_EACH["three_pairs"]).explained == "three pairs: the highest pair in front"


def test_a_semi_wild_joker_never_makes_an_illegal_setting() -> None:
    rng, setter = random.Random(11), setter_of("turlock-fortune-pai-gow-poker", joker="semi_wild")
    for _ in range(2_000):
        hand = [JOKER, *rng.sample(DECK[:-1], 6)]
        assert setter.set(hand).is_legal, codes(hand)


def test_of_equal_cards_the_one_dealt_first_goes_in_front() -> None:
    assert codes(set_by_house("Ah Kc Ac 9d Ad 3h 2s").front) == ["Ah", "Kc"]
    assert codes(set_by_house("Ac Kc Ah 9d Ad 3h 2s").front) == ["Ac", "Kc"]


def test_the_card_that_makes_the_flush_stays_behind_though_it_was_dealt_first() -> None:
    assert codes(set_by_house("9h 9c 9d Kh 7h 4h 2h").front) == ["9c", "9d"]


def test_the_joker_stays_behind_where_the_natural_pair_serves_alike() -> None:
    assert codes(set_by_house("Jo 9s 7c 8h Th 6h 9h").front) == ["9s", "9h"]


def test_the_repr_of_a_setting_does_not_show_it() -> None:
    assert "Jc" not in repr(set_by_house("Jc 8h Jd 8s 5c 5d Ah"))


WAY = {"id": "any", "front": "single1 single2", "say": "as it comes"}
ROW = {"hand": "any hand", "groups": list(WITHOUT_JOKER), "set": [WAY]}


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"groups": ["5+2"]}, "groups = '5+2' is not one of"),
        ({"of": "X"}, "of = 'X' is not made of the ranks"),
        ({"set": [{**WAY, "front": "queen single1"}]}, "front = 'queen single1'; write two of joker"),
        ({"set": [{**WAY, "front": "single1"}]}, "front = 'single1'; write two of joker"),
        ({"set": [{**WAY, "front": "highest card"}]}, "write highest, highest pair or highest with A"),
        ({"set": [{**WAY, "front": "highest"}]}, "a searched front needs behind"),
        ({"set": [{**WAY, "front": "highest", "behind": ["quads"]}]}, "behind = 'quads' is no hand"),
        ({"set": [{**WAY, "at_least": "1"}]}, "at_least = '1' is not made of the ranks"),
        ({"set": [{**WAY, "if_front": ["A"]}]}, "if_front = 'A'; write two ranks"),
        ({"set": [{**WAY, "by_chart": True}]}, "by_chart, but there is no two-pair chart"),
        ({"groups": ["none"]}, "no row for 4+2 with the joker"),
        ({"colour": "red"}, "unknown field `colour`"),
    ],
)
def test_a_house_way_that_means_nothing_is_refused_with_the_row(row: dict[str, object], problem: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=re.escape(problem)):
        msgspec.convert({"rows": [{**ROW, **row}]}, HouseWayData)


def test_a_two_pair_chart_with_a_hole_is_refused() -> None:
    posted = options().house_way
    assert posted is not None
    chart = {high: dict(cells) for high, cells in posted.two_pairs.items()}
    del chart["9"]["4"]
    with pytest.raises(msgspec.ValidationError, match="no cell for 99 and 44"):
        msgspec.convert({"rows": [ROW], "two_pairs": chart}, HouseWayData)
    chart["9"]["4"] = "KX"
    with pytest.raises(msgspec.ValidationError, match="99 and 44: 'KX'; write two ranks, or S for split"):
        msgspec.convert({"rows": [ROW], "two_pairs": chart}, HouseWayData)
