"""The controller's side of one device: a supervisor whose reports a test can wait for."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from typing import Protocol, TypeVar

from msgspec.structs import asdict

from devices.reports import DeviceAnswer, DeviceEvent, DeviceState, Report
from devices.spec import DeviceSpec
from devices.supervisor import Supervisor
from protocols.link.events import NumberedEvent
from protocols.link.session import Timings

PATIENCE = 30.0

ReportT = TypeVar("ReportT")


def has_body(report: Report, kind: type[object]) -> bool:
    return isinstance(report, DeviceEvent | DeviceAnswer) and isinstance(report.body, kind)


def of_type(reports: Iterable[Report], kind: type[ReportT]) -> list[ReportT]:
    """The reports of one type, or the bodies of one type."""
    found = []
    for report in reports:
        body = report.body if isinstance(report, DeviceEvent | DeviceAnswer) else None
        found += [each for each in (report, body) if isinstance(each, kind)]
    return found


def fields(event: NumberedEvent) -> tuple[object, ...]:
    """The type and fields of a message, without its numbers."""
    head = NumberedEvent.__struct_fields__
    return (type(event), *(value for name, value in asdict(event).items() if name not in head))


class Inbox:
    """Takes reports, or refuses them, and lets a test wait for what it is about."""

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
        self._news.set()
        if self.refuses(report):
            self.refused.append(report)
            raise OSError("the disk is full")
        self.reports.append(report)

    async def until(self, holds: Callable[[], bool]) -> None:
        while not holds():
            self._news.clear()
            await self._news.wait()


class Listener(Inbox):
    """The reports of one device under a supervisor."""

    def __init__(self, spec: DeviceSpec, *, timings: Timings | None = None) -> None:
        super().__init__()
        self.spec = spec
        self.supervisor = Supervisor([spec], self.sink, rng=random.Random(1), timings=timings)

    def of(self, kind: type[ReportT]) -> list[ReportT]:
        """The reports, or their bodies, of one type."""
        return of_type(self.reports, kind)

    async def wait_for(self, kind: type[ReportT], times: int = 1) -> ReportT:
        """Waits for the nth report of this type."""
        await self.until(lambda: len(self.of(kind)) >= times)
        return self.of(kind)[times - 1]

    @property
    def state(self) -> str | None:
        states = self.of(DeviceState)
        return states[-1].state if states else None

    @property
    def detail(self) -> str:
        return self.of(DeviceState)[-1].detail

    async def online(self) -> DeviceState:
        await self.until(lambda: self.state == "online")
        return self.of(DeviceState)[-1]

    async def gone(self) -> DeviceState:
        await self.until(lambda: self.state in ("offline", "wrong_device"))
        return self.of(DeviceState)[-1]


@asynccontextmanager
async def listening(spec: DeviceSpec, *, timings: Timings | None = None) -> AsyncIterator[Listener]:
    """A supervisor at work on one device."""
    async with running(Listener(spec, timings=timings)) as listener:
        yield listener


class Supervised(Protocol):
    @property
    def supervisor(self) -> Supervisor: ...


SupervisedT = TypeVar("SupervisedT", bound=Supervised)


@asynccontextmanager
async def running(controller: SupervisedT) -> AsyncIterator[SupervisedT]:
    async with at_work(controller.supervisor):
        yield controller


@asynccontextmanager
async def at_work(supervisor: Supervisor) -> AsyncIterator[None]:
    """A running supervisor; the block must end within `PATIENCE`."""
    task = asyncio.create_task(supervisor.run())
    try:
        async with asyncio.timeout(PATIENCE):
            yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
