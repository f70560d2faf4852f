"""The frames of Modbus RTU: one class per request and per answer, to bytes and back.

A frame is a unit, a function, its data and a CRC.

    >>> encode(1, ReadInputRegisters(address=0, count=26)).hex(" ")
    '01 04 00 00 00 1a 71 c1'
    >>> decode_reply(bytes.fromhex("01 84 02 c2 c1"))
    (1, Refusal(function=4, code=2))
"""

from __future__ import annotations

import struct
from functools import lru_cache
from struct import Struct

from protocols.errors import ProtocolError
from protocols.values import Value

MAX_ADU = 256
MIN_ADU = 4
MAX_UNIT = 247
BROADCAST = 0
MAX_READ = 125
MAX_WRITE = 123
BITS_PER_CHARACTER = 11

READ_HOLDING, READ_INPUT, WRITE_ONE, WRITE_MANY, ENCAPSULATED = 3, 4, 6, 16, 43
READ_IDENTIFICATION = 14
"""The only type of function 43 that is spoken here."""
REFUSED = 0x80

ILLEGAL_FUNCTION, ILLEGAL_ADDRESS, ILLEGAL_VALUE, DEVICE_FAILURE, BUSY = 1, 2, 3, 4, 6
REFUSALS = {
    ILLEGAL_FUNCTION: "illegal function",
    ILLEGAL_ADDRESS: "illegal address",
    ILLEGAL_VALUE: "illegal value",
    DEVICE_FAILURE: "device failure",
    BUSY: "busy",
}

_PAIR = Struct(">HH")
_IDENTIFICATION = Struct(">BBBBBB")


class ReadHoldingRegisters(Value):
    address: int
    count: int


class ReadInputRegisters(Value):
    address: int
    count: int


class WriteRegister(Value):
    address: int
    value: int


class WriteRegisters(Value):
    address: int
    values: tuple[int, ...]


class ReadIdentification(Value):
    level: int
    """1 basic, 2 regular, 3 extended: all of these, from `object_id` on; 4: this one object."""
    object_id: int


class Unanswerable(Value):
    """A request that can only be refused, with this code."""

    function: int
    code: int


class HoldingRegisters(Value):
    values: tuple[int, ...]


class InputRegisters(Value):
    values: tuple[int, ...]


class RegisterWritten(Value):
    address: int
    value: int


class RegistersWritten(Value):
    address: int
    count: int


class Identification(Value):
    level: int
    conformity: int
    more_follows: bool
    next_object: int
    objects: tuple[tuple[int, str], ...]


class Refusal(Value):
    """The unit will not, and says why."""

    function: int
    code: int

    def __str__(self) -> str:
        return f"function {self.function} refused: {REFUSALS.get(self.code, f'code {self.code}')}"


Request = ReadHoldingRegisters | ReadInputRegisters | WriteRegister | WriteRegisters | ReadIdentification
Reply = HoldingRegisters | InputRegisters | RegisterWritten | RegistersWritten | Identification | Refusal


def longest_reply(request: Request) -> int:
    """The longest good answer to a request, in bytes."""
    match request:
        case ReadHoldingRegisters(_, count) | ReadInputRegisters(_, count):
            return 5 + 2 * count
        case WriteRegister() | WriteRegisters():
            return 8
        case ReadIdentification():
            return MAX_ADU


def encode(unit: int, message: Request | Reply) -> bytes:
    """A whole frame; `ProtocolError` for what the standard does not allow."""
    if not 0 <= unit <= MAX_UNIT:
        raise ProtocolError(f"a unit is 0 to {MAX_UNIT}, not {unit}")
    frame = bytes((unit,)) + _pdu(message)
    if len(frame) + 2 > MAX_ADU:
        raise ProtocolError(f"a frame has at most {MAX_ADU} bytes, this one would have {len(frame) + 2}")
    return frame + crc16(frame).to_bytes(2, "little")


def decode_request(adu: bytes) -> tuple[int, Request | Unanswerable]:
    """The unit and the request of a whole frame; `ProtocolError` when it is none."""
    _check(adu)
    unit, function, data = adu[0], adu[1], adu[2:-2]
    if request_length(adu[:7]) not in (len(adu), None):
        return unit, Unanswerable(function, ILLEGAL_VALUE)
    match function:
        case 3 | 4:
            address, count = _PAIR.unpack(data)
            if not 1 <= count <= MAX_READ:
                return unit, Unanswerable(function, ILLEGAL_VALUE)
            kind = ReadHoldingRegisters if function == READ_HOLDING else ReadInputRegisters
            return unit, kind(address, count)
        case 6:
            return unit, WriteRegister(*_PAIR.unpack(data))
        case 16 if len(data) >= 5:
            address, count = _PAIR.unpack_from(data)
            if not 1 <= count <= MAX_WRITE or data[4] != 2 * count:
                return unit, Unanswerable(function, ILLEGAL_VALUE)
            return unit, WriteRegisters(address, _registers(data[5:]))
        case 43 if len(data) == 3 and data[0] == READ_IDENTIFICATION:
            if not 1 <= data[1] <= 4:
                return unit, Unanswerable(function, ILLEGAL_VALUE)
            return unit, ReadIdentification(data[1], data[2])
    return unit, Unanswerable(function, ILLEGAL_FUNCTION)


def decode_reply(adu: bytes) -> tuple[int, Reply]:
    """The unit and the answer of a whole frame; `ProtocolError` when it is none."""
    _check(adu)
    if reply_length(adu) != len(adu):
        raise ProtocolError(f"{len(adu)} bytes are not the length of an answer to function {adu[1] & ~REFUSED}")
    unit, function, data = adu[0], adu[1], adu[2:-2]
    if function & REFUSED:
        return unit, Refusal(function & ~REFUSED, data[0])
    match function:
        case 3:
            return unit, HoldingRegisters(_registers(data[1:]))
        case 4:
            return unit, InputRegisters(_registers(data[1:]))
        case 6:
            return unit, RegisterWritten(*_PAIR.unpack(data))
        case 16:
            return unit, RegistersWritten(*_PAIR.unpack(data))
    return unit, _identification(data)


@lru_cache(128)
def crc16(data: bytes) -> int:
    """CRC-16/MODBUS: polynomial 0x8005 reflected, init 0xFFFF, no final XOR.

    >>> hex(crc16(b"123456789"))
    '0x4b37'
    """
    register = 0xFFFF
    for byte in data:
        register = register >> 8 ^ _CRC_TABLE[(register ^ byte) & 0xFF]
    return register


def _crc_of_byte(value: int) -> int:
    for _ in range(8):
        value = value >> 1 ^ 0xA001 if value & 1 else value >> 1
    return value


_CRC_TABLE = tuple(map(_crc_of_byte, range(256)))


def _check(adu: bytes) -> None:
    if not MIN_ADU <= len(adu) <= MAX_ADU:
        raise ProtocolError(f"a frame has {MIN_ADU} to {MAX_ADU} bytes, this one has {len(adu)}")
    if crc16(adu[:-2]).to_bytes(2, "little") != adu[-2:]:
        raise ProtocolError("the CRC is wrong")


def function_of(request: Request) -> int:
    match request:
        case ReadHoldingRegisters():
            return READ_HOLDING
        case ReadInputRegisters():
            return READ_INPUT
        case WriteRegister():
            return WRITE_ONE
        case WriteRegisters():
            return WRITE_MANY
        case ReadIdentification():
            return ENCAPSULATED


def request_length(head: bytes | bytearray) -> int | None:
    """The length of the request that begins so; None: not known, or not yet."""
    if len(head) < 2:
        return None
    match head[1]:
        case 3 | 4 | 6:
            return 8
        case 16 if len(head) >= 7:
            return 9 + head[6]
        case 43 if len(head) >= 3 and head[2] == READ_IDENTIFICATION:
            return 7
    return None


def reply_length(head: bytes | bytearray) -> int | None:
    """The length of the answer that begins so (at least `MIN_ADU` bytes of it); None: not known, or not yet."""
    function = head[1]
    if function & REFUSED:
        return 5
    match function:
        case 3 | 4:
            return 5 + head[2] if head[2] % 2 == 0 else None
        case 6 | 16:
            return 8
        case 43 if head[2] == READ_IDENTIFICATION and len(head) >= 8:
            at = 8
            for _ in range(head[7]):
                if at + 2 > len(head):
                    return None
                at += 2 + head[at + 1]
            return at + 2
    return None


def _pdu(message: Request | Reply) -> bytes:
    match message:
        case ReadHoldingRegisters(address, count) | ReadInputRegisters(address, count):
            _expect("a count", count, 1, MAX_READ)
            return bytes((function_of(message),)) + _pair(address, count)
        case WriteRegister(address, value) | RegisterWritten(address, value):
            return bytes((WRITE_ONE,)) + _pair(address, value)
        case WriteRegisters(address, values):
            _expect("a count", len(values), 1, MAX_WRITE)
            return bytes((WRITE_MANY,)) + _pair(address, len(values)) + bytes((2 * len(values),)) + _bytes(values)
        case RegistersWritten(address, count):
            return bytes((WRITE_MANY,)) + _pair(address, count)
        case ReadIdentification(level, object_id):
            _expect("a level", level, 1, 4)
            _expect("an object", object_id, 0, 0xFF)
            return bytes((ENCAPSULATED, READ_IDENTIFICATION, level, object_id))
        case HoldingRegisters(values):
            _expect("a count", len(values), 1, MAX_READ)
            return bytes((READ_HOLDING, 2 * len(values))) + _bytes(values)
        case InputRegisters(values):
            _expect("a count", len(values), 1, MAX_READ)
            return bytes((READ_INPUT, 2 * len(values))) + _bytes(values)
        case Identification():
            return bytes((ENCAPSULATED,)) + _identification_bytes(message)
        case Refusal(function, code):
            _expect("a function", function, 1, 0x7F)
            _expect("a code", code, 0, 0xFF)
            return bytes((function | REFUSED, code))


def _identification_bytes(message: Identification) -> bytes:
    _expect("a count of objects", len(message.objects), 0, 0xFF)
    _expect("a level", message.level, 0, 0xFF)
    _expect("a conformity", message.conformity, 0, 0xFF)
    _expect("a next object", message.next_object, 0, 0xFF)
    out = _IDENTIFICATION.pack(
        READ_IDENTIFICATION,
        message.level,
        message.conformity,
        0xFF if message.more_follows else 0,
        message.next_object,
        len(message.objects),
    )
    for number, text in message.objects:
        _expect("an object", number, 0, 0xFF)
        try:
            value = text.encode("latin-1")
        except UnicodeEncodeError as error:
            raise ProtocolError(f"object {number} has characters that do not fit a byte") from error
        _expect("the length of an object", len(value), 0, 0xFF)
        out += bytes((number, len(value))) + value
    return out


def _identification(data: bytes) -> Identification:
    _, level, conformity, more, next_object, count = _IDENTIFICATION.unpack_from(data)
    if more not in (0, 0xFF):
        raise ProtocolError(f"more follows is 0x00 or 0xff, not 0x{more:02x}")
    objects = []
    at = _IDENTIFICATION.size
    for _ in range(count):
        end = at + 2 + data[at + 1]
        objects.append((data[at], data[at + 2 : end].decode("latin-1")))
        at = end
    return Identification(level, conformity, more == 0xFF, next_object, tuple(objects))


def _registers(data: bytes) -> tuple[int, ...]:
    return struct.unpack(f">{len(data) // 2}H", data)


def _bytes(values: tuple[int, ...]) -> bytes:
    for value in values:
        _expect("a register", value, 0, 0xFFFF)
    return struct.pack(f">{len(values)}H", *values)


def _pair(first: int, second: int) -> bytes:
    _expect("an address", first, 0, 0xFFFF)
    _expect("a register", second, 0, 0xFFFF)
    return _PAIR.pack(first, second)


def _expect(what: str, value: int, lowest: int, highest: int) -> None:
    if not lowest <= value <= highest:
        raise ProtocolError(f"{what} is {lowest} to {highest}, not {value}")
