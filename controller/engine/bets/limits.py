"""How much a seat may bet: the five betting structures, and the amounts they allow.

A structure is what a cardroom posts on the table: fixed limit $3-$6, pot limit with a $2 bring-in. Given what a seat
faces it says to which totals of the round a bet or raise may go. Everything here is about amounts; whether a seat may
bet, raise or check at all is in `betting`.

Sheet: calgrand-betting-structures, sections 2 to 4. All amounts are what the act brings the seat *to* in this round.

    >>> flop = BetRound("flop")
    >>> FixedLimit(300, 600).opening(Facing(flop, last_full=300))
    Amounts(least=300, most=300, one_of=(300,), end='size', all_in=False)

An all-in for less is always taken, and nothing but that where the stack does not reach the least amount:

    >>> NoLimit(500).raising(Facing(flop, current=5000, last_full=5000, behind=7000))
    Amounts(least=7000, most=7000, one_of=(7000,), end='stack', all_in=True)
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from controller.engine.bounds import MOST_CENTS

Cents = Annotated[int, Meta(gt=0, le=MOST_CENTS)]
End = Literal["size", "spread", "pot", "stack"]
"""What stops a wager: the round's size, the upper limit of a spread, the pot, or the chips in front of the seat."""

UNLIMITED = 10_000_000_000
"""The most a wager may be where the table does not know the stacks: a hundred million dollars."""

DOLLAR_CHIP_ROUNDING = 500
"""Pot limit with single dollar chips in the blind: the pot is rounded to the nearest $5 (338)."""


class BetRound(Struct, frozen=True, forbid_unknown_fields=True, cache_hash=True):
    """One betting round of a game: which of the two sizes counts, and what is particular to it."""

    name: str
    size: Literal["low", "high"] = "low"
    first: bool = False
    check: bool = True
    """Whether a seat may check while nothing is bet."""
    open_pair: bool = False
    """Stud, fourth street: a pair in sight lets a seat bet the higher limit (1160)."""
    nth: int = 0
    """Which betting round of the hand it is, from 0; asked where every round has its own size."""
    raise_by_previous: bool = False
    """Pot limit lowball after the draw: a raise is at least the bet or raise before it, whatever is posted (499)."""
    complete: bool = False
    """Lowball after the draw: a short all-in bet is brought up to the full bet, and that is no raise (000:260)."""


class Facing(Struct, frozen=True, gc=False):
    """What a seat faces when the action is on it: the variables of the sheet's section 3."""

    round: BetRound
    put_in: int = 0
    """What the seat has in for this round; blinds count, antes do not."""
    behind: int | None = None
    """Chips left in front of it; None where the table does not know."""
    current: int = 0
    """The most any seat has in for this round."""
    last_full: int = 0
    """Size of the last full bet or raise; the bring-in before there was one."""
    level: int = 0
    """The highest full bet or raise, which a short all-in may have gone beyond."""
    pot: int = 0
    """Everything in the pot, this round's wagers included."""
    pair: Literal["", "seen", "own"] = ""
    """Fourth street of stud: a pair is in sight, or the seat itself shows it."""
    raise_by_call: bool = False
    """`min_raise_basis: to_call`: a raise is at least what the raiser has to call (BS-1)."""

    @property
    def reach(self) -> int:
        """All the seat's chips, as a total of this round."""
        return UNLIMITED if self.behind is None else self.put_in + self.behind


class Amounts(Struct, frozen=True):
    """The totals that a bet or raise may go to: a range, or only some."""

    least: int
    most: int
    one_of: tuple[int, ...] = ()
    """The only totals, where it is no range."""
    end: End = "size"
    all_in: bool = False
    """Nothing but all-in."""


def between(least: int, most: int, end: End, reach: int) -> Amounts:
    """A range, as far as the seat's chips go."""
    if reach < least:
        return Amounts(reach, reach, (reach,), "stack", True)
    return Amounts(least, reach, (), "stack") if reach < most else Amounts(least, most, (), end)


def exactly(sizes: tuple[int, ...], reach: int) -> Amounts:
    """These totals and no others; all-in for less than the last of them.

    >>> exactly((800, 1200), reach=1000)
    Amounts(least=800, most=1000, one_of=(800, 1000), end='stack', all_in=False)
    """
    if reach >= sizes[-1]:
        return Amounts(sizes[0], sizes[-1], sizes)
    made = (*(size for size in sizes if size < reach), reach)
    return Amounts(made[0], reach, made, "stack", len(made) == 1)


def next_level(facing: Facing, unit: int) -> int:
    """One step above the last full bet; above the price where a short opening bet costs a whole one to call (BS-16).

    >>> next_level(Facing(BetRound("before_draw", first=True), current=500, level=0), 500)
    1000
    """
    level = facing.level + unit
    return level if level > facing.current else level + unit


class Limit(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", cache_hash=True):
    """What is posted on the table."""

    def unit(self, round: BetRound) -> int:
        """The amount to bet on this round; before the flop or draw, what it costs to come in (BS-12, BS-16)."""
        raise NotImplementedError

    def opening(self, facing: Facing) -> Amounts:
        raise NotImplementedError

    def raising(self, facing: Facing) -> Amounts:
        """`facing.current` is what a call would come to."""
        raise NotImplementedError

    def is_full(self, facing: Facing, to: int) -> bool:
        """Whether going to `to` is a full bet or raise, so that everybody may raise again."""
        raise NotImplementedError

    def killed(self, factor: Fraction) -> Limit:
        """The stakes of a killed hand."""
        raise NotImplementedError


class FixedLimit(Limit, frozen=True, tag="fixed_limit"):
    """Every bet and raise is the size of the round.

    >>> FixedLimit(sizes=(200, 400, 600, 800)).unit(BetRound("turn", "high", nth=2))
    600
    """

    low: Cents = 0
    high: Cents = 0
    forced: Cents | None = None
    """Stud: the opening bet that the low card must make, below the limit (1170)."""
    sizes: Annotated[tuple[Cents, ...], Meta(max_length=16)] = ()
    """One size for each betting round, in place of the two (turlock-pineapple-high-low-split, A7)."""

    def __post_init__(self) -> None:
        if self.sizes and not (self.low and self.high):
            force_setattr(self, "low", self.sizes[0])
            force_setattr(self, "high", self.sizes[-1])
        if not (self.low and self.high):
            raise ValueError("fixed_limit: say `low` and `high`, or `sizes`")

    def unit(self, round: BetRound) -> int:
        if self.sizes:
            return self.sizes[min(round.nth, len(self.sizes) - 1)]
        return self.high if round.size == "high" else self.low

    def opening(self, facing: Facing) -> Amounts:
        sizes = (self.low, self.high) if facing.pair == "own" else (self.unit(facing.round),)
        return exactly(sizes, facing.reach)

    def raising(self, facing: Facing) -> Amounts:
        return exactly(self._levels(facing), facing.reach)

    def _levels(self, facing: Facing) -> tuple[int, ...]:
        unit = self.unit(facing.round)
        if self.is_only_forced(facing):
            return (self.low,)
        if not facing.pair:
            return (next_level(facing, unit),)
        if facing.last_full >= self.high:
            return (facing.level + self.high,)
        return (facing.level + self.low, facing.level + self.high)

    def is_full(self, facing: Facing, to: int) -> bool:
        if not facing.current:
            return to >= self.unit(facing.round)
        return to >= self._levels(facing)[0]

    def is_only_forced(self, facing: Facing) -> bool:
        """Whether nothing but the forced opening bet is in: a seat calls it or makes it `low` (1170)."""
        return self.forced is not None and facing.round.first and facing.level < self.low

    def killed(self, factor: Fraction) -> FixedLimit:
        forced = None if self.forced is None else _times(self.forced, factor)
        sizes = tuple(_times(size, factor) for size in self.sizes)
        return FixedLimit(_times(self.low, factor), _times(self.high, factor), forced, sizes)


class StraightLimit(Limit, frozen=True, tag="straight_limit"):
    """One size in all rounds."""

    limit: Cents

    def unit(self, round: BetRound) -> int:
        return self.limit

    def opening(self, facing: Facing) -> Amounts:
        return exactly((self.limit,), facing.reach)

    def raising(self, facing: Facing) -> Amounts:
        return exactly((next_level(facing, self.limit),), facing.reach)

    def is_full(self, facing: Facing, to: int) -> bool:
        return to >= next_level(facing, self.limit)

    def killed(self, factor: Fraction) -> StraightLimit:
        return StraightLimit(_times(self.limit, factor))


class SpreadLimit(Limit, frozen=True, tag="spread_limit"):
    """Anything from low to high; a raise not below the bet or raise before it, and not above `high` (BS-6)."""

    low: Cents
    high: Cents

    def unit(self, round: BetRound) -> int:
        return self.low

    def opening(self, facing: Facing) -> Amounts:
        return between(self.low, self.high, "spread", facing.reach)

    def raising(self, facing: Facing) -> Amounts:
        least = facing.current + facing.last_full
        return between(least, max(least, facing.current + self.high), "spread", facing.reach)

    def is_full(self, facing: Facing, to: int) -> bool:
        return to >= (facing.current + facing.last_full if facing.current else self.low)

    def killed(self, factor: Fraction) -> SpreadLimit:
        return SpreadLimit(_times(self.low, factor), _times(self.high, factor))


class NoLimit(Limit, frozen=True, tag="no_limit"):
    """Any amount from the bring-in up, all the seat's chips at any turn."""

    bring_in: Cents | None = None
    """Posted minimum; absent: the largest blind (BS-12)."""
    minimum: Cents | None = None
    """The same, by the name of another sheet (bankers-mexican-stud-poker); beside a bring-in, that of later rounds."""
    raise_by: Cents | None = None
    """What every raise is at least, whatever was bet before (bankers-mexican-poker-salinas, 000:37)."""

    def unit(self, round: BetRound) -> int:
        here, elsewhere = (self.bring_in, self.minimum) if round.first else (self.minimum, self.bring_in)
        return here or elsewhere or 0

    def opening(self, facing: Facing) -> Amounts:
        return between(self.unit(facing.round) or 1, UNLIMITED, "stack", facing.reach)

    def raising(self, facing: Facing) -> Amounts:
        return between(facing.current + self._least_raise(facing), UNLIMITED, "stack", facing.reach)

    def is_full(self, facing: Facing, to: int) -> bool:
        return to >= (facing.current + self._least_raise(facing) if facing.current else self.unit(facing.round) or 1)

    def _least_raise(self, facing: Facing) -> int:
        return self.raise_by or least_raise(facing)

    def killed(self, factor: Fraction) -> NoLimit:
        least = self.bring_in or self.minimum
        return NoLimit(None if least is None else _times(least, factor), raise_by=self.raise_by)


class PotLimit(Limit, frozen=True, tag="pot_limit"):
    """At most the pot, which counts the money of the call (338-340).

    >>> blinds = Facing(BetRound("preflop", first=True), current=200, last_full=200, pot=300, behind=50000)
    >>> PotLimit(200, dollar_chips_in_blind=True).raising(blinds)
    Amounts(least=400, most=700, one_of=(), end='pot', all_in=False)
    """

    bring_in: Cents | None = None
    dollar_chips_in_blind: bool | None = None
    """The pot is rounded; absent: as the ruleset reads it from the blinds."""

    def unit(self, round: BetRound) -> int:
        return self.bring_in or 0

    def opening(self, facing: Facing) -> Amounts:
        least = self.bring_in or 1
        return between(least, max(least, self._pot(facing)), "pot", facing.reach)

    def raising(self, facing: Facing) -> Amounts:
        least = facing.current + least_raise(facing)
        return between(least, max(least, facing.current + self._pot(facing)), "pot", facing.reach)

    def is_full(self, facing: Facing, to: int) -> bool:
        return to >= (facing.current + least_raise(facing) if facing.current else self.bring_in or 1)

    def _pot(self, facing: Facing) -> int:
        """The pot with the call in it, rounded after the call is added (BS-7), a half up (BS-8)."""
        base = facing.pot + max(0, facing.current - facing.put_in)
        if not self.dollar_chips_in_blind:
            return base
        return (base + DOLLAR_CHIP_ROUNDING // 2) // DOLLAR_CHIP_ROUNDING * DOLLAR_CHIP_ROUNDING

    def killed(self, factor: Fraction) -> PotLimit:
        bring_in = None if self.bring_in is None else _times(self.bring_in, factor)
        return PotLimit(bring_in, self.dollar_chips_in_blind)


def least_raise(facing: Facing) -> int:
    """By how much a raise must go up: the last full bet or raise, or what the raiser has to call (BS-1)."""
    if facing.raise_by_call and not facing.round.raise_by_previous:
        return facing.current - facing.put_in or facing.last_full
    return facing.last_full


Structure = FixedLimit | StraightLimit | SpreadLimit | NoLimit | PotLimit


def _times(cents: int, factor: Fraction) -> int:
    """Killed stakes in whole cents, a broken cent rounded up."""
    return -(-cents * factor.numerator // factor.denominator)
