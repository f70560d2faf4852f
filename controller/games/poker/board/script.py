"""Board games: hole cards, then a flop, a turn and a river for everybody.

A board game is its hole cards, how many of them a hand must use, and whether one is thrown away on the way; streets,
betting, rulings and showdown are shared.

| game | hole cards | a hand uses |
|---|---|---|
| Texas Hold'em | two | any |
| Omaha | four | exactly two, and three of the board |
| Pineapple | three; one is thrown away before the flop or the turn, or none | any; of three kept, by an option |

Sheets: bankers-texas-holdem, bankers-omaha, bankers-omaha-hi-lo, calgrand-texas-holdem, calgrand-omaha,
calgrand-pineapple, turlock-texas-holdem, turlock-omaha, turlock-omaha-high-low-split, turlock-pineapple-high-low-split,
village-holdem, village-omaha, village-omaha-hi-lo, village-pineapple-hi-lo.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from msgspec.structs import replace

from controller.engine.betting.rules import BetRound
from controller.engine.fees.schedule import Schedule
from controller.engine.round.felt import Table
from controller.engine.round.game import Ruling
from controller.games.poker.board.options import PineappleOptions
from controller.games.poker.core.discards import Discard, discard_missed
from controller.games.poker.core.hand import PokerHand
from controller.games.poker.core.options import PokerOptions
from controller.games.poker.core.rankings import Rankings, standard
from controller.games.poker.core.script import Poker, PokerOptionsT
from controller.games.poker.core.settings import PokerSettings
from controller.games.poker.core.streets import CommunityCards, Dealing, Down, Street


@lru_cache(maxsize=16)
def board_streets(
    hole: int, before_flop: tuple[Dealing, ...] = (), before_turn: tuple[Dealing, ...] = ()
) -> tuple[Street, ...]:
    """Low bets before and on the flop, high bets on turn and river; no checking before the flop."""
    return (
        Street(BetRound("preflop", first=True, check=False), (Down(hole),)),
        Street(BetRound("flop", nth=1), (*before_flop, CommunityCards(3))),
        Street(BetRound("turn", "high", nth=2), (*before_turn, CommunityCards(1))),
        Street(BetRound("river", "high", nth=3), (CommunityCards(1),)),
    )


class BoardPoker(Poker[PokerOptionsT]):
    """Any game of hole cards and a board."""

    has_flop = True


class TexasHoldem(BoardPoker[PokerOptions]):
    slug = "texas-holdem"
    title = "Texas Hold'em"
    options_type = PokerOptions

    def streets(self, options: PokerOptions) -> Sequence[Street]:
        return board_streets(hole=2)


class Omaha(BoardPoker[PokerOptions]):
    slug = "omaha"
    title = "Omaha"
    options_type = PokerOptions
    use_hole = 2

    def streets(self, options: PokerOptions) -> Sequence[Street]:
        return board_streets(hole=4)

    def make_hand(self, t: Table, options: PokerOptions, settings: PokerSettings) -> PokerHand:
        hand = super().make_hand(t, options, settings)
        t.result.flags["board_plays"] = False  # never, in this game (village-omaha, 94)
        return hand


_IN_TURN, _IN_ANY_ORDER = (Discard(in_turn=True),), (Discard(),)


class Pineapple(BoardPoker[PineappleOptions]):
    slug = "pineapple"
    title = "Pineapple"
    options_type = PineappleOptions

    def streets(self, options: PineappleOptions) -> Sequence[Street]:
        throw = _IN_TURN if options.discard_in_turn else _IN_ANY_ORDER
        match options.discards_at:
            case "before_flop":
                return board_streets(3, before_flop=throw)
            case "after_flop_betting":
                return board_streets(3, before_turn=throw)
        return board_streets(3)

    def rankings(self, options: PineappleOptions) -> Rankings:
        must_use_one = options.discards_at == "none" and options.three_kept == "at_least_one"
        return standard(options, (1, 2, 3) if must_use_one else None)

    def make_hand(self, t: Table, options: PineappleOptions, settings: PokerSettings) -> PokerHand:
        hand = super().make_hand(t, options, settings)
        if hand.schedule is not None and options.button_drop is not None:
            hand.schedule = _with_drop(hand.schedule, options.button_drop)
        return hand

    @property
    def rulings(self) -> Mapping[str, Ruling]:
        return {**super().rulings, "discard_missed": discard_missed}


def _with_drop(schedule: Schedule, cents: int) -> Schedule:
    """The schedule with what the button really posts (turlock-pineapple-high-low-split, 135)."""
    rows = tuple(replace(row, fee=cents) if row.payer == "button" else row for row in schedule.fee)
    return replace(schedule, fee=rows)
