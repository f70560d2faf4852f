"""How players answer the offer of the player-dealer's position."""

from __future__ import annotations

import random

from sim_hw.people.choices import Act
from sim_hw.people.sight import Bank, Place

TAKES = 0.3
"""How often a player who is offered the position takes it."""


def answer_offer(want: Bank, rng: random.Random) -> Act:
    """The dealer offers it around: somebody takes it, or everybody declines. Where another must bank, somebody does in
    the end; a broken game is resumed by the floor where it may be."""
    if want.any_seat:
        return {"kind": "bank_answer", "takes": 1 if want.holder != 1 else 2}
    if want.is_broken and want.may_resume and (not want.offered or rng.random() < 0.5):
        return {"kind": "floor", "do": "resume", "reason": "a quarter of an hour has passed"}
    declined: list[Place] = []
    for place in want.offered:
        if place not in want.declined and rng.random() >= TAKES:
            declined.append(place)
        elif place not in want.declined or _must(want):
            return {"kind": "bank_answer", "takes": place, "declined": declined}
    return {"kind": "bank_answer", "declined": declined}


def _must(want: Bank) -> bool:
    """Everybody has declined before, and the table deals no hand without another player-dealer."""
    return want.rotation != "offer" and set(want.offered) <= set(want.declined)
