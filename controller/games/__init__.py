"""The games: one module per family, each game a script on the kernel.

ante             what ante-and-decide games share
baccarat         drawing rules, EZ Baccarat Panda 8
blackjack/       charts, splits, doubles and live busts; Pure 21.5 Blackjack
pai_gow/         piles, dice, two hands each, Fortune and envy; Fortune Pai Gow Poker
poker/           streets, betting, side pots, kills and rulings; Texas Hold'em
roads            bead plate, big road and the derived roads of a shoe
ultimate_holdem  Ultimate Texas Hold'em
"""

from __future__ import annotations

from typing import Any

from controller.engine.game import Game
from controller.games.baccarat import EzBaccarat
from controller.games.blackjack import PureBlackjack
from controller.games.pai_gow import FortunePaiGow
from controller.games.poker import BettingStructures, TexasHoldem
from controller.games.ultimate_holdem import UltimateHoldem

GAMES: dict[str, Game[Any]] = {
    game.slug: game
    for game in (
        EzBaccarat(),
        PureBlackjack(),
        FortunePaiGow(),
        UltimateHoldem(),
        TexasHoldem(),
        BettingStructures(),
    )
}
"""Every game there is, by the name that rulesets use."""
