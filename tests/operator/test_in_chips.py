"""Amounts in the chips of a table: exact to the cent, or not at all."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from controller.operator.in_chips import in_chips
from controller.operator.settling import pay_and_take
from tests.engine.test_bot import Evening

CHIPS = st.sets(st.sampled_from([25, 50, 100, 200, 300, 500, 1000, 2500, 10_000]), min_size=1, max_size=6).map(tuple)


@given(st.integers(0, 12_000), CHIPS)
def test_the_chips_come_to_the_amount_whenever_they_can(cents: int, chips: tuple[int, ...]) -> None:
    made = in_chips(cents, chips)
    total = sum(one.cents * one.count for one in made)
    assert total == (cents if made else 0)
    if cents and not made:
        assert not _can_be_made(cents, chips)


def _can_be_made(cents: int, chips: tuple[int, ...]) -> bool:
    """By trying every sum, in the smallest unit of these chips."""
    if cents % 25:
        return False
    reachable = {0}
    for total in range(25, cents + 1, 25):
        if any(total - chip in reachable for chip in chips):
            reachable.add(total)
    return cents in reachable


@given(st.integers(0, 10**9))
def test_the_usual_chips_need_few_of_each_but_the_largest(dollars: int) -> None:
    made = {one.cents: one.count for one in in_chips(dollars * 100, (100, 500, 2500, 10_000))}
    assert made.get(100, 0) <= 4 and made.get(500, 0) <= 4 and made.get(2500, 0) <= 3


def test_pay_and_take_states_the_chips_of_a_house_that_lists_them() -> None:
    engine = Evening("bankers-pure-21-5-blackjack", 7).play(1).engine
    plain, listed = pay_and_take(engine), pay_and_take(engine, (100, 500, 2500, 10_000))
    assert plain is not None and listed is not None
    assert not any(step.chips for step in plain.steps)
    for step in listed.steps:
        if step.cents % 100 == 0:
            assert sum(chip.cents * chip.count for chip in step.chips) == step.cents
