"""Texas Hold'em when cards come out wrong: what is taken back, what is void, and when the floor is called."""

from __future__ import annotations

from typing import Any

import pytest

from controller.engine import events as ev
from controller.engine.inputs import FloorAct
from tests.support.games.poker_tables import CALGRAND, HOLES, At, before_the_flop


def test_a_misdeal_gives_the_blinds_back_and_says_so() -> None:
    at = At().cards("9c").happens("first_card_exposed")
    (voided,) = at.said(ev.RoundVoided)
    assert (voided.ruling, voided.returned) == ("misdeal", {"2": 100, "3": 200})
    assert at.document["void"] and at.document["returned"] == {2: 100, 3: 200}


def test_a_card_exposed_last_in_the_deal_is_replaced_at_once() -> None:
    at = At().cards(HOLES).happens("hole_card_exposed_by_dealer", seat=1, card="Jc")
    assert at.asks == "Card 2 to Seat 1, face down"
    at.cards("2h").acts("1 call, 2 call, 3 check").cards("Ks 7d 2c")
    assert at.document["hands"] == {
        "board": ["Ks", "7d", "2c"],
        "2": ["9c", "8d"],
        "3": ["Kd", "Qs"],
        "1": ["Kh", "2h"],
    }
    assert at.document["more"]["burns"] == ["Jc"]
    (back,) = at.said(ev.CardsTakenBack)
    assert (back.owner, back.to, back.cards) == ("1", "burn", ("Jc",))


def test_an_exposed_card_that_no_reader_saw_is_named_by_it() -> None:
    at = At().cards("-- -- -- -- --").happens("hole_card_exposed_by_dealer", seat=3, card="Qs")
    at.cards("-- 4c").acts("1 fold, 2 fold")
    assert at.document["ruling"] == ["continue"]
    assert at.document["more"]["burns"] == []


@pytest.mark.parametrize(
    "untimely",
    [
        ("first_card_exposed", (), {}),
        ("hole_card_exposed_by_dealer", (), {"seat": 2, "card": "9c"}),
        ("extra_card_to_first_player", ("5h",), {"seat": 2}),
        ("extra_cards_dealt", ("5h", "6h"), {"seat": 2, "count": 2}),
        ("flop_before_betting_complete", ("5h", "6h", "7h", "8h"), {}),
        ("river_before_betting_complete", ("5h", "6h"), {}),
        ("flop_too_many_cards", ("5h",), {"count": 4}),
    ],
)
def test_a_ruling_that_does_not_fit_the_moment_changes_nothing_and_calls_the_floor(
    untimely: tuple[str, tuple[str, ...], dict[str, Any]],
) -> None:
    code, cards, facts = untimely
    at = before_the_flop().cards("4h Ks 7d 2c").acts("2 check")
    asked = at.asks
    at.happens(code, *cards, **facts)
    assert at.held == code
    at.feed(FloorAct("resume", "misunderstanding"))
    assert at.asks == asked
    at.acts("3 bet, 1 fold, 2 fold")
    assert at.document["net"] == {1: -200, 2: -200, 3: 400}
    assert at.document["ruling"] == []


def test_an_extra_card_to_another_seat_is_the_floors() -> None:
    assert At().cards(HOLES).happens("extra_card_to_first_player", "5h", seat=3).held == "extra_card_to_first_player"


def test_a_second_exposed_card_is_the_floors() -> None:
    at = At().cards("9c Kd Kh").happens("hole_card_exposed_by_dealer", seat=3, card="Kd")
    assert at.happens("hole_card_exposed_by_dealer", seat=1, card="Kh").held == "hole_card_exposed_by_dealer"


def test_an_exposed_card_that_the_seat_does_not_hold_is_the_floors() -> None:
    at = At().cards("9c Kd Kh").happens("hole_card_exposed_by_dealer", seat=3, card="As")
    assert at.held == "hole_card_exposed_by_dealer"


def test_cards_that_stopped_the_table_are_the_early_flop_once_the_floor_says_so() -> None:
    at = At().cards(HOLES).acts("1 call").cards("4d 9h 9d 2s")
    assert at.held == "card_not_expected"
    at.happens("flop_before_betting_complete")
    assert at.held is None
    at.acts("2 call, 3 check").cards("9h 5c 6c")
    assert at.document["more"]["void_flop"] == ["9h", "9d", "2s"]
    assert at.document["more"]["burns"] == ["4d"]
    assert at.document["hands"]["board"] == ["9h", "5c", "6c"]


def test_an_early_flop_of_a_wrong_number_of_cards_stays_the_floors() -> None:
    at = At().cards(HOLES).acts("1 call").happens("flop_before_betting_complete", "4d", "9h")
    assert at.held == "flop_before_betting_complete"


def test_cards_that_are_out_already_cannot_have_been_turned_early() -> None:
    at = At().cards(HOLES).acts("1 call").happens("flop_before_betting_complete", "4d", "9c", "9d", "2s")
    assert at.held == "flop_before_betting_complete"


def test_the_exposed_card_on_top_of_the_stub_is_the_burn_of_an_early_flop() -> None:
    at = At().cards("9c Kd Kh 8d Qs").happens("hole_card_exposed_by_dealer", seat=3, card="Qs")
    at.cards("Jc 4h").acts("1 call").happens("flop_before_betting_complete", "9h", "9d", "2s")
    at.acts("2 call, 3 check").cards("5c 6c 7c")
    assert at.document["more"]["burns"] == ["Qs"]


def test_a_card_out_of_turn_holds_the_table_and_can_be_played_next() -> None:
    at = At().cards(HOLES).acts("1 call, 2 call").cards("4h")
    assert at.held == "card_not_expected"
    at.feed(FloorAct("use_next"))
    at.acts("3 check").cards("Ks 7d 2c")
    assert at.document["more"]["burns"] == ["4h"]


def test_a_duplicate_card_holds_the_table() -> None:
    assert At().cards("9c 9c").held == "duplicate_card"


def test_after_a_reshuffle_the_same_card_may_come_again_and_only_then() -> None:
    at = At().cards(HOLES).acts("1 call").happens("flop_before_betting_complete", "4d", "9h", "9d", "2s")
    at.acts("2 call, 3 check").cards("9h 9d 2s").all_check(2, 3, 1)
    assert at.cards("4d").held == "duplicate_card"


def test_a_jam_in_mid_hand_is_held_and_a_void_returns_every_chip() -> None:
    at = before_the_flop().cards("4h").happens("shuffler_jam")
    assert at.held == "shuffler_jam"
    at.feed(FloorAct("void", "jam"))
    assert at.document["returned"] == {1: 200, 2: 200, 3: 200}
    assert at.document["ruling"] == ["floor_void"] and not at.document["flags"]["showdown"]
    assert at.cards(HOLES).asks.startswith("Seat 1: fold"), "the same table deals the next hand"


def test_four_flop_cards_need_a_word_on_whether_the_fourth_is_known() -> None:
    at = At(CALGRAND).cards(HOLES).acts("1 call, 2 call, 3 call").cards("4h Ks 7d 2c")
    assert at.happens("four_cards_on_flop", "6s").held == "four_cards_on_flop"
    at.happens("four_cards_on_flop", "6s", identified=True).all_check(2, 3, 1).cards("5h")
    assert at.document["more"]["burns"] == ["4h", "6s"]
    assert at.document["hands"]["board"] == ["Ks", "7d", "2c", "5h"]


def test_a_room_without_a_rule_leaves_it_to_the_floor() -> None:
    at = At(CALGRAND).cards("9c").happens("first_card_exposed")
    assert at.held == "first_card_exposed"
    assert at.document["ruling"] == ["floor_decision"]


def test_an_early_turn_is_replaced_and_never_comes_as_the_turn() -> None:
    at = before_the_flop().cards("3s Ks 7d 2c").acts("2 bet, 3 call")
    at.happens("turn_before_betting_complete", "7s", "6h").acts("1 call").cards("2h")
    assert at.cards("6h").held == "duplicate_card"
