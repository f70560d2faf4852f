"""Which driver attends which kind of device."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from devices.driver import Driver
from devices.shoe import ShoeDriver
from devices.spec import DeviceSpec, Kind
from protocols.link import Timings

Factory = Callable[[DeviceSpec, Timings | None], Driver]

FACTORIES: Mapping[Kind, Factory] = {"shoe": ShoeDriver}


def make_driver(spec: DeviceSpec, timings: Timings | None = None) -> Driver:
    """The driver for a device of the config."""
    return FACTORIES[spec.kind](spec, timings)
