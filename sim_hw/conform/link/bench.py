"""The controller's end of the device link, for judging a device.

It is not `protocols.link.session`: that one does everything right, and a judge must be able to hold an acknowledgement
back, to send a frame twice, to leave one out. It takes more than the link allows (a session 0, a HELLO with another
token), so that a device which is wrong in one place is judged in all others as well.

    session = await bench.begin()             a session, its kept events taken, its status asked for
    answer = await session.ask(b"\\x01")       a message and its answer
    session.takes = False                     from now on nothing is acknowledged
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from protocols.errors import ProtocolError
from protocols.firmware import authentication, companion
from protocols.link import frames
from protocols.link.frames import Ack, Data, Frame, FrameKind, KeepAlive, Nak, Reset
from protocols.link.framing import Deframer, encode_frame
from protocols.link.identity import IDENTITY_KIND, IDENTITY_LAYOUT, Identity
from protocols.link.messages import Codec
from protocols.link.seal import BadSeal, Seal, is_sealed, stripped
from protocols.values import Value
from sim_hw.conform.hands import Act, Hands
from sim_hw.conform.opening import Line
from sim_hw.conform.requirement import Broken, NoSession, NotPlayed
from sim_hw.conform.trace import Trace

ANSWER_WITHIN = 5.0
"""Longer than the two seconds of the pages: LINK-55 judges those, and the others still see the answer."""
RESET_EVERY = 0.25
SESSION_WITHIN = 5.0
"""Longer than a device needs to notice by itself that the session before is over."""
KEEPALIVE_EVERY = 0.4
AGAIN_AFTER = 0.6
HELLO_PAYLOAD = 8
EVENTS = range(0x40, 0x80)
ANSWER = 0x80

IDENTIFY = b"\x01"
STATUS_REQUEST = b"\x02"
UNKNOWN = b"\x3f"
"""A request of a kind that no page has."""

_IDENTITY: Codec[Identity] = Codec({IDENTITY_KIND: (Identity, IDENTITY_LAYOUT)})


@dataclass(frozen=True, slots=True)
class Seen:
    """A good frame of the device's."""

    at: float
    kind: int
    session: int
    seq: int
    ack: int
    payload: bytes
    sealed: bool = False
    number: int = 0
    """Of a sealed frame."""

    @property
    def token(self) -> int:
        """Of a HELLO."""
        return int.from_bytes(self.payload[:4])


@dataclass(frozen=True, slots=True)
class Said:
    """A message of the device's, taken once."""

    at: float
    data: bytes

    @property
    def kind(self) -> int:
        return self.data[0]

    @property
    def is_event(self) -> bool:
        return self.kind in EVENTS

    @property
    def boot(self) -> int:
        """Of an event."""
        return int.from_bytes(self.data[1:5])

    @property
    def event_no(self) -> int:
        return int.from_bytes(self.data[5:9])

    @property
    def uptime_ms(self) -> int:
        return int.from_bytes(self.data[9:17])


class Profile(Value, kw_only=True):
    """What the bench must know of a kind of device."""

    kind: str
    device_class: int
    codec: Codec[Value]
    event: tuple[Act, ...]
    """These acts together make the device report at least one event, whatever its state is."""

    @property
    def words(self) -> str:
        return self.kind.replace("_", " ")


def _decoded(codec: Codec[Value]) -> Callable[[bytes, bool], list[str]]:
    """Frames and messages of one chunk, in words."""

    def decode(data: bytes, to_device: bool) -> list[str]:
        lines = []
        for body in Deframer().feed(data):
            seal = " sealed" if is_sealed(body) else ""
            try:
                frame = frames.decode(stripped(body) if seal else body)
            except ProtocolError as error:
                lines.append(f"not a frame of the link: {error}")
                continue
            text = f"{frame!r}{seal}"
            if isinstance(frame, Data):
                text = f"Data(session=0x{frame.session:08x}, seq={frame.seq}, ack={frame.ack}){seal}"
                with suppress(ProtocolError):
                    text += f" {message(codec, frame.payload)!r}"
            lines.append(text)
        return lines

    return decode


def message(codec: Codec[Value], data: bytes) -> Value:
    """The message in these bytes, the device's own or one that every device has."""
    return companion.decode(data) if companion.is_companion(data) else codec.decode(data)


class LinkBench:
    """One device on one port."""

    def __init__(
        self, line: Line, profile: Profile, hands: Hands, *, key: bytes | None = None, signer: bytes | None = None
    ) -> None:
        """`key`: the device's own; `signer`: the secret seed of an image signer that the device trusts."""
        self.profile, self.hands, self.key, self.signer = profile, hands, key, signer
        self.trace = Trace(_decoded(profile.codec))
        self.seen: list[Seen] = []
        self.session: Session | None = None
        self.has_firmware_page = False
        """The device answers FirmwareRequest."""
        self.holding: authentication.Holding = "no key"
        self.keeps_alive = True
        self._line = line
        self._loop = asyncio.get_running_loop()
        self._deframer = Deframer()
        self._changed = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None
        self._opening: int | None = None
        """The token of the RESET that waits for its HELLO."""
        line.receive = self._received
        self._tick()

    # Time

    @property
    def now(self) -> float:
        return self._loop.time()

    async def until(self, holds: Callable[[], bool], within: float) -> bool:
        """Whether it came to hold in time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(within):
                while not holds():
                    self._changed.clear()
                    await self._changed.wait()
        return holds()

    async def pause(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    @property
    def is_gone(self) -> bool:
        return self._line.is_lost

    @property
    def port_losses(self) -> int:
        """How often the port went away, as one on USB does when its device is switched off."""
        return self._line.losses

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._line.close()

    def _tick(self) -> None:
        self._timer = self._loop.call_later(KEEPALIVE_EVERY, self._tick)
        session = self.session
        if self.keeps_alive and session is not None and not session.is_over:
            session.send(KeepAlive(session.number, session.expected))

    # Bytes

    def write(self, data: bytes) -> None:
        self.trace.add(self.now, True, data)
        self._line.write(data)

    def send(self, frame: Frame) -> None:
        """A frame outside of a sealed session."""
        self.write(encode_frame(frames.encode(frame)))

    def _received(self, data: bytes) -> None:
        self.trace.add(self.now, False, data)
        for body in self._deframer.feed(data):
            if len(body) >= frames.HEAD_SIZE:
                self._frame(body)
        self._changed.set()

    def _frame(self, body: bytes) -> None:
        number = 0
        sealed = is_sealed(body)
        if sealed:
            number = int.from_bytes(body[-12:-8])
            session = self.session
            if session is not None and session.seal is not None and int.from_bytes(body[1:5]) == session.number:
                try:
                    body = session.seal.open(body)
                except BadSeal:
                    return
            else:
                body = stripped(body)
        seen = Seen(self.now, body[0], int.from_bytes(body[1:5]), body[5], body[6], body[7:], sealed, number)
        self.seen.append(seen)
        if seen.kind == FrameKind.HELLO and self._opening is not None and len(seen.payload) == HELLO_PAYLOAD:
            # Here, because the first message of the session may be in the same chunk.
            self.session = Session(self, seen, self._opening) if seen.payload[4] else None
            self._opening = None
        if self.session is not None:
            self.session.came(seen)

    def since(self, mark: int, *kinds: FrameKind) -> list[Seen]:
        """Frames of these kinds after the first `mark`; without a kind all of them."""
        return [seen for seen in self.seen[mark:] if not kinds or seen.kind in kinds]

    # Sessions

    async def reset(
        self, *, window: int = 4, max_payload: int = frames.MAX_PAYLOAD, lowest: int = 1, highest: int = 1
    ) -> Seen:
        """RESET with a new token until a HELLO comes, which begins a session of the bench's as well."""
        self.session = None
        mark, token = len(self.seen), secrets.randbits(32)
        self._opening = token
        reset = Reset(token, lowest, highest, window, max_payload)
        until = self.now + SESSION_WITHIN

        def hellos() -> list[Seen]:
            return [seen for seen in self.since(mark, FrameKind.HELLO) if len(seen.payload) == HELLO_PAYLOAD]

        while not hellos():
            if self.now >= until:
                raise NoSession(f"no HELLO in {SESSION_WITHIN:g} s after RESET")
            self.send(reset)
            await self.until(lambda: bool(hellos()), RESET_EVERY)
        self._opening = None
        return hellos()[0]

    async def open(self, *, window: int = 4, max_payload: int = frames.MAX_PAYLOAD) -> Session:
        """A new session, in which nothing was said yet."""
        await self.reset(window=window, max_payload=max_payload)
        if self.session is None:
            raise NoSession("the device answers version 1 with version 0")
        return self.session

    async def begin(self, *, window: int = 4, max_payload: int = frames.MAX_PAYLOAD) -> Session:
        """A new session as a controller begins it: who it is, the proof where there is a guard, the kept events."""
        session = await self.open(window=window, max_payload=max_payload)
        if self.key is not None and "guarded" in self.holding:
            await self.prove(session)
        await session.ask(STATUS_REQUEST)
        session.forget()
        return session

    async def prove(self, session: Session, *, seals: bool = True) -> bool:
        """The challenge, and the proof. `seals`: in a sealed frame, where the device offers it."""
        if self.key is None:
            raise NotPlayed("needs the device's key: --key FILE")
        exchange, _ = await self.challenge(session)
        if exchange.seals and seals:
            session.seal = Seal(exchange.session_key(self.key), "controller")
        answer = await session.ask(companion.encode(authentication.Proof(mac=exchange.controller_mac(self.key))))
        state = companion.decode(answer)
        return isinstance(state, authentication.ProofState) and state.accepted

    async def challenge(self, session: Session) -> tuple[authentication.Exchange, authentication.Response]:
        """One challenge, its response, and what both are made over."""
        nonce = secrets.token_bytes(authentication.NONCE_SIZE)
        response = companion.decode(await session.ask(companion.encode(authentication.Challenge(nonce=nonce))))
        assert isinstance(response, authentication.Response)
        identity = await session.ask(IDENTIFY)
        exchange = authentication.Exchange(
            nonce, response.nonce, self.profile.device_class, identity, seals=response.seals
        )
        self.holding = response.holding
        return exchange, response

    async def survey(self) -> str:
        """What the device supports; who it is, in words."""
        session = await self.open()
        for request in (b"\x05", companion.encode(authentication.Challenge(nonce=bytes(16))), IDENTIFY):
            session.data(request)
        await self.until(lambda: any(said.kind == IDENTITY_KIND for said in session.said), ANSWER_WITHIN)
        who = f"a {self.profile.words} that did not say who it is"
        for said in session.said:
            with suppress(ProtocolError):
                if said.kind == IDENTITY_KIND:
                    identity = _IDENTITY.decode(said.data)
                    who = f"{identity.model} {identity.serial}, firmware {identity.firmware}"
                    break
                answer = companion.decode(said.data)
                self.has_firmware_page = self.has_firmware_page or said.kind == 0x85
                if isinstance(answer, authentication.Response):
                    self.holding = answer.holding
        return who

    async def ready(self) -> None:
        self.keeps_alive = True
        self.seen.clear()

    # Events

    async def cause(self) -> None:
        """Something happens at the device: at least one event."""
        for what in self.profile.event:
            await self.hands.do(what)

    def need_firmware_page(self) -> None:
        if not self.has_firmware_page:
            raise NotPlayed("the device does not implement firmware.md")


class Session:
    """One session with the device, from the controller's side."""

    def __init__(self, bench: LinkBench, hello: Seen, token: int) -> None:
        self._bench = bench
        self.number, self.hello, self.token = hello.session, hello, token
        self.window, self.max_payload = hello.payload[5], hello.payload[6]
        self.takes = True
        """Whether what comes is acknowledged."""
        self.is_over = False
        """The device has said so."""
        self.seal: Seal | None = None
        self.said: list[Said] = []
        """Messages that were taken, each once and in order."""
        self.next_seq = 0
        self.expected = 0
        self.their_ack = 0
        self._began = False

    def came(self, seen: Seen) -> None:
        if seen.kind == FrameKind.DOWN and seen.session in (0, self.number):
            self.is_over = True
        if seen.session != self.number or seen.kind == FrameKind.HELLO:
            return
        if seen.kind in (FrameKind.DATA, FrameKind.ACK, FrameKind.KEEPALIVE, FrameKind.NAK):
            self.their_ack = seen.ack
        if seen.kind == FrameKind.DATA and self.takes:
            if not self._began:
                self._began, self.expected = True, seen.seq
            if seen.seq == self.expected:
                self.said.append(Said(seen.at, seen.payload))
                self.expected = (self.expected + 1) % 256
            self.send(Ack(self.number, self.expected))

    def forget(self) -> None:
        """What was said so far."""
        self.said.clear()

    @property
    def events(self) -> list[Said]:
        return [said for said in self.said if said.is_event]

    def wire(self, frame: Frame) -> bytes:
        """The bytes of a frame in this session."""
        body = frames.encode(frame)
        if self.seal is not None and not isinstance(frame, Reset):
            body = self.seal.close(body)
        return encode_frame(body)

    def send(self, frame: Frame) -> None:
        self._bench.write(self.wire(frame))

    def nak(self, seq: int) -> None:
        self.send(Nak(self.number, seq % 256, self.expected))

    def data(self, payload: bytes, *, seq: int | None = None) -> int:
        """A message in the next DATA frame, or in one with this number; its number."""
        if seq is None:
            seq, self.next_seq = self.next_seq, (self.next_seq + 1) % 256
        self.send(Data(self.number, seq % 256, self.expected, payload))
        return seq

    def is_acknowledged(self, seq: int) -> bool:
        return 1 <= (self.their_ack - seq) % 256 < 128

    async def say(self, payload: bytes) -> None:
        """A message, sent until it is acknowledged."""
        seq = self.data(payload)
        for _ in range(4):
            if await self._bench.until(lambda: self.is_acknowledged(seq) or self.is_over, AGAIN_AFTER):
                break
            self.data(payload, seq=seq)
        if self.is_over:
            raise Broken("the session to go on", "DOWN: the device has ended it")
        if not self.is_acknowledged(seq):
            raise Broken(f"DATA {seq} to be acknowledged within {4 * AGAIN_AFTER:g} s", "no acknowledgement")

    async def ask(self, request: bytes, within: float = ANSWER_WITHIN) -> bytes:
        """A request, and its answer."""
        mark, kind = len(self.said), request[0] + ANSWER
        await self.say(request)
        answer = await self.next(lambda said: said.kind == kind, mark, within)
        if answer is None:
            raise Broken(f"an answer 0x{kind:02x} to 0x{request[0]:02x} within {within:g} s", "none")
        return answer.data

    async def next(self, fits: Callable[[Said], bool], mark: int, within: float) -> Said | None:
        """The first message after `mark` that fits."""
        await self._bench.until(lambda: self.is_over or any(fits(said) for said in self.said[mark:]), within)
        return next((said for said in self.said[mark:] if fits(said)), None)

    async def event(self, *kinds: int, mark: int = 0) -> Said:
        """The first event after `mark`, of these kinds where some are given."""

        def fits(said: Said) -> bool:
            return said.is_event and (not kinds or said.kind in kinds)

        within = self._bench.hands.patience
        event = await self.next(fits, mark, within)
        if event is None:
            names = " or ".join(f"0x{kind:02x}" for kind in kinds) or "of any kind"
            raise Broken(f"an event {names} within {within:g} s", "none")
        return event

    async def offered(self, mark: int, within: float | None = None) -> list[Seen]:
        """DATA frames of the session after the first `mark` frames, taken or not; waits for the first."""
        bench = self._bench

        def found() -> list[Seen]:
            return [seen for seen in bench.since(mark, FrameKind.DATA) if seen.session == self.number]

        await bench.until(lambda: bool(found()), bench.hands.patience if within is None else within)
        return found()
