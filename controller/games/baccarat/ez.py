"""EZ Baccarat: no commission; what becomes of one winning banker hand, the three-card seven, stands in for it.

Sheets: bankers-ez-baccarat-panda-8, village-ez-baccarat. The rooms differ in what that hand does to the banker line, in
what a side bet needs, in how the cards lie and in the order of settlement.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, Generic, TypeVar

from controller.engine import events as ev
from controller.engine.action_button import by_card
from controller.engine.cards import Hand
from controller.engine.felt import Script, Table
from controller.engine.game import HistoryEntry
from controller.engine.money import Odds
from controller.engine.wagers import WagerRule, action
from controller.games.baccarat.drawing import COUNTS, total
from controller.games.baccarat.options import EzOptions, EzPanda8Options, EzPays
from controller.games.baccarat.round import LINES, Baccarat, positions, side_bet, third_cards
from controller.games.baccarat.settling import Verdict, due, places_from, settle


def is_dragon_7(player: int, banker: int, banker_cards: int) -> bool:
    """The banker wins with a three-card seven."""
    return banker == 7 and banker_cards == 3 and player < 7


def is_panda_8(player: int, banker: int, player_cards: int) -> bool:
    """The player wins with a three-card eight."""
    return player == 8 and player_cards == 3 and banker < 8


OptionsT = TypeVar("OptionsT", bound=EzOptions)


class _Ez(Baccarat[OptionsT], Generic[OptionsT]):
    """What both rooms' games share: the side bets' hands, and who wins."""

    def verdicts(self, t: Table, options: OptionsT) -> Mapping[str, Verdict]:
        outcome, flags = t.result.outcome, t.result.flags
        pushes: tuple[str, ...] = LINES if outcome == "tie" else ()
        if flags["dragon_7"] and options.banker_three_card_seven == "push":
            pushes = ("banker_line",)
        wins = (f"{outcome}_line", outcome, *[name for name in self.marks if flags[name]])
        return _said(self.wagers, options.pays, wins, pushes)


@lru_cache(maxsize=256)
def _said(
    wagers: tuple[WagerRule, ...], pays: EzPays, wins: tuple[str, ...], pushes: tuple[str, ...]
) -> Mapping[str, Verdict]:
    """A round has few ends, so what each of them says of every wager is worked out once."""
    said: dict[str, Verdict] = {}
    for rule in wagers:
        wager = rule.id
        if wager in pushes:
            said[wager] = "push"
        else:
            said[wager] = Odds(getattr(pays, wager)) if wager in wins else "lose"
    return said


class EzPanda8(_Ez[EzPanda8Options]):
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
        yield from self.betting(t, options)
        player, banker = t.hand("player"), t.hand("banker")
        for _ in range(2):
            yield from t.deal(player)
            yield from t.deal(banker)
        natural = yield from third_cards(t, player, banker, "Banker draws")
        p, b = total(player), total(banker)
        dragon_7, panda_8 = is_dragon_7(p, b, len(banker)), is_panda_8(p, b, len(player))
        self.resolve(t, p, b, {"dragon_7": dragon_7, "panda_8": panda_8, "natural": natural})
        if t.book:
            # Wager type outside, seats inside, clockwise from the left of the player-dealer (reading A5).
            settle(t, self.passes, places_from(t, (t.player_dealer or 0) + 1), self.verdicts(t, options))


class EzBaccarat(_Ez[EzOptions]):
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
        for _ in range(2):
            yield from t.deal(player, up=False)
            yield from t.deal(banker, up=False)
        yield from t.show(player)
        yield from t.show(banker)
        natural = yield from third_cards(t, player, banker, "Banker draws")
        p, b = total(player), total(banker)
        self.resolve(t, p, b, {"dragon_7": is_dragon_7(p, b, len(banker)), "natural": natural})
        self.record(t)
        self._settle(t, options, banker, self.verdicts(t, options))

    def _settle(self, t: Table, options: EzOptions, banker: Hand, said: Mapping[str, Verdict]) -> None:
        if t.player_dealer is None or self._is_covered(t, said):
            # Seat by seat from the left of the casino dealer (1359).
            for place in places_from(t, 1):
                settle(t, self.passes, (place,), said)
            return
        seat = by_card(COUNTS[banker.slots[1].card.rank], t.player_dealer, positions(t, options))
        t.result.action_seat = seat
        t.emit(ev.ActionButton(seat))
        settle(t, self.passes, places_from(t, seat), said)

    def board(self, history: Sequence[HistoryEntry]) -> dict[str, Any]:
        """The history of past hands (village-equipment, reader board), and what they add up to."""
        return {**super().board(history), "history": [self.entry(past.outcome) for past in history]}

    def _is_covered(self, t: Table, said: Mapping[str, Verdict]) -> bool:
        """Whether the player-dealer's money reaches for all that was wagered (1311) and all that is due."""
        return t.bank is None or sum(t.bank) >= max(action(t.book), due(t, said))
