"""Poker for a pot: a game is streets, a betting structure, a deck, rankings and rulings put together
(docs/compliance/poker.md).

core     what all pot games share
board    hold'em, Omaha, Pineapple: hole cards and community cards
stud     seven-card stud, high, low and high-low
draw     draw poker, jacks or better, lowball, triple draw
mexican  Mexican Poker (stud) and Mexican Poker as played in Salinas (draw)

The same file name means the same thing in each of them:

options   what a ruleset may choose, and what its sheet fixes
script    how a hand is played, a class for each ruleset name (controller/games/__init__.py)
hand      one hand while it is played: seats, chips, cards, what the rulings change
rulings   what a room rules when something goes wrong: exposed cards, misdeals, dead hands
showdown  who shows, who wins which pot

A sub-package imports the engine and `core`; `mexican` also imports `draw`.
"""
