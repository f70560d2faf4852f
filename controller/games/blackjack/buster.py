"""Buster Blackjack: a side bet that the player-dealer's hand goes over, paid by the number of its cards.

It is a bet on the player-dealer's hand alone: placed beside the base wager before the deal, live whatever becomes of
the player's own hand, never changed by doubles and splits. The family's player-dealer always completes the hand, so
there is always an answer. A natural is no bust, whatever its total is called. Sheets: bankers-, calgrand- and
village-buster-blackjack.

    >>> terms = Buster("buster", "main", {"3": "2:1", "4": "2:1", "5": "4:1", "6": "18:1", "7": "50:1", "8": "200:1"})
    >>> [terms.row(cards) for cards in (3, 6, 8, 11)]
    [Odds('2:1'), Odds('18:1'), Odds('200:1'), Odds('200:1')]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from controller.engine.bets.wagers import WagerRule
from controller.engine.cards.card import Card, Hand
from controller.engine.money.bank import Odds
from controller.games.blackjack.counting import Count

FEWEST = 3
"""Two cards cannot go over; the tables begin with three."""

Settled = Literal["with_place", "last"]
"""Right after the hands of its place, or when all base wagers of the table are settled."""


class Buster(Struct, frozen=True):
    """The bet as one cardroom prints it."""

    wager: str
    base_wager: str
    pays: dict[str, str]
    """Odds by cards in the busted hand; the last row is for that number or more."""
    step: int = 1
    off_step: tuple[int, ...] = ()
    step_code: str = "not_in_chips"
    at_most_base: bool = False
    """May not be above the base wager of its place."""
    once: str | None = None
    """Code for a second one on a place that has one."""
    settled: Settled = "with_place"
    in_fees: bool = True
    """Whether it is a bonus bet to the collection schedules; else no schedule counts it."""

    @property
    def rule(self) -> WagerRule:
        return WagerRule(
            self.wager,
            "Buster",
            needs=(self.base_wager,),
            at_most=self.base_wager if self.at_most_base else None,
            once=self.once,
            step=self.step,
            off_step=self.off_step,
            step_code=self.step_code,
            counts_as="bonus" if self.in_fees else "side_bet",
        )

    @property
    def last(self) -> bool:
        return self.settled == "last"

    def row(self, cards: int) -> Odds:
        most = max(map(int, self.pays))
        return Odds(self.pays[str(min(cards, most))])

    def odds(self, dealt: Sequence[Card], bank: Hand, count: Count) -> Odds | None:
        cards = bust_cards(bank, count)
        return self.row(cards) if cards else None


def bust_cards(bank: Hand, count: Count) -> int:
    """Cards in the player-dealer's busted hand, 0 where it is not busted."""
    return len(bank) if count.is_over and not count.natural and len(bank) >= FEWEST else 0
