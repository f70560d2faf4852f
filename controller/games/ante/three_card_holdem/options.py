"""What a room may choose about 3 Card Hold'em, its pay tables and its wagers."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from controller.engine.bets.back_line import BackLine
from controller.engine.bets.wagers import BonusMinimum, WagerRule
from controller.engine.fees.schedule import Schedule
from controller.games.ante.options import Payoff

STRAIGHT_OR_UP_ROWS = ("akq_suited_plus_pair", "akq_suited", "straight_flush", "three_of_a_kind", "straight")
PAIR_OR_SUITED_ROWS = ("ak_suited", "aa", "kk", "pair", "two_suited")


class ThreeCardHoldemPays(Struct, frozen=True, forbid_unknown_fields=True):
    ante: Payoff
    bet: Payoff
    straight_or_up: dict[str, Payoff]
    pair_or_suited: dict[str, Payoff]

    def __post_init__(self) -> None:
        tables = (
            ("straight_or_up", self.straight_or_up, STRAIGHT_OR_UP_ROWS),
            ("pair_or_suited", self.pair_or_suited, PAIR_OR_SUITED_ROWS),
        )
        for name, table, rows in tables:
            for row in table:
                if row not in rows:
                    raise ValueError(f"pays.{name}.{row}: there is no such hand")


class ThreeCardHoldemOptions(Struct, frozen=True, forbid_unknown_fields=True):
    deal_device: Literal["hand", "shuffler"]
    decks_in_rotation: Literal[1, 2]
    button_card: Literal["communal_1", "communal_3"]
    coverage: Literal["single_use"]
    bonus_minimum: BonusMinimum
    schedule: Schedule | None
    pays: ThreeCardHoldemPays
    back_line: BackLine = BackLine()
    most_seats: int | None = None
    """The most seats of a table, the player-dealer's among them; absent: the text states no number."""

    def __post_init__(self) -> None:
        if self.decks_in_rotation > 1 and self.deal_device == "hand":
            raise ValueError("decks_in_rotation: a second deck is for tables with a shuffler")


def _side_bet(id: str, title: str) -> WagerRule:
    return WagerRule(id, title, needs=("ante",), needs_code="needs_ante", needs_on_first_spot=True, counts_as="bonus")


WAGERS = (
    WagerRule("ante", "Ante"),
    _side_bet("straight_or_up", "Straight Or Up"),
    _side_bet("pair_or_suited", "Pair Or Suited"),
)
