"""Which inputs of a round are one slip, and why it may not be taken back.

Reports that are not of the round (a clock, a device that came back) do not stand between a slip and its being taken
back.
"""

from __future__ import annotations

from collections.abc import Sequence

from controller.engine.expect.want import Refusal
from controller.engine.inputs import (
    Act,
    BankPosted,
    BetsClosed,
    CardOut,
    CutCardOut,
    DiceRolled,
    FeesIn,
    FloorAct,
    Happening,
    Input,
    Revealed,
    StackOut,
    WagerPlaced,
    kind_of,
)

_OWN = (Act, BankPosted, BetsClosed, CardOut, DiceRolled, FeesIn, StackOut, WagerPlaced)
"""What a dealer may take back."""
_OF_A_ROUND = (*_OWN, CutCardOut, FloorAct, Happening, Revealed)


def last_slip(inputs: Sequence[Input]) -> tuple[int, ...]:
    """The inputs of the last slip of a round, by their index; empty: nothing of the round has happened."""
    last = next((i for i in reversed(range(len(inputs))) if isinstance(inputs[i].body, _OF_A_ROUND)), None)
    if last is None:
        return ()
    began = last
    while began and inputs[began].together:
        began -= 1
    return tuple(range(began, last + 1))


def slip_of(inputs: Sequence[Input], first: int) -> tuple[int, ...]:
    """The last slip, where it begins with this input; else nothing."""
    slip = last_slip(inputs)
    return slip if slip and slip[0] == first else ()


def not_to_be_taken_back(inputs: Sequence[Input], first: int, by: str) -> Refusal | None:
    """Why this person may not take back the slip that begins there; None: as far as the inputs show, he may."""
    slip = slip_of(inputs, first)
    if not slip:
        return Refusal("not_the_last", "something has happened since; the floor corrects it")
    for index in slip:
        value = inputs[index]
        if value.by != by:
            return Refusal("not_yours", f"{value.by} did it, and takes it back; or the floor corrects it")
        if not isinstance(value.body, _OWN) or value.ref is not None:
            return Refusal("not_to_be_taken_back", f"the floor corrects {kind_of(value.body).replace('_', ' ')}")
        if _names_a_card(value):
            return Refusal("card_exposed", "a card was exposed by it; the floor corrects it")
    return None


def _names_a_card(value: Input) -> bool:
    match value.body:
        case CardOut(card=card):
            return card is not None
        case StackOut(cards=cards):
            return any(card is not None for card in cards)
        case Act(cards=cards, front=front):
            return bool(cards or front)
    return False
