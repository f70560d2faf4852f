"""What the floor states about jackpots, as values: kinds of inputs (`inputs.py`). docs/table/jackpots.md."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from controller.engine.body import Body
from controller.engine.bounds import Cents, Code, Count, Seats, Words


class JackpotHit(Body, tag="jackpot_hit"):
    """The floor states that a hand of a round that is over hits a prize; it is paid and seeded again by this."""

    jackpot: Code
    prize: Code
    round: Count
    hand: Words
    """The hand, in words or as cards."""
    seats: Annotated[dict[Code, Seats], Meta(max_length=8)]
    """Who gets each share."""
    reason: Words
    """Why it qualifies: who has looked at it."""


class JackpotNotHit(Body, tag="jackpot_no_hit"):
    """The floor states that a proposed hand is no hit."""

    jackpot: Code
    prize: Code
    round: Count
    reason: Words


class JackpotAdjust(Body, tag="jackpot_adjust"):
    """The floor adds to a meter, or takes from it."""

    jackpot: Code
    reason: Words
    add: Cents = 0
    take: Cents = 0
    pool: Literal["main", "reserve"] = "main"


class JackpotFee(Body, tag="jackpot_fee"):
    """What becomes of the jackpot fee of a void round, where the documents leave it to the floor."""

    round: Count
    kept: bool
    """True: it is in the jackpot box and goes into the meter; false: it was given back."""
    reason: Words
