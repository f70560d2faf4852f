"""Slips of the console, as values: kinds of inputs (`inputs.py`). docs/table/console.md is their page.

A slip is one or several acts that a person sends at once. Each is an entry of its own, and all are in one commit or
none.
"""

from __future__ import annotations

from controller.engine.body import Body
from controller.engine.bounds import Code, Count, Words


class SlipRefused(Body, tag="slip_refused"):
    """A slip that was not done: what it answered was no longer asked, or one of its acts is not allowed."""

    what: Code
    """The kind of the act that could not be done."""
    why: Code
    text: Words


class TakenBack(Body, tag="take_back"):
    """A dealer takes back his last slip of the running round, before anything else has happened in it."""

    round: Count
    first: Count
    """The first input of the slip, by its index in the round."""
