"""`cutcard devices watch`: what passes on one device's wire, live."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

import msgspec

from controller.errors import UserError
from controller.technician.bench import attend
from controller.technician.table import Chosen, ServedTable
from devices.lines import TraceLine
from devices.link.lines import lines_of
from devices.ports.tap import Chunk, Taps

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
            await _watch_here(chosen, show, sealed=sealed, take_events=take_events)


async def _watch_here(chosen: Chosen, show: Show, *, sealed: bool, take_events: bool) -> None:
    decoder = lines_of(chosen.spec.kind if chosen.in_config else None, sealed=sealed)
    taps = Taps()

    def received(chunk: Chunk) -> None:
        for line in decoder.feed(chunk):
            show(line)

    stop = taps[chosen.spec.url].listen(received)
    try:
        await attend(chosen.spec, taps, take_events=take_events)
    finally:
        stop()
