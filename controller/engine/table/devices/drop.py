"""The table's drop: due against dropped, fees by the clock, boxes keyed, counted and explained, and who deals.

The books are kept by `engine/drop`; here they are consulted and their alarms raised.
"""

from __future__ import annotations

from msgspec.structs import replace

from controller.engine import alarms
from controller.engine import events as ev
from controller.engine.drop import box as boxes
from controller.engine.drop.reconcile import Reckoner
from controller.engine.drop.worth import DropTerms
from controller.engine.fees import ledger, round_fees
from controller.engine.fees.round_fees import RoundFees
from controller.engine.inputs import BoxCountedIn, BoxKeyed, DealerSigned, DropExplained, Input, SensorSeen
from controller.engine.table.clock import began_at
from controller.engine.table.current_round import Shared


class TableDrop:
    """What is due to the boxes of a table, and what fell into them."""

    def __init__(self, shared: Shared) -> None:
        self._rules, self._lasting, self._current = shared.rules, shared.lasting, shared.current

    def next_look(self) -> int | None:
        """When a grace period ends: then the table needs an input to judge its drops."""
        return self._lasting.state.drop.next_look(dealing=self._current.is_dealing)

    # By the clock

    def by_the_clock(self) -> list[ev.Event]:
        """What is due at the time of this input, whatever it is: fees by time, drops to be judged."""
        state = self._lasting.state
        events = [] if state.fee_clock is None else self._time_fees()
        return events + self._judge_drops() if state.drop.books else events

    def _time_fees(self) -> list[ev.Event]:
        """Fees by the clock that fell due before this input: from everybody who was seated then."""
        lasting, schedule = self._lasting, self._rules.schedule
        state = lasting.state
        assert state.fee_clock is not None
        clock, charges = round_fees.by_the_clock(state.fee_clock, schedule, lasting.now, state.setup.seats)
        lasting.change(fee_clock=clock, time_fees_due=ledger.added(state.time_fees_due, charges))
        events: list[ev.Event] = [ledger.line(schedule, charge, charge.cents, "due") for charge in charges]
        if charges and state.drop.books:
            reckoner = self.reckoner()
            reckoner.clock_struck(state.rounds, ledger.added({}, charges))
            events += self.reckoned(reckoner)
        return events

    def _judge_drops(self) -> list[ev.Event]:
        look = self.next_look()
        if look is None or look > self._lasting.now:
            return []
        reckoner = self.reckoner()
        reckoner.judge()
        return self.reckoned(reckoner)

    def start_clock(self) -> None:
        """A round begins: where players pay by time, the fee clock runs."""
        schedule, lasting = self._rules.schedule, self._lasting
        if schedule is not None and schedule.has_time_fee:
            lasting.change(fee_clock=round_fees.clock_at_round(lasting.state.fee_clock, schedule, lasting.now))

    # Rounds

    def reckoner(self) -> Reckoner:
        state, schedule, current = self._lasting.state, self._rules.schedule, self._current.round
        return Reckoner(
            state.drop,
            state.setup.drop or DropTerms(),
            self._lasting.now,
            owed=current.table.fees.boxes if current is not None and current.begun else None,
            away=state.silent_boxes,
            knows_dues=schedule is not None and (state.setup.records_wagers or not schedule.is_banked),
        )

    def reckoned(self, reckoner: Reckoner) -> list[ev.Event]:
        """Keep the books after it; what is wrong with one is an alarm until it is right, or explained."""
        self._lasting.change(drop=reckoner.done)
        events = reckoner.events
        for box, book in reckoner.books.items():
            text = book.trouble
            events += self._lasting.alarm(alarms.DROP.of(box), None if text is None else f"{box} box: {text}")
        return events

    def round_over(self, fees: RoundFees) -> list[ev.Event]:
        """The running round is over and owes these fees."""
        if not self._lasting.state.drop.books:
            return []
        inputs = self._current.played.inputs
        reckoner = self.reckoner()
        reckoner.round_over(self._lasting.state.rounds, fees.boxes, began_at(inputs) if inputs else self._lasting.now)
        return self.reckoned(reckoner)

    def round_corrected(self, number: int, *, was_over: bool) -> list[ev.Event]:
        """What a round owes after its correction."""
        reckoner, last = self.reckoner(), self._current.last
        if not self._current.is_dealing and last is not None:
            before = last.began.fees_due
            owes = {box: cents - before.get(box, 0) for box, cents in self._lasting.state.fees_due.items()}
            reckoner.corrected(number, owes)
        elif was_over:
            reckoner.reopened(number)
        else:
            return []
        return self.reckoned(reckoner)

    # Sensors

    def sensed(self, body: SensorSeen) -> list[ev.Event]:
        """A sensor reports what happened at its box."""
        lasting = self._lasting
        state = lasting.state
        total = state.dropped.get(body.box, 0) + body.count
        lasting.change(dropped={**state.dropped, body.box: total}, marks={**state.marks, body.sensor: body.mark})
        low, high = boxes.bounds(state.setup.drop or DropTerms(), body)
        events: list[ev.Event] = [ev.BoxTold(body.box, body.what, body.count, total, body.facts, low, high)]
        reckoner = self.reckoner()
        boxes.seen(reckoner, body)
        events += self.reckoned(reckoner)
        alarm = alarms.BOX_ALARMS.get(body.what)
        if alarm is not None:
            kind, text = alarm
            events += lasting.alarm(kind.of(body.box), f"{body.box} box: {text}" if text else None)
        if body.what == "box_placed":
            # What the sensor lost count of is in the box that went to the count room.
            events += lasting.alarm(alarms.BOX_COUNT.of(body.box), None)
        return events

    def sensor_alarms(self, sensor: str, state: str, before: str) -> list[ev.Event]:
        """What a sensor last reported of its box is an alarm only while the sensor belongs to the table."""
        mark = self._lasting.state.marks.get(sensor)
        if mark is None or "removed" not in (state, before):
            return []
        box, events = sensor.rpartition(".")[2], list[ev.Event]()
        for what, is_wrong in (
            ("box_removed", not mark.get("box_present", True)),
            ("door_opened", bool(mark.get("door_open"))),
            ("sensor_fault", bool(mark.get("faults"))),
        ):
            kind, text = alarms.BOX_ALARMS[what]
            wrong = f"{box} box: {text}" if is_wrong and state != "removed" else None
            events += self._lasting.alarm(kind.of(box), wrong)
        return events

    # People

    def dealer_signed(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is DealerSigned
        drop = self._lasting.state.drop
        was = drop.dealer
        if body.name == was:
            text = f"{was} deals already" if was else "nobody is signed on to deal"
            return [ev.Refused("dealer", "no_change", text)]
        self._lasting.change(drop=replace(drop, dealer=body.name, dealer_since=value.at if body.name else 0))
        return [ev.DealerChanged(body.name, was)]

    def box_keyed(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is BoxKeyed
        reckoner = self.reckoner()
        refused = boxes.keyed(reckoner, body.box, body.id, body.seal, value.by)
        return self.reckoned(reckoner) if refused is None else [refused]

    def box_counted(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is BoxCountedIn
        reckoner = self.reckoner()
        refused = boxes.counted(reckoner, body.id, body.cents, value.by)
        return self.reckoned(reckoner) if refused is None else [refused]

    def drop_explained(self, value: Input) -> list[ev.Event]:
        body = value.body
        assert type(body) is DropExplained
        book = self._lasting.state.drop.books.get(body.box)
        if book is None or book.unexplained is None:
            return [ev.Refused("explain_drop", "nothing_open", f"nothing is open at the {body.box} box")]
        reckoner = self.reckoner()
        less = reckoner.explained(body.box, body.round, owed=body.owed)
        events: list[ev.Event] = [ev.FeeChanged(body.box, -less, "not_owed", round=body.round)] if less else []
        events.append(ev.DropSettled(body.box, body.reason, value.by, body.round, less))
        return [*events, *self.reckoned(reckoner)]

    def give_back(self, box: str, number: int, cents: int) -> list[ev.Event]:
        """The floor gives back the fee of a void round."""
        reckoner = self.reckoner()
        reckoner.given_back(box, number, cents)
        return [ev.FeeChanged(box, -cents, "not_owed", round=number), *self.reckoned(reckoner)]
