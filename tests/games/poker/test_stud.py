"""Seven-card stud at the table: who opens, what comes face up, what goes wrong, and who may know which card."""

from __future__ import annotations

from typing import Any

from controller.engine import events as ev
from controller.engine.expect.wants import WantCard, WantReveal
from controller.engine.inputs import Act, CardOut, FloorAct, Revealed
from tests.support.games.poker_tables import At

BANKERS, RAZZ, CALGRAND = "bankers-seven-card-stud", "bankers-razz", "calgrand-seven-card-stud"
LIMIT = {"kind": "fixed_limit", "low": 500, "high": 1000, "forced": 200}
FIRST_THREE = "8d 9c Ks 6d Ts Kh Td 2c 8h"
"""Seat 1 shows a ten, seat 2 the low deuce, seat 3 an eight and holds kings."""
SEVENTH = "3c 4h 5c Jd 3d Jh Qc 4s 3h Ac 7s 9d 3s Qd 5d"
"""Fourth to sixth street for three seats, the last burn, and two of three last cards."""


def stud(ruleset: str = BANKERS, **settings: Any) -> At:
    settings = {"structure": LIMIT, "blinds": {}, "antes": {1: 50, 2: 50, 3: 50}, "button": None, **settings}
    return At(ruleset, **settings)


def to_the_last_card(ruleset: str = BANKERS) -> At:
    """Everybody is in for the bring-in; seat 3 has yet to get its last card."""
    at = stud(ruleset).cards(FIRST_THREE)
    if ruleset == CALGRAND:
        at.acts("2 bring_in 200")
    at.acts("3 call 200, 1 call 200")
    streets = SEVENTH.split()
    for first, street in ((3, streets[:4]), (2, streets[4:8]), (1, streets[8:12])):
        at.cards(" ".join(street)).all_check(*at.engine.round.table.clockwise(first - 1))  # type: ignore[union-attr]
    return at.cards(" ".join(streets[12:]))


# The deal


def test_two_cards_come_down_and_one_up_from_the_lowest_seat() -> None:
    at = stud().cards(FIRST_THREE)
    dealt = at.said(ev.CardDealt)
    assert [event.to for event in dealt] == ["1", "2", "3"] * 3
    assert [event.card for event in dealt] == [None] * 6 + ["Td", "2c", "8h"]


def test_the_low_card_has_brought_it_in_when_the_first_player_is_asked() -> None:
    at = stud().cards(FIRST_THREE)
    assert at.asks == "Seat 3: fold, call $2 or complete to $5"
    assert ev.WagerSet(2, "bring_in", 200) in at.events


def test_the_opener_at_california_grand_chooses_the_amount_and_may_not_fold() -> None:
    at = stud(CALGRAND).cards(FIRST_THREE)
    assert at.asks == "Seat 2: bring it in for $2 or $5"
    assert at.refusal(2, "fold")[0] == "not_offered"


def test_a_raise_over_the_bring_in_is_a_completion() -> None:
    at = stud().cards(FIRST_THREE)
    assert at.refusal(3, "raise", 700)[0] == "wrong_amount"
    assert at.refusal(3, "complete", 700)[0] == "wrong_amount"
    at.acts("3 complete 500, 1 raise 1000")


# Cards nobody has read


def test_an_up_card_that_was_not_read_is_keyed_and_hole_cards_are_not_asked_for() -> None:
    at = stud().cards("-- 9c Ks 6d Ts Kh --")
    (want,) = at.engine.expectation.wants
    assert isinstance(want, WantReveal)
    assert (want.owner, want.nth) == ("1", (3,))
    at.feed(Revealed("1", ("Td",)))
    (want,) = at.engine.expectation.wants
    assert isinstance(want, WantCard)
    assert want.to == "2"


def test_unread_hole_cards_are_named_when_the_hand_is_shown_and_not_before() -> None:
    at = stud(seats=(1, 2), antes={1: 50, 2: 50}).cards("-- -- -- -- Td 2c").acts("1 call 200")
    at.cards("-- 4h 5c").all_check(1, 2).cards("-- Jh Qc").all_check(2, 1).cards("-- Ac 7s").all_check(1, 2)
    at.cards("-- -- --").all_check(1, 2)
    assert at.asks == "Seat 1: key the 3 cards"
    at.feed(Revealed("1", ("8d", "6d", "Qd")), Revealed("2", ("9c", "Ts", "5d")))
    assert at.document["ranks"] == {"1": ["high_card", "A", "Q", "J", "T", "8"], "2": ["pair", "5", "Q", "T", "9"]}


def test_a_hidden_card_is_in_no_event_of_a_hand_that_ends_without_a_showdown() -> None:
    at = stud().cards(FIRST_THREE).acts("3 complete 500, 1 fold, 2 fold")
    published = " ".join(map(str, at.events))
    assert at.is_over
    assert not any(code in published for code in ("8d", "9c", "Ks", "6d", "Ts", "Kh"))


# What goes wrong


def test_an_exposed_hole_card_is_the_door_card_and_the_third_comes_down() -> None:
    at = stud().cards("8d 9c Ks 6d").happens("hole_card_dealt_face_up", seat=1, card="6d")
    at.cards("Ts Kh")
    (want,) = at.engine.expectation.wants
    assert isinstance(want, WantCard)
    assert not want.face_up
    at.cards("Td 2c 8h")
    assert at.document["more"]["up"] == {1: ["6d"], 2: ["2c"], 3: ["8h"]}


def test_a_ruling_that_comes_while_the_card_is_awaited_changes_how_it_is_dealt() -> None:
    at = stud().cards("8d 9c Ks 6d Ts Kh").happens("hole_card_dealt_face_up", seat=1, card="8d")
    (want,) = at.engine.expectation.wants
    assert isinstance(want, WantCard)
    assert (want.to, want.face_up) == ("1", False)


def test_a_second_exposed_hole_card_kills_the_hand_and_returns_the_ante() -> None:
    at = stud().cards("8d 9c Ks").happens("hole_card_dealt_face_up", seat=1, card="8d")
    at.cards("6d").happens("hole_card_dealt_face_up", seat=1, card="6d").cards("Ts Kh Td 2c 8h")
    assert at.document["ruling"] == ["dead_hand"]
    assert at.document["more"]["ante_returned"] == {1: 50}
    at.acts("3 fold")
    assert at.document["net"] == {1: 0, 2: 50, 3: -50}


def test_a_stray_street_is_taken_for_what_the_floor_calls_it() -> None:
    at = stud().cards(FIRST_THREE).acts("3 call 200")
    at.feed(CardOut("3c"), CardOut("Ac"))
    assert at.held == "card_not_expected"
    at.happens("dealt_before_betting_complete", count=1)
    assert at.asks == "Take out one more card for each player not dealt to"
    at.cards("Ad As").acts("1 call 200")
    at.cards("4c 7h 5c Jd")
    assert at.document["more"]["burns"] == ["3c", "4c"]
    assert at.document["hands"]["1"] == ["8d", "6d", "Td", "7h"]


def test_who_has_seen_a_last_card_dealt_too_early_keeps_it_and_may_not_raise() -> None:
    at = stud().cards(FIRST_THREE).acts("3 call 200, 1 call 200")
    streets = SEVENTH.split()
    at.cards(" ".join(streets[:4])).all_check(3, 1, 2).cards(" ".join(streets[4:8])).all_check(2, 3, 1)
    at.cards(" ".join(streets[8:12])).acts("1 bet 1000").happens("premature_last_card_seen", seat=2)
    at.cards("3s Qd")
    assert at.refusal(2, "raise", 2000) == ("no_raise_with_seven_cards", {"legal": ["call", "fold"]})
    at.acts("2 call 1000, 3 call 1000").cards("6c Qh 6h")
    assert [len(at.document["hands"][seat]) for seat in "123"] == [7, 7, 7]


def test_up_cards_picked_up_after_the_betting_harm_nobody() -> None:
    at = stud().cards(FIRST_THREE).acts("3 call 200, 1 call 200").happens("up_cards_picked_up", seat=3)
    assert at.document["ruling"] == []
    assert at.held is None


def test_the_hand_that_is_asked_may_die_while_it_thinks() -> None:
    at = stud().cards(FIRST_THREE)
    assert at.asks.startswith("Seat 3")
    at.happens("up_cards_picked_up", seat=3)
    assert at.asks.startswith("Seat 1")


def test_an_event_of_another_room_holds_the_table_and_resuming_goes_on() -> None:
    at = stud().cards(FIRST_THREE).happens("wrong_card_count", counts={2: 4})
    assert at.held == "wrong_card_count"
    at.feed(FloorAct("resume"))
    assert at.asks.startswith("Seat 3")


def test_a_void_returns_antes_bring_in_and_bets() -> None:
    at = stud().cards(FIRST_THREE).acts("3 complete 500").happens("shuffler_jam")
    at.feed(FloorAct("void", "jam"))
    assert at.document["returned"] == {1: 50, 2: 250, 3: 550}


# Seventh street


def test_at_bankers_who_got_his_last_card_up_is_asked_before_the_betting() -> None:
    at = to_the_last_card().happens("last_card_face_up", seat=2, card="5d")
    assert at.asks == "Card 7 to Seat 3, face down"
    at.cards("6s")
    assert at.asks == "Seat 2: play on or declare all-in — the last card came face up"


def test_at_california_grand_nobody_bets_when_a_later_last_card_came_up() -> None:
    at = to_the_last_card(CALGRAND).happens("card_exposed", seat=2, card="5d")
    assert at.asks == "Card 7 to Seat 3, face down"
    at.cards("6s")
    assert at.is_over


def test_who_declares_himself_all_in_is_asked_no_more_and_keeps_his_chips() -> None:
    at = to_the_last_card().happens("last_card_face_up", seat=2, card="5d").cards("6s")
    at.feed(Act(2, "declare_all_in"))
    at.acts("1 bet 1000, 3 call 1000")
    assert at.is_over
    assert [pot["seats"] for pot in at.document["pots"]] == [[1, 2, 3], [1, 3]]


def test_a_last_card_named_late_still_counts_before_anybody_has_acted() -> None:
    at = to_the_last_card(CALGRAND).cards("6s")
    assert at.asks.startswith("Seat 1")
    at.happens("card_exposed", seat=3, card="6s")
    assert at.is_over
    assert at.document["flags"]["betting_on_seventh"] is False


# Razz


def test_in_razz_the_high_card_brings_it_in_and_the_low_board_acts_first() -> None:
    at = stud(RAZZ).cards(FIRST_THREE)
    assert at.document["more"]["bring_in_seat"] == 1
    at.acts("2 call 200, 3 call 200").cards("3c 4h 5c Jd")
    assert at.asks.startswith("Seat 2")


# Fees


def test_the_collection_of_stud_is_due_when_the_first_betting_round_closes() -> None:
    at = stud(options={"schedule": "poker-2/draw-stud-mexican/13"}).cards(FIRST_THREE)
    assert not at.said(ev.FeeChanged)
    at.acts("3 complete 500, 1 call 500, 2 fold")
    (due,) = at.said(ev.FeeChanged)
    assert (due.payer, due.moment) == ("pot", "betting_1_closed")


def test_razz_takes_the_collections_of_stud() -> None:
    at = stud(RAZZ, options={"schedule": "poker-2/draw-stud-mexican/13"}).cards(FIRST_THREE)
    at.acts("2 fold, 3 fold")
    (due,) = at.said(ev.FeeChanged)
    assert due.moment == "ended_before_betting_1_closed"


def test_stud_is_dealt_without_a_button_and_goes_on_from_hand_to_hand() -> None:
    at = stud(stacks={1: 1000, 2: 1000, 3: 1000}, button_moves=True)
    at.cards(FIRST_THREE).acts("3 complete 500, 1 fold, 2 fold")
    assert at.engine.state.setup.settings["stacks"] == {"1": 950, "2": 750, "3": 1300}
    at.cards("8d")
    (want,) = at.engine.expectation.wants
    assert isinstance(want, WantCard)
    assert want.to == "2"
