"""A second opinion on Turlock's house way: the sheet's table written out by hand, with nothing of the engine in it.

Slow and literal on purpose. `second_opinion` gives the row's id and the front as ranks (joker as `*`), high card first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

ORDER = "23456789TJQKA"
CHART = """
AA  S  S  S  S  S  S  S  S  S  S  S  S
KK AJ AJ AQ AQ  S  S  S  S  S  S  S
QQ A8 A9 AT AJ AK AK AK  S  S  S
JJ A4 A4 A6 A8 AT AQ AQ AQ AK
TT KQ KQ KQ A3 A3 A6 AJ AJ
99 KT KJ KQ KQ KQ KQ KQ
88 K4 K5 KJ KJ KQ KQ
77 K4 K4 K6 KJ KJ
66 QJ K4 K5 K7
55 QT QT QJ
44 Q5 Q6
33 JT
"""
CELLS = {row.split()[0][0]: row.split()[1:] for row in CHART.strip().splitlines()}

Seven = Sequence[str]
Opinion = tuple[str, str]


def second_opinion(cards: Seven) -> Opinion:
    natural = [card[0] for card in cards if card != "Jo"]
    joker = "Jo" in cards
    counts = Counter(natural)
    fours, threes, pairs, singles = (of_size(counts, size) for size in (4, 3, 2, 1))
    if fours:
        return _four(fours[0], threes, pairs, singles, joker)
    if joker and (len(threes) == 2 or (threes and pairs) or len(pairs) == 3):
        return "full_house_and_a_joker", front_of(_highest_pair_leaving_full_house(cards))
    if len(threes) == 2:
        return "two_sets", threes[0] * 2
    if threes and len(pairs) == 2:
        return "full_house_and_a_pair", pairs[0] * 2
    if threes and pairs:
        return "natural_full_house", "AK" if pairs == "2" and singles == "AK" else pairs * 2
    if len(pairs) == 3:
        return "three_pairs", pairs[0] * 2
    if threes and joker:
        return "three_of_a_kind_with_a_joker", "*" + singles[0]
    return _three_or_less(cards, threes, pairs, singles, joker)


def _four(four: str, threes: str, pairs: str, singles: str, joker: bool) -> Opinion:
    if four == "A" and joker:
        return ("five_aces_with_kings", "KK") if pairs == "K" else ("five_aces", "AA")
    if threes:
        return "four_of_a_kind_and_a_pair", max(four, threes, key=ORDER.index) * 2
    if pairs:
        return "four_of_a_kind_and_a_pair", pairs * 2
    if joker:
        return "four_of_a_kind_with_joker", "*" + singles[0]
    front = singles[:2]
    keeps = {
        "A": False,
        "K": False,
        "Q": front in ("AK", "AJ"),
        "J": front[0] == "A",
        "T": front[0] == "A",
        "9": front[0] in "AK",
        "8": front[0] in "AK",
        "7": front[0] in "AKQ",
    }
    return "four_of_a_kind", front if keeps.get(four, True) else four * 2


def _three_or_less(cards: Seven, threes: str, pairs: str, singles: str, joker: bool) -> Opinion:
    complete = list(complete_fronts(cards))
    if complete and len(pairs) < 2:
        paired = [front for front in complete if is_pair(front)]
        if joker and pairs:
            if paired:
                return "complete_hand_pair_and_joker", front_of(top(paired))
        elif threes:
            return "complete_hand_with_trips", front_of(top(paired))
        else:
            return _with_complete(cards, top(complete), joker or bool(pairs))
    if threes == "A":
        return "trip_aces", "KQ" if singles[:2] == "KQ" else "A" + singles[0]
    if threes == "K":
        return "trip_kings", "QJ" if singles[:2] == "QJ" else _sorted("K" + singles[0])
    if threes:
        return "trips_q_or_lower", singles[:2]
    if len(pairs) == 2:
        return _two_pairs(pairs, singles, joker)
    if pairs:
        if not joker:
            return "one_pair", singles[:2]
        if pairs in "234" and singles[:2] == "AK":
            return "one_pair_and_a_joker", "AK"
        return "one_pair_and_a_joker", pairs * 2 if higher(singles[0], pairs) else "*" + singles[0]
    if joker:
        low = [ORDER.index(rank) for rank in singles[:3]] <= [ORDER.index(rank) for rank in "Q87"]
        return "joker_handicap", singles[1:3] if low else singles[0] + singles[2]
    return "no_pairs", singles[1:3]


def _with_complete(cards: Seven, best: Seven, may_break: bool) -> Opinion:
    front = front_of(best)
    if not may_break:
        return "complete_hand", front
    if is_pair(best) or front[0] in "AKQ":
        return "complete_hand_q_front", front
    broken = [f for f in combinations(cards, 2) if any(c[0] == "A" for c in f) and _pair_of_jacks(rest_of(cards, f))]
    return ("ace_front_pair_behind", front_of(top(broken))) if broken else ("complete_hand", front)


def _two_pairs(pairs: str, singles: str, joker: bool) -> Opinion:
    high, low = pairs[0], pairs[1]
    if joker:
        above = ORDER.index(singles[0]) - ORDER.index(high) >= 3
        return "two_pairs_and_a_joker", "*" + singles[0] if above else high * 2
    cell = CELLS[high][ORDER.index(low)]
    front = singles[:2]
    enough = cell != "S" and [ORDER.index(rank) for rank in front] >= [ORDER.index(rank) for rank in cell]
    return ("two_pairs_behind", front) if enough else ("two_pairs_split", low * 2)


RUNS = [set(range(low, low + 5)) for low in range(9)] + [{12, 0, 1, 2, 3}]


def complete_fronts(cards: Seven) -> Iterator[Seven]:
    needed = 4 if "Jo" in cards else 5
    held = {ORDER.index(card[0]) for card in cards if card != "Jo"}
    suits = Counter(card[1] for card in cards if card != "Jo")
    if max(suits.values()) < needed and all(len(held & run) < needed for run in RUNS):
        return
    for front in combinations(cards, 2):
        back = rest_of(cards, front)
        ranks = {ORDER.index(card[0]) for card in back if card != "Jo"}
        natural = [card for card in back if card != "Jo"]
        if len(ranks) < len(natural):
            continue
        one_suit = len({card[1] for card in natural}) == 1
        if one_suit or any(ranks <= run for run in RUNS):
            yield front


def _highest_pair_leaving_full_house(cards: Seven) -> Seven:
    return top([front for front in combinations(cards, 2) if is_pair(front) and _full_house(rest_of(cards, front))])


def _full_house(back: Seven) -> bool:
    sizes = sorted(Counter(card[0] for card in back if card != "Jo").values(), reverse=True)
    sizes[0] += "Jo" in back
    return sizes[0] >= 4 or sizes == [3, 2]


def _pair_of_jacks(back: Seven) -> bool:
    """A pair, no more, and of jacks or better."""
    ranks = [card[0] for card in back if card != "Jo"]
    if "Jo" in back:
        ranks.append(_sorted(ranks)[0])
    double = [rank for rank, held in Counter(ranks).items() if held > 1]
    return len(double) == 1 and ranks.count(double[0]) == 2 and double[0] in "JQKA"


def is_pair(front: Seven) -> bool:
    return "Jo" in front or front[0][0] == front[1][0]


def top(fronts: Iterable[Seven]) -> Seven:
    """The highest; of two equal pairs the natural one."""
    return max(
        fronts, key=lambda front: (is_pair(front), [ORDER.index(rank) for rank in _as_pair(front)], "Jo" not in front)
    )


def _as_pair(front: Seven) -> str:
    natural = "".join(card[0] for card in front if card != "Jo")
    return natural * 2 if len(natural) == 1 else _sorted(natural)


def rest_of(cards: Seven, front: Seven) -> list[str]:
    return [card for card in cards if card not in front]


def front_of(front: Seven) -> str:
    natural = _sorted(card[0] for card in front if card != "Jo")
    return "*" + natural if "Jo" in front else natural


def of_size(counts: Counter[str], size: int) -> str:
    return _sorted(rank for rank, held in counts.items() if held == size)


def _sorted(ranks: Iterable[str]) -> str:
    return "".join(sorted(ranks, key=ORDER.index, reverse=True))


def higher(one: str, other: str) -> bool:
    return ORDER.index(one) > ORDER.index(other)
