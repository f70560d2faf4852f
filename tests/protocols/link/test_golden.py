"""The pages that firmware is written from say what our code does: every golden frame, both ways."""

from __future__ import annotations

import re
from operator import itemgetter

import msgspec
import pytest

from protocols import shoe
from protocols.cards import CARD_BYTES
from protocols.link import frames
from protocols.link.framing import CRC_CHECK, Deframer, crc16, encode_frame
from protocols.link.identity import Identify, Identity
from tests.support.wire.golden import Row, check_golden, page, rows

FRAME_TYPES: dict[str, type[frames.Frame]] = {
    frame.__name__: frame
    for frame in (frames.Reset, frames.Hello, frames.Data, frames.Ack, frames.KeepAlive, frames.Nak, frames.Down)
}
MESSAGE_TYPES = {message.__name__: message for message in shoe.CODEC.message_types}


LINK_ROWS = [row for row in rows("device-link.md") if not row[0].startswith("Sealed")]
SHOE_ROWS = rows("shoe.md")


def textbook_crc(data: bytes) -> int:
    """CRC-16/GENIBUS, bit by bit, from its parameters."""
    register = 0xFFFF
    for byte in data:
        register ^= byte << 8
        for _ in range(8):
            register = (register << 1) ^ 0x1021 if register & 0x8000 else register << 1
            register &= 0xFFFF
    return register ^ 0xFFFF


def textbook_cobs(data: bytes) -> bytes:
    """Cheshire and Baker's encoder, byte by byte."""
    out = bytearray(b"\0")
    code_at, code = 0, 1
    for byte in data:
        if byte:
            out.append(byte)
            code += 1
        else:
            out[code_at] = code
            code_at, code = len(out), 1
            out.append(0)
    out[code_at] = code
    return bytes(out)


@pytest.mark.parametrize(("name", "fields", "wire"), LINK_ROWS)
def test_a_golden_frame_is_what_we_send_and_what_we_understand(
    name: str, fields: dict[str, object], wire: bytes
) -> None:
    if name == "Data":
        fields = fields | {"payload": bytes.fromhex(str(fields["payload"]))}
    frame = msgspec.convert(fields, type=FRAME_TYPES[name], builtin_types=(bytes,))

    assert encode_frame(frames.encode(frame)) == wire
    assert [frames.decode(body) for body in Deframer().feed(wire)] == [frame]


@pytest.mark.parametrize("row", SHOE_ROWS, ids=itemgetter(0))
def test_a_golden_shoe_message_is_what_we_send_and_what_we_understand(row: Row) -> None:
    check_golden(shoe.CODEC, row)


def test_the_pages_show_every_frame_and_every_message() -> None:
    assert {name for name, _, _ in LINK_ROWS} == set(FRAME_TYPES)
    assert {name for name, _, _ in SHOE_ROWS} == set(MESSAGE_TYPES)
    assert {Identify, Identity} <= shoe.CODEC.message_types


@pytest.mark.parametrize(("name", "fields", "wire"), LINK_ROWS)
def test_a_textbook_crc_and_a_textbook_cobs_give_the_same_bytes(
    name: str, fields: dict[str, object], wire: bytes
) -> None:
    (body,) = Deframer().feed(wire)
    assert b"\0" + textbook_cobs(body + textbook_crc(body).to_bytes(2, "big")) + b"\0" == wire


def test_the_crc_is_the_catalogues() -> None:
    assert crc16(b"123456789") == textbook_crc(b"123456789") == CRC_CHECK == 0xD64E
    assert "0xD64E" in page("device-link.md")


def test_the_whole_frame_on_the_shoes_page_carries_the_nine_of_hearts() -> None:
    text = page("shoe.md")
    (wire,) = re.findall(r"^    (00 [0-9a-f ]+ 00)$", text, re.MULTILINE)
    (body,) = Deframer().feed(bytes.fromhex(wire))
    frame = frames.decode(body)
    assert isinstance(frame, frames.Data)
    drawn = shoe.decode(frame.payload)
    assert isinstance(drawn, shoe.CardDrawn)
    assert drawn.card == "9h"


def test_the_card_table_on_the_page_is_the_one_in_the_code() -> None:
    text = page("shoe.md")
    suits = {"clubs": "c", "diamonds": "d", "hearts": "h", "spades": "s"}
    table: dict[str | None, int] = {None: 0x00, "Jo": 0x01}
    for suit, star, cells in re.findall(r"^\| (\w+)(, star)? \|((?: [0-9a-f]{2} \|){13})$", text, re.MULTILINE):
        for rank, cell in zip("23456789TJQKA", re.findall(r"[0-9a-f]{2}", cells), strict=True):
            table[rank + suits[suit] + ("*" if star else "")] = int(cell, 16)
    assert table == CARD_BYTES
    assert len(table) == 2 + 2 * 52
