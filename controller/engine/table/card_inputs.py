"""Which cards each input of a round brought to the table, as the slots that they are in: whether a card is face down is
a matter of its slot, never of its name. With several decks the same card may be face up and face down at once.
"""

from __future__ import annotations

from controller.engine.cards.card import Slot
from controller.engine.round.kernel import Round


class CardInputs:
    """Follows a table that is fed the inputs of one round."""

    def __init__(self) -> None:
        self.slots: list[list[Slot]] = []
        """Of each input: the slots whose card it named."""
        self._known: dict[int, Slot] = {}

    def follow(self, before: Round | None, after: Round | None) -> None:
        """An input was applied; `before` and `after`: the table's round. One that has ended is only `before`."""
        of = before if before is not None else after
        found: list[Slot] = []
        if of is not None:
            for hand in of.table.hands.values():
                for slot in hand:
                    if slot.is_read and id(slot) not in self._known:
                        self._known[id(slot)] = slot
                        found.append(slot)
        self.slots.append(found)

    def exposed(self) -> list[int]:
        """Of each input: how many of its cards are face up now."""
        return [sum(slot.face_if_exposed is not None for slot in slots) for slots in self.slots]
