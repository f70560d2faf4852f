"""Hits: the table proposes, the floor states, the meter is paid out and seeded again."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from controller.engine import events as ev
from controller.engine.inputs import Amended, AnyBody, Change, DropExplained, FloorAct
from controller.engine.jackpot.meters import Meter
from controller.engine.jackpot.recognise import Shown, is_recognised, shown_hands
from controller.engine.jackpot.rules import Recognised, Whose
from controller.engine.jackpot_inputs import JackpotAdjust, JackpotFee, JackpotHit, JackpotNotHit
from tests.support.running.drops import GRACE_S
from tests.support.running.jackpot_table import BAD_BEAT, FLOOR, JackpotTable


def test_a_hit_is_paid_by_shares_rounded_down_and_seeded_from_the_reserve() -> None:
    table = JackpotTable(BAD_BEAT)
    table.play()
    events = table.hit()
    assert events == [
        ev.JackpotWasHit("bad-beat", "natural", 1, "9h Tc", {"winner": (1,), "table": (2, 8)}, "seen on video", FLOOR),
        ev.JackpotPaid(
            "bad-beat",
            "natural",
            1,
            100_100,
            (ev.PaidShare("winner", (1,), 75_100, 75_100), ev.PaidShare("table", (2, 8), 12_500, 25_000)),
            100_160,
            60,
        ),
        ev.JackpotReseeded("bad-beat", 40, 0, 60, 100, 40, 0, 99_900),
    ]
    assert table.meter == Meter(100, 0, 100_000, 200, 100_100)
    assert table.problems() == []


def test_the_house_seeds_the_rest_where_its_rules_say_so() -> None:
    table = JackpotTable(replace(BAD_BEAT, seed_from="reserve_then_house"))
    table.play()
    (reseeded,) = [one for one in table.hit() if isinstance(one, ev.JackpotReseeded)]
    assert (reseeded.from_reserve, reseeded.from_house, reseeded.after, reseeded.short) == (40, 99_900, 100_000, 0)
    assert (table.meter.seeded, table.problems()) == (199_900, [])


def test_a_share_that_nobody_gets_stays_in_the_meter() -> None:
    table = JackpotTable(BAD_BEAT)
    table.play()
    (paid,) = [one for one in table.hit(seats={"winner": (1,)}) if isinstance(one, ev.JackpotPaid)]
    assert (paid.cents, paid.after) == (75_100, 25_060)


def test_a_fixed_prize_is_at_most_what_is_in_the_meter() -> None:
    table = JackpotTable(replace(BAD_BEAT, seed=3_000))
    table.play()
    (paid,) = [one for one in table.hit(prize="small", seats={"winner": (1,)}) if isinstance(one, ev.JackpotPaid)]
    assert (paid.before, paid.cents, paid.after) == (3_160, 3_100, 60)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"jackpot": "royal"}, "no_such_jackpot"),
        ({"prize": "royal"}, "no_such_prize"),
        ({"round": 2}, "round_not_kept"),
        ({"hand": " "}, "no_hand"),
        ({"reason": ""}, "no_reason"),
        ({"seats": {}}, "no_seat"),
        ({"seats": {"winner": (3,)}}, "no_such_seat"),
        ({"seats": {"winner": (1, 1)}}, "seat_twice"),
        ({"seats": {"winner": (1,), "loser": (2,)}}, "no_such_share"),
    ],
)
def test_a_hit_is_refused_with_its_reason(given: dict[str, Any], why: str) -> None:
    table = JackpotTable(BAD_BEAT)
    table.play()
    before = table.kept
    number = given.pop("round", 1)
    (refused,) = table.hit(number, **given)
    assert isinstance(refused, ev.Refused) and (refused.what, refused.why) == ("jackpot_hit", why)
    assert table.kept == before


def test_the_same_prize_is_not_paid_twice_for_one_round() -> None:
    table = JackpotTable(BAD_BEAT)
    table.play()
    table.hit()
    (refused,) = table.hit()
    assert isinstance(refused, ev.Refused) and refused.why == "hit_before"


def test_a_running_or_void_round_cannot_be_a_hit() -> None:
    table = JackpotTable(BAD_BEAT)
    table.bet()
    (refused,) = table.hit()
    assert isinstance(refused, ev.Refused) and refused.why == "round_running"
    table.do(FloorAct("void", "fouled deck"), by=FLOOR)
    (refused,) = table.hit()
    assert isinstance(refused, ev.Refused) and refused.why == "round_void"


def test_without_a_fee_nobody_is_eligible() -> None:
    table = JackpotTable(BAD_BEAT, waiver="before_first_card")
    table.bet()
    table.do(FloorAct("waive", "dead spread"), by=FLOOR)
    table.deal()
    (refused,) = table.hit()
    assert isinstance(refused, ev.Refused) and refused.why == "no_fee"
    free = JackpotTable(replace(BAD_BEAT, needs_fee=False), waiver="before_first_card")
    free.bet()
    free.do(FloorAct("waive", "dead spread"), by=FLOOR)
    free.deal()
    assert any(isinstance(one, ev.JackpotPaid) for one in free.hit())


def test_a_hit_may_be_stated_while_the_next_hand_is_dealt_and_survives_its_correction() -> None:
    table = JackpotTable(BAD_BEAT)
    table.play()
    table.bet()
    table.hit(1)
    table.deal()
    paid = table.meter.paid
    assert paid
    change = Change(0, {"kind": "wager", "place": 1, "wager": "player_line", "cents": 10_000})
    table.do(Amended(2, (change,), "miskeyed"), by=FLOOR)
    assert (table.meter.paid, table.contributed()[-1], table.problems()) == (paid, (2, "corrected", -100), [])


def test_a_hit_may_be_stated_for_one_of_the_last_twenty_rounds() -> None:
    table = JackpotTable(BAD_BEAT)
    for _ in range(21):
        table.play()
    (refused,) = table.hit(1)
    assert isinstance(refused, ev.Refused) and refused.why == "round_not_kept"
    assert any(isinstance(one, ev.JackpotPaid) for one in table.hit(2))


# Proposals


def test_the_table_proposes_a_hand_and_pays_nothing() -> None:
    table = JackpotTable(BAD_BEAT)
    table.play()
    assert not table.all(ev.JackpotProposed)  # the hand "player" of baccarat is nobody's seat
    assert table.meter.paid == 0


SEAT_3 = Shown("3", 3, ("Kh", "Kd"), (("four_of_a_kind", "K"),), "lose")


@pytest.mark.parametrize(
    ("sign", "hand", "is_it"),
    [
        (Recognised("loser", rank=("four_of_a_kind",)), SEAT_3, True),
        (Recognised("loser", rank=("four_of_a_kind", "A")), SEAT_3, False),
        (Recognised("loser", rank=("full_house", "A", "T")), SEAT_3, True),
        (Recognised("winner", rank=("four_of_a_kind",)), SEAT_3, False),
        (Recognised("player_dealer", rank=("four_of_a_kind",)), SEAT_3, False),
        (Recognised("player", rank=("four_of_a_kind",)), SEAT_3, True),
        (Recognised(rank=("straight",)), Shown("1", 1, ("2h", "3c", "4d"), (("straight", "4"),)), True),
        (Recognised(rank=("straight",)), Shown("1", 1, ("2h", "3c"), (("straight", "4"),)), False),
        (Recognised(rank=("pair",)), Shown("1", 1, ("Ah", "Kd"), (("pure",),)), False),
        (Recognised(rank=("pair", "9")), Shown("1", 1, (), (("high_card", "K"), ("pair", "9", "5"))), True),
        (Recognised(cards="678"), Shown("1", 1, ("8h", "6c", "7d")), True),
        (Recognised(cards="678", suits="suit"), Shown("1", 1, ("8h", "6h", "7d")), False),
        (Recognised(cards="678", suits="suit"), Shown("1", 1, ("8h", "6h", "7h")), True),
        (Recognised(cards="678", suits="colour"), Shown("1", 1, ("8h", "6d", "7h")), True),
        (Recognised(cards="678", suits="colour"), Shown("1", 1, ("8h", "6s", "7h")), False),
        (Recognised(cards="78"), Shown("1", 1, ("8h", "6s", "7h")), False),
    ],
)
def test_a_hand_is_recognised_by_its_rank_or_its_cards(sign: Recognised, hand: Shown, is_it: bool) -> None:
    assert is_recognised(sign, hand) is is_it


def test_hands_that_are_nobodys_or_hide_a_card_are_not_looked_at() -> None:
    hands: dict[str, list[Any]] = {
        "board": ["Ah"],
        "2": ["Kh", None],
        "3.2": ["8h"],
        "player_dealer": ["8d"],
        "discards": ["2c"],
    }
    found = list(shown_hands(hands, {"3.2": ["pair", "8"]}, {3: "win"}, 8))
    assert [(one.owner, one.seat, one.ranks) for one in found] == [
        ("3.2", 3, (("pair", "8"),)),
        ("player_dealer", 8, ()),
    ]


@pytest.mark.parametrize("whose", ["anybody", "player", "player_dealer", "winner", "loser"])
def test_every_kind_of_hand_is_answered(whose: Whose) -> None:
    assert is_recognised(Recognised(whose, rank=("pair",)), SEAT_3) in (True, False)


# Any day

ACTS: dict[str, Any] = {
    "play": lambda table: table.play(),
    "small": lambda table: (table.bet(10_000), table.deal()),
    "void": lambda table: (table.bet(), table.do(FloorAct("void", "fouled deck"), by=FLOOR)),
    "hit": lambda table: table.hit(),
    "hit small": lambda table: table.hit(prize="small", seats={"winner": (2,)}),
    "wait": lambda table: table.wait(GRACE_S),
    "drop": lambda table: table.drop(1, "jackpot"),
    "correct": lambda table: _correct(table, 10_000),
    "correct up": lambda table: _correct(table, 30_000),
    "reopen": None,
    "cancel": lambda table: table.do(DropExplained("jackpot", "given back", owed=False), by=FLOOR),
    "cancel last": lambda table: table.do(
        DropExplained("jackpot", "given back", table.engine.round_number, owed=False), by=FLOOR
    ),
}
STATED: list[AnyBody] = [
    JackpotAdjust("bad-beat", "counted", add=777),
    JackpotAdjust("bad-beat", "counted", take=500),
    JackpotAdjust("bad-beat", "counted", take=30, pool="reserve"),
    *(JackpotFee(number, kept, "decided") for number in (1, 2, 3) for kept in (True, False)),
    *(JackpotNotHit("bad-beat", "natural", number, "one card is missing") for number in (1, 2)),
    JackpotHit("bad-beat", "natural", 1, "nine", {"winner": (1, 2)}, "late"),
]


def _correct(table: JackpotTable, cents: int) -> None:
    change = Change(0, {"kind": "wager", "place": 1, "wager": "player_line", "cents": cents})
    table.do(Amended(table.engine.round_number, (change,), "miskeyed"), by=FLOOR)


def _reopen(table: JackpotTable) -> None:
    """The last card was not dealt, and is dealt now."""
    if table.engine.last is not None and not table.engine.is_dealing:
        last = len(table.engine.last.inputs) - 1
        table.do(Amended(table.engine.round_number, (Change(last, None),), "it was not dealt"), by=FLOOR)
        if table.engine.is_dealing:
            assert table.problems() == []
            table.deal()


@settings(max_examples=120)
@given(
    st.lists(st.sampled_from(sorted(ACTS)) | st.sampled_from(STATED), max_size=14),
    st.sampled_from(["kept", "floor_decides", "returned"]),
    st.booleans(),
)
def test_the_meter_is_always_seeds_and_fees_less_payouts(acts: list[Any], on_void: str, is_ruled: bool) -> None:
    table = JackpotTable(*((BAD_BEAT,) if is_ruled else ()), on_void=on_void)
    for act in acts:
        if isinstance(act, str):
            (_reopen if act == "reopen" else ACTS[act])(table)
        else:
            table.do(act, by=FLOOR)
        assert table.problems() == [], act
    due = sum(one.cents for one in table.all(ev.FeeChanged) if one.box == "jackpot")
    assert table.engine.state.all_fees_due.get("jackpot", 0) == due
    for name, meter in table.kept.meters.items():
        added = sum(one.cents for one in table.all(ev.JackpotContributed) if one.jackpot == name)
        paid = sum(one.cents for one in table.all(ev.JackpotPaid) if one.jackpot == name)
        adjusted = sum(one.cents for one in table.all(ev.JackpotAdjusted) if one.jackpot == name)
        assert (meter.contributed, meter.paid, meter.adjusted) == (added, paid, adjusted)
