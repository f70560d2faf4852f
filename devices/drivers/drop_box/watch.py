"""What two readings of a drop-box sensor say happened between them. No I/O, no clock.

The counters of a sensor only go up, so their difference is what happened, whatever was missed in between. Three things
break that, and each is reported as what it is: a reset (another boot), a counter that rolls over (modulo its width),
and a counter that went where the slot cannot have let it go (nothing is counted).

Pieces whose worth the sensor read are reported with it, the others in a report of their own.
"""

from __future__ import annotations

from collections import deque

from msgspec.structs import replace

from devices.drivers.drop_box import reports
from protocols.drop_box import MOVES_PER_SECOND, PIECES_PER_SECOND, Reading

DOUBTS = 3
"""One strange reading may be noise that the CRC let through; three in a row are the sensor's own words."""

_MOVES_TURN = 1 << 16
_CENTS_TURN = 1 << 32


class DropWatch:
    """What happened at one box, from the readings of its sensor.

    `observe` a reading when `pending` is empty; report `pending[0]`, and when it is stored, call `reported`.
    """

    def __init__(self, sensor: reports.Sensor, weight_step_g: int) -> None:
        self.sensor = sensor
        self.mark: reports.DropMark | None = None
        """What the next reading is compared with."""
        self.pending: deque[reports.BoxEvent] = deque()
        self._weight_step_g = weight_step_g
        self._doubts = 0

    def reported(self) -> None:
        """The first pending report is safe."""
        self.pending.popleft()

    def observe(self, reading: Reading) -> None:
        if self.mark is None:
            self.mark = _first_mark(reading)
            self._tell(reports.SensorMet(sensor=self.sensor, uptime_ms=reading.uptime_ms, mark=self.mark))
            return
        if self.mark.boot != reading.boot:
            self._reset(self.mark, reading)
        doubt = _doubt(self.mark, reading)
        if doubt is not None:
            self._doubt(self.mark, reading, doubt)
            return
        self._doubts = 0
        self._differences(self.mark, reading)

    def _tell(self, report: reports.BoxEvent) -> None:
        self.pending.append(report)
        self.mark = report.mark

    def _reset(self, mark: reports.DropMark, reading: Reading) -> None:
        zero = None if reading.worth is None else 0
        since_zero = replace(
            mark,
            serial=reading.serial,
            boot=reading.boot,
            uptime_ms=0,
            drops=0,
            removals=0,
            openings=0,
            reported_pieces=zero,
            reported_cents=zero,
        )
        self._tell(
            reports.SensorReset(
                sensor=self.sensor,
                uptime_ms=reading.uptime_ms,
                mark=since_zero,
                resets=reading.resets,
                last_drops=mark.drops,
            )
        )

    def _doubt(self, mark: reports.DropMark, reading: Reading, why: str) -> None:
        self._doubts += 1
        if self._doubts < DOUBTS:
            return
        self._doubts = 0
        reported_pieces, reported_cents = _worth_counters(reading)
        self._tell(
            reports.CountDoubtful(
                sensor=self.sensor,
                uptime_ms=reading.uptime_ms,
                mark=replace(
                    mark,
                    uptime_ms=reading.uptime_ms,
                    drops=reading.drops,
                    removals=reading.removals,
                    openings=reading.openings,
                    reported_pieces=reported_pieces,
                    reported_cents=reported_cents,
                ),
                why=why,
                last_drops=mark.drops,
                drops=reading.drops,
            )
        )

    def _differences(self, mark: reports.DropMark, reading: Reading) -> None:
        """A door that is open was opened before the box was taken; one that is shut, shut after it was put back."""
        removed = (reading.removals - mark.removals) % _MOVES_TURN
        self.mark = replace(mark, uptime_ms=reading.uptime_ms)
        if reading.door_open:
            self._door(reading)
        worth = reading.worth
        if removed:
            before = None if worth is None else (worth.pieces_at_removal, worth.cents_at_removal)
            self._drops(reading, reading.drops_at_removal, before)
        self._box(reading, removed)
        self._drops(reading, reading.drops, None if worth is None else (worth.pieces, worth.cents))
        if not reading.door_open:
            self._door(reading)
        self._faults(reading)
        self._weight(reading)

    def _drops(self, reading: Reading, up_to: int, worth_up_to: tuple[int, int] | None) -> None:
        """The pieces up to these counters: those whose worth was read, then the others."""
        mark = self._marked()
        turn = 1 << reading.counter_bits
        known, cents = _worth_since(mark, worth_up_to, turn)
        pieces, cents_up_to = worth_up_to or (None, None)
        self.mark = replace(mark, reported_pieces=pieces, reported_cents=cents_up_to)
        if known:
            self._fell(reading, (mark.drops + known) % turn, known, cents)
        count = (up_to - self._marked().drops) % turn
        if count:
            self._fell(reading, up_to, count, None)

    def _fell(self, reading: Reading, up_to: int, count: int, cents: int | None) -> None:
        mark = self._marked()
        total = mark.total + count
        self._tell(
            reports.Dropped(
                sensor=self.sensor,
                uptime_ms=reading.uptime_ms,
                mark=replace(mark, drops=up_to, total=total),
                count=count,
                total=total,
                into=mark.box_id,
                cents=cents,
            )
        )

    def _box(self, reading: Reading, removed: int) -> None:
        mark = self._marked()
        another = reading.box_id is not None and reading.box_id != mark.box_id
        if not (removed or another or reading.box_present != mark.box_present):
            return
        after = replace(
            mark,
            removals=reading.removals,
            box_present=reading.box_present,
            box_id=reading.box_id,
            grams=None,
            weighed_total=mark.total,
        )
        self._tell(
            reports.BoxMoved(
                sensor=self.sensor,
                uptime_ms=reading.uptime_ms,
                mark=after,
                is_present=reading.box_present,
                box_id=reading.box_id,
                times_removed=removed,
            )
        )

    def _door(self, reading: Reading) -> None:
        mark = self._marked()
        opened = (reading.openings - mark.openings) % _MOVES_TURN
        if not opened and reading.door_open == mark.door_open:
            return
        after = replace(mark, openings=reading.openings, door_open=reading.door_open)
        self._tell(
            reports.DoorMoved(
                sensor=self.sensor,
                uptime_ms=reading.uptime_ms,
                mark=after,
                is_open=reading.door_open,
                times_opened=opened,
            )
        )

    def _faults(self, reading: Reading) -> None:
        mark = self._marked()
        if reading.faults != mark.faults:
            after = replace(mark, faults=reading.faults)
            self._tell(
                reports.SensorFault(sensor=self.sensor, uptime_ms=reading.uptime_ms, mark=after, faults=reading.faults)
            )

    def _weight(self, reading: Reading) -> None:
        mark = self._marked()
        grams = _trusted_weight(reading)
        if grams is None or (mark.grams is not None and abs(grams - mark.grams) < self._weight_step_g):
            return
        self._tell(
            reports.WeightChanged(
                sensor=self.sensor,
                uptime_ms=reading.uptime_ms,
                mark=replace(mark, grams=grams, weighed_total=mark.total),
                grams=grams,
                was=mark.grams,
                drops=mark.total - mark.weighed_total,
            )
        )

    def _marked(self) -> reports.DropMark:
        assert self.mark is not None
        return self.mark


def _first_mark(reading: Reading) -> reports.DropMark:
    reported_pieces, reported_cents = _worth_counters(reading)
    return reports.DropMark(
        serial=reading.serial,
        boot=reading.boot,
        uptime_ms=reading.uptime_ms,
        drops=reading.drops,
        total=0,
        removals=reading.removals,
        openings=reading.openings,
        box_present=reading.box_present,
        box_id=reading.box_id,
        door_open=reading.door_open,
        grams=_trusted_weight(reading),
        weighed_total=0,
        faults=reading.faults,
        reported_pieces=reported_pieces,
        reported_cents=reported_cents,
    )


def _worth_counters(reading: Reading) -> tuple[int, int] | tuple[None, None]:
    """The counters of a sensor that reads the worth."""
    return (None, None) if reading.worth is None else (reading.worth.pieces, reading.worth.cents)


def _worth_since(mark: reports.DropMark, worth_up_to: tuple[int, int] | None, turn: int) -> tuple[int, int]:
    """Pieces whose worth was read since this mark, and what they are worth.

    None where the mark is of a controller that did not ask yet: what fell since is counted and its worth not known.
    """
    if worth_up_to is None or mark.reported_pieces is None or mark.reported_cents is None:
        return 0, 0
    return (worth_up_to[0] - mark.reported_pieces) % turn, (worth_up_to[1] - mark.reported_cents) % _CENTS_TURN


def _trusted_weight(reading: Reading) -> int | None:
    return reading.grams if reading.weight_settled and "scale" not in reading.faults else None


def _doubt(mark: reports.DropMark, reading: Reading) -> str | None:
    """Why the difference between these two of one boot cannot be."""
    elapsed_ms = reading.uptime_ms - mark.uptime_ms
    if elapsed_ms < 0:
        return f"the sensor's uptime went back by {-elapsed_ms} ms without a reset"

    def possible(rate: int) -> int:
        return rate + rate * elapsed_ms // 1000

    turn = 1 << reading.counter_bits
    if possible(PIECES_PER_SECOND) >= turn:
        return (
            f"unread for {elapsed_ms // 1000} s, in which a counter of {reading.counter_bits} bits may have gone round"
        )
    fell = (reading.drops - mark.drops) % turn
    if fell > possible(PIECES_PER_SECOND):
        return f"the slot counter went from {mark.drops} to {reading.drops} in {elapsed_ms} ms"
    removed = (reading.removals - mark.removals) % _MOVES_TURN
    opened = (reading.openings - mark.openings) % _MOVES_TURN
    if max(removed, opened) > possible(MOVES_PER_SECOND):
        return f"the box was moved {removed} times and the door {opened} times in {elapsed_ms} ms"
    fell_before = (reading.drops_at_removal - mark.drops) % turn if removed else 0
    if fell_before > fell:
        return f"at the removal the slot counter was {reading.drops_at_removal}, which lies not between the readings"
    return _doubtful_worth(mark, reading, fell, fell_before if removed else None)


def _doubtful_worth(mark: reports.DropMark, reading: Reading, fell: int, fell_before: int | None) -> str | None:
    """Why the worth from a sensor cannot be right; `fell_before`: pieces before the removal, where there was one."""
    if reading.worth is None:
        return None
    turn, counters = 1 << reading.counter_bits, reading.worth
    pieces, cents = _worth_since(mark, (counters.pieces, counters.cents), turn)
    if pieces > fell or (cents and not pieces):
        return f"the worth of {pieces} pieces was reported, {cents} cents, and {fell} fell"
    if fell_before is not None:
        earlier, before_cents = _worth_since(mark, (counters.pieces_at_removal, counters.cents_at_removal), turn)
        if earlier > fell_before or pieces - earlier > fell - fell_before or earlier > pieces or before_cents > cents:
            return f"at the removal the worth of {earlier} pieces was reported, which is not between the readings"
        if (before_cents and not earlier) or (cents > before_cents and pieces == earlier):
            return f"at the removal {before_cents} cents were reported for {earlier} pieces, of {cents} for {pieces}"
    return None
