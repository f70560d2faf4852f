"""Irregularities of Chinese Poker (village-chinese-poker, L1604-1613)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from controller.engine.inputs import Happening
from controller.engine.round.felt import Table, Unruled, Voided
from controller.games.chinese_poker.hand import FOUL, ChineseHand

MISDEAL, PLAY_AS_DEALT = "misdeal", "play_as_dealt"
TOO_MANY = 5
"""Exposed or boxed cards that make a misdeal."""
HAPPENINGS = (
    "cards_exposed_by_dealer",
    "wrong_card_count",
    "boxed_cards",
    "foreign_card",
    "duplicate_card",
    "declared_clean_sweep_missing",
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
        case "declared_clean_sweep_missing":
            return FOUL
    return MISDEAL


def rule(t: Table, body: Happening) -> None:
    hand = t.script_state
    if not isinstance(hand, ChineseHand):
        raise Unruled("no hand is being played")
    ruling = ruling_on(body.code, body.facts)
    if ruling == MISDEAL:
        raise Voided(MISDEAL, body.code.replace("_", " "))
    if ruling == PLAY_AS_DEALT:
        t.rule(ruling, body.seat)
        return
    if body.seat not in hand.players:
        raise Unruled("say whose hand it is")
    hand.foul(int(body.seat))
