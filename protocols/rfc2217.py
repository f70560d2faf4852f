"""A serial port behind a serial-device server: the client's end of Telnet and RFC 2217, without I/O.

Open it, then bytes go both ways. The owner carries bytes between this and a TCP connection:

    data = client.receive(from_tcp)      what the serial line said
    client.send(data)                    for the serial line
    to_tcp.write(client.outgoing())      after each of these, and once at the beginning

Nothing that comes in raises; a server that will not do what a serial port needs is `REFUSED`, and `refusal` says why.
The page is docs/protocols/serial-server.md.

    >>> client = Client(Settings(baud=115_200))
    >>> client.outgoing().hex(" ")
    'ff fb 00 ff fb 03 ff fb 2c ff fd 00 ff fd 03'
    >>> client.receive(bytes.fromhex("ff fe 2c")), client.refusal
    (b'', 'it does not speak RFC 2217; if it passes bytes on as they are, write socket:// instead')
"""

from __future__ import annotations

from enum import Enum, IntEnum, auto
from typing import Literal

from protocols.errors import ProtocolError
from protocols.values import Value

MAX_SUBNEGOTIATION = 64
"""The longest one of RFC 2217 that matters here has six bytes; a signature may be longer, and is skipped."""
MAX_HELD = 4096
"""Bytes kept while the server has suspended us."""

Parity = Literal["none", "even", "odd"]


class Settings(Value, kw_only=True):
    """The serial line: always 8 data bits and 1 stop bit."""

    baud: int
    parity: Parity = "none"


class State(Enum):
    NEGOTIATING = auto()
    SETTING = auto()
    OPEN = auto()
    REFUSED = auto()


class Verb(IntEnum):
    WILL = 0xFB
    WONT = 0xFC
    DO = 0xFD
    DONT = 0xFE


class _Command(IntEnum):
    SE = 0xF0
    SB = 0xFA
    IAC = 0xFF


class _Option(IntEnum):
    BINARY = 0
    SUPPRESS_GO_AHEAD = 3
    COM_PORT = 44


_KNOWN = frozenset(_Option)


class _Port(IntEnum):
    """Subnegotiations of COM-PORT; the server's answer to ours is the code plus `_ANSWER`."""

    BAUDRATE = 1
    DATASIZE = 2
    PARITY = 3
    STOPSIZE = 4
    CONTROL = 5
    LINESTATE_MASK = 10
    MODEMSTATE_MASK = 11
    PURGE = 12
    SUSPENDED = 108
    RESUMED = 109


_ANSWER = 100
_NO_FLOW_CONTROL, _DTR_ON, _RTS_ON = 1, 8, 11
_BOTH_BUFFERS = 3
_PARITIES: dict[Parity, int] = {"none": 1, "odd": 2, "even": 3}


class _Place(Enum):
    """The position of the next byte in the stream."""

    DATA = auto()
    COMMAND = auto()
    OPTION = auto()
    SUB = auto()
    SUB_COMMAND = auto()


_YES = {Verb.WILL: Verb.DO, Verb.DO: Verb.WILL}
_NO = {Verb.WILL: Verb.DONT, Verb.DO: Verb.WONT}


class Client:
    """One connection to a server."""

    def __init__(self, settings: Settings) -> None:
        self.state = State.NEGOTIATING
        self.refusal = ""
        """Why, once the state is REFUSED."""
        self._settings = settings
        self._place = _Place.DATA
        self._verb = Verb.WILL
        self._sub = bytearray()
        self._sub_too_long = False
        self._out = bytearray()
        self._held = bytearray()
        self._suspended = False
        self._awaited: dict[int, bytes] = {}
        """Answers to settings that have not come, by code."""
        self._asked = {
            (Verb.WILL, _Option.BINARY),
            (Verb.WILL, _Option.SUPPRESS_GO_AHEAD),
            (Verb.WILL, _Option.COM_PORT),
            (Verb.DO, _Option.BINARY),
            (Verb.DO, _Option.SUPPRESS_GO_AHEAD),
        }
        """What we said and the server has not answered."""
        self._agreed: set[tuple[Verb, int]] = set()
        """What both said yes to: (WILL, option) is ours, (DO, option) the server's."""
        self._refused: set[tuple[Verb, int]] = set()
        """Refusals that were sent: each once."""
        for verb, option in sorted(self._asked):
            self._say(verb, option)

    @property
    def held(self) -> int:
        """Bytes kept, for those who watch that it stays bounded."""
        return len(self._sub) + len(self._held)

    def receive(self, data: bytes) -> bytes:
        """The bytes of the serial line among these; none before the port is open."""
        line = bytearray()
        at = 0
        while at < len(data):
            match self._place:
                case _Place.DATA | _Place.SUB:
                    iac = data.find(_Command.IAC, at)
                    end = len(data) if iac < 0 else iac
                    self._carry(data[at:end], line)
                    at = end
                    if iac >= 0:
                        self._place = _Place.COMMAND if self._place is _Place.DATA else _Place.SUB_COMMAND
                        at += 1
                case _Place.COMMAND:
                    self._command(data[at], line)
                    at += 1
                case _Place.OPTION:
                    self._place = _Place.DATA
                    self._negotiate(self._verb, data[at])
                    at += 1
                case _Place.SUB_COMMAND:
                    self._sub_command(data[at])
                    at += 1
        return bytes(line)

    def send(self, data: bytes) -> None:
        """Bytes for the serial line; `ProtocolError` when the port is not open, or suspended for too long."""
        if self.state is not State.OPEN:
            raise ProtocolError(f"the port is {self.state.name}; nothing can be sent")
        escaped = data.replace(b"\xff", b"\xff\xff")
        if not self._suspended:
            self._out += escaped
        elif len(self._held) + len(escaped) <= MAX_HELD:
            self._held += escaped
        else:
            raise ProtocolError(f"the server has suspended us and {MAX_HELD} bytes wait")

    def outgoing(self) -> bytes:
        """The bytes to write to the server now."""
        out = bytes(self._out)
        self._out.clear()
        return out

    def _carry(self, piece: bytes, line: bytearray) -> None:
        if self._place is _Place.DATA:
            if self.state is State.OPEN:
                line += piece
        elif len(self._sub) + len(piece) > MAX_SUBNEGOTIATION:
            self._sub_too_long = True
        else:
            self._sub += piece

    def _command(self, byte: int, line: bytearray) -> None:
        self._place = _Place.DATA
        match byte:
            case _Command.IAC:
                self._carry(b"\xff", line)
            case Verb.WILL | Verb.WONT | Verb.DO | Verb.DONT:
                self._verb = Verb(byte)
                self._place = _Place.OPTION
            case _Command.SB:
                self._sub.clear()
                self._sub_too_long = False
                self._place = _Place.SUB

    def _sub_command(self, byte: int) -> None:
        match byte:
            case _Command.IAC:
                self._place = _Place.SUB
                self._carry(b"\xff", bytearray())
            case _Command.SE:
                self._place = _Place.DATA
                if not self._sub_too_long:
                    self._subnegotiated(bytes(self._sub))
            case _:
                self._place = _Place.DATA

    def _negotiate(self, verb: Verb, option: int) -> None:
        """The server said `verb option`; in our books it is (WILL, option) for our side, (DO, option) for its own."""
        said_yes = verb in _YES
        ours = Verb.WILL if verb in (Verb.DO, Verb.DONT) else Verb.DO
        about = (ours, option)
        was_asked = about in self._asked
        self._asked.discard(about)
        if said_yes:
            self._offered(verb, about, was_asked)
        else:
            if about in self._agreed:
                self._agreed.discard(about)
                self._say(Verb.WONT if ours is Verb.WILL else Verb.DONT, option)
            self._declined(option)
        if self.state is State.NEGOTIATING and self._all_agreed():
            self._set()

    def _offered(self, verb: Verb, about: tuple[Verb, int], was_asked: bool) -> None:
        if about[1] not in _KNOWN:
            if about not in self._refused:
                self._refused.add(about)
                self._say(_NO[verb], about[1])
        elif about not in self._agreed:
            self._agreed.add(about)
            if not was_asked:
                self._say(_YES[verb], about[1])

    def _declined(self, option: int) -> None:
        match option:
            case _Option.BINARY:
                self._refuse("it does not pass all bytes as they are (BINARY is refused)")
            case _Option.COM_PORT if not self._com_port():
                self._refuse("it does not speak RFC 2217; if it passes bytes on as they are, write socket:// instead")

    def _com_port(self) -> bool:
        """Whether either side has agreed to the option, or still may: servers differ in which they use."""
        agreed = {about for about in self._agreed if about[1] == _Option.COM_PORT}
        return bool(agreed) or (Verb.WILL, _Option.COM_PORT) in self._asked

    def _all_agreed(self) -> bool:
        both_binary = {(Verb.WILL, _Option.BINARY), (Verb.DO, _Option.BINARY)}
        com_port = {(Verb.WILL, _Option.COM_PORT), (Verb.DO, _Option.COM_PORT)}
        return both_binary <= self._agreed and bool(com_port & self._agreed)

    def _set(self) -> None:
        """Ask for the line that we want."""
        self.state = State.SETTING
        must_hold = {
            _Port.BAUDRATE: self._settings.baud.to_bytes(4, "big"),
            _Port.DATASIZE: b"\x08",
            _Port.PARITY: bytes((_PARITIES[self._settings.parity],)),
            _Port.STOPSIZE: b"\x01",
        }
        for code, value in must_hold.items():
            self._awaited[code + _ANSWER] = value
            self._say_port(code, value)
        for control in (_NO_FLOW_CONTROL, _DTR_ON, _RTS_ON):
            self._say_port(_Port.CONTROL, bytes((control,)))
        self._say_port(_Port.LINESTATE_MASK, b"\0")
        self._say_port(_Port.MODEMSTATE_MASK, b"\0")
        self._say_port(_Port.PURGE, bytes((_BOTH_BUFFERS,)))

    def _subnegotiated(self, sub: bytes) -> None:
        if len(sub) < 2 or sub[0] != _Option.COM_PORT:
            return
        code, value = sub[1], sub[2:]
        match code:
            case _ if code in self._awaited:
                wanted = self._awaited.pop(code)
                if value != wanted:
                    self._refuse(_differs(_Port(code - _ANSWER), wanted, value))
                elif self.state is State.SETTING and not self._awaited:
                    self.state = State.OPEN
            case _Port.SUSPENDED:
                self._suspended = True
            case _Port.RESUMED:
                self._suspended = False
                self._out += self._held
                self._held.clear()

    def _refuse(self, why: str) -> None:
        if self.state is not State.REFUSED:
            self.state = State.REFUSED
            self.refusal = why

    def _say(self, verb: Verb, option: int) -> None:
        self._out += bytes((_Command.IAC, verb, option))

    def _say_port(self, code: _Port, value: bytes) -> None:
        head, end = (_Command.IAC, _Command.SB, _Option.COM_PORT, code), (_Command.IAC, _Command.SE)
        self._out += bytes(head) + value.replace(b"\xff", b"\xff\xff") + bytes(end)


def _differs(code: _Port, wanted: bytes, value: bytes) -> str:
    what = {
        _Port.BAUDRATE: "baud",
        _Port.DATASIZE: "data bits",
        _Port.PARITY: "parity (1 none, 2 odd, 3 even)",
        _Port.STOPSIZE: "stop bits",
    }[code]
    asked, got = int.from_bytes(wanted, "big"), int.from_bytes(value, "big")
    return f"it does not set the line as asked: {what} should be {asked} and is {got}"
