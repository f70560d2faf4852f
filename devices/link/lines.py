"""The device link, decoded for a technician: frames, and the messages in them."""

from __future__ import annotations

from msgspec.structs import asdict

from devices.kinds import DeviceKind, kind_of, kind_of_class
from devices.lines import Line, Lines
from devices.ports.tap import Chunk, Direction
from protocols.errors import ProtocolError
from protocols.firmware import companion
from protocols.link import frames, seal
from protocols.link.framing import Deframer, encode_frame
from protocols.values import Value


def lines_of(kind: str | None, *, sealed: bool = False) -> Lines:
    """The decoder for a device of this kind. None: a device on the link, whose HELLO names its kind."""
    known = None if kind is None else kind_of(kind)
    if known is not None and known.lines is not None:
        return known.lines(sealed)
    return LinkLines(known, sealed=sealed)


def decode(kind: DeviceKind | None, message: bytes) -> Value:
    """A message of this kind of device, or one that all devices share; `ProtocolError` where it is neither."""
    if companion.is_companion(message):
        return companion.decode(message)
    if kind is None or kind.link is None:
        raise ProtocolError("the kind of device is not known")
    decoded: Value = kind.link.codec.decode(message)
    return decoded


class LinkLines:
    """The device link: frames, and the messages in them."""

    def __init__(self, kind: DeviceKind | None, *, sealed: bool) -> None:
        self._kind = kind
        self._sealed = sealed
        self._deframers = {direction: Deframer() for direction in Direction}

    def feed(self, chunk: Chunk) -> list[Line]:
        deframer = self._deframers[chunk.direction]
        noise = deframer.statistics.noise_bytes
        lines = [self._line(chunk, body) for body in deframer.feed(chunk.data)]
        noise = deframer.statistics.noise_bytes - noise
        if noise:
            lines.append(Line.of(chunk, f"{noise} bytes of noise"))
        return lines

    def _line(self, chunk: Chunk, body: bytes) -> Line:
        hexed = encode_frame(body).hex(" ")
        try:
            frame = frames.decode(seal.stripped(body) if seal.is_sealed(body) else body)
        except ProtocolError as error:
            return Line.of(chunk, f"not a frame: {error}", hexed=hexed, withheld=not self._sealed)
        if isinstance(frame, frames.Hello):
            self._kind = kind_of_class(frame.device_class) or self._kind
        text = _frame(frame) + (", sealed" if seal.is_sealed(body) else "")
        if not isinstance(frame, frames.Data):
            return Line.of(chunk, text, hexed=hexed)
        return self._data(chunk, frame, text, hexed)

    def _data(self, chunk: Chunk, frame: frames.Data, text: str, hexed: str) -> Line:
        try:
            message = decode(self._kind, frame.payload)
        except ProtocolError as error:
            return Line.of(chunk, text, f"not a message: {error}", hexed=hexed, withheld=not self._sealed)
        if self._sealed:
            return Line.of(chunk, text, _in_full(message), hexed=hexed)
        return Line.of(chunk, text, repr(message), hexed=hexed, withheld=bool(message.HIDDEN))


def _frame(frame: frames.Frame) -> str:
    """A frame without its payload. Session and token are in hexadecimal, as in docs/protocols."""
    facts = (
        f"{name}={value:08x}" if name in ("session", "token") else f"{name}={value}"
        for name, value in asdict(frame).items()
        if name != "payload"
    )
    return f"{type(frame).__name__}({', '.join(facts)})"


def _in_full(message: Value) -> str:
    facts = (f"{name}={value!r}" for name, value in asdict(message).items())
    return f"{type(message).__name__}({', '.join(facts)})"
