"""Hand histories in the PHH format (poker hand history, phh.readthedocs.io) and what we do with them.

history    a hand as a PHH file records it
convert    the same hand as inputs for our table
our_table  dealt there; `python -m tests.games.poker.phh.our_table FOLDER` replays a public collection
listening  a table that says whom it waits for: `stud`, `draw`
make       hands that our own bot played, written as PHH: `python -m tests.games.poker.phh.make`, and `make_stud_draw`
pokerkit_table  the same hands in PokerKit

`made-by-us.phhs` and `stud-and-draw-by-us.phhs` are what these wrote. No hand of anybody else is kept here; the
benchmarks read public collections from a folder that they are given.
"""
