"""A controller and a device on a bad wire, in simulated time: every message arrives once and in order.

The upper layers are as on a table: the device keeps a message until it is acknowledged and sends it again in the next
session; the controller takes each one after a while, as a disk would, and drops numbers that it already has.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest

from protocols.link.session import Acknowledged, ControllerLink, DeviceLink, Down, LinkEvent, LinkState, Received, Up
from sim_hw.wire.noise import Noise, NoisyWire

CLEAN = Noise(delay=(0.001, 0.004))
BAD = Noise(
    bit_errors=1e-4, lost_bytes=1e-4, dropped=0.01, repeated=0.02, cut_short=0.01, garbage=0.02, delay=(0.001, 0.02)
)
AWFUL = Noise(
    bit_errors=1e-3, lost_bytes=5e-4, dropped=0.03, repeated=0.05, cut_short=0.03, garbage=0.05, delay=(0.001, 0.03)
)


def message(number: int) -> bytes:
    """About as long as a card's message, zeros included."""
    return number.to_bytes(4, "big") + bytes(number % 23)


def number_in(data: bytes) -> int:
    number = int.from_bytes(data[:4], "big")
    assert data == message(number), "a message was changed on the way"
    return number


@dataclass
class Table:
    """The two ends, the wire between them, and what came out at each."""

    noise: Noise
    seed: int
    events: int
    commands: int = 0
    now: float = 0.0
    received: list[int] = field(default_factory=list)
    sessions: list[list[int]] = field(default_factory=list)
    commands_received: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.to_device = NoisyWire(self.noise, random.Random(self.rng.getrandbits(64)))
        self.to_controller = NoisyWire(self.noise, random.Random(self.rng.getrandbits(64)))
        self.device = DeviceLink(1, lambda: self.rng.randint(1, 0xFFFFFFFF))
        self.controller = ControllerLink(self.rng.getrandbits(32), self.now)
        self.acknowledged = 0
        self.offered = 0
        self.commands_offered = 0
        self.take_at: float | None = None
        self.restart_at: float | None = None

    def run(self, until: float) -> None:
        """Let simulated time pass until everything has arrived."""
        while self.acknowledged < self.events or len(self.commands_received) < self.commands:
            self.step()
            assert self.now < until, f"seed {self.seed}: {len(self.received)} of {self.events} arrived in {until} s"

    def step(self) -> None:
        """What is due now, then on to the next moment at which something is."""
        self._exchange()
        self.now = min(moment for moment in self._moments() if moment is not None)

    def _moments(self) -> tuple[float | None, ...]:
        return (
            self.controller.next_deadline(),
            self.device.next_deadline(),
            self.to_device.next_arrival(),
            self.to_controller.next_arrival(),
            self.take_at,
            self.restart_at,
        )

    def _exchange(self) -> None:
        if self.restart_at is not None and self.now >= self.restart_at:
            self.restart_at = None
            self.controller = ControllerLink(self.rng.getrandbits(32), self.now, statistics=self.controller.statistics)
        self._at_controller(self.controller.receive(self.to_controller.arrived(self.now), self.now))
        self._at_controller(self.controller.poll(self.now))
        if self.take_at is not None and self.now >= self.take_at:
            self.take_at = None
            self._at_controller(self.controller.taken(self.now))
        while self.controller.can_send and self.commands_offered < self.commands:
            self.controller.send(message(self.commands_offered))
            self.commands_offered += 1

        self._at_device(self.device.receive(self.to_device.arrived(self.now), self.now))
        self._at_device(self.device.poll(self.now))
        while self.device.can_send and self.offered < self.events:
            self.device.send(message(self.offered))
            self.offered += 1

        for link, wire in ((self.controller, self.to_device), (self.device, self.to_controller)):
            data = link.outgoing(self.now)
            if data:
                wire.send(data, self.now)

    def _at_controller(self, happened: list[LinkEvent]) -> None:
        for event in happened:
            match event:
                case Up():
                    self.sessions.append([])
                case Received(data):
                    assert self.take_at is None, "a message was given out before the last one was taken"
                    number = number_in(data)
                    self.sessions[-1].append(number)
                    if number == len(self.received):
                        self.received.append(number)
                    assert number < len(self.received), "a message was passed over"
                    self.take_at = self.now + self.rng.uniform(0, 0.01)
                case Down():
                    self.take_at = None
                    self.restart_at = self.now + 0.2

    def _at_device(self, happened: list[LinkEvent]) -> None:
        for event in happened:
            match event:
                case Up():
                    self.offered = self.acknowledged
                case Acknowledged(count):
                    self.acknowledged += count
                    assert self.acknowledged <= len(self.received), "acknowledged before it was received"
                case Received(data):
                    self.commands_received.append(number_in(data))
                    self._at_device(self.device.taken(self.now))


def test_on_a_clean_line_nothing_is_sent_twice() -> None:
    table = Table(CLEAN, seed=1, events=500, commands=100)
    table.run(until=60)
    assert table.received == list(range(500))
    assert table.commands_received == list(range(100))
    assert table.device.statistics.retransmissions == table.controller.statistics.retransmissions == 0
    assert len(table.sessions) == 1
    assert table.device.statistics.round_trip_ms is not None


@pytest.mark.parametrize("noise", [BAD, AWFUL], ids=["bad", "awful"])
@pytest.mark.parametrize("seed", [1, 2])
def test_ten_thousand_messages_cross_a_noisy_line_once_each_and_in_order(noise: Noise, seed: int) -> None:
    table = Table(noise, seed, events=10_000)
    table.run(until=20_000)
    assert table.received == list(range(10_000))
    for session in table.sessions:
        assert session == list(range(session[0], session[0] + len(session))) if session else True
    assert table.device.statistics.retransmissions > 100
    assert table.controller.statistics.framing.crc_errors > 100
    assert table.controller.statistics.duplicates > 0


def test_both_directions_at_once_on_a_noisy_line() -> None:
    table = Table(BAD, seed=3, events=1000, commands=1000)
    table.run(until=2000)
    assert len(table.sessions) == 1, "this seed should need one session only"
    assert table.received == table.commands_received == list(range(1000))


def test_the_same_seed_gives_the_same_run() -> None:
    runs = [Table(AWFUL, seed=9, events=300) for _ in range(2)]
    for run in runs:
        run.run(until=1000)
    assert runs[0].now == runs[1].now
    assert runs[0].device.statistics == runs[1].device.statistics


def test_a_wire_that_is_cut_and_fixed_costs_a_session_and_no_message() -> None:
    table = Table(CLEAN, seed=4, events=400)
    cut = Noise(dropped=1.0)
    whole = table.to_device, table.to_controller
    for stop in (100, 200, 300):
        table.events = stop
        table.run(until=100)
        table.to_device = table.to_controller = NoisyWire(cut, random.Random(0))
        before = table.now
        while table.controller.state is not LinkState.RESETTING:
            table.step()
            assert table.now < before + 5
        table.to_device, table.to_controller = whole
    table.events = 400
    table.run(until=100)
    assert table.received == list(range(400))
    assert len(table.sessions) == 4
