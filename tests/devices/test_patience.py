"""Where time is simulated, a device that a busy machine keeps waiting is not lost: nothing about it may be reported."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from devices.drivers.drop_box.reports import SensorState
from devices.patience import LONG
from devices.reports import DeviceState
from devices.spec import DeviceSpec
from devices.supervisor import Supervisor
from sim_hw.devices.drop_box.bus import SimulatedBus
from sim_hw.devices.drop_box.device import DropBoxes
from sim_hw.devices.drop_box.sensor import SimulatedSensor
from sim_hw.devices.kinds import SimulatedDevice
from sim_hw.devices.link_peer import timings_at
from sim_hw.devices.shoe import SimulatedShoe
from sim_hw.time.clock import SimClock
from sim_hw.time.loop import SimLoop
from sim_hw.wire.local_port import LocalPort
from tests.support.wire.listener import Inbox

Laid = Callable[[Path], tuple[SimulatedDevice, DeviceSpec]]
MOMENT_S = 60.0
"""Longer than a process of the demo ever stands still, and than any device may at a real table."""


def shoe(folder: Path) -> tuple[SimulatedDevice, DeviceSpec]:
    port = LocalPort(folder, "shoe")
    device = SimulatedShoe(port, SimClock(), seed=1, timings=timings_at("max"))
    return device, DeviceSpec(id="shoe", kind="shoe", url=port.url)


def boxes(folder: Path) -> tuple[SimulatedDevice, DeviceSpec]:
    port = LocalPort(folder, "boxes")
    sensors = {"collection": SimulatedSensor(1, SimClock(), seed=1)}
    options = {"sensors": [{"unit": 1, "box": "collection"}], "parity": "none"}
    device = DropBoxes(SimulatedBus(port, list(sensors.values()), seed=1), sensors)
    return device, DeviceSpec(id="boxes", kind="drop_box", url=port.url, options=options)


async def reports_of(device: SimulatedDevice, spec: DeviceSpec, patience: float) -> list[str]:
    """What is reported of a device that stands still before it is met, and once more later."""
    controller = Inbox()
    supervisor = Supervisor([spec], controller.sink, rng=random.Random(1), patience=patience)
    device.plug()
    running = asyncio.create_task(supervisor.run())
    try:
        for _ in range(2):
            device.hang()
            await asyncio.sleep(MOMENT_S)
            device.restart()
            await controller.until(lambda: supervisor.states[spec.id].state == "online")
    finally:
        running.cancel()
        await asyncio.wait({running})
        device.unplug()
    return [report.state for report in controller.reports if isinstance(report, DeviceState | SensorState)]


@pytest.mark.parametrize("laid", [shoe, boxes])
def test_a_device_that_stands_still_is_lost_only_where_time_is_real(tmp_path: Path, laid: Laid) -> None:
    reported = {}
    for patience in (1.0, LONG):
        device, spec = laid(tmp_path)
        with asyncio.Runner(loop_factory=SimLoop) as runner:
            reported[patience] = set(runner.run(reports_of(device, spec, patience)))
    assert reported[LONG] <= {"connecting", "online"}
    assert reported[1.0] & {"offline", "silent"}, "at a real table it is an alarm"
