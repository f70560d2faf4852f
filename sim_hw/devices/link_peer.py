"""The device's end of the link, on a simulated port.

A device posts messages. Those that it must not lose (events) are kept until the controller has taken them, and sent
again, oldest first, in each new session; answers belong to the session in which they were asked for. All go out in the
order in which they were posted, so an answer proves that every event before it has arrived. A device may hold its
events back at the beginning of a session (`holds_events`) until it knows to whom it speaks; its answers then overtake
them.
"""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from protocols.errors import ProtocolError
from protocols.link import session
from sim_hw.wire.line import NoisyLine, Port
from sim_hw.wire.noise import Noise

MAX_POSTED = 600
"""More than all events of an eight-deck shoe. A device without room for another must not let it happen."""

RESERVE = 8

SIMULATED_PATIENCE = 1000.0
"""Where no real time counts, this much longer until the controller is given up: `devices.patience`, the other end's."""


def timings_at(speed: str) -> session.Timings:
    """Of a link whose devices live at this speed ("real", "max" or a factor)."""
    timings = session.Timings()
    return timings.patient(SIMULATED_PATIENCE) if speed == "max" else timings


@dataclass(slots=True)
class _Posted:
    message: bytes
    keep: bool


class LinkPeer:
    """A device's link and outbox."""

    def __init__(
        self,
        port: Port,
        device_class: int,
        on_message: Callable[[bytes], None],
        *,
        rng: random.Random,
        noise: Noise | None = None,
        timings: session.Timings | None = None,
        in_next_session: Callable[[bytes], bytes] = lambda message: message,
        on_session: Callable[[], None] = lambda: None,
        holds_events: bool = False,
    ) -> None:
        """`rng`: session numbers and the noise of both directions; nothing that shows in a message.

        `in_next_session`: what becomes of an event that was not taken in the session in which it was posted.
        `on_message` may raise `ProtocolError` for what the device does not know: that is acknowledged and ignored.
        """
        self.statistics = session.LinkStatistics.fresh()
        self._device_class = device_class
        self._on_message = on_message
        self._on_session = on_session
        self._holds_events = holds_events
        self._is_held = holds_events
        self._is_on = True
        self._when_delivered: Callable[[], None] | None = None
        self._rng = rng
        self._in_next_session = in_next_session
        self._timings = timings or session.Timings()
        self.line = NoisyLine(port, self._arrived, rng, noise)
        self._outbox: deque[_Posted] = deque()
        self._in_link = 0
        self._link = self._new_link()
        self._timer: asyncio.TimerHandle | None = None
        self._changed = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def is_up(self) -> bool:
        return self._link.state is session.LinkState.UP

    @property
    def is_sealed(self) -> bool:
        """Whether the controller has sealed this session."""
        return self._link.is_sealed

    def seal(self, key: bytes) -> None:
        """The controller may seal this session, with this key."""
        self._link.seal(key)

    @property
    def kept(self) -> int:
        """Events that the controller has not taken yet."""
        return sum(posted.keep for posted in self._outbox)

    @property
    def has_room(self) -> bool:
        """Whether the device may go on: what it is in the midst of must fit as well."""
        return len(self._outbox) <= MAX_POSTED - RESERVE

    @property
    def is_full(self) -> bool:
        """The reserve is used up too."""
        return len(self._outbox) >= MAX_POSTED

    def post(self, message: bytes, *, keep: bool) -> None:
        """Send a message when it is its turn."""
        if self.is_full:
            raise OverflowError(f"the device has {MAX_POSTED} messages waiting and no room for another")
        if keep or self.is_up:
            posted = _Posted(message, keep)
            if self._is_held and not keep:
                self._outbox.insert(sum(not earlier.keep for earlier in self._outbox), posted)
            else:
                self._outbox.append(posted)
            self._pump()

    @property
    def is_released(self) -> bool:
        """Whether events go out as they happen."""
        return not self._is_held

    def release(self) -> None:
        """Hold the events back no longer in this session."""
        self._is_held = False
        self._pump()

    def when_delivered(self, do: Callable[[], None]) -> None:
        """Once, when all that was posted has been taken, or can no longer be."""
        self._when_delivered = do
        self._look_if_delivered()

    async def wait_until(self, holds: Callable[[], bool]) -> None:
        """Wait until `holds()`; it is checked again after each `changed()`."""
        while not holds():
            self._changed.clear()
            await self._changed.wait()

    def changed(self) -> None:
        """Make every `wait_until` check again."""
        self._changed.set()

    def plug(self) -> None:
        """Put the cable in. The device runs from here until `unplug`."""
        if self.line.is_plugged:
            return
        self._loop = asyncio.get_running_loop()
        self.line.plug()
        self._pump()

    def unplug(self) -> None:
        """Pull the cable. Events happen and are kept all the same."""
        if self._loop is None or not self.line.is_plugged:
            return
        self.line.unplug()
        self._stop_timer()
        self._look_if_delivered(is_over=True)
        self._loop = None

    def power_cycle(self, *, keep_events: bool) -> None:
        """Power off and on, cable in. The link starts again; events survive if the device stores them safely."""
        self.power_off(keep_events=keep_events)
        self.power_on()

    def power_off(self, *, keep_events: bool = False) -> None:
        """The device is dead; its port stays."""
        self._is_on = False
        self._is_held = self._holds_events
        self._when_delivered = None
        self._link = self._new_link()
        self._outbox = deque(posted for posted in self._outbox if keep_events and posted.keep)
        self._in_link = 0
        self._stop_timer()
        self.changed()

    def power_on(self) -> None:
        self._is_on = True
        self.line.forget_input()
        self._pump()
        self.changed()

    def _new_link(self) -> session.DeviceLink:
        return session.DeviceLink(
            self._device_class, lambda: self._rng.randint(1, 0xFFFFFFFF), self._timings, self.statistics
        )

    def _arrived(self, data: bytes) -> None:
        if not self._is_on or self._loop is None:
            return
        self._handle(self._link.receive(data, self._loop.time()))
        self._pump()

    def _handle(self, events: list[session.LinkEvent]) -> None:
        waiting = deque(events)
        link = self._link
        while waiting and link is self._link:
            match waiting.popleft():
                case session.Up():
                    self._outbox = deque(
                        _Posted(self._in_next_session(posted.message), keep=True)
                        for posted in self._outbox
                        if posted.keep
                    )
                    self._in_link = 0
                    self._is_held = self._holds_events
                    self._look_if_delivered(is_over=True)
                    self._on_session()
                case session.Acknowledged(count):
                    for _ in range(count):
                        self._outbox.popleft()
                    self._in_link -= count
                case session.Received(message):
                    with suppress(ProtocolError):
                        self._on_message(message)
                    if link is self._link and self._loop is not None:
                        waiting.extend(link.taken(self._loop.time()))
                case session.Down():
                    self._look_if_delivered(is_over=True)
                case _:
                    pass
        self._look_if_delivered()
        self.changed()

    def _look_if_delivered(self, *, is_over: bool = False) -> None:
        do = self._when_delivered
        if do is not None and self._loop is not None and (is_over or not self._outbox):
            self._when_delivered = None
            self._loop.call_soon(do)

    def _pump(self) -> None:
        if self._loop is None or not self._is_on:
            return
        while self._link.can_send and self._in_link < len(self._outbox):
            if self._is_held and self._outbox[self._in_link].keep:
                break
            self._link.send(self._outbox[self._in_link].message)
            self._in_link += 1
        self.line.write(self._link.outgoing(self._loop.time()))
        deadline = self._link.next_deadline()
        if self._timer is not None and self._timer.when() == deadline:
            return
        self._stop_timer()
        if deadline is not None:
            self._timer = self._loop.call_at(deadline, self._tick)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _tick(self) -> None:
        assert self._loop is not None
        self._timer = None
        self._handle(self._link.poll(self._loop.time()))
        self._pump()
