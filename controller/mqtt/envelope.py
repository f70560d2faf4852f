"""An event of the journal as the message that the broker gets."""

from __future__ import annotations

from controller.journal import JournalEvent
from controller.journal.published import LINK_KEY


def payload(event: JournalEvent, *, historical: bool) -> bytes:
    """The JSON of an `Envelope`: the bytes that the public chain covers, its link, and what is not covered."""
    end = b'","historical":true}' if historical else b'"}'
    return event.chained + LINK_KEY + event.link.hex().encode() + end
