"""What Chinese Poker notes of a round beside its result."""

from __future__ import annotations

from controller.engine.round.facts import Facts


class ChineseFacts(Facts):
    steps: list[list[int]] | None = None
    """Each exchange: winner, loser, points, cents."""
    sweeps: dict[int, str] | None = None
    fouled: list[int] | None = None
    below_minimum_stack: list[int] | None = None
    """Players with fewer points in front of them than the text asks for."""
    declared_chips: dict[int, int] | None = None
    """Cents that players declared before the showdown to be added to their stacks."""
