"""A card beside three devices that send as fast as the machine can carry.

Seconds of the loop's own work from a card leaving the shoe to its acknowledgement; the same at a quiet table is the
floor. 15 times where ports have no share of the loop, and up to 50 where a TCP connection is read a quarter of a
megabyte at once besides.
"""

from __future__ import annotations

import statistics
from pathlib import Path

from tests.bench.figures import Figure
from tests.support.wire.babblers import beset_table, received_from, three_babblers

TIMES = 6.0


async def figure(folder: Path, cards: int) -> Figure:
    async with beset_table(folder, {}) as quiet:
        alone = statistics.median(await quiet.deal(cards))
    with three_babblers(folder) as babblers:
        async with beset_table(folder, babblers) as loud:
            for url in babblers.values():
                await received_from(loud.taps[url])
            beset = statistics.median(await loud.deal(cards))
    ratio = beset / alone
    return Figure(
        name="card beside three babblers",
        ours=beset * 1e6,
        median=beset * 1e6,
        beside="at a quiet table",
        theirs=alone * 1e6,
        ratio=ratio,
        target=f"at most {TIMES:g}",
        met=ratio <= TIMES,
        unit=" µs",
        worse="larger",
    )
