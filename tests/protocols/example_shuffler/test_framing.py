"""The example vendor's frames are found again after any noise, and nothing else is taken for one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.errors import ProtocolError
from protocols.example_shuffler.framing import MAX_FRAME, MAX_TEXT, Frame, FrameReader, encode_frame

frames = st.builds(
    Frame,
    st.sampled_from("0123456789"),
    st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), min_size=1, max_size=MAX_TEXT),
)
POLL = encode_frame(Frame("1", "P,C0FFEE01,7"))


@given(frames)
def test_a_frame_comes_back_as_it_was(frame: Frame) -> None:
    assert FrameReader().feed(encode_frame(frame)) == [frame]


@given(st.lists(frames, max_size=5), st.integers(min_value=1, max_value=7))
def test_frames_may_come_in_pieces_of_any_size(sent: list[Frame], size: int) -> None:
    wire = b"".join(map(encode_frame, sent))
    reader, received = FrameReader(), []
    for start in range(0, len(wire), size):
        received += reader.feed(wire[start : start + size])
    assert received == sent
    assert (reader.held, reader.statistics.noise_bytes) == (0, 0)


@given(st.binary(max_size=2000), frames)
def test_after_any_garbage_the_next_frame_is_understood(garbage: bytes, frame: Frame) -> None:
    reader = FrameReader()
    reader.feed(garbage)
    assert reader.feed(encode_frame(frame))[-1:] == [frame]


def test_a_frame_that_began_before_we_listened_costs_itself_only() -> None:
    reader = FrameReader()
    assert reader.feed(POLL[4:] + POLL) == [Frame("1", "P,C0FFEE01,7")]
    assert reader.statistics.noise_bytes == len(POLL) - 4


def test_one_wrong_bit_anywhere_is_never_another_frame() -> None:
    for bit in range(8 * len(POLL)):
        wrong = bytearray(POLL)
        wrong[bit // 8] ^= 1 << bit % 8
        reader = FrameReader()
        assert reader.feed(bytes(wrong)) == []
        assert reader.feed(POLL)[-1:] == [Frame("1", "P,C0FFEE01,7")]


def test_a_line_without_an_end_is_an_overrun_and_fills_no_memory() -> None:
    reader = FrameReader()
    for _ in range(1000):
        reader.feed(b"\x02" + b"A" * 300)
        assert reader.held <= MAX_FRAME
    assert reader.statistics.overruns == 1000
    assert reader.feed(POLL) == [Frame("1", "P,C0FFEE01,7")]


@pytest.mark.parametrize(
    "frame", [Frame("a", "Q"), Frame("", "Q"), Frame("1", ""), Frame("1", "é"), Frame("1", "x" * 201)]
)
def test_what_cannot_be_sent_is_refused(frame: Frame) -> None:
    with pytest.raises(ProtocolError):
        encode_frame(frame)
