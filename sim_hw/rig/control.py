"""A running rig takes steps from outside: "jam the shuffler now", from a person, a script or a test bench.

A Unix socket in the rig's folder, one JSON line each way. What is asked is a step as a scenario has it, or what the rig
can return:

    {"fault": "jam", "on": "shuffler"}       ->  {"came": ""}
    {"see": "event held", "within": 5}       ->  {"came": "#17 held code=shuffler_failure ..."}
    {"do": "shuffler peel"}                  ->  {"wrong": "a shuffler has no act 'peel'; it has ..."}
    {"tell": "scenario"}                     ->  {"came": "title = ..."}
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

from sim_hw.devices.kinds import Wrong
from sim_hw.rig.rig import Rig
from sim_hw.rig.scenario.file import step_of
from sim_hw.rig.scenario.stage import NotSeen, Stage

SOCKET = "control"

Answer = Callable[[dict[str, Any]], Awaitable[str]]


@asynccontextmanager
async def controlled(stage: Stage, tell: Callable[[str], str], folder: Path) -> AsyncIterator[None]:
    """Take steps for a stage while it is up. `tell` answers questions by their name."""
    # One hand at a time: two people may talk to a rig, their steps come one after the other.
    turn = asyncio.Lock()

    async def answer(asked: dict[str, Any]) -> str:
        if "tell" in asked:
            return tell(str(asked["tell"]))
        step = step_of(asked, "control socket", 0)
        if step.verb in ("see", "never"):
            return await stage.take(step)
        async with turn:
            return await stage.take(step)

    async with _listening(folder / SOCKET, answer):
        yield


@asynccontextmanager
async def acts_only(rig: Rig, folder: Path) -> AsyncIterator[None]:
    """Take acts and faults for devices without a daemon."""

    async def answer(asked: dict[str, Any]) -> str:
        step = step_of(asked, "control socket", 0)
        how = dict(step.how)
        match step.verb:
            case "do":
                device, _, act = step.what.partition(" ")
                gave = await rig.act(device, act, **how)
                return "" if gave is None else str(gave)
            case "fault":
                await rig.fault(step.what, str(how.pop("on", "")), **how)
            case "fix":
                await rig.fix(step.what, str(how.pop("on", "")))
            case _:
                raise Wrong(f"devices alone know do, fault and fix, not {step.verb}")
        return ""

    async with _listening(folder / SOCKET, answer):
        yield


@asynccontextmanager
async def _listening(path: Path, answer: Answer) -> AsyncIterator[None]:
    async def attend(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readline():
                writer.write(json.dumps(await _answered(answer, line)).encode() + b"\n")
                await writer.drain()
        except ConnectionError:
            pass
        finally:
            writer.close()

    with _bound(path) as line:
        server = await asyncio.start_unix_server(attend, sock=line)
        try:
            yield
        finally:
            server.close()


@contextmanager
def _bound(path: Path) -> Iterator[socket.socket]:
    """A socket for this user alone; gone from the folder afterwards."""
    path.unlink(missing_ok=True)
    line = socket.socket(socket.AF_UNIX)
    line.bind(str(path))
    path.chmod(0o600)
    try:
        yield line
    finally:
        path.unlink(missing_ok=True)


async def _answered(answer: Answer, line: bytes) -> dict[str, str]:
    try:
        asked = json.loads(line)
        if not isinstance(asked, dict):
            return {"wrong": f"a step is an object, not {asked!r}"}
        return {"came": await answer(asked)}
    except (Wrong, NotSeen, ValueError) as error:
        return {"wrong": str(error)}


def ask(folder: Path, step: dict[str, Any]) -> str:
    """Ask a running rig, and wait for its answer; `Wrong` with the rig's reason where it says no."""
    line = socket.socket(socket.AF_UNIX)
    try:
        try:
            line.connect(str(folder / SOCKET))
        except OSError:
            raise Wrong(
                f"no rig is up in {folder}: start one with `cutcard rig up --folder {folder}`, or say where it is with "
                "--folder"
            ) from None
        with line.makefile("rwb") as stream:
            stream.write(json.dumps(step).encode() + b"\n")
            stream.flush()
            reply = stream.readline()
    finally:
        with suppress(OSError):
            line.close()
    if not reply:
        raise Wrong("the rig ended before it answered")
    answer = json.loads(reply)
    if "wrong" in answer:
        raise Wrong(answer["wrong"])
    return str(answer["came"])


def default_folder() -> Path:
    """Where a rig is, when nobody says."""
    return Path(os.environ.get("CUTCARD_RIG", "rig"))
