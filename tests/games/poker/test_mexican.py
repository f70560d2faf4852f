"""Mexican Poker at three rooms' tables: expose or keep, the joker's two natures, a bet before the first card."""

from __future__ import annotations

from typing import Any

from controller.engine import events as ev
from controller.engine.expect.wants import WantCard, WantReveal
from controller.engine.inputs import Act, FloorAct, Revealed
from tests.support.games.poker_tables import At

BANKERS, TURLOCK, SALINAS = "bankers-mexican-stud-poker", "turlock-mexican-poker", "bankers-mexican-poker-salinas"
LIMIT = {"kind": "fixed_limit", "low": 400, "high": 800}
FIRST_TWO = "5h Ks 7d Qc 5d 2c"
"""From the left of the button: five, king and seven up; queen, five and deuce down."""


def mexican(ruleset: str = BANKERS, **settings: Any) -> At:
    settings = {"structure": LIMIT, "blinds": {}, "antes": {1: 100, 2: 100, 3: 100}, "button": 3, **settings}
    return At(ruleset, **settings)


def salinas(**settings: Any) -> At:
    return At(SALINAS, seats=(1, 2, 3, 4, 5), structure={"kind": "no_limit"}, blinds={}, **settings)


# Expose or keep


def test_the_first_card_comes_up_and_the_second_down_from_the_left_of_the_button() -> None:
    at = mexican()
    assert at.asks == "Card 1 to Seat 1"
    at.cards("5h Ks 7d")
    assert at.asks == "Card 2 to Seat 1, face down"
    at.cards("Qc 5d 2c")
    assert at.asks == "Seat 2: bring it in for $4 or $8"


def test_who_exposes_gets_the_next_card_down_and_who_keeps_gets_it_up() -> None:
    at = mexican().cards(FIRST_TWO).acts("2 bring_in 400, 3 call 400, 1 call 400")
    assert at.asks == ("Seat 1: expose the down card (the next comes down) or keep it down (the next comes up)")
    at.acts("1 expose, 2 keep, 3 keep").cards("3c")
    assert ev.HandShown("1", ("5h", "Qc")) in at.events  # type: ignore[arg-type]
    assert at.asks == "Card 3 to Seat 1, face down"
    at.cards("4h")
    assert at.asks == "Card 3 to Seat 2"
    at.cards("Kd 6h")
    more = at.document["more"]
    assert more["up"] == {1: ["5h", "Qc"], 2: ["Ks", "Kd"], 3: ["7d", "6h"]}
    assert more["down"] == {1: ["4h"], 2: ["5d"], 3: ["2c"]}
    assert at.asks.startswith("Seat 2: fold, check or bet $4")


def test_a_down_card_that_was_not_read_is_named_when_its_owner_turns_it_up() -> None:
    at = mexican().cards("5h Ks 7d -- 5d 2c").acts("2 bring_in 400, 3 call 400, 1 call 400, 1 expose")
    (want,) = at.engine.expectation.wants
    assert isinstance(want, WantReveal)
    at.feed(Revealed("1", ("Jo",)))
    at.acts("2 keep, 3 keep")
    assert at.document["more"]["joker"] == {1: "wild"}
    assert at.document["more"]["off_button"] == []


def test_an_unread_up_card_is_keyed_without_asking_for_the_down_card() -> None:
    at = mexican().cards("5h Ks 7d -- 5d 2c").acts("2 bring_in 400, 3 fold, 1 call 400, 1 keep, 2 keep").cards("3c --")
    (want,) = at.engine.expectation.wants
    assert isinstance(want, WantReveal)
    assert (want.owner, want.count) == ("1", 1)
    at.feed(Revealed("1", ("4h",)))
    assert at.asks == "Card 3 to Seat 2"


def test_the_down_card_is_in_no_event_until_it_is_turned() -> None:
    at = mexican().cards(FIRST_TWO).acts("2 bring_in 400, 3 fold, 1 fold")
    assert at.is_over
    published = " ".join(map(str, at.events))
    assert not any(code in published for code in ("Qc", "5d", "2c"))


# The joker


def test_a_joker_dealt_up_gets_the_off_button() -> None:
    at = mexican().cards("5h Ks Jo Qc 5d 2c")
    assert at.document["more"]["off_button"] == [3]
    assert at.asks.startswith("Seat 3: bring it in for")


def test_a_card_that_does_not_belong_to_the_stripped_deck_holds_the_table() -> None:
    at = mexican().cards("5h 8s")
    assert at.held == "foreign_card"


# The draw for the button


def test_a_new_game_draws_for_the_button_and_the_cards_go_back() -> None:
    at = mexican(TURLOCK, button=None, options={"new_game": True})
    assert at.asks == "Seat 1: one card up for the button"
    at.cards("Kh Ks 7d")
    assert at.said(ev.CardsTakenBack)
    assert at.asks == "Card 1 to Seat 3"
    at.cards("Ks")
    assert at.held is None


def test_a_table_without_a_button_waits_for_one_unless_it_is_drawn_for() -> None:
    at = mexican(button=None)
    assert at.asks == "Held, call the floor: nobody has the button: say who has it"


# Trouble


def test_ten_players_are_too_many_for_the_deck_and_the_floor_is_called() -> None:
    seats = tuple(range(1, 11))
    at = mexican(seats=seats, button=10, antes=dict.fromkeys(seats, 100))
    deck = [rank + suit for suit in "cdhs" for rank in "234567JQKA"]
    at.cards(" ".join(deck[:20]))
    first = int(at.asks.split()[1].rstrip(":"))
    at.act(first, "bring_in", 400)
    for seat in (*range(first + 1, 11), *range(1, first)):
        at.act(seat, "call", 400)
    for street in range(2):
        for seat in seats:
            at.act(seat, "keep")
        if at.held:
            break
        at.cards(" ".join(deck[20 + 11 * street : 31 + 11 * street]))
        while "check" in at.asks:
            at.act(int(at.asks.split()[1].rstrip(":")), "check")
    assert at.held == "deck_exhausted"
    at.feed(FloorAct("void", "too many players"))
    assert at.document["returned"] == dict.fromkeys(seats, 500)


def test_whatever_happens_at_turlock_is_the_floors() -> None:
    at = mexican(TURLOCK).cards("5h Ks 7d Qc").happens("card_exposed", seat=1, card="Qc")
    assert at.held == "card_exposed"
    assert at.document["ruling"] == ["FLOOR_DECISION"]
    at.feed(FloorAct("resume"))
    assert at.asks == "Card 2 to Seat 2, face down"


# Salinas


def test_the_button_bets_before_the_first_card_and_is_dealt_to_first() -> None:
    at = salinas()
    assert at.asks == "Seat 1: open for $2-$5"
    at.acts("1 open 300, 2 call 300, 3 fold, 4 call 300, 5 fold")
    assert at.asks == "Card 1 to Seat 1, face down"


def test_a_button_with_less_than_two_dollars_opens_all_in() -> None:
    at = salinas(stacks={1: 150, 2: 9000, 3: 9000, 4: 9000, 5: 9000})
    assert at.asks == "Seat 1: open for $1.50"
    at.feed(Act(1, "open"))
    at.acts("2 call 200, 3 fold, 4 fold, 5 fold")
    (want,) = at.engine.expectation.wants
    assert isinstance(want, WantCard)


def test_discards_are_thrown_away_unseen() -> None:
    at = salinas().acts("1 open 300, 2 call 300, 3 fold, 4 fold, 5 fold").cards("8c Ac 8h 2h 6c Tc 9s 8d 6s 9h")
    at.acts("2 check, 1 check")
    at.feed(Act(2, "discard", cards=("2h", "8d")))
    published = " ".join(map(str, at.events))
    assert "2h" not in published
    at.cards("As Ah")
    assert at.document["hands"]["2"] == ["Ac", "Tc", "9h", "As", "Ah"]


def test_a_hand_that_nobody_has_read_says_how_many_cards_it_draws() -> None:
    at = salinas().acts("1 open 300, 2 call 300, 3 fold, 4 fold, 5 fold").cards("-- " * 10).acts("2 check, 1 check")
    at.feed(Act(2, "draw_3"))
    at.cards("-- -- --")
    assert at.asks.startswith("Seat 1: discard up to 4 cards")


def test_four_players_cannot_start_the_salinas_game() -> None:
    at = At(SALINAS, seats=(1, 2, 3, 4), structure={"kind": "no_limit"}, blinds={})
    assert at.held == "not_started"


def test_a_void_before_the_first_card_returns_the_opening_bet() -> None:
    at = salinas().acts("1 open 300, 2 raise 500")
    at.feed(FloorAct("void", "fire alarm"))
    assert at.document["returned"] == {1: 300, 2: 500}
