"""Whole conversations on the device link, recorded from our own two ends in simulated time.

A wire without delay lies between the ends. What a story loses is noted as lost, so an end under test sees what ours
saw. `at_ms` counts from the beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from protocols import shoe
from protocols.link import frames
from protocols.link.framing import Deframer, encode_frame
from protocols.link.identity import Identify, Identity
from protocols.link.seal import is_sealed, stripped
from protocols.link.session import ControllerLink, DeviceLink, LinkEvent, LinkState, Received

TOKEN = 0x0BADCAFE
SESSION = 0x5EA51DE0
BOOT = 0xC0FFEE01
SESSION_KEY = bytes.fromhex("28722800a2cdf84049ee9236cad55ab7a50bff77dd72b6dc8fc724b04c47af39")
"""That of docs/protocols/device-link.md, section 11."""

Step = dict[str, Any]
IDENTITY = Identity(boot=BOOT, model="EZ-READ 8", serial="A-10442", firmware="2.3.1")
CARD = shoe.CardDrawn(boot=BOOT, event_no=2, uptime_ms=61000, draw_no=1, card="9h", why=None)


class Conversation:
    """A controller and a device in simulated time, and what passes between them."""

    def __init__(self, device_class: int = shoe.DEVICE_CLASS) -> None:
        self.ms = 0
        self.steps: list[Step] = []
        sessions = iter(range(SESSION, SESSION + 16))
        self.device = DeviceLink(device_class, lambda: next(sessions))
        self.controller = ControllerLink(TOKEN, 0.0)
        self.lose: Callable[[str, frames.Frame], bool] = lambda sender, frame: False
        """What the wire does not deliver."""
        self.cut = False

    @property
    def now(self) -> float:
        return self.ms / 1000

    def note(self, who: str, what: str) -> None:
        """What an end does that is no frame."""
        self.steps.append({"at_ms": self.ms, "who": who, "does": what})

    def flush(self) -> None:
        """Deliver until both ends are silent."""
        while self._passed("device", self.device.outgoing(self.now), self._to_controller) or self._passed(
            "controller", self.controller.outgoing(self.now), self._to_device
        ):
            pass

    def wait(self, ms: int) -> None:
        """Let time pass, 10 ms at a step, as the ends' own clocks see it."""
        for _ in range(ms // 10):
            self.ms += 10
            self._noted("device", self.device.poll(self.now))
            self._noted("controller", self.controller.poll(self.now))
            self.flush()

    def send(self, who: str, message: bytes) -> None:
        end = self.device if who == "device" else self.controller
        end.send(message)
        self.flush()

    def again(self, token: int) -> None:
        """The controller opens another session."""
        self.controller = ControllerLink(token, self.now)
        self.flush()

    def _passed(self, sender: str, data: bytes, deliver: Callable[[bytes], None]) -> bool:
        for body in Deframer().feed(data):
            wire = encode_frame(body)
            frame = frames.decode(stripped(body) if is_sealed(body) else body)
            lost = self.cut or self.lose(sender, frame)
            step: Step = {"at_ms": self.ms, "from": sender, "frame": type(frame).__name__, "wire": wire.hex(" ")}
            self.steps.append({**step, "lost": True} if lost else step)
            if not lost:
                deliver(wire)
        return bool(data)

    def _to_controller(self, wire: bytes) -> None:
        self._noted("controller", self.controller.receive(wire, self.now))

    def _to_device(self, wire: bytes) -> None:
        self._noted("device", self.device.receive(wire, self.now))

    def _noted(self, who: str, events: list[LinkEvent]) -> None:
        end = self.device if who == "device" else self.controller
        for event in events:
            if isinstance(event, Received):
                self.note(who, f"processes the message {event.message.hex(' ')}")
                self._noted(who, end.taken(self.now))
            elif end.state is not LinkState.UP:
                self.note(who, "ends the session")


def _first_card() -> Conversation:
    talk = Conversation()
    talk.flush()
    talk.send("controller", shoe.encode(Identify()))
    talk.send("device", shoe.encode(IDENTITY))
    talk.wait(500)
    talk.note("device", "a card is drawn")
    talk.send("device", shoe.encode(CARD))
    talk.wait(600)
    return talk


def _lost_hello() -> Conversation:
    talk = Conversation()
    hellos = iter((True, True))
    talk.lose = lambda sender, frame: isinstance(frame, frames.Hello) and next(hellos, False)
    talk.flush()
    talk.wait(600)
    return talk


def _lost_data() -> Conversation:
    talk = Conversation()
    talk.flush()
    drops = iter((True,))
    talk.lose = lambda sender, frame: isinstance(frame, frames.Data) and frame.seq == 0 and next(drops, False)
    talk.device.send(shoe.encode(CARD))
    talk.device.send(b"\x82" + bytes(14))
    talk.flush()
    talk.wait(300)
    return talk


def _timeout() -> Conversation:
    talk = Conversation()
    talk.flush()
    acks = iter((True, True, True))
    talk.lose = lambda sender, frame: sender == "controller" and isinstance(frame, frames.Ack) and next(acks, False)
    talk.send("device", shoe.encode(CARD))
    talk.wait(2000)
    return talk


def _numbers_wrap() -> Conversation:
    talk = Conversation()
    talk.flush()
    for _ in range(258):
        talk.send("device", b"\x90" + bytes(12))
    return talk


def _power_cut() -> Conversation:
    talk = Conversation()
    talk.flush()
    talk.note("device", "loses its power and is switched on again")
    sessions = iter(range(SESSION + 32, SESSION + 40))
    talk.device = DeviceLink(shoe.DEVICE_CLASS, lambda: next(sessions))
    talk.flush()
    talk.again(TOKEN + 1)
    talk.wait(100)
    return talk


def _silence() -> Conversation:
    talk = Conversation()
    talk.flush()
    talk.note("wire", "is pulled")
    talk.cut = True
    talk.wait(2600)
    talk.cut = False
    talk.note("wire", "is plugged in")
    talk.again(TOKEN + 1)
    return talk


def _sealed() -> Conversation:
    talk = Conversation()
    talk.flush()
    talk.note("wire", "challenge, response and proof have passed (firmware.md, 2): both ends have the session key")
    talk.device.seal(SESSION_KEY)
    talk.controller.seal(SESSION_KEY)
    talk.send("controller", shoe.encode(Identify()))
    talk.send("device", shoe.encode(IDENTITY))
    talk.send("device", shoe.encode(CARD))
    talk.wait(600)
    return talk


_STORIES: dict[str, tuple[str, Callable[[], Conversation]]] = {
    "a session, the identity and one card": ("4, 5, 9", _first_card),
    "the HELLO is lost twice: the same session again": ("4, rule 3", _lost_hello),
    "a DATA frame is lost: NAK, and everything from it on again": ("5", _lost_data),
    "acknowledgements are lost: the timeout doubles, the repetition is acknowledged and not processed": ("5", _timeout),
    "sequence numbers go from 255 to 0": ("5", _numbers_wrap),
    "the device is switched off and on: DOWN with session 0, then a new session": ("4, rule 4", _power_cut),
    "silence of 2.5 s ends the session at both ends": ("6", _silence),
    "a sealed session": ("11", _sealed),
}


def sessions() -> Iterator[dict[str, Any]]:
    for name, (section, story) in _STORIES.items():
        yield {"name": name, "section": section, "steps": story().steps}


def each_message_once(device_class: int, golden: list[bytes]) -> dict[str, Any]:
    """A session in which each request is answered as on the page, and each event is sent; one of each kind."""
    talk = Conversation(device_class)
    talk.flush()
    by_kind: dict[int, bytes] = {}
    for message in golden:
        by_kind.setdefault(message[0], message)
    for kind, message in sorted(by_kind.items()):
        if kind < 0x40:
            talk.send("controller", message)
            if kind + 0x80 in by_kind:
                talk.wait(20)
                talk.send("device", by_kind[kind + 0x80])
        elif kind < 0x80:
            talk.note("device", "an event")
            talk.send("device", message)
        talk.wait(100)
    return {"name": "each message of the page once, in a session", "steps": talk.steps}
