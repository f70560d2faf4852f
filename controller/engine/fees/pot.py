"""Pot games: what the house takes out of the pot as the hand reaches its moments.

`PotFees` follows one hand. The game passes in what was reached and how much is in the pot; `PotFees` returns what to
take. A fee falls due at its row's moment; a row for hands that stop short (no flop, ended before the betting closed)
replaces every other when the hand ends. Nothing is taken from a misdeal.

    >>> rows = [FeeRow("pot", "per_hand", 500, when="flop_dealt", kind="player"),
    ...         FeeRow("pot", "per_hand", 100, when="no_flop", kind="modified")]
    >>> fees = PotFees(Schedule("holdem/1", ("texas-holdem",), tuple(rows)), players_dealt=9)
    >>> fees.reached("flop_dealt", pot=2400)
    [Take(at='flop_dealt', cents=500, still_due=0, row=0)]
    >>> fees.ended("showdown", pot=9000), fees.collected
    ([], 500)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from controller.engine.fees.banked import Charge
from controller.engine.fees.schedule import FeeRow, Schedule

REPLACING = ("no_flop", "ended_before_betting_1_closed", "ended_before_betting_2")
"""Rows of a hand that stopped short: due at its end, and then nothing else is."""
AFTER_THE_FLOP = ("flop_dealt", "flop_to_award")
FIRST_CLOSED = ("betting_1_closed", "end_of_first_betting_round")


class Take(NamedTuple):
    """Chips set aside out of the pot at one moment; `still_due` of the same fee comes from later rounds, if at all."""

    at: str
    cents: int
    still_due: int
    row: int


class PotFees:
    """The fees of one hand, as it goes."""

    def __init__(self, schedule: Schedule, players_dealt: int | None = None, *, flop: bool = True) -> None:
        """`flop`: the game has one. Where it has none, the schedules' term means that the first betting round closed
        with two or more live hands (collections, R8)."""
        self.schedule = schedule
        self.takes: list[Take] = []
        self._moments: list[str] = []
        self._flop = flop
        self._fell_due: set[int] = set()
        self._owed: dict[int, int] = {}
        """By row: what is still to be taken from later betting rounds."""
        self._rows = [(n, row) for n, row in schedule.in_force() if row.payer == "pot" and row.serves(players_dealt)]
        self._cents = {n: schedule.cents(row) for n, row in self._rows}

    @property
    def is_posted(self) -> bool:
        """Some row is for this number of players."""
        return bool(self._rows) or not any(row.payer == "pot" for row in self.schedule.fee)

    @property
    def collected(self) -> int:
        return sum(take.cents for take in self.takes)

    @property
    def missing(self) -> int:
        """What the pot could not pay of the fees that fell due."""
        taken: dict[int, int] = {}
        for take in self.takes:
            taken[take.row] = taken.get(take.row, 0) + take.cents
        return sum(self._cents[row] - taken.get(row, 0) for row in self._fell_due)

    def reached(self, moment: str, pot: int | None = None) -> list[Take]:
        """The hand reached a moment with so much in the pot, fees not taken off; None: nobody counts the pot."""
        self._moments.append(moment)
        taken = list(self._carried(moment, pot)) if moment.endswith("_closed") else []
        for number, row in self._rows:
            if self._is_due(row, moment):
                taken += self._take(number, row, moment, pot)
        return taken

    def ended(self, how: str = "ended", pot: int | None = None) -> list[Take]:
        """The hand is over, by showdown or because one player is left; returns what is taken now."""
        short = [(n, row) for n, row in self._rows if row.when in REPLACING and self._stopped_short(row.when)]
        if short:
            self.takes, self._owed, self._fell_due = [], {}, set()
        taken = [] if short else list(self._carried(how, pot))
        for number, row in short or self._owed_at_the_end():
            taken += self._take(number, row, how, pot)
        self._moments.append(how)
        return taken

    def misdeal(self) -> int:
        """Nothing is due; returns what was set aside."""
        back = self.collected
        self.takes, self._owed, self._rows, self._fell_due = [], {}, [], set()
        return back

    def charges(self) -> list[Charge]:
        """What was taken, fee by fee, in the order of time."""
        cents: dict[int, int] = {}
        for take in self.takes:
            cents[take.row] = cents.get(take.row, 0) + take.cents
        return [self.charge(number, amount) for number, amount in cents.items()]

    def charge(self, number: int, cents: int) -> Charge:
        row, schedule = self.schedule.fee[number], self.schedule
        return Charge("pot", None, number, cents, row.box, schedule.kind_of(row), schedule.moment_of(row))

    def document(self) -> list[dict[str, Any]]:
        """In the words of the case format."""
        return [{"kind": c.kind, "cents": c.cents, "due": c.moment} for c in self.charges()]

    @property
    def _passed_the_flop(self) -> bool:
        if self._flop:
            return "flop_dealt" in self._moments
        return any(moment in self._moments for moment in FIRST_CLOSED)

    @property
    def _second_round_open(self) -> bool:
        """Betting goes on once anything follows the close of the first round."""
        closed = [self._moments.index(moment) for moment in FIRST_CLOSED if moment in self._moments]
        return bool(closed) and len(self._moments) > closed[0] + 1

    def _is_due(self, row: FeeRow, moment: str) -> bool:
        if row.when in AFTER_THE_FLOP:
            return moment == "flop_dealt" if self._flop else moment in FIRST_CLOSED
        return row.when == moment and row.when not in REPLACING

    def _stopped_short(self, when: str) -> bool:
        match when:
            case "no_flop":
                return not self._passed_the_flop
            case "ended_before_betting_1_closed":
                return not any(moment in self._moments for moment in FIRST_CLOSED)
        return not self._second_round_open

    def _owed_at_the_end(self) -> Iterator[tuple[int, FeeRow]]:
        """Rows without a moment of their own, and those owed since a moment that came, whose own did not."""
        taken = {take.row for take in self.takes}
        once_open = any(row.when == "ended_before_betting_2" for _, row in self._rows)
        for number, row in self._rows:
            if number in taken or row.when in REPLACING:
                continue
            never_came = row.when not in self._moments
            if row.when in (None, "always") or (row.owed_from in self._moments and never_came):
                yield number, row
            elif once_open and row.when == "betting_2_closed" and never_came:
                # Once the second round is open, the full fee is due (bankers draw-stud-mexican, 2574).
                yield number, row

    def _take(self, number: int, row: FeeRow, at: str, pot: int | None) -> Iterator[Take]:
        due = self._cents[number]
        if not due:
            return
        self._fell_due.add(number)
        there = due if pot is None else min(due, max(0, pot - self.collected))
        carries = row.shortfall == "carry"
        if carries and there < due:
            self._owed[number] = due - there
        if there:
            yield self._taken(Take(at, there, due - there if carries else 0, number))

    def _carried(self, at: str, pot: int | None) -> Iterator[Take]:
        """What an earlier round could not pay, out of this one."""
        for number, due in list(self._owed.items()):
            there = due if pot is None else min(due, max(0, pot - self.collected))
            self._owed[number] = due - there
            if not self._owed[number]:
                del self._owed[number]
            if there:
                yield self._taken(Take(at, there, due - there, number))

    def _taken(self, take: Take) -> Take:
        self.takes.append(take)
        return take
