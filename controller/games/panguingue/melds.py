"""Melds of Panguingue: what lies validly on the board, and what it is worth.

A rope is a run of one suit in the order A 2 3 4 5 6 7 J Q K; a square holds cards of one rank. Some melds have a value,
a *condition*, in chips from each active player. What a room pays is data (`Conditions`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import permutations, product

from msgspec import Struct

from controller.engine.cards.melds import SUITS, LaidMelds, Meld, MeldRules, cards_of, kind_of

ORDER = "A234567JQK"
"""Low to high: the jack follows the seven, and the ace is low only."""
REMOVED = ("8", "9", "T")
VALLE = frozenset("357")
NON_COMOQUER = "AK"
LEAST, MOST = 3, 11
"""Cards of one meld."""


class Chips(Struct, frozen=True, forbid_unknown_fields=True):
    """One row of the table of conditions."""

    other: int
    spades: int

    def of(self, suit: str) -> int:
        return self.spades if suit == "s" else self.other


class Conditions(Struct, frozen=True, forbid_unknown_fields=True):
    """What each condition is worth, in chips from each active player."""

    valle_square: Chips
    """Of different suits."""
    valle_square_suited: Chips
    square_suited: Chips
    further_card: Chips
    """Each card more of the suit of a suited square."""
    low_rope: Chips
    """A-2-3."""
    high_rope: Chips
    """J-Q-K."""
    extended_squares: bool = True
    """To a valid square any card of its rank may be added."""

    @property
    def melds(self) -> MeldRules:
        return MeldRules(ORDER, NON_COMOQUER, self.extended_squares, LEAST, MOST)


def pan_deck(decks: int, short_spades: int = 0) -> dict[str, int]:
    """How often each card is in the pack: eights, nines and tens removed, and some whole sets of spades.

    >>> sum(pan_deck(8, 1).values()), pan_deck(8, 1)["Ks"], pan_deck(8)["Ks"]
    (310, 7, 8)
    """
    return {rank + suit: decks - (short_spades if suit == "s" else 0) for suit in SUITS for rank in ORDER}


def chips(cards: Sequence[str], conditions: Conditions) -> int:
    """The best sum of conditions inside one meld, each card used once.

    Three treys of hearts and one each of the other suits are two conditions: 2 and 1.
    """
    return _chips(tuple(sorted(cards)), conditions)


@lru_cache(maxsize=4096)
def _chips(cards: Meld, conditions: Conditions) -> int:
    kind = kind_of(cards, conditions.melds)
    if kind == "invalid":
        return 0
    if kind == "rope":
        ranks, suit = {card[0] for card in cards}, cards[0][1]
        low = conditions.low_rope.of(suit) if ranks >= set("A23") else 0
        high = conditions.high_rope.of(suit) if ranks >= set("JQK") else 0
        return low + high
    rank = cards[0][0]
    copies = Counter(card[1] for card in cards)
    suited = conditions.valle_square_suited if rank in VALLE else conditions.square_suited
    best = 0
    # Of each suit some cards are together as a suited square; the rest may make squares of different suits.
    for together in product(*([0, *range(LEAST, copies[suit] + 1)] for suit in SUITS)):
        worth = 0
        for suit, count in zip(SUITS, together, strict=True):
            if count:
                worth += suited.of(suit) + (count - LEAST) * conditions.further_card.of(suit)
        if rank in VALLE:
            left = [copies[suit] - count for suit, count in zip(SUITS, together, strict=True)]
            worth += _different_suits(left) * conditions.valle_square.other
        best = max(best, worth)
    return best


def _different_suits(copies: Sequence[int]) -> int:
    """How many squares of three different suits these copies make at once."""
    squares = 0
    while sum(min(count, squares + 1) for count in copies) >= LEAST * (squares + 1):
        squares += 1
    return squares


def value(board: Iterable[Sequence[str]], conditions: Conditions) -> int:
    """What a whole board is worth."""
    return sum(chips(meld, conditions) for meld in board)


class Moved(Struct, frozen=True):
    """Why a board cannot follow from the one before."""

    why: str
    text: str


def follows(before: LaidMelds, now: LaidMelds, conditions: Conditions) -> Moved | None:
    """Whether a seat may turn the board it had into this one: melds stay, grow, or give one card to a new meld."""
    for meld in now:
        if kind_of(meld, conditions.melds) == "invalid":
            return Moved("not_a_meld", f"{' '.join(meld)} is neither a rope nor a square")
    if cards_of(before) - cards_of(now):
        return Moved("melded_card_taken_back", "cards that lie in a meld stay on the board")
    if len(now) < len(before):
        return Moved("meld_taken_apart", "a meld that lies on the board stays a meld")
    for kept in permutations(range(len(now)), len(before)):
        new = [now[i] for i in range(len(now)) if i not in kept]
        if _borrowed(before, [now[i] for i in kept], new):
            return None
    return Moved("not_to_be_borrowed", "one card of a meld of four or more may move to a new meld, no other card moves")


def _borrowed(before: Sequence[Meld], after: Sequence[Meld], new: Sequence[Meld]) -> bool:
    """Whether each old meld lost at most one card, one it can spare, and every such card lies in a new meld."""
    lent: Counter[str] = Counter()
    for old, meld in zip(before, after, strict=True):
        gone = Counter(old) - Counter(meld)
        if gone.total() > 1 or (gone and len(old) <= LEAST):
            return False
        lent += gone
    # What the old melds lost can have gone to new ones only: what they gained came from the hand.
    return not lent - cards_of(new)


def document(meld: Sequence[str], conditions: Conditions) -> Mapping[str, object]:
    """A meld in the words of the case format."""
    return {"cards": list(meld), "kind": kind_of(meld, conditions.melds), "chips": chips(meld, conditions)}
