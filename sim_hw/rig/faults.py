"""What goes wrong, by name: at a moment, for a while, or at a rate.

A fault begins with `rig.fault(name, device)` and ends with `rig.fix(name, device)`; many end by themselves (a misread
is one card). Faults of the wire take a `rate` of their own, per bit, byte or write. Every other fault takes `rate` as
the chance that it happens before each act on the device, from the rig's seed.

The faults of a kind are in its module (`SimulatedKind.faults`); those of all kinds are here. What goes wrong with the
table rather than with a device (broker away, disk full, clock jump, daemon killed) is in `sim_hw.rig.scenario.stage`.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from sim_hw.devices.kinds import NAMES, Fault, SimulatedDevice, Wrong, kind_of
from sim_hw.rig.acts import check_arguments
from sim_hw.wire.noise import Noise

TABLE_FAULTS: Final = ("broker_away", "disk_full", "clock_jump", "daemon_killed")


class Faults:
    """What is wrong on one rig, and what may go wrong."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._rates: dict[tuple[str, str], float] = {}
        """By device and fault."""

    async def begin(
        self, name: str, device: str, model: SimulatedDevice, kind: str, arguments: Mapping[str, object]
    ) -> None:
        fault = find(name, kind)
        rate = arguments.get("rate")
        if rate is not None and not fault.by_wire:
            if not isinstance(rate, int | float) or not 0 <= rate <= 1 or len(arguments) > 1:
                raise Wrong(f"fault {name}: a rate is a number from 0 to 1, without other arguments, not {arguments}")
            self._rates[device, name] = float(rate)
            return
        try:
            await fault.begin(model, **check_arguments(fault.begin, arguments, f"fault {name}"))
        except ValueError as error:
            raise Wrong(f"fault {name}: {error}") from None

    async def end(self, name: str, device: str, model: SimulatedDevice, kind: str) -> None:
        fault = find(name, kind)
        self._rates.pop((device, name), None)
        if fault.end is not None:
            await fault.end(model)

    def due(self, device: str) -> list[str]:
        """The faults that happen to this device now, by their rates."""
        return [name for (on, name), rate in self._rates.items() if on == device and self._rng.random() < rate]


def faults_of(kind: str) -> dict[str, Fault]:
    """The faults that a device of this kind can have, by name."""
    own = kind_of(kind).faults
    common = (*(() if kind_of(kind).on_usb else OF_A_WIRE), *OF_ANY)
    return {fault.name: fault for fault in (*common, *own)}


def all_faults() -> dict[str, list[str]]:
    """The kinds that can have each fault, by the fault's name."""
    found: dict[str, list[str]] = {}
    for kind in NAMES:
        for name in faults_of(kind):
            found.setdefault(name, []).append(kind)
    return found


def find(name: str, kind: str) -> Fault:
    """The fault of this name, if a device of this kind can have it."""
    if name in TABLE_FAULTS:
        raise Wrong(f"{name} is a fault of the table; leave the device out")
    known = all_faults()
    if name not in known:
        raise Wrong(f"there is no fault {name!r}; there is {', '.join([*known, *TABLE_FAULTS])}")
    if kind not in known[name]:
        raise Wrong(f"a {kind} cannot have the fault {name}, only {', '.join(known[name])}")
    return faults_of(kind)[name]


# The wire


async def _clean(device: SimulatedDevice) -> None:
    assert device.wire is not None
    device.wire.noise = Noise()


def _worsen(device: SimulatedDevice, **changes: Any) -> None:
    assert device.wire is not None, "only a device with a wire has faults of the wire"
    device.wire.noise = replace(device.wire.noise, **changes)


async def bit_errors(device: SimulatedDevice, *, rate: float = 1e-3) -> None:
    """Bits flip, with this chance each."""
    _worsen(device, bit_errors=rate)


async def lost_bytes(device: SimulatedDevice, *, rate: float = 1e-2) -> None:
    """Bytes are lost, with this chance each."""
    _worsen(device, lost_bytes=rate)


async def doubled_bytes(device: SimulatedDevice, *, rate: float = 1e-2) -> None:
    """Bytes arrive twice, with this chance each."""
    _worsen(device, doubled_bytes=rate)


async def repeated(device: SimulatedDevice, *, rate: float = 0.1) -> None:
    """A whole write arrives twice, with this chance."""
    _worsen(device, repeated=rate)


async def garbage(device: SimulatedDevice, *, rate: float = 0.1) -> None:
    """Random bytes before a write, with this chance."""
    _worsen(device, garbage=rate)


async def slow(device: SimulatedDevice, *, seconds: float = 0.2) -> None:
    """Every write takes up to this long, in real seconds."""
    _worsen(device, delay=(seconds / 2, seconds))


# Firmware, cable and power


async def stuck(device: SimulatedDevice) -> None:
    """Its firmware hangs: the port is there, nothing is received and nothing answered. Mending is a restart."""
    device.hang()


async def _restart(device: SimulatedDevice) -> None:
    device.restart()


async def unplug(device: SimulatedDevice) -> None:
    """The cable is pulled; fixing it plugs it in again."""
    device.unplug()


async def _plug(device: SimulatedDevice) -> None:
    device.plug()


async def power_cycle(device: SimulatedDevice, *, keep_events: bool = False) -> None:
    """Off and on. Events that were not taken are lost, unless the device stores them."""
    device.power_cycle(keep_events=keep_events)


OF_A_WIRE = tuple(
    Fault(begin, _clean, by_wire=True) for begin in (bit_errors, lost_bytes, doubled_bytes, repeated, garbage, slow)
)
OF_ANY = (Fault(stuck, _restart), Fault(unplug, _plug), Fault(power_cycle))
