"""The daemon's side of the technician's commands: what it reports of its devices, and who may listen.

The daemon holds the ports, so it is asked. It reports the state of its devices, and lets a technician watch a wire
(with the cards withheld) or record wires (with rounds held back). It sends no commands to devices: only the engine
unlocks them.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

import msgspec

from controller.engine.actor import Actor
from controller.technician.status import DeviceStatus, TableDevices
from controller.technician.wire_recording import Wire, WireRecording, header
from devices.kinds import kind_of
from devices.lines import TraceLine
from devices.link.driver import LinkDriver
from devices.link.lines import lines_of
from devices.ports.tap import Chunk, Taps
from devices.spec import DeviceSpec
from devices.supervisor import Supervisor
from protocols.link.identity import Identity

MOST_LISTENERS = 8
"""Who watches or records at once; each costs a little of every byte that passes."""
LOOK_EVERY_S = 1.0
MOST_LINES = 1000
"""Lines that wait for a slow watcher."""

Alarm = Callable[[str, Actor], Awaitable[None]]
"""Reports to the table that its wires are recorded; an empty text: no longer."""


class Refused(Exception):
    """What a technician asked for is not done, and why."""


class Workbench:
    """One table's devices, for those who look after them."""

    def __init__(
        self,
        table: str,
        specs: Sequence[DeviceSpec],
        supervisor: Supervisor,
        taps: Taps,
        *,
        alarm: Alarm,
        brokers_online: Callable[[], dict[str, bool]],
        alarms: Callable[[], Mapping[str, str]],
    ) -> None:
        self._table = table
        self._specs = {spec.id: spec for spec in specs}
        self._supervisor = supervisor
        self._taps = taps
        self._alarm = alarm
        self._recorders: dict[WireRecording, str] = {}
        """Who records, and what."""
        self._watching: set[asyncio.Event] = set()
        """Who watches: set to wake him."""
        self._ending = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._round_running = False
        self._brokers_online = brokers_online
        self._alarms = alarms

    # What the daemon reports

    def round_changed(self, running: bool) -> None:
        """After every commit: whether a round is running."""
        if running == self._round_running:
            return
        self._round_running = running
        for recorder in list(self._recorders):
            recorder.round_changed(running)

    def devices_changed(self, specs: Sequence[DeviceSpec]) -> None:
        """These are the table's devices from now on. A listener of a removed device gets nothing more."""
        self._specs = {spec.id: spec for spec in specs}

    @contextmanager
    def report_under_way(self) -> Iterator[None]:
        """A device's report is on its way to the engine, and nobody knows yet what it means."""
        recorders = list(self._recorders)
        for recorder in recorders:
            recorder.report_under_way(1)
        try:
            yield
        finally:
            for recorder in recorders:
                recorder.report_under_way(-1)

    def end(self) -> None:
        """The daemon stops: let everybody go."""
        self._ending = True
        for recorder in list(self._recorders):
            recorder.give_up()
        for news in self._watching:
            news.set()

    # What a technician may ask

    def devices(self) -> TableDevices:
        states, statistics, recent = self._supervisor.states, self._supervisor.statistics, self._supervisor.recent
        now = asyncio.get_running_loop().time()
        return TableDevices(
            round_running=self._round_running,
            brokers_online=self._brokers_online(),
            alarms=self._alarms(),
            devices=tuple(
                DeviceStatus.of(spec, states[name], statistics[name], recent.get(name), now)
                for name, spec in self._specs.items()
            ),
        )

    def watch(self, device: str) -> AsyncGenerator[bytes, None]:
        """What passes on a device's wire, a JSON line each, until the daemon stops; with the cards withheld.

        While nothing passes it yields b"", as `capture` does, so that its reader can see whether anybody listens.
        """
        spec = self._spec(device)
        self._expect_room()
        return self._watched(spec)

    def capture(
        self, devices: Sequence[str], *, sealed: bool, seconds: float | None, by: Actor
    ) -> AsyncGenerator[bytes, None]:
        """A capture file of these devices (of all where none is named), for `seconds` or until it is closed."""
        specs = [self._spec(device) for device in dict.fromkeys(devices)] or list(self._specs.values())
        self._expect_room()
        if self._round_running and not sealed:
            raise Refused(
                "A round is running, and its wires carry cards that nobody may know yet. Record between rounds, or "
                "with --sealed: then the round's part of the file is given out when it is over."
            )
        return self._captured(specs, sealed, seconds, by)

    async def _watched(self, spec: DeviceSpec) -> AsyncGenerator[bytes, None]:
        decoder = lines_of(spec.kind)
        waiting: deque[TraceLine] = deque(maxlen=MOST_LINES)
        news = asyncio.Event()

        def received(chunk: Chunk) -> None:
            waiting.extend(decoder.feed(chunk))
            news.set()

        self._watching.add(news)
        stop = self._taps[spec.url].listen(received)
        try:
            while not self._ending:
                while waiting:
                    yield msgspec.json.encode(waiting.popleft()) + b"\n"
                news.clear()
                with suppress(TimeoutError):
                    async with asyncio.timeout(LOOK_EVERY_S):
                        await news.wait()
                yield b""
        finally:
            stop()
            self._watching.remove(news)

    async def _captured(
        self, specs: Sequence[DeviceSpec], sealed: bool, seconds: float | None, by: Actor
    ) -> AsyncGenerator[bytes, None]:
        wires = [self._wire(spec) for spec in specs]
        recorder = WireRecording(wires, self._taps, sealed=sealed, round_running=self._round_running)
        names = ", ".join(spec.id for spec in specs)
        self._recorders[recorder] = f"the wires of {names} are being recorded by {by.by}{' (sealed)' if sealed else ''}"
        timer = None if seconds is None else asyncio.get_running_loop().call_later(seconds, recorder.stop)
        try:
            await self._alarm("; ".join(self._recorders.values()), by)
            yield header(wires, self._table)
            async for packet in recorder.packets():
                yield packet
        finally:
            if timer is not None:
                timer.cancel()
            recorder.stop()
            del self._recorders[recorder]
            self._later(self._alarm("; ".join(self._recorders.values()), by))

    def _wire(self, spec: DeviceSpec) -> Wire:
        state = self._supervisor.states[spec.id]
        names = DeviceStatus.of(spec, state, None).names
        link = kind_of(spec.kind).link
        if link is None or state.state != "online" or not (state.model and state.serial and state.firmware):
            return Wire(spec, names)
        codec = link.codec
        identity = Identity(boot=state.boot or 0, model=state.model, serial=state.serial, firmware=state.firmware)
        status = self._supervisor.driver(spec.id, LinkDriver).status
        stood = () if status is None else (codec.encode(status),)
        return Wire(spec, names, (codec.encode(identity), *stood))

    def _spec(self, device: str) -> DeviceSpec:
        try:
            return self._specs[device]
        except KeyError:
            there = ", ".join(self._specs) or "none"
            raise Refused(f"There is no device {device!r} at this table; its devices are: {there}.") from None

    def _expect_room(self) -> None:
        if len(self._recorders) + len(self._watching) >= MOST_LISTENERS:
            raise Refused(f"{MOST_LISTENERS} technicians already listen to this table; end one of them first.")

    def _later(self, what: Awaitable[None]) -> None:
        """Outlives the technician, who may be gone already."""
        task = asyncio.ensure_future(what)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
