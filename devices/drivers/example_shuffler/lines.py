"""The example vendor's line, decoded for a technician."""

from __future__ import annotations

from msgspec.structs import asdict

from devices.lines import TraceLine
from devices.link.lines import public_words, words
from devices.ports.tap import Chunk, Direction
from protocols.errors import ProtocolError
from protocols.example_shuffler.codec import decode
from protocols.example_shuffler.framing import Frame, FrameReader, encode_frame


class ExampleLines:
    """Questions and answers. A hand is withheld, unless on a sealed bench."""

    def __init__(self, *, sealed: bool) -> None:
        self._sealed = sealed
        self._readers = {direction: FrameReader() for direction in Direction}

    def feed(self, chunk: Chunk) -> list[TraceLine]:
        reader = self._readers[chunk.direction]
        noise = reader.statistics.noise_bytes
        lines = [self._line(chunk, frame) for frame in reader.feed(chunk.data)]
        noise = reader.statistics.noise_bytes - noise
        if noise:
            hexed = "" if lines else chunk.data.hex(" ")
            withheld = not (lines or self._sealed)
            lines.append(TraceLine.of(chunk, f"{noise} bytes of noise", hexed=hexed, withheld=withheld))
        return lines

    def _line(self, chunk: Chunk, frame: Frame) -> TraceLine:
        text, hexed = f"frame, tag {frame.tag}", encode_frame(frame).hex(" ")
        try:
            message = decode(frame.text)
        except ProtocolError as error:
            return TraceLine.of(chunk, text, f"not a message: {error}", hexed=hexed, withheld=not self._sealed)
        if self._sealed:
            return TraceLine.of(chunk, text, words(message, asdict(message)), hexed=hexed)
        return TraceLine.of(chunk, text, public_words(message), hexed=hexed, withheld=bool(message.HIDDEN))
