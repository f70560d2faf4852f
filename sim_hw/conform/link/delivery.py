"""Messages in a session: acknowledgement, duplicates, gaps, negative acknowledgement, retransmission. Section 5."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from protocols.link.frames import Ack, FrameKind
from sim_hw.conform.link.bench import IDENTIFY, UNKNOWN, LinkBench, Seen, Session
from sim_hw.conform.requirement import Broken, must
from sim_hw.conform.wrong import at_session, into, lost_out, out, patched, timings

AT_ONCE = 0.2
"""Seconds: an answer at once, with the latency of a USB adapter and of a busy machine."""


async def held(bench: LinkBench, session: Session) -> Seen:
    """A DATA frame of the device that is not acknowledged: the answer to Identify."""
    session.takes = False
    mark = len(bench.seen)
    session.data(IDENTIFY)
    sent = await session.offered(mark, 4.0)
    if not sent:
        raise Broken("an answer to Identify", "none")
    return sent[0]


@must("LINK-27", "5", wrong=lost_out(FrameKind.ACK))
async def acknowledges_at_once(bench: LinkBench) -> None:
    """A message that was processed is acknowledged at once, with an ACK if there is no other frame to send."""
    session = await bench.begin()
    seq = session.data(UNKNOWN)
    if not await bench.until(lambda: session.is_acknowledged(seq), AT_ONCE):
        raise Broken(f"DATA {seq} to be acknowledged at once", f"no acknowledgement in {AT_ONCE:g} s")


def _ack_forgotten(body: bytes) -> Iterable[bytes]:
    return (body[:6] + b"\x00",) if body[0] == FrameKind.KEEPALIVE else (body,)


@must("LINK-28", "5", wrong=out(_ack_forgotten))
async def ack_in_every_frame(bench: LinkBench) -> None:
    """Every frame contains the cumulative acknowledgement, a KEEPALIVE too."""
    session = await bench.open()
    for _ in range(2):
        await session.say(UNKNOWN)
    mark = len(bench.seen)
    await bench.until(lambda: bool(bench.since(mark, FrameKind.KEEPALIVE)), 1.5)
    for seen in bench.since(mark, FrameKind.KEEPALIVE):
        if seen.ack != session.next_seq:
            raise Broken(f"ack {session.next_seq} in KEEPALIVE", f"ack {seen.ack}")


def _does_it_twice(device: Any) -> None:
    def edit(body: bytes) -> Iterable[bytes]:
        link = device.link._link
        is_ours = device.link.is_up and int.from_bytes(body[1:5]) == link._session
        if body[0] == FrameKind.DATA and is_ours and (body[5] - link._receiver.ack) % 256 >= 128:
            device._received(body[7:])
        return (body,)

    into(edit)(device)


@must("LINK-29", "5", wrong=_does_it_twice)
async def duplicate(bench: LinkBench) -> None:
    """A DATA frame that was processed before is acknowledged again, and nothing else is done."""
    session = await bench.begin()
    seq = session.next_seq
    await session.ask(IDENTIFY)
    said, mark = len(session.said), len(bench.seen)
    session.data(IDENTIFY, seq=seq)
    await bench.pause(0.8)
    if any(said.kind == 0x81 for said in session.said[said:]):
        raise Broken("DATA that came twice to be processed once", "a second answer")
    if not any(seen.ack == session.next_seq for seen in bench.since(mark)):
        raise Broken("DATA that came twice to be acknowledged again", "no acknowledgement in 0.8 s")


BROKEN = bytes.fromhex("00 09 01 02 03 04 00")
"""A run that ends before its length says."""


@must("LINK-30", "5", wrong=lost_out(FrameKind.NAK))
async def nak_after_a_bad_frame(bench: LinkBench) -> None:
    """After a bad frame the receiver sends NAK with the number of the first missing DATA frame."""
    session = await bench.begin()
    mark = len(bench.seen)
    bench.write(BROKEN)
    await bench.until(lambda: bool(bench.since(mark, FrameKind.NAK)), AT_ONCE)
    naks = bench.since(mark, FrameKind.NAK)
    if not naks or naks[0].seq != session.next_seq:
        raise Broken(f"NAK {session.next_seq} at once", f"NAK {naks[0].seq}" if naks else "none")


def _takes_gaps(device: Any) -> None:
    def begin() -> None:
        current = device.link._link._receiver
        arrived = current.arrived

        def takes(seq: int, message: bytes) -> Any:
            ahead = (seq - current.ack) % 256
            return arrived(current.missing if len(current) < ahead < 4 else seq, message)

        current.arrived = takes

    at_session(lambda device: begin())(device)


@must("LINK-31", "5", wrong=_takes_gaps)
async def gap(bench: LinkBench) -> None:
    """A DATA frame after a gap is dropped: the missing one comes first."""
    session = await bench.begin()
    mark = len(session.said)
    session.data(IDENTIFY, seq=session.next_seq + 1)
    if await session.next(lambda said: said.kind == 0x81, mark, 0.4) is not None:
        raise Broken(f"DATA {session.next_seq + 1} to wait for DATA {session.next_seq}", "an answer to it")
    await session.ask(IDENTIFY)


@must("LINK-32", "6", wrong=timings(nak_every=0.0))
async def naks_are_rare(bench: LinkBench) -> None:
    """NAK is sent at most once per 50 ms."""
    session = await bench.begin()
    mark = len(bench.seen)
    for _ in range(6):
        bench.write(BROKEN)
        await bench.pause(0.01)
    await bench.pause(AT_ONCE)
    naks = bench.since(mark, FrameKind.NAK)
    if len(naks) > 3:
        raise Broken("at most 2 NAKs in 60 ms", f"{len(naks)}")
    await session.ask(IDENTIFY)


@must("LINK-33", "5", wrong=into(lambda body: () if body[0] & 0x0F == FrameKind.NAK and body[0] < 0x20 else (body,)))
async def nak_is_answered(bench: LinkBench) -> None:
    """After a NAK the sender retransmits from that number at once."""
    session = await bench.open()
    sent = await held(bench, session)
    mark = len(bench.seen)
    session.nak(sent.seq)
    if not await session.offered(mark, 0.15):
        raise Broken(f"DATA {sent.seq} again at once", "nothing in 0.15 s")


def _takes_any_nak(device: Any) -> None:
    def edit(body: bytes) -> Iterable[bytes]:
        in_flight = device.link._link._sender._in_flight
        if body[0] == FrameKind.NAK and in_flight:
            return (body[:5] + bytes((in_flight[0].seq,)) + body[6:],)
        return (body,)

    into(edit)(device)


@must("LINK-34", "5", wrong=_takes_any_nak)
async def nak_of_nothing(bench: LinkBench) -> None:
    """A NAK for a frame that is not in flight is ignored."""
    session = await bench.open()
    sent = await held(bench, session)
    mark = len(bench.seen)
    session.nak(sent.seq + 100)
    if await session.offered(mark, 0.1):
        raise Broken(f"NAK {(sent.seq + 100) % 256} to be ignored", "DATA again at once")


def _takes_any_ack(device: Any) -> None:
    def edit(body: bytes) -> Iterable[bytes]:
        sender = device.link._link._sender
        in_flight = sender._in_flight
        if body[0] == FrameKind.ACK and in_flight and (body[6] - in_flight[0].seq) % 256 > len(in_flight):
            return (body[:6] + bytes((sender._next_seq,)) + body[7:],)
        return (body,)

    into(edit)(device)


@must("LINK-35", "5", wrong=_takes_any_ack)
async def ack_out_of_range(bench: LinkBench) -> None:
    """An acknowledgement of a frame that was never sent is ignored: what is in flight stays there."""
    session = await bench.open()
    sent = await held(bench, session)
    session.send(Ack(session.number, (sent.seq + 101) % 256))
    mark = len(bench.seen)
    session.nak(sent.seq)
    if not await session.offered(mark, 1.5):
        raise Broken(f"DATA {sent.seq} again, because ack {(sent.seq + 101) % 256} is out of range", "nothing in 1.5 s")


@must("LINK-36", "5", wrong=timings(rto_first=500.0, rto_floor=500.0, rto_ceiling=500.0))
async def retransmits(bench: LinkBench) -> None:
    """What is not acknowledged is sent again, and the number of retransmissions is not limited."""
    session = await bench.open()
    await held(bench, session)
    for _ in range(4):
        mark = len(bench.seen)
        if not await session.offered(mark, 10.0):
            raise Broken("DATA again while it is not acknowledged", "nothing in 10 s")


@must("LINK-37", "6", wrong=timings(rto_first=0.15))
async def first_timeout(bench: LinkBench) -> None:
    """Before anything is measured, the first retransmission comes after 0.25 s."""
    session = await bench.open()
    sent = await held(bench, session)
    mark = len(bench.seen)
    again = await session.offered(mark, 1.5)
    if again and again[0].at - sent.at < 0.2:
        raise Broken("the first retransmission after 0.25 s", f"after {again[0].at - sent.at:.3f} s")


async def _gaps(bench: LinkBench, count: int) -> list[float]:
    """Seconds between the copies of one DATA frame that is not acknowledged."""
    session = await bench.open()
    times = [(await held(bench, session)).at]
    while len(times) <= count:
        mark = len(bench.seen)
        again = await session.offered(mark, 5.0)
        if not again:
            break
        times.append(again[0].at)
    return [later - earlier for earlier, later in pairwise(times)]


@must("LINK-38", "5", wrong=patched("link._new_link", lambda device, right: lambda: _without_back_off(right())))
async def timeout_doubles(bench: LinkBench) -> None:
    """After a timeout the timeout doubles."""
    gaps = await _gaps(bench, 2)
    if len(gaps) == 2 and gaps[1] < 1.5 * gaps[0]:
        raise Broken("the second timeout to be twice the first", f"{gaps[0]:.3f} s, then {gaps[1]:.3f} s")


def _without_back_off(link: Any) -> Any:
    began = link._begin

    def begin(*arguments: Any) -> None:
        began(*arguments)
        link._timer.back_off = lambda: None

    link._begin = begin
    return link


@must("LINK-39", "6", wrong=timings(rto_ceiling=16.0))
async def timeout_ceiling(bench: LinkBench) -> None:
    """The timeout is never longer than 1 s."""
    gaps = await _gaps(bench, 5)
    if gaps and max(gaps) > 1.25:
        raise Broken("at most 1 s between two copies of a frame", f"{max(gaps):.3f} s")


@must("LINK-40", "5", wrong=lost_out(FrameKind.KEEPALIVE))
async def keepalive(bench: LinkBench) -> None:
    """KEEPALIVE is sent after 0.5 s in which nothing else was sent."""
    await bench.begin()
    await bench.pause(0.3)
    mark, began = len(bench.seen), bench.now
    await bench.pause(2.2)
    times = [began, *(seen.at for seen in bench.since(mark)), bench.now]
    longest = max(later - earlier for earlier, later in pairwise(times))
    if longest > 0.8:
        raise Broken("a frame at least every 0.5 s", f"{longest:.2f} s without one")


def _wide_window(body: bytes) -> Iterable[bytes]:
    return (body[:9] + b"\x04" + body[10:],) if body[0] == FrameKind.RESET and body[9] == 1 else (body,)


@must("LINK-41", "3", wrong=into(_wide_window))
async def window(bench: LinkBench) -> None:
    """Each end keeps at most min(own, other's) frames in flight: one, where the controller's window is 1."""
    session = await bench.open(window=1)
    session.takes = False
    mark = len(bench.seen)
    for _ in range(3):
        session.data(IDENTIFY)
    await bench.pause(1.0)
    numbers = {seen.seq for seen in await session.offered(mark, 1.0)}
    if len(numbers) > 1:
        raise Broken("one frame in flight, as RESET has window 1", f"{len(numbers)} frames")


def _late_identity(device: Any, right: Any) -> Any:
    def received(data: bytes) -> None:
        if data == IDENTIFY:
            device.link._loop.call_later(0.03, right, data)
        else:
            right(data)

    return received


@must("LINK-42", "9", wrong=patched("link._on_message", _late_identity))
async def answers_in_order(bench: LinkBench) -> None:
    """Requests are answered in the order in which they were received."""
    session = await bench.begin()
    session.forget()
    requests = (b"\x01", b"\x02", b"\x01") if not bench.has_firmware_page else (b"\x05", b"\x01", b"\x02", b"\x01")
    for request in requests:
        session.data(request)
    wanted = [request[0] + 0x80 for request in requests]

    def answers() -> list[int]:
        return [said.kind for said in session.said if said.kind in wanted]

    await bench.until(lambda: len(answers()) >= len(wanted), 2.0)
    if answers() != wanted:
        raise Broken(f"answers {_kinds(wanted)}, in this order", _kinds(answers()) or "none")


def _kinds(kinds: list[int]) -> str:
    return " ".join(f"{kind:02x}" for kind in kinds)


def _answers_anything(device: Any, right: Any) -> Any:
    def received(data: bytes) -> None:
        if data[:1] == UNKNOWN and len(data) == 3:
            device.link.post(b"\xbf", keep=False)
        right(data)

    return received


@must("LINK-43", "9", wrong=patched("link._on_message", _answers_anything))
async def unknown_message(bench: LinkBench) -> None:
    """A message of an unknown kind is acknowledged and ignored."""
    session = await bench.begin()
    session.forget()
    await session.say(UNKNOWN + b"\x01\x02")
    await bench.pause(0.3)
    answers = [said for said in session.said if not said.is_event]
    if answers:
        raise Broken("a message of kind 0x3f to be ignored", f"an answer 0x{answers[0].kind:02x}")
    await session.ask(IDENTIFY)


def _reads_on(device: Any, right: Any) -> Any:
    return lambda data: right(data[:1] if data[:1] == IDENTIFY else data)


@must("LINK-44", "9", wrong=patched("link._on_message", _reads_on))
async def message_of_a_wrong_length(bench: LinkBench) -> None:
    """A message that is longer or shorter than its fields is acknowledged and ignored."""
    session = await bench.begin()
    mark = len(session.said)
    await session.say(IDENTIFY + b"\x00")
    if await session.next(lambda said: said.kind == 0x81, mark, 0.4) is not None:
        raise Broken("an Identify with a byte too many to be ignored", "Identity")
    await session.ask(IDENTIFY)


class _Sleepy:
    """A device that needs 2.3 s to answer after 1.5 s in which it received no message."""

    def __init__(self, device: Any, right: Any) -> None:
        self._device, self._right = device, right
        self._last = 0.0

    def __call__(self, data: bytes) -> None:
        loop = self._device.link._loop
        slept, self._last = loop.time() - self._last > 1.5, loop.time()
        if slept and data == IDENTIFY:
            loop.call_later(2.3, self._right, data)
        else:
            self._right(data)


@must("LINK-55", "9", wrong=patched("link._on_message", _Sleepy))
async def answers_in_time(bench: LinkBench) -> None:
    """Requests are answered within 2 s."""
    session = await bench.begin()
    await bench.pause(2.0)
    began = bench.now
    await session.ask(IDENTIFY)
    if bench.now - began > 2.0:
        raise Broken("an answer within 2 s", f"one after {bench.now - began:.1f} s")
