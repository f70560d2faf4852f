"""Pai Gow Tiles: four tiles each, a low and a high hand against the player-dealer's.

options     what a ruleset may choose
script      the game: the order of its steps, by rows or by stacks
hand        the steps of one round
rulings     the dice cup, exposed tiles
settlement  hands compared, wagers settled
facts       what is noted of a round beside its result
tiles       the set, the ranks of two tiles
house_way   which pairs are split

Imports the engine and `games.banked`, no other family.
"""
