"""The controller's side of card readers, for the tests."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from devices.drivers.card_reader.driver import CardScanned, CardScannedAgain
from devices.reports import DeviceState
from devices.spec import DeviceSpec
from devices.supervisor import Supervisor
from sim_hw.devices.card_reader import PRODUCT, VENDOR
from tests.support.wire.listener import Inbox, at_work, of_type

MODEL = f"usb://{VENDOR:04x}:{PRODUCT:04x}"


def spec(url: str = MODEL, name: str = "reader", options: Mapping[str, object] | None = None) -> DeviceSpec:
    return DeviceSpec(id=name, kind="card_reader", url=url, options=options or {})


class Controller(Inbox):
    """Takes the reports of card readers."""

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
    async with at_work(supervisor):
        yield controller, supervisor
