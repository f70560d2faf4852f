"""An event loop in simulated time, and a port whose bytes are there at once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest

from devices.discovery import PortError
from devices.transport import end_port, open_port
from sim_hw import sim_loop
from sim_hw.local_port import LocalPort
from sim_hw.sim_loop import LoopClock, SimLoop, TimeStandsStill

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


class Heard(asyncio.Protocol):
    def __init__(self) -> None:
        self.data = b""
        self.lost = asyncio.Event()

    def data_received(self, data: bytes) -> None:
        self.data += data

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost.set()


def test_a_local_port_carries_bytes_both_ways_and_can_be_pulled(tmp_path: Path) -> None:
    async def talk() -> tuple[bytes, bytes, bool]:
        port, heard, told = LocalPort(tmp_path, "shoe"), Heard(), bytearray()
        port.plug()
        port.attend(here(), lambda: told.extend(port.read()))
        driver = await open_port(port.url, 115_200, heard)
        await asyncio.sleep(0.1)
        driver.write(b"ping")
        port.write(b"pong")
        await asyncio.sleep(0.1)
        port.leave(here())
        port.unplug()
        await heard.lost.wait()
        await end_port(driver, heard.lost)
        return bytes(told), heard.data, port.path.exists()

    assert simulated(talk()) == (b"ping", b"pong", False)


def test_a_local_port_that_is_not_there_is_told_in_a_sentence(tmp_path: Path) -> None:
    async def knock() -> None:
        await open_port(f"unix://{tmp_path}/shoe", 115_200, Heard())

    with pytest.raises(PortError, match="does not answer: No such file"):
        simulated(knock())
