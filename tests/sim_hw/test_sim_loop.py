"""An event loop in simulated time, and a port whose bytes are there at once."""

from __future__ import annotations

import asyncio
import gc
import math
import socket
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest

from devices.ports.discovery import PortError
from devices.ports.opening import PortOpening
from devices.ports.transport import open_port
from sim_hw.time import loop as sim_loop
from sim_hw.time.loop import LoopClock, SimLoop, TimeStandsStill
from sim_hw.wire.local_port import LocalPort

T = TypeVar("T")


def simulated(main: Coroutine[Any, Any, T]) -> T:
    with asyncio.Runner(loop_factory=SimLoop) as runner:
        return runner.run(main)


def here() -> SimLoop:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, SimLoop)
    return loop


def test_a_day_of_sleep_takes_no_time_and_keeps_its_order() -> None:
    async def sleepers() -> list[str]:
        woke: list[str] = []

        async def sleep(name: str, seconds: float) -> None:
            await LoopClock(here()).sleep(seconds)
            woke.append(f"{name} at {round(here().time())}")

        await asyncio.gather(sleep("late", 86_400), sleep("early", 60), sleep("middle", 3600))
        return woke

    began = time.monotonic()
    assert simulated(sleepers()) == ["early at 60", "middle at 3600", "late at 86400"]
    assert time.monotonic() - began < 10


def test_time_waits_for_a_thread() -> None:
    async def work() -> float:
        ticking = asyncio.create_task(asyncio.sleep(1000))
        await asyncio.to_thread(time.sleep, 0.05)
        ticking.cancel()
        return here().time()

    assert simulated(work()) < 1


def test_what_a_thread_would_do_is_done_before_anybody_else_goes_on() -> None:
    async def work() -> list[str]:
        order: list[str] = []

        async def threaded() -> None:
            await asyncio.to_thread(time.sleep, 0.02)
            order.append("threaded")

        async def quick() -> None:
            for _ in range(3):
                await asyncio.sleep(0)
            order.append("quick")

        await asyncio.gather(threaded(), quick())
        return order

    assert simulated(work()) == ["threaded", "quick"]


@pytest.mark.parametrize("start", [0.0, 64.0, 86_400.0])
def test_a_timer_never_rings_before_its_time_however_near_another_one_is(start: float) -> None:
    async def work() -> list[bool]:
        rang: list[bool] = []

        def look(when: float) -> None:
            rang.append(here().time() >= when)

        await asyncio.sleep(start)
        # The first one moves the time on by a moment; the others are just after that.
        first = here().time() + 1.0
        here().call_at(first, look, first)
        for nanoseconds in range(0, 1001, 50):
            near = first + sim_loop.MOMENT - 5e-7 + nanoseconds * 1e-9
            here().call_at(near, look, near)
        near = math.nextafter(first + sim_loop.MOMENT, math.inf)
        here().call_at(near, look, near)
        await asyncio.sleep(2)
        return rang

    assert simulated(work()) == [True] * 23


def test_who_sets_his_timer_again_because_it_is_not_yet_time_does_not_stop_the_clock() -> None:
    """As the device link does: it is time, or else once more at that time; and somebody looks what has changed."""

    async def work() -> float:
        due = here().time() + 1.0 + sim_loop.MOMENT + 5e-10
        done = asyncio.Event()

        def tick() -> None:
            if here().time() >= due:
                done.set()
            else:
                here().call_at(due, tick)
                here().call_soon(done.is_set)

        here().call_at(due, tick)
        await asyncio.sleep(1.0)
        await done.wait()
        return here().time()

    assert 1.0 < simulated(work()) < 1.1


def test_timers_of_one_time_ring_in_the_order_in_which_they_were_set() -> None:
    async def timers() -> list[int]:
        rang: list[int] = []
        loop = here()
        for n in range(300):
            timer = loop.call_at(5.0, rang.append, n)
            if n % 3:
                timer.cancel()
        await asyncio.sleep(6)
        return rang

    assert simulated(timers()) == list(range(0, 300, 3))


def test_sockets_are_read_in_the_order_of_their_registration_not_of_the_writes() -> None:
    async def sockets() -> list[int]:
        loop, read = here(), list[int]()
        pairs = [socket.socketpair() for _ in range(5)]

        def readable(n: int) -> None:
            pairs[n][0].recv(9)
            read.append(n)

        for n, (reader, _) in enumerate(pairs):
            loop.add_reader(reader, readable, n)
        for _, writer in (pairs[3], pairs[0], pairs[4], pairs[2], pairs[1]):
            writer.send(b"x")
        await asyncio.sleep(1)
        for reader, writer in pairs:
            loop.remove_reader(reader)
            reader.close()
            writer.close()
        return read

    assert simulated(sockets()) == [0, 1, 2, 3, 4]


def test_sockets_wait_until_nobody_in_the_loop_has_anything_to_do() -> None:
    async def both() -> list[str]:
        loop, order = here(), list[str]()
        reader, writer = socket.socketpair()

        def readable() -> None:
            reader.recv(9)
            order.append("read")

        loop.add_reader(reader, readable)
        writer.send(b"x")
        for n in range(3):
            await asyncio.sleep(0)
            order.append(f"step {n}")
        await asyncio.sleep(1)
        loop.remove_reader(reader)
        reader.close()
        writer.close()
        return order

    assert simulated(both()) == ["step 0", "step 1", "step 2", "read"]


def test_the_tasks_of_a_group_are_cancelled_in_the_order_in_which_they_were_made() -> None:
    async def group() -> list[int]:
        ended: list[int] = []

        async def member(n: int) -> None:
            try:
                await asyncio.sleep(100)
            finally:
                ended.append(n)

        async def all_of_them() -> None:
            async with asyncio.TaskGroup() as tasks:
                for n in range(20):
                    tasks.create_task(member(n))

        task = asyncio.create_task(all_of_them())
        await asyncio.sleep(1)
        task.cancel()
        await asyncio.wait({task})
        return ended

    assert simulated(group()) == list(range(20))


def test_the_collector_runs_at_times_of_the_loop_alone() -> None:
    async def collected() -> tuple[bool, int, int]:
        runs: list[str] = []
        gc.callbacks.append(count := lambda phase, _: runs.append(phase))
        try:
            await asyncio.sleep(sim_loop.COLLECTS_EVERY - 1)
            before = len(runs)
            await asyncio.sleep(2)
            return gc.isenabled(), before, runs.count("start")
        finally:
            gc.callbacks.remove(count)

    assert simulated(collected()) == (False, 0, 1)
    assert gc.isenabled()


class Echo(asyncio.Protocol):
    def __init__(self, answered_by: list[object]) -> None:
        self._answered_by = answered_by

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._answered_by.append(sim_loop.LIFE.get())
        self._transport.write(data.upper())


def test_a_server_of_the_loop_is_reached_from_inside_as_a_task_of_its_own_life() -> None:
    async def talk() -> tuple[bytes, list[object], bool]:
        answered_by: list[object] = []
        server: list[asyncio.Server] = []

        async def serve() -> None:
            server.append(await here().create_server(lambda: Echo(answered_by), "127.0.0.1", 0))
            await asyncio.sleep(100)

        here().start_life("daemon", serve())
        await asyncio.sleep(1)
        port = server[0].sockets[0].getsockname()[1]
        transport, received = await here().create_connection(Received, "127.0.0.1", port)
        transport.write(b"hello")
        await asyncio.sleep(0.1)
        family = transport.get_extra_info("socket").family
        transport.close()
        server[0].close()
        with pytest.raises(ConnectionRefusedError):
            await here().create_connection(Received, "127.0.0.1", port)
        return received.data, answered_by, family == socket.AF_UNIX

    assert simulated(talk()) == (b"HELLO", ["daemon"], True)


def test_two_who_keep_each_other_busy_for_ever_are_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sim_loop, "MOST_TURNS", 200)

    async def storm() -> None:
        while True:  # noqa: ASYNC110 - this is the mistake that is looked for
            await asyncio.sleep(0)

    with pytest.raises(TimeStandsStill, match="storm"):
        simulated(storm())


def test_ending_a_life_ends_its_tasks_and_timers_and_nobody_elses() -> None:
    async def lives() -> tuple[bool, bool, list[str]]:
        rang: list[str] = []

        async def child() -> None:
            await asyncio.sleep(100)

        async def main() -> None:
            here().call_later(5, rang.append, "of the dead")
            await asyncio.create_task(child())

        ours = asyncio.create_task(child())
        theirs = here().start_life("daemon", main())
        await asyncio.sleep(1)
        await here().end_life("daemon")
        await asyncio.sleep(10)
        return theirs.cancelled(), ours.done(), rang

    assert simulated(lives()) == (True, False, [])


class Received(PortOpening):
    def __init__(self) -> None:
        super().__init__()
        self.data = b""

    def data_received(self, data: bytes) -> None:
        self.data += data

    async def lost(self) -> None:
        await self._closed.wait()


def test_a_local_port_carries_bytes_both_ways_and_can_be_pulled(tmp_path: Path) -> None:
    async def talk() -> tuple[bytes, bytes, bool]:
        port, received, arrived = LocalPort(tmp_path, "shoe"), Received(), bytearray()
        port.plug()
        port.attend(here(), lambda: arrived.extend(port.read()))
        driver = await open_port(port.url, 115_200, received)
        await asyncio.sleep(0.1)
        driver.write(b"ping")
        port.write(b"pong")
        await asyncio.sleep(0.1)
        port.leave(here())
        port.unplug()
        await received.lost()
        await received.close()
        return bytes(arrived), received.data, port.path.exists()

    assert simulated(talk()) == (b"ping", b"pong", False)


def test_a_local_port_that_is_not_there_is_named_in_the_error(tmp_path: Path) -> None:
    async def knock() -> None:
        await open_port(f"unix://{tmp_path}/shoe", 115_200, Received())

    with pytest.raises(PortError, match="does not answer: No such file"):
        simulated(knock())
