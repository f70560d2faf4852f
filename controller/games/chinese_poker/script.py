"""Chinese Poker: everyone plays everyone with thirteen cards set in three hands. Sheet: village-chinese-poker.

There is no bank. Points between two players become money at the table's limit, as far as both stacks reach: every cent
of a stack is exchanged once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from controller.engine.cards.card import standard_deck
from controller.engine.expect.expectation import Expectation
from controller.engine.expect.wants import WantFloor
from controller.engine.procedures.rules import BuyInRules
from controller.engine.round.felt import Script, Setup, Table
from controller.engine.round.game import Game, Posting, Ruling
from controller.games.chinese_poker.hand import ChineseHand
from controller.games.chinese_poker.options import ChineseOptions, NotReady, read_settings
from controller.games.chinese_poker.rulings import HAPPENINGS, rule


class ChinesePoker(Game[ChineseOptions]):
    slug = "chinese-poker"
    title = "Chinese Poker"
    options_type = ChineseOptions

    def deck(self, options: ChineseOptions) -> dict[str, int]:
        return {card.code: 1 for card in standard_deck()}

    def floor_sets(self) -> tuple[Posting, ...]:
        return ("button", "stacks")

    def buy_ins(self, options: ChineseOptions) -> BuyInRules | None:
        """004: 1597."""
        if not options.buy_in_points:
            return None
        point = options.cents_per_point
        return BuyInRules(options.buy_in_points * point, options.short_rebuy_points * point, options.short_rebuys)

    @property
    def rulings(self) -> Mapping[str, Ruling]:
        return dict.fromkeys(HAPPENINGS, rule)

    def play(self, t: Table, options: ChineseOptions) -> Script:
        try:
            hand = ChineseHand(t, options, read_settings(t.setup))
            hand.require_points()
        except NotReady as problem:
            while True:
                yield Expectation((WantFloor("table_not_ready", str(problem), choices=()),))
        yield from t.collect_fees(options.schedule, "before_deal", dealt=hand.players)
        yield from hand.deal()
        yield from hand.set_hands()
        yield from hand.show()
        hand.settle()

    def next_setup(self, table: Table) -> Setup:
        hand = table.script_state
        return hand.next_setup() if isinstance(hand, ChineseHand) else table.setup

    def summary(self, result: Mapping[str, Any]) -> str | None:
        outcome = result.get("outcome") or {}
        return "; ".join(f"Seat {seat}: {how}" for seat, how in outcome.items()) or None


# Irregularities
