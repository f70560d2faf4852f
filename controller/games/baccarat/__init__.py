"""Baccarat: two community hands and the third-card rule, which leaves almost no choice; what each room adds to them.

third_card           the third-card rule: points, naturals, who draws, who wins
options              what a ruleset may choose
facts                what is noted of a round beside its result
script               what the scripts of all baccarat games share
ez_script            EZ Baccarat Panda 8, and EZ Baccarat with an action button
century_script       21st Century Baccarat 9.0: a choice on five, the Royale Bonus of the first four cards
dragon_bonus_script  Commission-Free Baccarat with the Dragon Bonus
settlement           verdicts on wagers become the player-dealer's money
roads                bead plate, big road and the derived roads of a shoe

It imports the engine, and nothing of other games.
"""

from controller.games.baccarat.century_script import CenturyBaccarat, royale_row
from controller.games.baccarat.dragon_bonus_script import CommissionFreeBaccarat
from controller.games.baccarat.ez_script import EzBaccarat, EzPanda8, is_dragon_7, is_panda_8
from controller.games.baccarat.options import BaccaratOptions, DragonOptions, EzOptions, EzPanda8Options, RoyaleOptions
from controller.games.baccarat.script import LINES, Baccarat
from controller.games.baccarat.third_card import POINTS, banker_draws, is_natural, player_draws, total, winner

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
