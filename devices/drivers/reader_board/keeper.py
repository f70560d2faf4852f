"""Keeps the signs of one line right: which packet goes out next, and when.

Passive, like the device link: bytes and the time are passed in, `outgoing` gives the packet that is due and
`next_deadline` says when to ask again. One packet is under way at a time, and one question, for an answer does not say
which sign gave it. What each sign needs is `sign_memory`'s to say; here they share the line.
"""

from __future__ import annotations

import math

from msgspec import Struct

from devices.drivers.reader_board.content import BoardContent
from devices.drivers.reader_board.memory import Question, SignMemory
from devices.drivers.reader_board.options import ReaderBoardOptions
from protocols.alpha.codes import Readable
from protocols.alpha.commands import Command, ReadSpecial
from protocols.alpha.packets import ANSWER, Address, Packet, PacketDecoder, encode_packet
from protocols.alpha.parity import add_parity, strip_parity
from protocols.alpha.special import ClearMemory
from protocols.link.session import LinkStatistics

BITS_PER_BYTE = 10
ANSWER_BEGINS_WITHIN = 0.3
"""Seconds from the end of a question, and between two pieces of an answer."""
ANSWER_ENDS_WITHIN = 5.0
TURNAROUND = 0.05
"""Seconds after an answer, for the sign to let go of the line."""
SILENT_POLLS = 2
"""One of several signs that is away is asked this many times less often: while it does not answer, the others wait."""
REPEATED_AFTER = 1.0
"""Seconds between two lines that are sent again in case noise destroyed them."""

SURELY_NOISE = 64
"""Bytes. A plug that is put in makes a few; this many come from a device with another protocol."""

_ARE_YOU_THERE = ReadSpecial(Readable.MEMORY)


class _Place(Struct):
    """A sign and when it is due."""

    memory: SignMemory
    to: tuple[Address, ...]
    poll_at: float
    refresh_at: float
    repeat_at: float
    quiet_until: float = -math.inf
    """It restarts and receives nothing."""


class _Asked(Struct):
    place: _Place
    question: Question
    at: float
    until: float
    at_last: float


class BoardKeeper:
    """The signs of one line, from the opening of the port on."""

    def __init__(self, options: ReaderBoardOptions, baud: int, statistics: LinkStatistics, now: float) -> None:
        self.statistics = statistics
        self._options = options
        self._baud = baud
        self._gap = options.gap_ms / 1000
        self._poll = options.poll_ms / 1000 * sum(sign.answers for sign in options.signs)
        self._decoder = PacketDecoder(statistics.framing)
        self._free_at = now
        self._asked: _Asked | None = None
        self._places = [
            _Place(
                SignMemory(sign, clear_first=options.clear_first),
                (Address(sign.type_code, sign.address),),
                poll_at=now if sign.answers else math.inf,
                refresh_at=now + options.refresh_s,
                repeat_at=now,
            )
            for sign in options.signs
        ]
        self._turns = list(self._places)
        """The sign that was served last is last."""
        self._frames_before, self._noise_before = statistics.framing.frames, statistics.framing.noise_bytes

    @property
    def signs(self) -> list[SignMemory]:
        return [place.memory for place in self._places]

    @property
    def is_right(self) -> bool:
        """Whether every sign that we can know of shows what it should."""
        return all(sign.is_right for sign in self.signs)

    @property
    def receives_something_else(self) -> bool:
        """Whether there are bytes on the line, and none of them a packet."""
        framing = self.statistics.framing
        noise = framing.noise_bytes - self._noise_before
        return noise >= SURELY_NOISE and framing.frames == self._frames_before

    def show(self, content: BoardContent) -> None:
        """What the board shows from now on; what was to be shown before is forgotten."""
        for sign in self.signs:
            sign.show(content)

    def receive(self, data: bytes, now: float) -> None:
        """Bytes from the line."""
        asked = self._asked
        if asked is not None:
            asked.until = min(max(asked.until, now + ANSWER_BEGINS_WITHIN), asked.at_last)
        for packet in self._decoder.feed(strip_parity(data) if self._options.line == "7E1" else data):
            # A line may echo what we say; and our own questions are the only ones that are answered.
            if packet.to == (ANSWER,) and packet.checksum:
                for answer in packet.commands:
                    self._answered(answer, now)

    def outgoing(self, now: float) -> bytes:
        """The packet that is due, empty when there is none."""
        if self._asked is not None:
            if now < self._asked.until:
                return b""
            self._missed(self._asked, now)
        if now < self._free_at:
            return b""
        for place in self._places:
            if place.memory.is_plain and now >= place.refresh_at:
                place.memory.doubt()
                place.refresh_at = now + self._options.refresh_s
        chosen = self._choose(now)
        if chosen is None:
            return b""
        place, command = chosen
        return self._send(place, command, now)

    def next_deadline(self, now: float) -> float:
        """When `outgoing` may have something, if nothing happens before."""
        if self._asked is not None:
            return self._asked.until
        return max(self._free_at, min(self._due(place, now) for place in self._places))

    def _choose(self, now: float) -> tuple[_Place, Command] | None:
        places = [place for place in self._turns if now >= place.quiet_until]
        for place in places:
            if now >= place.poll_at:
                return place, _ARE_YOU_THERE
        for place in sorted(places, key=lambda place: (place.memory.presence == "silent", place.memory.is_right)):
            command = self._pending(place)
            if command is not None:
                return place, command
        for place in places:
            again = place.memory.repeat()
            if again is not None and (place.memory.must_repeat or now >= place.repeat_at):
                return place, again
        return None

    def _pending(self, place: _Place) -> Command | None:
        memory = place.memory
        if memory.presence == "unknown" and memory.options.answers:
            return None
        return memory.next_command()

    def _due(self, place: _Place, now: float) -> float:
        memory = place.memory
        soonest = min(place.poll_at, place.refresh_at if memory.is_plain else math.inf)
        if self._pending(place) is not None or memory.must_repeat:
            soonest = now
        elif memory.repeat() is not None:
            soonest = min(soonest, place.repeat_at)
        return max(soonest, place.quiet_until)

    def _send(self, place: _Place, command: Command, now: float) -> bytes:
        self._turns.remove(place)
        self._turns.append(place)
        wire = encode_packet(Packet((command,), place.to))
        sent_by = now + self._line_time(wire)
        self._free_at = sent_by + self._gap
        self.statistics.frames_sent += 1
        self.statistics.messages_sent += 1
        question = command if isinstance(command, Question) else None
        if question is not None:
            self._asked = _Asked(place, question, now, sent_by + ANSWER_BEGINS_WITHIN, sent_by + ANSWER_ENDS_WITHIN)
            if question == _ARE_YOU_THERE:
                waits = place.memory.presence == "silent" and len(self._places) > 1
                place.poll_at = now + self._poll * (SILENT_POLLS if waits else 1)
        else:
            place.memory.wrote(command, now)
            place.repeat_at = now + max(self._poll, REPEATED_AFTER)
            if isinstance(command, ClearMemory):
                place.quiet_until = sent_by + self._options.settle_ms / 1000
        return add_parity(wire) if self._options.line == "7E1" else wire

    def _answered(self, answer: Command, now: float) -> None:
        asked = self._asked
        if asked is None or not asked.place.memory.answered(asked.question, answer):
            self.statistics.strays += 1
            return
        self._asked = None
        self._free_at = now + TURNAROUND
        self.statistics.messages_taken += 1
        self.statistics.round_trip_ms = (now - asked.at) * 1000

    def _missed(self, asked: _Asked, now: float) -> None:
        self._asked = None
        self._decoder.reset()
        asked.place.memory.missed(asked.question)
        if asked.question == _ARE_YOU_THERE and asked.place.memory.presence != "silent":
            asked.place.poll_at = now

    def _line_time(self, wire: bytes) -> float:
        return len(wire) * BITS_PER_BYTE / self._baud
