"""What cards count and which hand beats which, computed by the functions that decide it at the table.

ranking    charts of poker hands, qualifiers, the joker
baccarat   points, the third-card table
blackjack  counts, naturals, charts, what may be split
pai_gow    two hands, tiles, the dice
others     Chinese Poker, Panguingue
button     which position a card or the dice point at

`card_tables` picks them by the game; a game of a new family needs its own here, or its packet has no ranking.
"""

from __future__ import annotations

from typing import Any

from controller.engine.round.game import Game
from controller.games.ante.caribbean_stud.options import CaribbeanOptions
from controller.games.ante.three_card_holdem.options import ThreeCardHoldemOptions
from controller.games.ante.three_card_poker.options import ThreeCardOptions
from controller.games.ante.ultimate_holdem.options import UthOptions
from controller.games.baccarat.options import BaccaratOptions
from controller.games.blackjack.buster_game import BusterRules
from controller.games.blackjack.options import BlackjackRules
from controller.games.chinese_poker.options import ChineseOptions
from controller.games.pai_gow.options import PaiGowOptions
from controller.games.pai_gow_tiles.options import TileOptions
from controller.games.panguingue.options import PanOptions
from controller.games.poker.core.script import Poker
from controller.packet.document import Block
from controller.packet.tables import baccarat, blackjack, button, others, pai_gow, ranking


def card_tables(game: Game[Any], options: Any) -> list[Block]:
    """Everything that decides a hand of this game."""
    match options:
        case BaccaratOptions():
            return [*baccarat.tables(game, options), *button.of_baccarat(game, options)]
        case BusterRules():
            return card_tables(options.base.game, options.base.options)
        case BlackjackRules():
            return [*blackjack.tables(game, options), *button.of_blackjack(options)]
        case CaribbeanOptions():
            return [*ranking.of_caribbean(options), *button.of_caribbean(options)]
        case ThreeCardHoldemOptions():
            return ranking.of_three_card_holdem()
        case ThreeCardOptions():
            return [*ranking.of_three_card_poker(options), *button.of_three_card_poker(options)]
        case UthOptions():
            return ranking.of_ultimate_holdem()
        case PaiGowOptions():
            return [*pai_gow.tables(options), *button.of_pai_gow(options)]
        case TileOptions():
            return [*pai_gow.tile_tables(options), *button.of_tiles()]
        case ChineseOptions():
            return others.chinese_poker(options)
        case PanOptions():
            return others.panguingue(options)
    if isinstance(game, Poker):
        return ranking.of_poker(game, options)
    return []
