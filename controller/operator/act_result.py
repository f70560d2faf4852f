"""What became of a person's act. The console answers with an HTTP status, a key panel with a line."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

Outcome = Literal["done", "refused", "not_allowed", "malformed", "starting", "not_written"]
"""refused: by the rules. not_allowed: not for this role. not_written: the journal failed, nothing was done."""


class ActResult(Struct, frozen=True):
    outcome: Outcome
    why: str | None = None
    """Why it was not done, for programs."""
    text: str = "done"
    """The same for people."""
    changes: dict[str, Any] | None = None
    """Of a preview: what a correction would change, field by field, [before, after]."""

    @property
    def ok(self) -> bool:
        return self.outcome == "done"
