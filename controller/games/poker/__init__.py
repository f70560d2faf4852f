"""Poker for a pot: a game is streets, a betting structure, a deck, rankings and rulings put together.

options      what a ruleset may choose and what its sheet fixes
settings     what is posted on a table: structure, blinds, stacks, a kill
hand         one hand as it goes: seats, chips, board, what the rulings change
posting      antes and blinds, straddles, blinds made up, kills, before the first card
streets      a street: cards, then a betting round
rulings      cards turned too early or too many: what the sheets say
showdown     who shows, who wins which pot
kills        killed stakes, and who must kill the next hand
board_games  hold'em, and what else is played with a board
structures   legal choices alone: the sheet of California Grand's betting structures
"""

from controller.games.poker.board_games import BoardPoker, TexasHoldem
from controller.games.poker.structures import BettingStructures

__all__ = ["BettingStructures", "BoardPoker", "TexasHoldem"]
