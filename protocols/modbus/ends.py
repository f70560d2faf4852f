"""The two ends of a Modbus line, without I/O.

Nothing in a frame says where it ends, only the silence behind it does, and silence does not survive a USB adapter. So
neither end here depends on it for what it understands:

    Master          asked something and knows what an answer looks like: it takes the first good one out of whatever
                    arrives, and nothing that was not asked for
    RequestReader   takes a request as soon as its length is there and its CRC is good; what is no request is
                    forgotten at the next silence

    >>> master = Master()
    >>> master.ask(1, frames.ReadHoldingRegisters(address=0, count=2)).hex(" ")
    '01 03 00 00 00 02 c4 0b'
    >>> master.feed(b"noise" + bytes.fromhex("01 03 04 00 02 00 1e db fb"))
    HoldingRegisters(values=(2, 30))
"""

from __future__ import annotations

from protocols.errors import ProtocolError
from protocols.modbus import frames


def silence(baud: int) -> float:
    """Seconds of 3.5 characters; above 19,200 baud the standard fixes 1.75 ms."""
    return 0.00175 if baud > 19_200 else 3.5 * frames.BITS_PER_CHARACTER / baud


def on_the_wire(characters: int, baud: int) -> float:
    """Seconds that this number of characters takes."""
    return characters * frames.BITS_PER_CHARACTER / baud


class Master:
    """The asking end: one question at a time. Holds at most `MAX_ADU` bytes, whatever it is fed."""

    def __init__(self) -> None:
        self._unit = 0
        self._request: frames.Request | None = None
        self._received = bytearray()
        self.noise_bytes = 0
        """Bytes that belonged to no answer, since this was made."""

    @property
    def held(self) -> int:
        return len(self._received)

    def ask(self, unit: int, request: frames.Request) -> bytes:
        """The bytes to send. What came before belongs to an older question and is forgotten."""
        if unit == frames.BROADCAST:
            raise ProtocolError("nobody answers a broadcast")
        adu = frames.encode(unit, request)
        self.give_up()
        self._unit, self._request = unit, request
        return adu

    def feed(self, data: bytes) -> frames.Reply | None:
        """The answer, once it is complete."""
        if self._request is None:
            self.noise_bytes += len(data)
            return None
        function = frames.function_of(self._request)
        self._received += data
        at = -1
        while (at := self._received.find(self._unit, at + 1)) >= 0:
            head = self._received[at : at + frames.MAX_ADU]
            if len(head) < frames.MIN_ADU or head[1] & ~frames.REFUSED != function:
                continue
            length = frames.reply_length(head)
            if length is None or len(head) < length:
                continue
            reply = self._fitting(bytes(head[:length]))
            if reply is not None:
                self.noise_bytes += len(self._received) - length
                self._received.clear()
                self._request = None
                return reply
        too_many = len(self._received) - frames.MAX_ADU
        if too_many > 0:
            self.noise_bytes += too_many
            del self._received[:too_many]
        return None

    def give_up(self) -> None:
        """No answer will be waited for any longer."""
        self.noise_bytes += len(self._received)
        self._received.clear()
        self._request = None

    def _fitting(self, adu: bytes) -> frames.Reply | None:
        try:
            _, reply = frames.decode_reply(adu)
        except ProtocolError:
            return None
        match self._request, reply:
            case (_, frames.Refusal()):
                fits = True
            case (frames.ReadHoldingRegisters(_, count), frames.HoldingRegisters(values)):
                fits = len(values) == count
            case (frames.ReadInputRegisters(_, count), frames.InputRegisters(values)):
                fits = len(values) == count
            case (frames.WriteRegister(address, value), _):
                fits = reply == frames.RegisterWritten(address, value)
            case (frames.WriteRegisters(address, values), _):
                fits = reply == frames.RegistersWritten(address, len(values))
            case (frames.ReadIdentification(level, _), frames.Identification()):
                fits = reply.level == level
            case _:
                fits = False
        return reply if fits else None


class RequestReader:
    """The answering end's ear. Holds at most `MAX_ADU` bytes, whatever it is fed."""

    def __init__(self, baud: int) -> None:
        self._silence = silence(baud)
        self._received = bytearray()
        self._overrun = False
        self._last_at = 0.0
        self.noise_bytes = 0

    @property
    def held(self) -> int:
        return len(self._received)

    def feed(self, data: bytes, now: float) -> list[tuple[int, frames.Request | frames.Unanswerable]]:
        """The requests, by unit, that these bytes complete. Those for other units are the caller's to ignore."""
        found = self.poll(now)
        self._last_at = now
        self._received += data
        while (length := frames.request_length(self._received)) is not None and len(self._received) >= length:
            try:
                request = frames.decode_request(bytes(self._received[:length]))
            except ProtocolError:
                break
            found.append(request)
            del self._received[:length]
        if self._overrun or len(self._received) > frames.MAX_ADU:
            self.noise_bytes += len(self._received)
            self._received.clear()
            self._overrun = True
        return found

    def next_deadline(self) -> float | None:
        """When `poll` should be called, if nothing comes before."""
        return self._last_at + self._silence if self._received or self._overrun else None

    def poll(self, now: float) -> list[tuple[int, frames.Request | frames.Unanswerable]]:
        """What the silence has ended: a request of a function that is not known here, or nothing."""
        deadline = self.next_deadline()
        if deadline is None or now < deadline:
            return []
        received = bytes(self._received)
        self._received.clear()
        self._overrun = False
        if received:
            try:
                return [frames.decode_request(received)]
            except ProtocolError:
                self.noise_bytes += len(received)
        return []
