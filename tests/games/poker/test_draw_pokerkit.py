"""Draw hands that a bot plays at our table, played again in PokerKit: the same chips in front of everybody at the end.

Stacks are deep and discards few, so that neither all-ins nor an empty stub come into it: there the rooms have rules of
their own. PokerKit allows four bets and raises of a round; hands that had more are left out.
"""

from __future__ import annotations

import random
import warnings
from collections import defaultdict
from typing import Any

import pytest
from pokerkit import (
    Automation,
    FixedLimitBadugi,
    FixedLimitDeuceToSevenLowballTripleDraw,
    Mode,
    NoLimitDeuceToSevenLowballSingleDraw,
)

from controller.engine.cards.card import codes, standard_deck
from controller.engine.expect import bot
from controller.engine.expect.choices import WantDecision
from controller.engine.expect.wants import WantCard
from controller.engine.inputs import Act, CardOut
from tests.support.games.draw_tables import DrawAt

STACK, HANDS, MOST_RAISES = 1_000_000, 40, 3
FIXED = {"kind": "fixed_limit", "low": 400, "high": 800}
THEIRS: dict[str, tuple[Any, tuple[int, ...], dict[str, Any]]] = {
    "village-deuce-seven-triple-draw": (FixedLimitDeuceToSevenLowballTripleDraw, (400, 800), FIXED),
    "village-badugi-triple-draw": (FixedLimitBadugi, (400, 800), FIXED),
    "calgrand-lowball-deuce-to-seven": (NoLimitDeuceToSevenLowballSingleDraw, (400,), {"kind": "no_limit"}),
}
AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.CARD_BURNING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


class Played:
    """One hand at our table, the button on the last seat, and what PokerKit must know of it."""

    def __init__(self, ruleset: str, seed: int) -> None:
        rng = random.Random(f"{ruleset}/{seed}")
        self.seats = tuple(range(1, rng.randrange(3, 6) + 1))
        stacks = dict.fromkeys(self.seats, STACK)
        options = {"chip_unit": 1, "max_raises": MOST_RAISES}
        self.at = DrawAt(
            ruleset,
            seats=self.seats,
            button=self.seats[-1],
            options=options,
            structure=THEIRS[ruleset][2],
            blinds={1: 200, 2: 400},
            stacks=stacks,
        )
        deck = codes(standard_deck())
        rng.shuffle(deck)
        hands: dict[int, list[str]] = defaultdict(list)
        self.steps: list[tuple[str, Any]] = []
        self.raises = 0
        while not self.at.is_over:
            want = self.at.engine.expectation.wants[0]
            if isinstance(want, WantCard):
                card = deck.pop()
                self.steps.append(("card", (want.to, card)))
                if want.to != "burn":
                    hands[int(want.to)].append(card)
                self.at.feed(CardOut(card))
                continue
            assert isinstance(want, WantDecision)
            seat = int(want.seat)
            act = bot.answer(self.at.engine.expectation, rng, lambda: None, look=lambda place: hands[int(place)])
            assert isinstance(act, Act)
            if act.do == "muck":
                act = Act(seat, "show")
            if act.do == "discard":
                act = Act(seat, "discard", cards=(act.cards or ())[:2])
                hands[seat] = [code for code in hands[seat] if code not in (act.cards or ())]
            if act.to is not None and act.to > STACK // 20:
                act = Act(seat, "fold")
            self.steps.append(("act", act))
            self.at.feed(act)
            self.raises = max(self.raises, self.at.document["more"].get("raises_in_round", 0))

    @property
    def stacks(self) -> list[int]:
        return [STACK + self.at.document["net"][seat] for seat in self.seats]


def in_pokerkit(ruleset: str, hand: Played) -> list[int]:
    game, bets, _ = THEIRS[ruleset]
    count = len(hand.seats)
    state = game.create_state(AUTOMATIONS, True, 0, (200, 400), *bets, (STACK,) * count, count, mode=Mode.CASH_GAME)
    waiting: dict[int, list[str]] = defaultdict(list)

    def deal() -> None:
        while state.hole_dealee_index is not None and waiting:
            cards = waiting.pop(state.hole_dealee_index + 1)
            state.deal_hole("".join(cards))

    for kind, what in hand.steps:
        if kind == "card":
            if what[0] != "burn":
                waiting[int(what[0])].append(what[1])
            continue
        if what.do != "discard" and waiting:
            deal()
        match what.do:
            case "discard":
                state.stand_pat_or_discard("".join(what.cards or ()))
            case "fold":
                state.fold()
            case "check" | "call":
                state.check_or_call()
            case "bet" | "raise":
                state.complete_bet_or_raise_to(what.to)
    if waiting:
        deal()
    return list(state.stacks)


@pytest.mark.parametrize("ruleset", THEIRS)
def test_a_hand_ends_with_the_same_chips_in_pokerkit(ruleset: str) -> None:
    compared = shown = 0
    for seed in range(HANDS):
        hand = Played(ruleset, seed)
        if hand.raises > MOST_RAISES:
            continue
        with warnings.catch_warnings():
            # PokerKit burns cards itself and warns when we deal them later, and of a fold where a check was free.
            warnings.simplefilter("ignore")
            assert in_pokerkit(ruleset, hand) == hand.stacks, f"{ruleset}, seed {seed}"
        compared += 1
        shown += hand.at.document["flags"]["showdown"]
    assert compared > HANDS // 2 and shown > HANDS // 8
