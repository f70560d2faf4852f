"""Simulated drop boxes: sensors on one bus, boxes that fill, and hands that take them away.

The sensors do what docs/protocols/drop-box.md asks of them. Boot numbers come from
`random.Random(f"{seed}/{unit}/boot")` and the times from the simulated clock. What can go wrong is a method: `reset`,
`drift`, `garble`, `fall_silent`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from protocols import drop_box as wire
from protocols.drop_box import Fault, Lamp, Reading, Worth
from protocols.modbus import frames
from sim_hw.time.clock import SimClock

SETTLE_MS = 500
PIECE_G = 10
"""A clay chip."""
EMPTY_BOX_G = 1800
HOLDING = 2


@dataclass(slots=True)
class Box:
    """A box and what is in it."""

    id: str | None
    pieces: int = 0
    capacity: int = 3000

    @property
    def grams(self) -> int:
        return EMPTY_BOX_G + PIECE_G * self.pieces


class SimulatedSensor:
    """The sensor at one slot, with a box in it."""

    def __init__(
        self,
        unit: int,
        clock: SimClock,
        *,
        seed: int | str,
        box: str = "BOX-1",
        serial: str = "SIM-1",
        counter_bits: int = 32,
        product: str = "SIM-DBS",
        firmware: str = "1.0.0",
        reads_worth: bool = False,
    ) -> None:
        self.unit = unit
        self.serial = serial
        self.box: Box | None = Box(box)
        self.door_open = False
        self.faults: set[Fault] = set()
        self.reads_worth = reads_worth
        self.map = wire.WORTH_MAP if reads_worth else wire.MAP
        """Something else: a device that is no drop-box sensor."""
        self.resets = 0
        self.drops = 0
        self.drops_at_removal = 0
        self.removals = 0
        self.openings = 0
        self.worth_pieces = 0
        self.worth_cents = 0
        self.times_read = 0
        """How often somebody asked for its registers."""
        self.answers_identification = True
        self.lamp_works = True
        self._clock = clock
        self._rng = random.Random(f"{seed}/{unit}/boot")
        self._names = ("Cutcard", product, firmware)
        self._counter_bits = counter_bits
        self._drift_g = 0
        self._silent = False
        self._garble = 0
        self._refusals: list[int] = []
        self._boot_up()

    def drop(self, pieces: int = 1, cents: int | None = None) -> None:
        """Pieces fall through the slot, into the box if there is one.

        `cents` is what they are worth together, where the sensor can read that; None: it cannot.
        """
        turn = 1 << self._counter_bits
        self.drops = (self.drops + pieces) % turn
        if cents is not None and self.reads_worth:
            self.worth_pieces = (self.worth_pieces + pieces) % turn
            self.worth_cents = (self.worth_cents + cents) % (1 << 32)
        if self.box is not None:
            self.box.pieces += pieces
        self._moved()

    def take_box(self) -> Box:
        """Somebody takes the box out."""
        if self.box is None:
            raise ValueError("there is no box to take")
        taken, self.box = self.box, None
        self.removals = (self.removals + 1) % (1 << 16)
        self.drops_at_removal = self.drops
        self.worth_at_removal = (self.worth_pieces, self.worth_cents)
        self._moved()
        return taken

    def put_box(self, box: Box) -> None:
        if self.box is not None:
            raise ValueError("there is a box already")
        self.box = box
        self._moved()

    def open_door(self) -> None:
        if not self.door_open:
            self.door_open = True
            self.openings = (self.openings + 1) % (1 << 16)

    def shut_door(self) -> None:
        self.door_open = False

    def drift(self, grams: int) -> None:
        """The scale moves by itself: warmth, damp, a knee against the table."""
        self._drift_g += grams

    def reset(self) -> None:
        """Power off and on: another boot, counters at zero, the lamp off."""
        self._boot_up()
        self.resets = (self.resets + 1) % (1 << 16)

    def count_from(self, drops: int) -> None:
        """Set the slot counter, as after a long life; no piece fell."""
        self.drops = drops

    def fall_silent(self) -> None:
        """It receives nothing and sends nothing."""
        self._silent = True

    def speak_again(self) -> None:
        self._silent = False

    def garble(self, answers: int) -> None:
        """The next answers arrive with a wrong CRC."""
        self._garble = answers

    def refuse(self, *codes: int) -> None:
        """The next requests are refused, with these codes."""
        self._refusals += codes

    def reading(self) -> Reading:
        """All input registers at one moment."""
        now = self._clock.now_ms()
        box = self.box
        faults = self.faults | ({"box full"} if box is not None and box.pieces >= box.capacity else set())
        return Reading(
            boot=self.boot,
            uptime_ms=now - self._booted_at,
            resets=self.resets,
            counter_bits=self._counter_bits,
            drops=self.drops,
            drops_at_removal=self.drops_at_removal,
            removals=self.removals,
            openings=self.openings,
            grams=None if box is None else box.grams + self._drift_g,
            box_id=None if box is None else box.id,
            serial=self.serial,
            box_present=box is not None,
            door_open=self.door_open,
            weight_settled=box is not None and now - self._moved_at >= SETTLE_MS,
            faults=tuple(fault for fault in wire.FAULT_BITS if fault in faults),
            worth=self._worth_counters() if self.reads_worth else None,
        )

    def answer(self, request: frames.Request | frames.Unanswerable) -> bytes | None:
        """The bytes that the sensor sends; None when it says nothing."""
        if self._silent:
            return None
        adu = frames.encode(self.unit, self._reply(request))
        if self._garble:
            self._garble -= 1
            return adu[:-1] + bytes((adu[-1] ^ 0x55,))
        return adu

    def broadcast(self, request: frames.Request | frames.Unanswerable) -> None:
        """A write to everybody is done and not answered."""
        if not self._silent and isinstance(request, frames.WriteRegister | frames.WriteRegisters):
            self._reply(request)

    def _boot_up(self) -> None:
        self.boot = self._rng.randint(1, 0xFFFFFFFF)
        self.drops = self.drops_at_removal = self.removals = self.openings = 0
        self.worth_pieces = self.worth_cents = 0
        self.worth_at_removal = (0, 0)
        self.lamp = Lamp.OFF
        self.identify_s = 0
        self._booted_at = self._clock.now_ms()
        self._moved()

    def _worth_counters(self) -> Worth:
        pieces, cents = self.worth_at_removal
        return Worth(pieces=self.worth_pieces, cents=self.worth_cents, pieces_at_removal=pieces, cents_at_removal=cents)

    def _moved(self) -> None:
        self._moved_at = self._clock.now_ms()

    def _reply(self, request: frames.Request | frames.Unanswerable) -> frames.Reply:
        if self._refusals:
            function = request.function if isinstance(request, frames.Unanswerable) else frames.function_of(request)
            return frames.Refusal(function, self._refusals.pop(0))
        match request:
            case frames.Unanswerable(function, code):
                return frames.Refusal(function, code)
            case frames.ReadInputRegisters(address, count):
                self.times_read += 1
                registers = (self.map, *wire.encode(self.reading())[1:])
                if address + count > len(registers):
                    return frames.Refusal(frames.READ_INPUT, frames.ILLEGAL_ADDRESS)
                return frames.InputRegisters(registers[address : address + count])
            case frames.ReadHoldingRegisters(address, count):
                if address + count > HOLDING:
                    return frames.Refusal(frames.READ_HOLDING, frames.ILLEGAL_ADDRESS)
                return frames.HoldingRegisters((int(self.lamp), self.identify_s)[address : address + count])
            case frames.WriteRegister(address, value):
                refused = self._write(address, (value,))
                return (
                    frames.RegisterWritten(address, value)
                    if refused is None
                    else frames.Refusal(frames.WRITE_ONE, refused)
                )
            case frames.WriteRegisters(address, values):
                refused = self._write(address, values)
                if refused is not None:
                    return frames.Refusal(frames.WRITE_MANY, refused)
                return frames.RegistersWritten(address, len(values))
            case frames.ReadIdentification(level, object_id):
                return self._identification(level, object_id)

    def _write(self, address: int, values: tuple[int, ...]) -> int | None:
        """All of them or none; the code of a refusal."""
        if address + len(values) > HOLDING:
            return frames.ILLEGAL_ADDRESS
        if not self.lamp_works:
            return frames.DEVICE_FAILURE
        lamp, identify_s = (*(int(self.lamp), self.identify_s)[:address], *values, self.identify_s)[:HOLDING]
        if lamp not in list(Lamp) or identify_s > wire.MAX_IDENTIFY_S:
            return frames.ILLEGAL_VALUE
        self.lamp, self.identify_s = Lamp(lamp), identify_s
        return None

    def _identification(self, level: int, object_id: int) -> frames.Reply:
        if not self.answers_identification:
            return frames.Refusal(frames.ENCAPSULATED, frames.ILLEGAL_FUNCTION)
        objects = tuple(enumerate(self._names))
        if level == 4:
            if object_id >= len(objects):
                return frames.Refusal(frames.ENCAPSULATED, frames.ILLEGAL_ADDRESS)
            chosen = objects[object_id : object_id + 1]
        else:
            # The standard: an object that does not exist, in a list, means from the beginning.
            chosen = objects[object_id if object_id < len(objects) else 0 :]
        return frames.Identification(level, 0x81, False, 0, chosen)
