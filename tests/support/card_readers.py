"""The controller's side of card readers, for the tests."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress

from devices.drivers.card_reader.driver import CardScanned, CardScannedAgain
from devices.reports import DeviceState, Report
from devices.spec import DeviceSpec
from devices.supervisor import Supervisor
from sim_hw.devices.card_reader import PRODUCT, VENDOR
from tests.support.listener import of_type

PATIENCE = 30.0
MODEL = f"usb://{VENDOR:04x}:{PRODUCT:04x}"


def spec(url: str = MODEL, name: str = "reader", options: Mapping[str, object] | None = None) -> DeviceSpec:
    return DeviceSpec(id=name, kind="card_reader", url=url, options=options or {})


class Controller:
    """Takes reports, and lets a test wait for them."""

    def __init__(self) -> None:
        self.reports: list[Report] = []
        self.refuses: Callable[[Report], bool] = lambda _: False
        self.refused: list[Report] = []
        self.hold: asyncio.Event | None = None
        """While set, a report waits for it before it is taken."""
        self._news = asyncio.Event()

    async def sink(self, report: Report) -> None:
        if self.hold is not None:
            await self.hold.wait()
        if self.refuses(report):
            self.refused.append(report)
            self._news.set()
            raise OSError("the disk is full")
        self.reports.append(report)
        self._news.set()

    async def until(self, holds: Callable[[], bool]) -> None:
        while not holds():
            self._news.clear()
            await self._news.wait()

    async def online(self, name: str = "reader") -> DeviceState:
        await self.until(lambda: self.state(name) == "online")
        return self.state_reports(name)[-1]

    async def offline(self, name: str = "reader") -> str:
        """Until it is no longer online; the sentence that says why."""
        await self.until(lambda: self.state(name) in ("offline", "wrong_device"))
        return self.state_reports(name)[-1].detail

    async def scans(self, count: int, name: str = "reader") -> list[CardScanned]:
        await self.until(lambda: len(self.scanned(name)) >= count)
        return self.scanned(name)

    def state(self, name: str = "reader") -> str | None:
        states = self.state_reports(name)
        return states[-1].state if states else None

    def state_reports(self, name: str = "reader") -> list[DeviceState]:
        return [report for report in self.reports if isinstance(report, DeviceState) and report.device == name]

    def scanned(self, name: str = "reader") -> list[CardScanned]:
        return of_type([report for report in self.reports if report.device == name], CardScanned)

    def again(self) -> list[CardScannedAgain]:
        return of_type(self.reports, CardScannedAgain)


@asynccontextmanager
async def supervised(*specs: DeviceSpec) -> AsyncIterator[tuple[Controller, Supervisor]]:
    """Readers under a supervisor."""
    controller = Controller()
    supervisor = Supervisor(specs, controller.sink, rng=random.Random(1))
    task = asyncio.create_task(supervisor.run())
    try:
        async with asyncio.timeout(PATIENCE):
            yield controller, supervisor
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
