"""Other spellings of a case, as the format has them: `10h`, `TH` and `th` are `Th`, `joker` is `Jo`, seats may be text.

A word is taken for a card only as a whole, so no name of a wager, an act or a ranking changes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from controller.engine.cards.card import JOKER

CARD = re.compile(r"(10|[2-9tjqka])([shdc♠♥♦♣])(\*?)", re.IGNORECASE)
STAR_FIRST = re.compile(r"(10|[tjqk])\*([shdc])", re.IGNORECASE)
SUITS = {"♠": "s", "♥": "h", "♦": "d", "♣": "c"}
JOKERS = {"jo", "joker", "jk", "jkr"}
WORDS = {"id", "title", "because", "reading", "game", "kind", "do", "event", "floor", "reason", "wager"}
"""Keys whose values are words, whatever they look like."""
NAMES = {"do", "event", "floor", "wager"}
"""Keys of an act whose values are names."""


def in_the_format(case: Mapping[str, Any]) -> dict[str, Any]:
    """
    >>> in_the_format({"cards": ["10h", "AS", "joker"], "expect": {"ranks": {1: ["pair", "10", "k"]}}})
    {'cards': ['Th', 'As', 'Jo'], 'expect': {'ranks': {1: ['pair', 'T', 'K']}}}
    """
    written = {key: value if key in WORDS else _with_cards(value) for key, value in case.items()}
    for key in ("kind", "wagers", "acts"):
        if key in written:
            written[key] = _with_names(written[key], key)
    expect, table = written.get("expect"), written.get("table")
    if isinstance(expect, dict) and isinstance(expect.get("ranks"), dict):
        expect = written["expect"] = {**expect, "ranks": _with_ranks(expect["ranks"])}
    for key in ("net", "uncovered"):
        if isinstance(expect, dict) and isinstance(expect.get(key), dict):
            expect = written["expect"] = {**expect, key: _with_names(expect[key], "wagers")}
    if isinstance(table, dict):
        written["table"] = _with_numbers(table)
    return written


def card_code(text: str) -> str:
    """The code of a card in another spelling; any other text as it is.

    >>> [card_code(text) for text in ("10H", "k♣", "Kh*", "K*h", "tie", "6-6")]
    ['Th', 'Kc', 'Kh*', 'Kh*', 'tie', '6-6']
    """
    if text.lower() in JOKERS:
        return JOKER
    if found := CARD.fullmatch(text):
        rank, suit, star = found.groups()
    elif found := STAR_FIRST.fullmatch(text):
        rank, suit, star = *found.groups(), "*"
    else:
        return text
    return _rank(rank) + SUITS.get(suit, suit.lower()) + star


def _rank(text: str) -> str:
    return "T" if text == "10" else text.upper()


def _with_cards(value: Any) -> Any:
    match value:
        case str():
            return card_code(value)
        case list():
            return [_with_cards(one) for one in value]
        case dict():
            return {_key(key): one if key in WORDS else _with_cards(one) for key, one in value.items()}
    return value


def _key(key: Any) -> Any:
    """A result may be by card: which replaced which. The name of an option may be `joker`."""
    return card_code(key) if isinstance(key, str) and CARD.fullmatch(key) else key


def _with_ranks(ranks: Mapping[Any, Any]) -> dict[Any, Any]:
    return {owner: [_one_rank(one) for one in row] if isinstance(row, list) else row for owner, row in ranks.items()}


def _one_rank(value: Any) -> Any:
    """A single rank, or a row of them (a front and a back); the name of a category is longer."""
    if isinstance(value, list):
        return [_one_rank(one) for one in value]
    is_rank = str(value) == "10" or (isinstance(value, str) and value in tuple("tjqka"))
    return _rank(str(value)) if is_rank else value


def _with_names(value: Any, key: str) -> Any:
    """Names of kinds, acts, events and wagers as the table has them: `Player Line` is `player_line`."""
    match key, value:
        case "kind", str():
            return _name(value)
        case "wagers", dict():
            return {
                place: {_name(wager): cents for wager, cents in placed.items()} if isinstance(placed, dict) else placed
                for place, placed in value.items()
            }
        case "acts", list():
            return [
                {word: _name(said) if word in NAMES else said for word, said in act.items()}
                if isinstance(act, dict)
                else act
                for act in value
            ]
    return value


def _name(value: Any) -> Any:
    return value.strip().lower().replace(" ", "_").replace("-", "_") if isinstance(value, str) else value


def _with_numbers(table: Mapping[str, Any]) -> dict[str, Any]:
    seats = table.get("seats")
    written = {key: _number(value) if key in ("button", "player_dealer") else value for key, value in table.items()}
    return written | ({"seats": [_number(seat) for seat in seats]} if isinstance(seats, list) else {})


def _number(value: Any) -> Any:
    return int(value) if isinstance(value, str) and value.isdecimal() else value
