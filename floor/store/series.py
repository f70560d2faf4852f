"""The events of one journal, as far as they are in the store: where its chain ends, and what the books remember of
it."""

from __future__ import annotations

from hashlib import sha256

from msgspec import Struct, field

from controller.journal.published import Publication
from floor.messages import ReceivedEvent
from floor.store.derived.context import Context

_CLOCK_TOLERANCE_MS = 60_000
"""A clock may be corrected by this much without a word."""
_LINKS_KEPT = 4096
"""Of each journal, to compare repeats without asking the database."""


class Series(Struct):
    """One journal."""

    site: str
    table: str
    journal: str
    seq: int
    """Every event up to here is in the store."""
    link: str | None
    """Its link; null where it is not known: the events before the next one are lost."""
    hash: str | None
    booked_at: int
    known_seq: int
    """The table has at least this one."""
    waiting: int
    """Events in `waiting`."""
    hole_since: int | None
    state: str
    reason: str
    context: Context
    links: dict[int, str] = field(default_factory=dict)
    """Of the last events."""

    def follows(self, received: ReceivedEvent) -> bool:
        """Whether this event comes next and its link fits."""
        envelope = received.envelope
        if envelope.seq != self.seq + 1:
            return False
        if self.link is None:
            return True
        return sha256(bytes.fromhex(self.link) + received.chained).hexdigest() == envelope.link

    def accept(self, received: ReceivedEvent) -> int:
        """The event that comes next; returns its time by the books' clock.

        That clock never goes back within a journal, and is never ahead of the moment at which we received the event: a
        table with a wrong clock moves no figure into another day than the events around it.
        """
        envelope = received.envelope
        self.seq, self.link, self.hash = envelope.seq, envelope.link, envelope.hash
        self.known_seq = max(self.known_seq, envelope.seq)
        self.links[envelope.seq] = envelope.link
        self.links.pop(envelope.seq - _LINKS_KEPT, None)
        at, received_at = envelope.at, received.origin.received_at
        self.booked_at = max(self.booked_at, min(at, received_at))
        return self.booked_at

    def clock_is_wrong(self, received: ReceivedEvent) -> str | None:
        """Why the time that an event states cannot be right; asked before it is accepted."""
        at, received_at = received.envelope.at, received.origin.received_at
        if at > received_at + _CLOCK_TOLERANCE_MS:
            return f"its time is {at - received_at} ms after it was received"
        if at < self.booked_at - _CLOCK_TOLERANCE_MS:
            return f"its time is {self.booked_at - at} ms before that of the event before it"
        return None


def first_link(site: str, table: str, journal: str) -> str:
    """The link before event 1."""
    return Publication(site, table, journal).start.link.hex()
