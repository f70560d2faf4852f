"""EZ Baccarat: no commission; what becomes of one winning banker hand, the three-card seven, stands in for it.

Sheets: bankers-ez-baccarat-panda-8, village-ez-baccarat. The rooms differ in what that hand does to the banker line, in
what a side bet needs, in how the cards lie and in the order of settlement.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from controller.engine.bets.wagers import WagerRule
from controller.engine.round.felt import Script, Table
from controller.engine.round.game import HistoryEntry
from controller.games.baccarat.ez_scripts import panda_8, with_button
from controller.games.baccarat.options import EzOptions, EzPanda8Options
from controller.games.baccarat.round import LINES, Baccarat, side_bet


class EzPanda8(Baccarat[EzPanda8Options]):
    """EZ Baccarat Panda 8."""

    slug = "ez-baccarat-panda-8"
    title = "EZ Baccarat Panda 8"
    options_type = EzPanda8Options
    side_bets_have_no_minimum: ClassVar[bool] = True  # a schedule gives one range, for the line wagers (A8)
    marks: ClassVar[Mapping[str, str]] = {"dragon_7": "Dragon 7", "panda_8": "Panda 8"}
    wagers: ClassVar[tuple[WagerRule, ...]] = (
        WagerRule("player_line", "Player", first_spot_only="backline_not_allowed"),
        WagerRule("banker_line", "Banker", first_spot_only="backline_not_allowed"),
        side_bet("tie", "Tie", back_line=False),
        side_bet("panda_8", "Panda 8", needs=LINES, back_line=False),
        side_bet("dragon_7", "Dragon 7", needs=LINES, back_line=False),
    )
    passes: ClassVar[tuple[tuple[str, ...], ...]] = tuple((rule.id,) for rule in wagers)

    def play(self, t: Table, options: EzPanda8Options) -> Script:
        return panda_8(self, t, options)


class EzBaccarat(Baccarat[EzOptions]):
    """EZ Baccarat with Dragon 7: dealt face down, back line allowed, an action button when money is short."""

    slug = "ez-baccarat"
    title = "EZ Baccarat"
    options_type = EzOptions
    marks: ClassVar[Mapping[str, str]] = {"dragon_7": "Dragon 7"}
    wagers: ClassVar[tuple[WagerRule, ...]] = (
        WagerRule("player_line", "Player"),
        WagerRule("banker_line", "Banker"),
        side_bet("tie", "Tie", needs=LINES),
        side_bet("dragon_7", "Dragon 7", needs=LINES),
    )
    passes: ClassVar[tuple[tuple[str, ...], ...]] = (("dragon_7",), ("tie",), LINES)
    """From the action button (village-ez-baccarat, settlement)."""

    def play(self, t: Table, options: EzOptions) -> Script:
        return with_button(self, t, options)

    def board(self, history: Sequence[HistoryEntry]) -> dict[str, Any]:
        """The history of past hands (village-equipment, reader board), and what they add up to."""
        return {**super().board(history), "history": [self.entry(past.outcome) for past in history]}
