"""One task per device: connect, run, report, back off, connect again.

A device that is away, wrong or broken never stops the daemon or another device. The supervisor reports each change of
a device's state once, however often it tries, and keeps trying for ever: a cable may be put back at any time.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
import random
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import NoReturn, TypeVar

from devices.current_device import DEVICE
from devices.driver import Driver, DriverFailure, WrongDevice
from devices.kinds import make_driver
from devices.link.driver import LinkDriver
from devices.link.recent import RecentLink
from devices.patience import PATIENCE
from devices.randomness import CHANCE
from devices.reports import DeviceState, Report, Sink, State
from devices.spec import DeviceSpec
from protocols.errors import ProtocolError
from protocols.link.session import LinkStatistics, Timings

DriverT = TypeVar("DriverT")

FIRST_RETRY = 0.2
"""Seconds. A device that was power-cycled or replugged is back at once for those at the table."""
LAST_RETRY = 5.0
"""A port that stays away costs little at this rate, and is found soon enough when it comes."""
STEADY = 10.0
"""Seconds. A connection that held this long was a good one: the next retry is a first one."""

log = logging.getLogger(__name__)


class SinkFailed(Exception):
    """The controller could not take a report; nothing was acknowledged."""


class Supervisor:
    """The devices of one table.

    supervisor = Supervisor(specs, sink)
    async with asyncio.TaskGroup() as group:
        group.create_task(supervisor.run())
        ...
        supervisor.driver("shoe", ShoeDriver).permit(up_to=draw_no + 1, boot=boot)
    """

    def __init__(
        self,
        specs: Sequence[DeviceSpec],
        sink: Sink,
        *,
        rng: random.Random | None = None,
        timings: Timings | None = None,
        patience: float = 1.0,
    ) -> None:
        """`rng`: the jitter of the retries, and what else the drivers draw (`devices.randomness`). `patience`: see
        `devices.patience`."""
        names = [spec.id for spec in specs]
        if len(set(names)) != len(names):
            raise ValueError(f"each device needs its own id; these are {', '.join(names)}")
        self._sink = sink
        self._rng = rng or CHANCE.get()
        self._timings = timings
        self._patience = patience
        self._group: asyncio.TaskGroup | None = None
        self._context: contextvars.Context | None = None
        """Of the run: a tap on its ports covers those of later devices too."""
        self._tasks: dict[str, asyncio.Task[NoReturn]] = {}
        self._drivers = {spec.id: make_driver(spec, timings) for spec in specs}
        self._states = {spec.id: DeviceState(device=spec.id, state="connecting") for spec in specs}
        self._reported: dict[str, DeviceState] = {}

    @property
    def states(self) -> Mapping[str, DeviceState]:
        """The state of each device now."""
        return self._states

    @property
    def drivers(self) -> Mapping[str, Driver]:
        """By device, whether it is there or not."""
        return self._drivers

    @property
    def statistics(self) -> Mapping[str, LinkStatistics]:
        """The link's counters, by device, since the daemon started."""
        return {name: driver.statistics for name, driver in self._drivers.items()}

    @property
    def recent(self) -> Mapping[str, RecentLink]:
        """The last ten minutes of each device on the link that was ever there."""
        links = {name: driver.recent for name, driver in self._drivers.items() if isinstance(driver, LinkDriver)}
        return {name: recent for name, recent in links.items() if recent is not None}

    def driver(self, device: str, kind: type[DriverT]) -> DriverT:
        """The driver of this device; it must be of this type."""
        found = self._drivers[device]
        if not isinstance(found, kind):
            raise TypeError(f"{device} is attended by a {type(found).__name__}, not a {kind.__name__}")
        return found

    async def run(self) -> None:
        """Run all devices until cancelled; the ports are free again on return."""
        async with asyncio.TaskGroup() as group:
            self._group, self._context = group, contextvars.copy_context()
            for driver in self._drivers.values():
                self._start(driver)
            await asyncio.Event().wait()  # A table that is dealt by hand has no devices, and goes on.

    async def let_go(self, devices: Iterable[str]) -> None:
        """Stop these; their ports are free on return. Call `change` next."""
        going = [task for name in devices if (task := self._tasks.pop(name, None)) is not None]
        for task in going:
            task.cancel()
        for task in going:
            with suppress(asyncio.CancelledError):
                await task

    def change(self, specs: Sequence[DeviceSpec]) -> None:
        """These are the devices from now on. A device that is running keeps its driver: `let_go` of it first."""
        drivers, states = {}, {}
        for spec in specs:
            is_running = spec.id in self._tasks
            drivers[spec.id] = self._drivers[spec.id] if is_running else make_driver(spec, self._timings)
            fresh = DeviceState(device=spec.id, state="connecting")
            states[spec.id] = self._states[spec.id] if is_running else fresh
        self._drivers, self._states = drivers, states
        self._reported = {name: state for name, state in self._reported.items() if name in self._tasks}

    def attend_all(self) -> None:
        """Start those that are not running yet."""
        for name, driver in self._drivers.items():
            if name not in self._tasks:
                self._start(driver)

    def _start(self, driver: Driver) -> None:
        assert self._group is not None
        name = driver.spec.id
        self._tasks[name] = self._group.create_task(self._attend(driver), name=f"device {name}", context=self._context)

    async def _attend(self, driver: Driver) -> NoReturn:
        DEVICE.set(driver.spec.id)
        CHANCE.set(self._rng)
        PATIENCE.set(self._patience)
        loop = asyncio.get_running_loop()
        attempts = 0
        await self._try_to_report(self._states[driver.spec.id])
        while True:
            began = loop.time()
            failure = await self._run_once(driver)
            if loop.time() - began > STEADY:
                attempts = 0
            await self._try_to_report(self._gone(driver.spec.id, failure))
            await asyncio.sleep(self._delay(attempts))
            attempts += 1

    async def _run_once(self, driver: Driver) -> Exception:
        try:
            await driver.run(self._deliver)
        except (DriverFailure, ProtocolError, SinkFailed) as failure:
            return failure
        except Exception as failure:
            # A mistake in one driver must not stop the other devices.
            log.exception("the driver of %s failed", driver.spec.id)
            return failure

    async def _deliver(self, report: Report) -> None:
        if isinstance(report, DeviceState):
            await self._report_state(report)
            return
        await self._give(report)

    async def _report_state(self, state: DeviceState) -> None:
        """Give a state to the sink, unless the sink took the same one last."""
        self._states[state.device] = state
        if self._reported.get(state.device) == state:
            return
        log.info("%s is %s%s", state.device, state.state, f": {state.detail}" if state.detail else "")
        await self._give(state)
        self._reported[state.device] = state

    async def _try_to_report(self, state: DeviceState) -> None:
        try:
            await self._report_state(state)
        except SinkFailed as failure:
            log.warning("%s is %s, and %s", state.device, state.state, failure)

    async def _give(self, report: Report) -> None:
        try:
            await self._sink(report)
        except Exception as error:
            raise SinkFailed(f"the controller could not take a report: {error}") from error

    def _gone(self, device: str, failure: Exception) -> DeviceState:
        state: State = "wrong_device" if isinstance(failure, WrongDevice) else "offline"
        known = self._states[device]
        return DeviceState(
            device=device,
            state=state,
            model=known.model,
            serial=known.serial,
            firmware=known.firmware,
            detail=str(failure),
        )

    def _delay(self, attempts: int) -> float:
        """Doubling, with jitter, so that the devices of a table that lost its power do not come back in step."""
        longest = min(LAST_RETRY, FIRST_RETRY * (1 << min(attempts, 10)))
        return longest * self._rng.uniform(0.5, 1.0)
