"""Which oracle settles which rulesets, and what a table may have chosen there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.oracles import baccarat, blackjack, caribbean, poker, three_card, tiles, ultimate
from tests.oracles.played import Played, Settled

Oracle = Callable[[Played], Settled]
Options = dict[str, Any]

FAMILIES: dict[str, tuple[Oracle, dict[str, list[Options]]]] = {
    "baccarat": (
        baccarat.settle,
        {
            "bankers-ez-baccarat-panda-8": [{}, {"banker_three_card_seven": "push"}],
            "village-ez-baccarat": [{}, {"banker_three_card_seven": "pay"}],
            "village-21st-century-baccarat-9-0": [{}],
            "turlock-commission-free-baccarat-dragon-bonus": [{}],
        },
    ),
    "blackjack": (
        blackjack.settle,
        {
            "bankers-pure-21-5-blackjack": [{}, {"pure_pays": "3:2", "insurance": True}, {"pd_888": "win"}],
            "turlock-pure-21-5-blackjack": [{}, {"pure_pays": "3:2", "insurance": True, "double_on_must_stand": True}],
            "bankers-pure-spanish-21-5": [{}, {"double_double": True}],
            "turlock-pure-spanish-21-5": [{}, {"double_double": True, "double_on_must_stand": False}],
            "calgrand-hot-action-blackjack": [{}],
            "calgrand-buster-blackjack": [{}],
            "bankers-buster-blackjack": [{}, {"base_game": "pure-spanish-21-5"}],
            "village-buster-blackjack": [{}, {"base_game": "village-no-bust-blackjack-6-0"}],
            "village-21st-century-blackjack": [{}],
            "village-no-bust-blackjack-4-0": [{}],
            "village-no-bust-blackjack-6-0": [{}],
            "village-no-bust-blackjack-joker": [{}],
        },
    ),
    "three-card": (
        three_card.settle,
        {
            "bankers-three-card-poker": [{}],
            "bankers-three-card-poker-6-card-bonus": [{}],
            "calgrand-three-card-poker": [{}],
            "calgrand-three-card-poker-1-3": [{}],
            "turlock-three-card-poker": [{}],
            "turlock-three-card-poker-6-card-bonus": [
                {"six_card_three_of_a_kind": 7},
                {"six_card_three_of_a_kind": 6},
            ],
            "turlock-three-card-holdem": [{}, {"deal_device": "shuffler", "button_card": "communal_3"}],
        },
    ),
    "ultimate": (
        ultimate.settle,
        {
            "bankers-ultimate-texas-holdem": [{}, {"deal_device": "shoe"}],
            "turlock-ultimate-texas-holdem": [{}, {"deal_device": "shoe", "trips_on_fold": "full_hand"}],
        },
    ),
    "caribbean": (
        caribbean.settle,
        {"calgrand-caribbean-stud-poker": [{}], "village-caribbean-stud": [{}]},
    ),
    "tiles": (
        tiles.settle,
        {
            "calgrand-pai-gow-tiles": [{}, {"gee_joon_semi_wild": True}],
            "bankers-pai-gow-tiles": [{}, {"gee_joon_semi_wild": False}],
        },
    ),
    "poker": (poker.settle, {sheet: [{}] for sheet in poker.SHEETS}),
}
"""By family: the oracle, and by ruleset the choices of its tables that the oracle knows."""
