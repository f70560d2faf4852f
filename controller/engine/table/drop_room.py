"""The table's drop: due against dropped, fees by the clock, boxes keyed, counted and explained, and who deals.

`reconcile` and `box_life` keep the books; here they are asked and their alarms raised.
"""

from __future__ import annotations

from msgspec.structs import replace

from controller.engine import alarms
from controller.engine import events as ev
from controller.engine.drop import box as box_life
from controller.engine.drop.reconcile import Reckoner
from controller.engine.drop.worth import DropTerms
from controller.engine.fees import round_fees
from controller.engine.inputs import (
    BoxCountedIn,
    BoxKeyed,
    DealerSigned,
    DropExplained,
    Input,
)
from controller.engine.round.game import OptionsT
from controller.engine.table.standing import Standing


class DropRoom(Standing[OptionsT]):
    """A table that reckons what falls into its boxes."""

    def next_look(self) -> int | None:
        """When somebody should tell this table that it is later: a grace ends then."""
        return self.state.drop.next_look(dealing=self.is_dealing)

    def _time_fees(self) -> list[ev.Event]:
        """Fees by the clock that fell due before this input: from everybody who sat there then."""
        clock, schedule = self.state.fee_clock, self._schedule
        assert clock is not None
        clock, charges = round_fees.by_the_clock(clock, schedule, self._now, self.state.setup.seats)
        self._change(fee_clock=clock, time_fees_due=round_fees.added(self.state.time_fees_due, charges))
        told: list[ev.Event] = [] if schedule is None else [round_fees.told(schedule, charge) for charge in charges]
        if charges and self.state.drop.books:
            reckoner = self._reckoner()
            reckoner.clock_struck(self.state.rounds, round_fees.added({}, charges))
            told += self._reckoned(reckoner)
        return told

    def _by_the_clock(self) -> list[ev.Event]:
        """What is due at the time of this input, whatever it is: fees by time, drops to be judged."""
        told = [] if self.state.fee_clock is None else self._time_fees()
        return told + self._judge_drops() if self.state.drop.books else told

    def _reckoner(self) -> Reckoner:
        state, schedule = self.state, self._schedule
        owed = self.round.table.fees.boxes if self.round is not None and self.round.begun else None
        return Reckoner(
            state.drop,
            state.setup.drop or DropTerms(),
            self._now,
            owed=owed,
            away=state.silent_boxes,
            knows_dues=schedule is not None and (state.setup.records_wagers or not schedule.is_banked),
        )

    def _reckoned(self, reckoner: Reckoner) -> list[ev.Event]:
        """The books as they stand after it; what is wrong with one is an alarm until it is right, or explained."""
        self._change(drop=reckoner.done)
        events = reckoner.events
        for box, book in reckoner.books.items():
            text = book.trouble
            events += self._alarm(alarms.DROP.of(box), None if text is None else f"{box} box: {text}")
        return events

    def _sensor_alarms(self, sensor: str, state: str, before: str) -> list[ev.Event]:
        """What a sensor last reported of its box is an alarm only while the sensor belongs to the table."""
        mark = self.state.marks.get(sensor)
        if mark is None or "removed" not in (state, before):
            return []
        box, events = sensor.rpartition(".")[2], list[ev.Event]()
        for what, is_wrong in (
            ("box_removed", not mark.get("box_present", True)),
            ("door_opened", bool(mark.get("door_open"))),
            ("sensor_fault", bool(mark.get("faults"))),
        ):
            kind, text = alarms.BOX_ALARMS[what]
            events += self._alarm(kind.of(box), f"{box} box: {text}" if is_wrong and state != "removed" else None)
        return events

    def _judge_drops(self) -> list[ev.Event]:
        look = self.next_look()
        if look is None or look > self._now:
            return []
        reckoner = self._reckoner()
        reckoner.judge()
        return self._reckoned(reckoner)

    def _dealer_signed(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is DealerSigned
        was = self.state.drop.dealer
        if body.name == was:
            text = f"{was} deals already" if was else "nobody is signed on to deal"
            return [ev.Refused("dealer", "no_change", text)]
        self._change(drop=replace(self.state.drop, dealer=body.name))
        return [ev.DealerChanged(body.name, was)]

    def _box_keyed(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is BoxKeyed
        reckoner = self._reckoner()
        refused = box_life.keyed(reckoner, body.box, body.id, body.seal, value.by)
        return self._reckoned(reckoner) if refused is None else [refused]

    def _box_counted(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is BoxCountedIn
        reckoner = self._reckoner()
        refused = box_life.counted(reckoner, body.id, body.cents, value.by)
        return self._reckoned(reckoner) if refused is None else [refused]

    def _drop_explained(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is DropExplained
        book = self.state.drop.books.get(body.box)
        if book is None or book.unexplained is None:
            return [ev.Refused("explain_drop", "nothing_open", f"nothing is open at the {body.box} box")]
        reckoner = self._reckoner()
        less = reckoner.explained(body.box, body.round, owed=body.owed)
        told: list[ev.Event] = [ev.FeeNotTaken("", less, "", "floor", body.box)] if less else []
        told.append(ev.DropSettled(body.box, body.reason, value.by, body.round, less))
        return [*told, *self._reckoned(reckoner)]
