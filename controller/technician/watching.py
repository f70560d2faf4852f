"""`cutcard devices watch`: what passes on one device's wire, live."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

import msgspec

from controller.errors import UserError
from controller.technician.bench import attend
from controller.technician.table import Chosen, ServedTable
from devices.driver import ConnectionLost, DriverFailure
from devices.lines import TraceLine
from devices.link.bench import Bench
from devices.link.lines import lines_of
from devices.ports.tap import Chunk, Taps
from protocols.errors import ProtocolError
from protocols.link.diagnosis import SHOWN

Show = Callable[[TraceLine], None]


async def watch(
    table: ServedTable, chosen: Chosen, show: Show, *, seconds: float | None, sealed: bool, take_events: bool
) -> None:
    """Show every line for `seconds`, or until it is cancelled; a `DriverFailure` when the device goes away."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            if table.daemon is not None and chosen.in_config:
                if sealed or take_events:
                    raise UserError(
                        "The daemon runs: it takes the events of its devices itself, and cards are withheld. --take "
                        "and --sealed are for a bench; `cutcard capture --sealed` records a table."
                    )
                async with table.daemon.watch(chosen.spec.id) as lines:
                    async for line in lines:
                        show(msgspec.json.decode(line, type=TraceLine))
                raise UserError("The daemon has stopped.")
            if sealed or take_events:
                table.expect_no_round("taking events or showing cards")
            here = _Here(chosen, show, sealed=sealed, show_bytes=table.is_between_rounds)
            try:
                await here.watch(take_events=take_events)
            finally:
                here.show_finding()


class _Here:
    """Watching a port from here, without the daemon."""

    def __init__(self, chosen: Chosen, show: Show, *, sealed: bool, show_bytes: bool) -> None:
        """`show_bytes`: also those of a device that is nearly right, which may name cards."""
        self._spec, self._show, self._show_bytes = chosen.spec, show, show_bytes
        self._decoder = lines_of(chosen.spec.kind if chosen.in_config else None, sealed=sealed)
        self._bench: Bench | None = None
        self._shown = ""
        self._nobody: asyncio.Future[NoReturn] = asyncio.get_running_loop().create_future()
        """Fails when nobody reads what is shown, as behind `| head -1`."""

    async def watch(self, *, take_events: bool) -> None:
        taps = Taps()
        stop = taps[self._spec.url].listen(self._received)
        attending = asyncio.ensure_future(attend(self._spec, taps, take_events=take_events, begun=self._begun))
        try:
            await asyncio.wait({attending, self._nobody}, return_when=asyncio.FIRST_COMPLETED)
            (self._nobody if self._nobody.done() else attending).result()
        except ConnectionLost as lost:
            if lost.found is None or not self._show_bytes:
                raise
            raise ConnectionLost("\n  ".join([str(lost), *lost.found.rows])) from None
        finally:
            stop()
            attending.cancel()
            with suppress(asyncio.CancelledError, DriverFailure, ProtocolError):
                await attending

    def show_finding(self) -> None:
        """What is wrong with the session, once."""
        found = None if self._bench is None else self._bench.found
        if found is not None and str(found) != self._shown and not self._nobody.done():
            self._shown = str(found)
            hexed = found.came[:SHOWN].hex(" ") if self._show_bytes else ""
            expected = f"expected {found.expected}" if found.expected else ""
            at = time.time_ns()
            self._show(TraceLine(at_ns=at, direction="in", text=f"WRONG: {found}", message=expected, hex=hexed))

    def _begun(self, bench: Bench) -> None:
        self._bench = bench

    def _received(self, chunk: Chunk) -> None:
        if self._nobody.done():
            return
        try:
            self.show_finding()
            for line in self._decoder.feed(chunk):
                self._show(line)
        except BrokenPipeError as error:
            # We are in a callback of the port, which must not fail because a reader went away.
            self._nobody.set_exception(error)
