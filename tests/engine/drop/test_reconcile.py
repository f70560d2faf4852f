"""Due against dropped, round by round: what is proved, when it is reported, and what a late report changes."""

from __future__ import annotations

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.engine import events as ev
from controller.engine.drop.worth import Chip, Fallen, compare, worth
from controller.engine.inputs import (
    AlarmSeenTo,
    Amended,
    Change,
    DropExplained,
    FloorAct,
    Input,
    SensorSeen,
    TimePassed,
)
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from tests.support.games.fee_lines import less
from tests.support.running.drops import DOLLARS, DOLLARS_AND_FIVES, GRACE_S, DropTable

# A round


def test_a_fee_that_fell_while_the_round_ran_is_matched_when_the_grace_is_over() -> None:
    table = DropTable()
    table.sign_on("sam")
    table.bet()
    table.drop(2)
    table.deal()
    assert not table.all(ev.DropMatched)
    table.wait(GRACE_S)
    assert table.all(ev.DropMatched) == [
        ev.DropMatched("collection", 200, 2, 1, "sam", "value", 200, 200, box_id="BOX-1")
    ]
    assert not table.alarms


def test_a_fee_that_falls_within_the_grace_is_matched() -> None:
    table = DropTable()
    table.play()
    table.wait(GRACE_S - 1)
    table.drop(2)
    table.wait(1)
    assert [event.late for event in table.all(ev.DropMatched)] == [False]


def test_nothing_is_judged_before_the_grace_is_over() -> None:
    table = DropTable()
    table.play()
    table.wait(GRACE_S - 1)
    assert not table.all(ev.DropDiffers)
    table.wait(1)
    assert table.differences() == [("short", "collection")]


def test_a_forgotten_drop_is_short_with_its_evidence_and_an_alarm() -> None:
    table = DropTable()
    table.sign_on("sam")
    table.play()
    over = table.at
    table.wait(GRACE_S)
    (short,) = table.all(ev.DropDiffers)
    assert (short.what, short.due, short.pieces, short.round, short.dealer) == ("short", 200, 0, 1, "sam")
    assert short.text == "round 1 owes the collection box $2; nothing fell"
    assert short.facts == {"since": over, "until": over + GRACE_S * 1000, "drops": []}
    assert table.alarms == ["drop:collection"]
    assert table.engine.state.alarms["drop:collection"] == "collection box: $2 of round 1 not seen to fall"


def test_more_that_is_missing_is_another_alarm_that_nobody_has_seen_to() -> None:
    table = DropTable()
    table.play()
    table.wait(GRACE_S)
    table.do(AlarmSeenTo("drop:collection"), by="floor:ann")
    table.play()
    events = table.wait(GRACE_S)
    text = "collection box: $4 of rounds 1, 2 not seen to fall"
    assert [event for event in events if isinstance(event, ev.AlarmCleared | ev.AlarmRaised)] == [
        ev.AlarmCleared("drop:collection"),
        ev.AlarmRaised("drop:collection", text),
    ]
    assert table.engine.state.alarms["drop:collection"] == text
    assert not table.engine.state.alarm_lives["drop:collection"].acknowledged_by


def test_an_alarm_names_every_round_that_an_explanation_would_close() -> None:
    table = DropTable()
    table.play()
    table.wait(GRACE_S)
    table.drop(1, "jackpot")
    table.drop(3)
    table.wait(GRACE_S)
    assert table.book().unexplained == "1 piece fell into the collection box that nobody owed it"
    table.play()
    table.wait(GRACE_S)
    assert table.book().unexplained == (
        "$2 of round 2 not seen to fall; 1 piece fell into the collection box that nobody owed it"
    )
    table.do(DropExplained("collection", "the player-dealer's, given back"), by="floor:ann")
    assert table.alarms == ["drop:jackpot"]


def test_a_late_drop_is_reported_and_ends_the_alarm() -> None:
    table = DropTable()
    table.play()
    table.wait(GRACE_S)
    table.drop(1)
    assert table.alarms == ["drop:collection"]
    table.drop(1)
    (matched,) = table.all(ev.DropMatched)
    assert matched.late
    assert matched.round == 1
    assert not table.alarms


def test_one_forgotten_drop_does_not_make_every_later_round_short() -> None:
    table = DropTable()
    table.play()
    table.wait(GRACE_S)
    for _ in range(3):
        table.bet()
        table.drop(2)
        table.deal()
        table.wait(GRACE_S)
    assert [event.round for event in table.all(ev.DropDiffers)] == [1]
    assert [event.round for event in table.all(ev.DropMatched)] == [2, 3, 4]


def test_two_fees_dropped_at_once_settle_this_round_and_the_one_before() -> None:
    table = DropTable()
    table.play()
    table.wait(GRACE_S)
    table.bet()
    table.drop(4)
    table.deal()
    table.wait(GRACE_S)
    assert [(event.round, event.late) for event in table.all(ev.DropMatched)] == [(1, True), (2, False)]
    assert not table.alarms


def test_a_drop_of_less_is_short() -> None:
    table = DropTable()
    table.bet()
    table.drop(1)
    table.deal()
    table.wait(GRACE_S)
    (short,) = table.all(ev.DropDiffers)
    assert (short.what, short.pieces, short.low, short.high) == ("short", 1, 100, 100)


def test_a_fee_dropped_twice_is_over_and_stays_an_alarm_until_it_is_explained() -> None:
    table = DropTable()
    table.bet()
    table.drop(2)
    table.deal()
    table.drop(2)
    table.wait(GRACE_S)
    (over,) = table.all(ev.DropDiffers)
    assert (over.what, over.due, over.pieces, over.round, over.low) == ("over", 200, 4, 1, 400)
    assert len(over.facts["drops"]) == 1  # both fell at the same moment of this table's clock
    table.do(DropExplained("collection", "given back to the player-dealer"), by="floor:ann")
    assert not table.alarms
    assert table.all(ev.DropSettled) == [ev.DropSettled("collection", "given back to the player-dealer", "floor:ann")]


def test_the_tolerance_is_the_houses() -> None:
    table = DropTable(tolerance=100)
    table.bet()
    table.drop(1)
    table.deal()
    table.wait(GRACE_S)
    assert table.all(ev.DropMatched) and not table.all(ev.DropDiffers)


def test_a_fee_in_the_wrong_box_is_reported_once_with_both_boxes() -> None:
    table = DropTable()
    table.bet()
    table.drop(2, "jackpot")
    table.deal()
    table.wait(GRACE_S)
    (wrong,) = table.all(ev.DropDiffers)
    assert (wrong.what, wrong.box, wrong.facts["into"], wrong.facts["pieces_there"]) == (
        "wrong_box",
        "collection",
        "jackpot",
        2,
    )
    assert table.alarms == ["drop:collection", "drop:jackpot"]


def test_pieces_that_nobody_owed_are_unexplained_after_the_grace() -> None:
    table = DropTable()
    table.drop(3, "jackpot")
    table.wait(GRACE_S - 1)
    assert not table.all(ev.DropDiffers)
    table.wait(1)
    (loose,) = table.all(ev.DropDiffers)
    assert (loose.what, loose.box, loose.pieces, loose.round) == ("unexplained", "jackpot", 3, None)


def test_a_fee_dropped_before_the_bets_are_down_counts_for_the_round() -> None:
    table = DropTable()
    table.drop(2)
    table.play()
    table.wait(GRACE_S)
    assert [event.round for event in table.all(ev.DropMatched)] == [1]


def test_the_fee_of_a_void_round_that_is_returned_leaves_unexplained_pieces() -> None:
    table = DropTable(on_void="returned")
    table.bet()
    table.drop(2)
    table.do(FloorAct("void", "fouled deck"))
    table.wait(GRACE_S)
    assert table.differences() == [("unexplained", "collection")]


def test_the_floor_lets_off_the_fee_of_a_void_round() -> None:
    table = DropTable(on_void="floor_decides")
    table.bet()
    table.do(FloorAct("void", "fouled deck"))
    table.wait(GRACE_S)
    assert table.differences() == [("short", "collection")]
    table.do(DropExplained("collection", "given back with the wagers", 1, owed=False), by="floor:ann")
    assert [(off.cents, off.cause, off.box) for off in less(table.events)] == [(-200, "not_owed", "collection")]
    assert table.engine.state.all_fees_due == {"collection": 0}
    assert not table.alarms


def test_a_table_without_a_schedule_counts_and_judges_nothing() -> None:
    table = DropTable(schedule=None)
    table.drop(3)
    table.play()
    table.wait(10 * GRACE_S)
    assert not table.all(ev.DropDiffers)
    assert table.book().fallen.pieces == 3


def test_nothing_open_cannot_be_explained() -> None:
    table = DropTable()
    (refused,) = table.do(DropExplained("collection", "no reason"))
    assert isinstance(refused, ev.Refused) and refused.why == "nothing_open"


# What the sensors can and cannot prove


def test_pieces_of_several_worths_are_matched_by_count_with_the_bounds_said() -> None:
    table = DropTable(chips=DOLLARS_AND_FIVES)
    table.bet()
    table.drop(2)
    table.deal()
    table.wait(GRACE_S)
    (matched,) = table.all(ev.DropMatched)
    assert (matched.proof, matched.low, matched.high) == ("count", 200, 1000)


def test_one_piece_for_two_dollars_is_a_wrong_amount_whichever_it_was() -> None:
    table = DropTable(chips=DOLLARS_AND_FIVES)
    table.bet()
    table.drop(1)
    table.deal()
    table.wait(GRACE_S)
    (wrong,) = table.all(ev.DropDiffers)
    assert (wrong.what, wrong.low, wrong.high) == ("wrong_amount", 100, 500)


def test_where_no_chips_are_known_a_drop_proves_that_something_fell() -> None:
    table = DropTable(chips=())
    table.bet()
    table.drop(1)
    table.deal()
    table.wait(GRACE_S)
    (matched,) = table.all(ev.DropMatched)
    assert (matched.proof, matched.high) == ("presence", None)


def test_a_sensor_that_reports_the_worth_is_believed_whatever_the_chips() -> None:
    table = DropTable(chips=DOLLARS_AND_FIVES)
    table.bet()
    table.drop(2, cents=600)
    table.deal()
    table.wait(GRACE_S)
    (over,) = table.all(ev.DropDiffers)
    assert (over.what, over.low, over.high) == ("over", 600, 600)


def test_what_is_missing_after_a_reset_of_the_sensor_is_not_proved() -> None:
    table = DropTable()
    table.bet()
    table.sense("collection", "sensor_reset")
    table.deal()
    table.wait(GRACE_S)
    (unproven,) = table.all(ev.DropDiffers)
    assert (unproven.what, unproven.facts["doubt"]) == ("unproven", "sensor_reset")
    table.bet()
    table.drop(2)
    table.deal()
    table.wait(GRACE_S)
    assert [event.round for event in table.all(ev.DropMatched)] == [2]


def test_a_silent_sensor_proves_nothing_and_what_it_counted_is_taken_when_it_is_back() -> None:
    table = DropTable()
    table.silence("collection")
    table.play()
    table.wait(GRACE_S)
    assert table.differences() == [("unproven", "collection")]
    table.drop(2)
    assert [event.late for event in table.all(ev.DropMatched)] == [True]


@given(
    st.lists(st.sampled_from([25, 100, 500, 2500]), max_size=12),
    st.integers(0, 100),
    st.sampled_from([(25, 100, 500, 2500), (100, 500, 2500, 25)]),
)
def test_what_really_fell_is_never_called_wrong(fell: list[int], tolerance: int, values: tuple[int, ...]) -> None:
    chips = tuple(Chip(value) for value in values)
    fallen = Fallen(len(fell))
    bounds = worth(fallen, chips)
    assert bounds.high is not None and bounds.low <= sum(fell) <= bounds.high
    assert compare(fallen, sum(fell), tolerance, chips) == "fits"


@given(st.lists(st.sampled_from([100, 500]), min_size=70, max_size=90))
def test_nor_where_they_are_too_many_to_look_at_each(fell: list[int]) -> None:
    chips = (Chip(100), Chip(500))
    assert compare(Fallen(len(fell)), sum(fell), 0, chips) == "fits"
    assert compare(Fallen(len(fell)), sum(fell) + 100, 0, chips) != "fits"


# The same on every machine


steps = st.lists(
    st.one_of(
        st.sampled_from(["play", "bet_and_void", "reset", "take", "put"]),
        st.tuples(st.sampled_from(["collection", "jackpot"]), st.integers(1, 4)),
        st.integers(1, 60),
    ),
    max_size=12,
)


@settings(max_examples=40, deadline=None)
@given(steps)
def test_the_books_survive_a_snapshot_and_never_lose_a_piece_or_a_cent(story: list[object]) -> None:
    table = DropTable(chips=DOLLARS_AND_FIVES)
    fell, boxes = 0, 5
    for step in story:
        table.at += 1
        match step:
            case "play":
                table.play()
            case "bet_and_void":
                table.bet()
                table.do(FloorAct("void", "misdeal"))
            case "reset":
                table.sense("collection", "sensor_reset")
            case "take":
                table.sense("collection", "box_removed")
            case "put":
                boxes += 1
                table.sense("collection", "box_placed", box_id=f"BOX-{boxes}")
            case (str() as box, int() as pieces):
                table.drop(pieces, box)
                fell += pieces
            case int() as seconds:
                table.wait(seconds)
        if not table.engine.is_dealing:
            again = msgspec.json.decode(msgspec.json.encode(table.engine.state), type=TableState)
            assert again == table.engine.state
    drop = table.engine.state.drop
    # A box that is out is in both lists until another is in its slot.
    gone = [g.book for g in drop.gone.values() if g.book.since != drop.books[g.box].since]
    books = [*drop.books.values(), *gone]
    assert sum(book.fallen.pieces + book.astray for book in books) == fell
    assert sum(book.due for book in books) == sum(table.engine.state.all_fees_due.values())


def test_the_table_states_when_the_daemon_must_look_again() -> None:
    table = DropTable()
    assert table.engine.next_look() is None
    table.play()
    assert table.engine.next_look() == table.at + GRACE_S * 1000
    table.wait(GRACE_S)
    assert table.engine.next_look() is None


def test_any_later_input_ends_a_grace_as_well_as_the_timer() -> None:
    table = DropTable()
    table.play()
    table.at += GRACE_S * 1000
    table.drop(1, "jackpot")
    assert table.differences() == [("short", "collection")]


# Corrections


def test_a_correction_that_changes_the_fee_opens_the_claim_again() -> None:
    table = DropTable()
    table.bet(10_000)
    table.deal()
    owed = table.engine.state.fees_due["collection"]
    table.drop(owed // 100)
    table.wait(GRACE_S)
    assert len(table.all(ev.DropMatched)) == 1
    change = Change(0, {"kind": "wager", "place": 1, "wager": "player_line", "cents": 20_100})
    table.do(Amended(1, (change,), "miskeyed"), by="floor:ann")
    assert table.engine.state.fees_due["collection"] == 200 > owed
    table.wait(GRACE_S)
    (short,) = table.all(ev.DropDiffers)
    assert (short.what, short.due, short.pieces) == ("short", 200, owed // 100)
    assert table.book().due == 200


def test_a_correction_that_lets_the_round_go_on_waits_for_its_end() -> None:
    table = DropTable()
    table.bet()
    table.drop(2)
    table.deal()
    table.wait(GRACE_S)
    assert table.engine.last is not None
    kinds = [type(value.body).__name__ for value in table.engine.last.inputs]
    last_card = max(i for i, kind in enumerate(kinds) if kind == "CardOut")
    table.do(Amended(1, (Change(last_card, None),), "it was not dealt"), by="floor:ann")
    assert table.engine.is_dealing
    assert table.book().due == 0
    table.deal()
    table.wait(GRACE_S)
    assert table.book().due == 200
    assert not table.all(ev.DropDiffers)


def test_the_table_goes_on_from_a_snapshot_with_an_open_claim() -> None:
    table = DropTable(chips=DOLLARS)
    table.play()
    state = msgspec.json.decode(msgspec.json.encode(table.engine.state), type=TableState)
    again = TableEngine(table.engine.game, table.engine.options, state, table.engine.ruleset)
    at = table.at + GRACE_S * 1000
    first = again.apply(Input(at, "timer", TimePassed()))
    second = table.engine.apply(Input(at, "timer", TimePassed()))
    assert first == second
    assert first
    again.apply(Input(at, "device:boxes", SensorSeen("boxes.collection", "collection", "dropped", 2)))
    assert not again.state.alarms


def test_a_sensor_that_is_dead_all_day_leaves_a_bounded_book_and_the_right_sum() -> None:
    table = DropTable()
    table.silence("collection")
    for _ in range(70):
        table.play()
        table.wait(GRACE_S)
    assert len(table.book().claims) == 50
    assert table.book().short == table.book().due == 70 * 200
    table.drop(140)
    assert [event.round for event in table.all(ev.DropMatched)] == list(range(21, 71))
    assert table.book().short == 20 * 200
    assert table.book().trouble == "$40 of earlier rounds not seen to fall"
    table.do(DropExplained("collection", "the sensor was dead", owed=True), by="floor:ann")
    assert not [alarm for alarm in table.alarms if alarm.startswith("drop:")]


def test_what_fell_into_another_box_just_a_grace_before_the_round_may_be_its_fee() -> None:
    """Earlier it is somebody else's: then the fee is short, and the pieces are unexplained."""
    for early, found in (
        (0, [("wrong_box", "collection")]),
        (1, [("short", "collection"), ("unexplained", "jackpot")]),
    ):
        table = DropTable()
        table.bet()
        table.drop(2)
        table.drop(2, "jackpot")
        table.wait(10)
        table.deal()
        table.wait(GRACE_S - 10 + early)
        table.bet()
        table.deal()
        table.wait(GRACE_S)
        assert table.differences() == found
