"""Omaha, Pineapple and the other cardrooms' hold'em: what differs from Texas Hold'em, played at the table."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.engine import events as ev
from controller.engine.expect.wants import WantReveal
from controller.engine.inputs import Act, Amended, CardOut, Change, FloorAct, Revealed, WagerPlaced
from controller.operator.offers.offers import offers
from tests.support.games.poker_tables import At

VILLAGE = "village-pineapple-hi-lo"
CALGRAND = "calgrand-pineapple"
HOLES = "As Ks Qs Ah Kh Qh 7c 8c 4d"
"""Three hands from the left of a button on seat 1: seat 2 has aces, seat 3 kings, seat 1 queens."""
FLOP = "3c 5s Jc 6h"


def discarding(ruleset: str = VILLAGE, holes: str = HOLES, **settings: Any) -> At:
    """The flop is bet on, and every hand has three cards."""
    options = {"pineapple": "crazy"} if ruleset == CALGRAND else None
    says = "call" if ruleset == CALGRAND else "check"
    table = At(ruleset, options=options, **settings).cards(holes).acts(f"1 call, 2 call, 3 {says}").cards(FLOP)
    return table.all_check(2, 3, 1)


def discard(table: At, seat: int, *cards: str) -> list[ev.Event]:
    return table.feed(Act(seat, "discard", cards=cards))


def published(table: At) -> str:
    return b" ".join(msgspec.json.encode(event) for event in table.events).decode()


# Discards


def test_the_prompt_names_whose_discard_is_missing() -> None:
    table = discarding()
    assert table.asks == "Seats 2, 3, 1: discard one card"
    discard(table, 3, "8c")
    assert table.asks == "Seats 2, 1: discard one card"


def test_california_grand_asks_one_seat_after_the_other() -> None:
    table = discarding(CALGRAND)
    assert table.asks == "Seat 2: discard one card"
    assert table.refusal(3, "discard") == ("not_in_turn", {})


def test_nobody_learns_which_card_was_thrown_away() -> None:
    table = discarding()
    discard(table, 2, "7c")
    discard(table, 3, "8c")
    discard(table, 1, "4d")
    assert not any(f'"{card}"' in published(table) for card in ("7c", "8c", "4d"))
    assert table.said(ev.CardsTakenBack)[-1] == ev.CardsTakenBack("1", "muck", (None,))


def test_a_card_of_another_hand_cannot_be_thrown_away_and_the_refusal_names_none() -> None:
    table = discarding()
    (refused,) = discard(table, 2, "Kh")
    assert isinstance(refused, ev.Refused)
    assert refused.why == "not_your_card" and "Kh" not in refused.text
    assert table.refusal(2, "discard") == ("wrong_count", {})


def test_hands_that_nobody_has_read_discard_unseen_and_are_named_when_they_are_shown() -> None:
    table = discarding(holes=" ".join(["--"] * 9))
    for seat in (2, 3, 1):
        discard(table, seat)
    table.cards("3h Tc").all_check(2, 3, 1).cards("3s 2d").all_check(2, 3, 1)
    (want,) = table.engine.expectation.wants
    assert want == WantReveal("2", 2, "", (1, 2))
    table.feed(Revealed("2", ("As", "Ah")), Revealed("3", ("Ks", "Kh")), Revealed("1", ("Qs", "Qh")))
    assert table.document["ranks"]["2"] == ["pair", "A", "J", "T", "6"]
    assert table.document["hands"]["2"] == ["As", "Ah"]


def test_a_discard_that_is_named_names_a_card_that_no_reader_had_read() -> None:
    table = discarding(holes="As Ks Qs Ah Kh Qh -- 8c 4d")
    discard(table, 2, "7c")
    discard(table, 3, "8c")
    discard(table, 1, "4d")
    table.cards("3h 7c")
    assert table.held == "duplicate_card"


def test_an_unnamed_discard_is_the_card_that_was_not_read() -> None:
    table = discarding(holes="As Ks Qs Ah Kh Qh -- 8c 4d")
    discard(table, 2)
    assert table.engine.round is not None
    assert [slot.is_read for slot in table.engine.round.table.hands["2"].slots] == [True, True]


def test_a_turn_before_every_discard_stops_the_table_and_resuming_waits_on() -> None:
    table = discarding()
    discard(table, 2, "7c")
    table.cards("3h")
    assert table.held == "card_not_expected"
    table.feed(FloorAct("resume"))
    assert table.asks == "Seats 3, 1: discard one card"


def test_the_cards_that_came_too_early_are_the_board_where_the_hand_is_dead() -> None:
    table = discarding(CALGRAND)
    discard(table, 2, "7c")
    discard(table, 3, "8c")
    table.cards("3h Tc")
    assert table.held == "card_not_expected"
    table.happens("discard_missed", seat=1)
    assert table.asks.startswith("Seat 2: fold, check")
    dealt = table.said(ev.CardDealt)[-1]
    assert (dealt.to, dealt.nth, dealt.card) == ("board", 4, "Tc")
    table.acts("2 check, 3 check").cards("3s 2d").acts("2 check, 3 check")
    assert table.document["more"]["dead_hands"] == {1: "turn"}
    assert table.document["net"] == {1: -200, 2: 400, 3: -200}


def test_the_last_hand_that_is_left_cannot_die_of_a_missed_discard() -> None:
    table = discarding(CALGRAND)
    table.happens("discard_missed", seat=2).happens("discard_missed", seat=3).happens("discard_missed", seat=1)
    assert table.held == "discard_missed"
    table.feed(FloorAct("resume"))
    discard(table, 1, "4d")
    table.cards("3h Tc")
    assert table.document["net"] == {1: 400, 2: -200, 3: -200}


def test_a_discard_is_missed_only_while_discards_are_made() -> None:
    table = At(CALGRAND, options={"pineapple": "regular"}).cards(HOLES).happens("discard_missed", seat=1)
    assert table.held == "discard_missed"


def test_a_void_hand_returns_every_chip_in_mid_discard() -> None:
    table = discarding()
    discard(table, 2, "7c")
    table.feed(FloorAct("void", "fire alarm"))
    assert table.document["void"] and table.document["returned"] == {1: 200, 2: 200, 3: 200}


def test_an_early_turn_is_ruled_while_the_flop_is_bet_on_and_not_while_cards_are_discarded() -> None:
    table = discarding(CALGRAND).happens("turn_before_betting_complete", "3h", "Tc")
    assert table.held == "turn_before_betting_complete"


def test_a_flop_that_was_discarded_on_is_not_turned_again() -> None:
    table = discarding(CALGRAND).happens("five_or_more_cards_on_flop", "9h", "9s")
    assert table.held == "five_or_more_cards_on_flop"


# The deal


def test_after_an_exposed_first_card_the_village_deals_again_and_the_card_may_come_back() -> None:
    table = At("village-holdem").cards("As Ks Qs")
    table.happens("hole_card_exposed_by_dealer", seat=2, card="As")
    assert table.asks == "Card 1 to Seat 2, face down"
    table.cards("2c 3c 4c As Ks Qs").acts("1 fold, 2 fold")
    assert table.document["hands"] == {"2": ["2c", "As"], "3": ["3c", "Ks"], "1": ["4c", "Qs"], "board": []}
    assert table.document["ruling"] == ["reshuffle_redeal"]


def test_a_first_card_that_is_exposed_as_it_leaves_the_deck_is_ruled_the_same_way() -> None:
    table = At("village-holdem").happens("first_card_exposed", "As")
    assert table.document["more"]["reshuffled_into_stub"] == ["As"]
    table.cards("As Ks Qs Ah Kh Qh")
    assert table.asks.startswith("Seat 1: fold, call $2")
    assert At("bankers-omaha").happens("first_card_exposed", "As").document["ruling"] == ["misdeal"]


def test_the_village_deals_a_finished_deal_again_before_anybody_has_acted() -> None:
    table = At("village-holdem").cards("As Ks Qs Ah Kh Qh")
    table.happens("hole_card_exposed_by_dealer", seat=2, card="As").cards("2c 3c 4c 5c 6c 7c")
    assert table.asks.startswith("Seat 1: fold, call $2")


def test_an_exposed_first_card_is_the_floors_once_the_hand_was_acted_on() -> None:
    table = At("village-holdem").cards("As Ks Qs Ah Kh Qh").acts("1 call")
    table.happens("hole_card_exposed_by_dealer", seat=2, card="As")
    assert table.held == "hole_card_exposed_by_dealer"


def test_unread_omaha_hands_are_named_four_cards_at_the_showdown() -> None:
    table = At("bankers-omaha").cards(" ".join(["--"] * 12)).acts("1 call, 2 call, 3 check")
    for cards in ("3c 5s Jc 6h", "3h Tc", "3s 2h"):
        table.cards(cards).all_check(2, 3, 1)
    assert table.asks == "Seat 2: show all cards or muck"
    table.acts("2 show")
    assert table.asks == "Seat 2: key the 4 cards"
    table.feed(Revealed("2", ("As", "Ah", "7c", "2d")))
    table.acts("3 muck, 1 muck")
    assert table.document["net"] == {1: -200, 2: 400, 3: -200}


@pytest.mark.parametrize("burn", [True, False])
def test_turlock_burns_where_the_house_says_so(burn: bool) -> None:
    table = (
        At("turlock-texas-holdem", options={"burn": burn}).cards("As Ks Qs Ah Kh Qh").acts("1 call, 2 call, 3 check")
    )
    assert table.asks == ("Burn a card" if burn else "Turn the flop")


# The table's settings


def test_the_village_seats_nine() -> None:
    table = At("village-holdem", seats=tuple(range(1, 11)))
    assert "this room seats 9 players" in table.asks


def test_a_table_without_a_structure_says_what_is_missing() -> None:
    assert "no betting structure is posted" in At("village-holdem", structure=None).asks


def test_a_fixed_limit_without_its_sizes_is_not_ready() -> None:
    assert "say `low` and `high`, or `sizes`" in At("village-holdem", structure={"kind": "fixed_limit"}).asks


def test_a_house_may_post_one_size_for_each_round() -> None:
    sizes = {"kind": "fixed_limit", "sizes": [200, 400, 600, 800]}
    table = At("turlock-pineapple-high-low-split", options={"structure": sizes}, structure=None).cards(HOLES)
    table.acts("1 call, 2 call, 3 check").cards("5s Jc 6h")
    assert table.asks == "Seat 2: fold, check or bet $4"


def test_limit_and_blinds_are_those_of_the_posted_schedule() -> None:
    table = At("village-holdem", options={"schedule": "village/holdem/8-16"}, structure=None, blinds=None)
    table.cards("As Ks Qs Ah Kh Qh")
    assert table.asks == "Seat 1: fold, call $8 or raise to $16"


# From hand to hand


def moving(ruleset: str = "bankers-texas-holdem", **settings: Any) -> At:
    stacks = {1: 10000, 2: 10000, 3: 10000}
    return At(ruleset, **{"stacks": stacks, "button_moves": True, **settings})


def test_button_blinds_and_stacks_move_on_by_themselves() -> None:
    table = moving().cards("As Ks Qs Ah Kh Qh").acts("1 raise 400, 2 fold, 3 fold")
    setup = table.engine.state.setup
    assert setup.button == 2
    assert setup.settings["stacks"] == {"1": 10300, "2": 9900, "3": 9800}
    assert setup.settings["blinds"] == {"3": 100, "1": 200}
    assert table.said(ev.TableSetTo)[-1] == ev.TableSetTo((1, 2, 3), None, 2)
    table.cards("As Ks Qs Ah Kh Qh").acts("2 call, 3 fold, 1 check")
    assert table.engine.round is not None and table.engine.round.begun


def test_a_table_moves_nothing_unless_it_is_set_so() -> None:
    table = At(stacks={1: 10000, 2: 10000, 3: 10000}).cards("As Ks Qs Ah Kh Qh").acts("1 fold, 2 fold")
    assert table.engine.state.setup.button == 1 and not table.said(ev.TableSetTo)


def test_a_void_hand_moves_nothing() -> None:
    table = moving()
    table.cards("As Ks").feed(FloorAct("void", "jam"))
    setup = table.engine.state.setup
    assert setup.button == 1 and setup.settings["stacks"] == {1: 10000, 2: 10000, 3: 10000}


def test_a_seat_without_chips_is_passed_over_and_of_two_the_button_has_the_small_blind() -> None:
    table = moving(stacks={1: 10000, 2: 200, 3: 10000}).cards("2c As Ks 7d Ah Kh")
    table.acts("1 call, 2 call, 3 check").cards("3c 5s Jc 6h").all_check(3, 1).cards("3h Tc").all_check(3, 1)
    table.cards("3s 2d").all_check(3, 1).acts("2 muck, 3 show, 1 muck")
    setup = table.engine.state.setup
    assert setup.settings["stacks"] == {"1": 9800, "2": 0, "3": 10400}
    assert setup.button == 3 and setup.settings["blinds"] == {"3": 100, "1": 200}
    table.cards("As Ks Ah Kh")
    assert table.asks.startswith("Seat 3: fold, call $2")


def test_one_player_with_chips_waits_for_the_floor() -> None:
    table = moving(seats=(1, 2), blinds={1: 100, 2: 200}, stacks={1: 10000, 2: 200}).cards("As 2c Ah 7d")
    table.acts("1 call").cards("3c 5s Jc 6h 3h Tc 3s 9d").acts("2 muck, 1 show")
    assert table.asks.endswith("Held, call the floor: fewer than two players are dealt in")


def test_the_fee_leaves_the_winners_stack() -> None:
    table = moving("turlock-texas-holdem", options={"schedule": "holdem-2010-4"}, structure=None, blinds=None)
    table.cards("As Ks Qs Ah Kh Qh")
    table.acts("1 call, 2 call, 3 check").cards("5s Jc 6h").acts("2 bet 400, 3 fold, 1 fold")
    assert table.engine.state.setup.settings["stacks"] == {"1": 9600, "2": 10400, "3": 9600}


def test_the_buttons_drop_leaves_its_stack() -> None:
    table = moving("turlock-pineapple-high-low-split", structure=None).cards(HOLES).acts("1 fold, 2 fold")
    assert table.engine.state.setup.settings["stacks"] == {"1": 9700, "2": 9900, "3": 10100}


def test_who_bought_the_button_has_it_next() -> None:
    seats = (1, 2, 3, 4)
    table = moving(seats=seats, button=4, blinds={2: 100, 3: 200}, stacks=dict.fromkeys(seats, 10000))
    table.feed(WagerPlaced(1, "buy_button", 300))
    table.cards("2c 3c 4c 5c 2d 3d 4d 5d").acts("2 fold, 3 fold, 4 fold")
    assert table.engine.state.setup.button == 1


def test_a_forced_kill_stands_ready_for_the_next_hand() -> None:
    table = moving("calgrand-omaha", options={"kills": ["forced_two_wins"]}, last_winner=1)
    table.cards("2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc").acts("1 raise 400, 2 fold, 3 fold")
    settings = table.engine.state.setup.settings
    assert settings["kill"] == {"seat": 1, "kind": "forced_two_wins"}
    assert settings["blinds"] == {"3": 100, "1": 400} and settings["blind_sizes"] == [100, 200]
    table.cards("2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc").acts("2 fold, 3 fold")
    settings = table.engine.state.setup.settings
    assert settings["kill"] == {"seat": 1, "kind": "forced_two_wins"} and settings["blind_sizes"] == [100, 200]


def test_a_corrected_hand_corrects_the_stacks_of_the_next() -> None:
    table = moving().cards("As Ks Qs Ah Kh Qh").acts("1 raise 400, 2 fold, 3 fold")
    raised = next(n for n, value in enumerate(table.inputs) if isinstance(value.body, Act) and value.body.do == "raise")
    folds = (Change(raised, {"kind": "act", "seat": 1, "do": "fold"}), Change(raised + 2, None))
    table.feed(Amended(1, folds, "misheard"))
    assert table.engine.state.setup.settings["stacks"] == {"1": 10000, "2": 9900, "3": 10100}


def test_the_console_offers_to_let_the_button_move() -> None:
    table = At(stacks={1: 10000, 2: 10000, 3: 10000})
    names = {offer.id: offer.label for offer in offers(table.engine, keys_cards=True)}
    assert names["button_moves"] == "Button, blinds and stacks move on by themselves" and "move_button" in names
    names = {offer.id: offer.label for offer in offers(moving().engine, keys_cards=True)}
    assert names["button_moves"] == "The floor sets button and stacks" and "move_button" not in names


def test_a_card_out_of_turn_is_no_discard() -> None:
    table = discarding()
    table.feed(CardOut("9d"))
    assert table.held == "card_not_expected"
