"""The content of a message: characters, colours, calls of other files.

A message is a tuple of items, plain strings and the codes between them:

    >>> said = (Colour.RED, "BANKER ", Colour.AMBER, "7", Control.NEW_LINE, CallString("a"))
    >>> encode_items(said)
    b'\\x1c1BANKER \\x1c37\\r\\x10a'
    >>> decode_items(encode_items(said)) == said
    True
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from protocols.alpha.codes import ESC, Colour, Control, Font, Mode, Position
from protocols.errors import ProtocolError
from protocols.values import Value


class CallString(Value):
    """Shows the content of a STRING file."""

    label: str


class CallPicture(Value):
    """Shows a DOTS picture."""

    label: str


class CallDate(Value):
    """Shows the sign's date: "0" to "7" figures in some order, "8" MMM.DD, YYYY, "9" the day of the week."""

    form: str


class Extended(Value):
    """One character from 0x80 to 0xC1 of the sign's own set."""

    code: int


Item = str | Colour | Font | Control | CallString | CallPicture | CallDate | Extended
Items = tuple[Item, ...]


class Section(Value):
    """Part of a TEXT file with its own position and mode. The first may have none: the sign's own stay."""

    position: Position | None
    mode: Mode | None
    items: Items = ()


def encode_text(sections: Iterable[Section]) -> bytes:
    """The data of a TEXT file behind its label."""
    data = bytearray()
    for section in sections:
        if section.position is not None and section.mode is not None:
            data += ESC + section.position.value + section.mode.value
        elif section.position is not None or section.mode is not None:
            raise ProtocolError("a section of a text has a position and a mode, or neither")
        elif data:
            raise ProtocolError("only the first section of a text may be without position and mode")
        data += encode_items(section.items)
    return bytes(data)


def decode_text(data: bytes) -> tuple[Section, ...]:
    """The sections again; `ProtocolError` says what does not belong into a text."""
    head, *rest = data.split(ESC)
    sections = [Section(None, None, decode_items(head))] if head else []
    for piece in rest:
        position = _POSITIONS.get(piece[:1])
        if position is None:
            raise ProtocolError(f"a text has the position {piece[:1]!r}, which there is not")
        code = piece[1:3] if piece[1:2] == b"n" else piece[1:2]
        mode = _MODES.get(code)
        if mode is None:
            raise ProtocolError(f"a text has the mode {code!r}, which there is not")
        sections.append(Section(position, mode, decode_items(piece[1 + len(code) :])))
    return tuple(sections)


def encode_items(items: Iterable[Item]) -> bytes:
    return b"".join(map(_encode_item, items))


def decode_items(data: bytes) -> Items:
    """The items again, neighbouring characters as one string."""
    found: list[Item] = []
    at = 0
    for match in _ITEM.finditer(data):
        if match.start() != at:
            break
        at = match.end()
        found.append(_decode_item(match))
    if at != len(data):
        raise ProtocolError(f"a text has {data[at : at + 3].hex(' ')} in it, which means nothing")
    return tuple(found)


def check_label(label: str) -> bytes:
    """A file's label as its byte."""
    if len(label) != 1 or not " " <= label <= "~" or label == "?":
        raise ProtocolError(f"a file's label is one character from space to ~ and not ?, this one is {label!r}")
    return label.encode("ascii")


FIRST_EXTENDED, LAST_EXTENDED = 0x80, 0xC1
_EXTENDED_OFFSET = 0x60
"""The two-byte form is 08 and the code less this, which fits into seven bits."""

_POSITIONS = {position.value: position for position in Position}
_MODES = {mode.value: mode for mode in Mode}
_CODES: dict[bytes, Item] = {code.value: code for kind in (Colour, Font, Control) for code in kind}
_ITEM = re.compile(
    rb"(?P<chars>[\x20-\x7f]+)"
    rb"|\x10(?P<string>[\x20-\x7e])"
    rb"|\x14(?P<picture>[\x20-\x7e])"
    rb"|\x0b(?P<date>[0-9])"
    rb"|\x08(?P<extended>[\x20-\x61])"
    rb"|(?P<byte>[\x80-\xc1])"
    rb"|(?P<code>" + b"|".join(re.escape(code) for code in sorted(_CODES, key=len, reverse=True)) + rb")",
    re.DOTALL,
)


def _encode_item(item: Item) -> bytes:
    match item:
        case str():
            if not all(" " <= character <= "\x7f" for character in item):
                raise ProtocolError(f"a sign has the characters from space to 7f, not all of {item!r}")
            return item.encode("ascii")
        case Colour() | Font() | Control():
            value: bytes = item.value
            return value
        case CallString(label):
            return b"\x10" + check_label(label)
        case CallPicture(label):
            return b"\x14" + check_label(label)
        case CallDate(form):
            if len(form) != 1 or form not in "0123456789":
                raise ProtocolError(f"a date has a form from 0 to 9, not {form!r}")
            return b"\x0b" + form.encode("ascii")
        case Extended(code):
            if not FIRST_EXTENDED <= code <= LAST_EXTENDED:
                raise ProtocolError(f"the extended characters are 80 to c1, not {code:x}")
            return bytes((0x08, code - _EXTENDED_OFFSET))


def _decode_item(match: re.Match[bytes]) -> Item:
    kind, data = match.lastgroup, match[match.lastgroup or 0]
    match kind:
        case "chars":
            return data.decode("ascii")
        case "string":
            check_label(data.decode("ascii"))
            return CallString(data.decode("ascii"))
        case "picture":
            check_label(data.decode("ascii"))
            return CallPicture(data.decode("ascii"))
        case "date":
            return CallDate(data.decode("ascii"))
        case "extended":
            return Extended(data[0] + _EXTENDED_OFFSET)
        case "byte":
            return Extended(data[0])
        case _:
            return _CODES[data]
