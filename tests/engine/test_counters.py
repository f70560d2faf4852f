"""The shoe's own counters: each number that cannot be is an irregularity with its evidence, and holds the table."""

from __future__ import annotations

from typing import Any

import pytest

from controller.engine import events as ev
from controller.engine.inputs import (
    Amended,
    AnyBody,
    BetsClosed,
    CardOut,
    Change,
    Counter,
    CutCardOut,
    DeviceSeen,
    FloorAct,
    Happening,
    Input,
    Quarantined,
    Revealed,
    ShoeStarted,
    StackOut,
    WagerPlaced,
    decode_input,
    encode_input,
)
from controller.engine.round.setup import Setup
from controller.engine.shoe.counters import Counters
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.rules import load
from tests.support.games.baccarat_tables import At, kinds, only

BOOT = "c0ffee01"
SHOE = "device:shoe"
KIND = {"kind": "shoe"}


class ShoeTable(At):
    """A table whose shoe numbers its events and its cards, as one on the link does."""

    def __init__(self, cards: int | None = 416, *, is_fast: bool = True) -> None:
        super().__init__(shoe=False, records_wagers=False)
        rules = self.engine.rules
        self.engine = TableEngine(rules.game, rules.options, self.engine.state, rules.ruleset, is_fast=is_fast)
        self.boot, self.event, self.drawn, self.inputs = BOOT, 0, 0, list[Input]()
        if cards is not None:
            self.reports(ShoeStarted(8, cards), Counter(BOOT, left=cards, is_loaded=True))
        self.status(left=cards)

    def apply(self, value: Input) -> list[ev.Event]:
        self.inputs.append(decode_input(encode_input(value)))
        return self.engine.apply(value)

    def feed(self, *bodies: AnyBody, by: str = "dealer:sam") -> list[ev.Event]:
        return [event for body in bodies for event in self.apply(Input(0, by, body))]

    def reports(self, body: AnyBody, counter: Counter | None = None) -> list[ev.Event]:
        self.event += 1
        return self.apply(Input(0, SHOE, body, f"{self.boot}:{self.event}", counter=counter))

    def draw(self, card: str | None = "9h", number: int | None = None, limit: int | None = None) -> list[ev.Event]:
        self.drawn = self.drawn + 1 if number is None else number
        return self.reports(CardOut(card), Counter(self.boot, self.drawn, out=1, limit=limit))

    def status(self, left: int | None = None, number: int | None = None, **more: Any) -> list[ev.Event]:
        number = self.drawn if number is None else number
        body = DeviceSeen("shoe", "online", KIND, self.boot)
        return self.apply(Input(0, SHOE, body, counter=Counter(self.boot, number, left=left, **more)))

    def goes(self) -> list[ev.Event]:
        return self.feed(DeviceSeen("shoe", "offline", KIND), by=SHOE)

    def restarts(self) -> None:
        self.boot, self.event, self.drawn = "0badcafe", 0, 0

    @property
    def counted(self) -> Counters:
        return self.engine.state.counters["shoe"]

    @property
    def alarm(self) -> str:
        return self.engine.state.alarms.get("counters:shoe", "")

    @property
    def held(self) -> str:
        current = self.engine.round
        return "" if current is None or current.held is None else current.held.code


def irregularity(events: list[ev.Event], code: str) -> dict[str, Any]:
    (found,) = (event for event in events if isinstance(event, ev.Irregularity) and event.code == code)
    return found.facts


def test_a_hand_whose_numbers_follow_raises_nothing() -> None:
    table = ShoeTable()
    table.feed(BetsClosed())
    for card in ("9h", "2c", "Td", "6s"):
        events = table.draw(card, limit=table.drawn + 4)
    assert "round_settled" in kinds(events)
    assert (table.counted, table.alarm) == (Counters(BOOT, 4, 412), "")


@pytest.mark.parametrize("number", [7, 2])
def test_a_number_that_does_not_follow_holds_the_table_and_the_card_is_out_of_play(number: int) -> None:
    table = ShoeTable()
    table.feed(BetsClosed())
    table.draw("9h")
    table.draw("2c")
    code = "draw_number_skipped" if number > 3 else "draw_number_repeated"
    events = table.draw("Td", number)
    assert irregularity(events, code) == {"device": "shoe", "expected": 3, "came": number}
    assert kinds(events).count("held") == 1
    assert table.held == code
    assert "card_dealt" not in kinds(events), "it must not be dealt"
    assert f"number {number}" in table.alarm
    assert "Td" not in str(events)
    resumed = table.feed(FloorAct("use_next", "it is the next card"), by="floor:ann")
    assert "card_dealt" in kinds(resumed)
    assert "irregularity" not in kinds(table.draw("6s")), "from here on the shoe's own number counts"


def test_a_card_past_the_unlock_is_seen_although_its_number_follows() -> None:
    table = ShoeTable()
    table.feed(BetsClosed())
    table.draw("9h", limit=1)
    events = table.draw("2c", limit=1)
    assert irregularity(events, "drawn_past_unlock") == {"device": "shoe", "limit": 1, "came": 2}
    assert table.held == "drawn_past_unlock"


def test_the_first_card_of_a_round_with_a_wrong_number_holds_the_round_that_it_would_begin() -> None:
    table = ShoeTable()
    events = table.draw("9h", 5)
    assert kinds(events)[0] == "round_started"
    assert table.held == "draw_number_skipped"


def test_the_same_event_again_is_a_repeat_and_no_irregularity() -> None:
    table = ShoeTable()
    table.feed(BetsClosed())
    table.draw("9h")
    again = table.inputs[-1]
    assert table.engine.is_repeat(again)


def numbered(table: ShoeTable, number: int) -> list[ev.Event]:
    """The shoe's next card follows, and its event has this number."""
    table.event, table.drawn = number - 1, table.drawn + 1
    return table.reports(CardOut("9h"), Counter(table.boot, table.drawn, out=1))


@pytest.mark.parametrize("is_dealing", [True, False], ids=["in mid-round", "between two rounds"])
@pytest.mark.parametrize("number", [0xFFFFFFFF, 40], ids=["made up", "left out"])
def test_an_event_number_that_is_left_out_holds_the_table_at_any_time(number: int, is_dealing: bool) -> None:
    table = ShoeTable()
    if is_dealing:
        table.feed(BetsClosed())
        table.draw("2c")
    expected = table.event + 1
    events = numbered(table, number)
    assert irregularity(events, "device_events_lost") == {"device": "shoe", "expected": expected, "came": number}
    assert table.held == "device_events_lost"
    assert "card_dealt" not in kinds(events)
    assert f"event {number}" in table.alarm


def test_after_the_highest_event_number_nothing_that_comes_is_taken_for_a_repeat() -> None:
    """Somebody on an unsealed cable makes up one event, and what the shoe really sends would be dropped behind it."""
    table = ShoeTable()
    table.feed(BetsClosed())
    table.draw("2c")
    real = table.event
    numbered(table, 0xFFFFFFFF)
    table.event, table.drawn = real, table.drawn - 1
    card = Input(0, SHOE, CardOut("9h"), f"{BOOT}:{real + 1}", counter=Counter(BOOT, table.drawn + 1, out=1))
    assert not table.engine.is_repeat(card)
    events = table.apply(card)
    facts = {"device": "shoe", "expected": 0x100000000, "came": real + 1}
    assert irregularity(events, "device_events_repeated") == facts
    table.event, table.drawn = real + 1, table.drawn + 1
    assert "device_events" not in str(table.draw("6s")), "from here on the shoe's own number counts"


@pytest.mark.parametrize("back", [0, 1, 3, 63])
def test_what_was_not_acknowledged_may_come_again(back: int) -> None:
    table = ShoeTable()
    table.feed(BetsClosed())
    table.event = 100
    table.draw("2c")
    assert table.engine.is_repeat(Input(0, SHOE, CardOut("2c"), f"{BOOT}:{table.event - back}"))


def test_cards_that_left_while_the_shoe_was_mute_are_missed_at_its_next_status() -> None:
    table = ShoeTable()
    table.feed(BetsClosed())
    table.draw("9h")
    table.goes()
    events = table.status(left=412)
    assert irregularity(events, "cards_left_differ") == {"device": "shoe", "expected": 415, "came": 412}
    assert "held" not in kinds(events), "its absence holds the table already, once"
    assert table.held == "reader_back"
    assert table.alarm == "shoe: 412 cards are left in it by its own count, 415 should be"
    assert kinds(table.status(left=412)) == ["device"], "said once"


def test_between_two_rounds_missing_cards_hold_the_next_one() -> None:
    table = ShoeTable()
    events = table.status(left=413)
    assert table.held == "cards_left_differ"
    assert only(events, ev.AlarmRaised).alarm == "counters:shoe"


def test_draws_that_were_never_reported_are_missed_and_the_rest_fits_them() -> None:
    table = ShoeTable()
    events = table.status(left=413, number=3)
    assert irregularity(events, "draws_not_reported") == {"device": "shoe", "expected": 0, "came": 3}
    assert len([event for event in events if isinstance(event, ev.Irregularity)]) == 1


def test_a_shoe_that_is_unlocked_further_than_it_was_allowed_is_seen() -> None:
    table = ShoeTable()
    assert irregularity(table.status(left=416, up_to=60, limit=4), "unlocked_too_far")["came"] == 60


def test_a_shoe_in_play_that_reports_no_card_left_is_seen_although_nobody_counted_it() -> None:
    table = ShoeTable(cards=None)
    table.feed(ShoeStarted())
    assert irregularity(table.status(left=0), "cards_left_differ")["expected"] == 416


def test_a_shoe_that_cannot_count_its_cards_is_checked_by_its_numbers_alone() -> None:
    table = ShoeTable(cards=None)
    table.feed(ShoeStarted(), BetsClosed())
    table.draw("9h")
    assert kinds(table.status()) == ["device"]


def test_after_a_power_cut_the_numbers_begin_again_and_the_cards_do_not() -> None:
    table = ShoeTable()
    table.feed(BetsClosed())
    table.draw("9h")
    table.goes()
    table.restarts()
    assert irregularity(table.status(left=415), "device_restarted") == {"device": "shoe"}
    assert table.alarm == ""
    table.feed(FloorAct("resume", "looked at"), by="floor:ann")
    assert kinds(table.draw("2c")) == ["card_dealt"]


def test_a_restart_in_mid_round_holds_the_table_once() -> None:
    table = ShoeTable()
    table.feed(BetsClosed())
    table.draw("9h")
    events = table.goes()
    table.restarts()
    events += table.reports(DeviceSeen("shoe", "lid_open", KIND))
    events += table.status(left=415)
    events += table.feed(FloorAct("resume", "looked at"), by="floor:ann")
    events += table.draw("2c")
    assert kinds(events).count("held") == 1


def test_a_restart_that_happened_while_the_daemon_was_down_holds_the_table_once() -> None:
    table = ShoeTable()
    table.feed(BetsClosed())
    table.draw("9h")
    table.restarts()
    events = table.status(left=415)
    assert table.held == "device_restarted"
    events += table.feed(FloorAct("resume", "looked at"), by="floor:ann")
    events += table.draw("2c")
    assert kinds(events).count("held") == 1


def test_a_card_that_is_pushed_back_and_drawn_again_is_one_card() -> None:
    table = ShoeTable()
    table.feed(BetsClosed())
    table.draw("9h")
    table.reports(Happening("card_returned"), Counter(BOOT, 1, out=-1))
    table.feed(FloorAct("resume", "it comes again"), by="floor:ann")
    table.draw("9h")
    assert table.counted == Counters(BOOT, 2, 415)


def test_cards_that_are_keyed_by_hand_left_the_shoe_too() -> None:
    table = ShoeTable()
    table.feed(BetsClosed(), CardOut("9h"), CardOut("2c"))
    assert kinds(table.status(left=414)) == ["device"]
    table.feed(StackOut((None, None)))
    assert table.counted.left == 412


def test_a_shoe_that_was_filled_while_it_was_away_is_counted_again() -> None:
    table = ShoeTable()
    table.goes()
    table.feed(ShoeStarted())
    assert "irregularity" not in kinds(table.status(left=416))


def test_a_shoe_that_is_over_may_be_emptied() -> None:
    table = ShoeTable()
    table.reports(CutCardOut(), Counter(BOOT, 0))
    table.feed(BetsClosed())
    for card in ("9h", "2c", "Td", "6s"):
        table.draw(card)
    shoe = table.engine.state.shoe
    assert shoe is not None and shoe.is_over
    assert kinds(table.status(left=0)) == ["device"]


def test_a_cut_card_that_names_another_card_before_it_is_seen() -> None:
    table = ShoeTable()
    assert irregularity(table.reports(CutCardOut(), Counter(BOOT, 2)), "draws_not_reported")["came"] == 2


def test_an_amended_or_struck_out_card_keeps_its_number() -> None:
    table = ShoeTable()
    table.feed(BetsClosed())
    for card in ("9h", "2c", "Td"):
        table.draw(card)
    events = table.feed(Amended(1, (Change(1, {"kind": "card_out", "card": "8h"}),), "misread"), by="floor:ann")
    assert kinds(events) == ["corrected"]
    assert table.engine.round is not None and table.engine.round.held is None
    assert table.counted.number == 3
    events = table.feed(Amended(1, (Change(2, None),), "no card"), by="floor:ann")
    assert kinds(events) == ["corrected"]
    assert table.held == ""


def test_a_new_shoe_or_the_floor_ends_the_alarm() -> None:
    table = ShoeTable()
    table.status(left=413)
    table.feed(FloorAct("void", "shoe counted"), by="floor:ann")
    table.reports(ShoeStarted(8, 416), Counter(BOOT, left=416, is_loaded=True))
    assert table.alarm == ""


@pytest.mark.parametrize("seed", range(3))
def test_the_fast_path_and_a_replay_come_to_the_same(seed: int) -> None:
    fast, slow = ShoeTable(is_fast=True), ShoeTable(is_fast=False)
    for table in (fast, slow):
        table.feed(BetsClosed())
        table.draw("9h", limit=9)
        table.draw("2c", 2 + seed, limit=9)
        table.feed(FloorAct("resume", "seen"), by="floor:ann")
        table.draw("Td", limit=9)
        table.draw("6s", limit=9)
    assert fast.engine.state == slow.engine.state
    again = ShoeTable(cards=None)
    replayed = TableEngine(again.engine.game, again.engine.options, At(shoe=False, records_wagers=False).engine.state)
    for value in fast.inputs:
        replayed.apply(value)
    assert replayed.state.counters == fast.engine.state.counters


def test_a_shoe_that_is_empty_too_early_in_a_round_holds_it_once_and_the_alarm_has_the_numbers() -> None:
    table = ShoeTable()
    table.feed(BetsClosed())
    table.draw("9h")
    events = table.reports(Happening("shoe_empty"), Counter(BOOT, 1, left=0))
    assert kinds(events).count("held") == 1
    assert irregularity(events, "cards_left_differ") == {"device": "shoe", "expected": 415, "came": 0}


# The stacks of a shuffler


def stack(number: int, *, deck: int = 1, limit: int | None = None) -> Input:
    counter = Counter(f"{BOOT}/{deck}", number, out=2, limit=limit)
    return Input(0, "device:shuffler", StackOut((None, None)), f"{BOOT}:{deck * 100 + number}", counter=counter)


def a_holdem_table() -> TableEngine[Any]:
    rules = load("bankers-ultimate-texas-holdem")
    setup = Setup((1, 2), 8, bank=(1_000_000,))
    engine: TableEngine[Any] = TableEngine(rules.game, rules.options(), TableState(setup), rules.slug)
    for wager in ("ante", "blind"):
        engine.apply(Input(0, "dealer:sam", WagerPlaced(1, wager, 1000)))
    engine.apply(Input(0, "dealer:sam", BetsClosed()))
    return engine


def test_stacks_are_numbered_deck_by_deck() -> None:
    engine = a_holdem_table()
    assert "irregularity" not in kinds([*engine.apply(stack(1)), *engine.apply(stack(2))])
    assert engine.state.counters["shuffler"] == Counters(f"{BOOT}/1", 2)
    assert "draw_number_repeated" not in str(engine.apply(stack(1, deck=2)))


@pytest.mark.parametrize(
    ("second", "code"),
    [(stack(3), "draw_number_skipped"), (stack(2, limit=1), "drawn_past_unlock")],
    ids=["skipped", "past the unlock"],
)
def test_a_stack_whose_number_cannot_be_is_not_dealt(second: Input, code: str) -> None:
    engine = a_holdem_table()
    engine.apply(stack(1))
    events = engine.apply(second)
    assert irregularity(events, code)["device"] == "shuffler"
    assert "held" in kinds(events)
    assert "card_dealt" not in kinds(events)


# Messages that cannot be read


GARBLED = "40c0ffee0100000002000000000000ee480000000129d700"


def test_a_card_that_cannot_be_read_holds_the_table_and_none_of_its_bytes_is_published() -> None:
    table = ShoeTable()
    table.feed(BetsClosed())
    table.drawn = 1
    events = table.reports(Quarantined("shoe", GARBLED, is_known=True, is_card=True), Counter(BOOT, 1, out=1))
    assert irregularity(events, "event_not_readable") == {"device": "shoe", "kind": "0x40", "length": 24}
    assert kinds(events).count("held") == 1
    assert "29d7" not in str(events)
    assert "29d7" in encode_input(table.inputs[-1]).decode(), "the journal has them"
    assert table.counted == Counters(BOOT, 1, 415)
    resumed = table.feed(FloorAct("use_next", "it is a nine"), by="floor:ann")
    assert "card_dealt" in kinds(resumed)
    assert kinds(table.feed(Revealed("player", ("9h",)))) == ["card_named"]
    assert kinds(table.draw("2c")) == ["card_dealt"]


def test_an_event_of_an_unknown_kind_is_an_alarm_and_the_round_goes_on() -> None:
    table = ShoeTable()
    table.feed(BetsClosed())
    table.draw("9h")
    events = table.reports(Quarantined("shoe", "5f" + GARBLED[2:36]))
    assert kinds(events) == ["irregularity", "alarm_raised"]
    assert table.held == ""
    assert kinds(table.draw("2c")) == ["card_dealt"]
