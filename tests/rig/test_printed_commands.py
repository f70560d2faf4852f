"""Every command that docs/protocols prints, run as it is printed, and the pytest sample of the rig's page.

Where a page has /dev/ttyUSB0, a simulated shoe on a port of its own takes its place. A command that is not in the
table below fails the first test, so a new one cannot be forgotten.
"""

from __future__ import annotations

import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.project import ROOT
from tests.support.turns import part

PAGES = sorted((ROOT / "docs" / "protocols").glob("*.md"))
CUTCARD = [sys.executable, "-m", "controller.cli"]

ENDS = {
    "cutcard devices list": 0,
    "cutcard devices list /dev/ttyUSB0": 0,
    "cutcard devices send /dev/ttyUSB0 status_request": 0,
    "cutcard rig list": 0,
}
"""Those that end by themselves, and their exit code."""
SHORTER = {
    "cutcard rig conform shoe --port /dev/ttyUSB0": "--only LINK-1 LINK-16 SHOE-9",
    "cutcard rig run": "uth-boxed-card --speed max",
    "cutcard rig run uth-boxed-card --speed real": "--quiet",
}
"""Those that take minutes, with words that make them shorter. tests/rig/test_scenarios.py plays the whole library."""
STAYS = {
    "cutcard devices watch /dev/ttyUSB0": "HELLO|Hello|session",
    "cutcard rig up baccarat-a-natural --port shoe=/dev/ttyUSB0": "Ctrl-C",
    "cutcard rig up": "Ctrl-C",
    "cutcard rig wire --port /dev/ttyUSB0 --faults noise=0.0001,drop,delay=0.05 --folder bench": "Ctrl-C",
}
"""Those that go on until Ctrl-C, and what they print when they are ready."""
STORY = [
    "cutcard rig up uth-a-round-from-the-shuffler --folder bench",
    "cutcard rig do shuffler put_in --folder bench",
    "cutcard rig do console wager place=1 wager=ante cents=1000 --folder bench",
    "cutcard rig fault jam on=shuffler --folder bench",
    "cutcard rig see event held within=5 --folder bench",
    "cutcard rig record story.toml --folder bench",
    "cutcard rig run story.toml",
]
"""The page's own story, in its order."""


def printed() -> set[str]:
    """The commands in the indented blocks of all pages, without their comments."""
    found = set()
    for page in PAGES:
        for line in page.read_text().splitlines():
            match = re.match(r"    (?:\$ )?(cutcard .*)", line)
            if match:
                found.add(re.sub(r"\s+#.*", "", match[1]).strip())
    return found


def words(command: str, port: str = "/dev/ttyUSB0") -> list[str]:
    return [*CUTCARD, *shlex.split(command.replace("/dev/ttyUSB0", port))[1:]]


def run(command: str, folder: Path, port: str = "/dev/ttyUSB0") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words(command, port),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        stdin=subprocess.DEVNULL,
    )


@contextmanager
def started(command: str, folder: Path, ready: str, port: str = "/dev/ttyUSB0") -> Iterator[None]:
    """A command that goes on, from its line that says it is ready until Ctrl-C."""
    process = subprocess.Popen(
        words(command, port), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None and process.stderr is not None
    try:
        if not any(re.search(ready, line) for line in process.stdout):
            raise AssertionError(process.stderr.read())
        yield
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    finally:
        process.kill()
        process.wait()


@contextmanager
def foreign_shoe(folder: Path) -> Iterator[str]:
    """A shoe that is somebody else's: another process, another folder."""
    with started("cutcard rig up baccarat-a-natural --devices-only --folder foreign", folder, "Ctrl-C"):
        yield str(folder / "foreign" / "rig" / "shoe")


def test_every_printed_command_is_run() -> None:
    assert printed() == {*ENDS, *SHORTER, *STAYS, *STORY}


RUNS = sorted([*ENDS, *SHORTER, *STAYS, STORY[0], "the sample"])


@pytest.mark.parametrize("command", part(RUNS, of=len(RUNS)))
def test_it_runs_as_printed(command: str, tmp_path: Path) -> None:
    if command == STORY[0]:
        play_story(tmp_path)
    elif command == "the sample":
        run_sample(tmp_path)
    else:
        with foreign_shoe(tmp_path) as port:
            if command in STAYS:
                with started(command, tmp_path, STAYS[command], port):
                    pass
            else:
                done = run(f"{command} {SHORTER.get(command, '')}", tmp_path, port)
                assert done.returncode == ENDS.get(command, 0), done.stdout + done.stderr


def play_story(folder: Path) -> None:
    with started(STORY[0], folder, "Ctrl-C"):
        for command in STORY[1:-1]:
            done = run(command, folder)
            # "exit code 2 if it saw nothing": nothing holds this table, because nothing was dealt.
            assert done.returncode in ((0, 2) if " see " in command else (0,)), done.stdout + done.stderr
    done = run(STORY[-1], folder)
    assert done.returncode == 0, done.stdout + done.stderr


MYBENCH = """
from contextlib import asynccontextmanager
from types import SimpleNamespace
from devices.link.bench import on_the_bench

@asynccontextmanager
async def connected(url, baud):
    async with on_the_bench(url, baud) as bench:
        yield SimpleNamespace(identity=await bench.identify())
"""


def run_sample(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "protocols" / "rig.md").read_text()
    (sample,) = [block for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "import pytest" in block]
    (tmp_path / "mybench.py").write_text(MYBENCH)
    (tmp_path / "test_sample.py").write_text(sample)
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "sim_hw.pytest_plugin",
            "-o",
            "asyncio_mode=auto",
            "--rootdir",
            ".",
            "test_sample.py",
        ],
        cwd=tmp_path,
        env={"PYTHONPATH": f"{tmp_path}:{ROOT}", "PATH": "/usr/bin:/bin:/usr/sbin:/sbin"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "6 passed" in done.stdout
