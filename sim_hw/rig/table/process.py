"""Processes of a table: a failure with the end of the log, an orderly stop, a free port."""

from __future__ import annotations

import asyncio
import signal
import socket
from contextlib import suppress
from pathlib import Path

START_S = 60.0
"""A slow board takes some seconds to start Python."""
STOP_S = 20.0


class TableError(Exception):
    """Why the daemon or the broker did not do what a rig needs of it, with the end of its log."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def tail(log: Path, lines: int = 12) -> str:
    return " ".join(log.read_text(errors="replace").split("\n")[-lines:]).strip() or "its log is empty"


async def stop_process(process: asyncio.subprocess.Process | None) -> None:
    if process is None or process.returncode is not None:
        return
    process.send_signal(signal.SIGTERM)
    try:
        async with asyncio.timeout(STOP_S):
            await process.wait()
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
