"""Rummy players: what they lay of the cards that they hold, and which card they let go.

They know what a meld is from what the table offers them (`people_sight.Melds`), and play to go out: lay whatever fits,
keep what lies near to it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from sim_hw.people.sight import Choice, Decision, Melds

SUITS = "cdhs"
LAYS_TOLD = 0.3
"""How often somebody lays a meld where nobody sees the hands: between them cards are drawn and discarded."""
GOES_OUT = "out"

Laying = tuple[tuple[str, ...], int | None]
"""Cards, and the meld of the board that they go onto, from 1; None: a new one."""


def is_meld(cards: Sequence[str], rules: Melds) -> bool:
    """A run of one suit, or a square of one rank."""
    if not rules.least <= len(cards) <= rules.most or not all(card[:1] in rules.order for card in cards):
        return False
    suits = Counter(card[1:] for card in cards)
    if len({card[0] for card in cards}) == 1:
        if cards[0][0] in rules.free:
            return True
        if rules.extended:
            return len(suits) >= rules.least or max(suits.values()) >= rules.least
        return len(suits) in (1, len(cards))
    places = sorted(rules.order.index(card[0]) for card in cards)
    return len(suits) == 1 and places == list(range(places[0], places[0] + len(places)))


def layings(held: Sequence[str], board: Sequence[Sequence[str]], rules: Melds) -> Iterator[Laying]:
    """Everything that may be laid of these cards: one card onto a meld, or the least of a new one."""
    for number, meld in enumerate(board, start=1):
        for card in dict.fromkeys(held):
            if is_meld((*meld, card), rules):
                yield (card,), number
    near = [[card for card in held if card[:1] == rank] for rank in rules.order]
    near += [sorted({card for card in held if card[1:] == suit}) for suit in SUITS]
    for cards in sorted({cards for among in near for cards in combinations(sorted(among), rules.least)}):
        if is_meld(cards, rules):
            yield cards, None


def decide_rummy(want: Decision, rng: random.Random, own: Sequence[str]) -> dict[str, Any]:
    """One of the choices at a table where melds are laid; `own`: the seat's cards, with those that it has laid."""
    laying = [choice for choice in want.choices if choice.melds is not None]
    others = [choice for choice in want.choices if choice.melds is None]
    if any(choice.unseen for choice in laying):
        return _decision(want, laying[0], others, rng)
    held = list((Counter(own) - Counter(card for meld in laying[0].board for card in meld)).elements())
    # A card that was taken must be used, and it is the last that came.
    used_first = own[-1] if own and any(choice.do == "throw_back" for choice in others) else None
    found = [
        (choice, cards, onto)
        for choice in laying
        for cards, onto in _possible(choice, held)
        if used_first is None or used_first in cards
    ]
    if found:
        out = [one for one in found if one[0].do == GOES_OUT]
        choice, cards, onto = rng.choice(out or found)
        return _act(want, choice.do, cards, onto)
    choice = rng.choice(others)
    if choice.count is None:
        return _act(want, choice.do)
    # Which card goes is free once one was used, and the board says so; else it is the one that was drawn.
    card = _least_useful(held, choice, laying[0], rng) if choice.board else (*choice.cards, *own[-1:])[0]
    return _act(want, choice.do, (card,))


def _possible(choice: Choice, held: Sequence[str]) -> Iterator[Laying]:
    assert choice.melds is not None
    lying = sum(map(len, choice.board))
    least, most = choice.laid or (0, choice.melds.most)
    for cards, onto in layings(held, choice.board, choice.melds):
        if least <= lying + len(cards) <= most:
            yield cards, onto


def _decision(want: Decision, laying: Choice, others: Sequence[Choice], rng: random.Random) -> dict[str, Any]:
    """Nobody sees the hands: what somebody might hold is laid, or only drawn and discarded."""
    rules = laying.melds
    assert rules is not None
    if others and rng.random() >= LAYS_TOLD:
        return _act(want, rng.choice(others).do)
    held = [rank + suit for rank in rules.order for suit in SUITS]
    found = list(_possible(laying, held))
    if not found:
        return _act(want, rng.choice(others).do)
    cards, onto = rng.choice(found)
    return _act(want, laying.do, cards, onto)


def _least_useful(held: Sequence[str], discard: Choice, laying: Choice, rng: random.Random) -> str:
    rules = laying.melds
    assert rules is not None

    def use(place: int) -> int:
        card = held[place]
        fits = sum(is_meld((*meld, card), rules) for meld in discard.board)
        return 3 * fits + sum(_near(card, other, rules) for n, other in enumerate(held) if n != place)

    uses = [use(place) for place in range(len(held))]
    return held[rng.choice([place for place, worth in enumerate(uses) if worth == min(uses)])]


def _near(card: str, other: str, rules: Melds) -> bool:
    """Whether one more card could make a meld of these two."""
    if card[0] == other[0]:
        return True
    return card[1:] == other[1:] and abs(rules.order.index(card[0]) - rules.order.index(other[0])) < rules.least


def _act(want: Decision, do: str, cards: Sequence[str] = (), onto: int | None = None) -> dict[str, Any]:
    act: dict[str, Any] = {"kind": "act", "seat": want.seat, "do": do}
    if cards:
        act["cards"] = list(cards)
    if onto is not None:
        act["facts"] = {"onto": onto}
    return act
