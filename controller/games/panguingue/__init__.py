"""Panguingue: ropes and squares of a pack of eight decks, conditions paid as they are laid.

melds    what is a meld, what it is worth, what may be borrowed
chips    tops and pays
hand     one hand as it goes
script   California Grand's game, card by card
rulings  its irregularities
told     Turlock's game, where no card is read
"""

from controller.games.panguingue.script import Panguingue
from controller.games.panguingue.told import ToldPanguingue

__all__ = ["Panguingue", "ToldPanguingue"]
