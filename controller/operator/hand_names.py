"""A hand's name, as a dealer calls it."""

from __future__ import annotations

from collections.abc import Sequence

_RANKS = {
    "A": "aces",
    "K": "kings",
    "Q": "queens",
    "J": "jacks",
    "T": "tens",
    "9": "nines",
    "8": "eights",
    "7": "sevens",
    "6": "sixes",
    "5": "fives",
    "4": "fours",
    "3": "threes",
    "2": "twos",
}
_ALIKE = {"pair": "Pair of {}", "three_of_a_kind": "Three {}", "four_of_a_kind": "Four {}", "five_of_a_kind": "Five {}"}
_HIGH = {"straight": "Straight", "flush": "Flush", "straight_flush": "Straight flush"}


def hand_name(rank: object) -> str:
    """The name of a rank in the form of the cases; of a hand in two parts, both names. Empty: it has none.

    >>> hand_name(["two_pair", "J", "5", "A"]), hand_name(["flush", "K", "9", "8", "4", "2"])
    ('Two pair, jacks and fives', 'Flush, king high')
    >>> hand_name([["high_card", "T", "9"], ["pair", "7", "J"]]), hand_name(["points", "9", "Chong"])
    ('Ten high / Pair of sevens', '9 points')
    >>> hand_name(["full_house", "Q", "3"]), hand_name(["gong", "Day"]), hand_name(["badugi_3", "9", "4", "A"])
    ('Full house, queens and threes', 'Gong', 'Badugi 3: 9 4 A')
    """
    if not isinstance(rank, list | tuple) or not rank:
        return ""
    if isinstance(rank[0], list | tuple):
        return " / ".join(name for part in rank if (name := hand_name(part)))
    return _named(str(rank[0]), [str(part) for part in rank[1:]])


def _named(category: str, ranks: Sequence[str]) -> str:
    first = ranks[0] if ranks else ""
    if category in _ALIKE and first in _RANKS:
        return _ALIKE[category].format(_RANKS[first])
    if category in ("two_pair", "full_house") and len(ranks) > 1 and {first, ranks[1]} <= _RANKS.keys():
        return f"{_words(category)}, {_RANKS[first]} and {_RANKS[ranks[1]]}"
    if category == "high_card" and first in _RANKS:
        return f"{_one(first).capitalize()} high"
    if category in _HIGH and first in _RANKS:
        return f"{_HIGH[category]}, {_one(first)} high"
    if category == "points":
        return f"{first} points"
    if category.startswith("badugi"):
        return f"{_words(category)}: {' '.join(ranks)}"
    return _words(category)


def _one(rank: str) -> str:
    """ "kings" are many."""
    return "six" if rank == "6" else _RANKS[rank].removesuffix("s")


def _words(code: str) -> str:
    text = code.replace("_", " ")
    return text[:1].upper() + text[1:]
