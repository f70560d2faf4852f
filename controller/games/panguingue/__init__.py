"""Panguingue: ropes and squares of a pack of eight decks, conditions paid as they are laid.

options     what a ruleset may choose, what the floor sets
script      California Grand's game, card by card
reported    Turlock's game, where no card is read and the dealer reports the melds
rulings     irregularities of California Grand's game
settlement  tops and pays
facts       what is noted of a round beside its result
hand        the state of one hand, which script and rulings share
melds       what is a meld, what it is worth, what may be borrowed

Imports the engine, no other family.
"""
