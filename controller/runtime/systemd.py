"""The daemon as systemd's service: ready, status, alive, and how the last run ended.

`SystemdNotifier` sends sd_notify(3) datagrams to the socket in NOTIFY_SOCKET. Without that variable it sends nothing.

Alive means: the loop runs *and* the journal answers. A table that cannot write down a card is dead, even if its page
works. So each keep-alive is sent from the loop, after the journal's thread has answered. If none comes, three things
happen. Shortly before systemd's timeout, the stacks of all threads are written to a file beside the journal
(faulthandler does it, which needs neither loop nor interpreter). systemd aborts the daemon, and the same stacks go to
the log. The next run finds the file and raises the alarm `watchdog` with the place where the last run hung. A stack
names files, lines and functions, never a value: no card can be in it.
"""

from __future__ import annotations

import asyncio
import contextlib
import faulthandler
import logging
import os
import re
import socket
import time
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import NoReturn, Protocol

from msgspec import Struct

log = logging.getLogger(__name__)

TRACE = "hung.trace"
"""Beside the journal: where the threads stood when no sign of life came. Empty or absent while all is well."""
STATUS_S = 0.5
"""The shortest time between two status lines: a dealt round changes it many times a second at a simulated table."""

_BEATS = 3
"""Signs of life in systemd's patience: one that a slow disk delays is no reason to abort."""
_LATE = 0.8
"""Part of the patience after which the stacks are written down: before systemd acts, and not earlier than needed."""


class Answering(Protocol):
    """The journal, as far as the watchdog needs it."""

    async def answers(self) -> None:
        """Returns when the writing thread has answered."""


class Hang(Struct, frozen=True):
    """How the last run ended, if it ended badly."""

    where: str
    """The place in our own code, or the nearest to it."""
    stacks: str
    """Of all threads, as Python's faulthandler writes them."""


class SystemdNotifier:
    """Reports to systemd, if it started this process."""

    def __init__(self, folder: Path, environment: Mapping[str, str] | None = None) -> None:
        """`folder`: where the journal is."""
        environment = os.environ if environment is None else environment
        self._trace = folder / TRACE
        self._address = environment.get("NOTIFY_SOCKET", "")
        self._patience = _patience(environment)
        self._socket: socket.socket | None = None
        if self._address:
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
            self._socket.setblocking(False)
        self._status = ""
        self._soon: asyncio.TimerHandle | None = None

    def last_hang(self) -> Hang | None:
        """Where the last run hung, if it did and was ended."""
        try:
            stacks = self._trace.read_text(errors="replace")
        except OSError:
            return None
        return Hang(place_in(stacks), stacks.strip()) if stacks.strip() else None

    def ready(self) -> None:
        """The table can be dealt at, or has taken a new configuration."""
        self._send("READY=1")

    def reloading(self) -> None:
        """The configuration is being read again; `ready` follows, whatever comes of it."""
        now = time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000
        self._send(f"RELOADING=1\nMONOTONIC_USEC={now}")

    def stopping(self) -> None:
        self._send("STOPPING=1")

    def status_follows(self, line: Callable[[], str | None]) -> None:
        """`systemctl status` shows this line soon. None: an input is being written, and another call follows."""
        if self._socket is not None and self._soon is None:
            self._soon = asyncio.get_running_loop().call_later(STATUS_S, self._send_status, line)

    @contextlib.asynccontextmanager
    async def alive(self, journal: Answering) -> AsyncIterator[None]:
        """Send keep-alives while the daemon runs, if systemd expects them."""
        if self._socket is not None:
            faulthandler.enable()
        if not self._patience:
            yield
            return
        # Made anew: what the last run left has been read, and is in the journal by now.
        trace = os.open(self._trace, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND | os.O_CLOEXEC, 0o600)
        beating = asyncio.create_task(self._beat(journal, trace), name="watchdog")
        try:
            yield
        finally:
            beating.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await beating
            faulthandler.cancel_dump_traceback_later()
            os.close(trace)
            self._trace.unlink(missing_ok=True)
            if self._soon is not None:
                self._soon.cancel()

    async def _beat(self, journal: Answering, trace: int) -> NoReturn:
        while True:
            faulthandler.dump_traceback_later(self._patience * _LATE, file=trace)
            await journal.answers()
            self._send("WATCHDOG=1")
            await asyncio.sleep(self._patience / _BEATS)
            if os.fstat(trace).st_size:
                # It recovered in the last moment.
                log.warning("no sign of life for %.1f s, %s", self._patience * _LATE, self._place_of_delay(trace))

    def _place_of_delay(self, trace: int) -> str:
        place = place_in(self._trace.read_text(errors="replace"))
        os.ftruncate(trace, 0)
        return place

    def _send_status(self, line: Callable[[], str | None]) -> None:
        self._soon = None
        status = " ".join((line() or "").split())
        if status not in ("", self._status):
            self._status = status
            self._send(f"STATUS={status}")

    def _send(self, text: str) -> None:
        """A datagram that cannot be sent is lost: nothing at the table waits for systemd."""
        if self._socket is not None:
            # A name that begins with @ is in the abstract namespace.
            address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
            with contextlib.suppress(OSError):
                self._socket.sendto(text.encode(), address)


def place_in(stacks: str) -> str:
    """Where it hung, in a few words: the journal's thread if it is at work, else the loop's.

    >>> place_in('Current thread 0x01 (most recent call first):\\n  File "/x/controller/app.py", line 7 in act\\n')
    'in act, controller/app.py line 7'
    """
    threads = [_FRAME.findall(part) for part in stacks.split("\n\n")]
    writer = [frames for frames in threads if any(_is(frame, "writer.py", "_serve") for frame in frames)]
    loop = [frames for frames in threads if any(_is(frame, "base_events.py", "_run_once") for frame in frames)]
    at_work = [frames for frames in loop if not _is(frames[0], "selectors.py", "select")]
    for frames in (*writer, *at_work, *threads):
        for file, line, function in frames:
            ours = _OURS.search(file)
            if ours is not None:
                return f"in {function}, {ours[1]} line {line}"
    return "at a place that it did not tell"


_FRAME = re.compile(r'^  File "([^"]+)", line (\d+) in (\S+)$', re.MULTILINE)
_OURS = re.compile(r"((?:controller|devices|protocols)/[^\"]+)$")


def _is(frame: tuple[str, str, str], file: str, function: str) -> bool:
    return frame[0].endswith(f"/{file}") and frame[2] == function


def _patience(environment: Mapping[str, str]) -> float:
    """Seconds that systemd waits for a keep-alive; 0: it expects none from this process."""
    if environment.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()) or not environment.get("NOTIFY_SOCKET"):
        return 0.0
    try:
        return int(environment.get("WATCHDOG_USEC", "0")) / 1_000_000
    except ValueError:
        return 0.0
