"""Pai gow poker as a script, plain and with the Fortune bonus.

Sheets: bankers-pai-gow-poker, bankers-fortune-pai-gow-poker-1-1, bankers-fortune-pai-gow-poker-joker-fully-wild,
calgrand-pai-gow-poker, turlock-pai-gow-poker, turlock-fortune-pai-gow-poker, village-pai-gow-poker.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from controller.engine.fees.schedule import Moment
from controller.engine.round.felt import Script, Table
from controller.engine.round.game import Game, Ruling
from controller.games.banked import CUP_OPENED, DICE_CUP_MOMENTS, outcomes_in_words
from controller.games.pai_gow.hand import PaiGowHand
from controller.games.pai_gow.options import PaiGowOptions
from controller.games.pai_gow.rulings import all_rulings


class PaiGowPoker(Game[PaiGowOptions]):
    """Pai Gow Poker, also called Double Hand Poker."""

    slug = "pai-gow-poker"
    title = "Pai Gow Poker"
    options_type = PaiGowOptions
    known: ClassVar[tuple[str, ...]] = (CUP_OPENED,)
    has_player_dealer: ClassVar[bool] = True
    back_line_decisions: ClassVar[tuple[str, ...]] = ("sets",)
    fee_moments: ClassVar[tuple[Moment, ...]] = DICE_CUP_MOMENTS

    def deck(self, options: PaiGowOptions) -> dict[str, int]:
        return options.deck

    @property
    def rulings(self) -> Mapping[str, Ruling]:
        return all_rulings()

    def play(self, t: Table, options: PaiGowOptions) -> Script:
        hand = PaiGowHand(t, options)
        t.script_state = hand
        yield from hand.wait_for_player_dealer()
        yield from hand.take_wagers()
        yield from t.collect_fees(options.schedule, "before_deal")
        yield from t.while_betting(hand.make_piles())
        after_dice = options.action_pile == "chosen_after_dice"
        pile = 1 if after_dice else (yield from t.while_betting(hand.choose_pile()))
        yield from hand.take_last_wagers()
        yield from t.collect_fees(options.schedule, "before_dice_open")
        yield from hand.roll()
        if after_dice:
            pile = yield from hand.choose_pile(may_pass=True)
        hand.give_out(pile)
        yield from t.collect_fees(options.schedule, "dice_read", first_action=hand.first_action)
        yield from t.collect_fees(options.schedule, "after_initial_deal")
        yield from hand.set_players()
        yield from t.collect_fees(options.schedule, "before_player_dealer_exposed")
        yield from hand.open_hands()
        hand.settle()

    def summary(self, result: Mapping[str, Any]) -> str:
        return outcomes_in_words(result["outcome"])


class FortunePaiGow(PaiGowPoker):
    """Fortune Pai Gow Poker: the same with a bonus for seven cards, and envy."""

    slug = "fortune-pai-gow-poker"
    title = "Fortune Pai Gow Poker"
