"""Baccarat: two community hands, drawing rules that leave almost no choice, and what each room hangs on them.

options       what a ruleset lets a table choose
drawing       points, third cards, winner: the rules on points alone, shared by scripts and enumerations
dealing       what scripts are put together from: the burn of a fresh shoe, wagers, third cards, the outcome
settling      verdicts become money
round         what every baccarat game shares: its deck, the wagers it offers, the board
ez            EZ Baccarat: Panda 8 (bankers), and with the pushed three-card seven (village)
ez_scripts    how these two are dealt and settled
royale        21st Century Baccarat 9.0: hit line, stand line, the Royale Bonus of the first four cards
dragon_bonus  Commission-Free Baccarat with the Dragon Bonus
"""

from controller.games.baccarat.dragon_bonus import CommissionFreeBaccarat, DragonOptions
from controller.games.baccarat.drawing import POINTS, banker_draws, is_natural, player_draws, total, winner
from controller.games.baccarat.ez import (
    EzBaccarat,
    EzPanda8,
)
from controller.games.baccarat.ez_scripts import is_dragon_7, is_panda_8
from controller.games.baccarat.options import BaccaratOptions, EzOptions, EzPanda8Options
from controller.games.baccarat.round import LINES, Baccarat
from controller.games.baccarat.royale import CenturyBaccarat, RoyaleOptions, royale_row

__all__ = [
    "LINES",
    "POINTS",
    "Baccarat",
    "BaccaratOptions",
    "CenturyBaccarat",
    "CommissionFreeBaccarat",
    "DragonOptions",
    "EzBaccarat",
    "EzOptions",
    "EzPanda8",
    "EzPanda8Options",
    "RoyaleOptions",
    "banker_draws",
    "is_dragon_7",
    "is_natural",
    "is_panda_8",
    "player_draws",
    "royale_row",
    "total",
    "winner",
]
