"""What a technician sees of a wire: every frame and message, and no card."""

from __future__ import annotations

import re

import pytest

from devices.kinds import NAMES, kind_of
from devices.lines import Lines, TraceLine
from devices.link.lines import lines_of
from devices.ports.tap import Chunk, Direction
from protocols.alpha.commands import WriteString
from protocols.alpha.packets import Address, Packet, encode_packet
from protocols.link import frames
from protocols.link.framing import encode_frame
from protocols.link.seal import Seal
from protocols.modbus.frames import InputRegisters, ReadInputRegisters, encode
from tests.support.hostile.fuzz import inputs
from tests.support.wire.golden import rows

SESSION = 0x5EA51DE0


def data(payload: bytes, seq: int = 0) -> bytes:
    return encode_frame(frames.encode(frames.Data(SESSION, seq, 0, payload)))


def came(lines: Lines, wire: bytes, direction: Direction = Direction.IN) -> list[TraceLine]:
    return lines.feed(Chunk(1_772_388_127_114_000_000, direction, wire))


def test_a_frame_of_the_link_is_printed_as_its_page_writes_it() -> None:
    (line,) = came(lines_of("shoe"), bytes.fromhex("00 06 04 5e a5 1d e0 04 02 94 a1 00"))
    assert list(line.rows()) == [
        "18:02:07.114 in   Ack(session=0x5ea51de0, ack=2)",
        "                  00 06 04 5e a5 1d e0 04 02 94 a1 00",
    ]


def test_a_card_is_printed_without_the_card_and_without_its_bytes() -> None:
    payload = bytes.fromhex("40 c0 ff ee 01 00 00 00 02 00 00 00 00 00 00 ee 48 00 00 00 01 29 d6 00")
    (line,) = came(lines_of("shoe"), data(payload))
    assert line.withheld
    assert line.message == ("CardDrawn(boot=0xc0ffee01, event_no=2, uptime_ms=61000, draw_no=1, why=None)")
    assert list(line.rows())[-1].strip() == "hex withheld: it may name cards"
    (sealed,) = came(lines_of("shoe", sealed=True), data(payload))
    assert "card='9h'" in sealed.message
    assert sealed.hex == data(payload).hex(" ")


def test_a_sealed_frame_is_shown_like_any_other_and_its_card_is_not() -> None:
    payload = bytes.fromhex("40 c0 ff ee 01 00 00 00 02 00 00 00 00 00 00 ee 48 00 00 00 01 29 d6 00")
    body = Seal(bytes(32), "device").close(frames.encode(frames.Data(SESSION, 0, 0, payload)))
    (line,) = came(lines_of("shoe"), encode_frame(body))
    assert line.text == "Data(session=0x5ea51de0, seq=0, ack=0), sealed"
    assert line.withheld and "9h" not in line.message and line.message.startswith("CardDrawn(")


@pytest.mark.parametrize("kind", [name for name in NAMES if kind_of(name).link is not None])
def test_no_golden_message_gives_a_card_away(kind: str) -> None:
    """For every message of its page: one with a field that is kept out of logs is shown without its bytes."""
    link = kind_of(kind).link
    assert link is not None
    lines = lines_of(kind)
    lines_seen = 0
    for name, fields, payload in rows(f"{kind.replace('_', '-')}.md"):
        if name not in {message.__name__ for message in link.codec.message_types}:
            continue
        (line,) = came(lines, data(payload))
        assert line.message.startswith(name)
        assert line.withheld == (not line.hex)
        if isinstance(fields.get("card"), str) or isinstance(fields.get("cards"), tuple):
            assert line.withheld
            assert not re.search(r"\bcards?=", line.message)
        lines_seen += 1
    assert lines_seen > 5


def test_a_message_that_cannot_be_decoded_might_be_a_card() -> None:
    for payload in (b"\x40\x29\xd6", b"\x7f\x29"):
        (line,) = came(lines_of("shoe"), data(payload))
        assert line.withheld
        assert "29" not in line.hex
        assert line.message.startswith("not a message")


def test_noise_is_counted_and_not_shown() -> None:
    damaged = bytearray(data(bytes.fromhex("40 c0 ff ee 01 00 00 00 02 00 00 00 00 00 00 ee 48 00 00 00 01 29 d6 00")))
    damaged[-3] ^= 1
    (line,) = came(lines_of("shoe"), bytes(damaged))
    assert line.text == f"{len(damaged) - 2} bytes of noise"
    assert not line.hex


def test_a_device_that_nobody_named_is_known_by_its_hello() -> None:
    lines = lines_of(None)
    hello = frames.Hello(SESSION, 1, 1, 4, 240, 3)
    throw = next(payload for name, _, payload in rows("dice-cup.md") if name not in ("Identify", "Identity"))
    first, second = came(lines, encode_frame(frames.encode(hello)) + data(throw))
    assert first.text.startswith("Hello(session=0x5ea51de0, token=0x00000001")
    assert "no message" not in second.message


def test_a_modbus_line_is_a_question_and_its_answer() -> None:
    lines = lines_of("drop_box")
    question, answer = encode(7, ReadInputRegisters(0, 2)), encode(7, InputRegisters((1, 2)))
    (asked,) = came(lines, question, Direction.OUT)
    assert (asked.text, asked.message) == ("to unit 7", repr(ReadInputRegisters(0, 2)))
    assert came(lines, answer[:3]) == []
    (line,) = came(lines, answer[3:])
    assert (line.text, line.message, line.hex) == ("from unit 7", repr(InputRegisters((1, 2))), answer.hex(" "))
    assert came(lines, b"\x07\x04") == []
    left, _ = came(lines, question, Direction.OUT)
    assert left.text == "no answer in 2 bytes"


def test_a_packet_to_a_sign_is_printed_as_it_is() -> None:
    packet = Packet((WriteString("A", ()),), (Address("Z", "01"),))
    (line,) = came(lines_of("reader_board"), encode_packet(packet), Direction.OUT)
    assert line.message == repr(packet)


def test_a_card_readers_reports_are_withheld() -> None:
    (line,) = came(lines_of("card_reader"), b"\x02\x029H")
    assert line.withheld
    (sealed,) = came(lines_of("card_reader", sealed=True), b"\x02\x029H")
    assert sealed.hex == "02 02 39 48"


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kind", ["shoe", "drop_box", "reader_board", None])
def test_no_bytes_upset_the_decoders(kind: str | None) -> None:
    good = [data(payload) for _, _, payload in rows("shoe.md")]
    good += [encode(7, ReadInputRegisters(0, 2)), encode(7, InputRegisters((1, 2)))]
    lines = lines_of(kind)
    for number, wire in enumerate(inputs(f"lines {kind}", good)):
        try:
            came(lines, wire, Direction.IN if number % 3 else Direction.OUT)
        except Exception as error:
            raise AssertionError(f"input {number}, {wire.hex(' ')}: {type(error).__name__}") from error
