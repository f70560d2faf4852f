"""How long a card takes from the wire to the cardroom.

From the last byte of a card's frame written to the shoe's port to the event at a subscriber of a local Mosquitto: frame
and link, driver, engine, the durable commit, the publisher, the broker. The daemon is a process of its own, as always.

The floor is what cannot be spared: the same row by a bare SQLite commit of the same durability, then its events by a
bare QoS 1 publish through aiomqtt, to the same subscriber. In turns, a card and a floor: what slows the machine down
slows both.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path

import aiohttp
import aiomqtt

from controller.journal import JournalReader
from controller.journal.writer import LOG_PAGES
from sim_hw.devices.shoe import SimulatedShoe
from sim_hw.time.clock import SimClock
from sim_hw.wire.pty import Pty
from tests.bench.commits import Bare
from tests.bench.figures import Figure
from tests.bench.subscriber import TimedSubscriber, subscribed
from tests.support.running.brokers import MOSQUITTO, mosquitto
from tests.support.running.tables import RunningDaemon

MEDIAN_TIMES, P99_TIMES = 2.5, 4.0
PAUSE_S = 0.02
"""Between two cards, so that what the last one left to do is done; at a table it is a second."""

LAST_CARDS = 26
"""A shoe with fewer is exchanged as soon as no round runs: that is four rounds, at least. No cut card is in it."""
EVENTS, FLOOR = "cutcard/v2/bench/t-1/event", "floor"

CONFIG = """
site = "bench"
table = "t-1"
test = true
[rules]
ruleset = "bankers-ez-baccarat-panda-8"
[seating]
records_wagers = false
[journal]
warn_below_mb = 0
stop_below_mb = 0
[[mqtt.broker]]
port = {broker}
[web]
port = 0
[[devices]]
id = "shoe"
kind = "shoe"
url = "{port}"
"""


class TimedPty(Pty):
    """Knows when it was last written to, and can be left unread: a real shoe does not work on the table's processor."""

    wrote_at = 0.0
    _readable: Callable[[], None] | None = None

    def write(self, data: bytes) -> None:
        super().write(data)
        self.wrote_at = time.perf_counter()

    def attend(self, loop: asyncio.AbstractEventLoop, readable: Callable[[], None]) -> None:
        self._readable = readable
        super().attend(loop, readable)

    @contextmanager
    def unread(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        assert self._readable is not None
        self.leave(loop)
        try:
            yield
        finally:
            self.attend(loop, self._readable)


class Dealt:
    """A daemon with its shoe, and a subscriber to its events."""

    def __init__(self, shoe: SimulatedShoe, port: TimedPty, subscriber: TimedSubscriber, daemon: RunningDaemon) -> None:
        self._shoe, self._port, self._subscriber, self._daemon = shoe, port, subscriber, daemon

    @property
    def journal(self) -> Path:
        return self._daemon.journal

    async def card(self) -> float:
        """Draw a card; returns the seconds until its event arrived."""
        if (await self._daemon.console.view())["prompt"].startswith("Who banks next?"):
            await self._daemon.console.act({"kind": "bank_answer"})
        if self._shoe.cards_left < LAST_CARDS:
            view = await self._daemon.console.view()
            if view["phase"] in ("settled", "waiting"):
                await new_shoe(self._shoe)
        await self._shoe.link.wait_until(lambda: not self._shoe.is_locked and self._shoe.link.kept == 0)
        await asyncio.sleep(PAUSE_S)
        with self._port.unread():
            self._shoe.force_draw()
            wrote_at = self._port.wrote_at
            return await self._subscriber.first(f"{EVENTS}/card_dealt") - wrote_at


async def figures(folder: Path, cards: int) -> list[Figure]:
    """Median and 99th percentile beside the floor's; nothing without a Mosquitto."""
    if MOSQUITTO is None:
        return []
    folder = folder / "latency"
    folder.mkdir()
    ours: list[float] = []
    floor: list[float] = []
    with mosquitto(folder, "allow_anonymous true", "set_tcp_nodelay true") as broker:
        async with (
            subscribed(broker.port, f"{EVENTS}/#", FLOOR) as subscriber,
            dealt(folder, broker.port, subscriber) as table,
        ):
            bare = Bare(folder / "latency-floor.db", LOG_PAGES)
            with closing(bare), closing(JournalReader.read(table.journal)) as reader:
                async with aiomqtt.Client("127.0.0.1", broker.port, protocol=aiomqtt.ProtocolVersion.V5) as client:
                    for _ in range(cards):
                        ours.append(await table.card())
                        entry = next(iter(reader.entries(reader.head.n)))
                        await asyncio.sleep(PAUSE_S)
                        began = time.perf_counter()
                        bare.insert(entry)
                        await client.publish(FLOOR, entry.events, qos=1)
                        floor.append(await subscriber.first(FLOOR) - began)
    return list(_beside(ours, floor))


async def new_shoe(shoe: SimulatedShoe) -> None:
    """Eight shuffled decks, put in as a dealer does."""
    shoe.move_lid(is_open=True)
    shoe.load(decks=8)
    shoe.move_lid(is_open=False)
    await shoe.wait_taken()


@asynccontextmanager
async def dealt(folder: Path, broker_port: int, subscriber: TimedSubscriber) -> AsyncIterator[Dealt]:
    port = TimedPty(folder, "latency-shoe")
    shoe = SimulatedShoe(port, SimClock.at("real"), seed=1)
    daemon = RunningDaemon(folder)
    daemon.config.write_text(CONFIG.format(broker=broker_port, port=port.path))
    shoe.plug()
    try:
        async with aiohttp.ClientSession() as session:
            await daemon.start(session)
            try:
                await shoe.wait_online()
                await new_shoe(shoe)
                yield Dealt(shoe, port, subscriber, daemon)
            finally:
                await daemon.stop()
    finally:
        shoe.unplug()


def _beside(ours: list[float], floor: list[float]) -> Iterator[Figure]:
    for name, at, most in (("median", 0.5, MEDIAN_TIMES), ("99th percentile", 0.99, P99_TIMES)):
        mine, least = _quantile(ours, at), _quantile(floor, at)
        yield Figure(
            f"card to subscriber, {name}",
            mine * 1e6,
            statistics.median(ours) * 1e6,
            "bare commit and publish",
            least * 1e6,
            mine / least,
            f"cost at most {most:g}",
            mine <= most * least,
            " µs",
            "larger",
        )


def _quantile(values: list[float], at: float) -> float:
    return sorted(values)[min(len(values) - 1, int(at * len(values)))]
