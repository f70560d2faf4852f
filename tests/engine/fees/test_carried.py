"""A fee that a void hand left in the box counts for the hands that follow, until it is used up."""

from __future__ import annotations

from controller.engine import events as ev
from controller.engine.fees.banked import Charge
from controller.engine.fees.carried import Carried, Paid
from controller.engine.fees.round_fees import RoundFees
from controller.engine.fees.schedule import FeeRow, Schedule
from controller.engine.inputs import Place

ROWS = (FeeRow("player", "player_wager", 200),)
POSTED = Schedule("posted/1", ("ez-baccarat",), ROWS, "before_deal")
KEPT = Schedule("posted/2", ("ez-baccarat",), ROWS, "before_deal", on_void="kept")


def fee(cents: int, place: Place = 3, box: str = "collection", payer: str = "player") -> Charge:
    return Charge(payer, place, 0, cents, box, "regular", "before_deal")


def due(fees: RoundFees) -> int:
    return sum(charge.cents for charge in fees.owed)


def a_hand(carried: Carried, *charges: Charge) -> tuple[int, Carried]:
    """What is to be paid for a hand with these charges, and what is left of what was paid before."""
    fees = RoundFees([], carried)
    fees.owe(POSTED, charges)
    return due(fees), fees.carried


def test_what_was_paid_for_a_void_hand_is_used_up_hand_by_hand() -> None:
    left = Carried(paid=(Paid("player", 3, "collection", 500),))
    pays, left = a_hand(left, fee(200))
    assert (pays, left.paid) == (0, (Paid("player", 3, "collection", 300),))
    pays, left = a_hand(left, fee(200))
    assert (pays, left.paid) == (0, (Paid("player", 3, "collection", 100),))
    pays, left = a_hand(left, fee(200))
    assert (pays, left.paid) == (100, ())


def test_what_was_paid_exactly_is_used_up() -> None:
    assert a_hand(Carried(paid=(Paid("player", 3, "collection", 200),)), fee(200)) == (0, Carried())


def test_it_counts_for_the_same_payer_place_and_box_alone() -> None:
    before = Carried(paid=(Paid("player", 3, "collection", 200),))
    for charge in (fee(200, 4), fee(200, box="jackpot"), fee(200, payer="player_dealer")):
        assert a_hand(before, charge) == (200, before)


def test_of_two_payers_only_the_one_who_paid_is_spared() -> None:
    mine, others = Paid("player", 3, "collection", 300), Paid("player", 5, "collection", 100)
    pays, left = a_hand(Carried(paid=(others, mine)), fee(200, 3), fee(200, 4))
    assert (pays, left.paid) == (200, (others, Paid("player", 3, "collection", 100)))


def test_a_second_void_hand_leaves_what_the_first_has_left_too() -> None:
    fees = RoundFees([], Carried(paid=(Paid("player", 3, "collection", 100),)))
    fees.owe(KEPT, [fee(250)])
    fees.void()
    assert fees.carry(void=True).paid == (
        Paid("player", 3, "collection", 100),
        Paid("player", 3, "collection", 150),
    )


def test_a_free_collection_button_comes_before_money() -> None:
    events: list[ev.Event] = []
    before = Carried(free=(3,), paid=(Paid("player", 3, "collection", 200),))
    fees = RoundFees(events, before)
    fees.owe(POSTED, [fee(200)])
    assert (due(fees), fees.carried) == (0, before)
    assert fees.carry(void=False) == Carried()
