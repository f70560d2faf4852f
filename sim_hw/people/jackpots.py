"""What the floor states about jackpots: a hit now and then, the fee of a void round, an adjustment after a count."""

from __future__ import annotations

import random
from collections.abc import Iterator

from sim_hw.people.choices import Act
from sim_hw.people.sight import Sight

HITS = 0.04
"""How often the floor states a hit of a prize after a hand; far more often than at a table."""
IS_HIT = 0.5
"""How often a hand that the table proposes is one."""
KEPT = 0.6
"""How often the fee of a void round stays in the box."""
ADJUSTS = 0.02


def statements(sight: Sight, rng: random.Random) -> Iterator[Act]:
    """What the floor states between two hands. The table may refuse it."""
    for one in sight.jackpot_proposals:
        named = {"jackpot": one.jackpot, "prize": one.prize, "round": one.round}
        if rng.random() < IS_HIT:
            seats = {share: [rng.choice(one.seats)] for share in _shares(sight, one.jackpot, one.prize)}
            why = "the cards were looked at"
            yield {"kind": "jackpot_hit", **named, "hand": one.hand, "seats": seats, "reason": why}
        else:
            yield {"kind": "jackpot_no_hit", **named, "reason": "a hole card does not play"}
    for number in sight.jackpot_fees_aside:
        kept = rng.random() < KEPT
        yield {"kind": "jackpot_fee", "round": int(number), "kept": kept, "reason": "looked into the box"}
    for meter in sight.jackpots:
        for prize in meter.prizes:
            if sight.seats and rng.random() < HITS:
                seats = {share: [rng.choice(sight.seats)] for share in prize.shares}
                yield {
                    "kind": "jackpot_hit",
                    "jackpot": meter.jackpot,
                    "prize": prize.name,
                    "round": sight.round,
                    "hand": prize.qualifies,
                    "seats": seats,
                    "reason": "seen on video",
                }
        if rng.random() < ADJUSTS:
            way = rng.choice(("add", "take"))
            act = {"kind": "jackpot_adjust", "jackpot": meter.jackpot, way: rng.randrange(1, 500)}
            yield {**act, "pool": rng.choice(("main", "reserve")), "reason": "counted at the cage"}


def _shares(sight: Sight, jackpot: str, prize: str) -> tuple[str, ...]:
    found = [one for meter in sight.jackpots if meter.jackpot == jackpot for one in meter.prizes if one.name == prize]
    return found[0].shares if found else ()
