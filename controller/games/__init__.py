"""The games, one package per family, each game a script on the kernel. They import the engine and nothing else of ours.

ante/           ante, then stay in or fold: Caribbean Stud, Three Card Poker, 3 Card Hold'em, Ultimate Texas Hold'em
baccarat/       the third-card rule, EZ Baccarat twice, 21st Century Baccarat, Dragon Bonus; the roads of a shoe
blackjack/      charts, splits, doubles; Pure 21.5 and Spanish, Hot Action, 21st Century, the Buster bet
chinese_poker/  thirteen cards in three hands
pai_gow/        piles, dice, two hands each, Fortune and envy; Pai Gow Poker seven times
pai_gow_tiles/  rows or stacks of four
panguingue/     ropes, squares and conditions; Panguingue twice
poker/          streets, betting, side pots, kills and rulings; hold'em, Omaha, Pineapple, stud, draw, lowball, Mexican
banked          what games against a player-dealer share

A file name means the same in every family:
options         what a ruleset may choose (`[options]` and `[sheet]` of its TOML file)
script          the round
rulings         what the sheet rules about irregularities
settlement      what wagers win or lose
facts           what is noted of a round beside its result

Which script a ruleset plays: `game` in its TOML file is a key of `_WHERE`.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from importlib import import_module
from typing import Any

from controller.engine.round.game import Game

_WHERE = {
    "ez-baccarat-panda-8": "baccarat.ez_script:EzPanda8",
    "ez-baccarat": "baccarat.ez_script:EzBaccarat",
    "21st-century-baccarat-9-0": "baccarat.century_script:CenturyBaccarat",
    "commission-free-baccarat-dragon-bonus": "baccarat.dragon_bonus_script:CommissionFreeBaccarat",
    "pure-21-5-blackjack": "blackjack.pure:PureBlackjack",
    "hot-action-blackjack": "blackjack.hot_action:HotAction",
    "21st-century-blackjack": "blackjack.century:CenturyBlackjack",
    "buster-blackjack": "blackjack.buster_game:BusterBlackjack",
    "hot-action-buster-blackjack": "blackjack.buster_game:HotActionBuster",
    "21st-century-buster-blackjack": "blackjack.buster_game:CenturyBuster",
    "fortune-pai-gow-poker": "pai_gow.script:FortunePaiGow",
    "pai-gow-poker": "pai_gow.script:PaiGowPoker",
    "three-card-holdem": "ante.three_card_holdem.script:ThreeCardHoldem",
    "three-card-poker": "ante.three_card_poker.script:ThreeCardPoker",
    "ultimate-texas-holdem": "ante.ultimate_holdem.script:UltimateHoldem",
    "texas-holdem": "poker.board.script:TexasHoldem",
    "seven-card-stud": "poker.stud.script:SevenCardStud",
    "mexican-poker": "poker.mexican.script:MexicanPoker",
    "mexican-poker-salinas": "poker.mexican.salinas_script:MexicanPokerSalinas",
    "omaha": "poker.board.script:Omaha",
    "pineapple": "poker.board.script:Pineapple",
    "draw-jacks-or-better": "poker.draw.jacks_script:JacksOrBetter",
    "draw-poker": "poker.draw.draw_poker_script:DrawPoker",
    "lowball": "poker.draw.script:Lowball",
    "deuce-seven-triple-draw": "poker.draw.script:DeuceSevenTripleDraw",
    "badugi-triple-draw": "poker.draw.script:BadugiTripleDraw",
    "baduci": "poker.draw.script:Baduci",
    "betting-structures": "poker.core.structures:BettingStructures",
    "caribbean-stud": "ante.caribbean_stud.script:CaribbeanStud",
    "chinese-poker": "chinese_poker.script:ChinesePoker",
    "pai-gow-tiles": "pai_gow_tiles.script:PaiGowTiles",
    "panguingue": "panguingue.script:Panguingue",
    "panguingue-reported": "panguingue.reported:ReportedPanguingue",
}
"""The module and class of the script of every game, by the name that rulesets use."""


class _Games(MutableMapping[str, Game[Any]]):
    """Loaded on demand: a table deals one or two of them, and its computer is small."""

    def __init__(self) -> None:
        self._loaded: dict[str, Game[Any]] = {}
        self._slugs = dict.fromkeys(_WHERE)

    def __getitem__(self, slug: str) -> Game[Any]:
        if slug not in self._loaded:
            module, _, name = _WHERE[slug].partition(":")
            game: Game[Any] = getattr(import_module(f"{__name__}.{module}"), name)()
            assert game.slug == slug, f"the slug of {name} is {game.slug}, expected {slug}"
            self._loaded[slug] = game
        return self._loaded[slug]

    def __setitem__(self, slug: str, game: Game[Any]) -> None:
        self._slugs[slug] = None
        self._loaded[slug] = game

    def __delitem__(self, slug: str) -> None:
        del self._slugs[slug]
        self._loaded.pop(slug, None)

    def __iter__(self) -> Iterator[str]:
        return iter(self._slugs)

    def __len__(self) -> int:
        return len(self._slugs)

    def __contains__(self, slug: object) -> bool:
        return slug in self._slugs


GAMES = _Games()
"""Every game, by the name that rulesets use."""
