"""Pure 21.5 Blackjack at the table: what is asked, refused, held, hidden and paid."""

from __future__ import annotations

from typing import Any

import pytest

from controller.engine import events as ev
from controller.engine.cards.card import CARDS
from controller.engine.expect.expectation import cards_allowed
from controller.engine.inputs import (
    Amended,
    BankPosted,
    BetsClosed,
    CardOut,
    Change,
    FloorAct,
    Happening,
    Input,
    Revealed,
    TableSet,
    WagerPlaced,
)
from controller.rules import RulesError, load
from tests.support.games.blackjack_tables import INSURED, PURE, At, kinds

RULESET = PURE


# The deck and the deal


def test_a_deck_has_36_plain_cards_and_16_bonus_cards() -> None:
    ruleset = load(RULESET)
    deck = ruleset.game.deck(ruleset.options({"decks": 1}))
    assert deck is not None
    assert sum(deck.values()) == 52
    assert sum(count for code, count in deck.items() if CARDS[code].star) == 16
    assert {CARDS[code].rank for code in deck if not CARDS[code].star} == {*range(2, 10), 14}


def test_a_plain_king_does_not_belong_to_this_deck() -> None:
    table = At().bet({1: 1000})
    assert kinds(table.cards("Kh")) == ["irregularity", "held"]
    assert "does not belong to this deck" in table.prompt


def test_a_second_ace_of_hearts_in_one_deck_holds_the_table() -> None:
    table = At(options={"decks": 1}).bet({1: 1000})
    table.cards("Ah")
    assert kinds(table.cards("Ah")) == ["irregularity", "held"]


def test_the_dealer_is_led_through_the_round() -> None:
    table = At().bet({3: 1000, 4: 1000})
    said = [table.prompt]
    for code in ("8h", "5s", "7c", "8d", "4d", "9s"):
        table.cards(code)
        said.append(table.prompt)
    assert said == [
        "Card 1 to Seat 3",
        "Card 1 to Seat 4",
        "Card 1 to Player-dealer",
        "Card 2 to Seat 3",
        "Card 2 to Seat 4",
        "Card 2 to Player-dealer, face down",
        "Seat 3: hit, stand, double, split or surrender — hard 16 against 7c",
    ]
    table.act(3, "split")
    assert table.prompt == "Seat 3: second card"
    table.cards("9h")
    table.act(3, "hit")
    assert table.prompt == "Seat 3 hits"
    table.cards("2h")
    assert table.prompt == "Seat 3, split hand 2: second card"
    table.cards("8c")
    assert table.prompt == "Seat 3, split hand 2: hit, stand or split — hard 16 against 7c"
    table.act(3, "stand")
    assert table.prompt == "Seat 4: hit, double or surrender — hard 9 against 7c"
    table.act(4, "hit")
    table.cards("2c")
    assert table.prompt == "Seat 4 has hard 11 and must hit"
    table.cards("6c")
    assert table.prompt == "Seat 4: hit or stand — hard 17 against 7c"
    table.act(4, "stand")
    assert table.prompt == "Player-dealer has hard 16 and draws"


def test_the_shoe_is_locked_while_a_seat_decides() -> None:
    table = At().bet({1: 1000})
    table.cards("9h", "7c", "5d", "9s")
    assert cards_allowed(table.engine.expectation) == 0
    table.act(1, "hit")
    assert cards_allowed(table.engine.expectation) == 1


def test_a_split_publishes_every_hand_again() -> None:
    table = At().bet({1: 1000})
    table.cards("8h", "7c", "8d", "9s")
    shown = [event for event in table.act(1, "split") if isinstance(event, ev.HandShown)]
    assert [(event.owner, event.cards) for event in shown] == [("1", ("8h",)), ("1/2", ("8d",))]
    table.cards("8s")
    shown = [event for event in table.act(1, "split") if isinstance(event, ev.HandShown)]
    assert [(event.owner, event.cards) for event in shown] == [("1", ("8h",)), ("1/2", ("8s",)), ("1/3", ("8d",))]
    table.cards("Kc*")
    table.act(1, "stand")
    table.cards("Kd*")
    table.act(1, "stand")
    table.cards("Kh*")
    table.act(1, "stand")
    table.cards("2c")
    assert table.settled.hands == {
        "1": ["8h", "Kc*"],
        "1/2": ["8s", "Kd*"],
        "1/3": ["8d", "Kh*"],
        "player_dealer": ["7c", "9s", "2c"],
    }


def test_the_action_button_is_placed_when_the_down_card_is_turned() -> None:
    table = At().bet({2: 1000, 5: 1000})
    table.cards("9h", "9d", "7c", "9s", "9c", "4h")
    table.act(2, "stand")
    events = table.act(5, "stand")
    assert kinds(events) == ["decision", "hand_shown", "action_button"]
    assert events[-1] == ev.ActionButton(5)


# What is refused


def test_a_hand_that_must_hit_may_not_stand_even_while_its_card_is_on_the_way() -> None:
    table = At().bet({1: 1000})
    table.cards("2h", "7c", "3d", "9s")
    assert table.refusal(1, "stand") == ("must_hit", "seat 1 has hard 5 and must hit")
    table.act(1, "hit")
    table.cards("4d")
    assert table.prompt == "Seat 1 has hard 9 and must hit"
    assert table.refusal(1, "stand")[0] == "must_hit"


def test_a_hand_that_must_stand_may_not_draw_even_out_of_turn() -> None:
    table = At().bet({1: 1000, 2: 1000})
    table.cards("9h", "9d", "7c", "3h", "5d", "9s")
    table.act(1, "hit")
    table.cards("7d")
    assert table.prompt.startswith("Seat 2: ")
    assert table.refusal(1, "hit") == ("must_stand", "seat 1 has hard 19 and must stand")
    assert table.refusal(1, "double", 1000)[0] == "must_stand"
    assert table.refusal(3, "hit")[0] == "not_in_turn"
    table.act(2, "stand")
    assert table.prompt == "Player-dealer has hard 16 and draws"
    assert table.refusal(1, "hit")[0] == "must_stand"


def test_a_double_is_at_most_the_wager_and_names_its_cents() -> None:
    table = At().bet({1: 1000})
    table.cards("6h", "7c", "5d", "9s")
    assert table.refusal(1, "double", 1100)[0] == "above_maximum"
    assert table.refusal(1, "double", 0)[0] == "below_minimum"
    assert table.refusal(1, "double")[0] == "needs_cents"
    table.act(1, "double", 1000)
    assert table.prompt == "Seat 1 doubles: one card"


def test_there_is_no_splitting_for_less() -> None:
    table = At().bet({1: 1000})
    table.cards("8h", "7c", "8d", "9s")
    assert table.refusal(1, "split", 500)[0] == "not_equal"
    assert kinds(table.act(1, "split", 1000))[0] == "decision"


def test_only_a_pair_or_two_bonus_cards_split() -> None:
    table = At().bet({1: 1000, 2: 1000})
    table.cards("9h", "Kh*", "7c", "8d", "Td*", "9s")
    assert table.refusal(1, "split")[0] == "not_offered"
    table.act(1, "stand")
    assert table.prompt == "Seat 2: stand, split or surrender — hard 20 against 7c"


def test_insurance_is_not_offered_where_a_pure_pays_6_to_5() -> None:
    table = At().bet({1: 1000})
    table.cards("9h", "Ac", "8d", "9s")
    assert table.refusal(1, "insurance", 500) == ("not_offered", "insurance is not offered at this table")
    assert table.refusal(1, "even_money")[0] == "not_offered"


def test_no_surrender_or_double_after_a_third_card() -> None:
    table = At().bet({1: 1000})
    table.cards("9h", "7c", "3d", "9s")
    table.act(1, "hit")
    table.cards("2c")
    assert table.prompt == "Seat 1: hit or stand — hard 14 against 7c"
    assert table.refusal(1, "surrender")[0] == "not_offered"
    assert table.refusal(1, "double", 1000)[0] == "not_offered"


def test_wagers_are_whole_dollars() -> None:
    table = At()
    (refused,) = table.feed(WagerPlaced(1, "base", 1050))
    assert isinstance(refused, ev.Refused)
    assert refused.why == "not_in_chips"


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ({"insurance": True}, "insurance = true needs pure_pays = '3:2', not '6:5'"),
        ({"pure_pays": "2:1"}, "pure_pays"),
        ({"decks": 9}, "decks"),
        ({"bonuses": "suited_888"}, "bonuses"),
        ({"player_chart": {"stand_hard": 11, "hit_hard": 11}}, "hard 11 cannot both hit and stand"),
        ({"player_dealer_chart": {"stand_hard": 17, "hit_hard": 16}}, "must say hit or stand to every hand"),
        (
            {"player_dealer_chart": {"stand_hard": 17, "hit_hard": 16, "stand_soft": 17, "hit_soft": 17}},
            "soft 17 cannot both hit and stand",
        ),
    ],
)
def test_a_ruleset_that_contradicts_itself_is_refused_with_the_reason(chosen: dict[str, Any], words: str) -> None:
    with pytest.raises(RulesError) as caught:
        load(RULESET).options(chosen)
    assert words in str(caught.value)
    assert "pure-21-5-blackjack.toml" in str(caught.value)


# The down card


def test_the_down_card_is_not_published_before_it_is_turned_up() -> None:
    table = At().bet({1: 1000})
    table.cards("9h", "Kc*", "5d", "7s")
    table.act(1, "hit")
    table.refusal(1, "stand")
    table.cards("2h")
    assert "7s" not in table.everything_said()
    events = table.act(1, "stand")
    assert ev.HandShown("player_dealer", ("Kc*", "7s")) in events  # type: ignore[arg-type]


def test_an_unread_down_card_is_keyed_at_the_check_and_stays_hidden() -> None:
    table = At().bet({1: 1000})
    table.cards("9h", "Kc*", "5d", None)
    assert table.prompt == "Player-dealer: key the card — look at the down card, keep it face down"
    (refused,) = table.feed(Revealed("player_dealer", ("7d", "7s")))
    assert isinstance(refused, ev.Refused)
    (refused,) = table.feed(Revealed("player_dealer", ("Qs",)))
    assert isinstance(refused, ev.Refused)
    assert refused.why == "foreign_card"
    assert kinds(table.feed(Revealed("player_dealer", ("7s",)))) == ["street"]
    assert table.prompt.startswith("Seat 1: ")
    assert not {"7s", "Qs"} & set(table.everything_said().replace('"', " ").split())
    table.act(1, "stand")
    assert table.settled.hands["player_dealer"] == ["Kc*", "7s"]
    assert table.settled.outcome == {"1": "lose"}


def test_an_unread_down_card_that_needs_no_check_is_keyed_when_it_is_turned_up() -> None:
    table = At().bet({1: 1000})
    table.cards("9h", "7c", "9d", None)
    table.act(1, "stand")
    assert table.prompt == "Player-dealer: key the card"
    table.feed(Revealed("player_dealer", ("Td*",)))
    assert table.settled.outcome == {"1": "win"}


def test_the_check_finds_a_pure_and_nobody_draws() -> None:
    table = At().bet({1: 1000, 2: 1000})
    table.cards("9h", "Ah", "Ac", "2d", "Kd*")
    events = table.cards("Ts*")
    assert kinds(events)[:4] == ["card_dealt", "street", "hand_shown", "action_button"]
    assert table.settled.outcome == {"1": "lose", "2": "push"}
    assert table.settled.totals == {"1": [11], "2": [21.5], "player_dealer": [21.5]}
    assert table.settled.flags == {"player_dealer_pure": True, "player_dealer_888": False, "down_card_checked": True}


def test_a_card_under_a_nine_is_not_checked() -> None:
    table = At().bet({1: 1000})
    assert "street" not in kinds(table.cards("9h", "9c", "5d", "7s"))


def test_insurance_is_asked_before_anybody_knows_the_down_card() -> None:
    table = At(options=INSURED).bet({1: 2000, 2: 2000})
    table.cards("9h", "Ah", "Ac", "2d", "Kd*", None)
    assert table.prompt == "Seat 1: insurance or no insurance — before the check"
    table.act(1, "insurance", 1000)
    assert table.prompt == "Seat 2: insurance, no insurance or even money — before the check"
    table.act(2, "even_money")
    assert table.prompt.startswith("Player-dealer: key the card")
    table.feed(Revealed("player_dealer", ("Ts*",)))
    assert [(line.place, line.wager, line.net) for line in table.settled.lines] == [
        (1, "insurance", 2000),
        (2, "insurance", 2000),
        (1, "base", -2000),
        (2, "base", 0),
    ]


# Irregularities: the sheet has no ruling, so the floor decides


@pytest.mark.parametrize("code", ["card_exposed", "boxed_card", "misdeal", "shuffler_jam", "reader_offline"])
def test_what_the_sheet_does_not_rule_holds_the_table_until_the_floor_resumes(code: str) -> None:
    table = At().bet({1: 1000})
    table.cards("9h", "7c", "5d", "9s")
    asked = table.prompt
    assert kinds(table.feed(Happening(code))) == ["irregularity", "held"]
    assert kinds(table.act(1, "stand")) == ["refused"]
    assert kinds(table.feed(FloorAct("resume", "looked at it"))) == ["resumed"]
    assert table.prompt == asked
    table.act(1, "stand")
    table.cards("2h")
    assert table.settled.outcome == {"1": "lose"}


def test_a_card_out_of_turn_may_be_played_next_by_the_floors_word() -> None:
    table = At().bet({1: 1000})
    table.cards("9h", "7c", "5d", "9s")
    assert kinds(table.cards("7d")) == ["irregularity", "held"]
    table.feed(FloorAct("use_next", "he had signalled"))
    table.act(1, "hit")
    table.cards("5h")
    assert table.settled.hands["1"] == ["9h", "5d", "7d"]
    assert table.settled.outcome == {"1": "push"}


def test_an_unread_hit_waits_until_it_is_keyed() -> None:
    table = At().bet({1: 1000})
    table.cards("9h", "7c", "5d", "9s")
    table.act(1, "hit")
    assert kinds(table.cards(None)) == ["card_dealt", "irregularity"]
    assert table.prompt == "Seat 1: key the card"
    table.feed(Revealed("1", ("7d",)))
    assert table.prompt == "Player-dealer has hard 16 and draws"


def test_a_void_returns_wager_double_splits_and_insurance() -> None:
    table = At(options=INSURED).bet({1: 2000, 2: 1000, 3: 500})
    table.cards("8h", "6d", "9c", "Ac", "8d", "5d", "9d", "9s")
    table.act(1, "insurance", 700)
    table.act(2, "no_insurance")
    table.act(3, "no_insurance")
    table.act(1, "split")
    table.cards("Kh*")
    table.act(1, "stand")
    table.cards("Kc*")
    table.act(1, "stand")
    table.act(2, "double", 400)
    (voided,) = table.feed(FloorAct("void", "shoe jammed"))
    assert isinstance(voided, ev.RoundVoided)
    assert voided.returned == {"1": 2000 + 2000 + 700, "2": 1400, "3": 500}
    assert table.document["net"] == {}
    assert table.document["bank_net"] == 0
    assert table.prompt == "Place your bets"


def test_a_misread_card_is_corrected_by_replay() -> None:
    table = At().bet({1: 1000})
    table.cards("9h", "7c", "9d", "Ts*")
    table.act(1, "stand")
    index = next(i for i, value in enumerate(table.engine.last.inputs if table.engine.last else ()) if is_card(value))
    amend = Amended(1, (Change(index, {"kind": "card_out", "card": "7h"}),), "it was the seven")
    assert table.engine.preview(amend) != {}
    (corrected,) = table.feed(amend)
    assert isinstance(corrected, ev.Corrected)
    assert corrected.changes["outcome"] == [{"1": "win"}, {"1": "lose"}]
    assert corrected.changes["bank_net"] == [-1000, 1000]


def is_card(value: Input) -> bool:
    return value.body == CardOut("9h")


def test_a_correction_in_mid_round_does_not_tell_the_down_card() -> None:
    table = At().bet({1: 1000})
    table.cards("9h", "Kc*", "5d", "7s")
    index = next(i for i, value in enumerate(table.engine.played.inputs) if is_card(value))
    table.feed(Amended(1, (Change(index, {"kind": "card_out", "card": "6h"}),), "it was the six"))
    assert table.prompt == "Seat 1: hit, double or surrender — hard 11 against Kc*"
    assert "7s" not in table.everything_said()


# Tables that are set up otherwise


def test_a_table_without_wager_input_plays_every_seat() -> None:
    table = At(seats=(2, 5, 8), records_wagers=False, options=INSURED)
    table.cards("6h", "8s", "Ac", "5d", "8c")
    table.cards("5s")
    table.act(2, "insurance", 5000)
    table.act(5, "no_insurance")
    table.act(2, "double", 5000)
    table.cards("Kd*")
    table.act(5, "split")
    table.cards("Kh*")
    table.act(5, "stand")
    table.cards("4h")
    table.act(5, "hit")
    table.cards("9c")
    assert table.prompt == "Player-dealer has soft 16 and draws"
    table.cards("Td*", "Ah")
    assert table.settled.outcome == {"2": "win", "5": ["win", "win"]}
    assert table.settled.totals["player_dealer"] == [17]
    assert table.settled.lines == ()


def test_a_table_without_wager_input_and_without_seats_waits_for_them() -> None:
    table = At(seats=(), records_wagers=False)
    assert table.prompt == "Held, call the floor: set the seats that take part"
    assert kinds(table.feed(FloorAct("void"))) == ["round_started", "round_voided"]
    table.feed(TableSet(seats=(4,)))
    assert table.prompt == "Card 1 to Seat 4"


def test_no_wager_no_round() -> None:
    table = At()
    events = table.feed(BetsClosed())
    assert isinstance(events[-1], ev.RoundVoided)
    assert events[-1].ruling == "nobody_dealt_in"
    assert table.prompt == "Place your bets"


def test_a_wager_taken_back_is_not_dealt_in() -> None:
    table = At()
    table.feed(WagerPlaced(1, "base", 1000), WagerPlaced(2, "base", 1000), WagerPlaced(1, "base", 0), BetsClosed())
    assert table.prompt == "Card 1 to Seat 2"


def test_the_player_dealers_money_is_used_once_spot_by_spot() -> None:
    table = At(bank=None)
    table.feed(BankPosted((1000, 700)))
    table.bet({1: 1000, 2: 1000, 3: 1000})
    table.cards("9h", "9d", "6c", "7c", "9s", "Kd*", "9c", "Ah")
    for seat in (1, 2, 3):
        table.act(seat, "stand")
    assert [(line.place, line.net, line.uncovered) for line in table.settled.lines] == [
        (1, 0, 0),
        (2, 1000, 0),
        (3, -700, 300),
    ]
    assert table.document["bank_net_by_spot"] == [-1000, 700]


def test_the_screens_say_what_a_hand_counts() -> None:
    game = load(RULESET).game
    table = At().bet({1: 1000, 2: 1000, 3: 1000})
    table.cards("Ah", "Ac", "9c", "7c", "Kd*", "6d", "9d", "Td*")
    hands = table.engine.round.table.hands if table.engine.round else {}
    assert [game.count(hands[owner]) for owner in ("1", "2", "3")] == ["21.5", "soft 17", "18"]
    table.act(2, "stand")
    table.act(3, "stand")
    assert game.summary(table.engine.public_result) == "Player-dealer has 17"


@pytest.mark.parametrize(
    ("cards", "text"),
    [
        (("9h", "8c", "9d", "8d", "8h"), "Player-dealer has three eights"),
        (("9h", "6c", "9d", "Td*", "8h"), "Player-dealer is over with 24"),
    ],
)
def test_the_screens_show_how_the_player_dealer_ended(cards: tuple[str, ...], text: str) -> None:
    table = At().bet({1: 1000})
    table.cards(*cards[:4])
    table.act(1, "stand")
    table.cards(*cards[4:])
    assert load(RULESET).game.summary(table.engine.public_result) == text


def test_the_screens_tell_of_a_pure() -> None:
    table = At().bet({1: 1000})
    table.cards("9h", "Ac", "9d", "Td*")
    assert load(RULESET).game.summary(table.engine.public_result) == "Player-dealer has a Pure 21.5"


def test_another_cardrooms_words_are_data() -> None:
    """The same game, its own word for the wager and its own codes."""
    table = At("turlock-pure-21-5-blackjack", options={"max_splits": 1}).bet({1: 1000})
    table.cards("8h", "7c", "8d", "Td*")
    assert table.refusal(1, "double", 1100)[0] == "double_above_main"
    assert table.refusal(1, "split", 500)[0] == "split_not_equal"
    assert table.refusal(1, "insurance", 500)[0] == "insurance_not_offered"
    table.act(1, "split")
    table.cards("8s")
    assert table.refusal(1, "split") == ("no_more_splits", "seat 1 has 2 hands; no more splits")
    table.act(1, "stand")
    table.cards("Kh*")
    table.act(1, "stand")
    assert table.document["net"] == {1: {"main": 0}}
