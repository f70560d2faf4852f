"""Frames are found again after any noise, and nothing else is taken for one."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.errors import ProtocolError
from protocols.link.framing import MAX_BODY, MAX_STUFFED, SHORT, Deframer, cobs_decode, cobs_encode, encode_frame

bodies = st.binary(min_size=1, max_size=MAX_BODY)


@given(bodies)
def test_a_body_comes_back_as_it_was(body: bytes) -> None:
    assert Deframer().feed(encode_frame(body)) == [body]


@given(st.binary(max_size=254))
def test_stuffed_data_has_no_zero_and_one_byte_more(data: bytes) -> None:
    stuffed = cobs_encode(data)
    assert 0 not in stuffed
    assert len(stuffed) == len(data) + 1
    assert cobs_decode(stuffed) == data


@given(st.lists(bodies, max_size=5), st.integers(min_value=1, max_value=7))
def test_frames_may_come_in_pieces_of_any_size(sent: list[bytes], size: int) -> None:
    wire = b"".join(map(encode_frame, sent))
    deframer = Deframer()
    received = []
    for start in range(0, len(wire), size):
        received += deframer.feed(wire[start : start + size])
    assert received == sent
    assert deframer.statistics.noise_bytes == 0


@given(st.binary(max_size=2000), bodies)
def test_after_any_garbage_the_next_frame_is_understood(garbage: bytes, body: bytes) -> None:
    deframer = Deframer()
    deframer.feed(garbage)
    assert deframer.feed(encode_frame(body))[-1:] == [body]


def test_a_frame_that_began_before_we_listened_costs_itself_only() -> None:
    deframer = Deframer()
    wire = encode_frame(b"nine of hearts") + encode_frame(b"cut card")
    assert deframer.feed(wire[5:]) == [b"cut card"]
    assert deframer.statistics.crc_errors == 1


def test_one_flipped_bit_anywhere_is_never_another_message() -> None:
    body = b"\x03\x5e\xa5\x1d\xe0\x00\x00the nine of hearts"
    wire = encode_frame(body) + encode_frame(b"next")
    for bit in range(8 * len(wire)):
        flipped = bytearray(wire)
        flipped[bit // 8] ^= 1 << bit % 8
        assert set(Deframer().feed(bytes(flipped))) <= {body, b"next"}


def test_a_delimiter_that_turns_into_a_one_does_not_lengthen_a_frame() -> None:
    wire = bytearray(encode_frame(b"nine of hearts"))
    wire[-1] = 0x01
    deframer = Deframer()
    assert deframer.feed(bytes(wire) + b"\0") == []
    assert deframer.statistics.crc_errors == 1


def test_a_line_without_delimiters_is_an_overrun_and_fills_no_memory() -> None:
    deframer = Deframer()
    for _ in range(1000):
        deframer.feed(b"\xff" * 100)
        assert deframer.held <= MAX_STUFFED
    assert deframer.feed(encode_frame(b"next")) == [b"next"]
    assert deframer.statistics.overruns == 1
    assert deframer.statistics.noise_bytes == 100_000


def test_random_bytes_raise_nothing_and_stay_bounded() -> None:
    rng = random.Random(2)
    deframer = Deframer()
    for _ in range(5000):
        deframer.feed(rng.randbytes(rng.randrange(300)))
        assert deframer.held <= MAX_STUFFED
    assert deframer.statistics.crc_errors > 1000


@pytest.mark.parametrize("body", [b"", b"x" * (MAX_BODY + 1)])
def test_a_body_that_fits_no_frame_is_refused(body: bytes) -> None:
    with pytest.raises(ProtocolError, match="1 to 252 bytes"):
        encode_frame(body)


@given(
    st.one_of(st.binary(max_size=SHORT + 4), st.binary(min_size=1, max_size=9).map(encode_frame)),
    st.integers(0, SHORT),
    st.integers(0, 255),
)
def test_what_comes_at_once_is_read_as_what_comes_byte_by_byte(data: bytes, at: int, other: int) -> None:
    """A short frame that comes alone is found by a faster way than others; here it may also be damaged."""
    damaged = bytes(other if index == at else byte for index, byte in enumerate(data))
    for sent in (data, damaged, data + damaged):
        whole, pieces = Deframer(), Deframer()
        for _ in range(2):
            bodies = whole.feed(sent)
            assert bodies == [body for byte in sent for body in pieces.feed(bytes((byte,)))]
            assert (whole.statistics, whole.held) == (pieces.statistics, pieces.held)
