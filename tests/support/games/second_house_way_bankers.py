"""A second opinion on the two house ways of Banker's: the sheets' tables by hand, nothing of the engine in them.

Each gives the number of the row and the front as ranks (joker as `*`), high card first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from tests.support.games.second_house_way import (
    Opinion,
    Seven,
    complete_fronts,
    front_of,
    higher,
    is_pair,
    of_size,
    rest_of,
    top,
)


class Hand:
    """Seven cards by their groups, ranks as letters, high to low."""

    def __init__(self, cards: Seven) -> None:
        self.cards, self.joker = cards, "Jo" in cards
        counts = Counter(card[0] for card in cards if card != "Jo")
        self.fours, self.threes, self.pairs, self.singles = (of_size(counts, size) for size in (4, 3, 2, 1))

    @property
    def complete(self) -> list[Seven]:
        return list(complete_fronts(self.cards))

    @property
    def complete_pairs(self) -> list[Seven]:
        return [front for front in self.complete if is_pair(front)]


def one_point_one(cards: Seven) -> Opinion:
    """bankers-fortune-pai-gow-poker-1-1, 852-880."""
    hand = Hand(cards)
    pairs, singles = hand.pairs, hand.singles
    if hand.fours:
        return _fours_1_1(hand)
    if len(hand.threes) == 2:
        return "4", hand.threes[0] * 2
    if hand.threes and pairs:
        return ("5", "*" + singles[0]) if hand.joker else ("6", pairs[0] * 2)
    if hand.threes:
        return _three_1_1(hand)
    if len(pairs) == 3:
        return "11", pairs[0] * 2
    if len(pairs) == 2 and hand.joker:
        return "12", "*" + singles[0] if higher(singles[0], pairs[0]) else pairs[0] * 2
    if len(pairs) == 2:
        return "13", _two_pairs(hand)
    if pairs and hand.joker:
        return "14", pairs * 2 if higher(singles[0], pairs) else "*" + singles[0]
    if hand.complete:
        return "15" if pairs else "17", front_of(top(hand.complete))
    if pairs:
        return "16", singles[:2]
    return ("18", singles[0] + singles[2]) if hand.joker else ("19", singles[1:3])


def _fours_1_1(hand: Hand) -> Opinion:
    four = hand.fours
    if hand.joker:
        return "1", hand.pairs * 2 if hand.pairs else "*" + hand.singles[0]
    if four in "AKQ":
        return "2", four * 2
    if hand.pairs or hand.threes:
        return "3", (hand.pairs or hand.threes) * 2
    enough = "A" if four in "JT9" else "AK" if four in "876" else "AKQ"
    return "3", hand.singles[:2] if hand.singles[0] in enough else four * 2


def _three_1_1(hand: Hand) -> Opinion:
    if hand.joker:
        left = hand.complete_pairs
        return "7", front_of(top(left)) if left else "*" + hand.singles[0]
    if hand.complete:
        return "8", hand.threes * 2
    return ("9", "A" + hand.singles[0]) if hand.threes == "A" else ("10", hand.singles[:2])


def _two_pairs(hand: Hand) -> str:
    high, low = hand.pairs[0], hand.pairs[1]
    enough = "" if high in "AKQ" else "A" if high in "JT9" else "AK" if high in "876" else "AKQ"
    return hand.singles[:2] if hand.singles[0] in list(enough) else low * 2


def fully_wild(cards: Seven) -> Opinion:
    """bankers-fortune-pai-gow-poker-joker-fully-wild, 2652-2679: the joker makes the best class."""
    hand = Hand(cards)
    pairs, singles, threes = hand.pairs, hand.singles, hand.threes
    if hand.fours and hand.joker:
        return ("1", "AA") if hand.fours == "A" else ("2", pairs * 2 if pairs else singles[:2])
    if hand.fours or (threes and hand.joker):
        return _fours_wild(hand)
    if len(threes) == 2:
        return "8", threes[0] * 2
    if (threes and pairs) or (len(pairs) > 1 and hand.joker):
        fronts = [
            front for front in combinations(cards, 2) if is_pair(front) and _three_or_better(rest_of(cards, front))
        ]
        return "9", front_of(top(fronts))
    if len(pairs) == 3:
        return "10", pairs[0] * 2
    if threes or (pairs and hand.joker):
        return _three_wild(hand)
    if len(pairs) == 2:
        return "15", _two_pairs(hand)
    if hand.complete:
        return "16" if pairs else "18", front_of(top(hand.complete))
    if pairs:
        return "17", singles[:2]
    return ("19", singles[0] + singles[2]) if hand.joker else ("20", singles[1:3])


def _fours_wild(hand: Hand) -> Opinion:
    four = hand.fours or hand.threes[0]
    beside = hand.pairs or hand.threes.replace(four, "")
    if beside:
        return "3", beside[0] * 2
    if four in "AKQ":
        return "4", four * 2
    if four in "JT9":
        return "5", hand.singles[:2] if hand.singles[0] in "AK" else four * 2
    if four in "876":
        return "6", hand.singles[:2] if hand.singles[0] in "AKQ" else four * 2
    return "7", hand.singles[:2]


def _three_wild(hand: Hand) -> Opinion:
    with_ace = [front for front in hand.complete if any(card[0] == "A" for card in front)]
    for fronts in (hand.complete_pairs, with_ace):
        if fronts:
            return "11", front_of(top(fronts))
    three = hand.threes or hand.pairs
    return ("12", "A" + hand.singles[0]) if three == "A" else ("13", hand.singles[:2])


def _three_or_better(back: Sequence[str]) -> bool:
    most = max(Counter(card[0] for card in back if card != "Jo").values())
    return most + ("Jo" in back) >= 3
