"""Blackjack (`legality`): events by their ruling, and whether a hand that is described, not dealt, may do something."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from controller.cases.answers.question import Answers, Document, Question
from controller.engine.cards.card import Card, Hand, Slot, SplitHand, card
from controller.engine.expect.choices import Choice, WantDecision
from controller.engine.expect.expectation import Expectation, judge
from controller.engine.expect.want import Refusal
from controller.engine.inputs import Act
from controller.games.blackjack.buster_game import BusterBlackjack, BusterRules
from controller.games.blackjack.century import CenturyBlackjack, CenturyRules
from controller.games.blackjack.choices import choices_of, hand_bars
from controller.games.blackjack.circle import Bet, BetHand, Circle
from controller.games.blackjack.hot_action import FLOOR_DECISION, HotAction, HotRules
from controller.games.blackjack.options import BlackjackRules
from controller.games.blackjack.pure import PureBlackjack, PureRules
from controller.games.blackjack.rulings import ruling_on

SEAT = 1


def century(asked: Question[CenturyRules]) -> Document:
    if asked.kind != "legality":
        raise asked.unanswered
    ruled = [ruling_on(act["event"], act, asked.options) for act in asked.acts if "event" in act]
    return {"rulings": ruled, "ruling": ruled, "refused": _refused(asked.acts, asked.options)}


def hot_action(asked: Question[HotRules]) -> Document:
    """What happens is left to the floor."""
    if asked.kind != "legality":
        raise asked.unanswered
    if all("event" in act for act in asked.acts):
        return {"rulings": [FLOOR_DECISION for _ in asked.acts]}
    return {"refused": _refused(asked.acts, asked.options)}


def pure(asked: Question[PureRules]) -> Document:
    if asked.kind != "legality":
        raise asked.unanswered
    return {"refused": _refused(asked.acts, asked.options)}


def buster(asked: Question[BusterRules]) -> Document:
    """As the base game answers."""
    base = asked.options.base.game
    return ANSWERS[type(base)](Question(asked.kind, asked.case, base, asked.options.rules))


ANSWERS: Answers = {CenturyBlackjack: century, HotAction: hot_action, PureBlackjack: pure, BusterBlackjack: buster}


def _refused(acts: Sequence[Mapping[str, Any]], rules: BlackjackRules) -> list[dict[str, Any]]:
    """The acts, each with the hand it is for, that are refused, with the sheet's code."""
    judged = [(index, _judged(act, rules)) for index, act in enumerate(acts) if "event" not in act]
    return [{"act": index, "why": refusal.why} for index, refusal in judged if refusal is not None]


def _judged(act: Mapping[str, Any], rules: BlackjackRules) -> Refusal | None:
    """Whether a hand may do this now."""
    circle, hand, up = described_hand(act, rules.base_wager)
    choices = choices_of(rules, circle, hand, up) or (Choice("stand"),)
    asked = Expectation((WantDecision(circle.place, choices),), hand_bars(rules, circle, hand, up))
    return judge(asked, Act(circle.place, act["do"], act.get("cents")))


def described_hand(act: Mapping[str, Any], base_wager: str) -> tuple[Circle, BetHand, Card | None]:
    """Circle, hand and up card that an act describes: `hand`, its wager by its name, `up`, and how many
    `splits` it comes from, by any name with "split" in it.

    >>> circle, hand, up = described_hand({"hand": ["8c", "8d"], "main": 1000, "up": "Jo"}, "main")
    >>> hand.wager, up.is_joker, hand.is_split
    (1000, True, False)
    """
    splits = next((int(value) for name, value in act.items() if "split" in name and isinstance(value, int)), 0)
    stake = int(act.get(base_wager, 0))
    cards: Hand = SplitHand(str(SEAT)) if splits else Hand(str(SEAT))
    cards.slots = [Slot(card(str(code))) for code in act["hand"]]
    hand = BetHand(cards, [Bet(SEAT, stake)])
    others = [BetHand(SplitHand(f"{SEAT}/{nth + 2}"), [Bet(SEAT, stake)], closed=True) for nth in range(splits)]
    up = card(str(act["up"])) if "up" in act else None
    return Circle(SEAT, stake, [hand, *others]), hand, up
