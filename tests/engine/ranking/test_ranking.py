"""What hands are worth, in the words of the rule sheets."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.engine.cards.card import Card, card, codes
from controller.engine.ranking import (
    ACE_TO_FIVE,
    CHINESE_FRONT,
    DEUCE_TO_SEVEN,
    FORTUNE,
    HIGH,
    MEXICAN,
    STANDARD,
    THREE_CARD,
    THREE_CARD_HOLDEM,
    THREE_CARD_MINI_ROYAL,
    TWO_CARD,
    Badugi,
    Category,
    Chart,
    High,
    Low,
    Ranking,
    or_better,
    up_cards,
)

BUG = High(jokers="bug")
WILD = High(jokers="wild")
WILD_ACES = High(jokers="wild", five_of_a_kind="aces")
PARTLY_WILD = High(MEXICAN, jokers="bug", five_of_a_kind="none")
MEXICAN_WILD = High(MEXICAN, jokers="wild")
WHEEL_SECOND = High(replace(STANDARD, wheel="second"))
A5 = Low(ACE_TO_FIVE, jokers="low")
D7 = Low(DEUCE_TO_SEVEN, jokers="low")


def cards(text: str) -> list[Card]:
    return [card(code) for code in text.split()]


def written(ranking: Ranking, text: str) -> str:
    return " ".join(ranking.rank(cards(text)).document())


@pytest.mark.parametrize(
    ("hand", "document"),
    [
        ("Ah Kh Qh Jh Th", "royal_flush"),
        ("9s 8s 7s 6s 5s", "straight_flush 9"),
        ("5d 4d 3d 2d Ad", "straight_flush 5"),
        ("8h 8d 8c 8s 3d", "four_of_a_kind 8 3"),
        ("9h 9d 9c 4s 4d", "full_house 9 4"),
        ("Qh 8h 7h 3h 2h", "flush Q 8 7 3 2"),
        ("Ah Kd Qh Jh Th", "straight A"),
        ("5h 4d 3h 2h Ah", "straight 5"),
        ("Qh Qd Qc Ts 8d", "three_of_a_kind Q T 8"),
        ("Ah Ad 9c 9s Jd", "two_pair A 9 J"),
        ("Th Td 8c 5s 2d", "pair T 8 5 2"),
        ("Qh Kd Ac 2s 3d", "high_card A K Q 3 2"),
    ],
)
def test_a_hand_is_written_as_the_cases_write_it(hand: str, document: str) -> None:
    assert written(HIGH, hand) == document


@pytest.mark.parametrize(
    ("hand", "document"),
    [
        ("Ah Kd 9h 8h 2h 9d 3h", "flush A 9 8 3 2"),
        ("9h 9d 9c 4s 4d 4h Kc", "full_house 9 4"),
        ("Ah Ad Kc Ks Qd Qh 2c", "two_pair A K Q"),
        ("8h 8d 8c 8s Kd Kh Kc", "four_of_a_kind 8 K"),
        ("5h 4d 3h 2h Ah 6c 7d", "straight 7"),
        ("6h 5h 4h 3h 2h 7d 8c", "straight_flush 6"),
        ("Ah Kd Qh Jh 9h 8h 8d", "flush A Q J 9 8"),
    ],
)
def test_the_best_five_of_seven_count(hand: str, document: str) -> None:
    assert written(HIGH, hand) == document


def test_suits_never_break_a_tie() -> None:
    assert HIGH.rank(cards("Ah Kd 9c 5s 2d")) == HIGH.rank(cards("As Kc 9h 5d 2c"))


def test_the_wheel_is_the_lowest_straight_or_the_second_best_as_the_chart_says() -> None:
    broadway, king_high, wheel = (cards(text) for text in ("Ah Kd Qc Js Th", "Kd Qc Js Th 9h", "5h 4d 3c 2s Ah"))
    assert HIGH.rank(wheel) < HIGH.rank(king_high) < HIGH.rank(broadway)
    assert WHEEL_SECOND.rank(king_high) < WHEEL_SECOND.rank(wheel) < WHEEL_SECOND.rank(broadway)
    assert WHEEL_SECOND.rank(wheel).document() == ["straight", "5"]
    steel = WHEEL_SECOND.rank(cards("5h 4h 3h 2h Ah"))
    assert WHEEL_SECOND.rank(cards("Kh Qh Jh Th 9h")) < steel < WHEEL_SECOND.rank(cards("Ah Kh Qh Jh Th"))


@pytest.mark.parametrize(
    ("hand", "as_bug", "fully_wild"),
    [
        ("Kh Qd 9c 4s Jo", "high_card A K Q 9 4", "pair K Q 9 4"),
        ("9h 9d 7c 2s Jo", "pair 9 A 7 2", "three_of_a_kind 9 7 2"),
        ("Ah 9d 7c 2s Jo", "pair A 9 7 2", "pair A 9 7 2"),
        ("Kh Kd Qc Qs Jo", "two_pair K Q A", "full_house K Q"),
        ("Ah Ad Qc Qs Jo", "full_house A Q", "full_house A Q"),
        ("7h 7d 7c 7s Jo", "four_of_a_kind 7 A", "five_of_a_kind 7"),
        ("Ah Ad Ac As Jo", "five_of_a_kind A", "five_of_a_kind A"),
        ("Kh Qd Jc Ts Jo", "straight A", "straight A"),
        ("5h 4d 3c 2s Jo", "straight 6", "straight 6"),
        ("Ah 3d 4c 5s Jo", "straight 5", "straight 5"),
        ("Kh Qh 7h 4h Jo", "flush A K Q 7 4", "flush A K Q 7 4"),
        ("Ah Kh Qh 4h Jo", "flush A K Q J 4", "flush A K Q J 4"),
        ("Ah Kh Qh Th Jo", "royal_flush", "royal_flush"),
        ("9h 8h 7h 6h Jo", "straight_flush T", "straight_flush T"),
    ],
)
def test_a_joker_as_a_bug_is_an_ace_or_completes_and_fully_wild_is_any_card(
    hand: str, as_bug: str, fully_wild: str
) -> None:
    assert (written(BUG, hand), written(WILD, hand)) == (as_bug, fully_wild)


def test_two_jokers_play_together() -> None:
    assert written(BUG, "Kh 8d 3c Jo Jo") == "pair A K 8 3"
    assert written(BUG, "Ah Ad Ac Jo Jo") == "five_of_a_kind A"
    assert written(BUG, "Kh Qh 9h Jo Jo") == "straight_flush K"
    assert written(WILD, "Kh Kd 9c Jo Jo") == "four_of_a_kind K 9"
    assert written(High(TWO_CARD, jokers="wild"), "Jo Jo") == "pair A"


def test_where_only_aces_make_five_of_a_kind_the_joker_beside_four_of_a_kind_is_the_best_kicker() -> None:
    assert written(WILD_ACES, "9h 9d 9c 9s Jo") == "four_of_a_kind 9 A"
    assert written(WILD_ACES, "Ah Ad Ac As Jo") == "five_of_a_kind A"


def test_a_joker_that_may_duplicate_a_card_doubles_the_ace_of_a_flush() -> None:
    assert written(High(jokers="wild", flush_pairs=True), "Ah Kh 7h 4h Jo") == "flush A A K 7 4"


def test_in_a_two_card_front_a_bug_is_an_ace_and_a_wild_joker_pairs_its_neighbour() -> None:
    bug, wild = High(TWO_CARD, jokers="bug"), High(TWO_CARD, jokers="wild")
    assert (written(bug, "Kh Jo"), written(wild, "Kh Jo")) == ("high_card A K", "pair K")
    assert (written(bug, "Ah Jo"), written(wild, "Ah Jo")) == ("pair A", "pair A")
    assert bug.rank(cards("Ah 2d")) > bug.rank(cards("Kh Qd"))


def test_with_the_stripped_deck_jack_follows_seven_and_flush_beats_full_house() -> None:
    assert written(MEXICAN_WILD, "Ah Kh Qh Jh 7h") == "royal_flush"
    assert written(MEXICAN_WILD, "Qh Jd 7c 6s 5h") == "straight Q"
    assert MEXICAN_WILD.rank(cards("7h 5h 4h 3h 2h")) > MEXICAN_WILD.rank(cards("Ah Ad Ac Ks Kd"))
    assert written(MEXICAN_WILD, "5h 4d 3c 2s Ah") == "straight 5"


def test_a_partly_wild_joker_and_a_fully_wild_one_meet_on_the_same_chart() -> None:
    dealt_up, dealt_down = (ranking.rank(cards("Kh Kd Jo 5c 3s")) for ranking in (PARTLY_WILD, MEXICAN_WILD))
    assert dealt_up.document() == ["pair", "K", "A", "5", "3"]
    assert dealt_down.document() == ["three_of_a_kind", "K", "5", "3"]
    assert dealt_up < dealt_down


def test_four_aces_and_a_partly_wild_joker_are_four_of_a_kind() -> None:
    assert PARTLY_WILD.rank(cards("Ah Ad Ac As Jo")).category is Category.FOUR_OF_A_KIND


def test_the_fortune_bonus_takes_three_of_a_kind_before_a_straight() -> None:
    seven = "9h 9d 9c 8s 7d 6h 5c"
    assert (written(HIGH, seven), written(High(FORTUNE), seven)) == ("straight 9", "three_of_a_kind 9 8 7")


@pytest.mark.parametrize(
    ("hand", "document"),
    [
        ("Ah Kh Qh", "royal_flush"),
        ("9c 8c 7c", "straight_flush 9"),
        ("3c 2c Ac", "straight_flush 3"),
        ("5d 5h 5s", "three_of_a_kind 5"),
        ("6c 5h 4d", "straight 6"),
        ("Ac 2d 3h", "straight 3"),
        ("Kd 9d 2d", "flush K 9 2"),
        ("Ts Tc 3h", "pair T 3"),
        ("Ad Kc 9s", "high_card A K 9"),
        ("Kc Ad 2s", "high_card A K 2"),
        ("Ah Ah 5h", "flush A A 5"),
        ("Ah Ah Ah", "three_of_a_kind A"),
    ],
)
def test_three_card_hands_are_written_by_their_sheet(hand: str, document: str) -> None:
    assert written(High(THREE_CARD), hand) == document


def test_with_three_cards_a_straight_beats_a_flush_and_three_of_a_kind_beats_both() -> None:
    rank = High(THREE_CARD).rank
    flush, straight, trips, straight_flush = (
        rank(cards(text)) for text in ("Ad Kd Jd", "3c 2d Ah", "2c 2d 2h", "3c 2c Ac")
    )
    assert flush < straight < trips < straight_flush < rank(cards("Ah Kh Qh"))


def test_suited_ace_king_queen_has_the_name_that_its_sheet_gives_it() -> None:
    assert written(High(THREE_CARD_MINI_ROYAL), "Ah Kh Qh") == "mini_royal"
    assert written(High(THREE_CARD_HOLDEM), "Ah Kh Qh") == "straight_flush A"


def test_three_card_holdem_counts_the_best_three_of_five() -> None:
    assert written(High(THREE_CARD_HOLDEM), "9h 9d Kc Ks 2h") == "pair K 9"
    assert written(High(THREE_CARD_HOLDEM), "9h 9d 8h 7h 9c") == "straight_flush 9"


def test_a_house_may_call_the_suited_ace_deuce_trey_a_flush() -> None:
    house = High(replace(THREE_CARD, suited_wheel="flush"))
    assert written(house, "3c 2c Ac") == "flush A 3 2"
    assert written(house, "3c 2d Ac") == "straight 3"
    assert written(house, "3c 2c Ac 2d Kh") == "straight 3"
    assert written(house, "4c 3c 2c") == "straight_flush 4"


def test_a_chinese_front_knows_no_straight_and_no_flush() -> None:
    assert written(High(CHINESE_FRONT), "Qh Jh Th") == "high_card Q J T"
    assert written(High(CHINESE_FRONT), "Qh Qd Ts") == "pair Q T"


def test_up_cards_count_groups_only_and_the_joker_as_it_was_dealt() -> None:
    partly, fully = High(up_cards(3, MEXICAN), jokers="bug"), High(up_cards(3, MEXICAN), jokers="wild")
    assert written(partly, "Kh Qh Jh") == "high_card K Q J"
    assert written(partly, "Kh 4d Jo") == "high_card A K 4"
    assert written(fully, "Kh 4d Jo") == "pair K 4"
    razz = Low(up_cards(2, ACE_TO_FIVE))
    assert razz.rank(cards("3h 2d")) > razz.rank(cards("Kh Ad")) > razz.rank(cards("2h 2d"))


def test_omaha_uses_exactly_two_hole_cards() -> None:
    board = cards("9h 9d 9c 9s 2h")
    assert HIGH.best(cards("Ad Kc Qc Jd"), board, use_hole=2).document() == ["three_of_a_kind", "9", "A", "K"]
    assert HIGH.best(cards("Ad Ac Qc Jd"), board, use_hole=2).document() == ["full_house", "9", "A"]
    assert HIGH.best(cards("Ad Kc Qc Jd"), board).document() == ["four_of_a_kind", "9", "A"]


def test_tahoe_uses_one_two_or_three_hole_cards_but_never_the_board_alone() -> None:
    board = cards("Ah Kh Qh Jh Th")
    assert HIGH.best(cards("2c 3d 4s"), board).document() == ["royal_flush"]
    assert HIGH.best(cards("2c 3d 4s"), board, use_hole=(1, 2, 3)).document() == ["high_card", "A", "K", "Q", "J", "4"]


def test_the_cards_that_make_the_hand_are_the_ones_dealt_first() -> None:
    assert codes(HIGH.best_cards(cards("Kh 2d"), cards("Kd 7c 7s Ah Ad"))) == ["Kh", "Kd", "7c", "Ah", "Ad"]
    omaha = HIGH.best_cards(cards("Ad Ac Qc Jd"), cards("9h 9d 9c 9s 2h"), use_hole=2)
    assert codes(omaha) == ["Ad", "Ac", "9h", "9d", "9c"]


def test_a_seat_plays_the_board_only_if_no_hand_of_that_value_holds_one_of_its_cards() -> None:
    board = cards("Ah Kh Qh Jh Th")
    assert HIGH.plays_board(cards("9h 8h"), board)
    pairs = cards("Kh Kd Qc Qs 9s")
    assert HIGH.plays_board(cards("8h 7h"), pairs)
    assert not HIGH.plays_board(cards("9h 7h"), pairs)
    assert not HIGH.plays_board(cards("Kc 7h"), pairs)
    assert not HIGH.plays_board(cards("Kc 7h"), board[:3])


def test_the_back_of_a_pai_gow_hand_must_outrank_its_front() -> None:
    front = High(TWO_CARD, jokers="bug")
    assert BUG.rank(cards("Qh Qd 9c 5s 2d")).outranks(front.rank(cards("Jh Jd")))
    assert not BUG.rank(cards("Kh Td 9c 5s 2d")).outranks(front.rank(cards("Qh Qd")))
    assert BUG.rank(cards("Kh Td 9c 5s 2d")).outranks(front.rank(cards("Kd Tc")))
    assert not BUG.rank(cards("Kh 9d 8c 5s 2d")).outranks(front.rank(cards("Kd Tc")))


@pytest.mark.parametrize(
    ("hand", "least", "reached"),
    [
        ("Ah Kd 4c 3s 2d", ["high_card", "A", "K"], True),
        ("Ah Qd Jc Ts 2d", ["high_card", "A", "K"], False),
        ("2h 2d Jc Ts 4d", ["high_card", "A", "K"], True),
        ("Jh Jd 4c 3s 2d", ["pair", "J"], True),
        ("Th Td Ac Ks Qd", ["pair", "J"], False),
        ("Ah Kh Qh Jh Th", ["straight_flush", "K"], True),
    ],
)
def test_a_qualifier_is_a_least_hand(hand: str, least: list[str], reached: bool) -> None:
    assert HIGH.rank(cards(hand)).reaches(least) is reached


def test_queen_high_or_better_qualifies_with_three_cards() -> None:
    rank = High(THREE_CARD).rank
    assert rank(cards("Qh 3d 2c")).reaches(["high_card", "Q"])
    assert not rank(cards("Jh Td 8c")).reaches(["high_card", "Q"])


@pytest.mark.parametrize(
    ("hand", "document"),
    [
        ("5h 4h 3h 2h Ah", "high_card 5 4 3 2 A"),
        ("Kh Kd Kc Ks Qd", "four_of_a_kind K Q"),
        ("Ah Ad 2c 2s 3d", "two_pair 2 A 3"),
        ("8h 5d Jo 2s Ad", "high_card 8 5 3 2 A"),
        ("Ah Ad 3c 4s Jo", "pair A 4 3 2"),
        ("5h 4h 3h 2h Jo", "high_card 5 4 3 2 A"),
        ("Kh Kd Qc 4s 3d 2h Ah", "high_card Q 4 3 2 A"),
        ("Kh Kd Kc 4s 4d 4h Ah", "two_pair K 4 A"),
    ],
)
def test_ace_to_five_is_written_with_the_ace_low(hand: str, document: str) -> None:
    assert written(A5, hand) == document


@pytest.mark.parametrize(
    ("hand", "document"),
    [
        ("7h 5d 4h 3h 2h", "high_card 7 5 4 3 2"),
        ("Ah 5d 4h 3h 2h", "high_card A 5 4 3 2"),
        ("Ah 5h 4h 3h 2h", "flush A 5 4 3 2"),
        ("6h 5d 4h 3h 2h", "straight 6"),
        ("Ah Kh Qh Jh Th", "royal_flush"),
        ("5h 4h 3h 2h Jo", "high_card 7 5 4 3 2"),
        ("7h 5h 4h 3h Jo", "high_card 7 5 4 3 2"),
    ],
)
def test_deuce_to_seven_is_written_with_the_ace_high(hand: str, document: str) -> None:
    assert written(D7, hand) == document


def test_the_better_low_is_the_greater_rank() -> None:
    best_first = ["7h 5d 4h 3h 2h", "7h 6d 4h 3h 2h", "Ah 5d 4h 3h 2h", "2h 2d 5c 4s 3d", "6h 5d 4h 3h 2h"]
    ranks = [D7.rank(cards(text)) for text in best_first]
    assert sorted(ranks, reverse=True) == ranks
    assert A5.rank(cards("5h 4d 3h 2h Ah")) > A5.rank(cards("6h 4d 3h 2h Ah")) > A5.rank(cards("Ah Ad 4h 3h 2h"))


def test_a_low_qualifies_with_five_different_ranks_none_above_the_eight() -> None:
    def low_ranks(text: str) -> list[str] | None:
        low = or_better(A5.rank(cards(text)))
        return low.names if low else None

    assert low_ranks("8h 5d 3h 2h Ah Ac") == ["8", "5", "3", "2", "A"]
    assert low_ranks("9h 5d 3h 2h Ah Ac") is None
    assert low_ranks("4h 4d 3h 2h Ah Ac") is None
    assert or_better(A5.rank(cards("8h 5d 3h 2h Ah")), "7") is None


def test_badugi_counts_cards_of_different_rank_and_suit() -> None:
    badugi = Badugi()
    assert written(badugi, "Kh Qd Jc Ts") == "badugi_4 K Q J T"
    assert written(badugi, "3h 2d Ac As") == "badugi_3 3 2 A"
    assert written(badugi, "Th 9h Kh Jh") == "badugi_1 9"
    assert written(badugi, "8h 5d 4c 2s Ah") == "badugi_4 5 4 2 A"
    assert badugi.rank(cards("5h 4d 3c 2s")) > badugi.rank(cards("9h 3d 2c As"))
    assert codes(badugi.best_cards(cards("7h 4d 2c 8h"))) == ["7h", "4d", "2c"]


def test_ranks_of_different_charts_do_not_compare() -> None:
    with pytest.raises(ValueError, match="five-card high chart does not compare with one of the three-card chart"):
        _ = HIGH.rank(cards("Ah Kd 9c 5s 2d")) > High(THREE_CARD).rank(cards("Ah Kd 9c"))
    assert HIGH.rank(cards("5h 4d 3c 2s Ah")) != WHEEL_SECOND.rank(cards("5h 4d 3c 2s Ah"))


def test_rankings_of_the_same_chart_compare_wherever_they_were_made() -> None:
    assert High().rank(cards("Ah Kd 9c 5s 2d")) < High(replace(STANDARD, name="house")).rank(cards("2h 2d 9c 5s 3d"))


def test_a_table_that_has_seen_too_many_hands_to_remember_still_ranks_them_right(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("controller.engine.ranking.high.REMEMBERED_HANDS", 2)
    forgetful = High()
    hands = [cards(text) for text in ("Ah Kd 9c 5s 2d", "2h 2d 9c 5s 3d", "9h 9d 9c 4s 4d", "5h 4d 3c 2s Ah")] * 2
    assert [forgetful.rank(hand) for hand in hands] == [HIGH.rank(hand) for hand in hands]


def test_a_rank_shows_nothing_of_hidden_cards() -> None:
    rank = HIGH.rank(cards("Ah Kd 9c 5s 2d"))
    assert (repr(rank), str(rank), f"{rank}") == ("<rank>",) * 3


@pytest.mark.parametrize(
    ("ranking", "hand", "why"),
    [
        (HIGH, "Ah Kd 9c 5s", "has 5 cards, here are 4"),
        (HIGH, "Ah Kd 9c 5s Jo", "this game has none"),
        (HIGH, "Ah Kh 9h 5h 2h Jo", "this game has none"),
        (PARTLY_WILD, "Ah Kd 9c 5s 2d", "has no 9"),
        (PARTLY_WILD, "Ah Kh 9h Th 2h", "has no 9, T"),
        (Low(), "Ah Kd 9c 5s", "has 5 cards, here are 4"),
        (Low(), "Ah Kd 9c 5s Jo", "this game has none"),
        (Badugi(), "Ah Kd 9c Jo", "this game has none"),
        (Badugi(), "", "here is none"),
    ],
)
def test_cards_that_the_game_does_not_deal_are_refused_with_the_reason(ranking: Ranking, hand: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        ranking.rank(cards(hand))


def test_a_hand_that_cannot_be_made_of_hole_cards_and_board_is_refused() -> None:
    with pytest.raises(ValueError, match="2 hole cards and 2 on the board make no hand of 5 cards"):
        HIGH.best(cards("Ah Kd"), cards("9c 5s"), use_hole=2)
    with pytest.raises(ValueError, match="without a board"):
        Badugi().best(cards("Ah Kd 9c 5s"), cards("2h"), use_hole=2)


def test_a_least_hand_that_the_chart_does_not_know_is_refused() -> None:
    rank = High(THREE_CARD).rank(cards("Qh 3d 2c"))
    with pytest.raises(ValueError, match="'two_pair' is no hand of the three-card chart; it has royal_flush"):
        rank.reaches(["two_pair"])
    with pytest.raises(ValueError, match="'10' is not a rank"):
        rank.reaches(["pair", "10"])
    with pytest.raises(ValueError, match="straight of the three-card chart is no row"):
        High(CHINESE_FRONT).rank(cards("Qh 3d 2c")).outranks(High(THREE_CARD).rank(cards("4h 3d 2c")))


def test_a_chart_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(ValueError, match="listed twice"):
        Chart("house", (Category.PAIR, Category.PAIR, Category.HIGH_CARD))
    with pytest.raises(ValueError, match="poorest hand"):
        Chart("house", (Category.PAIR,))
    with pytest.raises(ValueError, match="lowest first"):
        replace(STANDARD, ranks=(1, 2, 3))
    with pytest.raises(ValueError, match="at least one card"):
        replace(STANDARD, size=0)
    with pytest.raises(ValueError, match="is for low hands"):
        High(ACE_TO_FIVE)
    with pytest.raises(ValueError, match="is for high hands"):
        Low(STANDARD)
    with pytest.raises(ValueError, match="without joker"):
        High(replace(THREE_CARD, suited_wheel="flush"), jokers="bug")
