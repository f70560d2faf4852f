"""Packs: nothing is dealt that was not shuffled and counted; what went in and out; doubts with their evidence."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from controller.engine import events as ev
from controller.engine.cards.card import codes, standard_deck
from controller.engine.expect.expectation import cards_allowed
from controller.engine.inputs import (
    Amended,
    BetsClosed,
    CardOut,
    Change,
    DeviceSeen,
    FloorAct,
    Happening,
    Input,
    PackReported,
    Revealed,
    ShoeStarted,
    StackOut,
    WagerPlaced,
)
from controller.engine.round.felt import Setup
from controller.engine.shoe.packs import Account
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.rules import load
from tests.support.games.baccarat_tables import PANDA, VILLAGE_EZ, At, kinds, only

BY_MACHINE = PackReported("red", 416, "shuffler")
NATURAL = ("9h", "2d", "Kc", "6s")


def controlled(*, shoe: bool = False) -> At:
    return At(PANDA, shoe=shoe, records_wagers=False, shuffle_control=True)


# The gate


def test_no_card_leaves_a_shoe_whose_pack_nobody_declared() -> None:
    table = controlled()
    table.feed(ShoeStarted(8, 416), by="device:shoe")
    assert table.prompt == "Shuffle and count the pack of 416 cards, then declare it"
    assert cards_allowed(table.engine.expectation) == 0
    assert only(table.cards("9h"), ev.Irregularity).code == "card_not_expected"
    assert kinds(table.feed(PackReported(cards=416), by="dealer")) == ["pack_ready", "pack_in_play"]
    assert table.prompt == "Card 1 to Player"


def test_a_pack_from_the_machine_goes_into_the_next_shoe() -> None:
    table = controlled()
    ready = only(table.feed(BY_MACHINE, by="device:shuffler"), ev.PackReady)
    assert (ready.device, ready.back, ready.cards) == ("shuffler", "red", 416)
    assert table.prompt == "Shuffle and load a new shoe"
    assert kinds(table.feed(ShoeStarted(8))) == ["shoe_started", "pack_in_play"]
    assert table.prompt == "Card 1 to Player"


def test_a_pack_serves_one_shoe() -> None:
    table = controlled()
    table.feed(BY_MACHINE, ShoeStarted(8), ShoeStarted(8))
    assert table.prompt.startswith("Shuffle and count the pack")


@pytest.mark.parametrize(
    "unfit", [PackReported("red", 416, "shuffler", "sorted, not shuffled"), PackReported("red", 415, "shuffler")]
)
@pytest.mark.clause("MD-36.05.03.27")
def test_a_pack_that_is_sorted_or_short_is_not_dealt_and_raises_an_alarm(unfit: PackReported) -> None:
    table = controlled()
    events = table.feed(unfit, by="device:shuffler")
    assert kinds(events) == ["pack_unfit", "alarm_raised"]
    table.feed(ShoeStarted(8))
    assert table.prompt.startswith("Shuffle and count the pack")
    assert kinds(table.feed(BY_MACHINE, by="device:shuffler")) == ["pack_ready", "alarm_cleared", "pack_in_play"]


def test_a_machine_that_is_opened_over_its_pack_has_none_ready() -> None:
    table = controlled()
    table.feed(BY_MACHINE, by="device:shuffler")
    events = table.feed(DeviceSeen("shuffler", "door_open", {"kind": "shuffler"}))
    assert only(events, ev.PackUnfit).text == "shuffler is door open over a pack that was ready"
    table.feed(ShoeStarted(8))
    assert table.prompt.startswith("Shuffle and count the pack")


def test_without_shuffle_control_nobody_has_to_declare_anything() -> None:
    table = At(PANDA, records_wagers=False)
    assert table.prompt == "Card 1 to Player"


def one_deck_a_round() -> TableEngine[Any]:
    ruleset = load("bankers-ultimate-texas-holdem")
    setup = Setup(seats=(1, 2), player_dealer=7, shuffle_control=True)
    return TableEngine(ruleset.game, ruleset.options(), TableState(setup), ruleset.slug)


def test_a_game_with_one_deck_a_round_wants_each_one_shuffled() -> None:
    engine = one_deck_a_round()

    def feed(*bodies: object) -> list[ev.Event]:
        return [event for body in bodies for event in engine.apply(Input(0, "test", body))]  # type: ignore[arg-type]

    assert only(feed(BetsClosed()), ev.Refused).why == "not_expected"
    assert kinds(feed(PackReported("blue", 52, "shuffler"))) == ["pack_ready"]
    began = feed(WagerPlaced(1, "ante", 1000))
    assert kinds(began)[:2] == ["round_started", "pack_in_play"]
    feed(PackReported("red", 52, "shuffler"))  # the other deck, while this one is dealt
    feed(WagerPlaced(1, "blind", 1000), BetsClosed(), StackOut((None, None)))
    ended = only(feed(FloorAct("void", "jam")), ev.PackEnded)
    assert (ended.back, ended.cards, ended.out) == ("blue", 52, 2)
    assert kinds(feed(WagerPlaced(1, "ante", 1000)))[:2] == ["round_started", "pack_in_play"]


# The ledger


def test_the_ledger_adds_up_what_went_in_and_came_out_by_the_colour_of_the_backs() -> None:
    table = controlled()
    table.feed(BY_MACHINE, ShoeStarted(8))
    table.cards(*NATURAL)
    table.cards("9d", "2h", "Kd", None)
    table.feed(Revealed("banker", ("6h",)))
    table.feed(PackReported("blue", 416, "shuffler"))
    assert only(table.feed(ShoeStarted(8)), ev.PackEnded) == ev.PackEnded(1, "red", 416, 8)
    table.cards(*NATURAL)
    table.feed(BY_MACHINE, ShoeStarted(8), BY_MACHINE, ShoeStarted(8))
    assert table.engine.state.ledger == {"red": Account(2, 832, 8), "blue": Account(1, 416, 4)}


def test_every_card_that_left_is_counted_strays_of_a_void_round_too() -> None:
    table = At(PANDA)
    table.cards("9h")
    table.feed(FloorAct("void", "pulled before the bets were closed"))
    shoe = table.engine.state.shoe
    assert shoe is not None
    assert (shoe.drawn, shoe.out) == (1, {"9h": 1})


# Composition


def aces_out(table: At, count: int) -> None:
    """Each ace of hearts leaves the shoe as the player's first card of a hand."""
    for _ in range(count):
        table.cards("Ah", "9d", "8c", "Kd")


def test_a_ninth_ace_of_hearts_is_an_alarm_with_every_place_it_was_seen() -> None:
    table = At(PANDA, {"decks": 8}, records_wagers=False)
    deal = [("Ah", suit) for suit in "cdhs" * 2]
    for _, suit in deal:
        table.cards("Ah", f"9{suit}", f"8{suit}", f"K{suit}")
    assert only(table.cards("Ah"), ev.Irregularity).code == "duplicate_card"
    table.feed(FloorAct("use_next", "the floor lets it be played"))
    alarm = only(table.cards("7c", "8c", "Kc"), ev.AlarmRaised)
    assert alarm.alarm == "shoe:composition"
    assert alarm.facts["card"] == "Ah"
    assert (alarm.facts["out"], alarm.facts["decks_hold"]) == (9, 8)
    assert alarm.facts["where"] == [f"round {n}, card 1" for n in range(1, 10)]
    assert kinds(table.feed(ShoeStarted(8)))[-1] == "alarm_cleared"


def test_a_card_too_many_that_nobody_saw_is_not_named() -> None:
    table = At(PANDA, {"decks": 3}, records_wagers=False)
    aces_out(table, 3)
    table.cards("Ah")
    events = table.feed(FloorAct("void", "a fourth ace of hearts in three decks"))
    alarm = only(events, ev.AlarmRaised)
    assert alarm.alarm == "shoe:composition"
    assert "not shown in round 4" in alarm.text
    assert "Ah" not in ev.encode_event(alarm).decode()


def test_a_correction_takes_back_the_alarm_that_a_misreading_raised() -> None:
    table = At(PANDA, {"decks": 3}, records_wagers=False)
    aces_out(table, 3)
    table.cards("Ah")
    table.feed(FloorAct("use_next"))
    assert "alarm_raised" in kinds(table.cards("9c", "8d", "Ks"))
    events = table.feed(
        Amended(4, (Change(0, {"kind": "card_out", "card": "As"}), Change(1, None)), "an ace of spades")
    )
    assert kinds(events) == ["corrected", "alarm_cleared"]
    assert table.engine.state.alarms == {}


# What the shuffler reported


def test_a_shoe_that_took_fewer_cards_than_were_counted_is_an_alarm() -> None:
    table = controlled()
    table.feed(BY_MACHINE)
    alarm = only(table.feed(ShoeStarted(8, 410), by="device:shoe"), ev.AlarmRaised)
    assert alarm.alarm == "shoe:card_count"
    assert alarm.facts == {"pack": 416, "shoe": 410}


def test_a_shoe_that_is_empty_too_soon_contradicts_the_shuffler() -> None:
    table = controlled()
    table.feed(BY_MACHINE, ShoeStarted(8))
    table.cards(*NATURAL)
    events = table.feed(Happening("shoe_empty"))
    assert kinds(events) == ["cut_card", "alarm_raised", "shoe_ended"]
    assert only(events, ev.AlarmRaised).text == "the shoe is empty after 4 cards; 416 were shuffled and counted"
    assert table.prompt == "Shuffle and load a new shoe"


def test_a_shoe_that_gives_more_cards_than_were_counted_contradicts_the_shuffler() -> None:
    table = At(PANDA, {"decks": 3}, shoe=False, records_wagers=False, shuffle_control=True)
    table.feed(PackReported("red", 156, "shuffler"), ShoeStarted(3))
    events: list[ev.Event] = []
    for _ in range(40):
        events += table.cards(None, None, None, None)
        events += table.feed(FloorAct("void", "the reader is blind"))
    alarm = only(events, ev.AlarmRaised)
    assert alarm.alarm == "shoe:card_count"


def test_a_shoe_that_runs_empty_in_mid_hand_is_over_after_it() -> None:
    table = At(PANDA, records_wagers=False)
    table.cards("9h", "2d")
    assert kinds(table.feed(Happening("shoe_empty"))) == ["irregularity", "held"]
    events = table.feed(FloorAct("void", "no cards left"))
    assert kinds(events) == ["round_voided", "shoe_ended"]
    assert table.prompt == "Shuffle and load a new shoe"


# Unshuffled


def unshuffled_evening(slug: str) -> tuple[At, list[ev.Event]]:
    table = At(slug, records_wagers=False)
    events: list[ev.Event] = []
    for card in codes(standard_deck()) * 8:
        events += table.cards(card)
        if any(isinstance(event, ev.AlarmRaised) for event in events):
            break
    return table, events


@pytest.mark.parametrize("slug", [PANDA, VILLAGE_EZ])
def test_a_pack_that_was_never_shuffled_is_an_alarm_after_some_hands(slug: str) -> None:
    table, events = unshuffled_evening(slug)
    alarm = only(events, ev.AlarmRaised)
    assert alarm.alarm == "shoe:unshuffled"
    assert alarm.facts["suspicion"] == "new_deck_order"
    assert "a shuffled shoe looks so once in 1,000,000" in alarm.text
    assert table.engine.state.rounds <= 6
    assert alarm.facts["rounds"] == [1, table.engine.state.rounds]


def test_the_watch_survives_a_power_cut_in_the_snapshot() -> None:
    table, _ = unshuffled_evening(PANDA)
    state = table.engine.state
    again = msgspec.json.decode(msgspec.json.encode(state), type=TableState)
    assert again == state


def test_cards_that_were_burned_face_down_are_not_watched() -> None:
    table = At(PANDA, {"burn": "first_card_value"})
    table.cards("Kh", *codes(standard_deck())[:10])
    table.feed(BetsClosed())
    table.cards("9h", "2d", "Kc", "6s")
    shoe = table.engine.state.shoe
    assert shoe is not None
    assert shoe.watch.seen.count(".") == 10
    assert shoe.drawn == 15


def test_the_same_shoe_dealt_again_is_an_alarm() -> None:
    rng = random.Random(4)
    pack = codes(standard_deck()) * 8
    rng.shuffle(pack)
    table = At(PANDA, records_wagers=False)

    def deal_shoe() -> list[ev.Event]:
        return [event for card in pack[:400] for event in table.engine.apply(Input(0, "shoe", CardOut(card)))]

    assert "alarm_raised" not in kinds(deal_shoe())
    if table.engine.is_dealing:
        table.feed(FloorAct("void", "end of the shoe"))
    table.feed(ShoeStarted(8))
    assert only(deal_shoe(), ev.AlarmRaised).facts["suspicion"] == "repeats_earlier_shoe"
