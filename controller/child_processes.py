"""Processes that a program starts and ends: the tables, brokers and collectors of a demonstration."""

from __future__ import annotations

import contextlib
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from controller.errors import UserError

STARTS_WITHIN_S = 60.0
"""A slow board takes some seconds to start Python several times."""
_ENDS_WITHIN_S = 20.0
_LINES_OF_LOG = 12


class ChildProcess:
    """A process whose output goes into a file; it is ended on leaving."""

    def __init__(self, name: str, command: Sequence[str], log: Path) -> None:
        self.name, self._command, self._log = name, command, log

    def __enter__(self) -> ChildProcess:
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.DEVNULL, stdout=self._output(log), stderr=log, start_new_session=True
            )
        return self

    def __exit__(self, *failure: object) -> None:
        self._process.terminate()
        try:
            self._process.wait(_ENDS_WITHIN_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def kill(self) -> None:
        """At once, without a goodbye."""
        self._process.kill()
        self._process.wait()

    def _output(self, log: IO[bytes]) -> IO[bytes] | int:
        """Where its standard output goes."""
        return log

    def check(self) -> None:
        """`UserError` with the end of its log where it has ended by itself."""
        code = self._process.poll()
        if code is not None:
            raise UserError(f"The {self.name} ended by itself (exit code {code}): {self.tail()}")

    def tail(self) -> str:
        """The end of its log."""
        return " ".join(self._log.read_text(errors="replace").split("\n")[-_LINES_OF_LOG:]).strip() or "nothing"

    def wait_for_port(self, port: int) -> None:
        """Until it accepts connections there; `UserError` where it does not."""
        deadline = time.monotonic() + STARTS_WITHIN_S
        while True:
            self.check()
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                return
            except OSError:
                if time.monotonic() > deadline:
                    raise UserError(f"The {self.name} did not open port {port}.") from None
                time.sleep(0.05)


def free_port(wanted: int = 0) -> int:
    """This one of loopback, or any other where another program has it."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", wanted))
        except OSError:
            probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextlib.contextmanager
def ended_like_ctrl_c() -> Iterator[None]:
    """Meanwhile SIGTERM is what Ctrl-C is: KeyboardInterrupt, so that everything is ended in order. And Ctrl-C is: a
    shell script has what it starts with `&` ignore it."""
    previous = {number: signal.signal(number, _interrupt) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt
