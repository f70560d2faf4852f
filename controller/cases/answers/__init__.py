"""Answers to cases about one rule in isolation (`ranking`, `house_way`, `legality`, `board`), one module per family.

question          such a case, with its game and options
ante baccarat blackjack chinese_poker pai_gow pai_gow_tiles panguingue poker
                  what the games of each family answer
poker_structures  betting situations of California Grand's sheet

Games do not know the case format: what only a case asks for is here. May import the engine, games and rules.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from controller.cases.answers import ante, baccarat, blackjack, chinese_poker, pai_gow, pai_gow_tiles, panguingue, poker
from controller.cases.answers.poker_structures import Situations
from controller.cases.answers.question import Answers, Document, Question
from controller.engine.round.game import Game
from controller.games.ante.ultimate_holdem.options import UthOptions
from controller.games.blackjack.buster_game import BusterRules
from controller.games.blackjack.options import BlackjackRules
from controller.games.chinese_poker.options import ChineseOptions
from controller.games.poker.core.structures import BettingStructures

_FAMILIES = ante, baccarat, blackjack, chinese_poker, pai_gow, pai_gow_tiles, panguingue, poker
_ANSWERS: Answers = {game: answer for family in _FAMILIES for game, answer in family.ANSWERS.items()}


def answer(asked: Question[Any]) -> Document:
    """The result of such a case; LookupError where the game has none."""
    for game in type(asked.game).__mro__:
        if game in _ANSWERS:
            return _ANSWERS[game](asked)
    raise asked.unanswered


def asking_every_hand(options: Struct) -> Struct | None:
    """Options under which a hand is asked even where the rules leave it one choice, so that a case can try what it may
    not do; None where the game asks everybody anyway."""
    match options:
        case UthOptions() | BlackjackRules():
            return replace(options, asks_every_hand=True)
        case ChineseOptions():
            return replace(options, asks_fouled=True)
        case BusterRules():
            return replace(options, base=replace(options.base, options=asking_every_hand(options.base.options)))
    return None


def playable(game: Game[Any]) -> Game[Any]:
    """The game that plays a case's round: the ruleset's own, but for a sheet that is no game."""
    return Situations() if isinstance(game, BettingStructures) else game
