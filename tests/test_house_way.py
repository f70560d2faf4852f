"""House ways: every hand is set legally, by the row that the sheet names, and the setter says why."""

from __future__ import annotations

import random
from collections import Counter

import msgspec
import pytest

from controller.engine.cards import Card, card, codes, standard_deck
from controller.engine.house_way import HouseWayData, Setting
from controller.engine.house_way.rows import WITHOUT_JOKER
from controller.games.pai_gow.options import FortuneOptions
from controller.rules import load
from tests.second_house_way import second_opinion

DECK = standard_deck(jokers=1)
JOKER = DECK[-1]


def options(joker: str = "fully_wild") -> FortuneOptions:
    made = load("turlock-fortune-pai-gow-poker").options({"joker": joker})
    assert isinstance(made, FortuneOptions)
    return made


def cards(text: str) -> list[Card]:
    return [card(code) for code in text.split()]


def set_by_house(text: str) -> Setting:
    return options().setter.set(cards(text))


def ranks_in_front(setting: Setting) -> str:
    return "".join("*" if card.is_joker else card.code[0] for card in setting.front)


def test_twenty_thousand_hands_are_set_legally_and_as_a_second_reading_of_the_sheet_has_it() -> None:
    rng, setter, rows = random.Random(2016), options().setter, Counter[str]()
    for n in range(20_000):
        # Every fourth hand has the joker, every fifth only a few ranks: the rare rows must come too.
        if n % 4 == 0:
            hand = [JOKER, *rng.sample(DECK[:-1], 6)]
        elif n % 5 == 0:
            few = rng.sample(range(2, 15), 3)
            hand = rng.sample([c for c in DECK if c.rank in few or c is JOKER], 7)
        else:
            hand = rng.sample(DECK, 7)
        rng.shuffle(hand)
        setting = setter.set(hand)
        assert setting.is_legal, codes(hand)
        assert sorted(codes((*setting.front, *setting.back))) == sorted(codes(hand))
        assert (setting.row, ranks_in_front(setting)) == second_opinion(codes(hand)), codes(hand)
        rows[setting.row] += 1
    assert len(rows) >= 24, rows


def test_every_row_of_the_table_is_played_and_says_why() -> None:
    said = {way.id: f"{row.hand}: {way.say}" for row in options().house_way.rows for way in row.set}
    rng, setter = random.Random(7), options().setter
    heard: dict[str, str] = {}
    for _ in range(60_000):
        few = rng.sample(range(2, 15), rng.choice((2, 3, 4, 6, 13)))
        pool = [c for c in DECK if c.rank in few or c is JOKER]
        if len(heard) == len(said):
            break
        if len(pool) >= 7:
            setting = setter.set(rng.sample(pool, 7))
            heard.setdefault(setting.row, setting.explained)
    assert heard.keys() == said.keys()
    assert set_by_house("Jc 8h Jd 8s 5c 5d Ah").explained == "three pairs: the highest pair in front"


def test_a_semi_wild_joker_never_makes_an_illegal_setting() -> None:
    rng, setter = random.Random(11), options("semi_wild").setter
    for _ in range(5_000):
        hand = [JOKER, *rng.sample(DECK[:-1], 6)]
        assert setter.set(hand).is_legal, codes(hand)


def test_of_equal_cards_the_one_dealt_first_goes_in_front() -> None:
    assert codes(set_by_house("Ah Kc Ac 9d Ad 3h 2s").front) == ["Ah", "Kc"]
    assert codes(set_by_house("Ac Kc Ah 9d Ad 3h 2s").front) == ["Ac", "Kc"]


def test_the_card_that_makes_the_flush_stays_behind_though_it_was_dealt_first() -> None:
    assert codes(set_by_house("9h 9c 9d Kh 7h 4h 2h").front) == ["9c", "9d"]


def test_the_joker_stays_behind_where_the_natural_pair_serves_alike() -> None:
    assert codes(set_by_house("Jo 9s 7c 8h Th 6h 9h").front) == ["9s", "9h"]


def test_a_setting_is_not_told_by_its_repr() -> None:
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
    with pytest.raises(msgspec.ValidationError, match="row|house way|colour") as refused:
        msgspec.convert({"rows": [{**ROW, **row}]}, HouseWayData)
    assert problem in str(refused.value)


def test_a_two_pair_chart_with_a_hole_is_refused() -> None:
    chart = {high: dict(cells) for high, cells in options().house_way.two_pairs.items()}
    del chart["9"]["4"]
    with pytest.raises(msgspec.ValidationError, match="no cell for 99 and 44"):
        msgspec.convert({"rows": [ROW], "two_pairs": chart}, HouseWayData)
    chart["9"]["4"] = "KX"
    with pytest.raises(msgspec.ValidationError, match="99 and 44: 'KX'; write two ranks, or S for split"):
        msgspec.convert({"rows": [ROW], "two_pairs": chart}, HouseWayData)
