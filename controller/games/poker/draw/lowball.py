"""Lowball: five cards, one draw, the lowest hand wins; ace to five or deuce to seven.

Sheets: bankers-lowball-a5, bankers-lowball-27, calgrand-lowball-ace-to-five, calgrand-lowball-deuce-to-seven,
turlock-lowball.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from controller.engine.betting.rules import BetRound
from controller.engine.ranking import ACE_TO_FIVE, DEUCE_TO_SEVEN, High, Low
from controller.games.poker.core.rankings import Rankings
from controller.games.poker.core.streets import Street
from controller.games.poker.draw.draw import Draw, Hands
from controller.games.poker.draw.game import DrawGame
from controller.games.poker.draw.options import DrawOptions

CHARTS = {"ace_to_five": ACE_TO_FIVE, "deuce_to_seven": DEUCE_TO_SEVEN}


@lru_cache(maxsize=8)
def one_draw(*, check_before: bool, completes: bool = False) -> tuple[Street, ...]:
    """Low bets before the draw, high ones after it."""
    after = BetRound("after_draw", "high", nth=1, raise_by_previous=not check_before, complete=completes)
    return (
        Street(BetRound("before_draw", first=True, check=check_before), (Hands(5),)),
        Street(after, (Draw(),), "draw"),
    )


class Lowball(DrawGame[DrawOptions]):
    slug = "lowball"
    title = "Lowball"
    options_type = DrawOptions

    def streets(self, options: DrawOptions) -> Sequence[Street]:
        return one_draw(check_before=False, completes=options.completes)

    def rankings(self, options: DrawOptions) -> Rankings:
        return low_rankings(options)


def low_rankings(options: DrawOptions) -> Rankings:
    """The lowest hand, or the highest and the lowest; the same value for every hand of a ruleset."""
    jokers = bool(options.jokers or options.joker)
    return _low_rankings(options.variant, options.low, jokers, options.wild_cards, options.low_qualifier)


@lru_cache(maxsize=64)
def _low_rankings(variant: str, low: str, jokers: bool, wild: tuple[str, ...], qualifier: int | None) -> Rankings:
    high = High(jokers="wild" if wild else "bug" if jokers else "none") if variant == "high_low" else None
    return Rankings(high, Low(CHARTS[low], "low" if wild or jokers else "none"), qualifier=qualifier, wild=wild)
