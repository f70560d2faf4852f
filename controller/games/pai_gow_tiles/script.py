"""Pai Gow Tiles as a script: four tiles each, counter-clockwise from where the dice point, a low and a high hand.

Two rooms deal it. In rows (bankers-pai-gow-tiles) the dice come first and the rows go to the seats with a wager; in
stacks (calgrand-pai-gow-tiles) eight stacks are made, the player-dealer names the action stack, and every position of
the table gets one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from controller.engine.fees.schedule import Moment
from controller.engine.round.felt import Script, Table
from controller.engine.round.game import Game, Ruling
from controller.games.banked import CUP_OPENED, DICE_CUP_MOMENTS, outcomes_in_words
from controller.games.pai_gow_tiles.hand import TILE, TileHand
from controller.games.pai_gow_tiles.options import TileOptions
from controller.games.pai_gow_tiles.rulings import cup_opened, exposed_to_seat, exposed_while_stacking
from controller.games.pai_gow_tiles.tiles import tile_set


class PaiGowTiles(Game[TileOptions]):
    slug = "pai-gow-tiles"
    title = "Pai Gow Tiles"
    options_type = TileOptions
    known: ClassVar[tuple[str, ...]] = (CUP_OPENED,)
    has_player_dealer: ClassVar[bool] = True
    back_line_decisions: ClassVar[tuple[str, ...]] = ("sets",)
    fee_moments: ClassVar[tuple[Moment, ...]] = DICE_CUP_MOMENTS

    def deck(self, options: TileOptions) -> dict[str, int]:
        return tile_set()

    @property
    def rulings(self) -> Mapping[str, Ruling]:
        return {
            CUP_OPENED: cup_opened,
            "exposed_while_stacking": exposed_while_stacking,
            "exposed_while_distributing": exposed_to_seat,
        }

    def play(self, t: Table, options: TileOptions) -> Script:
        hand = TileHand(t, options)
        t.script_state, t.cards.piece = hand, TILE
        yield from hand.wait_for_player_dealer()
        yield from hand.take_wagers()
        yield from t.collect_fees(options.schedule, "before_deal")
        if options.deal == "rows":
            yield from hand.deal_rows()
        else:
            yield from hand.deal_stacks()
        yield from t.collect_fees(options.schedule, "after_initial_deal")
        yield from hand.set_players()
        yield from t.collect_fees(options.schedule, "before_player_dealer_exposed")
        yield from hand.set_player_dealer()
        yield from hand.open_players()
        hand.settle()

    def summary(self, result: Mapping[str, Any]) -> str:
        return outcomes_in_words(result["outcome"])
