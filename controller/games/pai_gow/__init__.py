"""Pai gow poker: seven cards set in two hands, both against the player-dealer's.

script     the game, from the first wager to the last envy bonus, plain and with Fortune
hand       one round: what lies where, who plays, who is asked
options    what a ruleset and a table choose: seven rooms, one script
piles      seven piles of seven, and who gets which
setting    players set their hands, or ask for the house way; hands are opened
settling   two comparisons, the bonus, envy, bets beside the bank, from the action button
rulings    exposed cards, foul hands and what else a room rules
bonus      the best paid hand among seven cards

The house way itself is data of the ruleset, set by `controller.engine.house_way`.
"""

from controller.games.pai_gow.script import FortunePaiGow, PaiGowPoker

__all__ = ["FortunePaiGow", "PaiGowPoker"]
