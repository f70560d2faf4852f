"""A host for judging one card reader: every report with its time, and the scans in them."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from protocols.errors import ProtocolError
from protocols.hid.pos import BrokenScan, Scan, ScanDecoder, ScanLayout, Scans, find_scans
from sim_hw.conform.hands import Hands
from sim_hw.conform.hid.usb import HidLine
from sim_hw.conform.requirement import Broken, NotPlayed
from sim_hw.conform.trace import Trace

POLL_EVERY = 0.005
QUIET = 0.7
"""Seconds without a report, after which a code has ended whatever it was."""


class HidBench:
    """One reader."""

    def __init__(self, line: HidLine, hands: Hands) -> None:
        self.hands = hands
        self.trace = Trace(lambda data, to_device: [f"{len(data)} bytes"])
        self.reports: list[bytes] = []
        """Since the requirement began."""
        self._came = asyncio.Event()
        self._line = line
        self._loop = asyncio.get_running_loop()
        self._polling = self._loop.create_task(self._poll())

    @property
    def is_gone(self) -> bool:
        return self._line.is_lost

    @property
    def descriptor(self) -> bytes:
        return self._line.descriptor

    async def ready(self) -> None:
        """Without what an earlier requirement left over."""
        await asyncio.sleep(QUIET)
        self.reports.clear()
        self._came.clear()

    def close(self) -> None:
        self._polling.cancel()
        self._line.close()

    async def survey(self) -> str:
        return self._line.name

    def scans(self) -> Scans:
        """Where the scans are in the reports; `NotPlayed` where the descriptor has none."""
        try:
            return find_scans(self.descriptor)
        except ProtocolError as error:
            raise NotPlayed(f"the report descriptor cannot be used: {error}") from None

    def layout(self) -> ScanLayout:
        return next(iter(self.scans().values()))

    async def scanned(self) -> list[Scan | BrokenScan]:
        """What comes until the reader is quiet again; `Broken` where nothing does."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self.hands.patience):
                await self._came.wait()
        if not self.reports:
            raise Broken("a report when a code passes the window", "none")
        count = -1
        while count != len(self.reports):
            count = len(self.reports)
            await asyncio.sleep(QUIET)
        decoder = ScanDecoder(self.scans())
        found = [scan for report in self.reports for scan in decoder.feed(report, 0.0)]
        return [*found, *decoder.end()]

    async def _poll(self) -> None:
        while True:
            report = self._line.read()
            if report is None:
                await asyncio.sleep(POLL_EVERY)
            else:
                self.trace.add(self._loop.time(), False, report)
                self.reports.append(report)
                self._came.set()
