"""What players call a hand: from its rank, as results and cases write it.

>>> hand_name(["two_pair", "K", "9", "4"]), hand_name(["straight", "5"]), hand_name(["high_card", "A", "J", "9"])
('Two pair, kings and nines', 'Straight, five high', 'Ace high')
>>> hand_name(["high_card", "8", "6", "4", "3", "2"], is_low=True), hand_name(["badugi_3", "Q", "J", "8"])
('8-6-4-3-2', 'Three cards, Q-J-8')
>>> hand_name(["points", "7", "Teen"]), hand_name(["pair", "Gee Joon"]), hand_name(["natural"])
('Seven, Teen high', 'Pair of Gee Joon', 'Natural')
"""

from __future__ import annotations

from collections.abc import Sequence

_ONE = {
    "A": "ace",
    "K": "king",
    "Q": "queen",
    "J": "jack",
    "T": "ten",
    "9": "nine",
    "8": "eight",
    "7": "seven",
    "6": "six",
    "5": "five",
    "4": "four",
    "3": "three",
    "2": "two",
    "1": "one",
    "0": "zero",
}
_HIGH = ("straight", "flush", "straight_flush")
_BADUGI = {"badugi_4": "Badugi", "badugi_3": "Three cards", "badugi_2": "Two cards", "badugi_1": "One card"}
_OF = {"three_of_a_kind": "Three", "four_of_a_kind": "Four", "five_of_a_kind": "Five"}


def hand_names(rank: object, *, is_low: bool = False) -> tuple[str, ...]:
    """Of a result's rank: one name, one for each part of a hand that was set, or none.

    >>> hand_names([["high_card", "T", "9"], ["pair", "7", "J"]]), hand_names(["badugi_4", "9", "4"]), hand_names(None)
    (('Ten high', 'Pair of sevens'), ('Badugi, 9-4',), ())
    """
    if not isinstance(rank, list | tuple) or not rank:
        return ()
    parts = rank if isinstance(rank[0], list | tuple) else (rank,)
    return tuple(hand_name([str(each) for each in part], is_low=is_low) for part in parts if part)


def hand_name(rank: Sequence[str], *, is_low: bool = False) -> str:
    """`rank`: the category, then the ranks that break ties. `is_low`: the game is won by low cards."""
    category, *ranks = rank
    if category in _BADUGI:
        return f"{_BADUGI[category]}, {'-'.join(ranks)}"
    if category == "points":
        points, *tile = ranks
        return f"{_ONE.get(points, points).capitalize()}, {tile[0]} high" if tile else _ONE[points].capitalize()
    if not ranks:
        return _plain(category)
    if category == "high_card":
        return "-".join(ranks) if is_low else f"{_one(ranks[0]).capitalize()} high"
    if category in _HIGH:
        return f"{_plain(category)}, {_one(ranks[0])} high"
    if category == "pair":
        return f"Pair of {_many(ranks[0])}"
    if category == "two_pair" and len(ranks) > 1:
        return f"Two pair, {_many(ranks[0])} and {_many(ranks[1])}"
    if category == "full_house" and len(ranks) > 1:
        return f"Full house, {_many(ranks[0])} full of {_many(ranks[1])}"
    if category in _OF:
        return f"{_OF[category]} {_many(ranks[0])}"
    return f"{_plain(category)}, {ranks[0]}"


def _plain(category: str) -> str:
    return category.replace("_", " ").capitalize()


def _one(rank: str) -> str:
    return _ONE.get(rank, rank)


def _many(rank: str) -> str:
    """A tile's name has no plural."""
    one = _ONE.get(rank)
    return rank if one is None else "sixes" if one == "six" else f"{one}s"
