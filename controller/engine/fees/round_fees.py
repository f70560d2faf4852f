"""The fees of one round: what is owed, what was let off and why, and whether it is in the box.

A schedule (`fees`) states what is charged; `RoundFees` is where a round keeps it. Every charge is a line of the fee
ledger (`fee_changed`). One that is not to be paid after all (waived, a free collection button, paid for the void hand
before, a misdeal) is another line, with less: what a box should hold is the sum of its lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from controller.engine import events as ev
from controller.engine.events.fees import FeeCause
from controller.engine.fees import clock, ledger
from controller.engine.fees.banked import Charge, Due
from controller.engine.fees.carried import Carried, Paid
from controller.engine.fees.clock import FeeClock
from controller.engine.fees.pot import PotFees, Take
from controller.engine.fees.schedule import Schedule
from controller.engine.inputs import Place

_NOTHING_CARRIED = Carried()


class RoundFees:
    """What the house is owed for one round so far."""

    def __init__(self, events: list[ev.Event], carried: Carried | None = None) -> None:
        self._events = events
        self.carried = carried or _NOTHING_CARRIED
        self.schedule: Schedule | None = None
        self.pot: PotFees | None = None
        self.action: int | None = None
        """Total table action, as the schedule defines it."""
        self.waiver: str | None = None
        """The floor's reason, where it has waived the fees of this hand."""
        self.sensed: set[str] = set()
        """Boxes into which something fell since fees were due."""
        self.free: list[Place] = []
        """Who gets a free collection button for the next hand."""
        self._owed: list[Charge] = []
        self._credited: list[Paid] = []
        """What was paid for a void hand and has counted for this one."""

    @property
    def owed(self) -> list[Charge]:
        """What is to be paid."""
        return list(self._owed)

    @property
    def boxes(self) -> dict[str, int]:
        """Cents that belong into each box for this round."""
        return ledger.added({}, self._owed)

    def owe(self, schedule: Schedule, charges: Iterable[Charge]) -> None:
        """Charges fall due; what need not be paid follows right after."""
        self.schedule = schedule
        fresh = list(charges)
        for charge in fresh:
            self._due(charge)
        for charge in fresh:
            if self.waiver is not None:
                self.let_off(charge, "waived")
            elif charge.payer == "player" and charge.place in self.carried.free and charge.box == "collection":
                self.let_off(charge, "free_collection_button")
            else:
                self._credit(charge)

    def sense(self, box: str) -> bool:
        """Something fell into this box; returns whether fees for it are due."""
        if not self.boxes.get(box):
            return False
        self.sensed.add(box)
        return True

    def waive(self, reason: str) -> None:
        """The floor takes no fees for this hand."""
        self.waiver = reason
        cents = sum(charge.cents for charge in self._owed)
        self._events.append(ev.FeesWaived(reason, cents))
        for charge in self.owed:
            self.let_off(charge, "waived")

    def let_off(self, charge: Charge, why: FeeCause, cents: int | None = None) -> None:
        """This charge, or a part of it, is not to be paid."""
        less = charge.cents if cents is None else cents
        self._owed.remove(charge)
        if less < charge.cents:
            self._owed.append(charge._replace(cents=charge.cents - less))
        self._events.append(ledger.line(self.schedule, charge, -less, why))

    def give_free_collection(self, place: Place) -> None:
        """A wager without action, where the room gives a button for it: this player's next fee is paid."""
        if place not in self.free:
            self.free.append(place)
            self._events.append(ev.FreeCollection(place))

    # Pot games

    def follow_pot(self, schedule: Schedule, players_dealt: int, *, flop: bool) -> None:
        """A pot game begins: from here on its moments take their fees."""
        self.schedule = schedule
        self.pot = PotFees(schedule, players_dealt, flop=flop)
        if not self.pot.is_posted:
            text = f"no fee of {schedule.id} is posted for {players_dealt} players"
            self._events.append(ev.Irregularity("no_fee_posted", text, {"players": players_dealt}))

    def reached(self, moment: str, pot: int) -> None:
        """The hand reached a moment with this amount in the pot."""
        if self.pot is not None:
            self._taken(self.pot.reached(moment, pot))

    def ended(self, how: str, pot: int) -> None:
        """The hand is over. A fee for hands that stop short takes the place of all others."""
        if self.pot is None:
            return
        before = [charge for charge in self._owed if charge.payer == "pot"]
        taken = self.pot.ended(how, pot)
        if len(self.pot.takes) == len(taken):
            for charge in before:
                self.let_off(charge, "replaced")
        self._taken(taken)
        if self.pot.missing:
            text = f"the pot was {self.pot.missing} cents short of its fee"
            self._events.append(ev.Irregularity("pot_short_of_fee", text, {"cents": self.pot.missing}))

    def _taken(self, takes: Sequence[Take]) -> None:
        assert self.pot is not None
        for take in takes:
            charge = self.pot.charge(take.row, take.cents)
            self._due(charge)
            if self.waiver is not None:
                self.let_off(charge, "waived")

    # The end

    def void(self) -> str:
        """The round is void; returns what becomes of its fees."""
        if self.schedule is None:
            return "returned"
        if self.schedule.on_void == "returned":
            for charge in self.owed:
                self.let_off(charge, "round_void")
            if self.pot is not None:
                self.pot.misdeal()
        return self.schedule.on_void if self._owed else "returned"

    def carry(self, *, void: bool) -> Carried:
        """What this round leaves to the next one."""
        if not void:
            return Carried(free=tuple(self.free))
        kept = self.schedule is not None and self.schedule.on_void == "kept"
        paid = [Paid(c.payer, c.place, c.box, c.cents) for c in self._owed] if kept else []
        # In a hand that was void nobody has used his button, or what he paid before.
        return Carried(self.carried.free, (*self.carried.paid, *self._credited, *paid))

    def document(self) -> dict[str, Any] | None:
        """In the case format; None where no schedule is posted."""
        if self.schedule is None:
            return None
        due = Due([charge for charge in self._owed if charge.payer != "pot"])
        document = due.document() | {"boxes": {"collection": 0} | self.boxes}
        if self.pot is not None:
            document["pot"] = [] if self.waiver is not None else self.pot.document()
        return document

    def facts(self) -> dict[str, Any]:
        """What else the cases compare: when fees are taken, and what the schedule counted as action."""
        facts: dict[str, Any] = {}
        if self.schedule is not None and self.schedule.collect_at is not None:
            facts["collect_at"] = self.schedule.collect_at
        if self.action is not None:
            facts["total_action"] = self.action
        return facts

    def _due(self, charge: Charge) -> None:
        assert self.schedule is not None
        self._owed.append(charge)
        self._events.append(ledger.line(self.schedule, charge, charge.cents, "due"))

    def _credit(self, charge: Charge) -> None:
        """What the payer paid for the void hand before counts for this one."""
        for paid in self.carried.paid:
            if (paid.payer, paid.place, paid.box) == (charge.payer, charge.place, charge.box):
                rest = tuple(other for other in self.carried.paid if other is not paid)
                used = min(paid.cents, charge.cents)
                if paid.cents > used:
                    rest += (Paid(paid.payer, paid.place, paid.box, paid.cents - used),)
                self.carried = Carried(self.carried.free, rest)
                self._credited.append(Paid(paid.payer, paid.place, paid.box, used))
                self.let_off(charge, "paid_for_void_round", used)
                return


# Fees by the clock


def clock_at_round(running: FeeClock | None, schedule: Schedule, at: int) -> FeeClock | None:
    """The clock when a round begins: started with the game's first, and marked that the game goes on."""
    return clock.start(schedule, at) if running is None else FeeClock(running.next)


def by_the_clock(
    running: FeeClock, schedule: Schedule | None, at: int, seats: Sequence[int]
) -> tuple[FeeClock | None, list[Charge]]:
    """The clock now and what fell due since; it stops where nobody sits there or no time fee is posted."""
    if schedule is None or clock.time_row(schedule) is None or not seats:
        return None, []
    now, intervals = clock.marks(schedule, running, at, seats)
    return now, [charge for charges in intervals for charge in charges]
