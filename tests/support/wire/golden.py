"""The golden rows of the protocol pages: what a firmware engineer checks a device against, and we ourselves."""

from __future__ import annotations

import ast
import re
from typing import Any

import msgspec
import pytest

from protocols.cards import CARD_BYTES
from protocols.errors import ProtocolError
from protocols.link.messages import Codec
from tests.support.project import ROOT

PAGES = ROOT / "docs" / "protocols"

_ROW = re.compile(r"^\| `(\w+)\((.*)\)` \| `([0-9a-f ]+)` \|$", re.MULTILINE)


def page(name: str) -> str:
    return (PAGES / name).read_text(encoding="utf-8")


def with_byte(data: bytes, at: int, value: int) -> bytes:
    """The same bytes with another one in this place."""
    changed = bytearray(data)
    changed[at] = value
    return bytes(changed)


def check_card_bytes(codec: Codec[Any], message: bytes, at: int) -> None:
    """Bytes that are no card are an error, even if the card and its inverted copy behind it agree."""
    for value in set(range(256)) - set(CARD_BYTES.values()):
        with pytest.raises(ProtocolError):
            codec.decode(with_byte(with_byte(message, at, value), at + 1, value ^ 0xFF))


Row = tuple[str, dict[str, object], bytes]
"""A message's name, its fields and its bytes."""


def check_golden(codec: Codec[Any], row: Row) -> None:
    """A golden message is what we send and what we understand."""
    name, fields, payload = row
    (kind,) = (kind for kind in codec.message_types if kind.__name__ == name)
    message = msgspec.convert(fields, type=kind)
    assert codec.encode(message) == payload
    assert codec.decode(payload) == message


def rows(name: str) -> list[Row]:
    """Every golden row of a page: the message's name, its fields, its bytes."""
    found = []
    for message, fields, hexed in _ROW.findall(page(name)):
        call = ast.parse(f"f({fields})", mode="eval").body
        assert isinstance(call, ast.Call)
        values = {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in call.keywords}
        found.append((message, values, bytes.fromhex(hexed)))
    return found
