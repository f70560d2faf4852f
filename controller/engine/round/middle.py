"""What is in the middle of a table where players play against each other: button, pots, bets, stacks. Everybody may
know it.

>>> Middle(3, (OpenPot("Pot", 4800, (1, 3)),), bets={1: 1600}).lines()
('Button: seat 3', 'Pot $48', 'Bets: seat 1 $16')
"""

from __future__ import annotations

from msgspec import Struct

from controller.engine.amounts import dollars


class OpenPot(Struct, frozen=True):
    """A pot while the round runs."""

    name: str
    """Pot, Side pot, Side pot 2."""
    cents: int
    seats: tuple[int, ...]
    """Who may win it."""


class Middle(Struct, frozen=True):
    """The middle of the table now."""

    button: int | None = None
    pots: tuple[OpenPot, ...] = ()
    uncalled: tuple[OpenPot, ...] = ()
    """What a single seat has put in and nobody has called."""
    bets: dict[int, int] = {}
    """In front of each seat, until the betting round is over."""
    stacks: dict[int, int] = {}
    """What each seat has left, where the table knows it."""

    def lines(self) -> tuple[str, ...]:
        """The same in words; the stacks are left out."""
        lines = [] if self.button is None else [f"Button: seat {self.button}"]
        for pot in self.pots:
            among = f" among {', '.join(map(str, pot.seats))}" if len(self.pots) > 1 else ""
            lines.append(f"{pot.name} {dollars(pot.cents)}{among}")
        lines += [f"Uncalled {dollars(pot.cents)} of seat {pot.seats[0]}" for pot in self.uncalled]
        if self.bets:
            lines.append(f"Bets: {', '.join(f'seat {seat} {dollars(cents)}' for seat, cents in self.bets.items())}")
        return tuple(lines)
