"""The simulated dice cup.

It does what docs/protocols/dice-cup.md asks of a cup. How the dice fall comes from `random.Random(f"{seed}/dice")`: one
throw per die and shaking.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Unpack

from protocols import dice_cup as wire
from sim_hw.devices.kinds import CommonModel, Fault, Making, SimulatedKind
from sim_hw.devices.link_device import Hardware, LinkDevice
from sim_hw.time.clock import SimClock
from sim_hw.wire.line import Port


class SimulatedDiceCup(LinkDevice[wire.Message]):
    """A cup on a simulated port, shut, with three dice in it. Unplugged at first: `plug` it."""

    DEVICE_CLASS, CODEC, MODEL, SERIAL = wire.DEVICE_CLASS, wire.CODEC, "SIM-CUP", "SIM-0003"

    def __init__(self, port: Port, clock: SimClock, **hardware: Unpack[Hardware]) -> None:
        self._dice_rng = random.Random(f"{hardware['seed']}/dice")
        self.dice: list[int] = [1, 1, 1]
        """What lies in the cup, whether anybody can see it or not."""
        self.is_open = False
        self._next_read: tuple[int | None, ...] | None = None
        self._next_fall: list[int] | None = None
        self._faults: set[wire.CupFault] = set()
        super().__init__(port, clock, **hardware)

    def shake(self, strokes: int = 4) -> None:
        """Somebody shakes the shut cup, and the dice fall again."""
        if self.is_open:
            raise ValueError("an open cup cannot be shaken")
        fallen = [self._dice_rng.randint(1, wire.FACES) for _ in self.dice]
        self.dice, self._next_fall = self._next_fall or fallen, None
        if "motion sensor" not in self._faults:
            self.shakes += strokes
            self._happened(wire.Shaken(**self._head(), shakes=self.shakes))

    def open(self) -> tuple[int, ...]:
        """Somebody opens the cup; gives what everybody sees."""
        if self.is_open:
            raise ValueError("the cup is open already")
        self.is_open = True
        self.roll_no += 1
        self._happened(wire.Opened(**self._head(), roll_no=self.roll_no, shakes=self.shakes))
        read = self._next_read if self._next_read is not None else tuple(self.dice)
        self._next_read = None
        if "reader" in self._faults:
            read = (None,) * len(self.dice)
        event = {**self._head(), "roll_no": self.roll_no}
        self._happened(wire.DiceRead(**event, values=read))
        return tuple(self.dice)

    def shut(self) -> None:
        if not self.is_open:
            raise ValueError("the cup is shut already")
        self.is_open = False
        self.shakes = 0
        self._happened(wire.Shut(**self._head(), roll_no=self.roll_no))

    def throw(self, strokes: int = 4) -> tuple[int, ...]:
        """Shut it if need be, shake it, open it."""
        if self.is_open:
            self.shut()
        self.shake(strokes)
        return self.open()

    def lose_die(self) -> None:
        """One falls to the floor."""
        self.dice.pop()

    def add_die(self) -> None:
        """Somebody slips one in."""
        self.dice.append(wire.FACES)

    def fall_next_as(self, values: Sequence[int]) -> None:
        """The next shaking ends like this: a scenario has known dice."""
        if not all(1 <= value <= wire.FACES for value in values):
            raise ValueError(f"dice show 1 to {wire.FACES}, not {list(values)}")
        self._next_fall = list(values)

    def read_next_as(self, values: Sequence[int | None]) -> None:
        """The reader will see this at the next opening, whatever lies there."""
        self._next_read = tuple(values)

    def fail(self, fault: wire.CupFault) -> None:
        """Part of the cup stops working."""
        self._faults.add(fault)
        event = self._head()
        self._happened(wire.Fault(**event, fault=fault, is_over=False))

    def fix(self, fault: wire.CupFault) -> None:
        self._faults.discard(fault)
        event = self._head()
        self._happened(wire.Fault(**event, fault=fault, is_over=True))

    def _powered_up(self) -> None:
        self.roll_no = 0
        self.shakes = 0
        self.expected = 3

    def _status(self) -> wire.Status:
        return wire.Status(
            boot=self.boot, roll_no=self.roll_no, is_open=self.is_open, shakes=self.shakes, dice=self.expected
        )

    def _commanded(self, command: wire.Message) -> None:
        match command:
            case wire.SetDice(dice=dice):
                self.expected = dice
                self._answer(wire.DiceSet(dice=dice))


# What people do with it


async def throw(cup: SimulatedDiceCup, *, shows: list[int] | None = None, strokes: int = 4) -> list[int]:
    """Shut, shake, open. `shows`: how the dice fall, where the story needs it."""
    if shows is not None:
        cup.fall_next_as(shows)
    fell = cup.throw(strokes)
    await cup.settled()
    return list(fell)


async def peek(cup: SimulatedDiceCup) -> list[int]:
    """Open it without having shaken."""
    if cup.is_open:
        cup.shut()
    seen = cup.open()
    await cup.settled()
    return list(seen)


async def lose_die(cup: SimulatedDiceCup) -> None:
    cup.lose_die()


async def fail_part(cup: SimulatedDiceCup, *, part: wire.CupFault) -> None:
    cup.fail(part)
    await cup.settled()


async def fix_part(cup: SimulatedDiceCup, *, part: wire.CupFault) -> None:
    cup.fix(part)
    await cup.settled()


# What goes wrong


async def misread(cup: SimulatedDiceCup) -> None:
    """The next roll is not read."""
    cup.read_next_as([None] * len(cup.dice))


def _build(making: Making) -> SimulatedDiceCup:
    model: CommonModel = making.model
    return SimulatedDiceCup(
        making.port, making.clock, seed=making.seed, serial=model.serial or "SIM-0003", firmware=model.firmware
    )


KIND = SimulatedKind(
    name="dice_cup",
    build=_build,
    device_class=wire.DEVICE_CLASS,
    acts=(throw, peek, lose_die, fail_part, fix_part),
    faults=(Fault(misread),),
)
