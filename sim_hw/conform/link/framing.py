"""Framing and frames: device-link.md, sections 2 and 3."""

from __future__ import annotations

from collections.abc import Iterable

from protocols.errors import ProtocolError
from protocols.link import frames
from protocols.link.frames import Data, FrameKind, Nak
from protocols.link.framing import Deframer, cobs_decode, cobs_encode, crc16, encode_frame
from sim_hw.conform.link.bench import IDENTIFY, UNKNOWN, LinkBench, Session
from sim_hw.conform.requirement import Broken, inspected, must
from sim_hw.conform.wrong import into, out, raw_into, with_memory

SETTLE = 0.3
"""Seconds in which a device would have said something wrong."""


async def still_answers(session: Session, after: str) -> None:
    """The device takes the next good frame."""
    try:
        await session.ask(IDENTIFY)
    except Broken as broken:
        raise Broken(f"Identify to be answered after {after}", broken.came) from None


def _answers_emptiness(data: bytes) -> bytes:
    return data.replace(b"\0\0\0", b"\0\x05\0")


@must("LINK-1", "2", wrong=raw_into(_answers_emptiness))
async def empty_frames(bench: LinkBench) -> None:
    """A receiver ignores empty frames."""
    session = await bench.begin()
    mark = len(bench.seen)
    bench.write(bytes(12))
    await bench.pause(SETTLE)
    naks = bench.since(mark, FrameKind.NAK)
    if naks:
        raise Broken("nothing to be sent because of twelve zeros", f"{len(naks)} NAK")
    await still_answers(session, "empty frames")


def _mends_crc(data: bytes) -> bytes:
    """A frame with a wrong CRC is taken."""
    pieces = data.split(b"\0")
    for at, piece in enumerate(pieces):
        try:
            body = cobs_decode(piece)
        except ProtocolError:
            continue
        if len(body) > 9 and body[0] == FrameKind.DATA and crc16(body) != 0xE2F0:
            pieces[at] = cobs_encode(body[:-2] + crc16(body[:-2]).to_bytes(2))
    return b"\0".join(pieces)


@must("LINK-2", "2", wrong=raw_into(_mends_crc))
async def bad_crc(bench: LinkBench) -> None:
    """A frame with a wrong CRC is discarded, and no part of it is used."""
    session = await bench.begin()
    body = frames.encode(Data(session.number, session.next_seq, session.expected, IDENTIFY))
    wrong = crc16(body) ^ 0x0001
    mark = len(session.said)
    bench.write(b"\0" + cobs_encode(body + wrong.to_bytes(2)) + b"\0")
    if await session.next(lambda said: said.kind == 0x81, mark, SETTLE) is not None:
        raise Broken("a frame with a wrong CRC to be discarded", "the answer to it")
    await still_answers(session, "a frame with a wrong CRC")


def _goes_deaf(data: bytes) -> bytes:
    """Noise before a frame takes the frame with it."""
    pieces = data.split(b"\0")
    kept, after_noise = [], False
    for piece in pieces:
        is_frame = bool(Deframer().feed(piece + b"\0"))
        if not (is_frame and after_noise):
            kept.append(piece)
        after_noise = (bool(piece) and not is_frame) or (after_noise and not piece)
    return b"\0".join(kept)


@must("LINK-3", "2", wrong=raw_into(_goes_deaf))
async def noise_before_a_frame(bench: LinkBench) -> None:
    """The leading zero of a frame ends any noise before it: the frame is taken."""
    session = await bench.begin()
    seq, mark = session.next_seq, len(session.said)
    session.next_seq = (seq + 1) % 256
    bench.write(b"\x31\x7f\xaa\x05\x55" + b"\0" + session.wire(Data(session.number, seq, session.expected, IDENTIFY)))
    if await session.next(lambda said: said.kind == 0x81, mark, 1.0) is None:
        raise Broken("a frame behind five bytes of noise and a zero to be taken", "no answer to it in 1 s")


class _Overrun:
    """After an overrun the device does not find the next frame."""

    def __init__(self) -> None:
        self._lost = 0

    def __call__(self, data: bytes) -> bytes:
        if any(len(piece) > 255 for piece in data.split(b"\0")):
            self._lost = 6
            return b""
        if self._lost:
            self._lost -= 1
            return b""
        return data


@must("LINK-4", "2", wrong=with_memory(_Overrun))
async def overrun(bench: LinkBench) -> None:
    """More than 255 bytes without a zero are discarded, and the frame after the next zero is taken."""
    session = await bench.begin()
    bench.write(bytes(1 + n % 255 for n in range(700)) + b"\0")
    await bench.pause(0.05)
    seq, mark = session.data(IDENTIFY), len(session.said)
    if await session.next(lambda said: said.kind == 0x81, mark, 0.5) is None:
        raise Broken(f"DATA {seq} to be answered after 700 bytes without a zero", "no answer in 0.5 s")


@must("LINK-5", "3", wrong=into(lambda body: () if len(body) > 200 else (body,)))
async def longest_frame(bench: LinkBench) -> None:
    """A message of the max payload that its HELLO has is taken: a frame of up to 257 bytes on the wire."""
    session = await bench.begin()
    size = min(session.max_payload, frames.MAX_PAYLOAD)
    if session.seal is not None:
        size = min(size, 233)
    try:
        await session.say(UNKNOWN + bytes(1 + n % 255 for n in range(size - 1)))
    except Broken as broken:
        raise Broken(f"a message of {size} bytes to be acknowledged, as its HELLO offers", broken.came) from None


def _unknown_frames_end_it(body: bytes) -> Iterable[bytes]:
    """A kind that it does not know makes the device begin anew."""
    if body[0] in (0x08, 0x7E):
        return (frames.encode(frames.Reset(int.from_bytes(body[1:5]), 1, 1, 4, 240)),)
    return (body,)


@must("LINK-6", "3", wrong=into(_unknown_frames_end_it))
async def unknown_frames(bench: LinkBench) -> None:
    """A good frame of another kind is counted and ignored."""
    session = await bench.begin()
    mark = len(bench.seen)
    for kind in (0x08, 0x7E):
        bench.write(encode_frame(bytes((kind,)) + session.number.to_bytes(4) + bytes(2)))
    await bench.pause(SETTLE)
    came = bench.since(mark, FrameKind.HELLO, FrameKind.DOWN, FrameKind.NAK)
    if came:
        raise Broken("frames of kind 0x08 and 0x7e to be ignored", f"a frame of kind 0x{came[0].kind:02x}")
    await still_answers(session, "frames of an unknown kind")


def _takes_long_acks(body: bytes) -> Iterable[bytes]:
    return (body[:7],) if body[0] == FrameKind.NAK and len(body) > 7 else (body,)


@must("LINK-7", "3", wrong=into(_takes_long_acks))
async def frames_of_a_wrong_length(bench: LinkBench) -> None:
    """A good frame with a wrong length is counted and ignored."""
    session = await bench.open()
    session.takes = False
    session.data(IDENTIFY)
    mark = len(bench.seen)
    sent = await session.offered(mark, 1.0)
    if not sent:
        raise Broken("an answer to Identify", "none")
    mark = len(bench.seen)
    body = frames.encode(Nak(session.number, sent[0].seq, session.expected)) + b"\x01"
    bench.write(encode_frame(body))
    if await session.offered(mark, 0.1):
        raise Broken("a NAK of eight bytes to be ignored", "the message again at once")


def _takes_any_window(body: bytes) -> Iterable[bytes]:
    if body[0] == FrameKind.RESET and body[9] == 0:
        return (body[:9] + b"\x01" + body[10:],)
    return (body,)


@must("LINK-8", "3", wrong=into(_takes_any_window))
async def values_out_of_range(bench: LinkBench) -> None:
    """A good frame with a value out of range (a RESET with window 0) is counted and ignored."""
    await bench.begin()
    mark = len(bench.seen)
    bench.send(frames.Reset(0x1234ABCD, 1, 1, 0, 240))
    await bench.pause(SETTLE)
    if bench.since(mark, FrameKind.HELLO):
        raise Broken("a RESET with window 0 to be ignored", "HELLO")


def _hello(edit: int, value: int) -> object:
    def edited(body: bytes) -> Iterable[bytes]:
        return (body[:edit] + bytes((value,)) + body[edit + 1 :],) if body[0] == FrameKind.HELLO else (body,)

    return edited


@must("LINK-9", "3", wrong=out(_hello(13, 250)))  # type: ignore[arg-type]
async def hello_in_range(bench: LinkBench) -> None:
    """Its HELLO has a window of 1 to 255 and a max payload of 64 to 240."""
    hello = (await bench.open()).hello
    window, longest = hello.payload[5], hello.payload[6]
    if not window or not 64 <= longest <= 240:
        raise Broken(
            "a window of 1 to 255 and a max payload of 64 to 240", f"a window of {window}, a payload of {longest}"
        )


@must("LINK-10", "3", wrong=out(_hello(14, 0x2A)))  # type: ignore[arg-type]
async def device_class(bench: LinkBench) -> None:
    """Its HELLO has the class of the device."""
    came = (await bench.open()).hello.payload[7]
    wanted = bench.profile.device_class
    if came != wanted:
        raise Broken(f"class 0x{wanted:02x}, a {bench.profile.words}", f"class 0x{came:02x}")


inspected(
    "LINK-11",
    "7",
    "A device has memory for a frame of 255 bytes, a window of messages in each direction and its events.",
    "what the memory is for cannot be seen on the wire: look at the firmware's buffers",
    home=__name__,
)
