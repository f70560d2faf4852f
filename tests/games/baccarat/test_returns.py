"""What the side bets of the baccarat games give back: every deal of eight decks counted, against published figures."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import factorial

import pytest

from controller.games.baccarat.options import RoyaleOptions
from controller.rules import load
from controller.rules.coups import Coup, WagerReturn, every_coup, royale_ways
from controller.rules.returns import returns
from tests.support.games.baccarat_tables import CENTURY, DRAGON, VILLAGE_EZ

EIGHT_DECKS = 4_998_398_275_503_360
"""Ordered draws of six cards from 416."""

# The published table of the bet, in ordered draws: win by four to nine points without a natural, then a natural winner.
PLAYER_DRAGON = {
    9: 18_409_431_764_992,
    8: 34_097_645_543_424,
    7: 89_590_261_473_280,
    6: 141_238_897_317_888,
    5: 166_169_165_987_840,
    4: 186_780_352_174_080,
}
BANKER_DRAGON = {
    9: 15_390_342_909_952,
    8: 28_305_092_784_128,
    7: 79_517_099_278_336,
    6: 119_200_072_366_080,
    5: 157_275_882_332_160,
    4: 201_147_167_287_296,
}
NATURAL_WINNER = 812_685_054_124_032
NATURAL_TIE = 89_325_908_267_520


@cache
def wagers(slug: str, **options: str) -> dict[str, WagerReturn]:
    ruleset = load(slug)
    found = returns(ruleset.game, ruleset.options(options))
    assert found is not None
    return {wager.wager: wager for wager in found.wagers}


def is_natural(coup: Coup) -> bool:
    return coup.player_cards == coup.banker_cards == 2 and max(coup.player, coup.banker) >= 8


@pytest.mark.parametrize(("sign", "published"), [(1, PLAYER_DRAGON), (-1, BANKER_DRAGON)])
def test_every_row_of_the_dragon_bonus_comes_as_often_as_published(sign: int, published: dict[int, int]) -> None:
    rows = dict.fromkeys(published, 0)
    naturals = ties = 0
    for coup, _, ways in every_coup(8):
        by = sign * (coup.player - coup.banker)
        if is_natural(coup):
            naturals += ways * (by > 0)
            ties += ways * (by == 0)
        elif by in rows:
            rows[by] += ways
    assert rows == published
    assert (naturals, ties) == (NATURAL_WINNER, NATURAL_TIE)


@pytest.mark.parametrize(("wager", "published"), [("player_dragon", PLAYER_DRAGON), ("banker_dragon", BANKER_DRAGON)])
def test_the_dragon_bonus_returns_what_its_table_says(wager: str, published: dict[int, int]) -> None:
    pays = {4: 1, 5: 2, 6: 4, 7: 6, 8: 10, 9: 30}
    wins = sum(published.values()) + NATURAL_WINNER
    won = sum(pays[by] * ways for by, ways in published.items()) + NATURAL_WINNER
    lost = EIGHT_DECKS - wins - NATURAL_TIE
    found = wagers(DRAGON)[wager]
    assert (found.wins, found.ways) == (wins, EIGHT_DECKS)
    assert found.edge == Fraction(lost - won, EIGHT_DECKS)


def test_the_better_row_for_naturals_gives_the_players_an_edge() -> None:
    """Reading A1 matters: a natural winner paid by points is a bet that no bank can afford."""
    assert wagers(DRAGON)["player_dragon"].edge > 0
    assert wagers(DRAGON, dragon_natural="best")["player_dragon"].edge < 0


def test_half_pay_on_a_banker_six_is_the_commission() -> None:
    """1.4581 %, as the game is published."""
    assert round(float(100 * wagers(DRAGON)["banker_line"].edge), 4) == 1.4581


def test_the_village_game_returns_what_ez_baccarat_does() -> None:
    """1.0183 % on the banker line and 7.6113 % on the Dragon 7, as published; a tie at nine to one keeps 4.8440 %."""
    found = wagers(VILLAGE_EZ)
    edges = {name: round(float(100 * wager.edge), 4) for name, wager in found.items()}
    assert edges == {"player_line": 1.2351, "banker_line": 1.0183, "tie": 4.844, "dragon_7": 7.6113}
    assert found["dragon_7"].wins == 112_633_011_329_024


def test_a_five_percent_commission_keeps_one_percent_on_the_dealer_line() -> None:
    """1.0579 %, as baccarat is published; the player line is left out, since its bettors decide."""
    found = wagers(CENTURY)
    assert round(float(100 * found["dealer_line"].edge), 4) == 1.0579
    assert "player_line" not in found


def test_every_row_of_the_royale_bonus_is_counted() -> None:
    """Against what can be counted by hand: n decks hold 4n of a rank and n of a card."""
    options = load(CENTURY).options()
    assert isinstance(options, RoyaleOptions)
    of_a_rank, four_in_any_order = 32, factorial(4)
    # One hand holds the pair; the other, of the 414 cards left, none.
    rest = 414 * 413 - 30 * 29 - 12 * of_a_rank * 31
    assert royale_ways(options) == {
        "royal_flush": 4 * four_in_any_order * 8**4,
        "straight_flush": 10 * 4 * four_in_any_order * 8**4,
        "four_of_a_kind": 13 * 32 * 31 * 30 * 29,
        "two_pair": 78 * 6 * (of_a_rank * 31) ** 2,
        "pair_suited": 2 * rest * 52 * 8 * 7,
        "pair_same_color": 2 * rest * 52 * 8 * 8,
        "pair": 2 * rest * 52 * 8 * 16,
        "none": 24_961_744_896,
    }


def test_the_royale_bonus_as_printed_is_the_players_bet() -> None:
    """Worth knowing before go-live: two identical cards come often in eight decks, and the approval pays them 12:1."""
    found = wagers(CENTURY)["royale_bonus"]
    assert round(float(100 * found.edge), 4) == -11.7497
    assert found.ways == 416 * 415 * 414 * 413
