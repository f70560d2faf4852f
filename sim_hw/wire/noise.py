"""A lossy wire, from a seed.

It does to bytes what a bad cable, a loose plug and a cheap adapter do: flips bits, loses and doubles bytes, loses,
cuts short or repeats a whole write, adds garbage, and takes its time. It never reorders: a serial line cannot.
"""

from __future__ import annotations

import math
import random
from collections import deque
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """How bad a wire is. Probabilities, unless said otherwise."""

    bit_errors: float = 0.0
    """Per bit."""
    lost_bytes: float = 0.0
    """Per byte, as the next."""
    doubled_bytes: float = 0.0
    dropped: float = 0.0
    """Per write, as the rest."""
    repeated: float = 0.0
    cut_short: float = 0.0
    garbage: float = 0.0
    """1 to 40 random bytes before the write."""
    delay: tuple[float, float] = (0.0, 0.0)
    """Shortest and longest, in seconds."""


class NoisyWire:
    """One direction of a wire."""

    def __init__(self, noise: Noise, rng: random.Random) -> None:
        self._rng = rng
        self._under_way: deque[tuple[float, bytes]] = deque()
        self.become(noise)

    def become(self, noise: Noise) -> None:
        """Be as bad as this from here on."""
        self._noise = noise
        self._is_good = noise == Noise(delay=noise.delay)
        self._bits_to_error = self._gap(noise.bit_errors)
        self._bytes_to_loss = self._gap(noise.lost_bytes)

    def lose(self) -> None:
        """What is under way never arrives: the cable was pulled."""
        self._under_way.clear()

    def send(self, data: bytes, now: float) -> None:
        """Put bytes on the wire; what is left of them arrives later."""
        arrival = now + self._rng.uniform(*self._noise.delay)
        if self._under_way:
            arrival = max(arrival, self._under_way[-1][0])
        self._under_way.append((arrival, self.carry(data)))

    def next_arrival(self) -> float | None:
        return self._under_way[0][0] if self._under_way else None

    def last_arrival(self) -> float:
        """When all that is under way will have arrived."""
        return self._under_way[-1][0]

    def arrived(self, now: float) -> bytes:
        """What has come out of the other end."""
        out = b""
        while self._under_way and self._under_way[0][0] <= now:
            out += self._under_way.popleft()[1]
        return out

    def carry(self, data: bytes) -> bytes:
        """What is left of one write, without delay."""
        noise, rng = self._noise, self._rng
        if self._is_good and data:
            # As many draws as below: what comes of a bad wire does not depend on when it became one.
            for _ in range(4):
                rng.random()
            return data
        if not data or rng.random() < noise.dropped:
            return b""
        if rng.random() < noise.cut_short:
            data = data[: rng.randrange(len(data))]
        if rng.random() < noise.repeated:
            data += data
        if rng.random() < noise.garbage:
            data = rng.randbytes(rng.randint(1, 40)) + data
        return self._double_bytes(self._lose_bytes(self._flip_bits(data)))

    def _flip_bits(self, data: bytes) -> bytes:
        bits = 8 * len(data)
        if self._bits_to_error >= bits:
            self._bits_to_error -= bits
            return data
        flipped = bytearray(data)
        while self._bits_to_error < bits:
            at = int(self._bits_to_error)
            flipped[at // 8] ^= 1 << at % 8
            self._bits_to_error += 1 + self._gap(self._noise.bit_errors)
        self._bits_to_error -= bits
        return bytes(flipped)

    def _lose_bytes(self, data: bytes) -> bytes:
        if self._bytes_to_loss >= len(data):
            self._bytes_to_loss -= len(data)
            return data
        rest = bytearray()
        start = 0
        while self._bytes_to_loss < len(data):
            at = int(self._bytes_to_loss)
            rest += data[start:at]
            start = at + 1
            self._bytes_to_loss = start + self._gap(self._noise.lost_bytes)
        self._bytes_to_loss -= len(data)
        return bytes(rest + data[start:])

    def _double_bytes(self, data: bytes) -> bytes:
        rate = self._noise.doubled_bytes
        if not rate:
            return data
        return b"".join(bytes((byte,)) * (1 + (self._rng.random() < rate)) for byte in data)

    def _gap(self, rate: float) -> float:
        """How many go well before the next that does not: one draw per error, not one per bit."""
        if rate <= 0:
            return math.inf
        if rate >= 1:
            return 0
        return math.floor(math.log(1.0 - self._rng.random()) / math.log(1.0 - rate))
