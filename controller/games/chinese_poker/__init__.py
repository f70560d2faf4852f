"""Chinese Poker: thirteen cards in three hands, points between every two players.

options     what a ruleset may choose, what the floor sets
script      the game: the order of its steps
hand        the steps of one round
rulings     irregularities
settlement  points, and the money that they become
facts       what is noted of a round beside its result
hands       segments, their order, clean sweeps and bonuses

Imports the engine, no other family.
"""
