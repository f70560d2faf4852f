"""How large anything from outside may be: the types of the fields of inputs, requests and settings.

A table has at most fourteen seats, and no amount at it reaches ten billion dollars. What is outside these bounds is
rejected where it enters, in words (`reading.py`). So nothing inside has to ask whether a number fits into 64 bits, a
list into memory or a name on a screen. What devices report is within them too: the limits of the wire are lower.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

MOST_SEATS = 14
MOST_CENTS = 10**12
"""Ten billion dollars."""

Seat = Annotated[int, Meta(ge=1, le=MOST_SEATS)]
Seats = Annotated[tuple[Seat, ...], Meta(max_length=MOST_SEATS)]
SeatOrSpot = Seat | Annotated[str, Meta(pattern=r"^([1-9]|1[0-4])(\.[1-9])?$")]
"""A betting place: 3 is seat 3, "3.2" its second betting spot."""
Places = Annotated[tuple[SeatOrSpot, ...], Meta(max_length=9 * MOST_SEATS)]
Cents = Annotated[int, Meta(ge=0, le=MOST_CENTS)]
Wager = Annotated[int, Meta(ge=0, le=MOST_CENTS // 100)]
"""Cents of a wager that others follow from: a raise of four times, a double, a bonus. They fit into `Cents`."""
Amounts = Annotated[dict[Seat, Cents], Meta(max_length=MOST_SEATS)]
"""Cents by seat."""
Stakes = Annotated[dict[Seat, Wager], Meta(max_length=MOST_SEATS)]
"""Blinds and antes by seat: a make-up of blinds and the price of the button follow from them."""
Count = Annotated[int, Meta(ge=0, le=10**9)]
"""Of cards, pieces, rounds, inputs of a round."""
Number = Annotated[int, Meta(ge=0, le=2**53)]
"""Of an entry or an event: gapless from one, so it never gets there."""

TpmNumber = Annotated[int, Meta(ge=0, le=2**63 - 1)]
"""What a TPM has counted to: 64 bits, and it begins where it likes."""
Milliseconds = Annotated[int, Meta(ge=0, le=10**14)]
"""Since 1970, to the year 5138."""

ReadingDigest = Annotated[str, Meta(pattern=r"^[0-9a-f]{16}$")]
"""The first digits of the digest of a reading that the house has confirmed."""
ReadingDigests = Annotated[tuple[ReadingDigest, ...], Meta(max_length=10_000)]

Code = Annotated[str, Meta(max_length=128)]
"""A word for programs: a wager, an act, an irregularity, an alarm, a device, a box."""
Words = Annotated[str, Meta(max_length=2000)]
"""A text for people."""
PersonName = Annotated[str, Meta(max_length=64)]
"""Of a person or a firm, or what is printed on a badge."""
CardCode = Annotated[str, Meta(max_length=32)]
Cards = Annotated[tuple[CardCode, ...], Meta(max_length=1024)]
MaybeCards = Annotated[tuple[CardCode | None, ...], Meta(max_length=1024)]
Facts = Annotated[dict[Code, Words], Meta(max_length=64)]
"""What a device reports of itself, by name."""
