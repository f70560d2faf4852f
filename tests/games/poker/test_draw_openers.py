"""Openers at the table: who is asked, what is shown, what nobody may hear of."""

from __future__ import annotations

from typing import Any

import msgspec

from controller.engine import events as ev
from controller.engine.inputs import Act, Revealed, TableSet
from controller.operator.offers.offers import offers
from tests.support.games.draw_tables import DrawAt, unread

JACKS, CALGRAND = "bankers-draw-jacks-or-better", "calgrand-draw-poker"
ANTES = {1: 100, 2: 100, 3: 100}
KINGS = "9h Kc 2s 8d Kd 4s 9d 4c 7d 5h 3c 6d 2h 7c Jh"
"""Seat 2 has nines, seat 3 kings, seat 1 nothing."""


def jacks(hands: str = KINGS, **settings: Any) -> DrawAt:
    at = DrawAt(JACKS, blinds={}, **{"antes": ANTES, "stacks": {1: 9000, 2: 9000, 3: 9000}, **settings})
    at.cards(hands)
    return at


def calgrand(hands: str = KINGS, **options: Any) -> DrawAt:
    at = DrawAt(CALGRAND, options={"openers": ["pair", "J"], **options}, blinds={}, antes=ANTES)
    at.cards(hands)
    return at


# Opening


def test_before_the_pot_is_open_a_seat_passes_or_opens() -> None:
    at = jacks()
    assert at.asks == "Seat 2: pass or open for $4"
    assert at.refusal(2, "fold")[0] == "not_offered"


def test_who_is_all_in_for_the_antes_may_speak_or_stay_silent() -> None:
    at = jacks(stacks={1: 9000, 2: 100, 3: 9000})
    assert at.asks == "Seat 2: pass or declare the pot open, all-in for the antes / Seat 3: pass or open for $4"
    at.acts("3 open 400")
    assert at.asks == "Seat 1: fold, call $4 or raise to $8"


def test_a_pot_that_nobody_opens_is_carried_and_the_next_deal_plays_for_it() -> None:
    at = jacks("9h Kc 2s 8d Qd 4s 9d 4c 7d 5h 3c 6d 2h 7c Jh").acts("2 check, 3 check, 1 check")
    assert at.document["more"]["carried"] == 300 and at.document["pots"] == []
    assert at.said(ev.RoundSettled)[0].pots == ()
    again = DrawAt(JACKS, blinds={}, antes=ANTES, button=2, options={"carried_antes": {1: 100, 2: 100, 3: 100}})
    again.cards("Kc 9h 2s Kd 8d 4s 4c 9d 7d 3c 5h 6d 7c 2h Jh").acts("3 open 400, 1 fold, 2 fold, 3 show")
    assert again.document["net"] == {1: -200, 2: -200, 3: 400}


def test_where_the_button_moves_by_itself_the_next_deal_finds_what_is_in_the_middle() -> None:
    at = jacks("9h Kc 2s 8d Qd 4s 9d 4c 7d 5h 3c 6d 2h 7c Jh", button_moves=True).acts("2 check, 3 check, 1 check")
    at.cards("Kc 9h 2s Kd 8d 4s 4c 9d 7d 3c 5h 6d 7c 2h Jh").acts("3 open 400, 1 fold, 2 fold, 3 show")
    assert at.document["net"] == {1: -200, 2: -200, 3: 400}
    assert at.engine.state.setup.settings["stacks"] == {"1": 8800, "2": 8800, "3": 9400}
    assert not at.engine.state.setup.settings["carried"]


def passed_out(**how: Any) -> DrawAt:
    """A deal that nobody opened: $3 lie in the middle."""
    return jacks("9h Kc 2s 8d Qd 4s 9d 4c 7d 5h 3c 6d 2h 7c Jh", **how).acts("2 check, 3 check, 1 check")


def test_where_the_floor_sets_the_table_the_next_deal_finds_what_is_in_the_middle_too() -> None:
    at = passed_out()
    at.feed(TableSet(button=2, settings={"stacks": {"1": 5000, "2": 5000, "3": 5000}}))
    at.cards("Kc 9h 2s Kd 8d 4s 4c 9d 7d 3c 5h 6d 7c 2h Jh").acts("3 open 400, 1 fold, 2 fold, 3 show")
    assert at.document["net"] == {1: -200, 2: -200, 3: 400}
    assert not at.engine.state.setup.settings["carried"]


def test_who_leaves_while_antes_pile_up_forfeits_what_he_put_in() -> None:
    """bankers-draw-jacks-or-better, 000:308."""
    at = passed_out()
    two, three = {"2": 100, "3": 100}, {"1": 100, "2": 100, "3": 100}
    at.feed(TableSet(seats=(2, 3), button=2, settings={"antes": two, "stacks": None}))
    at.cards("9h Kc 8d Qd 9d 4c 5h 3c 2h 7c").acts("3 check, 2 check")
    assert (at.document["more"]["carried"], at.document["more"]["forfeited"]) == (500, 100)
    assert at.document["net"] == {2: -200, 3: -200}
    at.feed(TableSet(seats=(1, 2, 3), button=3, settings={"antes": three}))
    at.cards("Kc 9h 2s Kd 8d 4s 4c 9d 7d 3c 5h 6d 7c 2h Jh").acts("1 open 400, 2 fold, 3 fold, 1 show")
    assert at.document["net"] == {1: 700, 2: -300, 3: -300}, "who comes back has forfeited all the same"


def test_the_floor_can_say_what_lies_in_the_middle() -> None:
    at = passed_out()
    (offer,) = [offer for offer in offers(at.engine, keys_cards=True) if offer.id == "carried"]
    assert offer.asks[0].given == {"1": 100, "2": 100, "3": 100}
    at.feed(TableSet(settings={"carried": {}}))
    at.cards(KINGS).acts("2 check, 3 open 400, 1 fold, 2 fold, 3 show")
    assert at.document["net"] == {1: -100, 2: -100, 3: 200}


def test_a_false_openers_chips_go_to_the_winner_of_the_next_deal() -> None:
    at = DrawAt(
        CALGRAND,
        options={"openers": ["pair", "J"]},
        blinds={},
        antes=ANTES,
        stacks=dict.fromkeys(ANTES, 9000),
        button_moves=True,
    )
    at.cards(KINGS).acts("2 bet 400, 3 fold, 1 fold")
    assert at.document["more"]["carried"] == 700
    at.cards("Kc 9h 2s Kd 8d 4s 4c 9d 7d 3c 5h 6d 7c 2h Jh").acts("3 bet 400, 1 fold, 2 fold")
    assert at.document["net"] == {1: -200, 2: -600, 3: 800}


def test_the_fee_of_a_hand_comes_out_of_its_pot() -> None:
    seats = (1, 2, 3, 4, 5, 6, 7)
    options = {"schedule": "poker-2/draw-stud-mexican/2"}
    at = DrawAt(JACKS, seats=seats, button=7, blinds={}, antes=dict.fromkeys(seats, 100), options=options)
    at.cards(unread(35)).all_check(*seats)
    assert at.document["fees"]["pot"] == [{"kind": "player", "cents": 400, "due": "betting_1_closed"}]
    assert (at.document["more"]["carried"], at.document["more"]["carried_after_fees"]) == (700, 300)


def test_a_fee_that_was_taken_from_a_carried_pot_is_not_carried() -> None:
    seats = (1, 2, 3, 4, 5, 6, 7)
    at = DrawAt(
        JACKS,
        seats=seats,
        button=7,
        blinds={},
        antes=dict.fromkeys(seats, 100),
        stacks=dict.fromkeys(seats, 9000),
        options={"schedule": "poker-2/draw-stud-mexican/2"},
        button_moves=True,
    )
    at.cards(unread(35)).all_check(*seats)
    carried = at.engine.state.setup.settings["carried"]
    assert sum(carried.values()) == 300 and max(carried.values()) - min(carried.values()) <= 1


def test_what_openers_a_seat_has_is_never_published() -> None:
    at = jacks().acts("2 open 400").happens("false_openers_shown_before_draw", seat=2).acts("3 check, 1 check")
    published = b"".join(map(msgspec.json.encode, at.events))
    assert at.document["more"]["may_declare_open"] == [3]
    assert b"may_declare_open" not in published and b"no_openers" not in published


def test_a_seat_that_passed_may_not_declare_the_pot_open_whatever_it_holds() -> None:
    at = jacks().acts("2 check, 3 check, 1 open 400").happens("false_openers_shown_before_draw", seat=1)
    assert at.is_over, "everybody else has passed"
    at = jacks().acts("2 check, 3 open 400").happens("false_openers_shown_before_draw", seat=3)
    assert at.refusal(2, "declare_open")[0] == "passed_openers"


# Proving


def test_the_opener_proves_openers_though_nobody_called_and_shows_no_more_than_he_names() -> None:
    at = jacks().acts("2 check, 3 open 400, 1 fold, 2 fold")
    assert at.asks.startswith("Seat 3: show openers or muck")
    at.feed(Act(3, "show", cards=("Kc", "Kd")))
    (shown,) = at.said(ev.HandShown)
    assert shown.cards == ("Kc", "Kd")
    assert at.document["net"] == {1: -100, 2: -100, 3: 200}


def test_cards_that_are_no_openers_prove_nothing() -> None:
    at = jacks().acts("2 check, 3 open 400, 1 fold, 2 fold")
    at.feed(Act(3, "show", cards=("Kc", "7c")))
    assert at.document["ruling"] == ["loses_pot"] and at.document["more"]["carried"] == 300


def test_discards_under_the_chip_are_shown_to_prove_openers_that_were_split() -> None:
    at = jacks().acts("2 check, 3 open 400, 1 fold, 2 call").cards("Qc")
    at.discard(2)
    at.discard(3, "Kd")
    at.cards("As").acts("3 check, 2 check")
    at.feed(Act(3, "show", cards=("Kc", "Kd")))
    assert [event.owner for event in at.said(ev.HandShown)] == ["3", "discards", "3", "2"]
    assert at.document["more"]["splitting"] and at.document["net"][2] == 600


def test_openers_that_no_reader_has_read_are_named_before_the_pot_is_pushed() -> None:
    at = jacks(unread(15)).acts("2 check, 3 open 400, 1 fold, 2 call").cards(unread(1))
    at.discard(2)
    at.acts("3 draw_1").cards(unread(1)).acts("3 check, 2 check, 3 show")
    assert at.asks.startswith("Seat 3: key the 5 cards")
    at.feed(Revealed("3", ("Kc", "4c", "3c", "7c", "As")))
    assert at.asks.startswith("Discards: key the card")
    at.feed(Revealed("discards", ("Kd",)), Revealed("2", ("9h", "8d", "9d", "5h", "2h")))
    assert at.document["more"]["openers"] == {3: ["pair", "K", "7", "4", "3"]}
    assert at.document["net"] == {1: -100, 2: 600, 3: -500}


def test_california_grand_tests_the_opening_hand_itself_when_it_was_not_read() -> None:
    at = calgrand(unread(15)).acts("2 bet 400, 3 fold, 1 fold")
    assert at.asks == "Seat 2: key the 5 cards"
    at.feed(Revealed("2", ("9h", "8d", "9d", "5h", "2h")))
    assert at.document["ruling"] == ["false_openers_before_draw", "no_opener_reante"]
    assert at.document["more"]["carried"] == 700


def test_a_false_opener_who_folds_has_lost_his_bets_anyway() -> None:
    at = calgrand().acts("2 bet 400, 3 raise 800, 1 fold, 2 fold")
    assert at.document["ruling"] == [] and at.document["net"] == {1: -100, 2: -500, 3: 600}


def test_false_openers_of_somebody_who_has_not_opened_are_the_floors() -> None:
    at = calgrand().acts("2 check, 3 bet 400").happens("false_openers", seat=2)
    assert at.held == "false_openers"
    at.floor("resume")
    assert at.asks == "Seat 1: fold, call $4 or raise to $8"


def test_a_void_deal_returns_its_own_antes_and_leaves_what_was_carried_in_the_middle() -> None:
    at = passed_out()
    at.cards(KINGS).floor("void")
    assert at.document["returned"] == {1: 100, 2: 100, 3: 100}
    at.cards(KINGS).acts("2 check, 3 open 400, 1 fold, 2 fold, 3 show")
    assert at.document["net"] == {1: -200, 2: -200, 3: 400}
