"""The device link, decoded for a technician: frames, and the messages in them."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import asdict

from devices.kinds import DeviceKind, kind_of, kind_of_class
from devices.lines import Lines, TraceLine
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


_HEXADECIMAL = frozenset({"boot", "session", "token"})


class LinkLines:
    """The device link: frames, and the messages in them."""

    def __init__(self, kind: DeviceKind | None, *, sealed: bool) -> None:
        self._kind = kind
        self._sealed = sealed
        self._deframers = {direction: Deframer() for direction in Direction}

    def feed(self, chunk: Chunk) -> list[TraceLine]:
        deframer = self._deframers[chunk.direction]
        noise = deframer.statistics.noise_bytes
        lines = [self._line(chunk, body) for body in deframer.feed(chunk.data)]
        noise = deframer.statistics.noise_bytes - noise
        if noise:
            hexed = "" if lines else chunk.data.hex(" ")
            lines.append(
                TraceLine.of(chunk, f"{noise} bytes of noise", hexed=hexed, withheld=not (lines or self._sealed))
            )
        return lines

    def _line(self, chunk: Chunk, body: bytes) -> TraceLine:
        hexed = encode_frame(body).hex(" ")
        try:
            frame = frames.decode(seal.stripped(body) if seal.is_sealed(body) else body)
        except ProtocolError as error:
            return TraceLine.of(chunk, f"not a frame: {error}", hexed=hexed, withheld=not self._sealed)
        if isinstance(frame, frames.Hello):
            self._kind = kind_of_class(frame.device_class) or self._kind
        text = _frame(frame) + (", sealed" if seal.is_sealed(body) else "")
        if not isinstance(frame, frames.Data):
            return TraceLine.of(chunk, text, hexed=hexed)
        return self._data(chunk, frame, text, hexed)

    def _data(self, chunk: Chunk, frame: frames.Data, text: str, hexed: str) -> TraceLine:
        try:
            message = decode(self._kind, frame.payload)
        except ProtocolError as error:
            return TraceLine.of(chunk, text, f"not a message: {error}", hexed=hexed, withheld=not self._sealed)
        if self._sealed:
            return TraceLine.of(chunk, text, words(message, asdict(message)), hexed=hexed)
        return TraceLine.of(chunk, text, public_words(message), hexed=hexed, withheld=bool(message.HIDDEN))


def _frame(frame: frames.Frame) -> str:
    """A frame without its payload."""
    return words(frame, {name: value for name, value in asdict(frame).items() if name != "payload"})


def public_words(message: Value) -> str:
    """A message without the fields that may name cards."""
    return words(message, {name: value for name, value in asdict(message).items() if name not in message.HIDDEN})


def words(value: Value, fields: Mapping[str, object]) -> str:
    """The name of a message or frame and these of its fields, with numbers in hexadecimal as in docs/protocols."""
    facts = (
        f"{name}=0x{field:08x}" if name in _HEXADECIMAL and isinstance(field, int) else f"{name}={field!r}"
        for name, field in fields.items()
    )
    return f"{type(value).__name__}({', '.join(facts)})"
