"""The player-dealer's money: each cent pays or collects once."""

from __future__ import annotations

import pytest

from controller.engine.money.bank import OddCents, Odds, Rounding, Settlement


def test_what_is_paid_and_what_is_collected_both_use_the_cover() -> None:
    bank = Settlement([1000])
    assert (bank.lose(1, "ante", 400), bank.win(2, "ante", 500), bank.lose(3, "ante", 300)) == (400, 500, 100)
    assert (bank.bank_net, bank.cover_left) == (0, 0)
    assert bank.net == {1: {"ante": -400}, 2: {"ante": 500}, 3: {"ante": -100}}
    assert bank.uncovered == {3: {"ante": 200}}
    assert bank.win(4, "ante", 1) == 0


def test_the_spots_of_the_bank_are_used_one_after_the_other() -> None:
    bank = Settlement([100, 300, 50])
    assert bank.win(1, "main", 250) == 250
    assert bank.bank_net_by_spot == [-100, -150, 0]
    assert bank.cover_left == 200
    assert bank.lose(2, "main", 170) == 170
    assert bank.bank_net_by_spot == [-100, 0, 20]
    assert bank.lose(2, "main", 100) == 30
    assert (bank.bank_net, bank.cover_left) == (-50, 0)
    assert bank.net[2] == {"main": -200}
    assert bank.uncovered == {2: {"main": 70}}


def test_a_bet_of_exactly_the_cover_is_covered() -> None:
    bank = Settlement([500, 10])
    assert bank.lose(1, "main", 500) == 500
    assert (bank.bank_net_by_spot, bank.cover_left, bank.uncovered) == ([500, 0], 10, {})


def test_without_a_bank_everything_is_covered() -> None:
    bank = Settlement(None)
    assert (bank.win(1, "main", 700), bank.lose(2, "main", 100)) == (700, 100)
    assert (bank.bank_net, bank.cover_left, bank.bank_net_by_spot, bank.uncovered) == (-600, None, [-600], {})


def test_a_new_allowance_is_the_whole_money_again() -> None:
    bank = Settlement([100, 200])
    bank.lose(1, "main", 250)
    bank.renew()
    assert bank.cover_left == 300
    assert bank.win(2, "main", 280) == 280
    assert bank.bank_net_by_spot == [0, -30]


def test_a_push_moves_nothing_and_is_in_the_order() -> None:
    bank = Settlement([100])
    bank.push(1, "main")
    bank.push(1, "envy", listed=False)
    bank.win(2, "main", 10, listed=False)
    bank.lose(3, "main", 10, listed=False)
    bank.lose(4, "main", 10)
    assert bank.order == [(1, "main"), (4, "main")]
    assert (bank.cover_left, bank.net[1]) == (70, {"main": 0, "envy": 0})


def test_one_wager_of_several_players_is_divided_with_odd_cents_to_the_first() -> None:
    bank = Settlement([1000])
    bank.win(1, "kum_kum", 1001)
    bank.divide([1, "1.2", "1.3"])
    assert bank.net == {1: {"kum_kum": 334}, "1.2": {"kum_kum": 333}, "1.3": {"kum_kum": 333}}
    assert bank.uncovered == {1: {"kum_kum": 1}}
    assert bank.bank_net == -1000


def test_a_share_of_a_spot_changes_sides_and_is_not_listed() -> None:
    bank = Settlement([500, 500])
    bank.lose(1, "main", 800)
    bank.share(1, 7, "dai_su_2", 150)
    bank.share(0, 7, "dai_su_1", 100)
    assert bank.bank_net_by_spot == [400, 150]
    assert bank.net[7] == {"dai_su_2": 150, "dai_su_1": 100}
    assert bank.order == [(1, "main")]


@pytest.mark.parametrize(
    ("odds", "stake", "how", "unit", "pays"),
    [
        ("40:1", 25, "down", 100, 1000),
        ("3:2", 500, "down", 1, 750),
        ("3:2", 5, "down", 1, 7),
        ("3:2", 5, "up", 1, 8),
        ("3:2", 5, "nearest", 1, 8),
        ("6:5", 500, "up", 50, 600),
        ("6:5", 700, "down", 100, 800),
        ("6:5", 700, "nearest", 100, 800),
        ("6:5", 800, "nearest", 100, 1000),
        ("1:2", 300, "nearest", 100, 200),
        ("1:2", 100, "up", 100, 100),
        ("19:20", 100, "down", 1, 95),
        ("1:1", 150, "down", 100, 150),
    ],
)
def test_a_payoff_is_rounded_as_the_house_does(odds: str, stake: int, how: OddCents, unit: int, pays: int) -> None:
    assert Odds(odds).payoff(stake, Rounding(how, unit)) == pays


def test_odds_without_a_second_number_are_to_one() -> None:
    assert (Odds("8").payoff(300), Odds("8").against, repr(Odds("8:1"))) == (2400, 1, "Odds('8:1')")
