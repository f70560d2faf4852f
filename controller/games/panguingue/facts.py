"""What Panguingue notes of a round beside its result."""

from __future__ import annotations

from collections.abc import Mapping

from controller.engine.round.facts import Facts


class PanFacts(Facts):
    due_each: list[int] | None = None
    """Chips that were due from each active player, one entry for each collection."""
    received_each: list[int] | None = None
    paid_each: int | dict[int, int] | None = None
    """Chips that each paid when somebody went out; by seat where they differ."""
    next_first_player: int | None = None
    melds: list[Mapping[str, object]] | None = None
    """The melds as they were laid, each with its kind and worth."""
    melded: dict[int, int] | None = None
    """Cards on each board."""
    kondition_chips: int | None = None
    each_active_player_pays: dict[str, int] | None = None
    tops_to_winner: int | None = None
