"""EZ Baccarat Panda 8: the drawing rules over every shoe, and the table's behaviour round by round."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from controller.engine import events as ev
from controller.engine.expect.expectation import cards_allowed
from controller.engine.inputs import (
    Amended,
    BankPosted,
    BetsClosed,
    BoardSeen,
    CardOut,
    Change,
    CutCardOut,
    DeviceSeen,
    FloorAct,
    Happening,
    Input,
    Revealed,
    SensorSeen,
    ShoeStarted,
    WagerPlaced,
)
from controller.games.baccarat.ez_script import is_dragon_7, is_panda_8
from controller.games.baccarat.third_card import banker_draws, is_natural, player_draws, winner
from tests.support.games.baccarat_tables import At as BaccaratTable
from tests.support.games.baccarat_tables import kinds

RULESET = "bankers-ez-baccarat-panda-8"


def every_outcome(decks: int) -> dict[str, int]:
    """Ordered six-card outcomes of a full shoe, by the points of the cards with their multiplicities."""
    counts = [16 * decks, *[4 * decks] * 9]
    size = 52 * decks
    found = dict.fromkeys(("player", "banker", "tie", "dragon_7", "panda_8"), 0)

    def tally(player: int, banker: int, cards: tuple[int, int], ways: int) -> None:
        found[winner(player, banker)] += ways
        found["dragon_7"] += ways * is_dragon_7(player, banker, cards[1])
        found["panda_8"] += ways * is_panda_8(player, banker, cards[0])

    def third_cards(left: list[int]) -> Iterator[tuple[int, int]]:
        yield from ((value, count) for value, count in enumerate(left) if count)

    left = counts[:]
    for p1 in range(10):
        w1 = left[p1]
        left[p1] -= 1
        for b1 in range(10):
            w2 = w1 * left[b1]
            left[b1] -= 1
            for p2 in range(10):
                w3 = w2 * left[p2]
                left[p2] -= 1
                for b2 in range(10):
                    w4 = w3 * left[b2]
                    left[b2] -= 1
                    player, banker = (p1 + p2) % 10, (b1 + b2) % 10
                    last_two = (size - 4) * (size - 5)
                    if is_natural(player, banker):
                        tally(player, banker, (2, 2), w4 * last_two)
                    elif not player_draws(player):
                        if banker_draws(banker, None):
                            for value, count in third_cards(left):
                                tally(player, (banker + value) % 10, (2, 3), w4 * count * (size - 5))
                        else:
                            tally(player, banker, (2, 2), w4 * last_two)
                    else:
                        for third, count in third_cards(left):
                            drawn = (player + third) % 10
                            if banker_draws(banker, third):
                                for value in range(10):
                                    more = left[value] - (value == third)
                                    tally(drawn, (banker + value) % 10, (3, 3), w4 * count * more)
                            else:
                                tally(drawn, banker, (3, 2), w4 * count * (size - 5))
                    left[b2] += 1
                left[p2] += 1
            left[b1] += 1
        left[p1] += 1
    return found


def test_all_ordered_eight_deck_outcomes_are_counted_exactly() -> None:
    found = every_outcome(8)
    assert found == {
        "banker": 2_292_252_566_437_888,
        "player": 2_230_518_282_592_256,
        "tie": 475_627_426_473_216,
        "dragon_7": 112_633_011_329_024,
        "panda_8": 172_660_763_262_976,
    }
    assert found["banker"] + found["player"] + found["tie"] == 4_998_398_275_503_360


class At(BaccaratTable):
    """A table of EZ Baccarat with posted limits and a shoe of eight decks."""

    def __init__(self, records_wagers: bool = True, bank: tuple[int, ...] | None = None) -> None:
        super().__init__(RULESET, shoe=False, bank=bank, records_wagers=records_wagers, min_wager=500, max_wager=50_000)
        self.feed(ShoeStarted(8))


def settled(events: list[ev.Event]) -> ev.RoundSettled:
    found = [event for event in events if isinstance(event, ev.RoundSettled)]
    assert len(found) == 1
    return found[0]


def test_a_table_without_wager_input_plays_from_cards_alone() -> None:
    table = At(records_wagers=False)
    assert table.prompt == "Card 1 to Player"
    result = settled(table.cards("9h", "Kd", "Tc", "7s"))
    assert (result.outcome, result.totals) == ("player", {"player": [9], "banker": [7]})
    assert table.prompt == "Card 1 to Player"


def test_the_shoe_is_locked_while_bets_are_open_and_unlocked_card_by_card() -> None:
    table = At()
    assert cards_allowed(table.engine.expectation) == 0
    table.feed(BetsClosed())
    allowed = []
    for code in ("2h", "Kd", "Kc", "3c", "8s"):
        allowed.append(cards_allowed(table.engine.expectation))
        table.cards(code)
    assert allowed == [1] * 5
    assert cards_allowed(table.engine.expectation) == 0


def test_wagers_below_the_minimum_and_above_the_maximum_are_refused_with_the_bound() -> None:
    table = At()
    low, high = table.feed(WagerPlaced(1, "tie", 400), WagerPlaced(1, "tie", 50100))
    assert isinstance(low, ev.Refused)
    assert isinstance(high, ev.Refused)
    assert (low.why, low.bounds) == ("below_table_min", {"min_cents": 500})
    assert (high.why, high.bounds) == ("above_table_max", {"max_cents": 50000})


def test_a_refused_wager_does_not_begin_a_round() -> None:
    table = At()
    assert kinds(table.feed(WagerPlaced(9, "tie", 1000))) == ["refused"]
    assert table.engine.round_number == 0
    assert kinds(table.feed(WagerPlaced(1, "tie", 1000))) == ["round_started", "wager_placed"]
    assert table.engine.round_number == 1


def test_a_wager_taken_back_is_not_settled() -> None:
    table = At(bank=(100000,))
    table.feed(WagerPlaced(1, "tie", 1000), WagerPlaced(1, "tie", 0), WagerPlaced(2, "player_line", 1000), BetsClosed())
    result = settled(table.cards("9h", "Kd", "Tc", "7s"))
    assert [(line.place, line.wager, line.net) for line in result.lines] == [(2, "player_line", 1000)]


def test_the_player_dealers_money_is_posted_before_the_deal() -> None:
    table = At()
    table.feed(BankPosted((1500,)), WagerPlaced(1, "banker_line", 1000), WagerPlaced(2, "banker_line", 1000))
    table.feed(BetsClosed())
    result = settled(table.cards("2h", "Kd", "Kc", "3c", "8s"))
    assert [(line.place, line.net, line.uncovered) for line in result.lines] == [(1, 1000, 0), (2, 500, 500)]
    assert result.bank_net == -1500


def test_a_card_too_many_holds_the_table_and_the_floor_may_play_it_next() -> None:
    table = At()
    table.feed(WagerPlaced(1, "player_line", 1000))
    assert kinds(table.cards("9h")) == ["irregularity", "held"]
    assert table.prompt.startswith("Held, call the floor")
    assert kinds(table.feed(WagerPlaced(2, "tie", 1000))) == ["refused"]
    table.feed(FloorAct("use_next", "dealt before the bets were closed"), BetsClosed())
    result = settled(table.cards("Kd", "Tc", "7s"))
    assert result.hands["player"] == ["9h", "Tc"]


def test_a_stray_card_may_be_set_aside() -> None:
    table = At()
    table.cards("9h")
    table.feed(FloorAct("resume", "burned"), BetsClosed())
    assert settled(table.cards("2h", "Kd", "Kc", "3c", "8s")).hands["player"] == ["2h", "Kc", "8s"]


def test_a_void_returns_every_wager() -> None:
    table = At()
    table.feed(
        WagerPlaced(1, "player_line", 1000), WagerPlaced(1, "tie", 500), WagerPlaced(3, "tie", 700), BetsClosed()
    )
    table.cards("9h", "Kd")
    (voided,) = table.feed(FloorAct("void", "card exposed"))
    assert isinstance(voided, ev.RoundVoided)
    assert voided.returned == {"1": 1500, "3": 700}
    assert table.prompt == "Place your bets"


def test_an_overdraw_from_a_locked_shoe_holds_even_when_a_card_was_expected() -> None:
    table = At(records_wagers=False)
    events = table.feed(CardOut("9h", locked=True))
    assert kinds(events) == ["round_started", "irregularity", "held"]


def test_an_unread_card_waits_until_a_person_keys_it() -> None:
    table = At(records_wagers=False)
    table.cards("9h")
    assert kinds(table.cards(None)) == ["card_dealt", "irregularity"]
    assert table.prompt == "Banker: key the card"
    assert cards_allowed(table.engine.expectation) == 0
    refused, named = table.feed(Revealed("banker", ("Zz",)), Revealed("banker", ("Kd",)))
    assert isinstance(refused, ev.Refused)
    assert named == ev.CardNamed("banker", 1, "Kd")  # type: ignore[arg-type]
    assert settled(table.cards("Tc", "7s")).outcome == "player"


def test_a_ninth_ace_of_hearts_in_eight_decks_holds_the_table() -> None:
    table = At(records_wagers=False)
    for _ in range(2):
        table.cards("Ah", "Ah", "Ah", "Ah", "Ah", "Ah")
    assert table.prompt.startswith("Held")
    assert "every copy is out already" in table.prompt


def test_a_foreign_card_holds_the_table() -> None:
    table = At(records_wagers=False)
    assert kinds(table.cards("Jo")) == ["round_started", "irregularity", "held"]


def test_an_event_nobody_has_a_ruling_for_holds_the_table() -> None:
    table = At(records_wagers=False)
    table.cards("9h")
    assert kinds(table.feed(Happening("card_exposed"))) == ["irregularity", "held"]
    assert kinds(table.feed(FloorAct("resume"))) == ["resumed"]
    assert table.prompt == "Card 1 to Banker"


def test_the_cut_card_ends_the_shoe_after_the_hand() -> None:
    table = At(records_wagers=False)
    table.cards("9h")
    assert kinds(table.feed(CutCardOut())) == ["cut_card"]
    events = table.cards("Kd", "Tc", "7s")
    assert kinds(events)[-2:] == ["round_settled", "shoe_ended"]
    assert table.prompt == "Shuffle and load a new shoe"
    assert kinds(table.cards("2h")) == ["irregularity"]
    assert kinds(table.feed(WagerPlaced(1, "tie", 1000))) == ["refused"]
    table.feed(ShoeStarted(8))
    state = table.engine.state
    assert state.previous_shoe is not None
    assert len(state.previous_shoe.history) == 1
    assert state.shoe is not None
    assert state.shoe.history == ()


def test_a_misread_card_is_corrected_by_replay_of_the_settled_round() -> None:
    table = At(bank=(100000,))
    table.feed(WagerPlaced(1, "player_line", 1000), BetsClosed())
    table.cards("9h", "Kd", "Tc", "7s")
    amend = Amended(1, (Change(5, {"kind": "card_out", "card": "9s"}),), "the banker's second card was a nine")
    changes = table.engine.preview(amend)
    assert isinstance(changes, dict)
    assert changes["outcome"] == ["player", "tie"]
    (corrected,) = table.feed(amend, by="floor:ann")
    assert isinstance(corrected, ev.Corrected)
    assert (corrected.by, corrected.changes["bank_net"]) == ("floor:ann", [-1000, 0])
    shoe = table.engine.state.shoe
    assert shoe is not None
    assert [entry.outcome for entry in shoe.history] == ["tie"]


def test_a_correction_may_open_a_settled_round_again() -> None:
    table = At(records_wagers=False)
    table.cards("9h", "Kd", "Tc", "7s")
    table.feed(Amended(1, (Change(0, {"kind": "card_out", "card": "2h"}),), "misread"))
    assert table.prompt == "Player draws"


def test_an_amendment_that_ends_the_round_sooner_says_which_input_is_one_too_many() -> None:
    table = At(records_wagers=False)
    table.cards("2h", "Kd", "Tc", "5s", "4c", "9d")
    natural = Change(0, {"kind": "card_out", "card": "9h"})
    (refused,) = table.feed(Amended(1, (natural,), "misread"))
    assert isinstance(refused, ev.Refused)
    assert (refused.why, "before input 4" in refused.text) == ("round_would_split", True)
    (corrected,) = table.feed(Amended(1, (natural, Change(4, None), Change(5, None)), "misread"))
    assert isinstance(corrected, ev.Corrected)
    assert corrected.changes["hands"][1] == {"player": ["9h", "Tc"], "banker": ["Kd", "5s"]}


@pytest.mark.parametrize(
    ("amend", "why"),
    [
        (Amended(7, (Change(0, None),), "no such round"), "round_not_amendable"),
        (Amended(1, (Change(99, None),), "no such input"), "no_such_input"),
        (Amended(1, (Change(0, {"kind": "nonsense"}),), "no such kind"), "bad_input"),
        (Amended(1, (Change(0, {"kind": "card_out", "card": "Zz"}),), "no such card"), "no_such_card"),
        (Amended(1, (Change(0, {"kind": "card_out", "card": "Jo"}),), "not of this shoe"), "foreign_card"),
        (Amended(1, (Change(0, {"kind": "act", "seat": 1, "do": "fold"}),), "no such act"), "not_expected"),
        (Amended(1, (Change(0, None), Change(0, {"kind": "card_out", "card": "8h"})), "two minds"), "amended_twice"),
        (Amended(1, (Change(0, {"kind": "shoe_started"}),), "not of a round"), "not_of_a_round"),
        (Amended(1, (Change(0, {"kind": "device", "device": "shoe", "state": "online"}),), ""), "not_of_a_round"),
    ],
)
def test_an_amendment_that_fits_nothing_is_refused(amend: Amended, why: str) -> None:
    table = At(records_wagers=False)
    table.cards("9h", "Kd", "Tc", "7s")
    (refused,) = table.feed(amend)
    assert isinstance(refused, ev.Refused)
    assert refused.why == why


def test_the_same_inputs_give_the_same_bytes() -> None:
    def run() -> list[bytes]:
        table = At(bank=(100000,))
        events = table.feed(WagerPlaced(1, "player_line", 1000), WagerPlaced(1, "panda_8", 500), BetsClosed())
        return [ev.encode_event(event) for event in events + table.cards("Ah", "Ks", "4c", "7d", "3d")]

    assert run() == run()


def from_shoe(table: At, number: int, code: str, boot: str = "aa") -> list[ev.Event]:
    return table.engine.apply(Input(0, "device:shoe", CardOut(code), f"{boot}:{number}"))


def test_a_card_that_the_shoe_counted_but_did_not_report_holds_the_table() -> None:
    table = At(records_wagers=False)
    from_shoe(table, 5, "9h")
    assert kinds(from_shoe(table, 6, "Kd")) == ["card_dealt"]
    assert kinds(from_shoe(table, 8, "7s")) == ["irregularity", "held", "alarm_raised", "irregularity"]
    assert "device events lost" in table.prompt
    table.feed(FloorAct("use_next", "the seven was the next card; six was a burn"))
    assert table.engine.public_result["hands"]["player"] == ["9h", "7s"]


def test_a_shoe_that_restarts_in_mid_round_holds_the_table() -> None:
    table = At(records_wagers=False)
    from_shoe(table, 5, "9h")
    assert kinds(from_shoe(table, 1, "Kd", boot="bb"))[0] == "irregularity"
    assert "device restarted" in table.prompt


def test_a_shoe_that_restarts_between_two_rounds_is_no_trouble() -> None:
    table = At(records_wagers=False)
    for number, code in enumerate(("9h", "Kd", "Tc", "7s"), start=1):
        from_shoe(table, number, code)
    assert kinds(from_shoe(table, 1, "9d", boot="bb")) == ["round_started", "card_dealt"]


def test_a_reader_that_goes_away_in_mid_round_holds_the_table_and_raises_an_alarm() -> None:
    table = At(records_wagers=False)
    table.cards("9h")
    away = DeviceSeen("shoe", "offline", {"kind": "shoe", "detail": "the cable is out"})
    assert kinds(table.feed(away)) == ["device", "alarm_raised", "irregularity", "held"]
    back = DeviceSeen("shoe", "online", {"kind": "shoe"})
    assert kinds(table.feed(back)) == ["device", "alarm_cleared"]
    table.feed(FloorAct("resume"))
    assert settled(table.cards("Kd", "Tc", "7s")).outcome == "player"


def test_a_card_that_the_shoe_reported_may_be_struck_out_and_its_count_has_no_hole() -> None:
    table = At(records_wagers=False)
    for number, code in enumerate(("9h", "Kd", "Kd", "Tc"), start=1):
        from_shoe(table, number, code)
    table.feed(Amended(1, (Change(2, None),), "one king, read twice"), by="floor:ann")
    assert table.prompt == "Card 2 to Banker"
    assert settled(from_shoe(table, 5, "7s")).hands == {"player": ["9h", "Tc"], "banker": ["Kd", "7s"]}


def test_what_devices_did_in_mid_round_stays_done_when_the_round_is_corrected() -> None:
    table = At(records_wagers=False)
    from_shoe(table, 1, "9h")
    table.engine.apply(Input(0, "device:shoe", DeviceSeen("shoe", "lid_open", {"kind": "shoe"}), "aa:2"))
    table.engine.apply(Input(0, "device:shoe", DeviceSeen("shoe", "online", {"kind": "shoe"}), "aa:3"))
    table.engine.apply(Input(0, "device:shoe", CutCardOut(), "aa:4"))
    for number, code in enumerate(("Kd", "Tc", "7s"), start=5):
        from_shoe(table, number, code)
    (corrected,) = table.feed(Amended(1, (Change(0, {"kind": "card_out", "card": "8h"}),), "misread"))
    assert isinstance(corrected, ev.Corrected)
    assert corrected.changes["totals"][1]["player"] == [8]
    assert table.prompt == "Shuffle and load a new shoe"


def test_a_grave_fault_of_the_board_stops_new_rounds_and_lets_the_running_one_end() -> None:
    table = At(records_wagers=False)
    table.cards("9h")
    assert kinds(table.feed(BoardSeen("disk_full", True, "the disk is full", stops_rounds=True))) == ["alarm_raised"]
    assert settled(table.cards("Kd", "Tc", "7s")).outcome == "player"
    assert table.prompt == "No new round: the disk is full"
    assert cards_allowed(table.engine.expectation) == 0
    assert kinds(table.feed(BoardSeen("disk_full", True, "the disk is full", stops_rounds=True))) == []
    assert kinds(table.feed(BoardSeen("disk_full", False))) == ["alarm_cleared"]
    assert table.prompt == "Card 1 to Player"


def test_what_falls_into_a_drop_box_is_counted_and_published() -> None:
    table = At(records_wagers=False)
    mark = {"drops": 3}
    (event,) = table.feed(SensorSeen("boxes.collection", "collection", "dropped", 3, mark=mark))
    assert event == ev.BoxTold("collection", "dropped", 3, 3)
    (event,) = table.feed(SensorSeen("boxes.collection", "collection", "dropped", 2, mark={"drops": 5}))
    assert event == ev.BoxTold("collection", "dropped", 2, 5)
    assert table.engine.state.marks == {"boxes.collection": {"drops": 5}}
    assert kinds(table.feed(SensorSeen("boxes.main", "main", "box_removed"))) == [
        "drop_box",
        "box_reckoned",
        "alarm_raised",
    ]
    assert kinds(table.feed(SensorSeen("boxes.main", "main", "box_placed", facts={"box_id": "BOX-2"}))) == [
        "drop_box",
        "alarm_cleared",
    ]


def test_a_shoe_that_was_switched_off_between_two_rounds_counts_anew_without_trouble() -> None:
    table = At(bank=(100000,))
    table.feed(BetsClosed())
    for number, code in enumerate(("9h", "Kd", "Tc", "7s"), start=1):
        from_shoe(table, number, code)
    table.feed(DeviceSeen("shoe", "offline", {"kind": "shoe"}), by="device:shoe")
    table.feed(DeviceSeen("shoe", "online", {"kind": "shoe"}, "bb"), by="device:shoe")
    table.feed(WagerPlaced(1, "tie", 1000), BetsClosed())
    assert kinds(from_shoe(table, 1, "9d", boot="bb")) == ["card_dealt"]
