"""The Buster bet at the table: on which games it rides, what it needs, what becomes of it when a round is void."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest

from controller.engine import events as ev
from controller.engine.inputs import BetsClosed, FloorAct, Happening, WagerPlaced
from controller.games.blackjack.buster_game import BusterRules
from controller.games.blackjack.century import CenturyRules
from controller.games.blackjack.hot_action import HotRules
from controller.games.blackjack.pure import PureRules
from controller.packet.make import make
from controller.packet.text import as_text
from controller.rules import RulesError, load, resolve
from tests.support.games.blackjack_tables import At, kinds

BANKERS = "bankers-buster-blackjack"
CALGRAND = "calgrand-buster-blackjack"
VILLAGE = "village-buster-blackjack"
SPANISH = {"base_game": "pure-spanish-21-5"}


def rules_of(slug: str, **chosen: Any) -> BusterRules:
    made = load(slug).options(chosen)
    assert isinstance(made, BusterRules)
    return made


def refusal(table: At, place: int | str, wager: str, cents: int) -> str:
    (refused,) = table.feed(WagerPlaced(place, wager, cents))
    assert isinstance(refused, ev.Refused)
    return refused.why


# The game it rides on


def test_the_base_games_options_are_options_of_the_table() -> None:
    pure = rules_of(BANKERS, pure_pays="3:2", insurance=True).rules
    assert isinstance(pure, PureRules)
    assert (pure.pure_pays, pure.insurance) == ("3:2", True)
    hot = rules_of(CALGRAND, soft_17="stand").rules
    assert isinstance(hot, HotRules)
    assert (hot.soft_17, hot.base_wager) == ("stand", "base")
    century = rules_of(VILLAGE, base_game="village-no-bust-blackjack-6-0").rules
    assert isinstance(century, CenturyRules)
    assert century.natural_shown == 22


@pytest.mark.parametrize(
    ("slug", "chosen", "words"),
    [
        (BANKERS, {"base_game": "no-bust-blackjack-4-0"}, "base_game: 'no-bust-blackjack-4-0' is no other ruleset"),
        (BANKERS, {"base_game": "buster-blackjack"}, "base_game: 'buster-blackjack' is no other ruleset of bankers"),
        (BANKERS, {"base_game": "ez-baccarat-panda-8"}, "is none of bankers-pure-21-5-blackjack"),
        (VILLAGE, {"base_game": "no-bust-blackjack-joker"}, "is none of village-no-bust-blackjack-4-0"),
        (BANKERS, {"decks": 5}, "decks"),
        (VILLAGE, {"decks": 1}, "decks"),
        (VILLAGE, {"pure_pays": "3:2"}, "village-no-bust-blackjack-4-0 has no option 'pure_pays'"),
        (BANKERS, {"insurance": True}, "insurance = true needs pure_pays"),
    ],
)
def test_a_table_that_cannot_be_is_refused_with_the_reason(slug: str, chosen: dict[str, Any], words: str) -> None:
    with pytest.raises(RulesError) as caught:
        load(slug).options(chosen)
    assert words in str(caught.value)


def test_the_number_of_decks_is_the_base_games_too() -> None:
    rules = rules_of(BANKERS, decks=7, **SPANISH)
    deck = load(BANKERS).game.deck(rules)
    assert deck is not None
    assert sum(deck.values()) == 7 * 48
    assert rules.rules.decks == 7


def test_the_digest_in_force_knows_the_base_game_and_its_options() -> None:
    digests = {
        resolve(BANKERS, chosen).digest
        for chosen in ({}, SPANISH, {"pure_pays": "7:5"}, {"settled": "last"}, {"schedule": "ca-1/pure-21-5/1"})
    }
    assert len(digests) == 5


def test_the_posted_fees_are_the_base_games_where_the_bet_has_none_of_its_own() -> None:
    assert load(BANKERS).posted("ca-1/pure-21-5/1").schedule.id == "ca-1/pure-21-5/1"
    assert load(VILLAGE).posted("village/no-bust-6-0-2009/5-50").schedule.id == "village/no-bust-6-0-2009/5-50"
    assert "village/no-bust/1" in as_text(make(VILLAGE, {"schedule": "village/no-bust/1"}))
    with pytest.raises(RulesError):
        load(BANKERS).posted("village/no-bust/1")


@pytest.mark.parametrize("slug", [BANKERS, CALGRAND, VILLAGE])
def test_the_ruleset_can_be_shown_to_people(slug: str) -> None:
    text = as_text(make(slug))
    assert re.search(rf"Rides on .*\n +(in words\n +)?ruleset +{slug.partition('-')[0]}-[a-z0-9-]+", text)
    assert re.search(r" 8 +200 to 1", text)
    assert re.search(r" decks +8 ", text)


def test_a_pay_table_with_a_hole_is_refused() -> None:
    rules = rules_of(BANKERS)
    with pytest.raises(ValueError, match="give a row for 3, 4, 5"):
        msgspec.structs.replace(rules, pays={"3": "2:1", "5": "4:1"})


# Placing it


@pytest.mark.parametrize(("slug", "base"), [(BANKERS, "base"), (CALGRAND, "base"), (VILLAGE, "main")])
def test_it_needs_the_base_wager_and_is_placed_before_the_deal(slug: str, base: str) -> None:
    table = At(slug)
    assert refusal(table, 1, "buster", 500) == "needs_base_wager"
    table.feed(WagerPlaced(1, base, 1000))
    assert kinds(table.feed(WagerPlaced(1, "buster", 500))) == ["wager_placed"]
    table.feed(BetsClosed())
    assert refusal(table, 1, "buster", 1000) == "bets_closed"


def test_at_california_grand_it_is_at_most_the_base_wager_and_stands_once() -> None:
    table = At(CALGRAND)
    table.feed(WagerPlaced(1, "base", 1000))
    assert refusal(table, 1, "buster", 1500) == "above_base_wager"
    assert refusal(table, 1, "buster", 700) == "not_a_multiple_of_5_dollars"
    table.feed(WagerPlaced(1, "buster", 500))
    assert refusal(table, 1, "buster", 1000) == "one_per_player_per_position"
    assert kinds(table.feed(WagerPlaced(1, "buster", 0))) == ["wager_placed"]
    assert kinds(table.feed(WagerPlaced(1, "buster", 1000))) == ["wager_placed"]


def test_elsewhere_it_may_be_more_than_the_base_wager() -> None:
    table = At(VILLAGE).bet({1: 500}, buster=2000)
    table.cards("9h", "8c", "9d", "9s")
    table.act(1, "stand")
    assert table.document["net"] == {1: {"main": 500, "buster": -2000}}


def test_a_bet_whose_base_wager_was_taken_back_goes_back_too() -> None:
    table = At(VILLAGE)
    for place in (1, 2):
        table.feed(WagerPlaced(place, "main", 1000), WagerPlaced(place, "buster", 500))
    table.feed(WagerPlaced(2, "main", 0), BetsClosed())
    assert ev.WagerSet(2, "buster", 0) in table.events
    table.cards("9h", "8c", "9d", "9s")
    table.act(1, "stand")
    assert table.document["net"] == {1: {"main": 1000, "buster": -500}}
    assert table.document["returned"] == {2: 500}


# The round


def test_every_player_over_and_the_hand_is_completed_all_the_same() -> None:
    table = At(BANKERS).bet({1: 1000}, buster=500)
    table.cards("Kh*", "6c", "5d", "5s")
    table.act(1, "hit")
    table.cards("9h")
    assert table.prompt == "Player-dealer has hard 11 and draws"
    table.cards("5h", "9d")
    assert table.document["more"]["bust_cards"] == 4
    assert table.document["net"] == {1: {"base": -1000, "buster": 1000}}


@pytest.mark.parametrize("slug", [BANKERS, CALGRAND, VILLAGE])
def test_an_ordinary_21_is_no_bust(slug: str) -> None:
    table = At(slug).bet({1: 1000}, buster=500)
    ten = "Kh*" if slug == BANKERS else "Kh"
    table.cards(ten, "6c", "9d", "5s")
    if table.prompt.startswith("Seat 1"):
        table.act(1, "stand")
    table.cards("Td*" if slug == BANKERS else "Td")
    assert table.document["more"]["bust_cards"] == 0
    assert table.document["flags"]["player_dealer_busted"] is False
    assert table.document["net"][1]["buster"] == -500


def test_the_screens_tell_with_how_many_cards_it_went_over() -> None:
    table = At(VILLAGE).bet({1: 1000}, buster=500)
    table.cards("Tc", "Kh", "9d", "6h")
    table.act(1, "stand")
    table.cards("Td")
    engine = table.engine
    assert engine.game.summary(engine.public_result) == "Player-dealer is over with 26 in 3 cards"
    running = At(VILLAGE).bet({1: 1000})
    running.cards("Ac*", "Kh", "9d", "6h")
    assert running.engine.round is not None
    hand = running.engine.round.table.hands["1"]
    assert running.engine.game.counted(hand, running.engine.options) == "soft 20"


def test_a_void_gives_both_wagers_back() -> None:
    table = At(BANKERS).bet({1: 1000}, buster=500)
    table.cards("8h", "6c", "8d", "5s")
    table.act(1, "split")
    table.feed(FloorAct("void", "shuffler jam"))
    assert table.document["returned"] == {1: 2500}
    assert table.document["net"] == {}
    assert table.document["bank_net"] == 0


def test_each_rooms_own_rulings_hold_at_the_table_with_the_bet() -> None:
    village = At(VILLAGE).bet({1: 1000}, buster=500)
    village.cards("9h", "6c", "9d", "5s")
    village.feed(Happening("player_card_count", 1, facts={"count": 1}))
    village.cards("Kc")
    assert village.document["ruling"] == ["hand_dead"]
    assert village.document["net"] == {1: {"main": 0, "buster": -500}}
    calgrand = At(CALGRAND).bet({1: 1000}, buster=500)
    calgrand.cards("9h", "6c")
    assert "ruling" in kinds(calgrand.feed(Happening("misdeal")))
    assert calgrand.prompt.startswith("Held, call the floor")
    bankers = At(BANKERS).bet({1: 1000}, buster=500)
    bankers.cards("9h", "6c")
    bankers.feed(Happening("misdeal"))
    assert bankers.prompt.startswith("Held, call the floor")


def test_the_bank_pays_200_to_1_as_far_as_it_goes_and_never_twice() -> None:
    table = At(VILLAGE, bank=(10_000, 5000)).bet({1: 1000, 2: 1000}, buster=100)
    table.cards("Tc", "Kc", "Ac*", "Th", "9h", "2d")
    for seat in (1, 2):
        table.act(seat, "no_insurance")
    for seat in (1, 2):
        table.act(seat, "stand")
    table.cards("Ad*", "Ah*", "As*", "Ac*", "9c", "Td")
    document = table.document
    assert document["more"]["bust_cards"] == 8
    assert document["bank_net_by_spot"] == [-10_000, -5000]
    assert document["more"]["cover_left"] == 0
    assert document["net"][1]["main"] + document["net"][2]["main"] == 2000
    paid = {seat: wagers["buster"] for seat, wagers in document["net"].items()}
    assert sum(paid.values()) == 13_000
    assert sum(wagers["buster"] for wagers in document["uncovered"].values()) == 27_000


def test_the_hole_card_is_hidden_from_the_bet_too() -> None:
    table = At(BANKERS).bet({1: 1000}, buster=500)
    table.cards("9h", "6c", "5d", "Qs*")
    table.act(1, "hit")
    assert "Qs" not in table.everything_said()
