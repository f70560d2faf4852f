"""What is posted on a poker table: structure, blinds, antes, stacks, a kill in force.

It comes from the floor between hands (`TableSet`), as plain data. `reading.read_settings` makes this typed value of it
or says in one sentence what is wrong; a table that is not ready waits for the floor and deals nothing.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence

from msgspec import Struct

from controller.engine.betting.rules import Structure
from controller.games.poker.core.options import KillKind, Times

FEWEST_PLAYERS = 2


class NotReady(Exception):
    """The table cannot be played as it is set; the text says what is missing."""


class Kill(Struct, frozen=True, forbid_unknown_fields=True):
    """A hand that is played killed: who killed it, and by how much the stakes go up."""

    seat: int
    kind: KillKind
    factor: Times | None = None


class PokerSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The table's settings, as the cases write them."""

    structure: Structure
    """Unkilled, whatever hand is played."""
    blinds: dict[int, int] = {}
    """By seat, a kill blind among them."""
    blind_sizes: tuple[int, ...] = ()
    """By position from the left of the button; where seats are not named, and while a kill hides them."""
    antes: dict[int, int] = {}
    carried: dict[int, int] = {}
    """Draw: what each seat has in the middle from earlier deals that nobody won."""
    stacks: dict[int, int] | None = None
    """Chips before antes and blinds; absent: not known, no limit."""
    kill: Kill | None = None
    button_moves: bool = False
    """Button, blinds and stacks move on from hand to hand by themselves; else the floor sets them."""
    last_winner: int | None = None
    """The seat that alone won the whole pot of the hand before (BS-10)."""


def by_position(button: int, seats: Sequence[int], blinds: Sequence[int]) -> dict[int, int]:
    """Blinds from the left of the button, the small one first; of two players the button has it.

    >>> by_position(3, [1, 3, 4], [100, 300]), by_position(3, [3, 4], [100, 300])
    ({4: 100, 1: 300}, {3: 100, 4: 300})
    """
    among = sorted(seats)
    first = bisect_right(among, button)
    order = among[first:] + among[:first]
    if len(order) == FEWEST_PLAYERS and len(blinds) > 1:
        order.reverse()
    return dict(zip(order, blinds, strict=False))


def in_position(button: int, blinds: Mapping[int, int]) -> list[int]:
    """The blinds of a hand in the order of their positions; of two players' the smaller is the first.

    >>> in_position(3, {4: 100, 1: 300}), in_position(3, {3: 100, 4: 300})
    ([100, 300], [100, 300])
    """
    among = sorted(blinds)
    first = bisect_right(among, button)
    order = among[first:] + among[:first]
    cents = [blinds[seat] for seat in order]
    return sorted(cents) if button in blinds else cents
