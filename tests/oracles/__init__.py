"""A second settlement of every family, written from the cardrooms' sheets in the plainest Python, to be compared with
the engine's.

An oracle is given what happened at the table (`played.Played`): wagers, cards in the order in which they left the deck,
acts. It deals the cards again by itself, decides who won, and moves the money. It is slow, knows one table at a time,
writes out what a sheet prints, and shares no code with the program: `tests/architecture` holds this folder to the
standard library. What the sheet leaves open it settles by the reading that the ruleset names.

`registry` has the families and their rulesets. `tests/support/games/differential.py` plays and compares, in
`make test` a few rounds of each ruleset, by `make differential` any number.
"""
