"""The lines of the shift report: rounds, dealers, player-dealers, boxes, findings, and the whole of it. Values only."""

from __future__ import annotations

from msgspec import Struct, field

from controller.report.period import Period

NO_SENSOR, OPEN = "no sensor", "not judged"


class RoundLine(Struct):
    """One round, or a mark of the clock, and one box."""

    round: int
    at: int
    dealer: str
    box: str
    due: int = 0
    pieces: int = 0
    low: int = 0
    high: int | None = None
    verdict: str = OPEN
    by_the_clock: bool = False

    @property
    def missing(self) -> int:
        """Cents that are proved not to have fallen."""
        return max(0, self.due - self.high) if self.verdict in _PROVED and self.high is not None else 0

    @property
    def surplus(self) -> int:
        """Cents that are proved to be too much."""
        return max(0, self.low - self.due) if self.verdict in _PROVED else 0


_PROVED = frozenset({"short", "over", "wrong_amount", "wrong_box"})


class Trend(Struct):
    """An hour or a day of one dealer."""

    label: str
    rounds: int = 0
    due: int = 0
    missing: int = 0
    surplus: int = 0

    @property
    def difference(self) -> int:
        """Due less dropped, as far as it is proved."""
        return self.missing - self.surplus


class DealerLine(Struct):
    name: str
    rounds: int = 0
    due: int = 0
    pieces: int = 0
    missing: int = 0
    surplus: int = 0
    unproven: int = 0
    """Rounds for which it is not known."""
    late: int = 0
    unexplained: int = 0
    """Pieces that fell and nobody owed."""
    tips: int = 0
    """Cents that the dealer got from tips wagered for him, winnings included."""
    trend: list[Trend] = field(default_factory=list)


class BankLine(Struct):
    """One person who had the player-dealer's position; an unnamed seat is one person."""

    name: str
    firm: str = ""
    hands: int = 0
    longest: int = 0
    """Settled hands in a row, at most."""
    kept: int = 0
    """How often everybody else declined and he went on."""


class JackpotLine(Struct):
    """One jackpot: what changed its meter in this time."""

    name: str
    main_before: int | None = None
    """None: nothing in this time states it."""
    reserve_before: int | None = None
    seeded: int = 0
    contributed: int = 0
    paid: int = 0
    adjusted: int = 0
    main: int = 0
    reserve: int = 0


class BoxLine(Struct):
    """One box in one slot, or what a slot without a sensor is due."""

    box: str
    box_id: str = ""
    seal: str = ""
    since: int | None = None
    until: int | None = None
    """When it was taken out; None: it is in."""
    due: int = 0
    pieces: int = 0
    low: int = 0
    high: int | None = 0
    counted: int | None = None
    difference: int | None = None
    has_sensor: bool = True
    astray: int = 0


_ROUTINE = ("box_removed", "box_placed", "door_", "sensor_well", "jackpot_", "explained", "waived")
"""What is no difference: boxes that come and go, and what has its reason in its own text."""


class Finding(Struct):
    """Something to look at, with its moment."""

    at: int
    what: str
    box: str
    text: str
    round: int | None = None
    dealer: str = ""
    explained: str = ""
    """What became of it: who stated what, or that it fell late."""

    @property
    def is_open(self) -> bool:
        """Whether it is a difference that nobody has explained."""
        return not self.explained and not self.is_routine

    @property
    def is_routine(self) -> bool:
        return self.what.startswith(_ROUTINE)


class Point(Struct, frozen=True):
    """Due and counted at a moment, cents since the beginning."""

    at: int
    due: int
    low: int
    high: int


class Ledger(Struct):
    """Everything in the report."""

    site: str
    table: str
    period: Period
    first_n: int = 0
    last_n: int = 0
    last_hash: str = ""
    """Of the last entry that was read: it names the journal as it was."""
    test: bool = False
    rounds: list[RoundLine] = field(default_factory=list)
    dealers: list[DealerLine] = field(default_factory=list)
    banks: list[BankLine] = field(default_factory=list)
    """Who banked, in games with a player-dealer."""
    jackpots: list[JackpotLine] = field(default_factory=list)
    """Those whose meter changed."""
    boxes: list[BoxLine] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    curves: dict[str, list[Point]] = field(default_factory=dict)
    """By box."""
    knows_worth: bool = True
    """Every piece had bounds: the house has configured the chips for fees."""

    @property
    def due(self) -> int:
        return sum(line.due for line in self.rounds)

    @property
    def pieces(self) -> int:
        return sum(box.pieces for box in self.boxes)

    @property
    def missing(self) -> int:
        return sum(line.missing for line in self.rounds)

    @property
    def surplus(self) -> int:
        return sum(line.surplus for line in self.rounds)
