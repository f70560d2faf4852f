"""The games: one module per family, each game a script on the kernel.

ante             what ante-and-decide games share
baccarat         drawing rules, EZ Baccarat Panda 8
roads            bead plate, big road and the derived roads of a shoe
ultimate_holdem  Ultimate Texas Hold'em
"""

from __future__ import annotations

from typing import Any

from controller.engine.game import Game
from controller.games.baccarat import EzBaccarat
from controller.games.ultimate_holdem import UltimateHoldem

GAMES: dict[str, Game[Any]] = {game.slug: game for game in (EzBaccarat(), UltimateHoldem())}
"""Every game there is, by the name that rulesets use."""
