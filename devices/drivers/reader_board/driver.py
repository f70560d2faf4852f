"""The reader board: LED signs on one line, kept right over all connections. docs/protocols/reader-board.md.

`set_content` only keeps what the board should show, and the last one wins. It is written when the signs are there, and
again when they come back. Nothing waits for a sign. `BoardKeeper` decides what to send; the driver connects it with the
event loop by callbacks, so that a slow disk behind the sink does not stop the board.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NoReturn

from devices.driver import ConnectionLost, WrongDevice
from devices.drivers.reader_board.content import BoardContent
from devices.drivers.reader_board.keeper import BoardKeeper
from devices.drivers.reader_board.options import ReaderBoardOptions
from devices.options import OptionsError, options_of
from devices.ports.opening import PortOpening
from devices.ports.transport import open_port
from devices.reports import DeviceState, Sink
from devices.spec import DeviceSpec
from protocols.link.session import LinkStatistics, Timings

BAUDS = (1200, 2400, 4800, 9600, 19200, 38400)
"""The rates that signs find."""
STUCK_AFTER = 5.0
"""Seconds. A port that takes nothing for this long has a dead adapter behind it; opening it again may help."""
LOOK_AGAIN = 0.1

MODEL = "Alpha sign"


class ReaderBoardDriver:
    """The signs of one line, over all openings of its port."""

    def __init__(self, spec: DeviceSpec, timings: Timings | None = None) -> None:
        """`timings` are the device link's; a line of signs has its own."""
        self.spec = spec
        self.statistics = LinkStatistics.fresh()
        self._options = options_of(spec, ReaderBoardOptions)
        if spec.baud not in BAUDS:
            rates = ", ".join(map(str, BAUDS))
            raise OptionsError(
                f"the {spec.kind} {spec.id!r}: signs find {rates} baud, not {spec.baud}; write baud = 9600"
            )
        self._content: BoardContent | None = None
        self._line: _Line | None = None
        self._is_online = False
        self._came_right = asyncio.Event()

    def set_content(self, content: BoardContent) -> None:
        """What the board shows from now on. Returns at once."""
        if content == self._content:
            return
        self._content = content
        if self._line is not None:
            self._line.show(content)

    async def shown(self) -> None:
        """Until all signs have what was last given to `set_content`, as far as can be known."""
        while self._line is None or not self._line.keeper.is_right:
            self._came_right.clear()
            await self._came_right.wait()

    async def run(self, sink: Sink) -> NoReturn:
        """One opening of the port, until it fails: with a `DriverFailure` or the sink's own error."""
        reported: DeviceState | None = None
        self._is_online = False
        try:
            async with self._open() as line:
                self._line = line
                while True:
                    state = self._state(line.keeper)
                    if state is not None and state != reported:
                        await sink(state)
                        reported = state
                    if line.keeper.is_right:
                        self._came_right.set()
                    await line.news()
        finally:
            self._line = None

    @asynccontextmanager
    async def _open(self) -> AsyncIterator[_Line]:
        loop = asyncio.get_running_loop()
        line = _Line(BoardKeeper(self._options, self.spec.baud, self.statistics, loop.time()), self._content)
        await open_port(self.spec.url, self.spec.baud, line)
        self.statistics.sessions += 1
        try:
            yield line
        finally:
            await line.close()

    def _state(self, keeper: BoardKeeper) -> DeviceState | None:
        """The state of the board; None while that is not clear."""
        signs = keeper.signs
        silent = [sign.options.address for sign in signs if sign.presence == "silent"]
        if len(silent) == len(signs) and keeper.receives_something_else:
            raise WrongDevice(
                f"what is on {self.spec.url} sends bytes, but is no Alpha sign, or its baud or line is wrong"
            )
        if silent:
            self._is_online = False
            which = "the sign does" if len(signs) == 1 else f"sign {' and '.join(silent)} of {len(signs)} do"
            detail = f"{which} not answer: check power, cable and address"
            return DeviceState(device=self.spec.id, state="offline", model=MODEL, detail=detail)
        # Online is what was right once; a change that is on its way does not make it less so.
        self._is_online = self._is_online or all(
            sign.is_right and (sign.is_known or not sign.options.answers) for sign in signs
        )
        if not self._is_online:
            return None
        versions = [
            sign.information.firmware + sign.information.revision for sign in signs if sign.information is not None
        ]
        return DeviceState(
            device=self.spec.id,
            state="online",
            model=MODEL,
            firmware=", ".join(dict.fromkeys(versions)) or None,
            detail="; ".join(f"sign {sign.options.address}: {sign.trouble}" for sign in signs if sign.trouble),
        )


class _Line(PortOpening):
    """An open port with a keeper behind it."""

    def __init__(self, keeper: BoardKeeper, content: BoardContent | None) -> None:
        super().__init__()
        self.keeper = keeper
        self._timer: asyncio.TimerHandle | None = None
        self._stuck_since: float | None = None
        self._news = asyncio.Event()
        if content is not None:
            keeper.show(content)

    def show(self, content: BoardContent) -> None:
        self.keeper.show(content)
        self._pump()

    async def news(self) -> None:
        """Until something was sent or received."""
        if self._failure is None:
            self._news.clear()
            await self._news.wait()
        if self._failure is not None:
            raise self._failure

    def data_received(self, data: bytes) -> None:
        self.keeper.receive(data, self._loop.time())
        self._pump()

    def _ready(self) -> None:
        self._pump()

    def _pump(self) -> None:
        """Write what is due and set the clock for what will be."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._transport is None or self._failure is not None:
            return
        now = self._loop.time()
        if self._transport.get_write_buffer_size():
            # Nothing is put behind bytes that do not leave: when they do, the board wants what is newest then.
            self._stuck_since = now if self._stuck_since is None else self._stuck_since
            if now - self._stuck_since > STUCK_AFTER:
                self._fail(ConnectionLost(f"the port has taken no bytes for {STUCK_AFTER:g} s"))
            else:
                self._timer = self._loop.call_at(now + LOOK_AGAIN, self._pump)
            return
        self._stuck_since = None
        data = self.keeper.outgoing(now)
        if data:
            self._transport.write(data)
        self._news.set()
        self._timer = self._loop.call_at(self.keeper.next_deadline(now), self._pump)

    def _fail(self, failure: Exception) -> None:
        super()._fail(failure)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._news.set()
