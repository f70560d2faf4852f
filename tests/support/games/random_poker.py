"""A hand of poker played at random: a bot decides, some cards are not read, and now and then something goes wrong.

    at = RandomHand(At(ruleset, **settings), rng, deck, trouble).play().at
    check_chips(at, settings["stacks"], "bankers-razz, seed 3")

The same random numbers play the same hand again.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import msgspec

from controller.engine import events as ev
from controller.engine.expect import bot
from controller.engine.expect.expectation import prompt
from controller.engine.expect.wants import WantCard
from controller.engine.inputs import AnyBody, FloorAct, Happening, decode_input, encode_input
from controller.engine.round.felt import Table
from tests.support.games.own_cards import own_cards
from tests.support.games.poker_tables import At

MOST_INPUTS = 900


@dataclass
class RandomHand:
    at: At
    rng: random.Random
    deck: list[str]
    trouble: Callable[[RandomHand], Happening]
    """Something that the sheets rule on, fitting the moment or not."""
    trouble_rate: float = 0.04
    offline_rate: float = 0.02
    """How often the reader of the cards fails, while no card is waited for."""

    @property
    def table(self) -> Table:
        assert self.at.engine.round is not None
        return self.at.engine.round.table

    def play(self) -> Self:
        for _ in range(MOST_INPUTS):
            if self.at.is_over:
                return self
            assert self.at.engine.expectation.wants, "the table waits for nothing, but the hand is not over"
            assert prompt(self.at.engine.expectation)
            self.at.feed(self._next())
        raise AssertionError(f"the hand does not end: {self.at.asks}")

    def card(self) -> str:
        """A card that can leave the deck now; what was shuffled back may come again."""
        table = self.table
        for _ in range(len(self.deck)):
            code = self.deck.pop(0)
            self.deck.append(code)
            if table.card_problem([code]) is None:
                return code
        raise AssertionError("a card is asked for, and the deck has none left")

    def read_cards(self, seat: int | None) -> list[str]:
        """The cards of a seat that a reader has read."""
        return [slot.card.code for slot in self.table.hands.get(str(seat), ()) if slot.is_read]

    def _next(self) -> AnyBody:
        rng, expectation = self.rng, self.at.engine.expectation
        if self.at.held is not None:
            return FloorAct(rng.choice(("resume", "resume", "resume", "use_next", "void")))
        if rng.random() < self.trouble_rate:
            return self.trouble(self)
        if rng.random() < self.offline_rate and not any(isinstance(want, WantCard) for want in expectation.wants):
            return Happening("reader_offline")
        return bot.answer(
            expectation,
            rng,
            self._card_or_unread,
            name_card=self.card,
            look=lambda place: own_cards(self.at.engine, place),
        )

    def _card_or_unread(self) -> str | None:
        return None if self.rng.random() < 0.05 else self.card()


Begin = Callable[[str, int], tuple[RandomHand, dict[str, Any]]]
"""A hand of a ruleset from a seed, not yet played, and the settings of its table."""


def check_hands(begin: Begin, ruleset: str, seeds: Iterable[int]) -> Counter[str]:
    """Play a hand from each seed; returns how many ended void and how many were settled."""
    ended = Counter[str](void=0, settled=0)
    for seed in seeds:
        hand, settings = begin(ruleset, seed)
        at, name = hand.play().at, f"{ruleset}, seed {seed}"
        check_no_fault(at, name)
        document = at.document
        ended["void" if document["void"] else "settled"] += 1
        if document["void"]:
            continue
        check_chips(at, settings["stacks"], name)
        out = [code for cards in document["hands"].values() for code in cards if code != "Jo"]
        assert len(out) == len(set(out)), f"{name}: a card in two places"
    return ended


def check_replays(begin: Begin, ruleset: str, seeds: Iterable[int]) -> None:
    for seed in seeds:
        hand, settings = begin(ruleset, seed)
        check_replay(hand.play().at, At(ruleset, **settings), f"{ruleset}, seed {seed}")


def check_secrets(begin: Begin, ruleset: str, seeds: Iterable[int]) -> None:
    """No event names a card that stayed hidden."""
    for seed in seeds:
        hand, _ = begin(ruleset, seed)
        table = hand.table
        at = hand.play().at
        slots = [slot for cards in table.hands.values() for slot in cards.slots] + table.burns
        hidden = {slot.card.code for slot in slots if slot.is_read and slot.face_if_exposed is None}
        # A card that went back into the deck was seen before it was hidden again.
        seen = {card for event in at.said(ev.CardsTakenBack) for card in event.cards}
        published = b" ".join(encoded(at.events)).decode()
        for code in hidden - seen - {"Jo"}:
            assert f'"{code}"' not in published, f"{ruleset}, seed {seed}: {code}"


def check_chips(at: At, stacks: dict[int, int] | None, name: str, *, carried: int = 0) -> None:
    """Of a settled hand: chips are conserved, every pot is paid out, and nobody loses more than he had."""
    document = at.document
    assert sum(document["net"].values()) + carried == 0, name
    for pot in document["pots"]:
        assert pot["cents"] == sum(pot["to"].values()), name
    assert all(document["net"][seat] >= -stack for seat, stack in (stacks or {}).items()), name


def check_no_fault(at: At, name: str) -> None:
    assert not [event for event in at.said(ev.Held) if event.code == "engine_fault"], name


def check_replay(at: At, again: At, name: str) -> None:
    """The same inputs, read from their bytes, give the same events at a second table."""
    for value in at.inputs:
        again.events += again.engine.apply(decode_input(encode_input(value)))
    assert encoded(again.events) == encoded(at.events), name


def encoded(events: Sequence[ev.Event]) -> list[bytes]:
    return [msgspec.json.encode(event) for event in events]
