"""Hand histories in the PHH format (poker hand history, phh.readthedocs.io) and what we do with them.

history    a hand as a PHH file tells it
convert    the same hand as inputs for our table
our_table  dealt there; `python -m tests.phh.our_table FOLDER` replays a public collection
make       hands that our own bot played, written as PHH: `python -m tests.phh.make`

`made-by-us.phhs` is what `make` wrote. No hand of anybody else is kept here; the benchmarks read public collections
from a folder that they are given.
"""
