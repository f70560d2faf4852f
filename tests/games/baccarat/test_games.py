"""The baccarat games at the table: cards that lie face down, choices, side bets, trouble, and money that goes back."""

from __future__ import annotations

import msgspec
import pytest

from controller.engine import events as ev
from controller.engine.expect.expectation import cards_allowed
from controller.engine.inputs import (
    Act,
    BetsClosed,
    CutCardOut,
    FloorAct,
    Happening,
    Revealed,
    ShoeStarted,
    WagerPlaced,
)
from tests.support.games.baccarat_tables import ALL_FOUR, CENTURY, DRAGON, PANDA, VILLAGE_EZ, At, kinds, nets, only


def bank_line(slug: str) -> str:
    return "dealer_line" if slug == CENTURY else "banker_line"


@pytest.mark.parametrize("slug", ALL_FOUR)
def test_a_void_gives_every_wager_back(slug: str) -> None:
    table = At(slug)
    table.feed(WagerPlaced(1, "player_line", 1000), WagerPlaced(1, "tie", 500), WagerPlaced(3, bank_line(slug), 700))
    table.feed(BetsClosed())
    table.cards("9h", "Kd")
    voided = only(table.feed(FloorAct("void", "a card was exposed")), ev.RoundVoided)
    assert voided.returned == {"1": 1500, "3": 700}
    assert table.engine.last is not None
    assert table.engine.last.document["net"] == {}


@pytest.mark.parametrize("slug", [PANDA, VILLAGE_EZ, DRAGON])
def test_an_irregularity_that_nobody_has_ruled_holds_the_table_until_the_floor_resumes(slug: str) -> None:
    table = At(slug)
    table.feed(WagerPlaced(1, "player_line", 1000), BetsClosed())
    table.cards("9h", "2d")
    assert kinds(table.feed(Happening("shuffler_failure")))[-1] == "held"
    assert cards_allowed(table.engine.expectation) == 0
    table.feed(FloorAct("resume", "the machine is not needed for this shoe"))
    assert nets(table.cards("Kc", "6s")) == {(1, "player_line"): 1000}


@pytest.mark.parametrize("slug", ALL_FOUR)
def test_a_side_bet_whose_line_was_taken_back_returns_before_the_deal(slug: str) -> None:
    side = {PANDA: "dragon_7", VILLAGE_EZ: "dragon_7", CENTURY: "royale_bonus", DRAGON: "player_dragon"}[slug]
    table = At(slug)
    table.feed(WagerPlaced(2, "player_line", 1000), WagerPlaced(2, side, 300), WagerPlaced(2, "player_line", 0))
    assert ev.WagerSet(2, side, 0) in table.feed(BetsClosed())
    result = only(table.cards("9h", "2d", "Kc", "6s"), ev.RoundSettled)
    assert result.lines == ()
    assert result.returned == {2: 300}


@pytest.mark.parametrize("slug", [PANDA, DRAGON])
def test_nobody_bets_behind_a_seat_where_the_approval_forbids_it(slug: str) -> None:
    table = At(slug)
    assert only(table.feed(WagerPlaced("3.2", "player_line", 1000)), ev.Refused).why == "backline_not_allowed"


@pytest.mark.parametrize("slug", [VILLAGE_EZ, CENTURY])
def test_face_down_cards_are_published_when_both_hands_are_complete(slug: str) -> None:
    table = At(slug, records_wagers=False)
    events = table.cards("9h", "2d", "Kc")
    assert all(event.card is None for event in events if isinstance(event, ev.CardDealt))
    shown = [event for event in table.cards("6s") if isinstance(event, ev.HandShown)]
    assert shown[0].cards == ("9h", "Kc")
    assert shown[-1].cards == ("2d", "6s")


@pytest.mark.parametrize("slug", [VILLAGE_EZ, CENTURY])
def test_face_down_cards_that_were_not_read_are_keyed_when_they_are_turned(slug: str) -> None:
    table = At(slug, records_wagers=False)
    table.cards(None, "2d", None, "6s")
    assert table.prompt == "Player: key the 2 cards"
    assert only(table.feed(Revealed("player", ("9h", "Kc"))), ev.RoundSettled).outcome == "player"


# 21st Century Baccarat


def option_table() -> At:
    """The player has five, the dealer shows a six; the hole card is a queen."""
    table = At(CENTURY)
    table.feed(WagerPlaced(1, "player_line", 1000), WagerPlaced(2, "player_line", 1000), BetsClosed())
    table.cards("2c", "6d", "3h", "Qs")
    return table


def test_the_prompt_names_whom_to_ask_and_why() -> None:
    table = option_table()
    assert table.prompt == "Seat 1: hit or stand — Player has 5, the dealer shows a 6"
    assert cards_allowed(table.engine.expectation) == 0
    table.feed(Act(1, "stand"))
    assert table.prompt.startswith("Seat 2: hit or stand")
    table.feed(Act(2, "hit"))
    assert table.prompt == "Player draws"


def test_the_hole_card_stays_hidden_while_the_line_decides() -> None:
    table = option_table()
    engine = table.engine
    assert engine.round is not None
    said = [msgspec.json.encode(engine.expectation), msgspec.json.encode(engine.public_result)]
    assert not any(b"Qs" in text for text in said)
    assert [slot.face_if_exposed for slot in engine.round.table.hands["dealer"]] == ["6d", None]


def test_the_house_way_hits_for_a_bettor_who_asks_for_it() -> None:
    table = option_table()
    table.feed(Act(1, "hit", by="house"), Act(2, "stand"))
    assert nets(table.cards("3s")) == {(1, "player_line"): 1000, (2, "player_line"): -1000}


def test_a_hole_card_that_was_not_read_is_looked_at_before_anybody_decides() -> None:
    """Else a natural would be drawn against."""
    table = At(CENTURY)
    table.feed(WagerPlaced(1, "player_line", 1000), BetsClosed())
    events = table.cards("2c", "6d", "3h", None)
    assert table.prompt == "Dealer: key the card — look at the hole card and leave it face down"
    events += table.feed(Revealed("dealer", ("Qs",)))
    assert table.prompt.startswith("Seat 1: hit or stand")
    assert not any(b"Qs" in ev.encode_event(event) for event in events)


def test_an_act_out_of_turn_changes_nothing() -> None:
    table = option_table()
    assert only(table.feed(Act(2, "stand")), ev.Refused).why == "not_in_turn"
    assert only(table.feed(Act(1, "double")), ev.Refused).why == "not_offered"


def test_a_table_without_wager_input_draws_the_third_card_without_asking() -> None:
    table = At(CENTURY, records_wagers=False)
    table.cards("2c", "6d", "3h", "Qs")
    assert table.prompt == "Player draws"


# Shoe


def test_a_fresh_shoe_is_burned_by_its_first_card_where_the_house_does() -> None:
    table = At(PANDA, {"burn": "first_card_value"})
    assert table.prompt == "Burn the first card, face up"
    assert only(table.cards("3h"), ev.CardBurned).card == "3h"
    assert table.prompt == "Burn a card, 1 of 3"
    assert [event.card for event in table.cards("9c", "9d", "9s") if isinstance(event, ev.CardBurned)] == [None] * 3
    assert table.prompt == "Place your bets"
    table.feed(WagerPlaced(1, "player_line", 1000), BetsClosed())
    table.cards("9h", "2d", "Kc", "6s")
    assert table.prompt == "Place your bets"


def test_a_burn_card_that_was_not_read_is_keyed_and_pictures_burn_ten() -> None:
    table = At(VILLAGE_EZ, {"burn": "first_card_value"})
    table.cards(None)
    assert table.prompt == "Burn: key the card"
    table.feed(Revealed("burn", ("Kd",)))
    assert table.prompt == "Burn a card, 1 of 10"


def test_the_next_hand_is_the_last_when_the_cut_card_lies_in_the_window() -> None:
    table = At(VILLAGE_EZ, records_wagers=False)
    table.cards("9h", "2d", "Kc", "6s")
    assert kinds(table.feed(CutCardOut())) == ["cut_card"]
    assert table.prompt == "Card 1 to Player, face down"
    assert only(table.cards("9d", "2h", "Kd", "6h"), ev.ShoeEnded).hands == 2
    assert table.prompt == "Shuffle and load a new shoe"


def test_a_cut_card_in_mid_hand_may_leave_one_more_hand() -> None:
    table = At(PANDA, {"cut_card_in_hand": "next_hand"}, records_wagers=False)
    table.cards("9h")
    table.feed(CutCardOut())
    assert "shoe_ended" not in kinds(table.cards("2d", "Kc", "6s"))
    assert "shoe_ended" in kinds(table.cards("9d", "2h", "Kd", "6h"))


def test_a_shoe_with_the_wrong_number_of_decks_is_not_dealt() -> None:
    table = At(PANDA, shoe=False)
    events = table.feed(ShoeStarted(6))
    assert only(events, ev.AlarmRaised).alarm == "shoe:deck_count"
    assert table.prompt == "Shuffle and load a new shoe: 6 decks are in the shoe, 8 belong there"
    assert kinds(table.feed(ShoeStarted(8))) == ["shoe_ended", "shoe_started", "alarm_cleared"]
    assert table.prompt == "Place your bets"


def test_the_shoe_before_is_kept_with_its_hands() -> None:
    table = At(DRAGON, records_wagers=False)
    table.cards("9h", "2d", "Kc", "6s")
    table.feed(ShoeStarted(8))
    previous = table.engine.state.previous_shoe
    assert previous is not None
    assert table.engine.game.board(previous.history)["hands_in_shoe"] == 1
    assert [entry.flags for entry in previous.history] == [("player_natural", "banker_natural", "natural")]


def test_a_pair_is_marked_for_the_bead_plate() -> None:
    table = At(CENTURY, records_wagers=False)
    table.cards("9h", "8d", "9c", "8s")
    shoe = table.engine.state.shoe
    assert shoe is not None
    assert shoe.history[0].flags == ("natural", "player_pair", "banker_pair")
