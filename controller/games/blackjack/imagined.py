"""Hands that are told of and not dealt, to ask what they may do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from controller.engine.cards.card import Card, Hand, Slot, SplitHand, card
from controller.engine.expect.expectation import Choice, Expectation, Refusal, WantDecision, judge
from controller.engine.inputs import Act
from controller.games.blackjack.asking import choices_of, hand_bars
from controller.games.blackjack.circle import Bet, BetHand, Circle
from controller.games.blackjack.options import BlackjackRules

SEAT = 1


def refused_choices(acts: Sequence[Mapping[str, Any]], rules: BlackjackRules) -> list[dict[str, Any]]:
    """Choices, each with the hand it is for: those that are refused, with the sheet's code; happenings are none."""
    judged = [(index, _judged(act, rules)) for index, act in enumerate(acts) if "event" not in act]
    return [{"act": index, "why": refusal.why} for index, refusal in judged if refusal is not None]


def _judged(act: Mapping[str, Any], rules: BlackjackRules) -> Refusal | None:
    """Whether a hand may do this now."""
    circle, hand, up = imagined_hand(act, rules.base_wager)
    choices = choices_of(rules, circle, hand, up) or (Choice("stand"),)
    asked = Expectation((WantDecision(circle.place, choices),), hand_bars(rules, circle, hand, up))
    return judge(asked, Act(circle.place, act["do"], act.get("cents")))


def imagined_hand(told: Mapping[str, Any], base_wager: str) -> tuple[Circle, BetHand, Card | None]:
    """Circle, hand and up card of a situation in a case's words: `hand`, its wager by its name, `up`, `splits` made
    or by whatever name the case tells that the hand comes from a split.

    >>> circle, hand, up = imagined_hand({"hand": ["8c", "8d"], "main": 1000, "up": "Jo"}, "main")
    >>> hand.wager, up.is_joker, hand.is_split
    (1000, True, False)
    """
    splits = next((int(said) for name, said in told.items() if "split" in name and isinstance(said, int)), 0)
    stake = int(told.get(base_wager, 0))
    cards: Hand = SplitHand(str(SEAT)) if splits else Hand(str(SEAT))
    cards.slots = [Slot(card(str(code))) for code in told["hand"]]
    hand = BetHand(cards, [Bet(SEAT, stake)])
    others = [BetHand(SplitHand(f"{SEAT}/{nth + 2}"), [Bet(SEAT, stake)], closed=True) for nth in range(splits)]
    up = card(str(told["up"])) if "up" in told else None
    return Circle(SEAT, stake, [hand, *others]), hand, up
