"""Sessions: device-link.md, section 4."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from protocols.link import frames
from protocols.link.frames import Data, FrameKind, KeepAlive, Reset
from sim_hw.conform.hands import POWER_CYCLE
from sim_hw.conform.link.bench import EVENTS, IDENTIFY, SESSION_WITHIN, STATUS_REQUEST, LinkBench
from sim_hw.conform.requirement import Broken, NoSession, NotPlayed, must
from sim_hw.conform.wrong import at_session, into, lost_out, out, patched, timings

DEAD_AFTER = 2.5
OTHER = 0x5A5A5A5A
"""Makes the number of another session."""


@must("LINK-12", "4", wrong=lost_out(FrameKind.HELLO))
async def answers_reset(bench: LinkBench) -> None:
    """A RESET is answered with HELLO."""
    try:
        await bench.open()
    except NoSession:
        raise Broken(f"HELLO within {SESSION_WITHIN:g} s of a RESET", "none") from None


@must("LINK-13", "4", wrong=patched("link._rng.randint", lambda device, right: lambda low, high: 0))
async def session_is_not_zero(bench: LinkBench) -> None:
    """The session number is not 0."""
    if (await bench.open()).number == 0:
        raise Broken("a session number", "session 0")


@must("LINK-14", "4", wrong=patched("link._rng.randint", lambda device, right: lambda low, high: 0x11223344))
async def session_is_new(bench: LinkBench) -> None:
    """A session number was not used before."""
    used = [(await bench.open()).number for _ in range(6)]
    twice = {number for number in used if number and used.count(number) > 1}
    if twice:
        raise Broken("six sessions to have six numbers", f"0x{twice.pop():08x} more than once")


def _wrong_token(body: bytes) -> Iterable[bytes]:
    return (body[:10] + bytes((body[10] ^ 1,)) + body[11:],) if body[0] == FrameKind.HELLO else (body,)


@must("LINK-15", "4", wrong=out(_wrong_token))
async def token(bench: LinkBench) -> None:
    """HELLO repeats the token of the newest RESET."""
    session = await bench.open()
    if session.hello.token != session.token:
        raise Broken(f"the token 0x{session.token:08x} in HELLO", f"0x{session.hello.token:08x}")


def _forgets_token(device: Any) -> None:
    receive = device.wire._receive

    def received(data: bytes) -> None:
        device.link._link._token = None
        receive(data)

    device.wire._receive = received


@must("LINK-16", "4", wrong=_forgets_token)
async def reset_repeated(bench: LinkBench) -> None:
    """A RESET with the token of the session, while nothing else was received, is answered with the same HELLO."""
    session = await bench.open()
    bench.session = None
    mark = len(bench.seen)
    bench.send(Reset(session.token, 1, 1, 4, frames.MAX_PAYLOAD))
    await bench.until(lambda: bool(bench.since(mark, FrameKind.HELLO)), 1.0)
    again = bench.since(mark, FrameKind.HELLO)
    if not again:
        raise Broken("HELLO again", "none in 1 s")
    if again[0].session != session.number:
        raise Broken(f"the same session 0x{session.number:08x}", f"session 0x{again[0].session:08x}")


def _keeps_its_session(device: Any) -> None:
    def edit(body: bytes) -> Iterable[bytes]:
        in_use = device.link.is_up and device.link._link._has_received
        return () if in_use and body[0] == FrameKind.RESET and body[8] == 1 else (body,)

    into(edit)(device)


@must("LINK-17", "4", wrong=_keeps_its_session)
async def another_reset(bench: LinkBench) -> None:
    """Any other RESET begins a new session, also while one goes on."""
    session = await bench.begin()
    mark = len(bench.seen)
    bench.session = None
    bench.send(Reset(session.token ^ 0x0F0F0F0F, 1, 1, 4, frames.MAX_PAYLOAD))
    await bench.until(lambda: bool(bench.since(mark, FrameKind.HELLO)), 1.0)
    if not bench.since(mark, FrameKind.HELLO):
        raise Broken("HELLO to a RESET with a new token", "none in 1 s")


def _takes_strangers(device: Any) -> None:
    def edit(body: bytes) -> Iterable[bytes]:
        number = device.link._link._session
        if body[0] == FrameKind.DATA and device.link.is_up and int.from_bytes(body[1:5]) == number ^ OTHER:
            return (body[:1] + number.to_bytes(4) + body[5:],)
        return (body,)

    into(edit)(device)


@must("LINK-18", "4", wrong=_takes_strangers)
async def frames_of_another_session(bench: LinkBench) -> None:
    """Frames of another session are ignored."""
    session = await bench.begin()
    mark = len(session.said)
    bench.send(Data(session.number ^ OTHER, session.next_seq, session.expected, IDENTIFY))
    if await session.next(lambda said: said.kind == 0x81, mark, 0.5) is not None:
        raise Broken("DATA of another session to be ignored", "an answer")
    if session.is_over:
        raise Broken("DATA of another session to be ignored", "DOWN")


@must("LINK-19", "4", wrong=out(lambda body: () if body[0] == FrameKind.DOWN and body[1:5] != bytes(4) else (body,)))
async def listening_answers_down(bench: LinkBench) -> None:
    """A device in LISTENING answers DATA, ACK, NAK and KEEPALIVE with DOWN and the session number of that frame."""
    bench.session = None
    await bench.hands.do(POWER_CYCLE)
    number = 0x0BADF00D
    mark = len(bench.seen)

    def downs() -> list[int]:
        return [seen.session for seen in bench.since(mark, FrameKind.DOWN) if seen.session]

    until = bench.now + bench.hands.patience
    while not downs() and bench.now < until:
        bench.send(KeepAlive(number, 0))
        await bench.until(lambda: bool(downs()), 0.5)
    if number not in downs():
        raise Broken(f"DOWN with session 0x{number:08x} after a KEEPALIVE of it", "none")


@must("LINK-20", "4", wrong=out(lambda body: () if body[0] == FrameKind.DOWN and body[1:5] == bytes(4) else (body,)))
async def power_up(bench: LinkBench) -> None:
    """After power-up the device sends DOWN with session 0."""
    bench.session = None
    mark, losses = len(bench.seen), bench.port_losses
    await bench.hands.do(POWER_CYCLE)
    await bench.until(lambda: any(not seen.session for seen in bench.since(mark, FrameKind.DOWN)), bench.hands.patience)
    if bench.port_losses > losses and not bench.since(mark, FrameKind.DOWN):
        raise NotPlayed("the port went away with the power, and what is sent before it is open again is lost")
    if not any(not seen.session for seen in bench.since(mark, FrameKind.DOWN)):
        raise Broken("DOWN with session 0 after power-up", "none")


@must("LINK-21", "4", wrong=timings(dead_after=40.0))
async def silence_ends_the_session(bench: LinkBench) -> None:
    """After 2.5 s without a good frame of the session it is over: the device sends no more of it."""
    await bench.begin()
    bench.keeps_alive = False
    await bench.pause(DEAD_AFTER + 1.0)
    mark = len(bench.seen)
    await bench.pause(1.5)
    late = bench.since(mark)
    if late:
        raise Broken("nothing more from a device whose controller is silent for 3.5 s", f"{len(late)} frames")


@must("LINK-22", "4", wrong=timings(dead_after=1.2))
async def a_short_silence(bench: LinkBench) -> None:
    """Less than 2.5 s without a frame do not end the session."""
    session = await bench.begin()
    bench.keeps_alive = False
    await bench.pause(2.1)
    bench.keeps_alive = True
    try:
        await session.ask(IDENTIFY)
    except Broken as broken:
        raise Broken("the session to go on after 2.1 s of silence", broken.came) from None


def _begins_with_any_version(body: bytes) -> Iterable[bytes]:
    return (body[:7] + b"\x01\x01" + body[9:],) if body[0] == FrameKind.RESET else (body,)


@must("LINK-23", "4", wrong=into(_begins_with_any_version))
async def no_common_version(bench: LinkBench) -> None:
    """A device that supports none of the offered versions answers HELLO with version 0 and keeps its state."""
    session = await bench.begin()
    mark = len(bench.seen)
    bench.send(Reset(session.token ^ 0x00FF00FF, 200, 201, 4, frames.MAX_PAYLOAD))
    await bench.until(lambda: bool(bench.since(mark, FrameKind.HELLO)), 1.0)
    hellos = bench.since(mark, FrameKind.HELLO)
    if not hellos or hellos[0].payload[4] != 0:
        raise Broken("HELLO with version 0 to versions 200 to 201", "a session" if hellos else "no HELLO in 1 s")
    await session.ask(IDENTIFY)


def _wants_one_version(body: bytes) -> Iterable[bytes]:
    return () if body[0] == FrameKind.RESET and body[8] > 1 and body[7] == 1 else (body,)


@must("LINK-24", "3", wrong=into(_wants_one_version))
async def highest_common_version(bench: LinkBench) -> None:
    """HELLO has the highest version that both ends support."""
    await bench.open()
    bench.session = None
    mark = len(bench.seen)
    bench.send(Reset(0x0C0FFEE0, 1, 255, 4, frames.MAX_PAYLOAD))
    await bench.until(lambda: bool(bench.since(mark, FrameKind.HELLO)), 1.0)
    hellos = bench.since(mark, FrameKind.HELLO)
    if not hellos or hellos[0].payload[4] != 1:
        raise Broken("HELLO with version 1 to versions 1 to 255", "another version" if hellos else "no HELLO in 1 s")


def _says_it_again(device: Any) -> None:
    """What was not taken of an answer is sent in the next session."""

    def edit(body: bytes) -> Iterable[bytes]:
        if body[0] == FrameKind.RESET:
            for posted in device.link._outbox:
                posted.keep = True
        return (body,)

    begun = device.link._in_next_session
    device.link._in_next_session = lambda message: begun(message) if message[0] in EVENTS else message

    into(edit)(device)


@must("LINK-25", "4", wrong=_says_it_again)
async def answers_of_an_old_session(bench: LinkBench) -> None:
    """Answers that belong to the old session are dropped."""
    session = await bench.begin()
    session.takes = False
    mark = len(bench.seen)
    session.data(IDENTIFY)
    await session.offered(mark, 1.0)
    session = await bench.open()
    if bench.key is not None and "guarded" in bench.holding:
        await bench.prove(session)
    session.forget()
    await session.ask(STATUS_REQUEST)
    if any(said.kind == 0x81 for said in session.said):
        raise Broken("no answer of the session before", "Identity, which nobody asked for in this session")


def _counts_from_one(device: Any) -> None:
    device.link._link._sender._next_seq = 1


@must("LINK-26", "4", wrong=at_session(_counts_from_one))
async def sequence_from_zero(bench: LinkBench) -> None:
    """The sequence numbers of a session start at 0 and go up by one."""
    session = await bench.open()
    mark = len(bench.seen)
    for _ in range(3):
        await session.ask(IDENTIFY)
    numbers = [seen.seq for seen in bench.since(mark, FrameKind.DATA) if seen.session == session.number]
    if list(dict.fromkeys(numbers))[:3] != [0, 1, 2]:
        raise Broken("DATA 0, 1, 2", f"DATA {numbers}")
