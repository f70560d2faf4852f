"""Texas Hold'em against somebody else's implementation: PokerKit must come to the same stacks, hand by hand.

A bot plays from a seed; every act that was accepted is made in PokerKit too. PokerKit does not take a raise that nobody
could call, so such hands stop being compared; nearly all hands are compared to their end.
"""

from __future__ import annotations

import random
import warnings
from typing import Any

import pytest
from pokerkit import Automation, FixedLimitTexasHoldem, Mode, NoLimitTexasHoldem

from controller.engine import events as ev
from controller.engine.cards.card import codes, standard_deck
from controller.engine.expect import bot
from controller.engine.inputs import Act, AnyBody, BetsClosed, CardOut, Input
from tests.support.games.poker_tables import BANKERS, CALGRAND, At

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
    Automation.RUNOUT_COUNT_SELECTION,
)
HANDS = 60
NO_LIMIT = {"kind": "no_limit", "bring_in": 200}
FIXED_LIMIT = {"kind": "fixed_limit", "low": 200, "high": 400}


class Hand:
    """One hand from a seed, played at our table and in PokerKit."""

    def __init__(self, ruleset: str, structure: dict[str, Any], seed: int) -> None:
        self.rng = random.Random(seed)
        count = self.rng.randrange(2, 7)
        self.order = list(range(1, count + 1))
        """Seats from the left of the button, which is PokerKit's order of players."""
        small, big = (self.order[-1], self.order[0]) if count == 2 else self.order[:2]
        self.stacks = {seat: self.rng.choice((300, 450, 900, 2000, 7000)) for seat in self.order}
        self.at = At(
            ruleset,
            seats=tuple(self.order),
            button=self.order[-1],
            structure=structure,
            blinds={small: 100, big: 200},
            stacks=self.stacks,
        )
        self.deck = codes(standard_deck())
        self.rng.shuffle(self.deck)
        self.other = _pokerkit(structure, [self.stacks[seat] for seat in self.order])
        self.compared = True
        self.dealt = 0

    def play(self) -> None:
        engine = self.at.engine
        while engine.last is None:
            body = self._next()
            events = engine.apply(Input(0, "test", body))
            assert not any(isinstance(event, ev.Refused) for event in events), body
            if self.compared:
                self._also(body)
        if self.compared:
            self._check_alone()

    def _check_alone(self) -> None:
        """PokerKit asks a hand that has nobody left to bet against; we do not."""
        while self.other.actor_index is not None and not self.other.checking_or_calling_amount:
            self.other.check_or_call()

    def _next(self) -> AnyBody:
        """No posts, no mucking: what PokerKit plays too."""
        expectation = self.at.engine.expectation
        body: AnyBody | None = None
        while body is None or not isinstance(body, Act | CardOut):
            body = bot.answer(expectation, self.rng, lambda: self.deck[self.dealt])
            if isinstance(body, BetsClosed):
                return body
        if isinstance(body, CardOut):
            self.dealt += 1
        if isinstance(body, Act) and body.do in ("show", "muck", "declare_board"):
            return Act(body.seat, "declare_board")
        # A bot folds too often to see many rivers.
        if isinstance(body, Act) and body.do == "fold" and self.rng.random() < 0.7:
            return self._next()
        return body

    def _also(self, body: AnyBody) -> None:
        other = self.other
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            match body:
                case CardOut(card=str(code)):
                    self._check_alone()
                    if other.can_deal_hole():
                        other.deal_hole(code)
                    elif other.can_burn_card():
                        other.burn_card(code)
                    else:
                        other.deal_board(code)
                case Act(do="fold"):
                    assert other.actor_index == self.order.index(int(body.seat))
                    with warnings.catch_warnings():
                        warnings.simplefilter("ignore")  # it warns of a fold where a check was free
                        other.fold()
                case Act(do="check" | "call"):
                    assert other.actor_index == self.order.index(int(body.seat))
                    other.check_or_call()
                case Act(do="bet" | "raise", to=to):
                    assert other.actor_index == self.order.index(int(body.seat))
                    self.compared = other.can_complete_bet_or_raise_to(to)
                    if self.compared:
                        other.complete_bet_or_raise_to(to)


def _pokerkit(structure: dict[str, Any], stacks: list[int]) -> Any:
    players = (tuple(stacks), len(stacks))
    if structure["kind"] == "no_limit":
        return NoLimitTexasHoldem.create_state(AUTOMATIONS, True, 0, (100, 200), 200, *players, mode=Mode.CASH_GAME)
    sizes = (200, 400)
    return FixedLimitTexasHoldem.create_state(AUTOMATIONS, True, 0, (100, 200), *sizes, *players, mode=Mode.CASH_GAME)


@pytest.mark.parametrize("ruleset", [BANKERS, CALGRAND])
@pytest.mark.parametrize("structure", [NO_LIMIT, FIXED_LIMIT], ids=["no limit", "fixed limit"])
def test_pokerkit_comes_to_the_same_stacks(ruleset: str, structure: dict[str, Any]) -> None:
    compared = 0
    for seed in range(HANDS):
        hand = Hand(ruleset, structure, seed)
        hand.play()
        net = hand.at.document["net"]
        assert sum(net.values()) == 0, f"seed {seed}"
        if not hand.compared:
            continue
        compared += 1
        assert not hand.other.status, f"seed {seed}: PokerKit goes on"
        ours = [hand.stacks[seat] + net[seat] for seat in hand.order]
        assert ours == list(hand.other.stacks), f"seed {seed}"
    assert compared > HANDS // 2
