"""Irregularities of Chinese Poker (village-chinese-poker, L1604-1613)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from controller.engine.bounds import MOST_CENTS
from controller.engine.expect.want import Refusal
from controller.engine.inputs import Happening
from controller.engine.round.felt import Table, Unruled, Voided
from controller.games.chinese_poker.hand import FOUL, ChineseHand, lacks_points

MISDEAL, PLAY_AS_DEALT, SHORT_STACK, CHIPS_DECLARED = "misdeal", "play_as_dealt", "short_stack", "chips_declared"
TOO_MANY = 5
"""Exposed or boxed cards that make a misdeal."""
HAPPENINGS = (
    "cards_exposed_by_dealer",
    "wrong_card_count",
    "boxed_cards",
    "foreign_card",
    "duplicate_card",
    "declared_clean_sweep_missing",
    "chips_changed",
    CHIPS_DECLARED,
    SHORT_STACK,
)


def ruling_on(code: str, facts: Mapping[str, Any]) -> str:
    """What the rules say of one irregularity (L1604-1613)."""
    match code:
        case "cards_exposed_by_dealer" | "boxed_cards":
            return MISDEAL if int(facts.get("count", 1)) >= TOO_MANY else PLAY_AS_DEALT
        case "wrong_card_count":
            return FOUL if facts.get("when") == "showdown" else MISDEAL
        case "duplicate_card":
            return FOUL if facts.get("same_player") else MISDEAL
        case "declared_clean_sweep_missing" | "chips_changed":
            return FOUL
    return MISDEAL


def rule(t: Table, body: Happening) -> None:
    hand = t.script_state
    if not isinstance(hand, ChineseHand):
        raise Unruled("no hand is being played")
    if body.code == SHORT_STACK:
        _short_stack(t, hand, body)
        return
    if body.code == CHIPS_DECLARED:
        _declare_chips(t, hand, body)
        return
    ruling = ruling_on(body.code, body.facts)
    if ruling == MISDEAL:
        raise Voided(MISDEAL, body.code.replace("_", " "))
    if ruling == PLAY_AS_DEALT:
        t.rule(ruling, body.seat)
        return
    if body.seat not in hand.players:
        raise Unruled("say whose hand it is")
    hand.foul(int(body.seat))


def _short_stack(t: Table, hand: ChineseHand, body: Happening) -> None:
    """A player enforces the nine points that another needs in play before a hand (L1598)."""
    if t.left:
        t.refuse(body, Refusal("cards_are_out", "the points are counted before the hand"))
    elif body.seat not in hand.options.lacking_points(hand.stacks, hand.players):
        least = hand.options.least_points
        t.refuse(body, Refusal("enough_points", f"name a player with fewer than {least} points in front of him"))
    else:
        raise Voided(SHORT_STACK, lacks_points([int(body.seat)], hand.options))


def _declare_chips(t: Table, hand: ChineseHand, body: Happening) -> None:
    """A player declares before the showdown what he adds to his stack, which fouls nothing (L1597)."""
    cents = body.facts.get("cents")
    if body.seat not in hand.players:
        t.refuse(body, Refusal("no_such_seat", "name the seat of a player of this hand"))
    elif not isinstance(cents, int) or isinstance(cents, bool) or not 0 < cents <= MOST_CENTS:
        t.refuse(body, Refusal("bad_amount", "say how much he adds, in cents"))
    elif hand.is_shown:
        t.refuse(body, Refusal("too_late", "chips are declared before the showdown"))
    else:
        hand.declare_chips(int(body.seat), cents)
