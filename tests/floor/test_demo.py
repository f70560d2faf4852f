"""`make floor`: a simulated table, its broker, a collector, a store and the page, from one command."""

from __future__ import annotations

import asyncio
import re
import signal
import subprocess
import sys
from pathlib import Path

import aiohttp
import pytest

from tests.support.running.brokers import free_port

_WITHIN_S = 120


@pytest.fixture
def _every_message_keeps_the_contract() -> None:
    """The table is another process."""


async def test_one_command_shows_a_table_on_the_page_and_its_people_may_sign_in(tmp_path: Path) -> None:
    arguments = "floor", "demo", "--tables", "1", "--folder", str(tmp_path), "--port", str(free_port())
    running = _start(*arguments)
    try:
        address = await _line(running, r"The floor page is at (\S+) ")
        people = dict(re.findall(r"(\w+) \(\w+, PIN (\d+)\)", await _line(running, r"Sign in there as (.*)")))
        assert set(people) == {"ann", "bob", "tom"}
        assert await _line(running, r"(1 tables publish)")
        async with aiohttp.ClientSession() as session:
            async with session.get(f"{address}api/floor") as response:
                (tile,) = (await response.json())["tiles"]
            assert (tile["table"], tile["section"], tile["online"]) == ("table-1", "bankers", True)
            async with session.post(f"{address}api/login", json={"name": "ann", "pin": people["ann"]}) as response:
                assert (await response.json())["role"] == "floor"
    finally:
        running.send_signal(signal.SIGINT)
        printed, _ = await asyncio.to_thread(running.communicate, timeout=_WITHIN_S)
    assert running.returncode == 0
    assert "demo/table-1" in printed and f"The store is {tmp_path / 'floor.db'}." in printed


def _start(*arguments: str) -> subprocess.Popen[str]:
    """As a shell script has it started with `&`: without Ctrl-C."""
    command = ["env", "--ignore-signal=INT", sys.executable, "-m", "controller.cli.main", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


async def _line(running: subprocess.Popen[str], pattern: str) -> str:
    """What the next line of this form has."""
    assert running.stdout is not None
    async with asyncio.timeout(_WITHIN_S):
        while line := await asyncio.to_thread(running.stdout.readline):
            if found := re.search(pattern, line):
                return found.group(1)
    raise AssertionError(f"it ended without {pattern}")
