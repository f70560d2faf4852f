"""Where and when an event happened: what every row has."""

from __future__ import annotations

from msgspec import Struct


class About(Struct, frozen=True, gc=False):
    """Of one event."""

    site: str
    table: str
    journal: str
    seq: int
    round: int
    at: int
    """By the books' clock."""
    day: str
    test: bool
    by: str = ""
    """The person who caused it, as `floor:ann`; empty: nobody did, or it is not known."""

    @property
    def of_event(self) -> tuple[str, int, str, str, int, str]:
        """The first columns of a row that follows from this event alone."""
        return self.journal, self.seq, self.site, self.table, self.at, self.day
