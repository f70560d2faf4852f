"""A sealed session: what a relay on the line alters, makes up, repeats or reorders ends it, and nothing is taken."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from protocols.errors import ProtocolError
from protocols.link import frames
from protocols.link.frames import Ack, Data, KeepAlive, Nak
from protocols.link.framing import MAX_BODY, Deframer, encode_frame
from protocols.link.seal import MAX_SEALED_PAYLOAD, BadSeal, Seal, Sender
from protocols.link.session import (
    Acknowledged,
    ControllerLink,
    DeviceLink,
    Down,
    LinkEvent,
    LinkState,
    Received,
    Tampered,
    Up,
)
from tests.support.wire.golden import page, rows

KEY = bytes(range(32))
SESSION = 0x5EA51DE0
TOKEN = 0x0BADCAFE
Alter = Callable[[list[bytes]], list[bytes]]


def frames_in(data: bytes) -> list[bytes]:
    return Deframer().feed(data)


def on_wire(bodies: list[bytes]) -> bytes:
    return b"".join(map(encode_frame, bodies))


def noted(into: list[bytes]) -> Alter:
    """A line that lets everything pass, and somebody who looks on."""

    def alter(bodies: list[bytes]) -> list[bytes]:
        into.extend(bodies)
        return bodies

    return alter


class Both:
    """A controller and a device in one session, and the line between them."""

    def __init__(self, *, sealed: bool = True) -> None:
        self.now = 0.0
        sessions = iter(range(SESSION, SESSION + 9))
        self.controller = ControllerLink(TOKEN, 0.0)
        self.device = DeviceLink(1, lambda: next(sessions))
        self.device.outgoing(0.0)
        self.to_device()
        self.to_controller()
        if sealed:
            self.device.seal(KEY)
            self.controller.seal(KEY)
            self.controller.send(b"\x01")
            assert Received(b"\x01") in self.to_device()
            self.device.taken(self.now)
            assert self.to_controller() == [Acknowledged(1)]

    def to_device(self, alter: Alter = list) -> list[LinkEvent]:
        self.now += 0.01
        return self.device.receive(on_wire(alter(frames_in(self.controller.outgoing(self.now)))), self.now)

    def to_controller(self, alter: Alter = list) -> list[LinkEvent]:
        self.now += 0.01
        return self.controller.receive(on_wire(alter(frames_in(self.device.outgoing(self.now)))), self.now)


def test_messages_go_both_ways_and_every_frame_has_its_seal() -> None:
    both = Both()
    both.device.send(b"\x40card")
    passed: list[bytes] = []
    assert both.to_controller(noted(passed)) == [Received(b"\x40card")]
    assert [body[0] for body in passed] == [0x13]
    both.controller.taken(both.now)
    assert both.to_device(noted(passed)) == [Acknowledged(1)]
    assert [body[0] for body in passed] == [0x13, 0x14]
    assert (both.controller.is_sealed, both.device.is_sealed) == (True, True)


def test_without_a_key_not_a_byte_differs() -> None:
    both = Both(sealed=False)
    both.controller.send(b"\x01")
    assert both.controller.outgoing(both.now) == encode_frame(frames.encode(Data(SESSION, 0, 0, b"\x01")))
    assert (both.controller.is_sealed, both.device.is_sealed) == (False, False)


def test_a_device_that_was_offered_no_seal_goes_on_without_one() -> None:
    """The controller does not know its key: the session is as it always was."""
    both = Both(sealed=False)
    both.device.seal(KEY)
    both.controller.send(b"\x01")
    assert both.to_device() == [Received(b"\x01")]
    assert not both.device.is_sealed


def flipped(at: int) -> Alter:
    def alter(bodies: list[bytes]) -> list[bytes]:
        body = bodies[-1]
        index = at % len(body)
        return [*bodies[:-1], body[:index] + bytes((body[index] ^ 0x40,)) + body[index + 1 :]]

    return alter


@pytest.mark.parametrize("at", [5, 6, 7, 9, -1, -8, -9, -12])
def test_a_frame_that_was_altered_ends_the_session_and_nothing_of_it_is_taken(at: int) -> None:
    both = Both()
    both.device.send(b"\x40card")
    tampered, down = both.to_controller(flipped(at))
    assert isinstance(tampered, Tampered) and isinstance(down, Down)
    assert both.controller.state is LinkState.DOWN
    assert both.controller.statistics.tampered == 1


def test_the_device_ends_the_session_as_well() -> None:
    both = Both()
    both.controller.send(b"\x10permit")
    events = both.to_device(flipped(8))
    assert not [event for event in events if isinstance(event, Received)]
    assert both.device.state is LinkState.LISTENING
    assert both.to_device() == []
    both.controller.send(b"\x02")
    both.to_device()
    assert [type(event) for event in both.to_controller()] == [Down], "it answers what is left of the session with DOWN"


@pytest.mark.parametrize(
    "frame", [Data(SESSION, 0, 1, b"\x40forged"), Ack(SESSION, 2), KeepAlive(SESSION, 1), Nak(SESSION, 0, 1)]
)
def test_a_frame_without_a_seal_is_a_forgery_in_a_sealed_session(frame: frames.Frame) -> None:
    both = Both()
    events = both.controller.receive(encode_frame(frames.encode(frame)), both.now)
    assert [type(event) for event in events] == [Tampered, Down]


@pytest.mark.parametrize("sender", ["controller", "device"])
def test_a_frame_with_the_seal_of_another_key_or_of_the_wrong_end_is_a_forgery(sender: Sender) -> None:
    forged = frames.encode(Data(SESSION, 0, 1, b"\x40forged"))
    for forger in (Seal(bytes(32), "device"), Seal(KEY, "controller")):
        for _ in range(9):
            body = forger.close(forged)
        events = Both().controller.receive(encode_frame(body), 1.0)
        assert [type(event) for event in events] == [Tampered, Down]


def test_a_frame_that_is_sent_again_by_the_line_is_seen() -> None:
    both = Both()
    both.device.send(b"\x40card")
    events = both.to_controller(lambda bodies: bodies * 2)
    assert [type(event) for event in events] == [Tampered, Down], "also the message before it is not taken any more"


def test_a_frame_that_is_held_back_until_after_a_later_one_is_seen() -> None:
    both = Both()
    both.device.send(b"\x40one")
    both.device.send(b"\x40two")
    events = both.to_controller(lambda bodies: bodies[::-1])
    assert [type(event) for event in events] == [Tampered, Down]


def test_a_frame_that_is_lost_is_sent_again_and_nobody_minds() -> None:
    both = Both()
    both.device.send(b"\x40card")
    assert both.to_controller(lambda _: []) == []
    both.now += 1.0
    assert both.device.poll(both.now) == []
    assert both.to_controller() == [Received(b"\x40card")]


def test_an_acknowledgement_that_was_made_up_frees_no_event() -> None:
    both = Both()
    both.device.send(b"\x40card")
    both.to_controller(lambda _: [])
    both.now += 0.1
    events = both.device.receive(encode_frame(frames.encode(Ack(SESSION, 1))), both.now)
    assert not [event for event in events if isinstance(event, Acknowledged)]


def test_frames_of_an_earlier_sealed_session_are_strays() -> None:
    both = Both()
    both.device.send(b"\x40card")
    old: list[bytes] = []
    both.to_controller(noted(old))
    again = Both()
    again.controller, again.device = ControllerLink(TOKEN + 1, 0.0), both.device
    again.now = both.now
    assert [type(event) for event in again.to_device()] == [Up]
    assert [type(event) for event in again.to_controller()] == [Up]
    assert again.controller.receive(on_wire(old), again.now) == []
    assert again.controller.state is LinkState.UP


def test_what_was_on_the_line_before_the_device_sealed_is_ignored() -> None:
    both = Both(sealed=False)
    both.device.seal(KEY)
    both.controller.seal(KEY)
    assert both.controller.receive(encode_frame(frames.encode(KeepAlive(SESSION, 0))), both.now) == []
    assert both.controller.receive(encode_frame(frames.encode(Data(SESSION, 0, 0, b"\x40"))), both.now) == []
    assert both.controller.state is LinkState.UP


def test_the_longest_message_of_a_sealed_session_fits_into_a_frame() -> None:
    both = Both()
    assert both.device.max_message == MAX_SEALED_PAYLOAD == 233
    both.device.send(bytes((0x40,)) * MAX_SEALED_PAYLOAD)
    passed: list[bytes] = []
    both.to_controller(noted(passed))
    assert [len(body) for body in passed] == [MAX_BODY]
    with pytest.raises(ProtocolError, match="1 to 233 bytes"):
        both.device.send(bytes((0x40,)) * (MAX_SEALED_PAYLOAD + 1))


# The page


GOLDEN = [
    (name.removeprefix("Sealed"), fields, wire)
    for name, fields, wire in rows("device-link.md")
    if name.startswith("Sealed")
]
TYPES = {"Data": Data, "Ack": Ack, "KeepAlive": KeepAlive, "Nak": Nak}


@pytest.mark.parametrize(("name", "fields", "wire"), GOLDEN)
def test_a_golden_sealed_frame_is_what_we_send_and_what_we_understand(
    name: str, fields: dict[str, object], wire: bytes
) -> None:
    sender, number = fields.pop("sender"), fields.pop("number")
    assert sender in ("controller", "device") and isinstance(number, int)
    if "payload" in fields:
        fields["payload"] = bytes.fromhex(str(fields["payload"]))
    frame = TYPES[name](**fields)
    key = bytes.fromhex(golden_key())
    ours = Seal(key, sender)
    for _ in range(number):
        sealed = ours.close(frames.encode(frame))
    assert encode_frame(sealed) == wire
    (body,) = frames_in(wire)
    theirs = Seal(key, "device" if sender == "controller" else "controller")
    assert frames.decode(theirs.open(body)) == frame
    with pytest.raises(BadSeal):
        theirs.open(body)


def golden_key() -> str:
    """The session key on the page."""
    text = page("device-link.md")
    at = text.index("session key of these frames")
    return next(line.strip() for line in text[at:].splitlines() if len(line.strip()) == 64)


def test_the_page_shows_every_sealed_frame() -> None:
    assert {name for name, _, _ in GOLDEN} == set(TYPES)


@pytest.mark.parametrize("seed", range(20))
def test_no_bytes_at_all_raise_or_are_taken_in_a_sealed_session(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(200):
        both = Both()
        end = rng.choice((both.controller, both.device))
        kind = rng.choice((0x03, 0x04, 0x05, 0x07, 0x13, 0x14, 0x15, 0x17, rng.randrange(256)))
        body = bytes((kind,)) + SESSION.to_bytes(4) + rng.randbytes(rng.randrange(40))
        events = end.receive(encode_frame(body[: rng.randrange(1, len(body) + 1)]), both.now)
        assert not [event for event in events if isinstance(event, Received | Acknowledged)]
