"""The commands of the Alpha sign protocol, and a sign's answers: one class each.

An answer repeats the *write* command with what was asked for: a sign that is asked for text A answers with a
`WriteText`. Only `MemoryPool` and `GeneralInformation` are answers alone.

    >>> from protocols.alpha.codes import Mode, Position
    >>> encode(WriteText("A", (Section(Position.FILL, Mode.HOLD, ("BANKER 7",)),)))
    b'AA\\x1b0bBANKER 7'
    >>> decode(b"A0")
    WriteText(label='0', sections=())
"""

from __future__ import annotations

from protocols.alpha.codes import MAX_PRIORITY, MAX_STRING, PRIORITY, Readable
from protocols.alpha.special import SpecialFunction, decode_special, encode_special
from protocols.alpha.text import Items, Section, check_label, decode_items, decode_text, encode_items, encode_text
from protocols.errors import ProtocolError
from protocols.values import Value


class WriteText(Value):
    """Fill a TEXT file. Without sections it is emptied; the priority file then gives the display back."""

    label: str
    sections: tuple[Section, ...] = ()


class ReadText(Value):
    label: str


class WriteString(Value):
    """Fill a STRING file, which a text calls: it changes on the display without a blink."""

    label: str
    items: Items = ()


class ReadString(Value):
    label: str


class ReadSpecial(Value):
    what: Readable


Command = WriteText | ReadText | WriteString | ReadString | ReadSpecial | SpecialFunction


def encode(command: Command) -> bytes:
    """The bytes between STX and ETX."""
    match command:
        case WriteText(label, sections):
            return b"A" + check_label(label) + _text(label, sections)
        case ReadText(label):
            return b"B" + check_label(label)
        case WriteString(label, items):
            return b"G" + _string_label(label) + _string(items)
        case ReadString(label):
            return b"H" + _string_label(label)
        case ReadSpecial(what):
            return b"F" + what.value
        case _:
            return b"E" + encode_special(command)


def decode(data: bytes) -> Command:
    """The command in these bytes; `ProtocolError` says why there is none."""
    code, rest = data[:1], data[1:]
    match code:
        case b"A":
            return WriteText(_decode_label(rest), decode_text(rest[1:]))
        case b"B":
            return ReadText(_only_label(rest))
        case b"G":
            return WriteString(_decode_label(rest), decode_items(rest[1:]))
        case b"H":
            return ReadString(_only_label(rest))
        case b"F":
            try:
                return ReadSpecial(Readable(rest))
            except ValueError:
                raise ProtocolError(f"a sign is not asked for the special function {rest[:8]!r}") from None
        case b"E":
            return decode_special(rest)
        case _:
            raise ProtocolError(f"there is no command {code!r}, or we do not speak it")


def _text(label: str, sections: tuple[Section, ...]) -> bytes:
    data = encode_text(sections)
    if label == PRIORITY and len(data) > MAX_PRIORITY:
        raise ProtocolError(f"the priority file holds {MAX_PRIORITY} bytes, this message has {len(data)}")
    return data


def _string_label(label: str) -> bytes:
    if label == PRIORITY:
        raise ProtocolError("a string cannot have the label 0")
    return check_label(label)


def _string(items: Items) -> bytes:
    data = encode_items(items)
    if len(data) > MAX_STRING:
        raise ProtocolError(f"a string holds {MAX_STRING} bytes, this one has {len(data)}")
    return data


def _decode_label(data: bytes) -> str:
    label = data[:1].decode("latin-1")
    check_label(label)
    return label


def _only_label(data: bytes) -> str:
    if len(data) != 1:
        raise ProtocolError(f"a read has one label, this one {data[:8]!r}")
    return _decode_label(data)
