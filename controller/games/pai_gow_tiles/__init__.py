"""Pai Gow Tiles: four tiles each, a low and a high hand against the player-dealer's.

tiles      the set, the ranks of two tiles
house_way  which pairs are split
script     the round, by rows or by stacks
"""

from controller.games.pai_gow_tiles.script import PaiGowTiles

__all__ = ["PaiGowTiles"]
