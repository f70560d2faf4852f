"""What becomes of what a person asks of the page."""

from __future__ import annotations

from msgspec import Struct


class Refused(Exception):
    """Why it is not done: a code for programs, and a sentence for people."""

    def __init__(self, why: str, text: str) -> None:
        super().__init__(text)
        self.why, self.text = why, text


class Answered(Struct, frozen=True):
    """What became of a request to a table."""

    table: str
    ok: bool
    why: str = ""
    text: str = ""
    subject: str = ""
    """What it was about, where an order has several requests to one table: the alarm."""
