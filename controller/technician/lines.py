"""What passed on a wire, decoded, with the cards withheld.

A card may be one that nobody may know yet. A message that can name one (a field that its class keeps out of its `repr`)
is therefore told without that field and without its bytes, and so is a message that cannot be decoded, because it might
be one. A sealed decoder, for a bench, tells everything.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Literal, Protocol

from msgspec import Struct
from msgspec.structs import asdict

from devices.link.codecs import class_of, decode, device_class_of
from devices.ports.tap import Chunk, Direction
from devices.spec import Kind
from protocols.alpha.packets import PacketDecoder
from protocols.errors import ProtocolError
from protocols.link import frames
from protocols.link.framing import Deframer, encode_frame
from protocols.link.identity import DeviceClass
from protocols.modbus.frames import MAX_ADU, decode_reply, decode_request
from protocols.values import Value

_SEVEN_BITS = bytes(value & 0x7F for value in range(256))


class Line(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that passed."""

    at_ns: int
    direction: Literal["in", "out"]
    text: str
    """A frame of the link, or what it was."""
    message: str = ""
    """The message in it."""
    hex: str = ""
    """Its bytes on the wire."""
    withheld: bool = False
    """The bytes are not told, because they may name cards."""

    def told(self) -> Iterator[str]:
        """As a person reads it."""
        at = datetime.fromtimestamp(self.at_ns / 1e9, UTC)
        yield f"{at:%H:%M:%S}.{at.microsecond // 1000:03} {self.direction:<3}  {self.text}"
        hexed = "hex withheld: it may name cards" if self.withheld else self.hex
        for more in (self.message, hexed):
            if more:
                yield f"{'':18}{more}"


class Lines(Protocol):
    """A decoder of one wire, both directions."""

    def feed(self, chunk: Chunk) -> list[Line]: ...


def lines_of(kind: Kind | None, *, sealed: bool = False) -> Lines:
    """The decoder for a device of this kind; None: a device on the link, whatever its HELLO says it is."""
    match kind:
        case None:
            return LinkLines(None, sealed=sealed)
        case "shoe" | "shuffler" | "dice_cup" | "key_panel":
            return LinkLines(class_of(kind), sealed=sealed)
        case "drop_box":
            return ModbusLines()
        case "reader_board":
            return SignLines()
        case "card_reader":
            return ReaderLines(sealed=sealed)


class LinkLines:
    """The device link: frames, and the messages in them."""

    def __init__(self, device_class: DeviceClass | None, *, sealed: bool) -> None:
        self._device_class = device_class
        self._sealed = sealed
        self._deframers = {direction: Deframer() for direction in Direction}

    def feed(self, chunk: Chunk) -> list[Line]:
        deframer = self._deframers[chunk.direction]
        noise = deframer.statistics.noise_bytes
        lines = [self._line(chunk, body) for body in deframer.feed(chunk.data)]
        noise = deframer.statistics.noise_bytes - noise
        if noise:
            lines.append(_line(chunk, f"{noise} bytes of noise"))
        return lines

    def _line(self, chunk: Chunk, body: bytes) -> Line:
        hexed = encode_frame(body).hex(" ")
        try:
            frame = frames.decode(body)
        except ProtocolError as error:
            return _line(chunk, f"a frame that is none: {error}", hexed=hexed, withheld=not self._sealed)
        if isinstance(frame, frames.Hello):
            self._device_class = device_class_of(frame.device_class) or self._device_class
        if not isinstance(frame, frames.Data):
            return _line(chunk, _frame(frame), hexed=hexed)
        return self._data(chunk, frame, hexed)

    def _data(self, chunk: Chunk, frame: frames.Data, hexed: str) -> Line:
        try:
            message = decode(self._device_class, frame.payload)
        except ProtocolError as error:
            return _line(chunk, _frame(frame), f"no message: {error}", hexed=hexed, withheld=not self._sealed)
        if self._sealed:
            return _line(chunk, _frame(frame), _in_full(message), hexed=hexed)
        return _line(chunk, _frame(frame), repr(message), hexed=hexed, withheld=may_name_cards(message))


class ModbusLines:
    """Modbus RTU: a question, and what came until the next one."""

    def __init__(self) -> None:
        self._answer = b""

    def feed(self, chunk: Chunk) -> list[Line]:
        if chunk.direction is Direction.OUT:
            left, self._answer = self._answer, b""
            lines = [_line(chunk, f"no answer in {len(left)} bytes", hexed=left.hex(" "))] if left else []
            return [*lines, self._question(chunk)]
        self._answer = (self._answer + chunk.data)[-MAX_ADU:]
        try:
            unit, reply = decode_reply(self._answer)
        except ProtocolError:
            return []
        hexed, self._answer = self._answer.hex(" "), b""
        return [_line(chunk, f"from unit {unit}", repr(reply), hexed=hexed)]

    def _question(self, chunk: Chunk) -> Line:
        hexed = chunk.data.hex(" ")
        try:
            unit, request = decode_request(chunk.data)
        except ProtocolError as error:
            return _line(chunk, f"no question: {error}", hexed=hexed)
        return _line(chunk, f"to unit {unit}", repr(request), hexed=hexed)


class SignLines:
    """The Alpha sign protocol. On a 7E1 line the highest bit is parity, which does not matter here."""

    def __init__(self) -> None:
        self._decoders = {direction: PacketDecoder() for direction in Direction}

    def feed(self, chunk: Chunk) -> list[Line]:
        packets = self._decoders[chunk.direction].feed(chunk.data.translate(_SEVEN_BITS))
        hexed = chunk.data.hex(" ")
        if not packets:
            return [_line(chunk, f"{len(chunk.data)} bytes", hexed=hexed)]
        return [_line(chunk, "a packet", repr(packet), hexed=hexed) for packet in packets]


class ReaderLines:
    """A card reader: every report may be a card."""

    def __init__(self, *, sealed: bool) -> None:
        self._sealed = sealed

    def feed(self, chunk: Chunk) -> list[Line]:
        hexed = chunk.data.hex(" ")
        return [_line(chunk, f"a report of {len(chunk.data)} bytes", hexed=hexed, withheld=not self._sealed)]


def may_name_cards(message: Value) -> bool:
    """Whether the message has a field that is kept out of logs."""
    return bool(message.HIDDEN)


def _line(chunk: Chunk, text: str, message: str = "", *, hexed: str = "", withheld: bool = False) -> Line:
    return Line(
        at_ns=chunk.at_ns,
        direction="in" if chunk.direction is Direction.IN else "out",
        text=text,
        message=message,
        hex="" if withheld else hexed,
        withheld=withheld,
    )


def _frame(frame: frames.Frame) -> str:
    """A frame without its payload, session and token as the pages write them."""
    told = {name: value for name, value in asdict(frame).items() if name != "payload"}
    facts = (
        f"{name}={value:08x}" if name in ("session", "token") else f"{name}={value}" for name, value in told.items()
    )
    return f"{type(frame).__name__}({', '.join(facts)})"


def _in_full(message: Value) -> str:
    facts = (f"{name}={value!r}" for name, value in asdict(message).items())
    return f"{type(message).__name__}({', '.join(facts)})"
