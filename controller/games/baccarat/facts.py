"""What the baccarat games note of a round beside its result."""

from __future__ import annotations

from controller.engine.round.facts import Facts
from controller.engine.round.felt import Table


class BaccaratFacts(Facts):
    pairs: list[str] | None = None
    """Marks of the hands whose first two cards are a pair."""
    reader_board: str | None = None
    """What the dealer enters on the reader board."""
    royale_hand: str | None = None
    """The row of the Royale bonus."""
    total_action: int | None = None


def facts_of(t: Table) -> BaccaratFacts:
    """What is noted of the round at this table."""
    if not isinstance(t.result.facts, BaccaratFacts):
        t.result.facts = BaccaratFacts()
    return t.result.facts
