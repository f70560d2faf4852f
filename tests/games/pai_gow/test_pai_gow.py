"""Fortune Pai Gow Poker at the table: dice, piles, two hands each, the bonus, envy, and what goes wrong."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from controller.engine import events as ev
from controller.engine.expect.expectation import cards_allowed
from controller.engine.house_way import HouseWayData
from controller.engine.inputs import (
    Act,
    BetsClosed,
    CardOut,
    DiceRolled,
    FloorAct,
    Happening,
    Revealed,
    StackOut,
    TableSet,
    WagerPlaced,
)
from controller.engine.round.felt import Setup
from controller.games.pai_gow.facts import PaiGowFacts
from controller.rules import RulesError, load
from tests.support.games.fee_lines import due
from tests.support.games.pai_gow_tables import (
    BEATEN,
    BEATS,
    DECK,
    PLAYER_DEALER,
    RULESET,
    SCHEDULE,
    TO_SEAT_2,
    At,
    chosen_options,
    front,
    house,
    kinds,
    lines,
    refused,
    settled,
)


def facts_of(table: At) -> PaiGowFacts:
    assert table.engine.round is not None
    facts = table.engine.round.table.result.facts
    assert isinstance(facts, PaiGowFacts)
    return facts


# The round


def test_a_round_is_published_from_the_first_wager_to_the_last_hand() -> None:
    table = At()
    assert table.prompt == "Place your bets"
    table.bet(seat2=1000, seat5=2000)
    assert table.prompt == "7 cards to Pile 1, face down"
    assert cards_allowed(table.engine.expectation) == 7
    table.deliver({2: BEATS, 5: BEATEN, 7: PLAYER_DEALER})
    assert table.prompt == "Shake and open the cup (3 dice)"
    assert cards_allowed(table.engine.expectation) == 0
    events = table.feed(TO_SEAT_2)
    given = {event.to: event.pile for event in events if isinstance(event, ev.PileGiven)}
    assert (given["2"], given["5"], given["player_dealer"]) == (1, 4, 6)
    assert ev.ActionButton(2) in events
    assert table.prompt == "Seats 2, 5: set — two cards in front, or house way"
    events = table.feed(house(2), house(5))
    assert [event.owner for event in events if isinstance(event, ev.HandShown)] == ["player_dealer", "2", "5"]
    (first, *_) = [event for event in events if isinstance(event, ev.HandSet)]
    assert (first.owner, first.way, first.front) == ("player_dealer", "house", ("9h", "7s"))
    assert first.explained == "one pair: the two highest others in front, the pair behind"
    result = settled(events)
    assert result.outcome == {2: "win", 5: "lose"}
    assert table.engine.game.summary({"outcome": result.outcome}) == "Seat 2 wins, seat 5 loses"
    assert lines(result) == {(2, "pai_gow"): 1000, (5, "pai_gow"): -2000}
    assert result.bank_net == 1000


def test_seats_may_set_in_any_order() -> None:
    table = At()
    hands = {2: BEATS, 5: BEATEN, 7: PLAYER_DEALER}
    table.bet(seat2=1000, seat5=2000)
    table.deliver(hands)
    table.feed(TO_SEAT_2, house(5))
    assert table.prompt == "Seat 2: set — two cards in front, or house way"
    assert refused(table.feed(house(5))) == ["not_in_turn"]
    assert settled(table.feed(house(2))).bank_net == 1000


@pytest.mark.parametrize(
    ("dice", "first"), [((1, 1, 1), 2), ((1, 3, 4), 7), ((6, 6, 6), 3), ((6, 6, 3), 7), ((1, 2, 4), 6)]
)
def test_the_dice_count_the_player_dealer_as_one(dice: tuple[int, ...], first: int) -> None:
    table = At()
    table.bet(seat4=1000)
    table.deliver({})
    events = table.feed(DiceRolled(dice))
    assert next(event for event in events if isinstance(event, ev.PileGiven)).to == (
        "player_dealer" if first == 7 else "discards"
    )
    assert ev.ActionButton(4) in events
    assert facts_of(table).first_pile_to == first


def test_a_hand_deal_goes_back_and_forth_and_the_player_dealer_names_the_action_pile() -> None:
    table = At(deal_device="hand")
    table.bet(seat2=1000)
    asked = []
    for code in DECK[:49]:
        asked.append(table.prompt)
        table.feed(CardOut(code))
    assert asked[0] == "Card 1 to Pile 1, face down"
    assert [text.split(" to ")[1][:6] for text in asked[5:10]] == ["Pile 6", "Pile 7", "Pile 7", "Pile 6", "Pile 5"]
    assert table.prompt == "Left-over cards to the discards, face down"
    table.feed(*[CardOut(code) for code in DECK[49:]])
    assert table.prompt == "Seat 7: choose pile — the action pile, 1 to 7"
    assert refused(table.feed(Act(7, "choose_pile", pile=8), Act(2, "choose_pile", pile=3))) == [
        "no_such_pile",
        "not_in_turn",
    ]
    table.feed(Act(7, "choose_pile", pile=5))
    events = table.feed(TO_SEAT_2)
    given = [(event.pile, event.to) for event in events if isinstance(event, ev.PileGiven)]
    assert given[:6] == [
        (5, "2"),
        (6, "discards"),
        (7, "discards"),
        (1, "discards"),
        (2, "discards"),
        (3, "player_dealer"),
    ]


def test_the_shuffler_leaves_no_choice_of_the_pile() -> None:
    table = At()
    table.bet(seat2=1000)
    table.deliver({})
    assert refused(table.feed(Act(7, "choose_pile", pile=5))) == ["not_expected"]


# Wagers and refusals


def test_wagers_the_sheet_forbids_are_refused_with_its_codes() -> None:
    table = At(schedule=SCHEDULE)
    events = table.feed(
        WagerPlaced(2, "fortune", 500),
        WagerPlaced(2, "pai_gow", 1000),
        WagerPlaced("2.2", "pai_gow", 1000),
        WagerPlaced("2.2", "fortune", 500),
        WagerPlaced(2, "fortune", 50100),
        WagerPlaced(7, "pai_gow", 1000),
        WagerPlaced(2, "envy", 500),
    )
    assert refused(events) == [
        "needs_base_wager",
        "backline_base_only",
        "above_table_max",
        "no_such_seat",
        "no_such_wager",
    ]


def test_the_tables_own_limits_bound_the_base_wager_but_the_bonus_only_above() -> None:
    table = At(Setup(seats=(1, 2), player_dealer=7, min_wager=1000, max_wager=20000))
    events = table.feed(
        WagerPlaced(1, "pai_gow", 900),
        WagerPlaced(1, "pai_gow", 20100),
        WagerPlaced(1, "pai_gow", 1000),
        WagerPlaced(1, "fortune", 100),
        WagerPlaced(1, "fortune", 20100),
    )
    assert refused(events) == ["below_table_min", "above_table_max", "above_table_max"]


def test_limits_that_the_table_posts_itself_come_before_the_schedules() -> None:
    table = At(schedule=SCHEDULE, table_min=2000, table_max=10000)
    events = table.feed(
        WagerPlaced(1, "pai_gow", 1900),
        WagerPlaced(1, "pai_gow", 10100),
        WagerPlaced(1, "pai_gow", 10000),
        WagerPlaced(1, "fortune", 10100),
        WagerPlaced(1, "fortune", 100),
    )
    assert refused(events) == ["below_table_min", "above_table_max", "above_table_max"]


def test_a_bonus_whose_base_wager_was_taken_back_returns_before_the_hands_are_given_out() -> None:
    table = At()
    table.feed(WagerPlaced(2, "pai_gow", 1000), WagerPlaced(2, "fortune", 500), WagerPlaced(3, "pai_gow", 1000))
    table.feed(WagerPlaced(2, "pai_gow", 0), BetsClosed())
    events = table.deliver({3: BEATS, 7: PLAYER_DEALER})
    assert events[-1] == ev.WagerSet(2, "fortune", 0)
    result = settled(table.feed(TO_SEAT_2, house(3)))
    assert lines(result) == {(3, "pai_gow"): 1000}
    assert table.document["returned"] == {2: 500}


def test_without_a_base_wager_there_is_no_hand() -> None:
    table = At()
    table.feed(BetsClosed())
    assert kinds(table.deliver({7: PLAYER_DEALER}))[-1] == "round_voided"
    assert table.prompt == "Place your bets"


def test_a_foul_set_is_refused_without_naming_a_card_and_made_again() -> None:
    table = At()
    table.bet(seat2=1000)
    table.deliver({2: "Ac Ad Kh Ks 4c 3c 2s", 7: PLAYER_DEALER})
    table.feed(TO_SEAT_2)
    events = table.feed(front(2, "Ac", "Ad"), front(2, "Ac", "9c"), front(2, "Ac", "Ac"), front(2, "Ac"))
    assert refused(events) == ["foul_set", "not_your_card", "not_your_card", "wrong_count"]
    assert not any(f"{code!r}" in str(events) or f" {code}" in str(events) for code in DECK)
    assert table.prompt == "Seat 2: set — two cards in front, or house way"
    assert settled(table.feed(front(2, "Kh", "Ks"))).outcome == {2: "win"}


# Settlement


def test_pushes_and_copies() -> None:
    hands = {2: "Ah Qs Ks Kh 8c 5d 3h", 3: "As Qc Jd Jc 8h 5s 3s", 7: "Ad Qh Kd Kc 8d 5h 3d"}
    result = At().round(hands, house(2), house(3), seat2=1000, seat3=1000)
    assert result.outcome == {2: "lose", 3: "lose"}
    higher = {2: "Ah Kh Ks 9s 8c 5d 3h", 7: "Ad Qh Kd Kc 8d 5h 3d"}
    result = At().round(higher, front(2, "Ah", "9s"), seat2=1000)
    assert result.outcome == {2: "lose"}
    result = At().round({2: "Ah Jh Ks Kh 9c 5d 3h", 7: "Ad Th Kd Kc 9d 5h 3d"}, house(2), seat2=1000)
    assert result.outcome == {2: "push"}


def test_back_line_bettors_share_the_hand_and_are_settled_after_all_first_spots() -> None:
    table = At(Setup(seats=(1, 2, 3, 4, 5, 6), player_dealer=7, bank=(4500,)))
    table.feed(WagerPlaced("5.2", "pai_gow", 1000), WagerPlaced("2.2", "pai_gow", 2000))
    table.feed(WagerPlaced("2.3", "pai_gow", 1000), WagerPlaced(2, "pai_gow", 1000))
    table.feed(WagerPlaced(5, "pai_gow", 1000), BetsClosed())
    table.deliver({2: BEATS, 5: BEATEN, 7: PLAYER_DEALER})
    result = settled(table.feed(TO_SEAT_2, house(2), house(5)))
    assert [(line.place, line.net, line.uncovered) for line in result.lines] == [
        (2, 1000, 0),
        (5, -1000, 0),
        ("2.2", 2000, 0),
        ("5.2", -500, 500),
        ("2.3", 0, 1000),
    ]
    assert result.outcome == {2: "win", 5: "lose", "2.2": "win", "2.3": "win", "5.2": "lose"}


def test_a_seat_with_a_back_line_wager_alone_is_dealt_in() -> None:
    table = At()
    table.feed(WagerPlaced("3.2", "pai_gow", 1000), BetsClosed())
    table.deliver({3: BEATS, 7: PLAYER_DEALER})
    result = settled(table.feed(TO_SEAT_2, house(3)))
    assert lines(result) == {("3.2", "pai_gow"): 1000}


FOUR_NINES, FOUR_EIGHTS = "9c 9d 9h 9s Kc 3d 2c", "8c 8d 8h 8s Ac 5d 4h"
NOTHING, POOR = "Qc Jd 7h 6s 4c 3h 2d", "Kd Qh Jh Td 7c 6d 2h"


@pytest.mark.parametrize(("trigger", "envy"), [("any_player", 1000), ("fortune_bettor", 500)])
def test_envy_is_paid_for_every_other_players_hand_but_not_the_player_dealers(trigger: str, envy: int) -> None:
    table = At(envy_trigger=trigger)
    hands = {1: FOUR_NINES, 3: FOUR_EIGHTS, 5: NOTHING, 7: POOR}
    bets = {"seat1": 1000, "fortune1": 500, "seat3": 1000, "seat5": 1000, "fortune5": 500}
    result = table.round(hands, house(3), house(5), house(1), **bets)
    assert lines(result)[5, "envy"] == envy
    assert lines(result)[1, "envy"] == envy - 500
    table = At(envy_trigger=trigger)
    result = table.round({5: NOTHING, 7: FOUR_NINES}, house(5), seat5=1000, fortune5=500)
    assert lines(result)[5, "envy"] == 0


def test_a_bonus_below_five_dollars_brings_no_button() -> None:
    table = At()
    table.feed(WagerPlaced(1, "pai_gow", 1000), WagerPlaced(1, "fortune", 499))
    assert facts_of(table).envy_buttons == []
    table.feed(WagerPlaced(1, "fortune", 500))
    assert facts_of(table).envy_buttons == [1]


def test_the_pay_table_of_another_room_is_data() -> None:
    options = chosen_options()
    pays = replace(options.pays, fortune={"four_of_a_kind": "7:2"}, envy={"four_of_a_kind": 300}, base="6:5")
    table = At(options=replace(options, pays=pays))
    result = table.round({1: FOUR_NINES, 7: POOR}, house(1), seat1=1000, fortune1=500)
    assert lines(result) == {(1, "pai_gow"): 1200, (1, "fortune"): 1750, (1, "envy"): 0}


@pytest.mark.parametrize(
    ("pays", "problem"),
    [
        ({"fortune": {"royal_sampler": "7:2"}}, "pays.fortune.royal_sampler: seven of 53 cards make no such hand"),
        ({"envy": {"pair": 300}}, "pays.envy.pair: the Fortune table has no such row"),
        ({"base": "1"}, "pays.base"),
    ],
)
def test_a_pay_table_for_a_hand_that_cannot_be_is_refused(pays: dict[str, object], problem: str) -> None:
    ruleset = load(RULESET)
    data = replace(ruleset.data, pays={**ruleset.data.pays, **pays})
    with pytest.raises(RulesError, match=re.escape(problem)) as error:
        type(ruleset)(data, ruleset.game, ruleset.file, ruleset.digest).options()
    assert str(error.value).startswith("turlock/fortune-pai-gow-poker.toml: ")


# Fees


def test_fees_fall_due_when_the_piles_are_out_and_the_schedule_sets_the_limits() -> None:
    table = At(schedule=SCHEDULE)
    table.bet(seat2=10100, fortune2=500, seat5=10000)
    assert "fee_changed" not in kinds(table.deliver({2: BEATS, 5: BEATEN, 7: PLAYER_DEALER}))
    events = table.feed(TO_SEAT_2)
    assert [(fee.payer, fee.place, fee.cents) for fee in due(events)] == [
        ("player", 2, 200),
        ("player", 5, 100),
    ]
    settled(table.feed(house(2), house(5)))
    assert table.document["fees"] == {"player_dealer": 0, "players": {2: 200, 5: 100}, "boxes": {"collection": 300}}


def test_a_void_round_says_what_becomes_of_the_fee() -> None:
    table = At(schedule=SCHEDULE)
    table.bet(seat2=1000)
    (before,) = table.feed(FloorAct("void", "wrong deck"))
    assert isinstance(before, ev.RoundVoided)
    assert before.fees == "returned"
    table.bet(seat2=1000)
    table.deliver({})
    table.feed(TO_SEAT_2)
    (after,) = table.feed(FloorAct("void", "wrong deck"))
    assert isinstance(after, ev.RoundVoided)
    assert (after.returned, after.fees) == ({"2": 1000}, "floor_decides")


def test_an_amount_without_a_posted_fee_calls_the_floor() -> None:
    options = chosen_options(schedule=SCHEDULE)
    assert options.schedule is not None
    rows = tuple(replace(row, lowest=(row.lowest or 0) + 5000) for row in options.schedule.fee)
    table = At(options=replace(options, schedule=replace(options.schedule, fee=rows)))
    table.bet(seat2=1000)
    table.deliver({2: BEATS, 7: PLAYER_DEALER})
    assert kinds(table.feed(TO_SEAT_2))[-2:] == ["irregularity", "held"]
    assert "no fee is posted for 1000 cents" in table.prompt
    assert refused(table.feed(house(2))) == ["not_expected"]
    assert kinds(table.feed(FloorAct("resume", "the house waives it"))) == ["resumed"]
    assert settled(table.feed(house(2))).outcome == {2: "win"}
    table.bet(seat2=1000)
    table.deliver({2: BEATS, 7: PLAYER_DEALER})
    table.feed(TO_SEAT_2)
    assert kinds(table.feed(FloorAct("void", "wrong schedule"))) == ["round_voided"]


# Irregularities


@pytest.mark.parametrize("code", ["shuffler_jam", "wrong_count", "reader_offline", "card_exposed", "boxed_card"])
def test_what_the_sheet_does_not_rule_holds_the_table_and_the_floor_resumes(code: str) -> None:
    table = At()
    table.bet(seat2=1000)
    table.feed(*[CardOut(code) for code in BEATS.split()])
    assert kinds(table.feed(Happening(code))) == ["irregularity", "held"]
    assert cards_allowed(table.engine.expectation) == 0
    assert refused(table.feed(WagerPlaced(3, "pai_gow", 1000))) == ["bets_closed"]
    assert kinds(table.feed(FloorAct("resume", "cleared"))) == ["resumed"]
    assert table.prompt == "7 cards to Pile 2, face down"


def test_a_jam_in_mid_deal_voids_the_round_and_returns_the_wagers() -> None:
    table = At()
    table.bet(seat2=1000, fortune2=500, seat5=700)
    table.feed(*[CardOut(code) for code in DECK[:20]], Happening("shuffler_jam"))
    (voided,) = table.feed(FloorAct("void", "jam"))
    assert isinstance(voided, ev.RoundVoided)
    assert voided.returned == {"2": 1500, "5": 700}
    assert table.prompt == "Place your bets"


def test_a_pile_of_six_holds_the_table() -> None:
    table = At()
    table.bet(seat2=1000)
    events = table.feed(StackOut(tuple(DECK[:6])))
    assert isinstance(events[0], ev.Irregularity)
    assert events[0].code == "wrong_count"
    assert table.prompt.startswith("Held, call the floor")


def test_a_card_that_is_out_already_holds_the_table_without_being_named() -> None:
    table = At()
    table.bet(seat2=1000)
    table.feed(CardOut("9h"))
    events = table.feed(CardOut("9h"))
    assert kinds(events) == ["irregularity", "held"]
    assert "9h" not in str(events)


def test_a_card_after_the_piles_holds_the_table_even_while_players_set() -> None:
    table = At()
    table.bet(seat2=1000)
    table.deliver({2: BEATS, 7: PLAYER_DEALER})
    table.feed(TO_SEAT_2, CardOut("As"))
    assert table.prompt.startswith("Held")
    table.feed(FloorAct("resume", "back into the machine"))
    assert settled(table.feed(house(2))).outcome == {2: "win"}


# Cards that nobody read


def test_unread_piles_are_named_when_they_are_opened() -> None:
    table = At()
    table.bet(seat2=1000, seat3=1000, seat4=1000)
    table.deliver({}, unread=range(1, 8))
    table.feed(TO_SEAT_2)
    assert "face down, to be named when it is opened" in table.prompt
    assert refused(table.feed(front(2, "As"))) == ["wrong_count"]
    table.feed(house(2), front(3, "8d", "7d"), Act(4, "set"))
    assert table.prompt == "Player-dealer: key the 7 cards"
    table.feed(Revealed("player_dealer", tuple(PLAYER_DEALER.split())))
    table.feed(Revealed("2", tuple(BEATS.split())), Revealed("3", tuple(BEATEN.split())))
    table.feed(Revealed("4", ("As", "Ah", "Ks", "Kh", "8s", "5s", "4s")))
    assert table.prompt == "Seat 4: set — two of the open cards in front"
    assert refused(table.feed(front(4, "As", "Ah"), front(4, "As", "2c"))) == ["foul_set", "not_your_card"]
    result = settled(table.feed(front(4, "Ks", "Kh")))
    assert result.outcome == {2: "win", 3: "lose", 4: "win"}


def test_a_foul_setting_of_unread_cards_is_refused_when_it_is_opened() -> None:
    table = At()
    table.bet(seat2=1000, seat3=1000)
    aces_and_kings = "As Ah Ks Kh 8s 5s 4s"
    table.deliver({2: aces_and_kings, 3: BEATEN, 7: PLAYER_DEALER}, unread=(2, 3))
    table.feed(TO_SEAT_2, front(2, "As", "Ah"), front(3, "Td", "2c"))
    events = table.feed(Revealed("2", tuple(aces_and_kings.split())))
    assert refused(events) == ["foul_set"]
    assert table.prompt == "Seat 2: set — two of the open cards in front"
    table.feed(front(2, "Ks", "Kh"))
    assert refused(table.feed(Revealed("3", tuple(BEATEN.split())))) == ["not_your_card"]
    assert settled(table.feed(house(3))).outcome == {2: "win", 3: "lose"}


def test_a_revealed_card_that_is_out_already_is_refused() -> None:
    table = At()
    table.bet(seat2=1000)
    table.deliver({2: BEATS, 7: PLAYER_DEALER}, unread=(2,))
    table.feed(TO_SEAT_2, house(2))
    assert refused(table.feed(Revealed("2", ("Kc", *BEATS.split()[1:])))) == ["duplicate_card"]
    assert settled(table.feed(Revealed("2", tuple(BEATS.split())))).outcome == {2: "win"}


def test_where_the_house_way_is_silent_the_dealer_sets_and_only_legality_is_checked() -> None:
    options = chosen_options()
    assert options.house_way is not None
    rows = [row for row in options.house_way.rows if row.groups != ("2",)]
    silent = replace(next(row for row in options.house_way.rows if row.groups == ("2",)), of="3", joker=None)
    table = At(options=replace(options, house_way=HouseWayData((*rows, silent), options.house_way.two_pairs)))
    table.bet(seat2=1000)
    table.deliver({2: BEATS, 7: PLAYER_DEALER})
    table.feed(TO_SEAT_2, front(2, "Qd", "Jh"))
    assert table.prompt == "Seat 7: set — two of the open cards in front"
    assert refused(table.feed(house(7), front(7, "Kc", "Kd"))) == ["not_offered", "foul_set"]
    assert settled(table.feed(front(7, "9h", "7s"))).outcome == {2: "win"}


# The table


@pytest.mark.parametrize(
    "setup", [Setup(seats=(1, 2)), Setup(seats=(1, 2), player_dealer=8), Setup(seats=(8,), player_dealer=1)]
)
def test_without_a_player_dealer_among_the_seven_seats_nothing_can_be_bet(setup: Setup) -> None:
    table = At(setup)
    assert table.prompt == "Held, call the floor: set the player-dealer and the seats, 1 to 7"
    assert refused(table.feed(WagerPlaced(1, "pai_gow", 1000))) == ["bets_closed"]
    table.feed(TableSet(seats=(1, 2), player_dealer=7))
    assert table.prompt == "Place your bets"


def test_a_table_that_records_no_wagers_deals_to_every_seat() -> None:
    table = At(Setup(seats=(2, 5, 7), player_dealer=7, records_wagers=False))
    assert table.prompt == "7 cards to Pile 1, face down"
    table.deliver({2: BEATS, 5: "8c 8d 8h 8s As 5d 4h", 7: "Kd Kh 6h 7s 5c 4s 2h"})
    result = settled(table.feed(TO_SEAT_2, house(2), house(5)))
    assert (result.outcome, result.lines) == ({2: "win", 5: "win"}, ())
    more = table.document["more"]
    assert isinstance(more, dict)
    assert more["fortune_hand"] == {2: "none", 5: "four_of_a_kind"}
