"""A hand that is told of and not dealt, to ask what it may do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from controller.engine.cards import Card, Hand, Slot, SplitHand, card
from controller.games.blackjack.circle import Bet, BetHand, Circle

SEAT = 1


def imagined_hand(told: Mapping[str, Any]) -> tuple[Circle, BetHand, Card | None]:
    """Circle, hand and up card of a situation in a case's words: `hand`, `main` (its wager), `up`, `splits` made.

    >>> circle, hand, up = imagined_hand({"hand": ["8c", "8d"], "main": 1000, "up": "Jo"})
    >>> hand.wager, up.is_joker, hand.is_split
    (1000, True, False)
    """
    splits, stake = int(told.get("splits", bool(told.get("split")))), int(told.get("main", 0))
    cards: Hand = SplitHand(str(SEAT)) if splits else Hand(str(SEAT))
    cards.slots = [Slot(card(str(code))) for code in told["hand"]]
    hand = BetHand(cards, [Bet(SEAT, stake)])
    others = [BetHand(SplitHand(f"{SEAT}/{nth + 2}"), [Bet(SEAT, stake)], closed=True) for nth in range(splits)]
    up = card(str(told["up"])) if "up" in told else None
    return Circle(SEAT, stake, [hand, *others]), hand, up
