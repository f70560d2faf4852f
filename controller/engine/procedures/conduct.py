"""What a table remembers of its procedures between two inputs, as values."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

BurnReason = Literal["dead_spread", "dealer_relief"]
MINUTE = 60_000


class Burn(Struct, frozen=True, omit_defaults=True):
    """Cards that are burned from the shoe between two hands."""

    why: BurnReason
    cards: int
    """How many in all."""
    done: int = 0


class Absence(Struct, frozen=True, omit_defaults=True):
    """A player is away from the table."""

    since: int
    """Milliseconds since the epoch."""
    is_over: bool = False
    """His time is over, and it was reported."""

    def minutes(self, now: int) -> int:
        return max(0, now - self.since) // MINUTE


class Bought(Struct, frozen=True, omit_defaults=True):
    """The buy-ins of the player at a seat."""

    full: int = 0
    short: int = 0


class Conduct(Struct, frozen=True, omit_defaults=True):
    """The procedures of a table, as they stand. Seats are written as strings, the keys of the journal's JSON."""

    burn: Burn | None = None
    """No hand begins before it is done."""
    dead_spread: Literal["", "shuffling", "spread"] = ""
    """The game broke down: a new shoe is awaited, or its burned cards are on the table until the game goes on."""
    is_relieved: bool = False
    """Another dealer has taken over since the last hand."""
    away: dict[str, Absence] = {}
    hands: dict[str, int] = {}
    """How many hands the player of a seat may play, where the floor has decided it."""
    bought: dict[str, Bought] = {}

    @property
    def is_quiet(self) -> bool:
        """Nothing here falls due by itself."""
        return not any(not absence.is_over for absence in self.away.values())


def without_seats(conduct: Conduct, seats: set[int]) -> Conduct:
    """The same after the players of these seats have left, or others sit there: what was decided about them is over."""
    gone = {str(seat) for seat in seats}
    if gone.isdisjoint({*conduct.away, *conduct.hands, *conduct.bought}):
        return conduct
    return replace(
        conduct,
        away={seat: absence for seat, absence in conduct.away.items() if seat not in gone},
        hands={seat: hands for seat, hands in conduct.hands.items() if seat not in gone},
        bought={seat: bought for seat, bought in conduct.bought.items() if seat not in gone},
    )


def moved(conduct: Conduct, by: int) -> Conduct:
    """The same when the board's clock was set by this number of milliseconds."""
    if not conduct.away:
        return conduct
    away = {seat: replace(absence, since=absence.since + by) for seat, absence in conduct.away.items()}
    return replace(conduct, away=away)
