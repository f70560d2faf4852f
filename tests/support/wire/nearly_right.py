"""Devices that are wrong in one place, each on a pseudo-terminal: what a firmware team has on its first morning."""

from __future__ import annotations

import asyncio
import random
import termios
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from protocols import shoe
from protocols.link import frames
from protocols.link.frames import Ack, Data, Hello
from protocols.link.framing import Deframer, cobs_encode, crc16, encode_frame
from protocols.link.identity import Identity
from sim_hw.devices.dice_cup import SimulatedDiceCup
from sim_hw.time.clock import MAX_SPEED, SimClock
from sim_hw.wire.pty import Pty

SESSION = 0x5EA51DE0
RESET = 1
SLOW_S = 1.5

Answer = Callable[[bytes], bytes]
"""What goes on the wire for the body of a frame that came."""


def hello(reset: bytes, session: int = SESSION) -> bytes:
    """The body of a good HELLO to this RESET."""
    return frames.encode(Hello(session, int.from_bytes(reset[1:5], "big"), 1, 4, 240, 1))


def _framed(body: bytes, crc: bytes) -> bytes:
    return b"\0" + cobs_encode(body + crc) + b"\0"


def another_crc(body: bytes) -> bytes:
    return _framed(hello(body), (crc16(hello(body)) ^ 0xFFFF).to_bytes(2, "big"))


def crc_reversed(body: bytes) -> bytes:
    return _framed(hello(body), crc16(hello(body)).to_bytes(2, "little"))


def little_endian(body: bytes) -> bytes:
    good = hello(body)
    return encode_frame(good[:1] + good[4:0:-1] + good[5:7] + good[10:6:-1] + good[11:])


def session_0(body: bytes) -> bytes:
    good = hello(body)
    return encode_frame(good[:1] + bytes(4) + good[5:])


def another_token(body: bytes) -> bytes:
    return encode_frame(hello(body[:1] + b"\1\2\3\4" + body[5:]))


def parity(body: bytes) -> bytes:
    """Seven bits and even parity, which the link's eight bits see as an eighth one."""
    seven = (byte & 0x7F for byte in encode_frame(hello(body)) * 2)
    return bytes(byte | byte.bit_count() % 2 << 7 for byte in seven)


def payload_too_long(body: bytes) -> bytes:
    if body[0] == RESET:
        return encode_frame(hello(body))
    return encode_frame(b"\3" + SESSION.to_bytes(4, "big") + b"\0\1" + b"\x81" * 245)


def no_end(body: bytes) -> bytes:
    return encode_frame(hello(body)) if body[0] == RESET else b"\0" + b"\x81" * 300 + b"\0"


def two_devices(body: bytes) -> bytes:
    return encode_frame(hello(body)) + encode_frame(hello(body, 0x11223344)) if body[0] == RESET else b""


def good(body: bytes) -> bytes:
    """Says who it is, and no more."""
    identity = shoe.encode(Identity(boot=1, model="EZ-READ 8", serial="A-10442", firmware="2.3.1"))
    said = Data(SESSION, 0, 1, identity)
    return encode_frame(hello(body) if body[0] == RESET else frames.encode(said))


def mute_after_hello(body: bytes) -> bytes:
    return encode_frame(hello(body)) if body[0] == RESET else encode_frame(frames.encode(Ack(SESSION, 1)))


ANSWERS: tuple[Answer, ...] = (
    another_crc,
    crc_reversed,
    little_endian,
    session_0,
    another_token,
    parity,
    payload_too_long,
    no_end,
    two_devices,
    mute_after_hello,
)
OTHERS = ("echo", "another_speed", "another_class", "slow")
NAMES = tuple(answer.__name__ for answer in ANSWERS) + OTHERS


@contextmanager
def nearly_right(folder: Path, name: str) -> Iterator[str]:
    """A device by its name; its url."""
    port = Pty(folder, name)
    if name == "another_class":
        cup = SimulatedDiceCup(port, SimClock(MAX_SPEED), seed=1)
        cup.plug()
        yield port.url
        cup.close()
        return
    loop, deframer, noise = asyncio.get_running_loop(), Deframer(), random.Random(1)
    slow: list[asyncio.TimerHandle] = []
    answers = {answer.__name__: answer for answer in ANSWERS}

    def readable() -> None:
        data = port.read()
        if name == "echo":
            port.write(data)
        elif name == "another_speed" and not _is_at_9600(port):
            port.write(noise.randbytes(40))
        else:
            answer = answers.get(name, good)
            for body in deframer.feed(data):
                if body[0] == RESET:
                    for timer in slow:
                        timer.cancel()
                    write(answer(body))
                elif name == "slow":
                    slow.append(loop.call_later(SLOW_S, write, answer(body)))
                else:
                    write(answer(body))

    def write(data: bytes) -> None:
        if port.is_plugged:
            port.write(data)

    port.plug()
    port.attend(loop, readable)
    try:
        yield port.url
    finally:
        port.leave(loop)
        port.unplug()


def _is_at_9600(port: Pty) -> bool:
    """A pseudo-terminal remembers the speed that it was set to, and carries every byte at any."""
    speed: int = termios.tcgetattr(port.fileno())[5]
    return speed == termios.B9600
