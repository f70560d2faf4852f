"""The example vendor's simulated shuffler on its line: a request comes, its answer goes.

A request that comes again with the same tag gets the same answer and does nothing: docs/protocols/example-shuffler.md,
section 3.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Collection

from protocols.errors import ProtocolError
from protocols.example_shuffler import messages as wire
from protocols.example_shuffler.codec import decode, encode
from protocols.example_shuffler.framing import Frame, FrameReader, encode_frame
from sim_hw.devices.example_shuffler.machine import Machine
from sim_hw.devices.kinds import OnWire
from sim_hw.time.clock import SimClock
from sim_hw.wire.line import NoisyLine, Port
from sim_hw.wire.noise import Noise

MODEL = "HF-1"
REMEMBERED = 2000


class ExampleShuffler(OnWire, Machine):
    """A machine on a simulated port. Unplugged and empty at first."""

    def __init__(
        self,
        port: Port,
        clock: SimClock,
        *,
        seed: int | str,
        size: int = 3,
        jokers: int = 0,
        serial: str = "0042",
        firmware: str = "3.07",
        noise: Noise | None = None,
    ) -> None:
        self.serial, self.firmware = serial, firmware
        self.commands: deque[wire.Message] = deque(maxlen=REMEMBERED)
        """What the controller asked for besides its polls, newest last."""
        self._reader = FrameReader()
        self._asked: Frame | None = None
        self._answered = b""
        self._is_asked = self._is_known = False
        """A controller has asked for the status, and has polled after it, since the port was plugged in."""
        self.wire = NoisyLine(port, self._arrived, random.Random(f"{seed}/wire"), noise)
        super().__init__(clock, seed=seed, size=size, jokers=jokers)

    def plug(self) -> None:
        if not self.wire.is_plugged:
            self.wire.plug()

    def unplug(self) -> None:
        self._is_asked = self._is_known = False
        if self.wire.is_plugged:
            self.wire.unplug()

    def close(self) -> None:
        self.stop()
        self.unplug()

    def power_cycle(self, *, keep_events: bool = False) -> None:
        """Off and on: a new boot. `keep_events`: this machine never keeps any."""
        self._asked = None
        self._is_asked = self._is_known = False
        self.switch_on()
        self.wire.forget_input()

    async def wait_online(self) -> None:
        """Until a controller has the status and polls: whatever happens from here on is reported."""
        await self.until(lambda: self._is_known)

    async def wait_taken(self) -> None:
        """Until the controller has stored all that happened."""
        await self.until(lambda: not self.records)

    async def settled(self) -> None:
        """The same, if there is a controller."""
        if self.is_plugged and self._is_known and not self.wire.is_dead:
            await self.until(lambda: not self.records or not self._is_known)

    def _arrived(self, data: bytes) -> None:
        for frame in self._reader.feed(data):
            if frame != self._asked:
                self._asked = frame
                self._answered = encode_frame(Frame(frame.tag, encode(self._answer(frame.text))))
            self.wire.write(self._answered)

    def _answer(self, text: str) -> wire.Answer:
        try:
            request = decode(text)
        except ProtocolError:
            return wire.Refused(why="not known")
        match request:
            case wire.Identify():
                return wire.Identity(boot=self.boot, model=MODEL, serial=self.serial, firmware=self.firmware)
            case wire.StatusRequest():
                return self._status()
            case wire.Poll() | wire.Shuffle() | wire.FormHand() | wire.Eject() if request.boot != self.boot:
                return wire.Refused(why="other power-up")
            case wire.Poll():
                return self._next_record(request.taken)
        self.commands.append(request)
        match request:
            case wire.Shuffle():
                why = self._shuffle(request)
            case wire.FormHand():
                why = self._form_hand(request)
            case wire.Eject():
                why = self._eject_deck(request)
            case _:
                why = "not known"
        self.changed()
        return wire.Accepted() if why is None else wire.Refused(why=why)

    def _status(self) -> wire.Status:
        self._is_asked = True
        return wire.Status(
            boot=self.boot,
            event_no=self.event_no,
            phase=self.phase,
            deck_no=self.deck_no,
            shuffle_no=self.shuffle_no,
            hands=self.hands,
            size=self.size,
            left=self.left,
            tray=self.has_tray,
            door_open=self.door_open,
        )

    def _next_record(self, taken: int) -> wire.Answer:
        self._is_known = self._is_asked
        self.records[:] = [record for record in self.records if record.event_no > taken]
        self.changed()
        return self.records[0] if self.records else wire.NoRecord()

    def _shuffle(self, request: wire.Shuffle) -> wire.Why | None:
        if request.shuffle_no <= self.shuffle_no:
            return None
        why = self._refuses(request.deck_no, is_next=request.shuffle_no == self.shuffle_no + 1, phases={"loaded"})
        if why is None:
            self.begin_shuffle("controller")
        return why

    def _form_hand(self, request: wire.FormHand) -> wire.Why | None:
        if request.deck_no == self.deck_no and request.hand_no <= self.hands:
            return None
        is_next = request.hand_no == self.hands + 1
        why = self._refuses(request.deck_no, is_next=is_next, phases={"ready"}, known=request.known)
        if why is None and self.has_tray:
            why = "busy"
        if why is None and self.left < self.size:
            why = "too few cards"
        if why is None:
            self.begin_hand()
        return why

    def _eject_deck(self, request: wire.Eject) -> wire.Why | None:
        is_gone = request.deck_no <= self.deck_no and self.phase == "empty"
        if is_gone or request.deck_no < self.deck_no or self.phase == "ejecting":
            return None
        phases: set[wire.Phase] = {"loaded", "ready", "rejected", "held"}
        why = self._refuses(request.deck_no, is_next=True, phases=phases)
        if why is None:
            self.begin_eject()
        return why

    def _refuses(
        self, deck_no: int, *, is_next: bool, phases: Collection[wire.Phase], known: int | None = None
    ) -> wire.Why | None:
        """In the order of the page, section 5; `phases` are those in which it can be done."""
        if deck_no != self.deck_no or self.phase == "empty":
            return "other deck"
        if not is_next:
            return "out of turn"
        if known is not None and known < self.last_trouble:
            return "news"
        if self.phase not in phases:
            match self.phase:
                case "jammed" | "held" | "rejected":
                    return self.phase
                case "loaded" | "shuffling" if "ready" in phases and len(phases) == 1:
                    return "not shuffled"
            return "busy"
        return "door open" if self.door_open else None
