"""`cutcard demo` as a newcomer and as a script runs it."""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

DEMO = [sys.executable, "-m", "controller.cli", "demo"]
KEYS = ["rounds", "player", "banker", "tie", "dragon_7", "panda_8", "naturals", "events", "last_seq", "journal_hash"]


def headless(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [*DEMO, "--headless", "--speed", "max", "--json", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=400, check=False)


def processes_of(folder: Path) -> list[str]:
    """Command lines of running processes that have to do with this demo's folder."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            if str(folder) in command:
                found.append(command)
    return found


def test_the_same_seed_gives_the_same_line() -> None:
    first, second = headless("--rounds", "12", "--seed", "7"), headless("--rounds", "12", "--seed", "7")
    assert first.returncode == 0, first.stderr
    assert first.stdout == second.stdout
    assert first.stdout.count("\n") == 1
    line = json.loads(first.stdout)
    assert list(line) == KEYS
    assert line["rounds"] == line["player"] + line["banker"] + line["tie"] == 12
    assert line["events"] == line["last_seq"]
    other = headless("--rounds", "12", "--seed", "8")
    assert json.loads(other.stdout)["journal_hash"] != line["journal_hash"]


def children_of(process: int) -> list[int]:
    tasks = Path(f"/proc/{process}/task").iterdir()
    return [int(child) for task in tasks for child in (task / "children").read_text().split()]


def test_the_line_does_not_depend_on_how_fast_the_machine_is() -> None:
    """Broker, people and daemon each stand still now and then, longer than any device may be silent at a real table."""
    arguments = ["--game", "bankers-pai-gow-tiles", "--rounds", "1", "--seed", "7"]
    alone = headless(*arguments)
    command = [*DEMO, "--headless", "--speed", "max", "--json", *arguments]
    chance = random.Random(7)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as demo:
        held = 0
        while demo.poll() is None:
            time.sleep(chance.uniform(0.1, 0.4))
            with contextlib.suppress(OSError, IndexError):
                process = chance.choice(children_of(demo.pid))
                os.kill(process, signal.SIGSTOP)
                try:
                    time.sleep(chance.choice([0.3, 0.6, 3.0]))
                    held += 1
                finally:
                    os.kill(process, signal.SIGCONT)
        out, errors = demo.communicate()
    assert demo.returncode == 0, errors
    assert held > 2
    assert out == alone.stdout


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_everything_cleanly(ending: signal.Signals, tmp_path: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    command = [*DEMO, "--port", "0", "--speed", "20"]
    demo = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    try:
        assert demo.stdout is not None
        said = demo.stdout.readline()
        address = re.search(r"http://\S+", said)
        assert address is not None, said
        deadline = time.monotonic() + 60
        while True:
            with urllib.request.urlopen(f"{address[0]}api/view", timeout=10) as answer:
                if json.load(answer)["round"] >= 2:
                    break
            assert time.monotonic() < deadline, "nothing was dealt"
            time.sleep(0.1)
        assert len(processes_of(tmp_path)) >= 2
        demo.send_signal(ending)
        out, errors = demo.communicate(timeout=60)
    finally:
        demo.kill()
    assert demo.returncode == 0
    assert "Traceback" not in out + errors
    assert processes_of(tmp_path) == []
    assert list(tmp_path.iterdir()) == []


def test_a_speed_that_is_none_is_refused() -> None:
    done = headless("--rounds", "1", "--speed", "warp")
    assert done.returncode == 2
    assert "warp" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_page_port_that_is_taken_is_said(unused_tcp_port: int) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", unused_tcp_port))
        taken.listen()
        command = [*DEMO, "--port", str(unused_tcp_port)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=90, check=False)
    assert done.returncode == 2
    assert str(unused_tcp_port) in done.stderr
    assert "Traceback" not in done.stderr
