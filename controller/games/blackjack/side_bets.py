"""Bets beside the hand: on the first two cards, or on the player-dealer's hand.

A side bet is placed with the base wager of its place and lives whatever becomes of the hand. It is settled after the
hands of its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from controller.engine.bets.wagers import WagerRule
from controller.engine.cards.card import Card, Hand
from controller.engine.money.bank import Odds
from controller.games.blackjack.counting import Count


class SideBet(Protocol):
    """What the family's round asks of a side bet."""

    @property
    def rule(self) -> WagerRule:
        """When it may be placed."""
        ...

    @property
    def last(self) -> bool:
        """Whether it is settled when all base wagers of the table are; else right after the hands of its place."""
        ...

    def odds(self, dealt: Sequence[Card], bank: Hand, count: Count) -> Odds | None:
        """What it pays, by the first two cards of the place and the player-dealer's complete hand; None: it loses."""
        ...


class MatchPays(Struct, frozen=True, forbid_unknown_fields=True):
    """What the first two cards pay by how many match the up card in rank, and in suit too."""

    two_suited: str
    one_suited_one_not: str
    one_suited: str
    two_not_suited: str
    one_not_suited: str


class Match(Struct, frozen=True):
    """Match the Dealer: the first two cards against the up card, exact rank; a king matches a king only.

    >>> from controller.engine.cards.card import Slot, card
    >>> bank = Hand("player_dealer")
    >>> bank.slots = [Slot(card("9h"))]
    >>> match = Match("match_dealer", "base", MatchPays("16:1", "12:1", "8:1", "8:1", "4:1"))
    >>> match.odds([card("9h"), card("9c")], bank, Count(0)), match.odds([card("Kh"), card("2h")], bank, Count(0))
    (Odds('12:1'), None)
    """

    wager: str
    base_wager: str
    pays: MatchPays
    step: int = 1

    @property
    def rule(self) -> WagerRule:
        return WagerRule(self.wager, "Match", needs=(self.base_wager,), step=self.step, counts_as="bonus")

    @property
    def last(self) -> bool:
        return False

    def odds(self, dealt: Sequence[Card], bank: Hand, count: Count) -> Odds | None:
        up = bank.slots[0].card
        matches = [card for card in dealt if card.rank == up.rank]
        match len(matches), sum(card.suit == up.suit for card in matches):
            case 2, 2:
                pays = self.pays.two_suited
            case 2, 1:
                pays = self.pays.one_suited_one_not
            case 1, 1:
                pays = self.pays.one_suited
            case 2, 0:
                pays = self.pays.two_not_suited
            case 1, 0:
                pays = self.pays.one_not_suited
            case _:
                return None
        return Odds(pays)
