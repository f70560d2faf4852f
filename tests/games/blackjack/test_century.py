"""The 21st Century blackjack tables of the Village Club: jokers, naturals, house rules; what is asked, what is held."""

from __future__ import annotations

from typing import Any

import pytest

from controller.engine import events as ev
from controller.engine.expect.expectation import cards_allowed
from controller.engine.expect.wants import WantFloor
from controller.engine.inputs import CardOut, CutCardOut, FloorAct, Happening, Place, Revealed
from controller.games.blackjack.century import CenturyRules
from controller.operator.offers.offers import now
from controller.rules import RulesError, load
from tests.support.games.blackjack_tables import At, kinds

TARGET_22 = "village-21st-century-blackjack"
JOKER = "village-no-bust-blackjack-joker"
NB40 = "village-no-bust-blackjack-4-0"
NB60 = "village-no-bust-blackjack-6-0"
VILLAGE = (TARGET_22, JOKER, NB40, NB60)


def happens(table: At, code: str, seat: int | None = None, cards: tuple[str, ...] = (), **facts: Any) -> list[ev.Event]:
    return table.feed(Happening(code, seat, cards=cards, facts=facts))


def net(table: At, place: Place = 1) -> int:
    return int(table.document["net"][place]["main"])


# What a hand is asked


def test_the_prompts_lead_a_dealer_through_a_round_of_4_0() -> None:
    table = At(NB40).bet({1: 1000, 2: 1000})
    table.cards("8h", "5c", "As*", "8d", "4d", "6c")
    assert table.prompt == "Seat 1: insurance for $5 or no insurance — before the draws"
    table.act(1, "insurance")
    table.act(2, "no_insurance")
    assert table.prompt == "Seat 1: hit, stand, double, split or surrender — hard 16 against As*"
    table.act(1, "split")
    assert table.prompt == "Seat 1: second card"
    table.cards("3c")
    assert table.prompt == "Seat 1: hit, double or surrender — hard 11 against As*"
    table.act(1, "double", 1000)
    table.cards("9d", "2h")
    assert table.prompt == "Seat 1, split hand 2: hit, double or surrender — hard 10 against As*"
    table.act(1, "surrender")
    assert table.prompt == "Seat 2: hit, double or surrender — hard 9 against As*"
    table.act(2, "hit")
    table.cards("Kh")
    table.act(2, "stand")
    assert table.prompt == "Player-dealer has soft 17 and draws"


def test_in_target_22_every_hand_up_to_21_is_asked_and_22_is_not() -> None:
    table = At(TARGET_22).bet({1: 1000, 2: 1000})
    table.cards("2h", "Tc", "9c", "2d", "9d", "9s")
    assert table.prompt == "Seat 1: hit or stand — hard 4 against 9c"
    table.act(1, "stand")
    assert table.prompt == "Seat 2: hit or stand — hard 19 against 9c"
    table.act(2, "hit")
    table.cards("3c")
    assert table.settled.totals == {"1": [4], "2": [22], "player_dealer": [18]}


def test_the_second_card_of_a_double_is_the_players_choice() -> None:
    table = At(TARGET_22).bet({1: 1000})
    table.cards("6h", "9c", "5d", "9s")
    assert table.prompt == "Seat 1: hit, stand or double — hard 11 against 9c"
    assert table.refusal(1, "double", 500)[0] == "double_not_equal"
    table.act(1, "double")
    table.cards("4c")
    assert table.prompt == "Seat 1: hit or stand — hard 15 against 9c"
    assert table.refusal(1, "double", 1000)[0] == "double_not_allowed"
    table.act(1, "hit")
    table.cards("6c")
    assert net(table) == 2000


def test_no_more_than_one_card_where_the_house_reads_it_so() -> None:
    table = At(TARGET_22, options={"after_double": "over", "double_amount": "up_to_wager"}).bet({1: 1000})
    table.cards("6h", "9c", "5d", "9s")
    table.act(1, "double", 500)
    table.cards("4c")
    assert net(table) == -1500


def test_a_joker_showing_leaves_hit_and_stand() -> None:
    table = At(JOKER).bet({1: 1000, 2: 1000})
    table.cards("8h", "9c", "Jo", "8d", "2d")
    assert table.prompt == "Seat 1: hit or stand — hard 16 against Jo"
    for act in ("split", "surrender", "double"):
        assert table.refusal(1, act) == ("joker_showing", "against this up card a hand may only hit or stand")
    table.act(1, "stand")
    assert table.prompt == "Seat 2 has hard 11 and must hit"


def test_the_joker_games_player_dealer_has_one_card_while_the_players_act() -> None:
    table = At(JOKER).bet({1: 1000})
    table.cards("9h", "Kc", "8d")
    assert [len(hand) for hand in table.engine.round.table.hands.values()] == [2, 1]  # type: ignore[union-attr]
    table.act(1, "stand")
    assert table.prompt == "Card 2 to Player-dealer"
    assert kinds(table.cards("7s")) == ["card_dealt", "action_button", "round_settled"]


# What stays hidden, and cards that were not read


@pytest.mark.parametrize("ruleset", [TARGET_22, NB40, NB60])
def test_the_hole_card_is_in_nothing_that_is_said_before_it_is_turned(ruleset: str) -> None:
    table = At(ruleset).bet({1: 1000, 2: 1000})
    table.cards("9h", "Tc", "8c", "5d", "8h", "Qs")
    table.act(1, "hit")
    table.cards("2c")
    table.refusal(2, "surrender" if ruleset != NB40 else "split")
    assert "Qs" not in table.everything_said()
    table.act(1, "stand")
    table.act(2, "stand")
    assert "Qs" in table.everything_said()


def test_an_unread_hole_card_is_keyed_when_it_is_turned_up() -> None:
    table = At(NB60).bet({1: 1000})
    table.cards("9h", "8c", "Td", None)
    table.act(1, "stand")
    assert table.prompt == "Player-dealer: key the card"
    table.feed(Revealed("player_dealer", ("Ac*",)))
    assert table.document["totals"]["player_dealer"] == [19]


def test_an_unread_hit_is_keyed_before_the_round_goes_on() -> None:
    table = At(TARGET_22).bet({1: 1000})
    table.cards("9h", "8c", "5d", "Ts")
    table.act(1, "hit")
    table.cards(None)
    assert table.prompt == "Seat 1: key the card"
    table.feed(Revealed("1", ("Jo",)))
    assert table.document["totals"]["1"] == [22]


# The action button


def test_a_joker_leaves_the_button_to_the_floor_which_must_name_a_position() -> None:
    table = At(TARGET_22).bet({1: 1000, 3: 1000})
    table.cards("9h", "Tc", "9c", "9d", "9s", "Jo")
    table.act(1, "stand")
    events = table.act(3, "stand")
    assert kinds(events)[-1] == "held"
    (want,) = table.engine.expectation.wants
    assert isinstance(want, WantFloor)
    assert want.seats == (1, 2, 3, 4, 5, 6, 7)  # all but the player-dealer's own
    button, void = now(table.engine.expectation)
    assert [ask.field for ask in button.asks] == ["seat", "reason"]
    assert [ask.field for ask in void.asks] == ["reason"]
    (refused,) = table.feed(FloorAct("action_button"))
    assert isinstance(refused, ev.Refused)
    assert refused.why == "no_such_seat"
    assert kinds(table.feed(FloorAct("action_button", seat=2))) == ["resumed", "action_button", "round_settled"]
    assert table.document["action_seat"] == 2
    assert table.document["order"] == ["3.main", "1.main"]


def test_the_floor_may_void_the_round_instead_of_naming_a_position() -> None:
    table = At(TARGET_22).bet({1: 1000})
    table.cards("9h", "9c", "9d", "Jo")
    table.act(1, "stand")
    table.feed(FloorAct("void", "wrong shoe"))
    assert table.document["void"]
    assert table.document["returned"] == {1: 1000}


# The house rules


def test_a_hand_with_one_card_is_dead_and_only_that_hand() -> None:
    table = At(TARGET_22).bet({1: 1000, 2: 1000})
    table.cards("9h", "Tc", "9c", "9d")
    assert table.prompt == "Card 2 to Seat 2"
    events = happens(table, "player_card_count", 2, count=1)
    assert kinds(events) == ["irregularity", "free_collection", "ruling"]
    assert table.prompt == "Card 2 to Player-dealer, face down"
    table.cards("9s")
    table.act(1, "stand")
    assert table.document["outcome"] == {"1": "lose", "2": "dead"}
    assert table.document["net"] == {1: {"main": -1000}, 2: {"main": 0}}
    assert table.document["more"]["free_collection"] == [2]


@pytest.mark.parametrize(
    ("ruleset", "ruling", "buttons"),
    [(JOKER, "hand_dead_free_collection", [2]), (NB40, "hand_dead", []), (NB60, "hand_dead_free_collection", [2])],
)
def test_the_no_bust_games_give_a_button_for_a_dead_hand_only(ruleset: str, ruling: str, buttons: list[int]) -> None:
    """183 is a house rule; 209 is not carried over, and 4.0 gives none at all (606, 618)."""
    table = At(ruleset, bank=(500,)).bet({1: 1000, 2: 1000, 3: 1000})
    table.cards("9h", "Tc", "Th", "9c", "9d", "Kd", "Ts", *(() if ruleset == JOKER else ("9s",)))
    happens(table, "player_card_count", 2, count=0)
    table.act(1, "stand")
    table.act(3, "stand")
    if ruleset == JOKER:
        table.cards("9s")
    assert table.document["ruling"] == [ruling]
    assert table.document["uncovered"]
    assert table.document["returned"] == {2: 1000}
    assert table.document["more"]["free_collection"] == buttons


def test_both_cards_seen_before_any_draw_kill_the_deal_but_naturals() -> None:
    table = At(TARGET_22).bet({1: 1000, 2: 1000})
    table.cards("Ah", "Tc", "5c", "As", "9d", "6s")
    assert table.prompt.startswith("Seat 2")
    happens(table, "both_player_dealer_cards_exposed")
    assert table.document["ruling"] == ["deal_dead_except_naturals"]
    assert table.document["net"] == {1: {"main": 1000}, 2: {"main": 0}}
    assert table.document["hands"]["player_dealer"] == ["5c", "6s"]


def test_cards_that_the_player_dealer_does_not_have_are_not_seen() -> None:
    """A device's card that was not read, and such a report, ended the game's program."""
    table = At("village-buster-blackjack").bet({1: 1000, 2: 1000})
    table.feed(CardOut(None))
    assert kinds(happens(table, "both_player_dealer_cards_exposed"))[-1] == "refused"


def test_both_cards_seen_later_kill_the_hands_that_have_not_acted() -> None:
    table = At(NB40).bet({1: 1000, 2: 1000, 3: 1000})
    table.cards("9h", "Tc", "Ah*", "5c", "9d", "9c", "Kd", "6s")
    table.act(1, "stand")
    happens(table, "both_player_dealer_cards_exposed")
    assert table.prompt == "Player-dealer has hard 11 and draws"
    table.cards("Kh")
    assert table.document["ruling"] == ["unacted_hands_dead"]
    assert table.document["outcome"] == {"1": "lose", "2": "dead", "3": "win"}
    assert table.document["net"] == {1: {"main": -1000}, 2: {"main": 0}, 3: {"main": 1200}}


def test_a_hit_that_nobody_wanted_is_burned_when_another_player_wants_one() -> None:
    table = At(TARGET_22).bet({1: 1000, 2: 1000})
    table.cards("9h", "Tc", "9c", "9d", "3d", "9s")
    table.act(1, "hit")
    table.cards("2c")
    events = happens(table, "unwanted_hit", 1, remaining_players_want_hit=True)
    assert kinds(events) == ["irregularity", "hand_shown", "card_burned", "ruling"]
    assert table.prompt == "Seat 2: hit or stand — hard 13 against 9c"
    table.act(2, "stand")
    assert table.document["hands"]["1"] == ["9h", "9d"]
    assert table.document["ruling"] == ["burn"]


@pytest.mark.parametrize(
    ("code", "answers"),
    [
        ("skipped_player", ["dealer_admits", "dealer_denies"]),
        ("unwanted_hit", ["burn", "to_player_dealer"]),
        ("player_dealer_card_count", ["back_up", "misdeal"]),
        ("dealer_started_out_of_position", ["back_up", "deal_dead"]),
        ("two_hit_cards", ["first_plays_second_exposed", "burn_both"]),
    ],
)
def test_what_only_people_know_the_floor_is_asked_with_the_answers_as_buttons(code: str, answers: list[str]) -> None:
    for answer in (*answers, "void"):
        table = At(TARGET_22).bet({1: 1000, 2: 1000})
        table.cards("9h", "9s", "9c", "3d", "9d", "9s")
        table.act(1, "hit")
        table.cards("2c")
        happens(table, code, 1)
        offered = [offer.body["do"] for offer in now(table.engine.expectation)]
        assert offered == [*answers, "void"]
        table.feed(FloorAct(answer))
        if answer in ("misdeal", "deal_dead", "void"):
            assert table.document["void"]
            assert table.document["returned"] == {1: 1000, 2: 1000}
        else:
            assert not table.prompt.startswith("Held")
            assert table.engine.last is None


def test_an_unwanted_hit_is_the_player_dealers_when_the_floor_says_so() -> None:
    table = At(TARGET_22).bet({1: 1000})
    table.cards("9h", "9c", "9d", "7s")
    table.act(1, "hit")
    table.cards("2c")
    happens(table, "unwanted_hit", 1)
    table.feed(FloorAct("to_player_dealer", "nobody else is in"))
    assert table.document["hands"] == {"1": ["9h", "9d"], "player_dealer": ["9c", "7s", "2c"]}
    assert table.document["ruling"] == ["to_player_dealer"]


def test_a_happening_to_a_seat_without_a_hand_holds_the_table() -> None:
    table = At(TARGET_22).bet({1: 1000})
    table.cards("9h", "9c", "3d", "9s")
    happens(table, "abandoned", 5)
    assert table.prompt == "Held, call the floor: seat 5 has no hand in this round"
    table.feed(FloorAct("resume"))
    assert table.prompt.startswith("Seat 1")


def test_a_hand_that_is_dead_before_its_card_was_named_ends_no_round() -> None:
    """Found by `make attacks`: the game's program failed."""
    table = At(NB60).bet({1: 1000, 2: 1000})
    table.cards("9h", "Tc", "9c", "9d")
    table.feed(CardOut(None))
    happens(table, "player_card_count", 2, count=1)
    table.cards("9s")
    assert table.prompt.startswith("Seat 1")


def test_an_abandoned_hand_is_not_played_before_its_card_is_named() -> None:
    """Found by `make attacks`: what the hand counts decides, and nobody knows it yet."""
    table = At(NB60).bet({1: 1000, 2: 1000})
    table.feed(CardOut(None))
    refused = happens(table, "abandoned", 1)[-1]
    assert isinstance(refused, ev.Refused)
    assert refused.text == "A card of this hand was not read yet. Name it first."


def test_the_second_of_two_hit_cards_goes_to_the_player_dealer_if_nobody_hits() -> None:
    table = At(TARGET_22).bet({1: 1000, 2: 1000})
    table.cards("9h", "Tc", "9c", "3d", "9d", "5s")
    table.act(1, "hit")
    table.cards("7c", "6c")
    assert table.prompt.startswith("Held, call the floor")
    happens(table, "two_hit_cards", 1, order_known=True)
    table.act(1, "stand")
    table.act(2, "stand")
    assert table.document["hands"]["player_dealer"] == ["9c", "5s", "6c"]
    assert table.document["net"] == {1: {"main": -1000}, 2: {"main": -1000}}


def test_two_hit_cards_of_unknown_order_are_burned_and_the_hit_is_dealt_again() -> None:
    table = At(TARGET_22).bet({1: 1000})
    table.cards("9h", "9c", "3d", "9s")
    table.act(1, "hit")
    table.cards("7c", "6c")
    happens(table, "two_hit_cards", 1, order_known=False)
    assert table.prompt == "Both cards are burned: deal the hit again"
    table.cards("8h")
    table.act(1, "stand")
    assert table.document["hands"]["1"] == ["9h", "3d", "8h"]
    assert net(table) == 1000


def test_a_skipped_player_acts_after_the_hand_in_play() -> None:
    table = At(TARGET_22).bet({1: 1000, 2: 1000, 3: 1000})
    table.cards("9h", "Tc", "8h", "9c", "3d", "5d", "8d", "9s")
    table.cards("6c")
    assert table.prompt.startswith("Held, call the floor")
    happens(table, "skipped_player", 1, dealer_admits=True)
    assert table.prompt == "Seat 2: hit or stand — hard 15 against 9c"
    table.act(2, "hit")
    table.act(2, "stand")
    assert table.prompt == "Seat 1: hit, stand or double — hard 12 against 9c"
    table.act(1, "stand")
    assert table.prompt.startswith("Seat 3")
    table.act(3, "stand")
    assert table.document["hands"]["2"] == ["Tc", "5d", "6c"]
    assert table.document["ruling"] == ["card_stands"]


def test_a_skip_that_the_dealer_does_not_admit_stands() -> None:
    table = At(TARGET_22).bet({1: 1000, 2: 1000})
    table.cards("9h", "Tc", "9c", "3d", "9d", "9s")
    happens(table, "skipped_player", 1, dealer_admits=False)
    assert table.prompt.startswith("Seat 2")
    table.act(2, "stand")
    assert table.document["totals"]["1"] == [12]


def test_a_player_who_was_passed_over_is_recalled() -> None:
    table = At(TARGET_22).bet({1: 1000, 2: 1000})
    table.cards("9h", "Tc", "9c", "3d", "9d", "9s")
    table.act(1, "stand")
    happens(table, "skipped_player", 1, dealer_admits=True)
    assert table.prompt.startswith("Seat 2")
    table.act(2, "stand")
    assert table.prompt == "Seat 1: hit, stand or double — hard 12 against 9c"
    table.act(1, "hit")
    table.cards("7c")
    table.act(1, "stand")
    assert table.document["totals"] == {"1": [19], "2": [19], "player_dealer": [18]}


def test_the_dealer_plays_on_for_a_player_who_has_left() -> None:
    table = At(NB60).bet({1: 1000, 2: 1000})
    table.cards("4h", "Tc", "9c", "4d", "9d", "8s")
    happens(table, "abandoned", 1)
    assert table.prompt == "Seat 1 has hard 8 and is left: hit"
    table.cards("4c", "3c")
    assert table.prompt.startswith("Seat 2")
    table.act(2, "stand")
    assert table.document["hands"]["1"] == ["4h", "4d", "4c", "3c"]
    assert table.document["ruling"] == ["hit"]


def test_a_card_off_the_table_is_played() -> None:
    table = At(TARGET_22).bet({1: 1000})
    table.cards("9h", "9c", "3d", "9s")
    table.cards("7c")
    happens(table, "card_off_table")
    table.act(1, "hit")
    table.act(1, "stand")
    assert table.document["hands"]["1"] == ["9h", "3d", "7c"]


def test_cards_on_an_empty_circle_are_out_of_play() -> None:
    table = At(TARGET_22).bet({1: 1000})
    table.cards("9h", "9c", "3d", "9s")
    events = happens(table, "hand_dealt_to_empty_circle", 6, cards=("4c", "5c"))
    assert kinds(events).count("card_burned") == 2
    table.act(1, "stand")
    assert table.document["ruling"] == ["hand_dead"]


def test_a_misdeal_gives_the_wagers_back() -> None:
    table = At(NB40).bet({1: 1000})
    table.cards("8h", "9c", "8d", "9s")
    table.act(1, "split")
    happens(table, "player_dealer_card_count", count=3, can_back_up=False)
    assert table.document["void"]
    assert table.document["ruling"] == ["misdeal"]
    assert table.document["returned"] == {1: 2000}


def test_a_deal_from_the_wrong_position_is_backed_up_or_dead() -> None:
    table = At(TARGET_22).bet({1: 1000})
    table.cards("9h", "9c")
    happens(table, "dealer_started_out_of_position", can_back_up=True)
    assert table.prompt == "Card 2 to Seat 1"
    happens(table, "dealer_started_out_of_position", can_back_up=False)
    assert table.document["ruling"] == ["back_up", "deal_dead"]
    assert table.document["returned"] == {1: 1000}


def test_a_house_rule_about_cards_is_refused_while_there_are_none() -> None:
    table = At(TARGET_22)
    events = happens(table, "abandoned", 1)
    assert kinds(events)[-1] == "refused"
    assert "Place your bets" in table.prompt


def test_a_happening_without_a_rule_holds_the_table_until_the_floor_resumes() -> None:
    table = At(NB40).bet({1: 1000})
    table.cards("9h", "9c", "3d", "9s")
    happens(table, "fire_alarm")
    assert table.prompt.startswith("Held, call the floor")
    assert cards_allowed(table.engine.expectation) == 0
    table.feed(FloorAct("resume", "nothing"))
    assert table.prompt.startswith("Seat 1")


def test_the_shoe_runs_out_in_mid_hand_and_the_hand_goes_on_from_the_discards() -> None:
    table = At(NB40, options={"decks": 1}).bet({1: 1000})
    table.cards("9h", "9c", "3d", "9s")
    happens(table, "shoe_empty")
    assert table.prompt == "Shuffle the discards, load the shoe and burn a card"
    table.cards("2c")
    table.act(1, "hit")
    table.cards("8d")
    table.act(1, "stand")
    assert table.document["ruling"] == ["reshuffle_continue"]
    assert table.prompt == "Shuffle and load a new shoe"


@pytest.mark.parametrize("ruleset", VILLAGE)
def test_a_cut_card_between_hands_leaves_one_more_hand(ruleset: str) -> None:
    table = At(ruleset)
    table.feed(CutCardOut())
    assert table.prompt == "Place your bets"
    again = At(ruleset).bet({1: 1000})
    again.feed(CardOut("9h"), CutCardOut())
    shoe = again.engine.state.shoe
    assert shoe is not None
    assert shoe.hands_left == 1


# Data


@pytest.mark.parametrize("ruleset", VILLAGE)
def test_the_deck_is_the_approvals(ruleset: str) -> None:
    loaded = load(ruleset)
    rules = loaded.options({"decks": 2})
    assert isinstance(rules, CenturyRules)
    deck = loaded.game.deck(rules)
    assert deck is not None
    assert sum(deck.values()) == (106 if ruleset in (TARGET_22, JOKER) else 104)
    assert deck.get("Ah*", 0) == (2 if ruleset in (NB40, NB60) else 0)


def test_a_wrong_choice_is_refused_with_the_allowed_ones() -> None:
    with pytest.raises(RulesError, match="both_over: 'sometimes' is none of three_cards_push"):
        load(NB40).options({"both_over": "sometimes"})


@pytest.mark.parametrize(("ruleset", "said"), [(NB40, "21.5"), (NB60, "22")])
def test_the_screens_count_a_natural_as_its_room_does(ruleset: str, said: str) -> None:
    table = At(ruleset).bet({1: 1000})
    table.cards("Ah*", "9c", "Kd", "9s")
    engine = table.engine
    hand = At(ruleset).bet({1: 1000})
    hand.cards("Ah*", "9c", "Kd")
    running = hand.engine.round
    assert running is not None
    assert engine.game.counted(running.table.hands["1"], engine.options) == said
    assert engine.game.summary(engine.public_result) == "Player-dealer has 18"
