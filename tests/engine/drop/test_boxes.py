"""Boxes that are put in, keyed, weighed, pulled, changed and counted."""

from __future__ import annotations

import pytest

from controller.engine import events as ev
from controller.engine.drop.worth import Chip, DropTerms, Worth
from controller.engine.inputs import BoxCountedIn, BoxKeyed, DealerSigned
from tests.support.running.drops import DOLLARS, GRACE_S, DropTable

LIGHT_AND_HEAVY = (Chip(100, 8500), Chip(500, 11_500))


def full_rounds(table: DropTable, count: int) -> None:
    for _ in range(count):
        table.bet()
        table.drop(2)
        table.deal()
        table.wait(GRACE_S)


def change(table: DropTable, id_: str, box: str = "collection") -> None:
    table.sense(box, "door_opened")
    table.sense(box, "box_removed", times_removed=1)
    table.sense(box, "box_placed", box_id=id_)
    table.sense(box, "door_closed")


# Taken out


def test_a_box_that_is_taken_out_is_reckoned() -> None:
    table = DropTable()
    full_rounds(table, 3)
    table.play()
    table.wait(GRACE_S)
    since = table.book().since
    table.sense("collection", "box_removed", times_removed=1)
    assert table.all(ev.BoxReckoned) == [ev.BoxReckoned("collection", "BOX-1", 800, 6, 600, 600, since, short=200)]


@pytest.mark.clause("CA-drop-box")
def test_another_box_begins_a_new_account_and_ends_the_alarm_of_the_old_one() -> None:
    table = DropTable()
    table.play()
    table.wait(GRACE_S)
    assert table.alarms == ["drop:collection"]
    change(table, "BOX-7")
    assert not table.alarms
    book = table.book()
    assert (book.id, book.due, book.fallen.pieces) == ("BOX-7", 0, 0)


def test_the_same_box_put_back_goes_on_where_it_was() -> None:
    table = DropTable()
    full_rounds(table, 2)
    change(table, "BOX-1")
    full_rounds(table, 1)
    assert (table.book().due, table.book().fallen.pieces) == (600, 6)
    assert not table.engine.state.drop.gone


def test_a_fee_that_is_not_dropped_yet_goes_over_to_the_next_box() -> None:
    table = DropTable()
    full_rounds(table, 1)
    table.play()
    change(table, "BOX-7")
    table.drop(2)
    table.wait(GRACE_S)
    assert [event.box_id for event in table.all(ev.DropMatched)] == ["BOX-1", "BOX-7"]
    assert (table.book().due, table.engine.state.drop.gone["BOX-1"].book.due) == (200, 200)


@pytest.mark.clause("CA-drop-box")
def test_a_box_pulled_in_mid_hand_is_an_irregularity_and_a_drop_without_it_goes_astray() -> None:
    table = DropTable()
    table.bet()
    table.sense("collection", "box_removed", times_removed=1)
    (pulled,) = table.all(ev.Irregularity)
    assert (pulled.code, pulled.facts) == ("box_pulled_in_play", {"box": "collection", "box_id": "BOX-1"})
    table.drop(2)
    assert table.differences() == [("no_box", "collection")]
    assert "drop:collection" in table.alarms
    table.sense("collection", "box_placed", box_id="BOX-1")
    table.deal()
    table.wait(GRACE_S)
    assert (table.book().astray, table.book().fallen.pieces) == (2, 0)


def test_a_box_out_and_back_between_two_readings_is_still_reckoned() -> None:
    table = DropTable()
    full_rounds(table, 1)
    table.sense("collection", "box_placed", box_id="BOX-4", times_removed=1)
    assert [event.box_id for event in table.all(ev.BoxReckoned)] == ["BOX-1"]
    assert table.book().id == "BOX-4"


# Keyed


def test_a_box_with_a_tag_that_can_be_read_needs_no_key_unless_seals_are_wanted() -> None:
    table = DropTable()
    change(table, "BOX-7")
    assert not table.alarms
    sealed = DropTable(seals=True)
    change(sealed, "BOX-7")
    assert sealed.alarms == ["drop:collection"]
    sealed.do(BoxKeyed("collection", "BOX-7", "S-4411"), by="floor:ann")
    assert not sealed.alarms
    assert sealed.all(ev.BoxIdentified) == [ev.BoxIdentified("collection", "BOX-7", "floor:ann", "S-4411")]
    assert sealed.book().seal == "S-4411"


def test_a_box_without_a_tag_is_an_alarm_until_it_is_keyed() -> None:
    table = DropTable()
    change(table, "")
    assert table.alarms == ["drop:collection"]
    table.do(BoxKeyed("collection", "BOX-7"))
    assert not table.alarms
    assert table.book().id == "BOX-7"


def test_a_box_keyed_before_it_is_put_in_is_known_when_it_comes() -> None:
    table = DropTable(seals=True)
    table.do(BoxKeyed("collection", "BOX-7", "S-4411"))
    assert [event.comes for event in table.all(ev.BoxIdentified)] == [True]
    change(table, "")
    assert not table.alarms
    assert (table.book().id, table.book().seal) == ("BOX-7", "S-4411")


@pytest.mark.clause("CA-drop-box")
def test_a_box_other_than_the_keyed_one_is_reported() -> None:
    table = DropTable()
    table.do(BoxKeyed("collection", "BOX-9"))
    change(table, "BOX-7")
    assert table.differences() == [("other_box", "collection")]
    assert table.book().id == "BOX-7"


def test_a_slot_that_no_sensor_watches_has_no_box_to_key() -> None:
    table = DropTable(boxes=("collection",))
    (refused,) = table.do(BoxKeyed("jackpot", "BOX-9"))
    assert isinstance(refused, ev.Refused) and refused.why == "no_such_box"


# Counted


@pytest.mark.parametrize(
    ("counted", "difference", "what", "otherwise"),
    [(600, 0, "matched", False), (500, -100, "short", True), (700, 100, "over", True)],
)
def test_the_count_rooms_figure_is_laid_beside_due_and_pieces(
    counted: int, difference: int, what: str, otherwise: bool
) -> None:
    table = DropTable()
    full_rounds(table, 3)
    change(table, "BOX-7")
    table.do(BoxCountedIn("BOX-1", counted), by="floor:count")
    (event,) = table.all(ev.BoxCounted)
    assert (event.cents, event.due, event.difference, event.what) == (counted, 600, difference, what)
    assert (event.pieces, event.low, event.high, event.seen_otherwise) == (6, 600, 600, otherwise)


def test_a_box_is_counted_once() -> None:
    table = DropTable()
    change(table, "BOX-7")
    table.do(BoxCountedIn("BOX-1", 0))
    (refused,) = table.do(BoxCountedIn("BOX-1", 0))
    assert isinstance(refused, ev.Refused) and refused.why == "no_such_box"


# Weighed


def test_a_weight_that_the_pieces_can_have_is_no_event_and_narrows_what_they_are_worth() -> None:
    table = DropTable(chips=LIGHT_AND_HEAVY)
    for _ in range(5):
        table.drop(2)
    assert table.book().holds(table_terms(table)) == Worth(1000, 5000)
    table.sense("collection", "weighed", grams=1885, was=1800, drops=10)
    assert not table.differences()
    assert table.book().holds(table_terms(table)) == Worth(1000, 1400)


@pytest.mark.parametrize(("grams", "word"), [(1900, "heavier"), (1810, "heavier"), (1700, "lighter")])
def test_a_weight_that_the_pieces_cannot_have_is_reported(grams: int, word: str) -> None:
    table = DropTable(chips=DOLLARS)
    table.drop(3)
    table.sense("collection", "weighed", grams=grams, was=1800, drops=3)
    (differs,) = table.all(ev.DropDiffers)
    assert (differs.what, differs.pieces, differs.facts) == ("weight", 3, {"grams": grams, "was": 1800})
    assert word in differs.text and differs.text.endswith("while 3 pieces fell, which weigh 30 g")


def test_a_weight_that_changes_although_nothing_fell_is_reported_even_where_no_chips_are_known() -> None:
    table = DropTable(chips=())
    table.sense("collection", "weighed", grams=1400, was=1800, drops=0)
    assert table.differences() == [("weight", "collection")]


def test_within_the_scales_own_error_nothing_moved() -> None:
    table = DropTable(chips=DOLLARS)
    table.sense("collection", "weighed", grams=1804, was=1800, drops=0)
    assert not table.differences()


def test_the_first_weight_of_a_box_is_compared_with_nothing() -> None:
    table = DropTable(chips=DOLLARS)
    table.drop(2)
    table.sense("collection", "weighed", grams=2500, was=None, drops=2)
    assert not table.differences()


# Who deals


def test_a_dealer_signs_on_and_the_rounds_are_his() -> None:
    table = DropTable()
    table.sign_on("sam")
    full_rounds(table, 1)
    table.sign_on("kim")
    table.play()
    table.wait(GRACE_S)
    assert [event.dealer for event in table.all(ev.DropMatched)] == ["sam"]
    assert [event.dealer for event in table.all(ev.DropDiffers)] == ["kim"]
    assert [event.dealer for event in table.all(ev.RoundStarted)] == ["sam", "kim"]
    assert table.all(ev.DealerChanged) == [ev.DealerChanged("sam"), ev.DealerChanged("kim", "sam")]


def test_a_dealer_who_deals_already_changes_nothing() -> None:
    table = DropTable()
    table.sign_on("sam")
    (refused,) = table.do(DealerSigned("sam"))
    assert isinstance(refused, ev.Refused) and refused.why == "no_change"


def table_terms(table: DropTable) -> DropTerms:
    terms = table.engine.state.setup.drop
    assert terms is not None
    return terms


def test_a_fee_that_fell_into_the_box_before_is_owed_to_that_box_once() -> None:
    table = DropTable()
    table.bet()
    table.drop(2)
    change(table, "BOX-7")
    for _ in range(3):
        table.deal()
        table.bet()
        table.drop(2)
    assert table.engine.state.drop.gone["BOX-1"].book.due == 200
    assert table.book().due == 400
    table.wait(GRACE_S)
    assert [event.box_id for event in table.all(ev.DropMatched)] == ["BOX-1", "BOX-7", "BOX-7"]


def test_a_fee_that_was_dropped_in_its_grace_stays_with_the_box_that_goes() -> None:
    table = DropTable()
    table.play()
    table.drop(2)
    change(table, "BOX-7")
    table.play()
    assert (table.engine.state.drop.gone["BOX-1"].book.due, table.book().due) == (200, 200)
