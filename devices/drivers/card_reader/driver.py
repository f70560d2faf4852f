"""The card reader: a barcode scanner's scans as cards.

A scanner does not keep what it has sent, so the driver does: every scan becomes an event with a number, and is kept
until the sink has taken it, over failures of the sink and of the cable. What cannot be a card is reported too, as
unread and with the reason. docs/protocols/card-reader.md says which scans are accepted.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import NoReturn, TypedDict

from devices.driver import DriverFailure, WrongDevice
from devices.drivers.card_reader.options import CardReaderOptions
from devices.options import OptionsError, options_of
from devices.ports.discovery import PortError, UsbName
from devices.ports.hid_port import HidPort, Packet
from devices.reports import DeviceEvent, DeviceState, Sink
from devices.spec import DeviceSpec
from protocols.hid.pos import BrokenScan, Scan, ScanDecoder, Scans, ScanStatistics, find_scans
from protocols.link.events import NumberedEvent
from protocols.link.framing import FramingStatistics
from protocols.link.session import LinkStatistics, Timings

SCANS_A_SECOND = 20
"""No dealer passes cards faster."""
PACKETS_A_SECOND = 400
"""Two of the longest codes that there are; what is no scan takes the daemon's time as well."""
GARBLED_IN_A_ROW = 3


class CardScanned(NumberedEvent, kw_only=True):
    """A card was passed before the reader."""

    HIDDEN = frozenset({"card", "text"})
    card: str | None
    """None when it was not read for certain."""
    why: str | None = None
    text: str = ""
    """The text of the code, if any, for the person who corrects the config. Not in the `repr`, as the card."""


class CardScannedAgain(NumberedEvent, kw_only=True):
    """The reader has read the same code again: the card is still before it, or an equal one came too fast.

    Reported once; it is not a second card.
    """

    HIDDEN = frozenset({"card"})
    card: str


class _Head(TypedDict):
    """What every event begins with. A reader numbers nothing, so the driver does."""

    boot: int
    event_no: int
    uptime_ms: int


class Babbling(DriverFailure):
    """The reader sends what cannot come from cards: it is closed, and what it sent last is dropped."""


class CardReaderDriver:
    """One reader, over all its connections."""

    def __init__(
        self,
        spec: DeviceSpec,
        timings: Timings | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        backend: object = None,
    ) -> None:
        """`timings` are the device link's, which a reader has not. `clock`: seconds. `backend`: pyusb's."""
        self.spec = spec
        self._options = options_of(spec, CardReaderOptions)
        try:
            UsbName.parse(spec.url)
        except PortError as error:
            raise OptionsError(f"the {spec.kind} {spec.id!r}: {error}") from None
        self._clock = clock
        self._backend = backend
        self._began = clock()
        # From the system, not from a seed: a daemon that is started twice must not use the same numbers twice.
        self._boot = secrets.randbelow(0xFFFFFFFF) + 1
        self._event_no = 0
        self._waiting: deque[CardScanned | CardScannedAgain] = deque()
        self._scans = ScanStatistics()
        self._sessions = self._reported = self._repeated = 0
        self._last: tuple[str, float] | None = None
        """The last card's text, and when it was last read."""
        self._reported_again = False
        self._garbled = 0
        self._scan_times: deque[float] = deque(maxlen=SCANS_A_SECOND)
        self._packet_times: deque[float] = deque(maxlen=PACKETS_A_SECOND)

    @property
    def statistics(self) -> LinkStatistics:
        """As far as a reader has them: packets, reports taken, codes read again, broken scans, other reports."""
        return LinkStatistics(
            FramingStatistics(frames=self._scans.reports),
            sessions=self._sessions,
            messages_taken=self._reported,
            duplicates=self._repeated,
            malformed=self._scans.broken,
            strays=self._scans.strays,
        )

    async def run(self, sink: Sink) -> NoReturn:
        """One connection, until it fails: with a `DriverFailure`, or the sink's own error."""
        await self._report(sink)
        self._garbled = 0
        self._scan_times.clear()
        self._packet_times.clear()
        port = HidPort(self.spec.url, find_scans, clock=self._clock, backend=self._backend)
        decoder: ScanDecoder | None = None
        try:
            async with port:
                self._expect_usable(port)
                decoder = ScanDecoder(port.found, self._scans)
                self._sessions += 1
                await sink(self._online(port))
                while True:
                    packet = await self._next(port, decoder)
                    if packet is None:
                        self._note(decoder.poll(self._clock()), self._clock())
                    else:
                        self._take(packet, decoder)
                    await self._report(sink)
                    self._expect_sense()
        except Babbling:
            port.leftover()
            raise
        finally:
            # What was still on its way is reported at the beginning of the next run, also if no reader is found then.
            if decoder is not None:
                for packet in port.leftover():
                    self._take(packet, decoder)
                self._note(decoder.end(), self._clock())

    async def _next(self, port: HidPort[Scans], decoder: ScanDecoder) -> Packet | None:
        """The next packet; None when the rest of a code is overdue."""
        deadline = decoder.next_deadline()
        try:
            async with asyncio.timeout(None if deadline is None else max(0.0, deadline - self._clock())):
                return await port.read()
        except TimeoutError:
            return None

    def _take(self, packet: Packet, decoder: ScanDecoder) -> None:
        self._packet_times.append(packet.at)
        if packet.data is None:
            self._note(decoder.overran(packet.at), packet.at)
        else:
            self._note(decoder.feed(packet.data, packet.at), packet.at)

    def _note(self, scans: Iterable[Scan | BrokenScan], at: float) -> None:
        """Make an event of each scan; it is kept until the sink has it."""
        for scan in scans:
            self._scan_times.append(at)
            if isinstance(scan, BrokenScan):
                self._garbled += scan.why == "garbled"
                self._unread(scan.why, at)
            else:
                self._garbled = 0
                self._judge(scan, at)

    def _judge(self, scan: Scan, at: float) -> None:
        text = scan.data.decode("latin-1")
        options = self._options
        if options.symbologies and scan.symbology not in options.symbologies:
            self._unread("wrong symbology", at, text)
            return
        code = text.removeprefix(options.prefix).removesuffix(options.suffix)
        card = options.codes.get(code)
        if card is None or text != options.prefix + code + options.suffix:
            self._unread("unknown code", at, text)
            return
        is_again = self._last is not None and self._last[0] == text and at - self._last[1] < options.reread_ms / 1000
        self._last = (text, at)
        if not is_again:
            self._reported_again = False
            self._waiting.append(CardScanned(**self._head(at), card=card, text=text))
            return
        self._repeated += 1
        if not self._reported_again:
            self._reported_again = True
            self._waiting.append(CardScannedAgain(**self._head(at), card=card))

    def _unread(self, why: str, at: float, text: str = "") -> None:
        self._waiting.append(CardScanned(**self._head(at), card=None, why=why, text=text))

    def _head(self, at: float) -> _Head:
        self._event_no += 1
        uptime_ms = max(0, round((at - self._began) * 1000))
        return _Head(boot=self._boot, event_no=self._event_no, uptime_ms=uptime_ms)

    async def _report(self, sink: Sink) -> None:
        while self._waiting:
            await sink(DeviceEvent(device=self.spec.id, body=self._waiting[0]))
            self._waiting.popleft()
            self._reported += 1

    def _online(self, port: HidPort[Scans]) -> DeviceState:
        identity = port.identity
        return DeviceState(
            device=self.spec.id,
            state="online",
            model=identity.model,
            serial=identity.serial,
            firmware=identity.firmware,
            boot=self._boot,
        )

    def _expect_usable(self, port: HidPort[Scans]) -> None:
        layouts = port.found.values()
        if any(layout.length > port.packet_size for layout in layouts):
            raise WrongDevice(f"the reader {self.spec.url} has reports that are longer than its packets")
        if self._options.symbologies and any(layout.symbology_at is None for layout in layouts):
            raise WrongDevice(
                f"the reader {self.spec.url} does not tell the symbology of a code: take another, or set its option "
                "symbologies = [] to take any"
            )

    def _expect_sense(self) -> None:
        if self._garbled >= GARBLED_IN_A_ROW:
            raise Babbling(f"the reader {self.spec.url} sends garbage: check its cable, or have it repaired")
        for times, what in ((self._scan_times, "codes"), (self._packet_times, "reports")):
            if len(times) == times.maxlen and times[-1] - times[0] < 1.0:
                raise Babbling(f"the reader {self.spec.url} sent {len(times)} {what} in a second: have it repaired")
