"""What the fees of one round leave to the next."""

from __future__ import annotations

from msgspec import Struct

from controller.engine.inputs import Place


class Paid(Struct, frozen=True):
    """A fee of a void hand that stays in the box: it counts for the re-deal."""

    payer: str
    place: Place | None
    box: str
    cents: int


class Carried(Struct, frozen=True, omit_defaults=True):
    """What one round leaves to the next: free collection buttons, and fees paid for nothing."""

    free: tuple[Place, ...] = ()
    paid: tuple[Paid, ...] = ()
