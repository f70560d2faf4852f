"""21st Century Baccarat: the Royale row of the first four cards and what it pays (`ranking`), events by their ruling
(`legality`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from controller.cases.answers.question import Answers, Document, Question
from controller.engine.cards.card import CARDS, Card
from controller.engine.money.bank import Odds
from controller.games.baccarat.century_script import HAND_SHUFFLE, SHUFFLER_FAILURE, CenturyBaccarat, royale_row
from controller.games.baccarat.options import RoyaleOptions


def century(asked: Question[RoyaleOptions]) -> Document:
    if asked.kind == "legality" and all(act.get("event") == SHUFFLER_FAILURE for act in asked.acts):
        return {"rulings": [HAND_SHUFFLE for _ in asked.acts]}
    if asked.kind != "ranking":
        raise asked.unanswered
    cards, options = asked.case["cards"], asked.options
    rounds = [cards] if "player" in cards else list(cards.values()) if isinstance(cards, Mapping) else cards
    rows = [royale_row(*_first_four(one), options) for one in rounds]
    pays = [options.pays.royale_bonus.get(row) for row in rows]
    to_1 = [None if text is None else Odds(text).to for text in pays]
    if isinstance(cards, Mapping) and rounds[0] is not cards:
        return {"rows": dict(zip(cards, rows, strict=True)), "pays_to_1": dict(zip(cards, to_1, strict=True))}
    return {"rows": rows, "pays_to_1": to_1}


ANSWERS: Answers = {CenturyBaccarat: century}


def _first_four(cards: Any) -> tuple[list[Card], list[Card]]:
    """The two hands of a round, by their names or in the order of the deal."""
    player, dealer = (cards["player"], cards["dealer"]) if isinstance(cards, Mapping) else (cards[0:4:2], cards[1:4:2])
    return _cards(player), _cards(dealer)


def _cards(codes: Sequence[str]) -> list[Card]:
    return [CARDS[str(code)] for code in codes]
