"""What every baccarat game shares: its deck, the wagers it offers, the result, the board.

A game of the family lists its wagers, deals as its approval says (`dealing`), and gives a verdict for each wager; the
walk (`settling`) turns verdicts into the player-dealer's money, pass by pass, place by place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, Generic, TypeVar

from controller.engine.bets.wagers import WagerRule, within_limits
from controller.engine.cards.card import Hand, standard_deck
from controller.engine.round.felt import Move, Table
from controller.engine.round.game import Game, HistoryEntry
from controller.engine.round.result import Result
from controller.games.baccarat.dealing import betting, resolve
from controller.games.baccarat.drawing import total
from controller.games.baccarat.facts import BaccaratFacts, facts_of
from controller.games.baccarat.options import BaccaratOptions

LINES = ("player_line", "banker_line")

OptionsT = TypeVar("OptionsT", bound=BaccaratOptions)


class Baccarat(Game[OptionsT], Generic[OptionsT]):
    """A baccarat game."""

    uses_shoe: ClassVar[bool] = True
    turns_as_player_dealer: ClassVar[int | None] = 2
    bank_hand: ClassVar[str] = "banker"
    """The hand against the player's: "banker", or "dealer" where the approval calls it so."""
    wagers: ClassVar[tuple[WagerRule, ...]]
    side_bets_have_no_minimum: ClassVar[bool] = False
    """Whether a posted schedule's minimum is for the lines only."""
    lines: ClassVar[tuple[str, str]] = LINES
    """The two wagers that a side bet may need."""
    pair_marks: ClassVar[tuple[tuple[str, str], ...]] = (("player", "player_pair"), ("banker", "banker_pair"))
    """Which hand's first two cards, when they are a pair, get which mark on the bead plate."""
    not_by_points: ClassVar[frozenset[str]] = frozenset()
    """Wagers whose return the points of the hands do not tell: people's choices or suits decide too."""

    def deck(self, options: OptionsT) -> dict[str, int]:
        return {card.code: options.decks for card in standard_deck()}

    def hands_after_cut_card(self, options: OptionsT) -> tuple[int, int]:
        return int(options.cut_card_in_hand == "next_hand"), int(options.cut_card_between_hands == "next_hand")

    # Before the deal

    def betting(self, t: Table, options: OptionsT) -> Move[None]:
        """The burn of a fresh shoe, the wagers and the fees."""
        return betting(t, options, self._offered(t, options), self.lines, _needy(self.wagers))

    def _offered(self, t: Table, options: OptionsT) -> tuple[WagerRule, ...]:
        """The wagers within the limits that the options post, else the schedule, else the table."""
        schedule = options.schedule
        least, most = t.setup.min_wager, t.setup.max_wager
        if schedule is not None:
            least, most = schedule.table_min, schedule.wager_max
        least = least if options.table_min is None else options.table_min
        most = most if options.table_max is None else options.table_max
        side = 0 if schedule is not None and self.side_bets_have_no_minimum else least
        return within_limits(self.wagers, least, side, most)

    # The result

    def resolve(self, t: Table, player: int, bank: int, flags: dict[str, bool]) -> None:
        """The outcome of these totals."""
        resolve(t, player, bank, flags, bank_hand=self.bank_hand, pair_marks=self.pair_marks)

    def record(self, t: Table) -> None:
        """What the dealer enters on the reader board after settlement."""
        facts_of(t).reader_board = self.entry(str(t.result.outcome))

    def entry(self, outcome: str) -> str:
        """The reader board's word for it: Player, Dealer or Tie."""
        return "dealer" if outcome == self.bank_hand else outcome

    # Screens

    def count(self, hand: Hand) -> str:
        return str(total(hand))

    def tell(self, result: Mapping[str, Any]) -> str:
        player, bank = result["totals"]["player"][0], result["totals"][self.bank_hand][0]
        if result["outcome"] == "tie":
            return f"Tie at {player}"
        high, low = max(player, bank), min(player, bank)
        return f"{result['outcome'].title()} wins {high} to {low}"

    def history_entry(self, result: Result) -> HistoryEntry:
        flags = [name for name, on in result.flags.items() if on]
        assert isinstance(result.facts, BaccaratFacts)
        flags += result.facts.pairs or []
        return HistoryEntry(
            result.outcome, tuple(flags), (result.totals["player"][0], result.totals[self.bank_hand][0])
        )

    def board(self, history: Sequence[HistoryEntry]) -> dict[str, Any]:
        """Counts and percentages over the hands of this shoe."""
        hands = len(history)
        fields: dict[str, Any] = {"hands_in_shoe": hands}
        for name in ("player", self.bank_hand, "tie", *self.marks):
            count = sum(entry.outcome == name or name in entry.flags for entry in history)
            fields[name] = {"count": count, "percent": round(100 * count / hands, 1) if hands else None}
        fields["naturals"] = sum("natural" in entry.flags for entry in history)
        return fields


@lru_cache
def _needy(wagers: tuple[WagerRule, ...]) -> tuple[str, ...]:
    """The wagers that need another one."""
    return tuple(rule.id for rule in wagers if rule.needs)


def side_bet(id: str, title: str, *, needs: tuple[str, ...] = (), back_line: bool = True) -> WagerRule:
    """A bet beside the lines, within the same limits."""
    return WagerRule(
        id,
        title,
        needs=needs,
        needs_code="needs_line_wager",
        first_spot_only=None if back_line else "backline_not_allowed",
        counts_as="bonus",
    )
