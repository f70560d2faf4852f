"""How a table is set when a round begins: who sits where, and its own settings."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from controller.engine.drop.worth import DropTerms
from controller.engine.jackpot.rules import Jackpot


class Setup(Struct, frozen=True, omit_defaults=True):
    """Who sits where and the table's own settings when a round begins."""

    seats: tuple[int, ...] = ()
    player_dealer: int | None = None
    button: int | None = None
    settings: dict[str, Any] = {}
    bank: tuple[int, ...] | None = None
    records_wagers: bool = True
    shuffle_control: bool = False
    """No card is dealt from a pack that was not reported, or declared, shuffled and counted."""
    awaits_drop: bool = False
    """Where fees are taken before the cards, the cards wait until they are in the box."""
    drop: DropTerms | None = None
    """By what drops are judged; None: by the defaults."""
    jackpots: tuple[Jackpot, ...] = ()
    """The house's rules of its jackpots; none: a fee for one is counted all the same."""
    min_wager: int = 0
    max_wager: int | None = None
