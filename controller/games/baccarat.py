"""Baccarat: the drawing rules, and EZ Baccarat Panda 8 as a script.

The rules work on points, so that the script and an enumeration of every shoe use the very same functions.
Sheet: bankers-ez-baccarat-panda-8.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct

from controller.engine.cards import Hand, standard_deck
from controller.engine.collections import Schedule
from controller.engine.felt import Script, Table
from controller.engine.game import Game, HistoryEntry
from controller.engine.money import Odds
from controller.engine.result import Result
from controller.engine.wagers import WagerRule

POINTS: Mapping[int, int] = {rank: rank % 10 if rank < 10 else 0 for rank in range(2, 14)} | {14: 1}
"""Points of a rank: ace 1, two to nine their face, ten to king 0."""


def total(hand: Hand) -> int:
    return sum(POINTS[slot.card.rank] for slot in hand.slots) % 10


def is_natural(player: int, banker: int) -> bool:
    """Two-card totals that end the drawing (reading A2: a natural 8 or 9 on either side)."""
    return player >= 8 or banker >= 8


def player_draws(player: int) -> bool:
    return player <= 5


# Row: banker total 3 to 6; the player's third cards on which the banker draws. 0-2 always draw, 7 never does.
_BANKER_DRAWS_ON: Mapping[int, frozenset[int]] = {
    3: frozenset({0, 1, 2, 3, 4, 5, 6, 7, 9}),
    4: frozenset({2, 3, 4, 5, 6, 7}),
    5: frozenset({4, 5, 6, 7}),
    6: frozenset({6, 7}),
}


def banker_draws(banker: int, player_third: int | None) -> bool:
    """Whether the banker draws, given the points of the player's third card, or None where the player stood."""
    if player_third is None:
        return banker <= 5
    return banker <= 2 or (banker <= 6 and player_third in _BANKER_DRAWS_ON[banker])


def winner(player: int, banker: int) -> Literal["player", "banker", "tie"]:
    if player == banker:
        return "tie"
    return "player" if player > banker else "banker"


def is_dragon_7(player: int, banker: int, banker_cards: int) -> bool:
    """The banker wins with a three-card seven."""
    return banker == 7 and banker_cards == 3 and player < 7


def is_panda_8(player: int, banker: int, player_cards: int) -> bool:
    """The player wins with a three-card eight."""
    return player == 8 and player_cards == 3 and banker < 8


class EzPays(Struct, frozen=True, forbid_unknown_fields=True):
    player_line: str
    banker_line: str
    tie: str
    panda_8: str
    dragon_7: str


class EzOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """Options of EZ Baccarat Panda 8; defaults and their sources are in the ruleset."""

    decks: Annotated[int, Meta(ge=3, le=8)]
    banker_three_card_seven: Literal["pay", "push"]
    bet_close_timer: Annotated[int, Meta(ge=0, le=600)]
    schedule: Schedule | None
    pays: EzPays


LINES = ("player_line", "banker_line")
WAGERS = (
    WagerRule("player_line", "Player"),
    WagerRule("banker_line", "Banker"),
    WagerRule("tie", "Tie", counts_as="bonus"),
    WagerRule("panda_8", "Panda 8", needs=LINES, needs_code="needs_line_wager", counts_as="bonus"),
    WagerRule("dragon_7", "Dragon 7", needs=LINES, needs_code="needs_line_wager", counts_as="bonus"),
)


class EzBaccarat(Game[EzOptions]):
    """EZ Baccarat Panda 8."""

    slug = "ez-baccarat-panda-8"
    title = "EZ Baccarat Panda 8"
    options_type = EzOptions
    uses_shoe: ClassVar[bool] = True
    turns_as_player_dealer: ClassVar[int | None] = 2

    def deck(self, options: EzOptions) -> Mapping[str, int]:
        return {card.code: options.decks for card in standard_deck()}

    def play(self, t: Table, options: EzOptions) -> Script:
        yield from t.take_wagers(WAGERS, options.schedule)
        yield from t.collect_fees(options.schedule, "before_deal")
        player, banker = t.hand("player"), t.hand("banker")
        for _ in range(2):
            yield from t.deal(player)
            yield from t.deal(banker)
        natural = is_natural(total(player), total(banker))
        if not natural:
            third: int | None = None
            if player_draws(total(player)):
                slot = yield from t.deal(player, says="Player draws")
                third = POINTS[slot.card.rank]
            if banker_draws(total(banker), third):
                yield from t.deal(banker, says="Banker draws")
        self._resolve(t.result, player, banker, natural)
        self._settle(t, options)

    def _resolve(self, result: Result, player: Hand, banker: Hand, natural: bool) -> None:
        p, b = total(player), total(banker)
        result.outcome = winner(p, b)
        result.totals = {"player": [p], "banker": [b]}
        result.flags = {
            "dragon_7": is_dragon_7(p, b, len(banker)),
            "panda_8": is_panda_8(p, b, len(player)),
            "natural": natural,
        }

    def _settle(self, t: Table, options: EzOptions) -> None:
        """Wager type outside, seats inside, clockwise from the left of the player-dealer (reading A5)."""
        if not t.book:
            return
        outcome, flags = t.result.outcome, t.result.flags
        wins = {
            "player_line": outcome == "player",
            "banker_line": outcome == "banker",
            "tie": outcome == "tie",
            "panda_8": flags["panda_8"],
            "dragon_7": flags["dragon_7"],
        }
        pushes = {"player_line", "banker_line"} if outcome == "tie" else set()
        if flags["dragon_7"] and options.banker_three_card_seven == "push":
            pushes.add("banker_line")
        order = t.clockwise(t.player_dealer or 0, {seat for seat in t.seats if seat in t.book})
        settlement, book = t.settlement, t.book
        for rule in WAGERS:
            wager = rule.id
            odds = Odds(getattr(options.pays, wager))
            for seat in order:
                stake = book[seat].get(wager)
                if stake is None:
                    continue
                if wager in pushes:
                    settlement.push(seat, wager)
                elif wins[wager]:
                    settlement.win(seat, wager, odds.payoff(stake))
                else:
                    settlement.lose(seat, wager, stake)

    def count(self, hand: Hand) -> str:
        return str(total(hand))

    def tell(self, result: Mapping[str, Any]) -> str:
        player, banker = result["totals"]["player"][0], result["totals"]["banker"][0]
        if result["outcome"] == "tie":
            return f"Tie at {player}"
        high, low = max(player, banker), min(player, banker)
        return f"{result['outcome'].title()} wins {high} to {low}"

    def history_entry(self, result: Result) -> HistoryEntry:
        flags = tuple(name for name, on in result.flags.items() if on)
        return HistoryEntry(result.outcome, flags, (result.totals["player"][0], result.totals["banker"][0]))

    def board(self, history: Sequence[HistoryEntry]) -> dict[str, Any]:
        """The reader board's fields (sheet, Equipment): percentages over the hands of this shoe (reading A9)."""
        hands = len(history)
        fields: dict[str, Any] = {"hands_in_shoe": hands}
        for name in ("player", "banker", "tie", "dragon_7", "panda_8"):
            count = sum(entry.outcome == name or name in entry.flags for entry in history)
            fields[name] = {"count": count, "percent": round(100 * count / hands, 1) if hands else None}
        fields["naturals"] = sum("natural" in entry.flags for entry in history)
        return fields
