"""A recorded device, played back on a simulated port.

    python -m sim_hw.rig.playback FILE [--device ID] [--port PATH] [--speed real|max|xN] [--raw]

A link session is new each time, so a device on the link is played by what it said, not by its frames: each event once,
in its order and at its time, and to each question the answer that was given then. `--raw` writes the recorded bytes as
they are, for other protocols and for those who want the noise. It begins when the other end of the port says something,
prints one JSON line when all was played (and taken), and ends.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import sys
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path

from protocols import shoe
from protocols.errors import ProtocolError
from protocols.link import frames
from protocols.link.arq import MODULUS
from protocols.link.framing import Deframer
from protocols.link.identity import IDENTITY_KIND, STATUS_KIND, STATUS_REQUEST_KIND
from protocols.link.messages import is_request
from protocols.pcapng import Interface, Packet, Reader
from sim_hw.devices.kinds import NAMES, kind_of
from sim_hw.devices.link_peer import LinkPeer
from sim_hw.time.clock import SimClock
from sim_hw.wire.pty import Pty

EVENTS = range(0x40, 0x80)
ANSWER = 0x80
_PIECE = 65_536
_BEGAN_WITH = re.compile(rf"\b(?:{IDENTITY_KIND:x}|{STATUS_KIND:x})(?:[0-9a-f]{{2}})+\b")


class CannotPlay(Exception):
    """What is wrong with the capture, in one sentence."""


@dataclass(slots=True)
class Said:
    """Something that a recorded device said of itself."""

    at_ns: int
    message: bytes = field(repr=False)


@dataclass(slots=True)
class Recording:
    """One device of a capture."""

    interface: Interface
    packets: list[Packet] = field(default_factory=list)

    @property
    def device_class(self) -> int:
        """By its HELLO, or else by what the recorder called it."""
        deframer = Deframer()
        for packet in self.packets:
            for frame in _frames(deframer, packet.data if packet.direction == "in" else b""):
                if isinstance(frame, frames.Hello):
                    return frame.device_class
        kind = self.interface.description.partition(" ")[0]
        if kind in NAMES and (device_class := kind_of(kind).device_class) is not None:
            return device_class
        raise CannotPlay(f"{self.interface.name} is no device on the device link; play it with --raw")


def read_capture(path: Path) -> list[Recording]:
    """The devices of a capture file."""
    reader, found = Reader(), list[Recording]()
    try:
        with path.open("rb") as file:
            while piece := file.read(_PIECE):
                for block in reader.feed(piece):
                    if isinstance(block, Interface):
                        found.append(Recording(block))
                    elif isinstance(block, Packet):
                        found[block.interface].packets.append(block)
    except (OSError, ProtocolError) as error:
        raise CannotPlay(f"{path} cannot be played: {error}") from None
    # A recording that was killed ends in mid-block; what came before is as good as ever.
    return found


class Script:
    """What a recorded device said: events of its own accord, answers to questions."""

    def __init__(self, recording: Recording) -> None:
        self.events: list[Said] = []
        self._answers: dict[bytes, deque[bytes]] = {}
        """By question, in their order; the last one is given again."""
        self._by_kind: dict[int, bytes] = {}
        """The first answer of each kind, for a question that was not asked then."""
        for hexed in _BEGAN_WITH.findall(recording.interface.comment):
            said = bytes.fromhex(hexed)
            self._by_kind[said[0]] = said
            self._answers.setdefault(bytes((said[0] - ANSWER,)), deque()).append(said)
        self._read(recording.packets)

    def answer(self, question: bytes) -> bytes | None:
        """What the device answers now; None where it never did."""
        known = self._answers.get(question)
        if known is not None:
            return known.popleft() if len(known) > 1 else known[0]
        return self._by_kind.get(question[0] + ANSWER)

    def _read(self, packets: list[Packet]) -> None:
        streams = {"in": _InOrder(), "out": _InOrder()}
        asked: dict[int, bytes] = {}
        known: set[bytes] = set()
        for packet in packets:
            for message in streams[packet.direction or "in"].feed(packet):
                kind = message[0]
                if is_request(message):
                    asked[kind + ANSWER] = message
                elif kind in EVENTS:
                    # Boot and number name an event for ever: what was sent again in a new session is the same one.
                    if message[1:9] not in known:
                        known.add(message[1:9])
                        self.events.append(Said(packet.at_ns, message))
                else:
                    self._by_kind.setdefault(kind, message)
                    if kind in asked:
                        self._answers.setdefault(asked[kind], deque()).append(message)


class PlayedDevice:
    """A recorded device on a simulated port."""

    def __init__(self, recording: Recording, port: Pty, clock: SimClock) -> None:
        self._script = Script(recording)
        self._clock = clock
        self._is_shoe = recording.device_class == shoe.DEVICE_CLASS
        self._draws = 0
        rng = random.Random("playback")
        self.link = LinkPeer(port, recording.device_class, self._received, rng=rng, holds_events=True)

    async def play(self) -> int:
        """All that it said; gives how many events."""
        await self.link.wait_until(lambda: self.link.is_up)
        events = self._script.events
        for before, said in zip([None, *events], events, strict=False):
            if before is not None:
                await self._clock.sleep(max(0, said.at_ns - before.at_ns) / 1e9)
            await self.link.wait_until(lambda: self.link.has_room)
            self.link.post(said.message, keep=True)
            self._count(said.message)
        await self.link.wait_until(lambda: self.link.kept == 0)
        return len(events)

    def _received(self, question: bytes) -> None:
        if question[0] == STATUS_REQUEST_KIND:
            self.link.release()
        answer = self._script.answer(question)
        if self._is_shoe:
            answer = self._granted(question) or answer
        if answer is not None:
            self.link.post(answer, keep=False)

    def _granted(self, question: bytes) -> bytes | None:
        """Permits are this controller's own, not yesterday's: they are granted as asked."""
        try:
            permit = shoe.decode(question)
        except ProtocolError:
            return None
        if not isinstance(permit, shoe.Permit):
            return None
        return shoe.encode(shoe.PermitState(boot=permit.boot, draw_no=self._draws, up_to=permit.up_to))

    def _count(self, message: bytes) -> None:
        if self._is_shoe:
            event = shoe.decode(message)
            self._draws = getattr(event, "draw_no", self._draws)


async def play_raw(recording: Recording, port: Pty, clock: SimClock) -> int:
    """The bytes of the device as they were, when the other end has said something; gives how many."""
    await _ready(port, writing=False)
    said = [packet for packet in recording.packets if packet.direction == "in"]
    for before, packet in zip([None, *said], said, strict=False):
        if before is not None:
            await clock.sleep(max(0, packet.at_ns - before.at_ns) / 1e9)
        await _write(port, packet.data)
    return sum(len(packet.data) for packet in said)


async def _write(port: Pty, data: bytes) -> None:
    """All of it, however slowly the other end reads."""
    while data:
        await _ready(port, writing=True)
        try:
            data = data[os.write(port.fileno(), data) :]
        except BlockingIOError:
            continue


async def _ready(port: Pty, *, writing: bool) -> None:
    loop, ready = asyncio.get_running_loop(), asyncio.Event()
    watch, stop = (loop.add_writer, loop.remove_writer) if writing else (loop.add_reader, loop.remove_reader)
    watch(port.fileno(), ready.set)
    try:
        await ready.wait()
    finally:
        stop(port.fileno())


class _InOrder:
    """The messages of one direction, each once, as the link would take them."""

    def __init__(self) -> None:
        self._deframer = Deframer()
        self._session = 0
        self._next: int | None = None
        """The sequence number that comes next; None: unknown, where a recording begins in mid-session or has a hole."""

    def feed(self, packet: Packet) -> list[bytes]:
        taken = []
        if packet.dropped:
            self._next = None
        for frame in _frames(self._deframer, packet.data):
            if isinstance(frame, frames.Hello):
                self._session, self._next = frame.session, 0
            elif isinstance(frame, frames.Data):
                if frame.session != self._session:
                    self._session, self._next = frame.session, None
                if self._next in (None, frame.seq):
                    self._next = (frame.seq + 1) % MODULUS
                    taken.append(frame.payload)
        return taken


def _frames(deframer: Deframer, data: bytes) -> list[frames.Frame]:
    found = []
    for body in deframer.feed(data):
        try:
            found.append(frames.decode(body))
        except ProtocolError:
            continue
    return found


def _chosen(recordings: list[Recording], name: str | None) -> Recording:
    names = ", ".join(recording.interface.name for recording in recordings) or "none"
    fitting = [one for one in recordings if name in (None, one.interface.name)]
    if len(fitting) != 1:
        raise CannotPlay(f"name one device of the capture with --device; it has: {names}")
    return fitting[0]


async def run(chosen: argparse.Namespace) -> int:
    recording = _chosen(read_capture(chosen.file), chosen.device)
    path: Path = chosen.port or Path(recording.interface.name)
    port, clock = Pty(path.parent, path.name), SimClock.at(chosen.speed)
    device = None if chosen.raw else PlayedDevice(recording, port, clock)
    if device is None:
        port.plug()
    else:
        device.link.plug()
    print(json.dumps({"ready": str(path)}), flush=True)
    try:
        played = await (play_raw(recording, port, clock) if device is None else device.play())
    finally:
        port.unplug() if device is None else device.link.unplug()
    print(json.dumps({"played": played, "what": "bytes" if device is None else "events"}), flush=True)
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="cutcard capture play", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--device", help="which one, where the capture has several")
    parser.add_argument("--port", type=Path, help="where the port appears (default: ./DEVICE)")
    parser.add_argument("--speed", default="real", help="real, max or a factor such as x20")
    parser.add_argument("--raw", action="store_true", help="the recorded bytes as they are")
    try:
        return asyncio.run(run(parser.parse_args()))
    except (CannotPlay, ValueError) as error:
        print(f"cutcard: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
