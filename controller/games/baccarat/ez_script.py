"""EZ Baccarat: no commission; what happens with one winning banker hand, the three-card seven, replaces it.

Sheets: bankers-ez-baccarat-panda-8, village-ez-baccarat. The rooms differ in what that hand does to the banker line, in
what a side bet needs, in how cards are dealt and in the order of settlement.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar

from controller.engine import events as ev
from controller.engine.bets.action_button import by_card
from controller.engine.bets.wagers import WagerRule, action
from controller.engine.cards.card import Hand
from controller.engine.money.bank import Odds
from controller.engine.round.felt import Script, Table
from controller.engine.round.game import HistoryEntry
from controller.games.baccarat.options import EzOptions, EzPanda8Options, EzPays
from controller.games.baccarat.script import LINES, Baccarat, side_bet, third_cards
from controller.games.baccarat.settlement import Verdict, due, places_from, positions, settle
from controller.games.baccarat.third_card import COUNTS, total


class EzPanda8(Baccarat[EzPanda8Options]):
    """EZ Baccarat Panda 8."""

    slug = "ez-baccarat-panda-8"
    title = "EZ Baccarat Panda 8"
    options_type = EzPanda8Options
    marks: ClassVar[Mapping[str, str]] = {"dragon_7": "Dragon 7", "panda_8": "Panda 8"}
    wagers: ClassVar[tuple[WagerRule, ...]] = (
        WagerRule("player_line", "Player"),
        WagerRule("banker_line", "Banker"),
        side_bet("tie", "Tie"),
        side_bet("panda_8", "Panda 8", needs=LINES),
        side_bet("dragon_7", "Dragon 7", needs=LINES),
    )
    passes: ClassVar[tuple[tuple[str, ...], ...]] = tuple((rule.id,) for rule in wagers)

    def play(self, t: Table, options: EzPanda8Options) -> Script:
        """Everything face up, wager by wager settled from the left of the player-dealer."""
        yield from self.betting(t, options)
        player, banker = t.hand("player"), t.hand("banker")
        yield from t.deal_in_turn((player, banker), 2, up=True)
        natural = yield from third_cards(t, player, banker, "Banker draws", naturals_stop=options.naturals_stop)
        p, b = total(player), total(banker)
        dragon_7, panda_8 = is_dragon_7(p, b, len(banker.slots)), is_panda_8(p, b, len(player.slots))
        flags = {"dragon_7": dragon_7, "panda_8": panda_8, "natural": natural}
        self.resolve(t, p, b, flags)
        if t.book:
            # Wager type outside, seats inside, clockwise from the left of the player-dealer (reading A5).
            settle(t, self.passes, places_from(t, (t.player_dealer or 0) + 1), verdicts(self, t, options))


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
        yield from self.betting(t, options)
        player, banker = t.hand("player"), t.hand("banker")
        yield from t.deal_in_turn((player, banker), 2)
        yield from t.show(player)
        yield from t.show(banker)
        natural = yield from third_cards(t, player, banker, "Banker draws", naturals_stop=options.naturals_stop)
        p, b = total(player), total(banker)
        flags = {"dragon_7": is_dragon_7(p, b, len(banker.slots)), "natural": natural}
        self.resolve(t, p, b, flags)
        self.record(t)
        self._settle(t, options, banker)

    def _settle(self, t: Table, options: EzOptions, banker: Hand) -> None:
        verdict_of = verdicts(self, t, options)
        if t.player_dealer is None or _is_covered(t, verdict_of):
            # Seat by seat from the left of the casino dealer (1359).
            for place in places_from(t, 1):
                settle(t, self.passes, (place,), verdict_of)
            return
        seat = by_card(COUNTS[banker.slots[1].card.rank], t.player_dealer, positions(t, options))
        t.result.action_seat = seat
        t.emit(ev.ActionButton(seat))
        settle(t, self.passes, places_from(t, seat), verdict_of)

    def board(self, history: Sequence[HistoryEntry]) -> dict[str, Any]:
        """The history of past hands (village-equipment, reader board), and what they add up to."""
        return {**super().board(history), "history": [self.entry(past.outcome) for past in history]}


def is_dragon_7(player: int, banker: int, banker_cards: int) -> bool:
    """The banker wins with a three-card seven."""
    return banker == 7 and banker_cards == 3 and player < 7


def is_panda_8(player: int, banker: int, player_cards: int) -> bool:
    """The player wins with a three-card eight."""
    return player == 8 and player_cards == 3 and banker < 8


def _is_covered(t: Table, verdict_of: Mapping[str, Verdict]) -> bool:
    """Whether the player-dealer's money covers all that was wagered (1311) and all that is due."""
    return t.bank is None or sum(t.bank) >= max(action(t.book), due(t, verdict_of))


def verdicts(game: EzPanda8 | EzBaccarat, t: Table, options: EzOptions) -> dict[str, Verdict]:
    """The verdict on every wager."""
    outcome, flags = str(t.result.outcome), t.result.flags
    pushes: tuple[str, ...] = game.lines if outcome == "tie" else ()
    if flags["dragon_7"] and options.banker_three_card_seven == "push":
        pushes = ("banker_line",)
    wins = (f"{outcome}_line", outcome, *[name for name in game.marks if flags[name]])
    return _verdicts(game.wagers, options.pays, wins, pushes)


@lru_cache(maxsize=256)
def _verdicts(
    wagers: tuple[WagerRule, ...], pays: EzPays, wins: tuple[str, ...], pushes: tuple[str, ...]
) -> dict[str, Verdict]:
    """A round has few outcomes: the verdicts of each are computed once."""
    verdict_of: dict[str, Verdict] = {}
    for rule in wagers:
        wager = rule.id
        if wager in pushes:
            verdict_of[wager] = "push"
        else:
            verdict_of[wager] = Odds(getattr(pays, wager)) if wager in wins else "lose"
    return verdict_of
