"""Pai gow poker: seven cards set in two hands, both against the player-dealer's.

script     Fortune Pai Gow Poker, from the first wager to the last envy bonus
options    what a ruleset and a table choose
piles      seven piles of seven, the dice, who gets which
setting    players set their hands, or ask for the house way; hands are opened
settling   two comparisons, the bonus, envy, from the action button
bonus      the best paid hand among seven cards

The house way itself is data of the ruleset, set by `controller.engine.house_way`.
"""

from controller.games.pai_gow.script import FortunePaiGow

__all__ = ["FortunePaiGow"]
