"""Pure Spanish 21.5 and Hot Action Blackjack at the table: doublings and rescue, bettors behind, cards face down."""

from __future__ import annotations

from typing import Any

import pytest

from controller.engine import events as ev
from controller.engine.expect.expectation import cards_allowed
from controller.engine.inputs import BetsClosed, FloorAct, Happening, Revealed, WagerPlaced
from controller.operator.offers import offers
from controller.rules import RulesError, load
from sim_hw.people.crew import Habits
from tests.support.games.blackjack_tables import At, kinds

BANKERS = "bankers-pure-spanish-21-5"
TURLOCK = "turlock-pure-spanish-21-5"
HOT = "calgrand-hot-action-blackjack"


# Pure Spanish 21.5


def test_a_spanish_deck_has_no_tens_and_every_picture_is_a_bonus_card() -> None:
    ruleset = load(BANKERS)
    deck = ruleset.game.deck(ruleset.options({"decks": 4}))
    assert deck is not None
    assert sum(deck.values()) == 4 * 48
    assert {code[0] for code in deck if code.endswith("*")} == set("JQK")
    assert not [code for code in deck if code.startswith("T")]


def test_a_doubled_hand_is_led_through_its_doublings() -> None:
    table = At(BANKERS, options={"double_double": True}).bet({1: 1000})
    table.cards("3h", "9c", "2d", "Ks*")
    assert table.prompt == "Seat 1: hit, stand, double or surrender — hard 5 against 9c"
    table.act(1, "double")
    assert table.prompt == "Seat 1 doubles: one card"
    table.cards("2c")
    assert table.prompt == "Seat 1: stand, redouble for $20 or rescue — hard 7 against 9c"
    assert table.refusal(1, "hit")[0] == "not_offered"
    table.act(1, "redouble")
    assert table.prompt == "Seat 1 redoubles: one card"
    table.cards("2h")
    assert table.prompt == "Seat 1: stand, redouble for $40 or rescue — hard 9 against 9c"
    table.act(1, "redouble")
    table.cards("9h")
    assert table.prompt == "Seat 1: stand or rescue — hard 18 against 9c"
    table.act(1, "stand")
    assert table.document["net"] == {1: {"base": -8000}}


def test_a_void_returns_every_doubling() -> None:
    table = At(TURLOCK, options={"double_double": True}).bet({1: 1000}, match_dealer=500)
    table.cards("3h", "9c", "2d", "Ks*")
    table.act(1, "double", 1000)
    table.cards("2c")
    table.act(1, "redouble")
    (voided,) = table.feed(FloorAct("void", "shoe jammed"))
    assert isinstance(voided, ev.RoundVoided)
    assert voided.returned == {"1": 1000 + 1000 + 2000 + 500}
    assert table.document["bank_net"] == 0


def test_an_unread_double_card_is_keyed_before_the_hand_is_asked() -> None:
    table = At(BANKERS).bet({1: 1000})
    table.cards("6h", "9c", "5d", "Ks*")
    table.act(1, "double", 700)
    assert kinds(table.cards(None)) == ["card_dealt", "irregularity"]
    assert table.prompt == "Seat 1: key the card"
    table.feed(Revealed("1", ("2d",)))
    assert table.prompt == "Seat 1: stand or rescue — hard 13 against 9c"
    table.act(1, "rescue")
    assert table.document["net"] == {1: {"base": -1000}}
    assert table.document["more"]["wager_by_hand"] == {"1": [1700]}


def test_people_fill_the_shoe_with_as_many_decks_as_belong_there() -> None:
    for slug, cards in ((BANKERS, 6 * 48), (HOT, 8 * 54)):
        ruleset = load(slug)
        options = ruleset.options({})
        deck = ruleset.game.deck(options)
        assert deck is not None
        shoe = [code for code, copies in deck.items() for _ in range(copies)]
        assert (len(shoe), Habits(shoe).decks) == (cards, ruleset.game.decks(options))


def test_the_match_bet_needs_the_base_wager_and_outlives_a_split() -> None:
    table = At(TURLOCK)
    (refused,) = table.feed(WagerPlaced(1, "match_dealer", 500))
    assert isinstance(refused, ev.Refused)
    assert refused.why == "needs_base_wager"
    table.bet({1: 1000}, match_dealer=500)
    table.cards("9h", "9h", "9d", "Js*")
    table.act(1, "split")
    table.cards("Kh*")
    table.act(1, "stand")
    table.cards("Kd*")
    table.act(1, "stand")
    assert table.document["net"] == {1: {"base": 0, "match_dealer": 6000}}


def test_a_house_that_does_not_offer_the_match_bet_takes_none() -> None:
    table = At(BANKERS, options={"match_up_card": False})
    (refused,) = table.feed(WagerPlaced(1, "match_up_card", 500))
    assert isinstance(refused, ev.Refused)
    assert refused.why == "no_such_wager"


@pytest.mark.parametrize(
    ("ruleset", "chosen", "words"),
    [
        (BANKERS, {"decks": 3}, "the game is dealt from 4 to 8 decks"),
        (
            TURLOCK,
            {
                "double_double": True,
                "player_dealer_chart": {"stand_hard": 17, "hit_hard": 16, "stand_soft": 17, "hit_soft": 16},
            },
            "needs a player-dealer who hits soft 17",
        ),
        (TURLOCK, {"match_up_card": False}, "has no option 'match_up_card'"),
        (HOT, {"surrender": "sometimes"}, "surrender"),
        (HOT, {"soft_17": "draw"}, "soft_17"),
    ],
)
def test_a_table_that_contradicts_its_sheet_is_refused(ruleset: str, chosen: dict[str, Any], words: str) -> None:
    with pytest.raises(RulesError) as caught:
        load(ruleset).options(chosen)
    assert words in str(caught.value)


# Bettors behind a seat


def test_a_bettor_behind_may_double_the_hand_with_his_own_money() -> None:
    table = At(HOT).bet({2: 1000, "2.2": 500})
    table.cards("6h", "9s", "5d", "8d")
    assert table.prompt == "Seat 2: hit or double — hard 11 against 9s / Seat 2, spot 2: double behind"
    buttons = [(offer.label, offer.body["seat"]) for offer in offers.now(table.engine.expectation)]
    assert buttons == [("Hit", 2), ("Double", 2), ("Double behind", "2.2")]
    assert table.refusal("2.2", "hit")[0] == "not_offered"
    table.act("2.2", "double", 500)
    table.cards("9h")
    assert table.document["net"] == {2: {"main": 1000}, "2.2": {"main": 500, "double": 500}}


def test_who_splits_plays_the_second_hand_alone() -> None:
    table = At(HOT).bet({2: 1000, "2.2": 500})
    table.cards("8h", "9s", "8d", "8c")
    table.act("2.2", "split")
    table.cards("Kh")
    assert table.prompt == "Seat 2, split hand 2: second card"
    table.cards("6d")
    assert table.prompt == "Seat 2, spot 2, split hand 2: hit or stand — hard 14 against 9s"
    table.act("2.2", "stand")
    assert table.document["net"] == {2: {"main": 1000}, "2.2": {"main": 500, "split": -500}}


def test_a_rescue_is_for_the_money_of_who_doubled() -> None:
    table = At(TURLOCK).bet({2: 1000, "2.2": 500})
    table.cards("6h", "9s", "5d", "8c")
    table.act("2.2", "double", 500)
    table.cards("7h")
    assert table.prompt == "Seat 2, spot 2: stand or rescue — hard 18 against 9s"
    table.act("2.2", "rescue")
    assert table.document["net"] == {2: {"base": 1000}, "2.2": {"base": -500}}


def test_a_void_returns_the_wagers_of_bettors_behind() -> None:
    table = At(HOT).bet({2: 1000, "2.2": 500, 3: 2000})
    table.cards("6h", "9h", "9s", "5d", "8h", "8d")
    table.act("2.2", "double", 300)
    (voided,) = table.feed(FloorAct("void", "jam"))
    assert isinstance(voided, ev.RoundVoided)
    assert voided.returned == {"2": 1000, "2.2": 800, "3": 2000}


# Hot Action Blackjack


def test_a_hot_deck_has_its_jokers() -> None:
    ruleset = load(HOT)
    deck = ruleset.game.deck(ruleset.options({"decks": 6, "jokers_per_deck": 3}))
    assert deck is not None
    assert deck["Jo"] == 18
    assert sum(deck.values()) == 6 * 55


def test_the_screens_name_the_naturals_of_players() -> None:
    game = load(HOT).game
    table = At(HOT).bet({1: 1000, 2: 1000, 3: 1000})
    table.cards("Jo", "As", "6d", "9c", "Jo", "As", "5d", "8h")
    hands = table.engine.round.table.hands if table.engine.round else {}
    assert [game.count(hands[owner]) for owner in "123"] == ["Super Natural 24", "Natural 22", "11"]
    table.act(3, "hit")
    table.cards("Kh")
    assert game.summary(table.engine.public_result) == "Player-dealer has 17"


@pytest.mark.parametrize(
    ("cards", "text"),
    [
        (("As", "As"), "Player-dealer has a Natural 22"),
        (("Ks", "Ah"), "Player-dealer has a Natural 21"),
        (("9s", "7h", "6d"), "Player-dealer is over with 22"),
    ],
)
def test_the_screens_show_how_the_player_dealer_ended(cards: tuple[str, ...], text: str) -> None:
    table = At(HOT).bet({1: 1000})
    up, down, *more = cards
    table.cards("9h", up, "9d", down)
    if up == "As":
        table.act(1, "no_insurance")
    if more:
        table.act(1, "stand")
    table.cards(*more)
    assert load(HOT).game.summary(table.engine.public_result) == text


def test_the_second_card_may_come_when_the_players_are_done() -> None:
    table = At(HOT, options={"pd_second_card": "after_players"}).bet({1: 1000})
    table.cards("9h", "Ac", "7d")
    assert table.prompt == "Seat 1: insurance for $5 or no insurance — before the draws"
    table.act(1, "no_insurance")
    assert table.prompt == "Seat 1: hit or stand — hard 16 against Ac"
    assert cards_allowed(table.engine.expectation) == 0
    table.act(1, "stand")
    assert table.prompt == "Card 2 to Player-dealer"
    table.cards("Kd")
    assert table.settled.outcome == {"1": "lose"}


def test_players_cards_that_are_dealt_down_are_hidden_until_their_turn() -> None:
    table = At(HOT, options={"player_cards": "down"}).bet({1: 1000, 2: 1000})
    table.cards("9h", "6d", "9c", "5h", "7d", "8c")
    said = table.everything_said()
    assert "6d" not in said and "7d" not in said
    assert table.prompt == "Seat 1: hit or stand — hard 14 against 9c"
    table.act(1, "stand")
    assert table.prompt == "Seat 2: hit or stand — hard 13 against 9c"
    assert "8c" not in table.everything_said()


def test_an_unread_card_dealt_down_is_keyed_in_its_turn() -> None:
    table = At(HOT, options={"player_cards": "down"}).bet({1: 1000})
    table.cards("9h", "9c", None, "8c")
    assert table.prompt == "Seat 1: key the card"
    table.feed(Revealed("1", ("5h",)))
    assert table.prompt == "Seat 1: hit or stand — hard 14 against 9c"


def test_with_both_cards_down_neither_is_published() -> None:
    table = At(HOT, options={"pd_cards": "both_down"}).bet({1: 1000})
    table.cards("9h", "Ac", "7d", "Kd")
    assert table.prompt == "Seat 1: hit or stand — hard 16"
    said = table.everything_said()
    assert "Ac" not in said and "Kd" not in said
    table.act(1, "stand")
    assert table.document["ranks"] == {"player_dealer": ["natural_21"]}


def test_the_down_card_stays_hidden_at_the_check() -> None:
    table = At(HOT).bet({1: 1000})
    table.cards("9h", "Kc", "5d", None)
    assert table.prompt == "Player-dealer: key the card — look at the down card, keep it face down"
    table.feed(Revealed("player_dealer", ("6s",)))
    assert table.prompt == "Seat 1: hit or stand — hard 14 against Kc"
    assert "6s" not in table.everything_said()


@pytest.mark.parametrize("code", ["misdeal", "card_exposed", "shoe_failure"])
def test_what_the_text_does_not_rule_is_the_floors_decision(code: str) -> None:
    table = At(HOT).bet({1: 1000})
    table.cards("9h", "9c", "5d", "8s")
    asked = table.prompt
    assert kinds(table.feed(Happening(code, 1))) == ["irregularity", "ruling", "held"]
    table.feed(FloorAct("resume", "looked at it"))
    assert table.prompt == asked
    table.act(1, "stand")
    assert table.document["ruling"] == ["floor_decision"]


def test_dice_are_thrown_where_the_house_points_with_dice() -> None:
    table = At(HOT, options={"action_source": "dice"}).bet({1: 1000})
    table.cards("9h", "9c", "9d", "8s")
    table.act(1, "stand")
    assert table.prompt == "Shake and open the cup (3 dice)"


def test_all_wagers_of_a_position_stay_within_its_limit() -> None:
    schedule = {"id": "bjpg-r2-A", "position_limit": 200_000}
    table = At(HOT, options={"schedule": schedule})
    table.feed(*[WagerPlaced(f"1.{spot}" if spot > 1 else 1, "main", 50_000) for spot in (1, 2, 3)])
    (placed,) = table.feed(WagerPlaced("1.4", "main", 50_000))
    assert isinstance(placed, ev.WagerSet)
    (refused,) = table.feed(WagerPlaced("1.5", "main", 500))
    assert isinstance(refused, ev.Refused)
    assert refused.why == "above_position_limit"
    (other,) = table.feed(WagerPlaced(2, "main", 500))
    assert isinstance(other, ev.WagerSet)


def test_fees_are_taken_before_the_bets_are_settled_and_none_for_doubles() -> None:
    table = At(HOT, options={"schedule": "bjpg-r2-A"}, bank=(10_000,))
    table.bet({1: 1000})
    table.cards("6h", "9c", "5d", "8s")
    table.act(1, "double", 1000)
    events = kinds(table.cards("Kh"))
    assert events.index("fee_changed") < events.index("round_settled")
    assert table.document["fees"]["players"] == {1: 50}
    assert table.document["fees"]["player_dealer"] == 100


def test_no_wagers_no_round_and_a_table_that_records_none_plays_on() -> None:
    assert kinds(At(HOT).feed(BetsClosed()))[-1] == "round_voided"
    table = At(HOT, records_wagers=False, seats=(1, 8))
    table.cards("9h", "9c", "9d", "8s")
    table.act(1, "split")
    table.cards("2h", "Kh", "Kd")
    assert table.settled.outcome == {"1": ["win", "win"]}
    assert table.settled.lines == ()
