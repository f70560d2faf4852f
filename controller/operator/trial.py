"""What acts would come to, tried at a copy beside the table. Nothing at the table changes, and nothing is kept of it.

What a trial shows a person must follow from what everybody sees: no batch is made longer or shorter by a card that lies
face down.
"""

from __future__ import annotations

from typing import Any

from controller.engine import events as ev
from controller.engine.expect.wants import AnyWant
from controller.engine.inputs import Input, decode_body
from controller.engine.table.engine import TableEngine


class Trial:
    """A copy of the table, at which one act after the other is tried."""

    def __init__(self, engine: TableEngine[Any]) -> None:
        self._engine = engine.beside()
        self._at = engine.now
        self.events: list[ev.Event] = []
        """Everything that the acts have caused."""

    @property
    def wants(self) -> tuple[AnyWant, ...]:
        return tuple(self._engine.expectation.wants)

    @property
    def only_want(self) -> AnyWant | None:
        """What the table would wait for, where that is one thing."""
        wants = self.wants
        return wants[0] if len(wants) == 1 else None

    @property
    def is_dealing(self) -> bool:
        return self._engine.is_dealing

    def do(self, body: dict[str, Any]) -> bool:
        """Try this act next; whether it would be done as asked."""
        events = self._engine.apply(Input(self._at, "trial", decode_body(body)))
        self.events += events
        return not any(isinstance(event, ev.Refused | ev.Irregularity | ev.Held) for event in events)
