"""A device that is nearly right: what the controller says of it. docs/protocols/bring-up.md has the same table."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from protocols.link import frames
from protocols.link.diagnosis import KEPT, Finding
from protocols.link.frames import Ack, Data, Down, Hello, KeepAlive, Reset
from protocols.link.framing import cobs_encode, crc16, encode_frame
from protocols.link.session import ControllerLink, LinkState, Timings
from protocols.link.session import Down as LinkDown

TOKEN = 0x0BADCAFE
HELLO = Hello(0x5EA51DE0, TOKEN, 1, 4, 240, 1)
BODY = frames.encode(HELLO)


def found(*came: bytes) -> Finding:
    """What the controller finds when this comes in answer to its RESET."""
    link = ControllerLink(TOKEN, now=0.0)
    link.outgoing(0.0)
    for data in came:
        assert link.receive(data, 0.1) == []
    (down,) = link.poll(Timings().connect_within)
    assert isinstance(down, LinkDown)
    assert down.found is not None
    assert down.detail == f"no session in 3 s: {down.found}"
    return down.found


def framed(body: bytes, crc: bytes) -> bytes:
    return b"\0" + cobs_encode(body + crc) + b"\0"


def bitwise(data: bytes, polynomial: int, register: int, *, reflected: bool) -> int:
    """A CRC by the textbook, bit for bit, against the finder's own."""
    for byte in data:
        for bit in range(8) if reflected else range(7, -1, -1):
            top = register & 1 if reflected else register >> 15
            register = register >> 1 if reflected else register << 1 & 0xFFFF
            if top ^ (byte >> bit & 1):
                register ^= int(f"{polynomial:016b}"[::-1], 2) if reflected else polynomial
    return register


CRCS: dict[str, Callable[[bytes], int]] = {
    "CRC-16/CCITT-FALSE": lambda data: bitwise(data, 0x1021, 0xFFFF, reflected=False),
    "CRC-16/XMODEM": lambda data: bitwise(data, 0x1021, 0, reflected=False),
    "CRC-16/KERMIT": lambda data: bitwise(data, 0x1021, 0, reflected=True),
    "CRC-16/X-25": lambda data: bitwise(data, 0x1021, 0xFFFF, reflected=True) ^ 0xFFFF,
    "CRC-16/MODBUS": lambda data: bitwise(data, 0x8005, 0xFFFF, reflected=True),
    "CRC-16/ARC": lambda data: bitwise(data, 0x8005, 0, reflected=True),
}


@pytest.mark.parametrize("name", CRCS)
def test_another_crc_is_called_by_its_name(name: str) -> None:
    crc = CRCS[name](BODY)
    assert found(framed(BODY, crc.to_bytes(2, "big"))).text == f"its frames have {name}, the link has CRC-16/GENIBUS"
    swapped = found(framed(BODY, crc.to_bytes(2, "little"))).text
    assert swapped == f"its frames have {name} with the least significant byte first, the link has CRC-16/GENIBUS"


def test_the_bytes_of_the_crc_are_exchanged() -> None:
    finding = found(framed(BODY, crc16(BODY).to_bytes(2, "little")))
    assert str(finding) == "its CRC has the least significant byte first (device-link.md, section 2)"
    assert finding.expected == "the CRC f4 09, the most significant byte first"
    assert finding.rows[0].startswith("came      00 06 02 5e a5 1d e0")


def test_there_is_no_crc() -> None:
    assert found(framed(BODY, b"")).text == "its frames have no CRC"


def test_the_numbers_are_little_endian() -> None:
    reversed_token = int.from_bytes(TOKEN.to_bytes(4, "big"), "little")
    finding = found(encode_frame(frames.encode(Hello(0x5EA51DE0, reversed_token, 1, 4, 240, 1))))
    assert finding.text == "its numbers have the least significant byte first"
    assert finding.expected == "the token 0b ad ca fe"


def test_the_hello_answers_somebody_else() -> None:
    finding = found(encode_frame(frames.encode(Hello(0x5EA51DE0, TOKEN + 1, 1, 4, 240, 1))))
    assert (finding.text, finding.section) == ("its HELLO has another token than the RESET", "4, rule 1")


def test_the_hello_has_session_0() -> None:
    body = BODY[:1] + bytes(4) + BODY[5:]
    assert found(encode_frame(body)).text == "its HELLO has session 0"


@pytest.mark.parametrize(("window", "max_payload"), [(0, 240), (4, 63), (4, 241)])
def test_the_hello_offers_what_no_end_may(window: int, max_payload: int) -> None:
    finding = found(encode_frame(BODY[:12] + bytes((window, max_payload, 1))))
    assert finding.text.startswith("its HELLO cannot be used: an end offers a window of 1 or more")
    assert f"a window of {window} and {max_payload} bytes" in finding.text


def test_the_hello_is_too_long() -> None:
    assert found(encode_frame(BODY + b"\1")).text == "its HELLO cannot be used: HELLO carries 8 bytes, this one has 9"


def test_an_echo_is_no_device() -> None:
    reset = encode_frame(frames.encode(Reset(TOKEN, 1, 1, 4, 240)))
    assert found(reset, reset).text == "everything that was sent came back, and nothing else: an echo"


def test_the_device_goes_on_in_an_old_session() -> None:
    assert found(encode_frame(frames.encode(KeepAlive(7, 0)))).text == "it sends frames but no HELLO after a RESET"


def test_the_device_only_declines() -> None:
    assert found(encode_frame(frames.encode(Down(0)))).text == "it sends no frame but DOWN after a RESET"


def test_a_frame_without_byte_stuffing() -> None:
    assert found(b"\x7e" + BODY + b"\x7e").text.startswith("the token came back, but not in a frame")


def test_a_run_without_a_zero() -> None:
    assert found(b"\xa5" * 300 + b"\0").text.startswith("a run of more than 255 bytes without a zero came")


def even_parity(byte: int) -> int:
    return byte & 0x7F | (byte & 0x7F).bit_count() % 2 << 7


def test_seven_bits_and_parity() -> None:
    assert found(bytes(map(even_parity, encode_frame(BODY) * 2))).text.startswith("every byte has even parity")
    odd = bytes(even_parity(byte) ^ 0x80 for byte in encode_frame(BODY) * 2)
    assert found(odd).text.startswith("every byte has odd parity")


def test_seven_bits() -> None:
    assert found(bytes(byte & 0x7F for byte in encode_frame(BODY) * 2)).text.startswith("no byte has its highest bit")


def test_text() -> None:
    assert found(b"U-Boot 2025.01, hit any key\r\n").text.startswith("what came is text")


def test_another_speed() -> None:
    finding = found(bytes.fromhex("f8 80 fe e0 1c 9c 80 f0 fc 98 78 80 e6"))
    assert finding.text == "what came is no frame: another speed or parity, or a device with another protocol"
    assert finding.may_be_speed


def test_a_sentence_has_no_bytes_and_is_the_same_at_each_attempt() -> None:
    """An alarm publishes it; the bytes may name cards, and another sentence would be another alarm."""
    texts = set()
    for token in (TOKEN, 0x01020304):
        link = ControllerLink(token, now=0.0)
        link.receive(encode_frame(frames.encode(Hello(9, token ^ 5, 1, 4, 240, 1))), 0.1)
        (down,) = link.poll(3.0)
        assert isinstance(down, LinkDown)
        texts.add(down.detail)
        assert "came" not in repr(down.found)
    assert len(texts) == 1


def test_only_the_beginning_of_a_flood_is_kept() -> None:
    finding = found(*[b"\x55\xaa\x01" * 1000] * 50)
    assert len(finding.came) == KEPT


def up() -> ControllerLink:
    link = ControllerLink(TOKEN, now=0.0)
    link.outgoing(0.0)
    link.receive(encode_frame(BODY), 0.1)
    assert link.state is LinkState.UP
    return link


def lost(link: ControllerLink) -> str:
    (down,) = link.poll(10.0)
    assert isinstance(down, LinkDown)
    return down.detail


def test_two_devices_answer_on_one_line() -> None:
    link = up()
    link.receive(encode_frame(frames.encode(Hello(0x11111111, TOKEN, 1, 4, 240, 1))), 0.2)
    assert "two devices answer on this line" in lost(link)


def test_a_repeated_hello_is_one_device() -> None:
    link = up()
    link.receive(encode_frame(BODY), 0.2)
    assert lost(link) == "nothing received for 2.5 s"


def test_a_payload_that_is_too_long_is_named() -> None:
    link = up()
    long = frames.encode(Data(HELLO.session, 0, 0, b"x")) + bytes(240)
    link.receive(encode_frame(long), 0.2)
    link.receive(encode_frame(frames.encode(Ack(HELLO.session, 0))), 0.3)
    assert lost(link).endswith(
        "a frame came that the link ignores: DATA carries 1 to 240 bytes, this one has 241 (device-link.md, section 3)"
    )


def test_frames_of_another_session_count_only_while_no_frame_of_this_one_comes() -> None:
    link = up()
    stray = encode_frame(frames.encode(KeepAlive(0x01010101, 0)))
    link.receive(stray, 0.2)
    assert link.diagnosis.words == ": frames of another session come (device-link.md, section 4, rule 4)"
    link.receive(encode_frame(frames.encode(KeepAlive(HELLO.session, 0))), 0.3)
    assert lost(link) == "nothing received for 2.5 s"
