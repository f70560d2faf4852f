"""A round of blackjack played by the bot from a seed, some of its cards unread; what must hold of every such round.

table = RandomRound(7, ("turlock-pure-spanish-21-5", {})).table
assert table.document["bank_net"] == 0
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from controller.engine import events as ev
from controller.engine.expect.bot import answer
from controller.engine.expect.expectation import judge
from controller.engine.inputs import AnyBody
from tests.support.games.blackjack_tables import At

Variant = tuple[str, dict[str, Any]]
"""A ruleset and what its table chose."""
Shuffle = Callable[[random.Random, Mapping[str, int]], list[str]]
"""Makes a shoe of a deck: the number of each card."""


def shuffled(rng: random.Random, deck: Mapping[str, int]) -> list[str]:
    shoe = [code for code, count in deck.items() for _ in range(count)]
    rng.shuffle(shoe)
    return shoe


class RandomRound:
    def __init__(self, seed: int, variant: Variant, shuffle: Shuffle = shuffled) -> None:
        ruleset, options = variant
        self.variant = variant
        self.rng = random.Random(seed)
        bank = self.rng.choice([None, (3000,), (2000, 10_000), (1_000_000,)])
        self.table = At(ruleset, options=options, bank=bank)
        engine = self.table.engine
        deck = engine.game.deck(engine.options)
        assert deck is not None
        self.shoe = shuffle(self.rng, deck)
        self.unread: list[str] = []
        self.dealt: list[str] = []
        self.fed: list[AnyBody] = []
        while engine.last is None:
            assert engine.expectation.wants
            body = answer(engine.expectation, self.rng, self._draw, name_card=self.unread.pop)
            assert judge(engine.expectation, body) is None
            self.fed.append(body)
            self.table.feed(body)

    def _draw(self) -> str | None:
        code = self.shoe.pop()
        self.dealt.append(code)
        if self.rng.random() < 0.1:
            self.unread.append(code)
            return None
        return code

    def check(self) -> None:
        """Money and cards are conserved, and the same inputs give the same events at a second table."""
        table, document = self.table, self.table.document
        assert sum(sum(wagers.values()) for wagers in document["net"].values()) + document["bank_net"] == 0
        if document["void"]:
            return
        assert Counter(code for cards in table.settled.hands.values() for code in cards) == Counter(self.dealt)
        ruleset, options = self.variant
        again = At(ruleset, options=options, bank=table.engine.state.setup.bank)
        again.feed(*self.fed)
        assert [ev.encode_event(event) for event in again.events] == [ev.encode_event(event) for event in table.events]


def best_total(cards: list[str], limit: int) -> int:
    """The best total of a hand without jokers, or the lowest where all are beyond the limit."""
    totals = {0}
    for card in cards:
        values = {"A": (1, 11), "T": (10,), "J": (10,), "Q": (10,), "K": (10,)}.get(card[0]) or (int(card[0]),)
        totals = {total + value for total in totals for value in values}
    return max((total for total in totals if total <= limit), default=min(totals))


def played_hands(document: dict[str, Any]) -> Iterator[tuple[list[str], bool, int, str, int]]:
    """Every hand with its cards, whether it lies as dealt, its wager, what became of it and what moved."""
    for place, wagers in document["more"]["wager_by_hand"].items():
        hands = document["hands"][place]
        hands = [hands] if isinstance(hands[0], str) else hands
        outcome = document["outcome"][place]
        outcomes = outcome if isinstance(outcome, list) else [outcome]
        nets = document["more"]["net_by_hand"][place]
        for cards, wager, result, net in zip(hands, wagers, outcomes, nets, strict=True):
            yield cards, len(hands) == 1, wager, result, net
