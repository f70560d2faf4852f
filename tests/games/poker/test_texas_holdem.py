"""Texas Hold'em at the table: what is asked, refused, taken back, held, hidden and paid."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from controller.cases.answers import answer
from controller.cases.answers.question import Question
from controller.engine import events as ev
from controller.engine.expect.expectation import cards_allowed
from controller.engine.inputs import (
    Amended,
    CardOut,
    Change,
    FloorAct,
    Revealed,
    StackOut,
    TableSet,
    WagerPlaced,
    decode_input,
    encode_input,
)
from controller.rules import RulesError, load
from tests.support.games.poker_tables import BANKERS, CALGRAND, HOLES, LIMIT, At, before_the_flop

# What the prompt states


def test_the_prompts_lead_through_a_hand() -> None:
    at = At()
    posts = "Until the first card: straddle, make up the blinds, buy the button, collection blind"
    assert at.asks == f"{posts} / Card 1 to Seat 2, face down"
    at.cards("9c")
    assert at.asks == "Card 1 to Seat 3, face down"
    at.cards(HOLES[3:])
    assert at.asks == "Seat 1: fold, call $2 or raise to $4"
    at.acts("1 call, 2 call")
    assert at.asks == "Seat 3: fold, check, call $2 or raise to $4"
    at.acts("3 check")
    assert at.asks == "Burn a card"
    at.cards("4h")
    assert at.asks == "Turn the flop"
    assert cards_allowed(at.engine.expectation) == 3
    at.cards("Ks 7d 2c")
    assert at.asks == "Seat 2: fold, check or bet $2"
    at.acts("2 check, 3 bet 200, 1 fold, 2 call").cards("6s 5h").all_check(2, 3).cards("Tc 3s").all_check(2, 3)
    assert at.asks == "Seat 2: show both cards, play the board or muck"


def test_the_screens_tell_pots_in_the_middle_and_bets_in_front() -> None:
    at = At(structure={"kind": "no_limit"}, stacks={1: 600, 2: 5000, 3: 5000}).cards(HOLES)
    assert at.felt == "Button: seat 1 · Bets: seat 2 $1, seat 3 $2"
    at.acts("1 raise 600, 2 call, 3 raise 1200")
    assert at.felt == "Button: seat 1 · Bets: seat 1 $6, seat 2 $6, seat 3 $12", "no side pot while it is bet"
    at.acts("2 call")
    pots = "Button: seat 1 · Pot $18 among 1, 2, 3 · Side pot $12 among 2, 3"
    assert at.felt == pots
    at.cards("4h Ks 7d 2c").acts("2 bet 500")
    assert at.felt == f"{pots} · Bets: seat 2 $5"


def test_without_known_stacks_the_prompt_names_no_upper_end() -> None:
    at = At(structure={"kind": "no_limit"}).cards(HOLES)
    assert at.asks == "Seat 1: fold, call $2 or raise to $4 or more"


def test_the_shoe_stays_locked_while_a_seat_decides() -> None:
    assert cards_allowed(At().cards(HOLES).engine.expectation) == 0


def test_a_machine_may_give_the_flop_as_one_stack() -> None:
    at = before_the_flop().cards("4h")
    at.feed(StackOut(("Ks", "7d", "2c")))
    assert at.document["hands"]["board"] == ["Ks", "7d", "2c"]


def test_after_its_first_card_the_rest_of_the_flop_may_still_be_a_stack() -> None:
    at = before_the_flop().cards("4h")
    assert cards_allowed(at.engine.expectation) == 3
    at.cards("Ks")
    assert (cards_allowed(at.engine.expectation), at.asks) == (2, "Turn the flop")
    at.feed(StackOut(("7d", "2c")))
    assert at.document["hands"]["board"] == ["Ks", "7d", "2c"]


def test_a_call_need_not_name_its_one_amount() -> None:
    at = At().cards(HOLES).acts("1 call, 2 call, 3 raise, 1 fold, 2 fold")
    assert at.document["net"] == {1: -200, 2: -200, 3: 400}


def test_each_street_is_published_for_the_collections() -> None:
    at = before_the_flop().cards("4h Ks 7d 2c").all_check(2, 3, 1).cards("6s 5h").all_check(2, 3, 1)
    at.cards("Tc 3s").all_check(2, 3, 1).acts("2 show, 3 show, 1 show")
    assert [street.name for street in at.said(ev.StreetDealt)] == ["preflop", "flop", "turn", "river", "showdown"]
    assert [(post.place, post.wager, post.cents) for post in at.said(ev.WagerSet)] == [
        (2, "blind", 100),
        (3, "blind", 200),
    ]


def test_a_settled_hand_is_described_in_one_line() -> None:
    at = At().cards(HOLES).acts("1 fold, 2 fold")
    assert at.engine.last is not None
    assert at.engine.game.summary(at.engine.last.public) == "Seat 3 wins $2"


# A table that is not ready


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"structure": {"kind": "sky_limit"}}, "structure"),
        ({"structure": {"kind": "fixed_limit", "low": 200}}, "high"),
        ({"structure": {"kind": "spread_limit", "low": 500, "high": 200}}, "the upper limit ($2) is below"),
        ({"blinds": {7: 100}}, "blinds: seat 7 is not in the game"),
        ({"stacks": {1: -5}}, "stacks: seat 1"),
        ({"blind": {2: 100}}, "blind"),
        ({"structure": {"kind": "no_limit"}, "blinds": {}}, "no bring-in"),
        ({"seats": (4,)}, "two players"),
        ({"button": None}, "nobody has the button"),
        ({"kill": {"seat": 9, "kind": "voluntary"}}, "seat 9 kills"),
        ({"kill": {"seat": 1, "kind": "angry"}}, "kind"),
    ],
)
def test_a_table_that_is_set_wrong_waits_and_says_why(change: dict[str, Any], says: str) -> None:
    at = At(**change)
    assert at.held == "table_not_ready"
    assert says in at.asks


def test_a_table_that_was_set_wrong_plays_once_it_is_set_right() -> None:
    at = At(button=None)
    at.feed(TableSet(button=1))
    assert at.cards(HOLES).acts("1 fold, 2 fold").document["net"] == {1: 0, 2: -100, 3: 100}


def test_settings_from_the_journal_have_text_for_seats_and_mean_the_same() -> None:
    settings: dict[str, Any] = {"blinds": {"2": 100, "3": 200}, "stacks": {"1": 900, "2": 900, "3": 900}}
    at = At(**settings).cards(HOLES).acts("1 fold, 2 fold")
    assert at.document["net"] == {1: 0, 2: -100, 3: 100}


def test_an_option_of_another_room_is_refused_by_name() -> None:
    with pytest.raises(RulesError, match="no option 'variant'"):
        load(BANKERS).options({"variant": "low"})


def test_a_seat_without_chips_is_not_dealt_in() -> None:
    at = At(seats=(1, 2, 3, 4), stacks={1: 900, 2: 900, 3: 900, 4: 0}).cards(HOLES).acts("1 fold, 2 fold")
    assert at.document["net"] == {1: 0, 2: -100, 3: 100, 4: 0}


def test_one_seat_with_chips_cannot_play_alone() -> None:
    at = At(stacks={1: 900, 2: 0, 3: 0})
    assert "fewer than two players" in at.asks


# Posts


def test_a_straddle_belongs_to_the_seat_after_the_big_blind() -> None:
    at = At(seats=(1, 2, 3, 4, 5))
    (refused,) = at.feed(WagerPlaced(5, "live_straddle", 400))
    assert isinstance(refused, ev.Refused) and refused.why == "straddle_wrong_seat"
    (refused,) = at.feed(WagerPlaced(4, "live_straddle", 300))
    assert isinstance(refused, ev.Refused) and refused.why == "wrong_amount"


def test_a_straddle_may_be_taken_back_before_the_first_card() -> None:
    at = At(seats=(1, 2, 3, 4), stacks=dict.fromkeys((1, 2, 3, 4), 4000))
    at.feed(WagerPlaced(4, "live_straddle", 400), WagerPlaced(4, "live_straddle", 0))
    at.cards("9c Kd Kh 8d Qs Jc 4h Ks").acts("4 fold, 1 fold, 2 fold")
    assert at.document["net"] == {1: 0, 2: -100, 3: 100, 4: 0}


def test_after_the_first_card_nobody_can_straddle() -> None:
    at = At(seats=(1, 2, 3, 4)).cards("9c")
    (refused,) = at.feed(WagerPlaced(4, "live_straddle", 400))
    assert isinstance(refused, ev.Refused) and refused.why == "bets_closed"


def test_the_blinds_are_not_made_up_between_the_button_and_the_big_blind() -> None:
    at = At(seats=(1, 2, 4, 5), blinds={4: 100, 5: 200})
    (refused,) = at.feed(WagerPlaced(2, "make_up_blinds", 300))
    assert isinstance(refused, ev.Refused) and refused.why == "cannot_make_up_blinds"
    assert not any(isinstance(event, ev.Refused) for event in at.feed(WagerPlaced(2, "buy_button", 300)))
    (refused,) = at.feed(WagerPlaced(1, "buy_button", 300))
    assert isinstance(refused, ev.Refused) and refused.why == "cannot_buy_button"


def test_a_player_who_changes_his_mind_about_the_button_gives_the_others_their_blinds_back() -> None:
    at = At(seats=(1, 2, 4, 5), blinds={4: 100, 5: 200})
    at.feed(WagerPlaced(2, "buy_button", 300), WagerPlaced(2, "buy_button", 0))
    at.cards("9c Kd Kh 8d Qs Jc 4h Ks").acts("1 fold, 2 fold, 4 fold")
    assert at.document["net"] == {1: 0, 2: 0, 4: -100, 5: 100}


def test_a_dead_collection_blind_is_pot_money_only() -> None:
    at = At()
    at.feed(WagerPlaced(1, "dead_collection_blind", 100))
    at.cards(HOLES).acts("1 call 200, 2 fold, 3 check").cards("4h Ks 7d 2c").acts("3 bet, 1 fold")
    assert at.document["net"] == {1: -300, 2: -100, 3: 400}
    assert at.document["returned"] == {3: 200}


def test_a_kill_on_the_table_may_be_vetoed_unless_it_is_forced() -> None:
    killed: dict[str, Any] = {
        "blinds": {2: 100, 3: 200, 1: 400},
        "options": {"kills": ["voluntary", "forced_two_wins"]},
    }
    at = At(CALGRAND, **killed, kill={"seat": 1, "kind": "voluntary"})
    at.happens("kill_vetoed", seat=1, by=3)
    assert at.document["more"]["structure_in_force"]["low"] == 200
    at.cards(HOLES).acts("1 fold, 2 fold")
    assert at.document["net"] == {1: 0, 2: -100, 3: 100}
    assert at.document["ruling"] == ["kill_vetoed"]
    forced = At(CALGRAND, **killed, kill={"seat": 1, "kind": "forced_two_wins"})
    assert forced.happens("kill_vetoed", seat=1, by=3).held == "kill_vetoed"


# Showdown


def shown_down(**settings: Any) -> At:
    """Board Ks 7d 2c 5h 3s: seats 1 and 3 pair kings, seat 2 has a nine."""
    at = before_the_flop(**settings).cards("4h Ks 7d 2c").all_check(2, 3, 1)
    return at.cards("6s 5h").all_check(2, 3, 1).cards("Tc 3s").all_check(2, 3, 1)


def test_a_mucked_hand_stays_hidden_and_loses_its_claim() -> None:
    at = shown_down().acts("2 muck, 3 show, 1 show")
    (settled,) = at.said(ev.RoundSettled)
    assert set(settled.hands) == {"board", "1", "3"}
    assert at.document["more"]["ruled"] == {2: "claim_relinquished"}
    assert at.document["net"] == {1: -200, 2: -200, 3: 400}


def test_when_everybody_gives_up_the_pot_the_floor_is_called_and_hands_can_still_be_shown() -> None:
    at = shown_down().acts("2 muck, 3 muck, 1 muck")
    assert at.held == "no_claim_to_the_pot"
    at.feed(FloorAct("resume", "show them"))
    at.acts("2 muck, 3 muck, 1 show")
    assert at.document["net"] == {1: 400, 2: -200, 3: -200}


def test_declaring_the_board_does_not_hide_a_better_hand() -> None:
    at = shown_down().acts("2 muck, 3 declare_board, 1 show")
    assert at.document["ranks"]["3"] == ["pair", "K", "Q", "7", "5"]
    assert at.document["net"][3] == 400


def test_the_last_hand_takes_the_pot_unseen() -> None:
    at = At().cards(HOLES).acts("1 call, 2 fold, 3 raise, 1 fold")
    (settled,) = at.said(ev.RoundSettled)
    assert settled.hands == {} and not settled.flags["showdown"]
    assert settled.outcome == {"1": "fold", "2": "fold", "3": "win"}


def test_unread_hole_cards_are_keyed_when_they_are_shown() -> None:
    at = At().cards("-- Kd -- -- -- --").acts("1 fold, 2 call, 3 check").cards("4h Ks 7d 2c").all_check(2, 3)
    at.cards("-- 5h").all_check(2, 3).cards("-- 3s").all_check(2, 3).acts("2 show")
    assert at.asks == "Seat 2: key the 2 cards"
    (refused,) = at.feed(Revealed("2", ("Kd", "8d")))
    assert isinstance(refused, ev.Refused) and refused.why == "duplicate_card"
    at.feed(Revealed("2", ("9c", "8d")))
    at.acts("3 show")
    at.feed(Revealed("3", ("Qs",)))
    assert at.document["ranks"] == {"2": ["high_card", "K", "9", "8", "7", "5"], "3": ["pair", "K", "Q", "7", "5"]}
    assert at.document["more"]["burns"] == ["4h", None, None]
    assert set(at.document["hands"]) == {"2", "3", "board"}, "seat 1 folded unread"


def test_an_unread_board_card_is_keyed_at_once() -> None:
    at = before_the_flop().cards("4h Ks --")
    assert at.asks == "Board: key the card"
    at.feed(Revealed("board", ("7d",)))
    at.cards("2c")
    assert at.document["hands"]["board"] == ["Ks", "7d", "2c"]


def test_no_event_holds_a_card_that_was_not_exposed() -> None:
    at = At().cards(HOLES).happens("extra_card_to_first_player", "5h", seat=2)
    at.acts("1 call, 2 call, 3 check").cards("Ks 7d 2c")
    at.acts("2 bet, 3 fold, 1 call").cards("6s 5c").acts("2 check, 1 check").cards("Tc 3s").all_check(2, 1)
    at.acts("2 muck, 1 show")
    published = b" ".join(msgspec.json.encode(event) for event in at.events).decode()
    for hidden in ("9c", "8d", "Kd", "Qs", "5h", "6s", "Tc"):
        assert f'"{hidden}"' not in published
    for seen in ("Kh", "Jc", "Ks", "7d", "2c", "5c", "3s"):
        assert f'"{seen}"' in published


# Correction and replay


def test_a_misread_river_is_corrected_by_running_the_hand_again() -> None:
    at = shown_down().acts("2 show, 3 show, 1 show")
    assert at.document["net"] == {1: -200, 2: -200, 3: 400}
    river = next(i for i, value in enumerate(at.inputs) if value.body == CardOut("3s"))
    (corrected,) = at.feed(Amended(1, (Change(river, {"kind": "card_out", "card": "Jd"}),), "misread"))
    assert isinstance(corrected, ev.Corrected)
    assert at.document["net"] == {1: 400, 2: -200, 3: -200}


def test_the_same_inputs_from_the_journal_give_the_same_events() -> None:
    at = shown_down().acts("2 show, 3 show, 1 show")
    again = At()
    for value in at.inputs:
        again.events += again.engine.apply(decode_input(encode_input(value)))
    assert [msgspec.json.encode(event) for event in again.events] == [msgspec.json.encode(event) for event in at.events]


# Rulesets


def test_the_betting_structures_are_no_game() -> None:
    at = At("calgrand-betting-structures")
    assert at.held == "no_game"


@pytest.mark.parametrize(
    ("change", "says"), [({"game": "go-fish"}, "no game of this sheet"), ({"round": "eighth"}, "has no round")]
)
def test_a_question_about_an_unknown_game_is_answered_with_the_known_ones(change: dict[str, str], says: str) -> None:
    table: dict[str, Any] = {"game": "calgrand-omaha", "round": "flop", "structure": LIMIT, "to_act": 1, **change}
    ruleset = load("calgrand-betting-structures")
    with pytest.raises(LookupError, match=says):
        answer(Question("legality", {"table": table}, ruleset.game, ruleset.options()))
