"""Capture files that Wireshark opens: what passed on the wires of a table, with its times. No I/O.

pcapng (draft-ietf-opsawg-pcapng): blocks, each with its type and its length at both ends. A file of ours is a section,
an interface for each device, and a packet for each chunk of bytes that was read or written, as it came. The link type
is USER0: Wireshark shows the bytes, and a dissector can be put on them.

    >>> file = encode(Section(comment="sealed"))
    >>> file += encode(Interface(name="shoe")) + encode(Packet(interface=0, at_ns=1, direction="in", data=b"9h"))
    >>> reader = Reader()
    >>> [type(block).__name__ for block in reader.feed(file[:-1]) + reader.feed(file[-1:])]
    ['Section', 'Interface', 'Packet']
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from struct import Struct, pack, unpack
from typing import Literal

from protocols.errors import ProtocolError
from protocols.values import Value

USER0 = 147
"""The first of the link types that are for everybody's own use."""
MAX_BLOCK = 1 << 20
"""The longest block that is read: Wireshark's own packets end at a quarter of it."""

MAX_INTERFACES = 4096
"""More devices than any building has on one table."""

Direction = Literal["in", "out"]
"""Seen from the board."""


class Section(Value, kw_only=True):
    """The beginning of a file."""

    comment: str = ""
    application: str = ""


class Interface(Value, kw_only=True):
    """A device. They are numbered from 0 in their order in the section."""

    name: str = ""
    description: str = ""
    comment: str = ""
    link_type: int = USER0


class Packet(Value, kw_only=True):
    """Some bytes that passed at once."""

    HIDDEN = frozenset({"data"})
    interface: int
    at_ns: int
    """Nanoseconds since 1970."""
    direction: Direction | None
    data: bytes
    dropped: int = 0
    """Packets of this interface that were lost before it, because the recorder could not keep up."""
    comment: str = ""


Block = Section | Interface | Packet


class _Kind(IntEnum):
    SECTION = 0x0A0D0D0A
    INTERFACE = 1
    PACKET = 6


_BYTE_ORDER = 0x1A2B3C4D
_HEAD = 8
_WHOLE_SECTION = -1
"""The length of a section that goes on to the end of the file."""

_END, _COMMENT = 0, 1
_APPLICATION = 4
_NAME, _DESCRIPTION, _RESOLUTION = 2, 3, 9
_FLAGS, _DROPPED = 2, 4
_DIRECTIONS: dict[Direction, int] = {"in": 1, "out": 2}

Options = list[tuple[int, bytes]]


def encode(block: Block) -> bytes:
    """The block's bytes, little-endian."""
    match block:
        case Section():
            body = pack("<IHHq", _BYTE_ORDER, 1, 0, _WHOLE_SECTION)
            return _block(_Kind.SECTION, body, _text(_COMMENT, block.comment) + _text(_APPLICATION, block.application))
        case Interface():
            options = _text(_COMMENT, block.comment) + _text(_NAME, block.name)
            options += [*_text(_DESCRIPTION, block.description), (_RESOLUTION, b"\x09")]
            return _block(_Kind.INTERFACE, pack("<HHI", block.link_type, 0, 0), options)
        case Packet():
            size = len(block.data)
            if size > MAX_BLOCK // 2 or not 0 <= block.at_ns < 1 << 64:
                raise ProtocolError(f"a packet has at most {MAX_BLOCK // 2} bytes and a time that fits 64 bits")
            high, low = divmod(block.at_ns, 1 << 32)
            body = pack("<IIIII", block.interface, high, low, size, size) + _padded(block.data)
            options = _text(_COMMENT, block.comment)
            if block.direction is not None:
                options.append((_FLAGS, pack("<I", _DIRECTIONS[block.direction])))
            if block.dropped:
                options.append((_DROPPED, pack("<Q", block.dropped)))
            return _block(_Kind.PACKET, body, options)


class Reader:
    """Takes a file apart, as it comes. Holds at most one block."""

    def __init__(self) -> None:
        self._held = bytearray()
        self._order = ""
        """"<" or ">", once a section has begun."""
        self._ticks: list[int] = []
        """Ticks of a second, by interface."""

    @property
    def held(self) -> int:
        """Bytes of the unfinished block."""
        return len(self._held)

    def feed(self, data: bytes) -> list[Block]:
        """The blocks that these bytes complete; those of other kinds are skipped. `ProtocolError` where it is no file
        of this format: nothing behind that point can be read."""
        self._held += data
        found = []
        while (whole := self._next()) is not None:
            kind, body = whole
            block = self._parsed(kind, body)
            if block is not None:
                found.append(block)
        return found

    def end(self) -> None:
        """The file is over; `ProtocolError` where it ends in mid-block."""
        if self._held:
            raise ProtocolError(f"the file ends in the midst of a block: {len(self._held)} bytes are left over")

    def _next(self) -> tuple[int, bytes] | None:
        if len(self._held) < _HEAD + 4:
            return None
        if self._held[:4] == b"\x0a\x0d\x0d\x0a":
            self._order = _order(bytes(self._held[_HEAD : _HEAD + 4]))
        elif not self._order:
            raise ProtocolError("not a pcapng file: it does not begin with a section")
        kind, length = unpack(self._order + "II", self._held[:_HEAD])
        if length % 4 or not _HEAD + 4 <= length <= MAX_BLOCK:
            raise ProtocolError(f"a block has {_HEAD + 4} to {MAX_BLOCK} bytes, in fours; this one says {length}")
        if len(self._held) < length:
            return None
        (again,) = unpack(self._order + "I", self._held[length - 4 : length])
        if again != length:
            raise ProtocolError(f"a block says its length twice; this one {length} and {again}")
        body = bytes(self._held[_HEAD : length - 4])
        del self._held[:length]
        return kind, body

    def _parsed(self, kind: int, body: bytes) -> Block | None:
        match kind:
            case _Kind.SECTION:
                self._ticks = []
                options = dict(self._options(self._fixed(body, "IHHq", "a section")[1]))
                return Section(comment=_string(options, _COMMENT), application=_string(options, _APPLICATION))
            case _Kind.INTERFACE:
                (link_type, _, _), rest = self._fixed(body, "HHI", "an interface")
                options = dict(self._options(rest))
                self._ticks.append(_ticks(options.get(_RESOLUTION, b"\x06")))
                if len(self._ticks) > MAX_INTERFACES:
                    raise ProtocolError(f"a section has at most {MAX_INTERFACES} interfaces")
                return Interface(
                    name=_string(options, _NAME),
                    description=_string(options, _DESCRIPTION),
                    comment=_string(options, _COMMENT),
                    link_type=link_type,
                )
            case _Kind.PACKET:
                return self._packet(body)
        return None

    def _packet(self, body: bytes) -> Packet:
        (interface, high, low, size, _), rest = self._fixed(body, "IIIII", "a packet")
        if interface >= len(self._ticks):
            raise ProtocolError(f"a packet names interface {interface}; the section has {len(self._ticks)}")
        padded = size + -size % 4
        if padded > len(rest):
            raise ProtocolError(f"a packet says {size} bytes; its block has {len(rest)}")
        options = dict(self._options(rest[padded:]))
        return Packet(
            interface=interface,
            at_ns=((high << 32) + low) * 1_000_000_000 // self._ticks[interface],
            direction=_direction(self._number(options, _FLAGS, "I") & 3),
            data=rest[:size],
            dropped=self._number(options, _DROPPED, "Q"),
            comment=_string(options, _COMMENT),
        )

    def _fixed(self, body: bytes, layout: str, what: str) -> tuple[tuple[int, ...], bytes]:
        head = Struct(self._order + layout)
        if len(body) < head.size:
            raise ProtocolError(f"{what} has at least {head.size} bytes, this one has {len(body)}")
        return head.unpack_from(body), body[head.size :]

    def _options(self, data: bytes) -> Iterator[tuple[int, bytes]]:
        at = 0
        while at + 4 <= len(data):
            code, size = unpack(self._order + "HH", data[at : at + 4])
            if code == _END:
                return
            value = data[at + 4 : at + 4 + size]
            if len(value) < size:
                raise ProtocolError(f"option {code} says {size} bytes; {len(value)} are there")
            yield code, value
            at += 4 + size + -size % 4

    def _number(self, options: dict[int, bytes], code: int, layout: str) -> int:
        layout = self._order + layout
        value = options.get(code)
        if value is None:
            return 0
        if len(value) != Struct(layout).size:
            raise ProtocolError(f"option {code} has {Struct(layout).size} bytes, this one has {len(value)}")
        number: int = unpack(layout, value)[0]
        return number


def _block(kind: int, body: bytes, options: Options) -> bytes:
    if options:
        body += b"".join(pack("<HH", code, len(value)) + _padded(value) for code, value in options)
        body += pack("<HH", _END, 0)
    length = pack("<I", _HEAD + len(body) + 4)
    return pack("<I", kind) + length + body + length


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)


def _text(code: int, text: str) -> Options:
    data = text.encode()
    if len(data) > 0xFFFF:
        raise ProtocolError(f"a comment has at most {0xFFFF} bytes, this one has {len(data)}")
    return [(code, data)] if data else []


def _string(options: dict[int, bytes], code: int) -> str:
    return options.get(code, b"").decode("utf-8", "replace")


def _order(magic: bytes) -> str:
    for order in ("<", ">"):
        if unpack(order + "I", magic) == (_BYTE_ORDER,):
            return order
    raise ProtocolError(f"not a pcapng file: its byte order is {magic.hex()}")


def _ticks(resolution: bytes) -> int:
    """Of a second: a power of ten, or with the highest bit of two."""
    if len(resolution) != 1 or resolution[0] & 0x7F > 63:
        raise ProtocolError(f"a time resolution is one byte of at most 63, this one is {resolution.hex()}")
    power: int = resolution[0] & 0x7F
    return 1 << power if resolution[0] & 0x80 else 10**power


def _direction(bits: int) -> Direction | None:
    return next((direction for direction, code in _DIRECTIONS.items() if code == bits), None)
