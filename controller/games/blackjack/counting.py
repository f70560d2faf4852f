"""What cards count, and what a printed chart says to a count.

An ace counts 11 as long as the hand stays within the limit of the game, mostly 21; the hand is then *soft*. A
*natural* is a hand of the first two cards only; which cards make one, and what it is called, is the game's to say, so
it is a mark on the count.

    >>> from controller.engine.cards.card import card
    >>> add_up([card("Ah"), card("6d")])
    Count(total=17, soft=True)
    >>> add_up([card("Ah"), card("6d"), card("9c")])
    Count(total=16)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import Struct

from controller.engine.cards.card import Card

LIMIT = 21
"""The highest whole total that is not over, in most games; no total lies between it and a natural of 21.5."""

ACE = 14
JOKER = 0
VALUES: Mapping[int, int] = {rank: min(rank, 10) for rank in range(2, 14)} | {ACE: 1}
"""What a card counts by its rank; a game with jokers adds them."""

Word = Literal["hit", "stand", "choose"]


class Count(Struct, frozen=True, omit_defaults=True, repr_omit_defaults=True):
    """What a hand counts."""

    total: int
    soft: bool = False
    natural: str = ""
    """Its name, in the sheet's word; empty: an ordinary hand."""
    limit: int = LIMIT

    @property
    def is_over(self) -> bool:
        return self.total > self.limit

    def __str__(self) -> str:
        """For the dealer's prompt: "soft 17", "hard 16"."""
        return f"{'soft' if self.soft else 'hard'} {self.total}"


def add_up(cards: Iterable[Card], values: Mapping[int, int] = VALUES, limit: int = LIMIT) -> Count:
    """The best total of the cards, naturals aside."""
    total, ace = 0, False
    for card in cards:
        total += values[card.rank]
        ace = ace or card.rank == ACE
    if ace and total + 10 <= limit:
        return Count(total + 10, soft=True, limit=limit)
    return Count(total, limit=limit)


class Chart(Struct, frozen=True, forbid_unknown_fields=True):
    """A printed chart: from which totals on a hand must stand, up to which it must hit. Between them it chooses.

    >>> chart = Chart(stand_hard=19, hit_hard=11)
    >>> chart.says(Count(11)), chart.says(Count(12)), chart.says(Count(19)), chart.says(Count(21, soft=True))
    ('hit', 'choose', 'stand', 'choose')
    """

    stand_hard: int
    hit_hard: int | None = None
    """Absent: no hard hand has to hit."""
    stand_soft: int | None = None
    """Absent: no soft hand has to stand."""
    hit_soft: int | None = None
    """Absent: no soft hand has to hit."""

    def __post_init__(self) -> None:
        for kind, hit, stand in (("hard", self.hit_hard, self.stand_hard), ("soft", self.hit_soft, self.stand_soft)):
            if hit is not None and stand is not None and hit >= stand:
                raise ValueError(f"{kind} {hit} cannot both hit and stand (stand_{kind} = {stand})")

    @property
    def leaves_no_choice(self) -> bool:
        if self.hit_hard is None or self.stand_soft is None or self.hit_soft is None:
            return False
        return self.hit_hard + 1 == self.stand_hard and self.hit_soft + 1 == self.stand_soft

    def says(self, count: Count) -> Word:
        stand, hit = (self.stand_soft, self.hit_soft) if count.soft else (self.stand_hard, self.hit_hard)
        if stand is not None and count.total >= stand:
            return "stand"
        return "hit" if hit is not None and count.total <= hit else "choose"
