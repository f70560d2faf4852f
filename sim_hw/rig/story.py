"""What was done at a rig, in the order in which it was done: a recording is made of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

What = Literal["do", "fault", "fix"]


@dataclass
class Done:
    """One act of a hand, one fault or its end."""

    what: What
    device: str
    """Or the table's own: "console", "broker", "daemon"."""
    name: str
    how: Mapping[str, object]
    at_ms: int = 0
    """By the rig's clock."""
    gave: object = None
    """What came of it: the card that was drawn, the stack that was taken."""
    before_seq: int = 0
    """The last event that the table had published when it was done."""
    until_seq: int | None = None
    """Where people played by themselves: the last event of it, once they have ended."""
