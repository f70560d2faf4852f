"""How fast a table that was offline publishes its backlog, beside a bare publisher of the same library.

A journal with a backlog is drained through a real Mosquitto while the table plays on: new inputs are journaled and go
out behind the backlog, in order. Beside it, in turns: aiomqtt publishing the same bytes on the same topics at QoS 1,
from memory and with nothing to remember, with the number of calls at once that suits it best.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import aiomqtt

from controller.contract.topics import Topics
from controller.journal import Journal
from controller.mqtt import MqttSettings, Publisher
from controller.mqtt.envelope import payload
from tests.bench.figures import Figure
from tests.support.journals import AT, SITE, TABLE
from tests.support.running.brokers import MOSQUITTO, mosquitto

_TARGET = 0.8
_WINDOWS = (4, 20, 64)
"""Calls at once that the bare publisher is tried with; 20 is its library's default, 64 our own window."""
_BARE_SHARE = 10
"""A bare run publishes the tenth part: it has no end to reach, only a rate."""
_EVENTS_AN_INPUT = 3
_LIVE_EVERY = 0.02
"""Seconds between two inputs of the table that plays on."""


async def figures(folder: Path, events: int, repeats: int) -> list[Figure]:
    """The backlog's figure; none where there is no Mosquitto."""
    if MOSQUITTO is None:
        return []
    path = folder / "backlog.db"
    backlog = await _written(path, events)
    ours: list[float] = []
    theirs: dict[int, float] = dict.fromkeys(_WINDOWS, 0.0)
    with mosquitto(folder) as broker:
        for _ in range(max(2, repeats // 3)):
            for window in _WINDOWS:
                rate = await _bare(broker.port, backlog[: -(-events // _BARE_SHARE)], window)
                theirs[window] = max(rate, theirs[window])
            ours.append(await _drained(path, broker.port))
    window = max(theirs, key=lambda each: theirs[each])
    best = max(ours) / theirs[window]
    return [
        Figure(
            name=f"events of a backlog of {events:,} published, the table playing on",
            ours=max(ours),
            median=sorted(ours)[len(ours) // 2],
            beside="aiomqtt alone, QoS 1, at its best",
            theirs=theirs[window],
            ratio=best,
            target=f">= {_TARGET}",
            met=best >= _TARGET,
            worse="smaller",
        )
    ]


def _input(n: int) -> bytes:
    return b'{"at":%d,"by":"device:shoe","body":{"kind":"card_out","card":"9h"}}' % (AT + n)


def _events(n: int) -> list[bytes]:
    return [b'{"kind":"card_dealt","to":"player","nth":%d,"card":"9h"}' % (n + k) for k in range(_EVENTS_AN_INPUT)]


async def _written(path: Path, events: int) -> list[tuple[str, bytes]]:
    """Writes a journal with this number of events; returns the messages that a publisher makes of them."""
    journal = Journal.open(path, site=SITE, table=TABLE)
    try:
        inputs = -(-events // _EVENTS_AN_INPUT)
        for start in range(0, inputs, 500):
            numbers = range(start, min(inputs, start + 500))
            await asyncio.gather(*(journal.append(1 + n // 10, _input(n), _events(n)) for n in numbers))
        topics = Topics(SITE, TABLE)
        return [
            (topics.event("card_dealt"), payload(event, historical=True))
            for event in journal.events_from(1, journal.head.seq)
        ]
    finally:
        journal.close()


async def _bare(port: int, messages: list[tuple[str, bytes]], window: int) -> float:
    """Events a second of the library alone: `window` coroutines publish and wait for their acknowledgements."""
    left: Iterator[tuple[str, bytes]] = iter(messages)
    async with aiomqtt.Client(
        "127.0.0.1",
        port,
        identifier="bare",
        protocol=aiomqtt.ProtocolVersion.V5,
        max_inflight_messages=window,
        timeout=60,
    ) as client:
        # Its own warning about many calls at once is for those who forget that they wait.
        client.pending_calls_threshold = 2 * window

        async def publish() -> None:
            for topic, payload in left:
                await client.publish(topic, payload, qos=1)

        began = time.perf_counter()
        await asyncio.gather(*(publish() for _ in range(window)))
        return len(messages) / (time.perf_counter() - began)


async def _drained(path: Path, port: int) -> float:
    """Events a second of a publisher that finds the whole journal unsent, while its table plays on."""
    journal = Journal.open(path, site=SITE, table=TABLE)
    try:
        await journal.move_cursor("main", 0)
        backlog = journal.head.seq
        publisher = Publisher(journal, MqttSettings(host="127.0.0.1", port=port, client_id="t7"), session="bench")
        playing = asyncio.create_task(_play_on(journal))
        began = time.perf_counter()
        publisher.start()
        await publisher.published(backlog)
        rate = backlog / (time.perf_counter() - began)
        live = journal.head.seq
        await publisher.published(live)
        playing.cancel()
        assert live > backlog, "the table did not play on"
        await publisher.stop(drain=10)
        return rate
    finally:
        journal.close()


async def _play_on(journal: Journal) -> None:
    n = 0
    while True:
        await journal.append(1, _input(n), _events(n))
        n += 1
        await asyncio.sleep(_LIVE_EVERY)
