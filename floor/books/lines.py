"""The values in the books. Money is whole cents; moments are milliseconds; None is what is not known."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from floor.books.scope import Scope

Level = Literal["", "report", "regulator"]
"""What a difference asks for: nothing, a report, or a report with a copy to the regulator."""


class SumLine(Struct, kw_only=True):
    """Rounds and money of one table, game, dealer, section, room or day."""

    site: str = ""
    name: str = ""
    rounds: int = 0
    void: int = 0
    corrected: int = 0
    wagered: int = 0
    due: int = 0
    """What the boxes are owed after everything that was taken back."""
    waived: int = 0
    """What is not in `due` because a person decided so."""
    pieces: int = 0
    low: int = 0
    """The least and the most that the pieces are worth."""
    high: int | None = 0
    missing: int = 0
    """Proved not to have fallen, and proved to be too much."""
    over: int = 0
    counted: int | None = None
    """None: no box was counted, or boxes are not of this kind of line."""
    counted_due: int = 0
    """What those boxes were due."""

    @property
    def difference(self) -> int | None:
        """Counted less due."""
        return None if self.counted is None else self.counted - self.counted_due


class BoxLine(Struct, kw_only=True, frozen=True):
    """A box that was taken out, or a count of one that nobody has taken out."""

    site: str
    table: str
    day: str
    at: int
    box: str
    box_id: str
    seal: str
    due: int | None
    pieces: int = 0
    low: int = 0
    high: int | None = 0
    counted: int | None = None
    counted_by: str = ""
    source: Literal["", "table", "sheet"] = ""
    """Keyed at the table, or on a count sheet."""
    problems: tuple[str, ...] = ()
    level: Level = ""

    @property
    def difference(self) -> int | None:
        return None if self.counted is None or self.due is None else self.counted - self.due


class Difference(Struct, frozen=True):
    """Something that is not as it should be, by more than the house lets pass."""

    site: str
    table: str
    day: str
    what: str
    due: int
    found: int
    difference: int
    level: Level
    text: str


class Pace(Struct, frozen=True):
    """How fast a game goes at a table: averages in milliseconds."""

    site: str
    table: str
    game: str
    rounds: int
    betting: int | None
    dealing: int
    idle: int | None
    """Between two rounds; pauses of more than ten minutes are none."""

    @property
    def an_hour(self) -> float:
        whole = (self.betting or 0) + self.dealing + (self.idle or 0)
        return 3_600_000 / whole if whole else 0.0


class OddRound(Struct, frozen=True):
    """A round that was void or corrected."""

    site: str
    table: str
    round: int
    at: int
    game: str
    dealer: str
    void: bool
    why: str
    by: str
    corrections: int


class BankLine(Struct, frozen=True):
    """One person or firm in the player-dealer's position."""

    site: str
    name: str
    firm: str
    tables: int
    hands: int
    longest: int
    """Settled hands in a row at one table, at most."""
    kept: int
    net: int
    broken: int
    """How often a game ended because nobody took the position after him."""


class JackpotLine(Struct):
    site: str
    table: str
    jackpot: str
    before: int | None = None
    contributed: int = 0
    paid: int = 0
    seeded: int = 0
    adjusted: int = 0
    after: int | None = None


class AlarmLine(Struct, frozen=True):
    """One kind of alarm at one table."""

    site: str
    table: str
    alarm: str
    times: int
    open: int
    unseen: int
    """Nobody has acknowledged them."""
    slowest: int | None
    """Until somebody had, at most; milliseconds."""
    text: str


class ActLine(Struct, frozen=True):
    """One kind of act of one person."""

    site: str
    by: str
    act: str
    times: int
    refused: int


class Decision(Struct, frozen=True):
    """What a person decided about money, with the reason."""

    site: str
    table: str
    at: int
    by: str
    act: str
    subject: str
    reason: str
    round: int


class AccessLine(Struct, frozen=True):
    """A person who was seen at a table, or is on the staff list."""

    site: str
    name: str
    roles: tuple[str, ...]
    first: int | None
    last: int | None
    acts: int
    """In the time of the books."""
    findings: tuple[str, ...]


class DeviceLine(Struct, frozen=True):
    """A device as it was at the end."""

    site: str
    table: str
    device: str
    kind: str
    model: str
    serial: str
    firmware: str
    state: str
    since: int
    shuffles: int | None
    """Packs that it made ready in the time of the books."""
    meter: int | None
    """Shuffles of its whole life, as it stated itself last."""
    cards: int | None
    """Of a reader: cards that were read at its table in the time of the books."""


class WatchLine(Struct, frozen=True):
    """What the watch has to say about a dealer or a box."""

    site: str
    name: str
    kind: Literal["dealer", "box"]
    shifts: int
    missing: int
    """Due less dropped, over all of them."""
    level: int
    """Of the sum that is watched, now; `limit` is where it is a finding."""
    limit: int
    found: str
    """The gaming day and shift in which the limit was last passed; empty: never."""


class Whole(Struct, frozen=True):
    """A table of which something is missing, so that these books may change."""

    site: str
    table: str
    text: str


class Books(Struct, kw_only=True):
    """All of it."""

    scope: Scope
    currency: str = "USD"
    not_whole: list[Whole] = field(default_factory=list)
    total: SumLine = field(default_factory=SumLine)
    sites: list[SumLine] = field(default_factory=list)
    sections: list[SumLine] = field(default_factory=list)
    tables: list[SumLine] = field(default_factory=list)
    games: list[SumLine] = field(default_factory=list)
    dealers: list[SumLine] = field(default_factory=list)
    days: list[SumLine] = field(default_factory=list)
    pace: list[Pace] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)
    boxes: list[BoxLine] = field(default_factory=list)
    rounds: list[OddRound] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    banks: list[BankLine] = field(default_factory=list)
    jackpots: list[JackpotLine] = field(default_factory=list)
    alarms: list[AlarmLine] = field(default_factory=list)
    acts: list[ActLine] = field(default_factory=list)
    access: list[AccessLine] = field(default_factory=list)
    devices: list[DeviceLine] = field(default_factory=list)
    watch: list[WatchLine] = field(default_factory=list)
