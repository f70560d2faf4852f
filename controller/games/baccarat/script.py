"""What the scripts of all baccarat games share: deck, wagers, burn, third cards, outcome, the figures on a road sign.

A game lists its wagers, deals in the order of its approval, and has a verdict for each wager; `settlement` turns
verdicts into the player-dealer's money, pass by pass, place by place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, Generic, TypeVar

from controller.engine import events as ev
from controller.engine.bets.back_line import behind
from controller.engine.bets.wagers import WagerRule, with_bonus_minimum, within_limits
from controller.engine.cards.card import Hand, standard_deck
from controller.engine.round.felt import Move, Table
from controller.engine.round.game import Game, HistoryEntry
from controller.engine.round.result import Result
from controller.games.baccarat.facts import BaccaratFacts, facts_of
from controller.games.baccarat.options import BaccaratOptions
from controller.games.baccarat.third_card import POINTS, banker_draws, is_natural, player_draws, total, winner

LINES = ("player_line", "banker_line")

OptionsT = TypeVar("OptionsT", bound=BaccaratOptions)


class Baccarat(Game[OptionsT], Generic[OptionsT]):
    """A baccarat game."""

    uses_shoe: ClassVar[bool] = True
    has_player_dealer: ClassVar[bool] = True
    bank_hand: ClassVar[str] = "banker"
    """The hand against the player's: "banker", or "dealer" where the approval calls it so."""
    wagers: ClassVar[tuple[WagerRule, ...]]
    lines: ClassVar[tuple[str, str]] = LINES
    """The two wagers that a side bet may need."""
    pair_marks: ClassVar[tuple[tuple[str, str], ...]] = (("player", "player_pair"), ("banker", "banker_pair"))
    """Which hand's first two cards, when they are a pair, get which mark on the bead plate."""
    not_by_points: ClassVar[frozenset[str]] = frozenset()
    """Wagers whose return does not follow from points alone: choices or suits decide too."""

    def deck(self, options: OptionsT) -> dict[str, int]:
        return {card.code: options.decks for card in standard_deck()}

    def hands_after_cut_card(self, options: OptionsT) -> tuple[int, int]:
        return int(options.cut_card_in_hand == "next_hand"), int(options.cut_card_between_hands == "next_hand")

    # Before the deal

    def betting(self, t: Table, options: OptionsT) -> Move[None]:
        """The burn of a fresh shoe, the wagers and the fees."""
        if not t.drawn and options.burn == "first_card_value":
            yield from burn_by_value(t)
        schedule = options.schedule
        yield from t.take_wagers(self._offered(t, options), schedule)
        _return_orphans(t, self.lines, _dependent(self.wagers))
        if schedule is not None:
            yield from t.collect_fees(schedule, "before_deal")

    def _offered(self, t: Table, options: OptionsT) -> tuple[WagerRule, ...]:
        """The wagers within the limits that the options post, else the schedule, else the table."""
        schedule = options.schedule
        least, most = t.setup.min_wager, t.setup.max_wager
        if schedule is not None:
            least, most = schedule.table_min, schedule.wager_max
        least = least if options.table_min is None else options.table_min
        most = most if options.table_max is None else options.table_max
        rules = behind(with_bonus_minimum(self.wagers, options.bonus_minimum), options.back_line)
        return within_limits(rules, least, most)

    # The result

    def resolve(self, t: Table, player: int, bank: int, flags: dict[str, bool]) -> None:
        """The outcome of these totals."""
        result, won = t.result, winner(player, bank)
        result.outcome = self.bank_hand if won == "banker" else won
        result.totals = {"player": [player], self.bank_hand: [bank]}
        result.flags = flags
        facts_of(t).pairs = [mark for owner, mark in self.pair_marks if _is_pair(t.hands[owner])]

    def record(self, t: Table) -> None:
        """What the dealer enters on the reader board after settlement."""
        facts_of(t).reader_board = self.entry(str(t.result.outcome))

    def entry(self, outcome: str) -> str:
        """The reader board's name for it: Player, Dealer or Tie."""
        return "dealer" if outcome == self.bank_hand else outcome

    # Screens

    def count(self, hand: Hand) -> str:
        return str(total(hand))

    def summary(self, result: Mapping[str, Any]) -> str:
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
def _dependent(wagers: tuple[WagerRule, ...]) -> tuple[str, ...]:
    """The wagers that need a line wager."""
    return tuple(rule.id for rule in wagers if rule.needs)


def side_bet(id: str, title: str, *, needs: tuple[str, ...] = ()) -> WagerRule:
    """A bet beside the lines, within the same limits."""
    return WagerRule(
        id,
        title,
        needs=needs,
        needs_code="needs_line_wager",
        counts_as="bonus",
    )


def burn_by_value(t: Table) -> Move[None]:
    """The first card of a fresh shoe turned up, then as many face down as its count: ace 1, ten and pictures 10."""
    first = yield from t.burn(up=True, says="Burn the first card, face up")
    if not first.is_read:
        burned = Hand("burn")
        burned.slots.append(first)
        yield from t.name_unread(burned, why="card_unread")
    count = POINTS[first.card.rank] or 10
    for n in range(1, count + 1):
        yield from t.burn(says=f"Burn a card, {n} of {count}")


def third_cards(t: Table, player: Hand, bank: Hand, says: str, *, naturals_stop: bool = True) -> Move[bool]:
    """Both hands drawn out by the rules; returns whether there was a natural, which stops it unless a house reads its
    text otherwise."""
    players, banks = total(player), total(bank)
    natural = is_natural(players, banks)
    if natural and naturals_stop:
        return True
    third: int | None = None
    if player_draws(players):
        slot = yield from t.deal(player, says="Player draws")
        third = POINTS[slot.card.rank]
    if banker_draws(banks, third):
        yield from t.deal(bank, says=says)
    return natural


def _return_orphans(t: Table, lines: tuple[str, str], dependent: tuple[str, ...]) -> None:
    """A side bet whose line was taken back has no part in the round."""
    player_line, bank_line = lines
    orphaned = [p for p, wagers in t.book.items() if player_line not in wagers and bank_line not in wagers]
    for place in orphaned:
        wagers = t.book[place]
        for wager in dependent:
            if wager in wagers:
                t.result.returned[place] = t.result.returned.get(place, 0) + wagers.pop(wager)
                t.emit(ev.WagerSet(place, wager, 0))
        if not wagers:
            del t.book[place]


def _is_pair(hand: Hand) -> bool:
    return hand.slots[0].card.rank == hand.slots[1].card.rank
