"""Jackpots: what is in a meter, and everything that changes it, with the amount before and after."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from controller.engine.events.event import Event


class JackpotOpened(Event, tag="jackpot_opened"):
    """A meter begins, with the house's seed."""

    jackpot: str
    title: str
    seed: int = 0
    source: str = ""
    """Where its rules come from; empty: the house has entered none."""


class JackpotContributed(Event, tag="jackpot_contribution", omit_defaults=False):
    """Jackpot fees were added to a meter, or taken out of it again."""

    jackpot: str
    round: int
    why: Literal["fees", "corrected", "cancelled", "void_fee_kept", "by_the_clock"]
    cents: int
    """Below zero: taken out."""
    before: int
    after: int
    """Of the main meter."""
    reserve_before: int = 0
    reserve_after: int = 0


class JackpotFeeAside(Event, tag="jackpot_fee_aside"):
    """The round is void, and the floor decides about its jackpot fee: it is in no meter until then."""

    round: int
    cents: int


class JackpotFeeDecided(Event, tag="jackpot_fee_decided", omit_defaults=False):
    """What becomes of the jackpot fee of a void round: kept, or given back."""

    round: int
    cents: int
    kept: bool
    reason: str
    by: str


class JackpotProposed(Event, tag="jackpot_proposed"):
    """A hand of the round may be a hit. Nothing is paid by this: the floor decides."""

    jackpot: str
    prize: str
    round: int
    seats: tuple[int, ...]
    hand: str


class JackpotNoHit(Event, tag="jackpot_no_hit"):
    """The floor has looked: a proposed hand is no hit."""

    jackpot: str
    prize: str
    round: int
    reason: str
    by: str


class JackpotWasHit(Event, tag="jackpot_hit"):
    """The floor states a hit; `jackpot_paid` follows."""

    jackpot: str
    prize: str
    round: int
    hand: str
    seats: dict[str, tuple[int, ...]]
    """By share."""
    reason: str
    by: str


class PaidShare(Struct, frozen=True):
    """One share of a prize."""

    to: str
    seats: tuple[int, ...]
    each: int
    """Cents for each of the seats."""
    cents: int
    """For all of them."""


class JackpotPaid(Event, tag="jackpot_paid", omit_defaults=False):
    """A prize is to be paid out of the main meter."""

    jackpot: str
    prize: str
    round: int
    cents: int
    shares: tuple[PaidShare, ...]
    before: int
    after: int


class JackpotReseeded(Event, tag="jackpot_reseeded", omit_defaults=False):
    """After a payout the main meter is filled up to its seed."""

    jackpot: str
    from_reserve: int
    from_house: int
    before: int
    after: int
    reserve_before: int
    reserve_after: int
    short: int = 0
    """Cents by which it is still below the seed."""


class JackpotAdjusted(Event, tag="jackpot_adjusted", omit_defaults=False):
    """The floor has added to a meter, or taken from it."""

    jackpot: str
    pool: Literal["main", "reserve"]
    cents: int
    """Below zero: taken out."""
    reason: str
    by: str
    before: int
    after: int
