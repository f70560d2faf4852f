"""What goes wrong, by name: at a moment, for a while, or at a rate.

A fault is begun with `rig.fault(name, device)` and ended with `rig.mend(name, device)`; many end by themselves (a
misread is one card). Faults of the wire take a `rate` of their own, per bit, byte or write. Every other fault takes
`rate` as the chance that it befalls the device before each thing that is done with it, from the rig's seed.

What goes wrong with the table rather than with a device (broker away, disk full, clock jump, daemon killed) belongs to
whoever runs the daemon: `sim_hw.rig.board`.
"""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from protocols.shoe import Why
from protocols.shuffler.messages import Where
from sim_hw.devices.card_reader import SimulatedCardReader
from sim_hw.devices.dice_cup import SimulatedDiceCup
from sim_hw.devices.key_panel import SimulatedKeyPanel
from sim_hw.devices.models import KINDS, DropBoxes, Kind, Model, Wrong, line_of, plug, unplug
from sim_hw.devices.reader_board.device import SimulatedReaderBoard
from sim_hw.devices.shoe import SimulatedShoe
from sim_hw.devices.shuffler.device import SimulatedShuffler
from sim_hw.rig.hands import checked
from sim_hw.wire.line import Line
from sim_hw.wire.noise import Noise

TABLE_FAULTS: Final = ("broker_away", "disk_full", "clock_jump", "daemon_killed")

ON_A_WIRE: tuple[Kind, ...] = tuple(kind for kind in KINDS if kind != "card_reader")


@dataclass(frozen=True)
class Fault:
    """One thing that can go wrong."""

    name: str
    kinds: tuple[Kind, ...]
    begin: Callable[..., Awaitable[None]]
    end: Callable[[Any], Awaitable[None]] | None
    by_wire: bool = False
    """Its rate is the wire's."""

    @property
    def says(self) -> str:
        return (self.begin.__doc__ or "").split("\n")[0]


FAULTS: dict[str, Fault] = {}


class Faults:
    """What is wrong on one rig, and what may befall it."""

    def __init__(self, models: Mapping[str, Model], rng: random.Random) -> None:
        self._models = models
        self._rng = rng
        self._rates: dict[tuple[str, str], float] = {}
        """By device and fault."""

    async def begin(self, name: str, device: str, model: Model, kind: Kind, how: Mapping[str, object]) -> None:
        fault = find(name, kind)
        how = dict(how)
        rate = how.get("rate")
        if rate is not None and not fault.by_wire:
            if not isinstance(rate, int | float) or not 0 <= rate <= 1 or len(how) > 1:
                raise Wrong(f"fault {name}: a rate is a number from 0 to 1 and stands alone, not {how}")
            self._rates[device, name] = float(rate)
            return
        try:
            await fault.begin(model, **checked(fault.begin, how, f"fault {name}"))
        except ValueError as error:
            raise Wrong(f"fault {name}: {error}") from None

    async def end(self, name: str, device: str, model: Model, kind: Kind) -> None:
        fault = find(name, kind)
        self._rates.pop((device, name), None)
        if fault.end is not None:
            await fault.end(model)

    def due(self, device: str) -> list[str]:
        """What befalls this device now, by its rates."""
        return [name for (on, name), rate in self._rates.items() if on == device and self._rng.random() < rate]


def find(name: str, kind: Kind) -> Fault:
    """The fault of this name, if a device of this kind can have it."""
    if name in TABLE_FAULTS:
        raise Wrong(f"{name} does not befall a device; leave the device away")
    if name not in FAULTS:
        raise Wrong(f"there is no fault {name!r}; there is {', '.join([*FAULTS, *TABLE_FAULTS])}")
    if kind not in FAULTS[name].kinds:
        raise Wrong(f"{name} does not befall a {kind}, only {', '.join(FAULTS[name].kinds)}")
    return FAULTS[name]


def _fault(
    *kinds: Kind, end: Callable[[Any], Awaitable[None]] | None = None, by_wire: bool = False
) -> Callable[[Callable[..., Awaitable[None]]], Callable[..., Awaitable[None]]]:
    def register(begin: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
        name = begin.__name__.rstrip("_")
        FAULTS[name] = Fault(name, kinds or KINDS, begin, end, by_wire)
        return begin

    return register


# The wire


async def _clean(model: Model) -> None:
    _line(model).noise = Noise()


@_fault(*ON_A_WIRE, end=_clean, by_wire=True)
async def bit_errors(model: Model, *, rate: float = 1e-3) -> None:
    """Bits flip, with this chance each."""
    _worse(model, bit_errors=rate)


@_fault(*ON_A_WIRE, end=_clean, by_wire=True)
async def lost_bytes(model: Model, *, rate: float = 1e-2) -> None:
    """Bytes are lost, with this chance each."""
    _worse(model, lost_bytes=rate)


@_fault(*ON_A_WIRE, end=_clean, by_wire=True)
async def doubled_bytes(model: Model, *, rate: float = 1e-2) -> None:
    """Bytes arrive twice, with this chance each."""
    _worse(model, doubled_bytes=rate)


@_fault(*ON_A_WIRE, end=_clean, by_wire=True)
async def repeated(model: Model, *, rate: float = 0.1) -> None:
    """A whole write arrives twice, with this chance."""
    _worse(model, repeated=rate)


async def _clean_if_wired(model: Model) -> None:
    if line_of(model) is not None:
        await _clean(model)


@_fault(end=_clean_if_wired, by_wire=True)
async def garbage(model: Model, *, rate: float = 0.1) -> None:
    """Random bytes before a write, with this chance; a card reader sends one report of nonsense."""
    if isinstance(model, SimulatedCardReader):
        model.send_garbage()
    else:
        _worse(model, garbage=rate)


@_fault(*ON_A_WIRE, end=_clean, by_wire=True)
async def slow(model: Model, *, seconds: float = 0.2) -> None:
    """Every write takes up to this long, in real seconds."""
    _worse(model, delay=(seconds / 2, seconds))


async def _unstuck(model: Model) -> None:
    if isinstance(model, SimulatedCardReader):
        unplug(model)
        plug(model)
    else:
        _line(model).is_dead = False


@_fault(end=_unstuck)
async def stuck(model: Model) -> None:
    """Its firmware hangs: the port is there, nothing is heard and nothing answered. Mending it is a new start."""
    if isinstance(model, SimulatedCardReader):
        model.usb.hang()
    else:
        _line(model).is_dead = True


# Cable and power


async def _plug(model: Model) -> None:
    plug(model)


@_fault(end=_plug)
async def unplug_(model: Model) -> None:
    """The cable is pulled; mending plugs it in again."""
    unplug(model)


@_fault()
async def power_cycle(model: Model, *, keep_events: bool = False) -> None:
    """Off and on. What the device had not told is lost, unless it stores it."""
    match model:
        case DropBoxes():
            for sensor in model.sensors.values():
                sensor.reset()
        case SimulatedReaderBoard():
            for sign in model.signs:
                sign.power_cycle()
        case SimulatedCardReader():
            model.unplug()
            model.plug()
        case _:
            model.power_cycle(keep_events=keep_events)


# Mechanics


async def _clear(model: SimulatedShuffler) -> None:
    if model.phase == "jammed":
        model.clear_jam()


@_fault("shuffler", end=_clear)
async def jam(shuffler: SimulatedShuffler, *, card_no: int = 1, where: Where = "rack") -> None:
    """This card of the next movement sticks, or of the one that goes on; mending pulls it out."""
    shuffler.jam_at(card_no, where)


@_fault("shoe", "card_reader", "dice_cup", "shuffler")
async def misread(model: Model, *, card: str | None = None, why: Why = "not seen") -> None:
    """The next card, or the next roll, is not read, or taken for another (`card`)."""
    match model:
        case SimulatedShoe() if card is None:
            model.fail_next_read(why)
        case SimulatedShoe():
            assert card is not None
            model.misread_next(card)
        case SimulatedCardReader():
            model.misread(card or "As")
        case SimulatedDiceCup():
            model.read_next_as([None] * len(model.dice))
        case SimulatedShuffler():
            model.fail_reads(1)
        case _:
            raise AssertionError(model)


@_fault("shuffler")
async def wrong_count(shuffler: SimulatedShuffler, *, by: int = -1) -> None:
    """The counter errs by so many at the next shuffle."""
    shuffler.miscount(by)


@_fault("shuffler")
async def boxed_card(shuffler: SimulatedShuffler, *, nth: int = 1) -> None:
    """The nth card that is to come out lies face up."""
    if len(shuffler.cards_inside) < nth:
        raise ValueError(f"the machine holds {len(shuffler.cards_inside)} cards, there is no card {nth} to turn")
    shuffler.turn_card(nth)


@_fault("drop_box")
async def drift(boxes: DropBoxes, *, box: str = "collection", grams: int = 35) -> None:
    """The scale moves by itself."""
    boxes.sensor(box).drift(grams)


async def _speak(boxes: DropBoxes) -> None:
    for sensor in boxes.sensors.values():
        sensor.speak_again()


@_fault("drop_box", end=_speak)
async def silent(boxes: DropBoxes, *, box: str = "collection") -> None:
    """One sensor of the bus answers no more; the others do."""
    boxes.sensor(box).fall_silent()


async def _all_up(panel: SimulatedKeyPanel) -> None:
    for key in range(1, panel.keys + 1):
        panel.unstick(key)


@_fault("key_panel", end=_all_up)
async def key_stuck(panel: SimulatedKeyPanel, *, key: int = 1) -> None:
    """A mug stands on a key."""
    panel.stick(key)


def _line(model: Model) -> Line:
    line = line_of(model)
    assert line is not None, "only a device with a wire has faults of the wire"
    return line


def _worse(model: Model, **how: Any) -> None:
    line = _line(model)
    line.noise = replace(line.noise, **how)
