"""The games: one module per family, each game a script on the kernel.

ante             what ante-and-decide games share
baccarat/        drawing rules, EZ Baccarat twice, 21st Century Baccarat, Dragon Bonus
blackjack/       charts, splits, doubles and live busts; Pure 21.5 and Spanish, Hot Action, 21st Century, the Buster bet
caribbean_stud   five cards, call or fold; Caribbean Stud Poker
chinese_poker/   thirteen cards in three hands; Chinese Poker
pai_gow/         piles, dice, two hands each, Fortune and envy; Pai Gow Poker seven times
pai_gow_tiles/   rows or stacks of four; Pai Gow Tiles
panguingue/      ropes, squares and conditions; Panguingue twice
poker/           streets, betting, side pots, kills and rulings; hold'em, Omaha, Pineapple, stud, draw, lowball, Mexican
roads            bead plate, big road and the derived roads of a shoe
three_card_holdem  best three of five, bet or fold; 3 Card Hold'em
three_card_poker   play for the ante or fold; Three Card Poker six times
ultimate_holdem  Ultimate Texas Hold'em
"""

from __future__ import annotations

from typing import Any

from controller.engine.game import Game
from controller.games.baccarat import CenturyBaccarat, CommissionFreeBaccarat, EzBaccarat, EzPanda8
from controller.games.blackjack import (
    BusterBlackjack,
    CenturyBlackjack,
    CenturyBuster,
    HotAction,
    HotActionBuster,
    PureBlackjack,
)
from controller.games.caribbean_stud import CaribbeanStud
from controller.games.chinese_poker import ChinesePoker
from controller.games.pai_gow import FortunePaiGow, PaiGowPoker
from controller.games.pai_gow_tiles import PaiGowTiles
from controller.games.panguingue import Panguingue, ToldPanguingue
from controller.games.poker import (
    Baduci,
    BadugiTripleDraw,
    BettingStructures,
    DeuceSevenTripleDraw,
    DrawPoker,
    JacksOrBetter,
    Lowball,
    MexicanPoker,
    MexicanPokerSalinas,
    Omaha,
    Pineapple,
    SevenCardStud,
    TexasHoldem,
)
from controller.games.three_card_holdem import ThreeCardHoldem
from controller.games.three_card_poker import ThreeCardPoker
from controller.games.ultimate_holdem import UltimateHoldem

GAMES: dict[str, Game[Any]] = {
    game.slug: game
    for game in (
        EzPanda8(),
        EzBaccarat(),
        CenturyBaccarat(),
        CommissionFreeBaccarat(),
        PureBlackjack(),
        HotAction(),
        CenturyBlackjack(),
        BusterBlackjack(),
        HotActionBuster(),
        CenturyBuster(),
        FortunePaiGow(),
        PaiGowPoker(),
        ThreeCardHoldem(),
        ThreeCardPoker(),
        UltimateHoldem(),
        TexasHoldem(),
        SevenCardStud(),
        MexicanPoker(),
        MexicanPokerSalinas(),
        Omaha(),
        Pineapple(),
        JacksOrBetter(),
        DrawPoker(),
        Lowball(),
        DeuceSevenTripleDraw(),
        BadugiTripleDraw(),
        Baduci(),
        BettingStructures(),
        CaribbeanStud(),
        ChinesePoker(),
        PaiGowTiles(),
        Panguingue(),
        ToldPanguingue(),
    )
}
"""Every game there is, by the name that rulesets use."""
