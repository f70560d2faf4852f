"""Pai gow poker as the other rooms deal it: bets until the cup, foul hands, exposed cards, shared squares, the GO."""

from __future__ import annotations

import pytest

from controller.config import Config, RulesConfig
from controller.engine import events as ev
from controller.engine.expect.wants import WantCard, WantDice, WantWagers
from controller.engine.inputs import (
    Act,
    BetsClosed,
    CardOut,
    DiceRolled,
    FeesIn,
    FloorAct,
    Happening,
    Revealed,
    StackOut,
    WagerPlaced,
)
from controller.engine.round.felt import Setup
from controller.operator.offers.offers import offers
from controller.outputs.view import Roads, view
from controller.rules import RulesError, load
from tests.support.games.pai_gow_tables import (
    BEATEN,
    BEATS,
    DECK,
    PLAYER_DEALER,
    TO_SEAT_2,
    Room,
    front,
    house,
    kinds,
    lines,
    refused,
    settled,
)

BANKERS, CALGRAND = "bankers-pai-gow-poker", "calgrand-pai-gow-poker"
TURLOCK, VILLAGE = "turlock-pai-gow-poker", "village-pai-gow-poker"
ONE_ONE, WILD = "bankers-fortune-pai-gow-poker-1-1", "bankers-fortune-pai-gow-poker-joker-fully-wild"
PLAIN = (BANKERS, CALGRAND, VILLAGE)
BASE = {BANKERS: "base", CALGRAND: "main", VILLAGE: "main", TURLOCK: "pai_gow", ONE_ONE: "base", WILD: "base"}
HANDS = {2: BEATS, 5: BEATEN, 7: PLAYER_DEALER}
FOUL = "Ac Ad Kh Qs 8c 3s 2c"
"""Aces and no other pair: the aces in front are foul."""


def dealt(slug: str, hands: dict[int, str] | None = None, **chosen: object) -> Room:
    """Two seats with a bet, hands given out; the players are to set."""
    table = Room(slug, None, **chosen)
    table.wager({2: {BASE[slug]: 1000}, 5: {BASE[slug]: 500}})
    table.piles(hands or HANDS)
    table.choose()
    table.feed(TO_SEAT_2)
    return table


# Bets and the dice cup


@pytest.mark.parametrize("slug", [*PLAIN, WILD])
def test_bets_stand_open_beside_the_deal_until_the_cup_is_opened(slug: str) -> None:
    table = Room(slug)
    assert [type(want) for want in table.engine.expectation.wants] == [WantWagers], "no card before the first wager"
    table.wager({2: {BASE[slug]: 1000}}, close=False)
    assert [type(want) for want in table.engine.expectation.wants] == [WantWagers, WantCard]
    table.piles(HANDS)
    table.feed(WagerPlaced(5, BASE[slug], 500))
    table.choose()
    assert [type(want) for want in table.engine.expectation.wants] == [WantWagers, WantDice]
    table.feed(WagerPlaced(2, BASE[slug], 1500))
    events = table.feed(TO_SEAT_2)
    assert "bets_closed" in kinds(events)
    assert refused(table.feed(WagerPlaced(5, BASE[slug], 900))) == ["bets_closed"]
    assert table.engine.round is not None
    assert table.engine.round.table.book == {2: {BASE[slug]: 1500}, 5: {BASE[slug]: 500}}


def test_the_dealers_word_closes_the_betting_before_the_cup() -> None:
    table = Room(CALGRAND)
    table.wager({2: {"main": 1000}})
    assert refused(table.feed(WagerPlaced(5, "main", 500))) == ["bets_closed"]
    assert table.prompt == "Card 1 to Pile 1, face down"


def test_a_cup_that_is_reported_open_closes_the_betting_before_its_dice_are_read() -> None:
    table = Room(WILD)
    table.wager({2: {"base": 1000}}, close=False)
    table.piles(HANDS)
    table.choose()
    assert "bets_closed" in kinds(table.feed(Happening("dice_cup_opened")))
    assert refused(table.feed(WagerPlaced(5, "base", 500))) == ["bets_closed"]
    assert table.prompt == "Shake and open the cup (3 dice)"


def test_where_fees_are_taken_before_the_deal_bets_close_before_it() -> None:
    table = Room(BANKERS, schedule="ca-1/pai-gow-poker/1")
    events = table.wager({2: {"base": 1000}})
    assert kinds(events)[-3:] == ["bets_closed", "fee_changed", "fee_changed"]
    assert [type(want) for want in table.engine.expectation.wants] == [WantCard]


def test_dice_opened_before_the_fees_hold_the_table() -> None:
    setup = Setup(seats=(1, 2), player_dealer=7, bank=(1_000_000,), awaits_drop=True)
    table = Room(VILLAGE, setup, schedule="village/pai-gow-poker/1")
    table.wager({2: {"main": 1000}}, close=False)
    table.piles({2: BEATS, 7: PLAYER_DEALER})
    table.choose()
    assert table.prompt == "Place your bets", "the dealer closes the betting, then the fees, then the dice"
    table.feed(BetsClosed())
    assert table.prompt == "Drop $2.50 into the collection box and $0.50 into the jackpot box before the cup is opened"
    events = table.feed(TO_SEAT_2)
    assert [event.code for event in events if isinstance(event, ev.Irregularity)] == ["dice_before_fees"]
    assert table.prompt.startswith("Held, call the floor")
    table.feed(FloorAct("resume", "cup closed again"), FeesIn())
    assert table.prompt == "Shake and open the cup (3 dice)"


def test_wagers_that_all_went_back_make_no_hand() -> None:
    table = Room(BANKERS)
    table.wager({2: {"base": 1000}}, close=False)
    table.piles(HANDS)
    table.feed(WagerPlaced(2, "base", 0))
    table.choose()
    assert kinds(table.feed(TO_SEAT_2))[-1] == "round_voided"


# Setting


@pytest.mark.parametrize("slug", PLAIN)
def test_the_player_dealer_sees_his_cards_and_sets_last(slug: str) -> None:
    table = dealt(slug)
    events = table.feed(front(2, "Qd", "Jh"), front(5, "8d", "7d"))
    assert [event.owner for event in events if isinstance(event, ev.HandShown)] == ["player_dealer"]
    assert table.prompt == "Seat 7: set — two cards in front; that is the GO"
    result = settled(table.feed(front(7, "9h", "7s")))
    assert result.outcome == {2: "win", 5: "lose"}
    assert result.hands["2"][:2] == ["Qd", "Jh"], "the screens show the front first"


@pytest.mark.parametrize("slug", [BANKERS, ONE_ONE])
def test_a_hand_may_be_set_without_a_word_and_is_named_when_it_is_opened(slug: str) -> None:
    table = dealt(slug)
    table.feed(Act(2, "set"), Act(5, "set"), *([front(7, "9h", "7s")] if slug == BANKERS else []))
    assert table.prompt == "Seat 2: set — two of the open cards in front"
    table.feed(front(2, "Qd", "Jh"))
    assert settled(table.feed(front(5, "8d", "7d"))).outcome == {2: "win", 5: "lose"}


def test_the_screens_show_a_hand_as_it_was_set() -> None:
    table = dealt(BANKERS)
    table.feed(front(2, "Qd", "Jh"), front(5, "8d", "7d"), front(7, "9h", "7s"))
    settings = Config(site="test", table="t-1", rules=RulesConfig(ruleset=BANKERS))
    shown = {hand.owner: hand for hand in view(table.engine, settings, 0, Roads(), broker_online=True).hands}
    assert shown["2"].cards[: shown["2"].front] == ("Qd", "Jh")
    assert (shown["2"].verdict, shown["5"].verdict) == ("win", "lose")


@pytest.mark.parametrize("slug", [*PLAIN, ONE_ONE, WILD])
def test_a_foul_hand_stands_and_loses_as_far_as_it_is_covered(slug: str) -> None:
    table = dealt(
        slug,
        {2: FOUL, 5: BEATEN, 7: PLAYER_DEALER.replace("Kd", "Qd").replace("Kc", "Qc")} | {5: "Ts Th 8d 7d 6c 4h 2s"},
    )
    events = table.feed(front(2, "Ac", "Ad"), front(5, "8d", "7d"))
    events += table.feed(front(7, "9h", "7s")) if slug in PLAIN else []
    result = settled(events)
    assert lines(result)[2, BASE[slug]] == -1000
    document = table.document
    assert isinstance(more := document["more"], dict)
    assert more["foul_seats"] == [2]
    assert document["ruling"] == ([] if slug == CALGRAND else ["foul_set"])


def test_two_foul_hands_are_one_ruling_and_two_events() -> None:
    table = dealt(BANKERS, {2: FOUL, 5: "As Ah Kd Qd 8h 3d 2d", 7: "Jc Jd 9h 7s 5c 4d 2h"})
    events = table.feed(front(2, "Ac", "Ad"), front(5, "As", "Ah"), front(7, "9h", "7s"))
    assert [event.seat for event in events if isinstance(event, ev.Ruled)] == [2, 5]
    assert table.document["ruling"] == ["foul_set"]


def test_a_player_dealers_foul_set_is_corrected_in_every_room() -> None:
    for slug in PLAIN:
        table = dealt(slug)
        table.feed(front(2, "Qd", "Jh"), front(5, "8d", "7d"))
        events = table.feed(front(7, "Kc", "Kd"))
        # One room has a ruling for it (L429), the others only do not take it.
        ruled = [event.code for event in events if isinstance(event, ev.Ruled)]
        assert (refused(events), ruled) == (([], ["reset_house_way"]) if slug == VILLAGE else (["foul_set"], []))
        assert settled(table.feed(front(7, "9h", "7s"))).outcome == {2: "win", 5: "lose"}


def test_a_hand_to_be_set_again_may_be_set_beside_the_player_dealers() -> None:
    table = dealt(VILLAGE)
    table.feed(front(2, "Qd", "Jh"), front(5, "8d", "7d"))
    table.feed(Happening("logical_way_set_wrong", 5))
    assert refused(table.feed(front(5, "8d", "7d"))) == []
    assert settled(table.feed(front(7, "9h", "7s"))).outcome == {2: "win", 5: "lose"}


def test_the_largest_bet_of_a_position_sets_its_hand() -> None:
    table = Room(CALGRAND)
    table.wager({2: {"main": 1000}, "2.2": {"main": 1500}})
    table.piles(HANDS)
    table.choose()
    table.feed(TO_SEAT_2)
    assert table.prompt == "Seat 2: set — two cards in front, or house way; Seat 2, spot 2 decides"


def test_without_a_chart_the_dealer_names_what_he_sets_and_the_console_asks_for_it() -> None:
    table = dealt(CALGRAND)
    by_house = next(offer for offer in offers(table.engine, keys_cards=True) if offer.id == "2:set:house")
    assert [ask.field for ask in by_house.asks] == ["front"]
    assert refused(table.feed(house(2))) == ["no_house_way"]
    assert refused(table.feed(Act(2, "set", by="house", front=("Ac", "Ad")))) == ["foul_set"]
    assert not refused(table.feed(Act(2, "set", by="house", front=("Qd", "Jh"))))


def test_a_posted_chart_is_binding_for_who_asks_for_it() -> None:
    table = dealt(CALGRAND, house_way=load(ONE_ONE).data.sheet["house_way"])
    assert refused(table.feed(Act(2, "set", by="house", front=("Qd", "9s")))) == ["not_house_way"]
    table.feed(house(2), front(5, "8d", "7d"))
    events = table.feed(front(7, "9h", "7s"))
    shown = next(event for event in events if isinstance(event, ev.HandSet) and event.owner == "2")
    assert (shown.way, shown.explained) == ("house", "one pair: the two highest others in front, the pair behind")


@pytest.mark.parametrize("name", ["texas-holdem", "pai-gow-tiles-of-nobody"])
def test_a_house_way_of_a_game_that_prints_none_is_refused(name: str) -> None:
    with pytest.raises(RulesError, match="house_way"):
        load(BANKERS).options({"house_way": name})


def test_unread_hands_are_named_and_judged_when_they_are_opened() -> None:
    table = Room(VILLAGE)
    table.wager({2: {"main": 1000}, 5: {"main": 500}})
    table.piles({}, unread=range(1, 8))
    table.choose()
    table.feed(TO_SEAT_2, front(2, "Ac", "Ad"), Act(5, "set"))
    assert table.prompt == "Player-dealer: key the 7 cards"
    table.feed(Revealed("player_dealer", tuple(PLAYER_DEALER.split())), front(7, "9h", "7s"))
    table.feed(
        Revealed("2", tuple(FOUL.replace("2c", "2s").split())), Revealed("5", tuple(BEATEN.replace("2s", "2c").split()))
    )
    assert table.prompt == "Seat 5: set — two of the open cards in front"
    result = settled(table.feed(front(5, "8d", "7d")))
    assert result.outcome == {2: "lose", 5: "lose"}


# Piles


@pytest.mark.parametrize(
    ("slug", "second_row"), [(BANKERS, "Pile 7"), (CALGRAND, "Pile 1"), (VILLAGE, "Pile 1"), (ONE_ONE, "Pile 7")]
)
def test_the_second_row_goes_back_or_begins_at_the_left_again(slug: str, second_row: str) -> None:
    table = Room(slug)
    table.wager({2: {BASE[slug]: 1000}})
    table.piles({}, stop_at=7)
    assert table.prompt == f"Card 2 to {second_row}, face down"


@pytest.mark.parametrize(("jokers", "left"), [(0, 3), (1, 4), (2, 5)])
def test_what_is_left_over_is_counted(jokers: int, left: int) -> None:
    table = Room(CALGRAND, jokers=jokers)
    table.wager({2: {"main": 1000}})
    table.piles({}, stop_at=49)
    (want,) = table.engine.expectation.wants
    assert isinstance(want, WantCard)
    assert (want.to, want.count, table.prompt) == ("discards", left, "Left-over cards to the discards, face down")


def test_a_pile_too_short_from_the_machine_holds_the_table() -> None:
    table = Room(WILD)
    table.wager({2: {"base": 1000}})
    events = table.feed(StackOut(("9h", "9c", "2d")))
    assert [event.code for event in events if isinstance(event, ev.Irregularity)] == ["wrong_count"]


def test_the_banker_of_turlock_counts_as_seven_and_chooses_after_the_dice() -> None:
    table = Room(TURLOCK)
    table.wager({2: {"pai_gow": 1000}})
    table.piles({2: BEATS, 7: PLAYER_DEALER}, first=2, action=3)
    assert table.prompt == "Shake and open the cup (3 dice)"
    table.feed(DiceRolled((2, 3, 4)))
    assert table.prompt == "Seat 7: choose pile or no choice — the action pile, 1 to 7"
    events = table.choose(3)
    assert next(event for event in events if isinstance(event, ev.PileGiven)) == ev.PileGiven(3, "2")


def test_a_larger_table_counts_the_seven_active_positions() -> None:
    table = Room(WILD, Setup(seats=(1, 3, 4, 6, 8, 9), player_dealer=7, bank=(100_000,)))
    table.wager({8: {"base": 1000}})
    table.piles({}, first=2)
    table.choose()
    events = table.feed(DiceRolled((1, 1, 1)))
    assert ev.ActionButton(8) in events
    assert [event.to for event in events if isinstance(event, ev.PileGiven)][5:] == ["player_dealer", "8"]


# Exposed cards


def test_a_card_exposed_while_making_piles_is_replaced_by_the_first_left_over() -> None:
    table = Room(CALGRAND)
    table.wager({2: {"main": 1000}})
    table.feed(CardOut("Ts"), CardOut("6h"))
    events = table.feed(Happening("exposed_while_making_piles", card="6h"))
    assert ev.Ruled("replace_with_left_over") in events
    events = table.feed(*[CardOut(code) for code in DECK if code not in ("Ts", "6h")])
    aside = next(event for event in events if isinstance(event, ev.CardsTakenBack))
    assert (aside.owner, aside.to, aside.cards) == ("pile_2", "aside", ("6h",))
    assert table.engine.round is not None
    piles = [hand for owner, hand in table.engine.round.table.hands.items() if owner.startswith("pile_")]
    assert [len(hand) for hand in piles] == [7] * 7
    assert len(table.engine.round.table.hand("discards")) == 3


@pytest.mark.parametrize(
    ("slug", "code", "ruling"),
    [(CALGRAND, "exposed_while_making_piles", "scramble_shuffle_redeal"), (VILLAGE, "exposed_in_deal", "misdeal")],
)
def test_the_joker_face_up_voids_the_deal_and_returns_the_wagers(slug: str, code: str, ruling: str) -> None:
    table = Room(slug)
    table.wager({2: {"main": 1000}})
    table.feed(CardOut("Jo"))
    (events,) = [event for event in table.feed(Happening(code, card="Jo")) if isinstance(event, ev.RoundVoided)]
    assert (events.ruling, events.returned) == (ruling, {"2": 1000})


@pytest.mark.parametrize("slug", [BANKERS, TURLOCK, ONE_ONE, WILD])
def test_rooms_without_a_rule_for_exposed_cards_hold_the_table(slug: str) -> None:
    table = Room(slug)
    table.wager({2: {BASE[slug]: 1000}})
    table.feed(CardOut("9c"))
    events = table.feed(Happening("exposed_in_deal", card="9c"))
    assert kinds(events) == ["irregularity", "held"]
    table.feed(FloorAct("resume", "the house lets it lie"))
    assert table.prompt.endswith("face down")


def test_a_card_that_no_reader_saw_is_named_by_who_saw_it() -> None:
    table = Room(VILLAGE)
    table.wager({2: {"main": 1000}})
    table.feed(CardOut("9c"), CardOut(None))
    assert ev.Ruled("replace_after_deal") in table.feed(Happening("boxed_in_deal", card="5d"))
    assert refused(table.feed(CardOut("5d"))) == []
    assert table.prompt.startswith("Held"), "the five of diamonds is out already"


def test_the_dealer_is_asked_which_card_was_seen() -> None:
    table = Room(VILLAGE)
    table.wager({2: {"main": 1000}})
    table.feed(CardOut("9c"), Happening("exposed_in_deal"))
    assert table.prompt == "Exposed: key the card — the card that was seen"
    assert refused(table.feed(Revealed("exposed", ("nine",)))) == ["no_such_card"]
    assert ev.Ruled("replace_after_deal") in table.feed(Revealed("exposed", ("9c",)))
    assert table.prompt == "Card 1 to Pile 2, face down"
    table.feed(Happening("boxed_in_deal", card="9c"))
    assert table.prompt == "Card 1 to Pile 2, face down", "reported twice, it is still one card"
    table.feed(CardOut("4d"), Happening("boxed_in_deal"))
    (void,) = [e for e in table.feed(Revealed("exposed", ("4d",))) if isinstance(e, ev.RoundVoided)]
    assert void.ruling == "misdeal"


def test_two_cards_seen_at_california_grand_wait_for_the_floor() -> None:
    table = Room(CALGRAND)
    table.wager({2: {"main": 1000}})
    table.feed(CardOut("9c"), Happening("exposed_while_making_piles", card="9c"), CardOut("5d"))
    table.feed(Happening("exposed_while_making_piles"), Revealed("exposed", ("5d",)))
    assert table.prompt.startswith("Held, call the floor: two cards were exposed")
    (events,) = table.feed(FloorAct("void", "dealt again"))
    assert isinstance(events, ev.RoundVoided)


def test_an_exposed_card_that_is_none_is_refused_and_the_round_goes_on() -> None:
    table = Room(VILLAGE)
    table.wager({2: {"main": 1000}})
    (*_, refused) = table.feed(CardOut("9c"), Happening("exposed_in_deal", card="nine"))
    assert isinstance(refused, ev.Refused) and "nine" in refused.text
    assert ev.Ruled("replace_after_deal") in table.feed(Happening("exposed_in_deal", card="9c"))
    assert table.prompt == "Card 1 to Pile 2, face down"


def test_a_bet_on_a_hand_that_died_before_the_cup_was_opened_goes_back() -> None:
    table = Room(CALGRAND)
    table.wager({2: {"main": 1000}, 5: {"main": 500}}, close=False)
    table.piles(HANDS)
    table.choose()
    table.feed(Happening("exposed_while_distributing", seat=2, card="Qd"), WagerPlaced(2, "main", 700), TO_SEAT_2)
    result = settled(table.feed(front(5, "8d", "7d"), front(7, "9h", "7s")))
    assert (lines(result), result.returned) == ({(5, "main"): -500}, {2: 1700})


def test_a_dead_hand_goes_back_and_the_round_goes_on() -> None:
    table = dealt(CALGRAND)
    events = table.feed(Happening("exposed_while_distributing", seat=2, card="Qd"))
    assert ev.Ruled("hand_dead_bets_returned", 2) in events
    assert table.prompt.startswith("Seat 5: set")
    result = settled(table.feed(front(5, "8d", "7d"), front(7, "9h", "7s")))
    assert result.outcome == {5: "lose", 2: "dead"}
    assert (lines(result), result.returned) == ({(5, "main"): -500}, {2: 1000})


def test_where_the_last_hand_is_dead_nobody_need_set() -> None:
    table = Room(CALGRAND)
    table.wager({2: {"main": 1000}})
    table.piles(HANDS)
    table.choose()
    table.feed(TO_SEAT_2)
    result = settled(table.feed(Happening("exposed_while_distributing", seat=2, card="Qd")))
    assert result.outcome == {2: "dead"}


def test_a_hand_that_was_discussed_is_set_again_by_the_dealer() -> None:
    table = dealt(VILLAGE)
    table.feed(front(2, "Qd", "9s"), Happening("hands_discussed", seat=2))
    assert "Seat 2: set — the dealer sets this hand: name the two cards in front" in table.prompt
    table.feed(Act(2, "set", by="house", front=("Qd", "Jh")), front(5, "8d", "7d"))
    assert settled(table.feed(front(7, "9h", "7s"))).hands["2"][:2] == ["Qd", "Jh"]


def test_a_happening_without_the_seat_it_needs_holds_the_table() -> None:
    table = dealt(VILLAGE)
    assert kinds(table.feed(Happening("cards_switched"))) == ["irregularity", "held"]
    assert "say which player's seat it was" in table.prompt


def test_identical_cards_are_a_misdeal_once_the_floor_says_so() -> None:
    table = Room(VILLAGE)
    table.wager({2: {"main": 1000}})
    table.feed(CardOut("9c"), CardOut("9c"))
    assert table.prompt.startswith("Held")
    (events,) = [event for event in table.feed(Happening("identical_cards")) if isinstance(event, ev.RoundVoided)]
    assert (events.ruling, events.returned) == ("misdeal", {"2": 1000})


# Money


def test_dai_su_takes_half_of_its_spots_result_and_no_more_than_itself() -> None:
    for stake, came in ((4000, 500), (300, 300)):
        table = Room(BANKERS, Setup(seats=(2,), player_dealer=7, bank=(50_000,)))
        table.wager({2: {"base": 1000}, 7: {"dai_su_1": stake}})
        table.piles({2: BEATEN, 7: PLAYER_DEALER})
        table.choose()
        table.feed(TO_SEAT_2, front(2, "8d", "7d"))
        result = settled(table.feed(front(7, "9h", "7s")))
        assert lines(result) == {(2, "base"): -1000, (7, "dai_su_1"): came}
        assert result.bank_net == 1000 - came


def test_wagers_of_the_wrong_seat_are_refused() -> None:
    table = Room(BANKERS)
    events = table.feed(
        WagerPlaced(7, "base", 1000), WagerPlaced(2, "dai_su_1", 1000), WagerPlaced("7.2", "dai_su_1", 1000)
    )
    assert refused(events) == ["no_such_seat", "not_offered", "no_such_spot"]


def test_a_proposition_returns_where_another_player_has_no_action() -> None:
    table = Room(BANKERS, Setup(seats=(2, 5), player_dealer=7, bank=(50_000,)))
    table.wager({2: {"base": 1000, "proposition": 700}})
    table.piles({})
    assert ev.WagerSet(2, "proposition", 0) in table.choose()
    assert table.engine.round is not None
    assert table.engine.round.table.result.returned == {2: 700}


def test_no_fortune_bet_before_the_house_has_set_the_lost_envy() -> None:
    events = Room(WILD).feed(WagerPlaced(2, "base", 1000), WagerPlaced(2, "fortune", 500))
    assert refused(events) == ["envy_not_configured"]
    events = Room(WILD, envy_five_of_a_kind=2500).feed(WagerPlaced(2, "base", 1000), WagerPlaced(2, "fortune", 500))
    assert refused(events) == []


def test_a_joker_that_a_room_does_not_know_is_refused_with_those_it_knows() -> None:
    with pytest.raises(RulesError, match="joker: 'fully_wild' is none of none, semi, wild"):
        load(BANKERS).options({"joker": "fully_wild"})
