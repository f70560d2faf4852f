"""The example vendor's decoders under damaged and random bytes: their own error or the exact text, nothing kept."""

from __future__ import annotations

import pytest

from protocols.errors import ProtocolError
from protocols.example_shuffler.codec import decode, encode
from protocols.example_shuffler.framing import MAX_FRAME, FrameReader, encode_frame
from tests.support.hostile.fuzz import check_decoder, in_flat_memory, inputs
from tests.support.wire.golden import rows

WIRE = [wire for _, _, wire in rows("example-shuffler.md")]
TEXTS = [wire[2:-3] for wire in WIRE]


@pytest.mark.timeout(3600)
def test_damaged_and_random_texts_raise_nothing_but_the_protocols_error() -> None:
    def again(data: bytes) -> bytes:
        try:
            text = data.decode("ascii")
        except UnicodeDecodeError:
            raise ProtocolError("no text") from None
        return encode(decode(text)).encode("ascii")

    check_decoder("example shuffler", TEXTS, again)


@pytest.mark.timeout(3600)
def test_damaged_and_random_frames_raise_nothing_and_fill_no_memory() -> None:
    reader = FrameReader()
    for data in in_flat_memory(inputs("example frames", WIRE)):
        for frame in reader.feed(data):
            assert FrameReader().feed(encode_frame(frame)) == [frame]
        assert reader.held <= MAX_FRAME
    assert reader.statistics.frames > 100
