"""Draw, lowball and triple draw at the table: what the worked rounds cannot tell."""

from __future__ import annotations

from controller.engine import events as ev
from controller.engine.inputs import Act, CardOut, Revealed
from tests.support.games.draw_tables import DrawAt, unread

A5, CALGRAND_A5, TURLOCK = "bankers-lowball-a5", "calgrand-lowball-ace-to-five", "turlock-lowball"
DEUCE, BADUGI, BADUCI = "village-deuce-seven-triple-draw", "village-badugi-triple-draw", "village-baduci"
HANDS = "7c 8c Td 5d 6d Ts 4h 5h 3c 2s 3s 8d Ac 2c Qd"
"""Seat 2 has a seven, seat 3 an eight, seat 1 two tens."""


def after_calls(ruleset: str, hands: str = HANDS) -> DrawAt:
    at = DrawAt(ruleset)
    at.cards(hands)
    at.acts("1 call, 2 call, 3 check")
    return at


# Cards that nobody has read


def test_a_hand_that_nobody_has_read_draws_by_number_and_is_named_when_it_is_shown() -> None:
    at = after_calls(TURLOCK, unread(15))
    at.acts("2 draw_2").cards(unread(2)).acts("3 draw_5").cards(unread(5)).acts("1 stand_pat")
    at.acts("2 check, 3 check, 1 check")
    assert "key the 5 cards" in at.asks
    at.feed(Revealed("2", ("7c", "5d", "4h", "2s", "Ac")), Revealed("3", ("8c", "6d", "5h", "3s", "2c")))
    at.feed(Revealed("1", ("Td", "Ts", "3c", "8d", "Qd")))
    assert at.document["net"] == {1: -400, 2: 800, 3: -400}


def test_of_a_hand_that_was_read_in_part_the_read_discards_are_named() -> None:
    at = after_calls(TURLOCK, "7c 8c Td -- 6d Ts 4h 5h 3c 2s 3s 8d Ac 2c Qd")
    assert at.refusal(2, "draw_2")[0] == "wrong_count"
    at.feed(Act(2, "draw_2", cards=("7c",)))
    assert at.asks == "2 cards to Seat 2, face down"
    at.cards("9d 9s")
    assert at.document["hands"]["2"] == ["4h", "2s", "Ac", "9d", "9s"]


def test_a_discard_names_no_card_to_anybody() -> None:
    at = after_calls(A5).cards("Kh")
    events = at.feed(Act(2, "discard", cards=("7c", "5d")))
    assert [event.cards for event in events if isinstance(event, ev.CardsTakenBack)] == []
    events = at.feed(CardOut("9d"))
    (gone,) = (event for event in events if isinstance(event, ev.CardsTakenBack))
    assert gone.cards == (None, None) and gone.to == "muck"


def test_a_discard_that_the_seat_does_not_hold_is_refused_and_the_refusal_names_no_card() -> None:
    at = after_calls(A5).cards("Kh")
    (refused,) = at.feed(Act(2, "discard", cards=("8c",)))
    assert isinstance(refused, ev.Refused)
    assert refused.why == "not_held" and "8c" not in refused.text


# The draw


def test_a_request_may_be_changed_once_while_no_card_was_dealt_for_it() -> None:
    at = after_calls(A5).cards("Kh")
    at.discard(2, "7c 5d")
    assert at.asks == (
        "2 cards to Seat 2, face down / Seat 2: discard up to 5 cards, none stands pat — to change the draw"
    )
    at.discard(2, "7c")
    assert at.asks == "Card 5 to Seat 2, face down"
    at.cards("9d")
    assert "Seat 3: discard" in at.asks


def test_after_a_card_was_dealt_for_it_a_request_stands() -> None:
    at = after_calls(A5).cards("Kh")
    at.discard(2, "7c 5d")
    at.cards("9d")
    (refused,) = at.discard(2, "7c")
    assert isinstance(refused, ev.Refused)


def test_where_the_rules_say_nothing_about_an_empty_stub_the_floor_has_the_discards_shuffled() -> None:
    seats = tuple(range(1, 10))
    at = DrawAt(TURLOCK, seats=seats, button=9, blinds={1: 200, 2: 400})
    at.cards(unread(45))
    at.acts(", ".join(f"{seat} call" for seat in (3, 4, 5, 6, 7, 8, 9, 1)) + ", 2 check")
    at.acts("1 draw_5").cards(unread(5)).acts("2 draw_3").cards(unread(2))
    assert at.held == "stub_exhausted"
    at.floor("resume").cards(unread(1))
    assert at.asks.startswith("Seat 3: discard")


def test_the_last_card_is_never_dealt_at_california_grand() -> None:
    seats = tuple(range(1, 9))
    at = DrawAt(CALGRAND_A5, seats=seats, button=8, blinds={1: 200, 2: 400})
    at.cards(unread(40))
    at.acts(", ".join(f"{seat} call" for seat in (3, 4, 5, 6, 7, 8, 1, 2)))
    at.cards(unread(1)).acts("1 draw_5").cards(unread(5)).acts("2 draw_5").cards(unread(5))
    at.acts("3 draw_4")
    assert at.asks == "Shuffle the last card and 14 discards, then burn"
    at.cards(unread(1)).cards(unread(4))
    assert at.document["ruling"] == ["stub_replenished"]
    more = at.document["more"]
    assert (more["cards_drawn_before_reshuffle"], more["reshuffled"], more["cards_drawn_after_reshuffle"]) == (
        10,
        15,
        4,
    )


def test_an_empty_stub_is_filled_with_all_discards_but_those_of_who_draws() -> None:
    seats = (1, 2, 3, 4, 5, 6)
    at = DrawAt(DEUCE, seats=seats, button=6, blinds={1: 200, 2: 400})
    deck = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]
    at.cards(" ".join(deck[:30]))
    at.acts("3 call, 4 call, 5 call, 6 fold, 1 call, 2 check")
    hands = {seat: [deck[i] for i in range(seat - 1, 30, 6)] for seat in seats}
    at.discards({seat: " ".join(hands[seat]) for seat in (1, 2, 3, 4, 5)})
    at.cards(" ".join(deck[30:52]))
    assert at.asks == "3 cards to Seat 5, face down"
    stray = at.feed(CardOut(hands[5][0]))
    assert any(isinstance(event, ev.Irregularity) and event.code == "duplicate_card" for event in stray)
    at.floor("resume").cards(" ".join((hands[1][0], hands[6][0], hands[4][0])))
    assert at.asks.startswith("Seat 1: fold, check")


def test_in_badugi_the_discards_are_shuffled_before_a_player_is_served_short() -> None:
    seats = (1, 2, 3, 4, 5, 6, 7, 8)
    at = DrawAt(BADUGI, seats=seats, button=8, blinds={1: 200, 2: 400})
    at.cards(unread(32))
    at.acts(", ".join(f"{seat} call" for seat in (3, 4, 5, 6, 7, 8, 1)) + ", 2 check")
    at.acts(", ".join(f"{seat} draw_3" for seat in seats))
    at.cards(unread(18))
    assert [event.to for event in at.said(ev.CardsTakenBack)].count("stub") == 1
    at.cards(unread(6))
    assert at.asks.startswith("Seat 1: fold, check")


def test_an_empty_stub_ends_all_drawing_in_baduci() -> None:
    seats = (1, 2, 3, 4, 5, 6)
    at = DrawAt(BADUCI, seats=seats, button=6, blinds={1: 200, 2: 400})
    at.cards(unread(30))
    at.acts("3 call, 4 call, 5 call, 6 call, 1 call, 2 check")
    at.acts(", ".join(f"{seat} draw_3" for seat in seats)).cards(unread(18)).all_check(*seats)
    at.acts("1 draw_3, 2 draw_3, 3 draw_1").discards({4: "", 5: "", 6: ""}).cards(unread(4))
    assert at.asks.startswith("Seat 1: fold, check")
    assert len(at.document["more"]["received"]["draw_2"][2]) == 1
    at.all_check(*seats)
    assert at.asks.startswith("Seat 1: fold, check"), "nobody is asked to draw a third time"
    assert at.document["ruling"] == ["stub_exhausted"]


# What is not ruled


def test_a_card_exposed_on_the_draw_holds_the_table_where_the_rules_are_silent() -> None:
    at = after_calls(DEUCE).discards({2: "", 3: "6d", 1: ""})
    at.cards("Kh").happens("card_exposed_before_draw", seat=3, card="Kh")
    assert at.held == "card_exposed_before_draw"
    at.floor("resume")
    assert at.asks.startswith("Seat 2: fold, check")


def test_a_void_hand_returns_blinds_and_bets() -> None:
    at = after_calls(A5).cards("Kh").floor("void")
    assert at.document["returned"] == {1: 400, 2: 400, 3: 400}


def test_an_event_about_a_folded_hand_is_the_floors() -> None:
    at = DrawAt(A5).cards(HANDS).acts("1 fold")
    at.happens("card_exposed_by_dealer", seat=1, card="Td")
    assert at.held == "card_exposed_by_dealer"


# Sevens


def test_that_a_seven_was_checked_is_not_published_before_hands_are_shown() -> None:
    at = DrawAt(A5)
    at.cards(HANDS).acts("1 fold, 2 call, 3 check").cards("Kh")
    at.discards({2: "", 3: ""}).acts("2 check, 3 bet, 2 call")
    assert at.said(ev.Ruled) == []
    at.acts("2 show, 3 show")
    assert [(event.code, event.seat) for event in at.said(ev.Ruled)] == [("checked_seven_or_better", 2)]


def test_without_a_limit_there_is_no_rule_on_sevens() -> None:
    at = DrawAt(A5, structure={"kind": "no_limit"})
    at.cards(HANDS).acts("1 fold, 2 call, 3 check").cards("Kh")
    at.discards({2: "", 3: ""}).acts("2 check, 3 bet 900, 2 call, 2 show, 3 show")
    assert at.document["ruling"] == [] and at.document["net"] == {1: 0, 2: 1300, 3: -1300}


def test_a_seven_that_nobody_sees_wins_everything() -> None:
    at = DrawAt(CALGRAND_A5)
    at.cards(HANDS).acts("1 fold, 2 call, 3 call").cards("Kh")
    at.discards({2: "", 3: ""}).acts("2 check, 3 bet, 2 raise 1600, 3 fold")
    assert at.document["net"] == {1: 0, 2: 1200, 3: -1200}


# Kills


def test_a_kill_is_offered_until_the_first_third_card() -> None:
    at = DrawAt(CALGRAND_A5, options={"kills": ["before_third_card"]}, stacks={1: 9000, 2: 9000, 3: 9000})
    at.cards("7c 8c Td 5d 6d Ts")
    assert at.asks == ("Card 3 to Seat 2, face down / Seats 2, 3, 1: kill for $8")
    at.cards("4h")
    assert at.asks == "Card 3 to Seat 3, face down"


def test_a_kill_of_another_amount_is_refused() -> None:
    at = DrawAt(CALGRAND_A5, options={"kills": ["before_third_card"]}, stacks={1: 9000, 2: 9000, 3: 9000})
    at.cards("7c")
    (refused,) = at.feed(Act(1, "kill", cents=500))
    assert isinstance(refused, ev.Refused) and refused.why == "wrong_increment"


# Questions
