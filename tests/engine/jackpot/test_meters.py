"""The meter of a jackpot: what each round adds, and what takes it out again."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from controller.engine import events as ev
from controller.engine.fees.schedule import FeeRow
from controller.engine.inputs import Amended, Change, DropExplained, FloorAct
from controller.engine.jackpot.meters import Meter, divided
from controller.engine.jackpot.rules import Jackpot, Prize, Recognised, Share, in_words, problems
from controller.engine.jackpot_inputs import JackpotAdjust, JackpotFee
from controller.engine.table.state import TableState
from tests.support.running.drops import GRACE_S
from tests.support.running.jackpot_table import BAD_BEAT, FEES, FLOOR, JackpotTable


def test_a_settled_round_adds_its_fee_to_main_and_reserve() -> None:
    table = JackpotTable(BAD_BEAT)
    table.play()
    opened, added = table.all(ev.JackpotOpened), table.all(ev.JackpotContributed)
    assert opened == [ev.JackpotOpened("bad-beat", "Bad Beat", 100_000, "house")]
    assert added == [ev.JackpotContributed("bad-beat", 1, "fees", 200, 100_000, 100_160, 0, 40)]
    assert table.meter == Meter(100_160, 40, 100_000, 200)


def test_nothing_is_added_before_the_round_is_over() -> None:
    table = JackpotTable(BAD_BEAT)
    table.bet()
    assert not table.all(ev.JackpotContributed)
    assert table.problems() == []


def test_a_fee_without_rules_of_the_house_is_counted_all_the_same() -> None:
    table = JackpotTable()
    table.play()
    assert table.kept.meters == {"jackpot": Meter(200, contributed=200)}
    (meter,) = table.engine.jackpots.published
    assert (meter.main, meter.in_force, meter.prizes) == (200, True, ())
    (refused,) = table.hit(jackpot="jackpot")
    assert isinstance(refused, ev.Refused) and refused.why == "no_rules"


def test_a_table_without_a_jackpot_fee_keeps_no_meter() -> None:
    table = JackpotTable(fee=(FeeRow("player_dealer", "per_hand", 200),))
    table.play()
    assert table.kept == TableState(table.engine.state.setup).jackpots
    assert table.engine.jackpots.published == ()


def test_a_waived_fee_is_not_in_the_meter() -> None:
    table = JackpotTable(BAD_BEAT, waiver="before_first_card")
    table.bet()
    table.do(FloorAct("waive", "dead spread"), by=FLOOR)
    table.deal()
    assert not table.contributed()
    assert table.kept.rounds[-1].cents == 0


def test_a_void_round_whose_fee_goes_back_adds_nothing() -> None:
    table = JackpotTable(BAD_BEAT, on_void="returned")
    table.bet()
    table.do(FloorAct("void", "fouled deck"), by=FLOOR)
    assert (table.contributed(), table.kept.aside, table.problems()) == ([], 0, [])


def test_a_fee_that_stays_in_the_box_for_the_next_deal_is_added_with_that() -> None:
    table = JackpotTable(BAD_BEAT, on_void="kept")
    table.bet()
    table.do(FloorAct("void", "fouled deck"), by=FLOOR)
    assert (table.contributed(), table.problems()) == ([], [])
    table.play()
    assert table.contributed() == [(2, "fees", 200)]
    assert table.problems() == []


def test_a_fee_for_the_next_deal_that_this_one_does_not_use_up_is_added_too() -> None:
    table = JackpotTable(BAD_BEAT, on_void="kept")
    table.bet()
    table.do(FloorAct("void", "fouled deck"), by=FLOOR)
    table.bet(10_000)
    table.deal()
    assert table.contributed() == [(2, "fees", 200)]
    assert table.problems() == []


def test_where_the_floor_decides_the_fee_of_a_void_round_waits_aside() -> None:
    table = JackpotTable(BAD_BEAT)
    table.bet()
    table.do(FloorAct("void", "fouled deck"), by=FLOOR)
    assert table.all(ev.JackpotFeeAside) == [ev.JackpotFeeAside(1, 200)]
    assert (table.contributed(), table.kept.aside, table.problems()) == ([], 200, [])


def test_a_fee_aside_that_is_kept_goes_into_the_meter() -> None:
    table = JackpotTable(BAD_BEAT)
    table.bet()
    table.do(FloorAct("void", "fouled deck"), by=FLOOR)
    table.do(JackpotFee(1, True, "it was dropped"), by=FLOOR)
    assert table.all(ev.JackpotFeeDecided) == [ev.JackpotFeeDecided(1, 200, True, "it was dropped", FLOOR)]
    assert table.contributed() == [(1, "void_fee_kept", 200)]
    assert table.problems() == []
    assert table.refusal(JackpotFee(1, True, "again")) == "nothing_aside"


def test_a_fee_aside_that_is_given_back_is_not_owed_any_more() -> None:
    table = JackpotTable(BAD_BEAT)
    table.bet()
    table.do(FloorAct("void", "fouled deck"), by=FLOOR)
    table.do(JackpotFee(1, False, "given back with the wagers"), by=FLOOR)
    (_, back) = [one for one in table.all(ev.FeeChanged) if one.box == "jackpot"]
    assert (back.cents, back.cause, back.round) == (-200, "not_owed", 1)
    assert table.engine.state.all_fees_due["jackpot"] == 0
    table.wait(GRACE_S)
    assert not table.all(ev.DropDiffers)
    assert (table.contributed(), table.problems()) == ([], [])


def test_a_fee_that_is_not_owed_after_all_leaves_the_meter() -> None:
    table = JackpotTable(BAD_BEAT)
    table.play()
    table.wait(GRACE_S)
    table.do(DropExplained("jackpot", "waived too late", 1, owed=False), by=FLOOR)
    assert table.contributed() == [(1, "fees", 200), (1, "cancelled", -200)]
    assert (table.meter, table.problems()) == (Meter(100_000, 0, 100_000), [])


def test_a_drop_that_is_explained_and_owed_stays_in_the_meter() -> None:
    table = JackpotTable(BAD_BEAT)
    table.play()
    table.wait(GRACE_S)
    table.do(DropExplained("jackpot", "paid at the cage"), by=FLOOR)
    assert table.contributed() == [(1, "fees", 200)]


def correct(table: JackpotTable, cents: int) -> None:
    change = Change(0, {"kind": "wager", "place": 1, "wager": "player_line", "cents": cents})
    table.do(Amended(table.engine.round_number, (change,), "miskeyed"), by=FLOOR)


def test_a_correction_of_the_round_corrects_the_meter() -> None:
    table = JackpotTable(BAD_BEAT)
    table.play()
    correct(table, 10_000)
    assert table.contributed() == [(1, "fees", 200), (1, "corrected", -100)]
    assert (table.meter.main, table.meter.reserve, table.problems()) == (100_080, 20, [])


def test_a_correction_keeps_what_was_stated_after_the_round() -> None:
    table = JackpotTable(BAD_BEAT)
    table.play()
    table.hit()
    table.do(JackpotAdjust("bad-beat", "found at the count", add=500), by=FLOOR)
    before = table.meter
    correct(table, 10_000)
    assert table.meter == replace(before, main=before.main - 80, reserve=before.reserve - 20, contributed=100)
    assert table.kept.rounds[-1].hits == ("bad-beat/natural",)
    assert table.problems() == []


def test_a_fee_that_was_cancelled_stays_cancelled_after_a_correction() -> None:
    table = JackpotTable(BAD_BEAT)
    table.play()
    table.wait(GRACE_S)
    table.do(DropExplained("jackpot", "waived too late", 1, owed=False), by=FLOOR)
    correct(table, 10_000)
    assert table.problems() == []


def test_a_round_that_runs_again_takes_its_fee_out_until_it_is_over() -> None:
    table = JackpotTable(BAD_BEAT)
    table.play()
    assert table.engine.last is not None
    last = len(table.engine.last.inputs) - 1
    table.do(Amended(1, (Change(last, None),), "it was not dealt"), by=FLOOR)
    assert table.engine.is_dealing
    assert (table.contributed()[-1], table.problems()) == ((1, "corrected", -200), [])
    table.deal()
    assert (table.contributed()[-1], table.problems()) == ((1, "fees", 200), [])


def test_a_preview_of_a_correction_changes_no_meter() -> None:
    table = JackpotTable(BAD_BEAT)
    table.play()
    before = table.kept
    change = Change(0, {"kind": "wager", "place": 1, "wager": "player_line", "cents": 10_000})
    table.engine.preview(Amended(1, (change,), "miskeyed"))
    table.do(Amended(1, (change,), "miskeyed", preview=True), by=FLOOR)
    assert table.kept == before


def test_the_meters_are_in_the_snapshot() -> None:
    table = JackpotTable(BAD_BEAT)
    table.play()
    table.hit()
    table.bet()
    table.do(FloorAct("void", "fouled deck"), by=FLOOR)
    state = table.engine.state
    again = msgspec.json.decode(msgspec.json.encode(state), type=TableState)
    assert again.jackpots == state.jackpots
    assert again.setup.jackpots == (BAD_BEAT,)


def test_a_jackpot_that_is_taken_out_keeps_its_money() -> None:
    table = JackpotTable(BAD_BEAT)
    table.play()
    table.engine.lasting.change(setup=replace(table.engine.state.setup, jackpots=()))
    table.play()
    published = {one.jackpot: one for one in table.engine.jackpots.published}
    assert (published["bad-beat"].main, published["bad-beat"].in_force) == (100_160, False)
    assert (published["jackpot"].main, published["jackpot"].in_force) == (200, True)
    assert table.problems() == []


# Adjustments


def test_an_adjustment_has_its_reason_and_both_amounts() -> None:
    table = JackpotTable(BAD_BEAT)
    table.play()
    table.do(JackpotAdjust("bad-beat", "miscounted at the cage", take=160), by=FLOOR)
    table.do(JackpotAdjust("bad-beat", "moved from table 4", add=60, pool="reserve"), by=FLOOR)
    assert table.all(ev.JackpotAdjusted) == [
        ev.JackpotAdjusted("bad-beat", "main", -160, "miscounted at the cage", FLOOR, 100_160, 100_000),
        ev.JackpotAdjusted("bad-beat", "reserve", 60, "moved from table 4", FLOOR, 40, 100),
    ]
    assert (table.meter.adjusted, table.problems()) == (-100, [])


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (JackpotAdjust("bad-beat", " ", add=1), "no_reason"),
        (JackpotAdjust("bad-beat", "x"), "no_amount"),
        (JackpotAdjust("bad-beat", "x", add=1, take=1), "no_amount"),
        (JackpotAdjust("bad-beat", "x", take=100_161), "not_enough"),
        (JackpotAdjust("royal", "x", add=1), "no_such_jackpot"),
        (JackpotFee(1, True, "x"), "nothing_aside"),
    ],
)
def test_an_adjustment_is_refused_with_its_reason(body: JackpotAdjust | JackpotFee, why: str) -> None:
    table = JackpotTable(BAD_BEAT)
    table.play()
    before = table.kept
    assert table.refusal(body) == why
    assert table.kept == before


# The rules


def test_several_jackpots_share_a_fee_by_their_parts() -> None:
    table = JackpotTable(replace(BAD_BEAT, main=2, reserve=1), Jackpot("high-hand", main=1))
    table.play()
    meters = table.kept.meters
    assert (meters["bad-beat"].main, meters["bad-beat"].reserve, meters["high-hand"].main) == (100_100, 50, 50)
    assert divided(100, (Jackpot("a", main=1), Jackpot("b", main=2))) == {"a": (34, 0), "b": (66, 0)}


SHARE = Share("winner")


@pytest.mark.parametrize(
    ("jackpots", "place"),
    [
        ((Jackpot("a"), Jackpot("a")), (1, "name")),
        ((Jackpot("a", main=0),), (0, "main")),
        ((Jackpot("a", prizes=(Prize("p", "x", (SHARE,)), Prize("p", "x", (SHARE,)))),), (0, "prizes", 1, "name")),
        ((Jackpot("a", prizes=(Prize("p", " ", (SHARE,)),)),), (0, "prizes", 0, "qualifies")),
        ((Jackpot("a", prizes=(Prize("p", "x", (SHARE,), cents=0),)),), (0, "prizes", 0, "cents")),
        ((Jackpot("a", prizes=(Prize("p", "x", (SHARE, SHARE)),)),), (0, "prizes", 0, "shares", 1)),
        ((Jackpot("a", prizes=(Prize("p", "x", (Share("t", may_be_nobody=True),)),)),), (0, "prizes", 0, "shares")),
        *(
            ((Jackpot("a", prizes=(Prize("p", "x", (SHARE,), recognise=sign),)),), (0, "prizes", 0, "recognise"))
            for sign in (
                Recognised(),
                Recognised(rank=("pair",), cards="AA"),
                Recognised(rank=("quads",)),
                Recognised(cards="1"),
                Recognised(rank=("pair",), suits="suit"),
            )
        ),
    ],
)
def test_rules_that_nobody_could_pay_by_are_found(jackpots: tuple[Jackpot, ...], place: tuple[object, ...]) -> None:
    assert [where for where, _ in problems(jackpots)] == [place]


def test_good_rules_have_no_problems_and_are_printed_in_words() -> None:
    assert list(problems((BAD_BEAT,))) == []
    text = " ".join(in_words(BAD_BEAT))
    assert "80 parts of each jackpot fee to the meter, 20 to the reserve" in text
    assert "winner 3 of 4, table 1 of 4" in text and "$50.00" in text
    assert FEES[0].box == "jackpot"
