"""A large cardroom on one broker: 160 tables that deal at once.

Each table is a journal, a recorder and the publisher, as in the daemon; eighty share a process, because the board
under the table is not what is measured here. Every input is durable before the next, every round is dealt as fast as
the disk allows, and a subscriber in a process of its own follows all tables by `seq`: after it has dropped repeats,
it must end with exactly what the journals hold.

    python -m tests.bench.floor deal PORT FOLDER FIRST COUNT ROUNDS     some tables; waits for a line to begin
    python -m tests.bench.floor audit PORT                              the subscriber; gets the ends of the journals
"""

from __future__ import annotations

import asyncio
import os
import resource
import sys
import time
from asyncio.subprocess import PIPE, Process
from contextlib import AsyncExitStack, ExitStack, closing
from pathlib import Path

import aiomqtt
import msgspec
from msgspec import Struct

from controller.clock import SystemClock
from controller.journal import Journal
from controller.mqtt import MqttSettings, Publisher
from controller.recorder.recorder import Recorder
from controller.rules import resolve
from tests.bench.figures import Figure
from tests.bench.rounds import evening, first_input
from tests.support.running.brokers import MOSQUITTO, bytes_of, mosquitto

PROCESSES = 2
SECONDS_A_ROUND = 45
"""A brisk baccarat table: eighty rounds an hour. A full house deals one round a table in that time."""
PATIENCE_S = 300.0
SITE = "floor"


class Dealt(Struct, frozen=True):
    """What a process of tables says when its last round is with the broker."""

    heads: dict[str, int]
    """The last event of each table."""
    cpu: float


class Audited(Struct, frozen=True):
    """What the subscriber found."""

    events: int
    repeats: int
    lost: int
    at: float
    """When the last event arrived."""


class _Seen(Struct):
    seq: int
    table: str


async def figures(folder: Path, tables: int, rounds: int) -> list[Figure]:
    """Nothing without a Mosquitto."""
    if MOSQUITTO is None:
        return []
    folder = folder / "floor"
    folder.mkdir()
    share = -(-tables // PROCESSES)
    firsts = range(0, tables, share)
    with mosquitto(folder) as broker:
        async with AsyncExitStack() as stack:
            auditor = await _started(stack, "audit", broker.port)
            dealers = [
                await _started(stack, "deal", broker.port, folder, first, min(share, tables - first), rounds)
                for first in firsts
            ]
            broker_before = _cpu_of(broker.pid)
            began = time.perf_counter()
            for dealer in dealers:
                _tell(dealer, b"go")
            dealt = [msgspec.json.decode(await _line(dealer), type=Dealt) for dealer in dealers]
            _tell(auditor, msgspec.json.encode({table: seq for each in dealt for table, seq in each.heads.items()}))
            audited = msgspec.json.decode(await _line(auditor), type=Audited)
            broker_cpu = _cpu_of(broker.pid) - broker_before
    name, seconds, all_rounds = f"{tables} tables on one broker", audited.at - began, tables * rounds
    if audited.lost:
        raise RuntimeError(f"{name}: {audited.lost} of {audited.events} events did not reach the subscriber")
    rate, full_house, events = all_rounds / seconds, tables / SECONDS_A_ROUND, audited.events / seconds
    spent, each = broker_cpu / all_rounds * 1e6, sum(process.cpu for process in dealt) / all_rounds * 1e6
    beside = f"one in {SECONDS_A_ROUND} s each"
    return [
        Figure(f"{name}: rounds, none lost", rate, rate, beside, full_house, rate / full_house, "1", rate > full_house),
        Figure(f"{name}: events received", events, events),
        Figure(f"{name}: broker, CPU a round", spent, spent, unit=" µs"),
        Figure(f"{name}: table, CPU a round", each, each, unit=" µs"),
    ]


async def _deal(port: int, folder: Path, first: int, count: int, rounds: int) -> None:
    with ExitStack() as stack:
        names = [f"t-{number}" for number in range(first, first + count)]
        journals = [
            stack.enter_context(closing(Journal.open(folder / f"{name}.db", site=SITE, table=name))) for name in names
        ]
        settings = [MqttSettings(host="127.0.0.1", port=port, client_id=f"floor-{name}") for name in names]
        publishers = [
            Publisher(journal, each, session="bench") for journal, each in zip(journals, settings, strict=True)
        ]
        for publisher in publishers:
            publisher.start()
        for publisher in publishers:
            problem = await publisher.first_attempt()
            assert problem is None, problem
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        before = _own_cpu()
        await asyncio.gather(*(_play(journal, rounds) for journal in journals))
        for journal, publisher in zip(journals, publishers, strict=True):
            await publisher.published(journal.head.seq)
        heads = {journal.table: journal.head.seq for journal in journals}
        print(msgspec.json.encode(Dealt(heads, _own_cpu() - before)).decode(), flush=True)
        await asyncio.gather(*(publisher.stop() for publisher in publishers))


async def _play(journal: Journal, rounds: int) -> None:
    recorder = Recorder(journal, resolve, SystemClock(), first_input())
    for value in evening(recorder.engine, rounds, seed=int(journal.table.removeprefix("t-"))):
        await recorder.submit(value.body, value.by, value.ref)


async def _audit(port: int) -> None:
    audit = _Audit()
    async with aiomqtt.Client("127.0.0.1", port, protocol=aiomqtt.ProtocolVersion.V5) as client:
        await client.subscribe(f"cutcard/v2/{SITE}/+/event/+", qos=1)
        listening = asyncio.create_task(audit.listen(client))
        print("ready", flush=True)
        heads = msgspec.json.decode(await asyncio.to_thread(sys.stdin.readline), type=dict[str, int])
        await audit.reach(heads)
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
    print(msgspec.json.encode(audit.found()).decode(), flush=True)


class _Audit:
    """Follows every table by its numbers."""

    def __init__(self) -> None:
        self._last: dict[str, int] = {}
        self._events = self._repeats = self._lost = 0
        self._at = 0.0
        self._news = asyncio.Event()

    async def listen(self, client: aiomqtt.Client) -> None:
        decode = msgspec.json.Decoder(_Seen).decode
        async for message in client.messages:
            seen = decode(bytes_of(message))
            before = self._last.get(seen.table, 0)
            if seen.seq <= before:
                self._repeats += 1
                continue
            self._events += 1
            self._lost += seen.seq - before - 1
            self._last[seen.table] = seen.seq
            self._at = time.perf_counter()
            self._news.set()

    async def reach(self, heads: dict[str, int]) -> None:
        """Waits until the last event of every table has arrived, or until the bench's own timeout."""
        while self._last != heads:
            self._news.clear()
            await self._news.wait()

    def found(self) -> Audited:
        return Audited(self._events, self._repeats, self._lost, self._at)


async def _started(stack: AsyncExitStack, *arguments: object) -> Process:
    """A process of this module that says that it is ready."""
    command = [sys.executable, "-m", "tests.bench.floor", *map(str, arguments)]
    process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE)
    stack.push_async_callback(_ended, process)
    assert await _line(process) == b"ready\n"
    return process


async def _ended(process: Process) -> None:
    if process.stdin is not None:
        process.stdin.close()
    try:
        async with asyncio.timeout(20):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()


def _tell(process: Process, line: bytes) -> None:
    assert process.stdin is not None
    process.stdin.write(line + b"\n")


async def _line(process: Process) -> bytes:
    assert process.stdout is not None
    async with asyncio.timeout(PATIENCE_S):
        return await process.stdout.readline()


def _own_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _cpu_of(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["deal", port, folder, first, count, rounds]:
            asyncio.run(_deal(int(port), Path(folder), int(first), int(count), int(rounds)))
        case ["audit", port]:
            asyncio.run(_audit(int(port)))
