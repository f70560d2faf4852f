"""What people do wrong, at a chosen rate.

    card out of turn    the dealer pulls at the shoe while it is locked
    wrong box           a fee goes into another box than its own
    late drop           a fee goes into its box only in the next round
    forgotten fee       a fee never goes into a box
    spare chip          something falls into a box that nobody owes
    double tap          the dealer presses a key twice

Rates are per step of a round (cards, keys) and per fee (boxes).
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sim_hw.devices.shoe import SimulatedShoe
from sim_hw.people.sight import Sight

if TYPE_CHECKING:
    from sim_hw.people.crew import Crew


@dataclass(frozen=True)
class Mistakes:
    """How often people do what they should not: 0 never, 1 always."""

    card_out_of_turn: float = 0.0
    wrong_box: float = 0.0
    late_drop: float = 0.0
    forgotten_fee: float = 0.0
    spare_chip: float = 0.0
    double_tap: float = 0.0

    @classmethod
    def at(cls, rate: float) -> Mistakes:
        """All of them: `rate` per fee and, since a round has many steps, a tenth of it per step."""
        step = rate / 10
        fees = cls(wrong_box=rate, late_drop=rate, forgotten_fee=rate)
        return replace(fees, card_out_of_turn=step, spare_chip=step, double_tap=step)


class Clumsiness:
    """Makes the mistakes of one table."""

    def __init__(self, rates: Mistakes, rng: random.Random) -> None:
        self._rates, self._rng = rates, rng
        self.made: dict[str, int] = {}
        """How often which mistake was made."""

    def happens(self, what: str) -> bool:
        """Whether this mistake, by the name of its rate, is made now."""
        rate: float = getattr(self._rates, what)
        # No throw for what never happens: a table without mistakes plays the same day with this module and without.
        if rate and self._rng.random() < rate:
            self.made[what] = self.made.get(what, 0) + 1
            return True
        return False

    async def stumble(self, crew: Crew, sight: Sight) -> bool:
        """Perhaps a mistake in the midst of a round; True where the table must be looked at again."""
        shoe, panel = crew.reach.shoe, crew.reach.panel
        if shoe is not None and _may_overdraw(shoe, sight) and self.happens("card_out_of_turn"):
            out = shoe.force_draw()
            if isinstance(out, str):
                crew.shoe_cards += 1
                crew.felt.out([out])
            await shoe.wait_taken()
            return True
        if crew.reach.boxes and self.happens("spare_chip"):
            crew.drop(self._rng.choice(sorted(crew.reach.boxes)), 1)
        if panel is not None and panel.link.is_up and crew.reach.keys and self.happens("double_tap"):
            panel.press(self._rng.choice(sorted(crew.reach.keys.values())))
            await panel.wait_taken()
            return True
        return False


def _may_overdraw(shoe: SimulatedShoe, sight: Sight) -> bool:
    """A round is on, and the shoe is locked with a card at its mouth."""
    in_round = sight.phase in ("dealing", "betting")
    return in_round and shoe.link.is_up and bool(shoe.cards_left) and shoe.is_locked and not shoe.lid_open
