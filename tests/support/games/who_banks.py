"""The offer of the player-dealer's position, for tests that deal many hands with one player-dealer."""

from __future__ import annotations

from typing import Any

from controller.engine.expect.bank import WantBank
from controller.engine.inputs import BankAnswered
from controller.engine.table.engine import TableEngine

NOBODY = BankAnswered()
"""Nobody takes it: where the position is only offered, the same player-dealer goes on."""


def is_offered(engine: TableEngine[Any]) -> bool:
    """The table waits for who banks next."""
    return any(isinstance(want, WantBank) for want in engine.expectation.wants)
