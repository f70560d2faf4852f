"""Pots from amounts alone: what goes back, which pots there are, how one is divided."""

from __future__ import annotations

import pytest

from controller.engine.money.pots import NOBODY, Purse, halves, shares, side_pots, uncalled


def pots(live: dict[int, int], folded: set[int], dead: int = 0) -> list[tuple[int, tuple[int, ...]]]:
    return [(pot.cents, pot.seats) for pot in side_pots(live, folded, dead)]


# What nobody called


@pytest.mark.parametrize(
    ("live", "folded", "back"),
    [
        ({1: 300, 2: 100}, set(), {1: 200}),
        ({1: 100, 2: 300}, set(), {2: 200}),
        ({1: 100, 2: 300, 3: 200}, set(), {2: 100}),
        ({1: 300, 2: 100, 3: 200}, {3}, {1: 100}),
        ({1: 300, 2: 300}, set(), {}),
        ({1: 300, 2: 300, 3: 300}, {1}, {}),
        ({1: 500, 2: 300}, {1}, {}),
        ({1: 0, 2: 0}, set(), {}),
        ({1: 1, 2: 0}, set(), {1: 1}),
        ({1: 200, 2: 300, 3: 200}, {1, 3}, {2: 100}),
    ],
)
def test_what_a_live_seat_has_above_every_other_goes_back(
    live: dict[int, int], folded: set[int], back: dict[int, int]
) -> None:
    assert uncalled(live, folded) == back


def test_the_uncalled_part_leaves_the_pot_and_is_in_front_of_its_owner_again() -> None:
    purse = Purse([1, 2], {1: 1000, 2: 400})
    purse.put(1, 700)
    purse.put(2, 700)
    assert (purse.pot, purse.matched, purse.behind) == (1100, 800, {1: 300, 2: 0})
    assert purse.return_uncalled() == {1: 300}
    assert (purse.pot, purse.matched, purse.live) == (800, 800, {1: 400, 2: 400})
    assert purse.behind == {1: 600, 2: 0}
    assert purse.return_uncalled() == {}


# Side pots


def test_each_total_of_a_live_seat_closes_a_pot() -> None:
    live = {1: 100, 2: 300, 3: 600, 4: 600}
    assert pots(live, set()) == [(400, (1, 2, 3, 4)), (600, (2, 3, 4)), (600, (3, 4))]


def test_money_of_folded_seats_is_in_the_pots_that_it_reaches() -> None:
    assert pots({1: 100, 2: 50, 3: 300, 4: 300}, {2}) == [(350, (1, 3, 4)), (400, (3, 4))]
    assert pots({1: 100, 2: 200, 3: 300, 4: 300}, {2}) == [(400, (1, 3, 4)), (500, (3, 4))]


def test_what_a_folded_seat_has_above_the_last_total_is_in_the_last_pot() -> None:
    assert pots({1: 100, 2: 200, 3: 500}, {3}) == [(300, (1, 2)), (500, (2,))]


def test_dead_money_is_in_the_first_pot_only() -> None:
    assert pots({1: 100, 2: 200, 3: 200}, set(), 50) == [(350, (1, 2, 3)), (200, (2, 3))]


def test_the_last_hand_takes_everything() -> None:
    assert pots({1: 100, 2: 300, 3: 50}, {1, 3}, 7) == [(457, (2,))]


def test_a_seat_without_a_chip_in_has_no_pot_of_its_own() -> None:
    assert pots({1: 0, 2: 200, 3: 200}, set()) == [(400, (2, 3))]
    assert pots({1: 0, 2: 200, 3: 200}, set(), 30) == [(30, (1, 2, 3)), (400, (2, 3))]
    assert pots({1: 0, 2: 0}, set()) == [(0, (1, 2))]


# The purse


def test_nobody_puts_in_more_than_he_has() -> None:
    purse = Purse([3, 5], {3: 250})
    assert (purse.put(3, 400), purse.put(5, 400)) == (250, 400)
    assert (purse.behind, purse.live, purse.pot) == ({3: 0, 5: None}, {3: 250, 5: 400}, 650)
    assert purse.put(3, 100) == 0


def test_dead_money_is_counted_apart() -> None:
    purse = Purse([1, 2], {1: 500, 2: 500})
    purse.put(1, 100, dead=True)
    purse.put(1, 200)
    assert (purse.live[1], purse.dead[1], purse.total(1), purse.behind[1]) == (200, 100, 300, 200)
    purse.take_back(1, 40, dead=True)
    purse.take_back(1, 60)
    assert (purse.live[1], purse.dead[1], purse.total(1), purse.behind[1]) == (140, 60, 200, 300)
    assert purse.pot == 200


def test_money_of_an_earlier_deal_is_in_the_pot_and_in_front_of_nobody() -> None:
    purse = Purse([1, 2], {1: 500, 2: 500})
    purse.carry(1, 100)
    purse.carry(2, 30, dead=True)
    purse.carry_nobodys(40)
    purse.carry_nobodys(5)
    assert (purse.live, purse.dead, purse.pot) == ({1: 100, 2: 0}, {1: 0, 2: 30, NOBODY: 45}, 175)
    assert purse.behind == {1: 500, 2: 500}
    assert sum(pot.cents for pot in purse.pots()) == 175


def test_who_can_act() -> None:
    purse = Purse([1, 2, 3, 4], {1: 100, 2: 100, 3: 100})
    purse.put(1, 100)
    assert purse.able([1, 2, 3, 4]) == [2, 3, 4]
    purse.folded.add(2)
    purse.declared.add(3)
    assert [seat for seat in purse.seats if purse.can_act(seat)] == [4]
    assert purse.able([1, 2, 3, 4]) == [4]
    assert purse.contenders == [1, 3, 4]


def test_one_pot_where_all_live_hands_have_put_in_the_same() -> None:
    purse = Purse([1, 2, 3])
    purse.put(1, 300)
    purse.put(2, 300)
    purse.put(3, 100)
    purse.put(3, 20, dead=True)
    purse.folded.add(3)
    assert [(pot.cents, pot.seats) for pot in purse.pots()] == [(720, (1, 2))]
    purse.put(2, 50)
    assert [(pot.cents, pot.seats) for pot in purse.pots()] == [(720, (1, 2)), (50, (2,))]


def test_bets_in_front_of_the_seats_are_not_in_the_middle_yet() -> None:
    purse = Purse([1, 2])
    purse.put(1, 300)
    purse.put(2, 500)
    assert [(pot.cents, pot.seats) for pot in purse.gathered({1: 100, 2: 300})] == [(400, (1, 2))]
    assert purse.gathered({1: 300, 2: 500}) == []


# Shares


def test_odd_chips_go_to_the_first_or_one_to_each() -> None:
    assert shares(1100, [4, 1, 2], chip=100) == {4: 500, 1: 300, 2: 300}
    assert shares(1100, [4, 1, 2], chip=100, odd="one_each") == {4: 400, 1: 400, 2: 300}
    assert shares(1200, [4, 1, 2], chip=100, odd="one_each") == {4: 400, 1: 400, 2: 400}


def test_what_is_less_than_a_chip_is_the_first_winners() -> None:
    assert shares(1250, [4, 1, 2], chip=100) == {4: 450, 1: 400, 2: 400}
    assert shares(1150, [4, 1, 2], chip=100, odd="one_each") == {4: 450, 1: 400, 2: 300}
    assert shares(1150, [4, 1, 2]) == {4: 384, 1: 383, 2: 383}


@pytest.mark.parametrize(
    ("cents", "chip", "high", "low"), [(2500, 100, 1300, 1200), (2550, 100, 1350, 1200), (7, 1, 4, 3), (8, 1, 4, 4)]
)
def test_the_odd_chip_of_a_division_is_the_high_hands(cents: int, chip: int, high: int, low: int) -> None:
    assert halves(cents, chip) == (high, low)
    assert halves(9) == (5, 4)
