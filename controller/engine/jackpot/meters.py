"""The meters of a table's jackpots: what they hold, how a fee is divided between them, what a prize comes to.

For each meter, at any time: main + reserve = seeded + contributed - paid + adjusted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from controller.engine.events.jackpots import PaidShare
from controller.engine.jackpot.rules import Jackpot, Prize

KEPT_ROUNDS = 20
"""For how many rounds a hit may be stated afterwards."""


class Meter(Struct, frozen=True, omit_defaults=True):
    """Cents of one jackpot, and how they came about."""

    main: int = 0
    reserve: int = 0
    seeded: int = 0
    """By the house."""
    contributed: int = 0
    """By fees."""
    paid: int = 0
    adjusted: int = 0

    @property
    def is_even(self) -> bool:
        return self.main + self.reserve == self.seeded + self.contributed - self.paid + self.adjusted


class RoundFee(Struct, frozen=True, omit_defaults=True):
    """What one round that is over gave to the jackpots."""

    round: int
    cents: int = 0
    """In the meters."""
    aside: int = 0
    """Of a void round: the floor has not stated yet what becomes of it."""
    cancelled: int = 0
    """Not owed after all, by the floor's word after the round."""
    void: bool = False
    hits: tuple[str, ...] = ()
    """Prizes that were stated for it, as jackpot/prize."""

    def after(self, before: RoundFee | None) -> RoundFee:
        """This record of a round that is over once more, with what was stated about it before."""
        if before is None:
            return self
        less, hits = before.cancelled, before.hits
        if self.aside >= less:
            return replace(self, aside=self.aside - less, cancelled=less, hits=hits)
        return replace(self, cents=self.cents - less, cancelled=less, hits=hits)

    def less(self, cents: int) -> RoundFee:
        """Without a fee that is not owed after all: first what is aside, then what is in the meters."""
        aside = min(cents, self.aside)
        rest = min(cents - aside, max(0, self.cents))
        gone = self.cancelled + aside + rest
        return replace(self, aside=self.aside - aside, cents=self.cents - rest, cancelled=gone)


class Proposal(Struct, frozen=True):
    """A hand that may be a hit; the floor decides."""

    jackpot: str
    prize: str
    round: int
    seats: tuple[int, ...]
    hand: str


class Jackpots(Struct, frozen=True, omit_defaults=True):
    """All that a table keeps of its jackpots from round to round."""

    meters: dict[str, Meter] = {}
    """By the name of the jackpot, also of those that are not in force any more."""
    rounds: tuple[RoundFee, ...] = ()
    """The last rounds, the newest last, and all with a fee that is still aside."""
    proposals: tuple[Proposal, ...] = ()

    def of_round(self, number: int) -> RoundFee | None:
        return next((one for one in self.rounds if one.round == number), None)

    def with_round(self, number: int, record: RoundFee | None) -> Jackpots:
        """With this record of a round in the place of the one that there was."""
        others = [one for one in self.rounds if one.round != number]
        rounds = sorted([*others, *(() if record is None else (record,))], key=lambda one: one.round)
        old = rounds[: max(0, len(rounds) - KEPT_ROUNDS)]
        kept = (*(one for one in old if one.aside), *rounds[len(old) :])
        proposals = tuple(one for one in self.proposals if any(one.round == other.round for other in kept))
        return replace(self, rounds=kept, proposals=proposals)

    @property
    def fees_aside(self) -> dict[int, int]:
        """Jackpot fees of void rounds about which the floor has not decided, by round."""
        return {one.round: one.aside for one in self.rounds if one.aside}

    @property
    def aside(self) -> int:
        return sum(self.fees_aside.values())

    @property
    def contributed(self) -> int:
        return sum(meter.contributed for meter in self.meters.values())


def divided(cents: int, jackpots: Sequence[Jackpot]) -> dict[str, tuple[int, int]]:
    """A fee among the jackpots that are fed, by name: cents for the main meter and for the reserve.

    What does not divide goes to the first main meter.

    >>> divided(101, (Jackpot("a", main=80, reserve=20), Jackpot("b", main=0)))
    {'a': (81, 20)}
    """
    fed = [one for one in jackpots if one.main or one.reserve]
    total = sum(one.main + one.reserve for one in fed)
    if not total:
        return {}
    parts = {one.name: (cents * one.main // total, cents * one.reserve // total) for one in fed}
    rest = cents - sum(main + reserve for main, reserve in parts.values())
    main, reserve = parts[fed[0].name]
    parts[fed[0].name] = (main + rest, reserve)
    return parts


def payout(jackpot: Jackpot, prize: Prize, main: int, seats: Mapping[str, Sequence[int]]) -> tuple[PaidShare, ...]:
    """What each share of a prize comes to, with this amount in the main meter.

    >>> from controller.engine.jackpot.rules import Share
    >>> bad_beat = Prize("quads", "Quads beaten", (Share("loser", 2), Share("table", 1)))
    >>> jackpot = Jackpot("bad-beat", round_to=100, prizes=(bad_beat,))
    >>> shares = payout(jackpot, bad_beat, 100_000, {"loser": [3], "table": [1, 2, 5]})
    >>> [(one.to, one.each, one.cents) for one in shares]
    [('loser', 66600, 66600), ('table', 11100, 33300)]
    """
    amount = main * prize.percent // 100 if prize.cents is None else min(prize.cents, main)
    total = sum(share.parts for share in prize.shares)
    shares = []
    for share in prize.shares:
        named = tuple(sorted(seats.get(share.to, ())))
        whole = amount * share.parts // total
        each = whole // len(named) // jackpot.round_to * jackpot.round_to if named else 0
        shares.append(PaidShare(share.to, named, each, each * len(named)))
    return tuple(shares)


def reseeded(jackpot: Jackpot, meter: Meter) -> tuple[int, int]:
    """Cents that fill the main meter up to its seed: from the reserve, and from the house."""
    lacks = max(0, jackpot.seed - meter.main)
    from_reserve = min(lacks, max(0, meter.reserve))
    return from_reserve, lacks - from_reserve if jackpot.seed_from == "reserve_then_house" else 0


class PublishedPrize(Struct, frozen=True):
    """One prize of a jackpot."""

    name: str
    qualifies: str
    shares: tuple[str, ...]
    """Who gets it; a hit names the seats of each."""


class PublishedMeter(Struct, frozen=True):
    """A jackpot as everybody may know it. Amounts are cents."""

    jackpot: str
    title: str
    main: int
    """The prize, as the players see it."""
    reserve: int
    seeded: int
    contributed: int
    paid: int
    adjusted: int
    in_force: bool
    """False: it is no longer fed; its money is still there."""
    prizes: tuple[PublishedPrize, ...]
    """Empty: the house has not entered how it is paid."""

    @property
    def pools(self) -> dict[str, int]:
        return {"main": self.main, "reserve": self.reserve}


def published(jackpots: Jackpots, now: Sequence[Jackpot]) -> tuple[PublishedMeter, ...]:
    """Every meter of a table: those in force in their order, then what others have left."""
    rules = {one.name: one for one in now}
    names = (*rules, *(name for name in jackpots.meters if name not in rules))
    return tuple(_published(name, jackpots.meters.get(name), rules.get(name)) for name in names)


def _published(name: str, meter: Meter | None, rules: Jackpot | None) -> PublishedMeter:
    if meter is None:
        seed = 0 if rules is None else rules.seed
        meter = Meter(seed, seeded=seed)
    title = name if rules is None else rules.called
    sums = (meter.main, meter.reserve, meter.seeded, meter.contributed, meter.paid, meter.adjusted)
    prizes = () if rules is None else rules.prizes
    shown = tuple(PublishedPrize(one.name, one.qualifies, tuple(share.to for share in one.shares)) for one in prizes)
    return PublishedMeter(name, title, *sums, rules is not None, shown)
