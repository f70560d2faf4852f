"""Hands of a pot game told by themselves (`kind: ranking`): what each of them is, and of two the better one.

`cards` holds hands by number, or pairs of them named a and b; `board`, there or beside it, belongs to every hand.
Sheets: the sections Hand ranking of the poker games; calgrand-poker-hand-ranking.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from controller.engine.cards.card import RANKS, card
from controller.engine.ranking import Rank
from controller.games.poker.core.rankings import Rankings

TIE = "tie"
Ranked = tuple[Rank | None, Rank | None]


def name_hands(rankings: Rankings, case: Mapping[str, Any]) -> dict[str, Any]:
    """The high hand of a high-low game is its rank, the low one is told beside it; the better one of two is that of
    the high half."""
    told = case.get("cards")
    if not told:
        raise LookupError("a ranking case names hands in `cards`")
    board = case.get("board") or (told.get("board") if isinstance(told, Mapping) else None) or ()
    ranks: dict[Any, Any] = {}
    lows: dict[Any, Any] = {}
    winner: dict[Any, str] = {}
    for name, held in told.items() if isinstance(told, Mapping) else enumerate(told):
        if name == "board":
            continue
        if not isinstance(held, Mapping):
            ranks[name], lows[name] = _documents(_ranked(rankings, held, board))
            continue
        found = {side: _ranked(rankings, cards, board) for side, cards in held.items()}
        documents = {side: _documents(ranked) for side, ranked in found.items()}
        ranks[name] = {side: rank for side, (rank, _) in documents.items()}
        lows[name] = {side: low for side, (_, low) in documents.items()}
        winner[name] = _better(found)
    more: dict[str, Any] = {"winner": winner}
    if rankings.high is not None and rankings.low is not None:
        more["low_ranks"] = lows
    return {"ranks": ranks, "more": more}


def _ranked(rankings: Rankings, held: Sequence[Any], board: Sequence[Any]) -> Ranked:
    hole, common = [card(str(code)) for code in held], [card(str(code)) for code in board]
    if rankings.use_hole is not None and not common:
        rankings = _of_five(rankings)
    return rankings.best_high(hole, common), rankings.best_low(hole, common)


def _of_five(rankings: Rankings) -> Rankings:
    """Without a board the cards named are the hand, whichever of them were hole cards."""
    qualifier = None if rankings.qualifier is None else RANKS.index(rankings.qualifier) + 2
    return Rankings(rankings.high, rankings.low, qualifier=qualifier)


def _documents(ranked: Ranked) -> tuple[list[str] | None, list[str] | None]:
    high, low = ranked
    rank = low if high is None else high
    return None if rank is None else rank.document(), None if low is None else low.names


def _better(found: Mapping[str, Ranked]) -> str:
    values = {side: low if high is None else high for side, (high, low) in found.items()}
    best = max(rank for rank in values.values() if rank is not None)
    sides = [side for side, rank in values.items() if rank == best]
    return sides[0] if len(sides) == 1 else TIE
