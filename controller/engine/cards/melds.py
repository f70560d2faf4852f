"""Melds of rummy games: what belongs together, what may be laid from a hand.

A rope is a run of one suit in the order of the pack; a square holds cards of one rank. The rules are a value that the
expectation carries, so that the bot and the console, which have nothing else, know what may be laid.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Literal, NamedTuple

from msgspec import Struct

SUITS = "cdhs"
Kind = Literal["rope", "square", "invalid"]
Meld = tuple[str, ...]
LaidMelds = tuple[Meld, ...]


class MeldRules(Struct, frozen=True, omit_defaults=True):
    """What a meld is in one room."""

    order: str
    """The ranks of a suit, low to high."""
    free: str = ""
    """Ranks of which any three cards are a square."""
    extended: bool = True
    """To a valid square any card of its rank may be added."""
    least: int = 3
    most: int = 11


class Laying(NamedTuple):
    """Cards that may be laid: as a new meld, or onto one that is there (counted from 1)."""

    cards: Meld
    onto: int | None = None


def kind_of(cards: Sequence[str], rules: MeldRules) -> Kind:
    """What these cards are as one meld.

    >>> pan = MeldRules("A234567JQK", "AK")
    >>> kind_of(["6c", "7c", "Jc"], pan), kind_of(["Kh", "Kh", "Kd"], pan), kind_of(["Jd", "Jd", "Jh"], pan)
    ('rope', 'square', 'invalid')
    """
    if not rules.least <= len(cards) <= rules.most or not all(card[:1] in rules.order for card in cards):
        return "invalid"
    if _is_rope(cards, rules):
        return "rope"
    return "square" if _is_square(cards, rules) else "invalid"


def _is_rope(cards: Sequence[str], rules: MeldRules) -> bool:
    places = sorted(rules.order.index(card[0]) for card in cards)
    return len({card[1:] for card in cards}) == 1 and places == list(range(places[0], places[0] + len(places)))


def _is_square(cards: Sequence[str], rules: MeldRules) -> bool:
    if len({card[0] for card in cards}) != 1:
        return False
    suits = Counter(card[1:] for card in cards)
    if cards[0][0] in rules.free:
        return True
    if rules.extended:
        return len(suits) >= rules.least or max(suits.values()) >= rules.least
    return len(suits) in (1, len(cards))


def cards_of(board: Iterable[Sequence[str]]) -> Counter[str]:
    return Counter(card for meld in board for card in meld)


def layings(held: Sequence[str], board: LaidMelds, rules: MeldRules) -> Iterator[Laying]:
    """Every meld of three cards, and every card onto a meld, that these cards allow."""
    for number, meld in enumerate(board, start=1):
        for code in dict.fromkeys(held):
            if kind_of((*meld, code), rules) != "invalid":
                yield Laying((code,), number)
    together = [[c for c in held if c[:1] == rank] for rank in rules.order]
    together += [sorted({c for c in held if c[1:] == suit}) for suit in SUITS]
    found = {cards for among in together for cards in combinations(sorted(among), rules.least)}
    for cards in sorted(found):
        if kind_of(cards, rules) != "invalid":
            yield Laying(cards)


def any_layings(board: LaidMelds, rules: MeldRules) -> Iterator[Laying]:
    """What somebody might lay whose cards nobody knows: ropes and squares of one suit, and what the board takes."""
    pack = [rank + suit for rank in rules.order for suit in SUITS]
    yield from (laying for laying in layings(pack, board, rules) if laying.onto is not None)
    for first in range(len(rules.order) - rules.least + 1):
        for suit in SUITS:
            yield Laying(tuple(rank + suit for rank in rules.order[first : first + rules.least]))
    for code in pack:
        yield Laying((code,) * rules.least)
