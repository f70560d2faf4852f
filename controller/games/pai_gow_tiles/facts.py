"""What Pai Gow Tiles notes of a round beside its result."""

from __future__ import annotations

from controller.engine.round.facts import Facts


class TileFacts(Facts):
    collect_at: str | None = None
    """When the posted schedule takes its fees."""
    dice_total: int | None = None
    first_row_to: int | None = None
    row_order: list[int] | None = None
    """The seats in the order in which they got their rows."""
    action_stack_to: int | None = None
    comparison: dict[int, dict[str, str]] | None = None
    """Low and high hand of each seat against the player-dealer's: win, lose or copy."""
