"""Packets on the line: encoding, and finding them again after noise.

    00 00 00 00 00  SOH  type address [, type address ...]  ( STX command [ ETX [ checksum ] ] ) ...  EOT

No byte of a command is below five, so a command cannot contain a delimiter: a decoder that was fed garbage is in step
again at the next SOH, and whatever it held until then is dropped.

    >>> from protocols.alpha.commands import WriteText
    >>> wire = encode_packet(Packet((WriteText("0"),), (Address("Z", "01"),)))
    >>> wire.hex(" ")
    '00 00 00 00 00 01 5a 30 31 02 41 30 03 30 30 37 36 04'
    >>> PacketDecoder().feed(b"line noise" + wire)
    [Packet(commands=(WriteText(label='0', sections=()),), to=(Address(type_code='Z', sign='01'),), checksum=True)]
"""

from __future__ import annotations

import re
from enum import Enum, auto

from protocols.alpha.codes import ALL_TYPES, EOT, ETX, NUL, RESPONSE, SOH, STX
from protocols.alpha.commands import Command, decode, encode
from protocols.errors import ProtocolError
from protocols.link.framing import FramingStatistics
from protocols.values import Value

WAKE_UP = 5 * NUL
"""From these a sign finds the baud rate."""
ANSWER_WAKE_UP = 20 * NUL
PAUSE_AFTER_STX = 0.1
"""Seconds that a sign wants after each STX of a packet with several commands."""
GIVE_UP_AFTER = 1.0
"""Seconds between two bytes after which a sign drops the packet."""

MAX_HEADER = 64
MAX_COMMAND = 4096
MAX_COMMANDS = 64
EVERY_ADDRESS = "00"


class Address(Value):
    """Which signs should listen: a type code, and two hex digits of which each may be `?`, any."""

    type_code: str = ALL_TYPES
    sign: str = EVERY_ADDRESS

    def reaches(self, type_code: str, sign: str) -> bool:
        """Whether a sign of this type and address is meant.

        >>> Address("Z", "0?").reaches("^", "07"), Address("1", "00").reaches("^", "07")
        (True, False)
        """
        if self.type_code not in (ALL_TYPES, type_code):
            return False
        return self.sign == EVERY_ADDRESS or all(mine in ("?", own) for mine, own in zip(self.sign, sign, strict=True))


EVERY_SIGN = Address()
ANSWER = Address(RESPONSE, EVERY_ADDRESS)
"""Where every answer goes, and all it says about who gave it."""


class Packet(Value):
    """Commands and whom they are for. With a checksum a sign drops what was damaged on the way."""

    commands: tuple[Command, ...]
    to: tuple[Address, ...] = (EVERY_SIGN,)
    checksum: bool = True


def encode_packet(packet: Packet) -> bytes:
    """The bytes on the wire; a packet with several commands has to be sent in `pieces`."""
    return b"".join(pieces(packet))


def pieces(packet: Packet) -> tuple[bytes, ...]:
    """The bytes on the wire, to be sent with `PAUSE_AFTER_STX` in between."""
    if not 1 <= len(packet.commands) <= MAX_COMMANDS:
        raise ProtocolError(f"a packet has 1 to {MAX_COMMANDS} commands, this one {len(packet.commands)}")
    nested = len(packet.commands) > 1
    wake_up = ANSWER_WAKE_UP if packet.to == (ANSWER,) else WAKE_UP
    found = []
    begun = wake_up + SOH + _header(packet.to)
    for command in packet.commands:
        data = encode(command)
        if len(data) > MAX_COMMAND:
            raise ProtocolError(f"a command has up to {MAX_COMMAND} bytes, this one {len(data)}")
        begun += STX
        if nested:
            found.append(begun)
            begun = b""
        begun += data
        if packet.checksum:
            begun += ETX + checksum(data)
        elif nested:
            begun += ETX
    return (*found, begun + EOT)


def checksum(command: bytes) -> bytes:
    """Four hex digits: the sum of all bytes from STX to ETX.

    >>> checksum(b"GaREAD ME")
    b'027B'
    """
    return b"%04X" % ((STX[0] + sum(command) + ETX[0]) & 0xFFFF)


class _Place(Enum):
    """The decoder's position in a packet."""

    OUTSIDE = auto()
    HEADER = auto()
    COMMAND = auto()
    TAIL = auto()
    """Behind an ETX: a checksum, or nothing, before the next STX or the EOT."""


class PacketDecoder:
    """Finds packets in a stream of bytes. What it holds is bounded, whatever it is fed."""

    def __init__(self, statistics: FramingStatistics | None = None) -> None:
        self.statistics = statistics or FramingStatistics()
        self.refused = 0
        """Commands that arrived whole and are none."""
        self._place = _Place.OUTSIDE
        self._part = bytearray()
        self._command = b""
        self._to: tuple[Address, ...] = ()
        self._commands: list[Command] = []
        self._checksums = True
        self._taken = 0
        """Bytes of the unfinished packet so far."""

    @property
    def held(self) -> int:
        """Bytes and commands of the unfinished packet."""
        return len(self._part) + len(self._command) + len(self._commands)

    def feed(self, data: bytes) -> list[Packet]:
        """The packets that these bytes complete, each with those of its commands that are good."""
        packets: list[Packet] = []
        for token in _TOKENS.findall(data):
            if token == SOH:
                self.reset()
                self._place = _Place.HEADER
            elif self._place is _Place.OUTSIDE:
                self.statistics.noise_bytes += len(token)
                continue
            elif token == STX:
                self._begin_command()
            elif token == ETX:
                self._end_command()
            elif token == EOT:
                self._end_packet(packets)
                continue
            else:
                self._hold(token)
            if self._place is not _Place.OUTSIDE:
                self._taken += len(token)
        return packets

    def reset(self) -> None:
        """Drop the unfinished packet: it was cut off, or the line was silent for too long."""
        self.statistics.noise_bytes += self._taken
        self._taken = 0
        self._place = _Place.OUTSIDE
        self._part.clear()
        self._command = b""
        self._commands = []
        self._checksums = True

    def _hold(self, token: bytes) -> None:
        limit = MAX_COMMAND if self._place is _Place.COMMAND else MAX_HEADER
        if len(self._part) + len(token) > limit:
            self.statistics.overruns += 1
            self._taken += len(token)
            self.reset()
        else:
            self._part += token

    def _begin_command(self) -> None:
        match self._place:
            case _Place.HEADER:
                try:
                    self._to = _decode_header(bytes(self._part))
                except ProtocolError:
                    self.reset()
                    return
            case _Place.TAIL if len(self._commands) < MAX_COMMANDS:
                self._judge_command()
            case _:
                self.reset()
                return
        self._part.clear()
        self._place = _Place.COMMAND

    def _end_command(self) -> None:
        if self._place is not _Place.COMMAND:
            self.reset()
            return
        self._command = bytes(self._part)
        self._part.clear()
        self._place = _Place.TAIL

    def _end_packet(self, packets: list[Packet]) -> None:
        if self._place is _Place.COMMAND:
            self._end_command()
        if self._place is _Place.TAIL:
            self._judge_command()
            if self._commands:
                self.statistics.frames += 1
                self._taken = 0
                packets.append(Packet(tuple(self._commands), self._to, self._checksums))
        self.reset()

    def _judge_command(self) -> None:
        """Take the command that has ended, if its checksum is right and it is one."""
        tail = bytes(self._part)
        if tail and tail != checksum(self._command):
            self.statistics.crc_errors += 1
            return
        self._checksums = self._checksums and bool(tail)
        try:
            self._commands.append(decode(self._command))
        except ProtocolError:
            self.refused += 1


_TOKENS = re.compile(rb"[\x01-\x04]|[^\x00-\x04]+")
_ADDRESSES = re.compile(rb"[\x20-\x7e][0-9A-F?]{2}(?:,[\x20-\x7e][0-9A-F?]{2})*")


def _header(to: tuple[Address, ...]) -> bytes:
    header = ",".join(address.type_code + address.sign for address in to)
    if not header.isascii() or not _ADDRESSES.fullmatch(header.encode("ascii")) or len(header) > MAX_HEADER:
        raise ProtocolError(f"a packet is for type codes and addresses such as Z00 or Z01,Z02, not {header!r}")
    return header.encode("ascii")


def _decode_header(header: bytes) -> tuple[Address, ...]:
    if not _ADDRESSES.fullmatch(header):
        raise ProtocolError(f"{header[:16]!r} is no type code and address")
    text = header.decode("ascii")
    return tuple(Address(text[at], text[at + 1 : at + 3]) for at in range(0, len(text), 4))
