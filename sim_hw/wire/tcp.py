"""A network socket with a device behind it, as a serial-device server in raw mode gives one (`socket://host:port`).

One driver at a time: a second connection takes the line over, as when a board was restarted and the server has not
noticed that the first is dead. The number of the port outlives an unplugging.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress

HOST = "127.0.0.1"


class TcpPort:
    """The simulator's end of one socket. Unplugged at first."""

    def __init__(self, number: int = 0) -> None:
        """`number`: of the port; 0 takes a free one at the first plugging in, and keeps it."""
        self._number = number
        self._listening: socket.socket | None = None
        self._line: socket.socket | None = None
        self._attended: tuple[asyncio.AbstractEventLoop, Callable[[], None]] | None = None

    @property
    def is_plugged(self) -> bool:
        return self._listening is not None

    @property
    def url(self) -> str:
        if not self._number:
            raise ValueError("the port has no number before it is first plugged in")
        return f"socket://{HOST}:{self._number}"

    def plug(self) -> None:
        if self._listening is None:
            self._listening = socket.create_server((HOST, self._number))
            self._listening.setblocking(False)
            self._number = self._listening.getsockname()[1]

    def unplug(self) -> None:
        """The server is gone: connections are reset, new ones refused."""
        self._hang_up()
        if self._listening is not None:
            self._listening.close()
            self._listening = None

    def attend(self, loop: asyncio.AbstractEventLoop, readable: Callable[[], None]) -> None:
        assert self._listening is not None
        self._attended = loop, readable
        loop.add_reader(self._listening.fileno(), self._accept)

    def leave(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._listening is not None:
            loop.remove_reader(self._listening.fileno())
        self._hang_up()
        self._attended = None

    def read(self) -> bytes:
        """What the driver has sent; empty when there is nothing."""
        if self._line is None:
            return b""
        try:
            data = self._line.recv(4096)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        if not data:
            self._hang_up()
        return data

    def write(self, data: bytes) -> None:
        """What nobody takes is lost, as on a wire."""
        if self._line is not None:
            with suppress(OSError):
                self._line.send(data)

    def forget_input(self) -> None:
        while self.read():
            pass

    def _accept(self) -> None:
        assert self._listening is not None and self._attended is not None
        try:
            line, _ = self._listening.accept()
        except BlockingIOError:
            return
        self._hang_up()
        line.setblocking(False)
        self._line = line
        loop, readable = self._attended
        loop.add_reader(line.fileno(), readable)

    def _hang_up(self) -> None:
        if self._line is not None:
            if self._attended is not None:
                self._attended[0].remove_reader(self._line.fileno())
            self._line.close()
            self._line = None
