"""California Grand's betting structures: a sheet of its own, but no game that can be dealt.

The betting rounds of the room's poker games are data of the ruleset (`[sheet.rounds]`).

Sheet: calgrand-betting-structures.
"""

from __future__ import annotations

import msgspec

from controller.engine.betting.rules import BetRound, BettingRules, Structure
from controller.engine.cards.card import standard_deck
from controller.engine.expect.expectation import Expectation
from controller.engine.expect.wants import WantFloor
from controller.engine.round.felt import Script, Table
from controller.engine.round.game import Game
from controller.games.poker.core.options import PokerOptions


class StructureOptions(PokerOptions, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a table may choose about betting, and the betting rounds of every game that uses the sheet."""

    opener_may_bring_in_low: bool = True
    rounds: dict[str, tuple[BetRound, ...]]

    def betting(self, structure: Structure) -> BettingRules:
        rules = super().betting(structure)
        return msgspec.structs.replace(rules, opener_may_bring_in_low=self.opener_may_bring_in_low)


class BettingStructures(Game[StructureOptions]):
    """A table that posts it as its game waits for the floor."""

    slug = "betting-structures"
    title = "Betting structures"
    options_type = StructureOptions

    def deck(self, options: StructureOptions) -> dict[str, int]:
        return {card.code: 1 for card in standard_deck()}

    def play(self, t: Table, options: StructureOptions) -> Script:
        while True:
            yield Expectation((WantFloor("no_game", "betting structures are no game; choose a game", choices=()),))
