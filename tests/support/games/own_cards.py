"""What a player sees of his own cards: the bot's eyes in the tests.

A player can look at cards that no machine has read, the engine cannot; those are left out.
"""

from __future__ import annotations

from typing import Any

from controller.engine.inputs import Place, seat_of
from controller.engine.table.engine import TableEngine


def own_cards(engine: TableEngine[Any], place: Place) -> list[str]:
    assert engine.round is not None
    table, seat = engine.round.table, seat_of(place)
    owners = {str(seat), "player_dealer"} if seat == table.player_dealer else {str(seat)}
    hands = [hand for owner, hand in table.hands.items() if owner.partition(".")[0] in owners]
    return [slot.card.code for hand in hands for slot in hand if slot.is_read]
