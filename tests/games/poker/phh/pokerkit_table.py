"""The same hands in PokerKit, by its own methods: no text is read while it plays, so that its time is its own."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

from pokerkit import (
    Automation,
    Card,
    FixedLimitBadugi,
    FixedLimitDeuceToSevenLowballTripleDraw,
    FixedLimitOmahaHoldemHighLowSplitEightOrBetter,
    FixedLimitRazz,
    FixedLimitSevenCardStud,
    FixedLimitSevenCardStudHighLowSplitEightOrBetter,
    FixedLimitTexasHoldem,
    Mode,
    NoLimitDeuceToSevenLowballSingleDraw,
    NoLimitTexasHoldem,
    PotLimitOmahaHoldem,
)

from tests.games.poker.phh.history import History

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.CARD_BURNING,
    Automation.RUNOUT_COUNT_SELECTION,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
"""What PHH leaves to the player of a history, and the showing: nothing is asked that our table does not ask either."""

Step = Callable[[Any], object]
THEIRS: dict[str, Any] = {
    "NT": NoLimitTexasHoldem,
    "FT": FixedLimitTexasHoldem,
    "PO": PotLimitOmahaHoldem,
    "FO/8": FixedLimitOmahaHoldemHighLowSplitEightOrBetter,
    "F7S": FixedLimitSevenCardStud,
    "F7S/8": FixedLimitSevenCardStudHighLowSplitEightOrBetter,
    "FR": FixedLimitRazz,
    "F2L3D": FixedLimitDeuceToSevenLowballTripleDraw,
    "N2L1D": NoLimitDeuceToSevenLowballSingleDraw,
    "FB": FixedLimitBadugi,
}


class Unplayable(Exception):
    """PokerKit does not take an action of this hand."""


class Replay:
    """A hand made ready to be played in PokerKit."""

    def __init__(self, hand: History) -> None:
        self.hand = hand
        self._game = THEIRS[hand.variant]
        self._forced = hand.bring_in if hand.bring_in else hand.blinds_or_straddles
        self._bets = (hand.small_bet, hand.big_bet) if hand.variant.startswith("F") else (hand.min_bet,)
        self._steps = [_step(action) for action in hand.actions]

    def play(self) -> Sequence[int]:
        """Play it from the blinds to the last chip; gives the stacks."""
        hand = self.hand
        state = self._game.create_state(
            AUTOMATIONS,
            hand.ante_trimming_status,
            hand.antes,
            self._forced,
            *self._bets,
            hand.starting_stacks,
            hand.players,
            mode=Mode.CASH_GAME,
        )
        for step in self._steps:
            step(state)
        stacks: Sequence[int] = state.stacks
        return stacks


def finishing_stacks(hand: History) -> list[int]:
    """What PokerKit comes to; `Unplayable` where it refuses an action."""
    with warnings.catch_warnings():
        # It warns where a card that it has burned itself is dealt, and of a fold where a check was free.
        warnings.simplefilter("ignore")
        try:
            return list(Replay(hand).play())
        except ValueError as error:
            raise Unplayable(str(error)) from error


def is_playable(hand: History) -> bool:
    """Whether PokerKit takes every action of the hand: some histories cut a raise down to what can be called."""
    try:
        finishing_stacks(hand)
    except Unplayable:
        return False
    return True


def _step(action: str) -> Step:
    match action.split():
        case ["d", "dh", _, cards]:
            hole = tuple(Card.parse(cards))
            return lambda state: state.deal_hole(hole)
        case ["d", "db", cards]:
            board = tuple(Card.parse(cards))
            return lambda state: state.deal_board(board)
        case [_, "sd", *cards]:
            thrown = tuple(Card.parse("".join(cards)))
            return lambda state: state.stand_pat_or_discard(thrown)
        case [_, "pb"]:
            return lambda state: state.post_bring_in()
        case [_, "f"]:
            return lambda state: state.fold()
        case [_, "cc"]:
            return lambda state: state.check_or_call()
        case [_, "cbr", to]:
            amount = int(to)
            return lambda state: state.complete_bet_or_raise_to(amount)
        case [_, "sm", *_]:
            return lambda state: None
    raise ValueError(f"{action!r} is no action of a hand of PHH")
