"""The device link, rule by rule: one end under test, the other played by hand, frame by frame."""

from __future__ import annotations

import random

import pytest

from protocols.errors import ProtocolError
from protocols.link import frames
from protocols.link.frames import Ack, Data, Frame, Hello, KeepAlive, Nak, Reset
from protocols.link.framing import MAX_STUFFED, Deframer, encode_frame
from protocols.link.session import (
    QUEUE_LIMIT,
    WINDOW,
    Acknowledged,
    ControllerLink,
    DeviceLink,
    Down,
    LinkEvent,
    LinkState,
    Received,
    Refused,
    Timings,
    Up,
)

TOKEN = 0x0BADCAFE
SESSION = 0x5EA51DE0
SHOE = 1
TIMES = Timings()


def wire(*sent: Frame) -> bytes:
    return b"".join(encode_frame(frames.encode(frame)) for frame in sent)


def said(link: ControllerLink | DeviceLink, now: float) -> list[Frame]:
    return [frames.decode(body) for body in Deframer().feed(link.outgoing(now))]


def hello(session: int = SESSION, token: int = TOKEN, window: int = WINDOW, max_payload: int = 240) -> Hello:
    return Hello(session, token, 1, window, max_payload, SHOE)


def controller_up(now: float = 0.0, window: int = WINDOW, max_payload: int = 240) -> ControllerLink:
    link = ControllerLink(TOKEN, now)
    link.outgoing(now)
    assert link.receive(wire(hello(window=window, max_payload=max_payload)), now) == [Up(SESSION, SHOE)]
    return link


def device_up(now: float = 0.0) -> DeviceLink:
    sessions = iter(range(SESSION, SESSION + 100))
    link = DeviceLink(SHOE, lambda: next(sessions))
    link.outgoing(now)
    link.receive(wire(Reset(TOKEN, 1, 1, WINDOW, 240)), now)
    assert said(link, now) == [hello()]
    return link


def test_the_controller_asks_until_the_device_answers() -> None:
    link = ControllerLink(TOKEN, now=0.0)
    asked = Reset(TOKEN, 1, 1, WINDOW, 240)
    assert said(link, 0.0) == [asked]
    assert said(link, 0.1) == []
    assert link.next_deadline() == TIMES.reset_every
    assert said(link, TIMES.reset_every) == [asked]
    assert link.receive(wire(hello()), 0.3) == [Up(SESSION, SHOE)]
    assert link.state is LinkState.UP


def test_the_controller_gives_up_on_a_silent_port() -> None:
    link = ControllerLink(TOKEN, now=0.0)
    assert link.poll(TIMES.connect_within - 0.01) == []
    assert link.poll(TIMES.connect_within) == [Down("no answer to the link reset in 3 s")]
    assert link.state is LinkState.DOWN
    assert said(link, 4.0) == []


def test_a_hello_to_somebody_else_is_not_ours() -> None:
    link = ControllerLink(TOKEN, now=0.0)
    assert link.receive(wire(hello(token=TOKEN + 1)), 0.1) == []
    assert link.state is LinkState.RESETTING
    assert link.statistics.strays == 1


def test_no_version_in_common_is_refused_by_both_ends() -> None:
    device = DeviceLink(SHOE, lambda: SESSION)
    device.receive(wire(Reset(TOKEN, 2, 3, WINDOW, 240)), 0.0)
    answer = Hello(SESSION, TOKEN, frames.REFUSED, WINDOW, 240, SHOE)
    assert said(device, 0.0) == [answer]
    assert device.state is LinkState.LISTENING

    controller = ControllerLink(TOKEN, now=0.0)
    (refused,) = controller.receive(wire(answer), 0.1)
    assert isinstance(refused, Refused)
    assert controller.state is LinkState.DOWN


def test_a_message_is_acknowledged_when_it_is_taken_and_not_before() -> None:
    link = controller_up()
    assert link.receive(wire(Data(SESSION, 0, 0, b"nine of hearts")), 0.1) == [Received(b"nine of hearts")]
    assert said(link, 0.1) == []
    assert link.receive(wire(Data(SESSION, 0, 0, b"nine of hearts")), 0.2) == []
    assert said(link, 0.2) == []
    assert link.taken(0.3) == []
    assert said(link, 0.3) == [Ack(SESSION, 1)]
    assert link.statistics.duplicates == 1


def test_the_next_message_is_given_out_when_the_last_one_is_taken() -> None:
    link = controller_up()
    both = wire(Data(SESSION, 0, 0, b"first"), Data(SESSION, 1, 0, b"second"))
    assert link.receive(both, 0.1) == [Received(b"first")]
    assert link.taken(0.2) == [Received(b"second")]
    assert said(link, 0.2) == [Ack(SESSION, 1)]
    assert link.taken(0.3) == []
    assert said(link, 0.3) == [Ack(SESSION, 2)]


def test_taking_what_did_not_come_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(ProtocolError, match="no message to take"):
        controller_up().taken(0.1)


def test_a_lost_acknowledgement_is_given_again() -> None:
    link = controller_up()
    data = wire(Data(SESSION, 0, 0, b"card"))
    link.receive(data, 0.1)
    link.taken(0.1)
    assert said(link, 0.1) == [Ack(SESSION, 1)]
    assert link.receive(data, 0.2) == []
    assert said(link, 0.2) == [Ack(SESSION, 1)]


def test_an_acknowledgement_rides_on_a_message_that_goes_out_anyway() -> None:
    link = controller_up()
    link.receive(wire(Data(SESSION, 0, 0, b"card")), 0.1)
    link.taken(0.1)
    link.send(b"permit")
    assert said(link, 0.1) == [Data(SESSION, 0, 1, b"permit")]
    assert said(link, 0.2) == []


def test_a_gap_is_complained_about_and_nothing_after_it_is_taken() -> None:
    link = controller_up()
    assert link.receive(wire(Data(SESSION, 1, 0, b"second")), 0.1) == []
    assert said(link, 0.1) == [Nak(SESSION, 0, 0)]
    both = wire(Data(SESSION, 0, 0, b"first"), Data(SESSION, 1, 0, b"second"))
    assert link.receive(both, 0.2) == [Received(b"first")]


def test_a_bad_frame_is_complained_about_at_most_every_so_often() -> None:
    link = controller_up()
    broken = b"\0broken\0"
    link.receive(broken, 1.0)
    assert said(link, 1.0) == [Nak(SESSION, 0, 0)]
    link.receive(broken, 1.01)
    assert said(link, 1.01) == []
    link.receive(broken, 1.0 + TIMES.nak_every)
    assert said(link, 1.0 + TIMES.nak_every) == [Nak(SESSION, 0, 0)]


def test_a_complaint_brings_the_rest_again_at_once() -> None:
    link = controller_up()
    for message in (b"a", b"b", b"c"):
        link.send(message)
    said(link, 0.1)
    assert link.receive(wire(Nak(SESSION, 1, 1)), 0.11) == [Acknowledged(1)]
    assert said(link, 0.11) == [Data(SESSION, 1, 0, b"b"), Data(SESSION, 2, 0, b"c")]
    link.receive(wire(Nak(SESSION, 9, 1)), 0.12)
    assert said(link, 0.12) == []


def seconds_until_sent_again(link: DeviceLink, now: float, ack: int) -> float:
    """How long the oldest message waits, with a controller that is there and does not acknowledge it."""
    moment = now
    while True:
        link.receive(wire(KeepAlive(SESSION, ack)), moment)
        deadline = link.next_deadline()
        assert deadline is not None
        moment = deadline
        assert link.poll(moment) == []
        if any(isinstance(frame, Data) for frame in said(link, moment)):
            return round(moment - now, 3)


def test_what_is_not_acknowledged_is_sent_again_at_doubling_intervals() -> None:
    link = device_up()
    link.send(b"card")
    assert said(link, 0.0) == [Data(SESSION, 0, 0, b"card")]
    now, waits = 0.0, []
    for _ in range(4):
        waits.append(seconds_until_sent_again(link, now, ack=0))
        now += waits[-1]
    assert waits == [TIMES.rto_first, 2 * TIMES.rto_first, TIMES.rto_ceiling, TIMES.rto_ceiling]
    assert link.statistics.retransmissions == 4


@pytest.mark.parametrize(
    ("round_trip", "waits"), [(0.001, TIMES.rto_floor), (0.2, 0.202), (0.6, 0.605), (2.0, TIMES.rto_ceiling)]
)
def test_the_waiting_time_follows_the_measured_round_trip_between_floor_and_ceiling(
    round_trip: float, waits: float
) -> None:
    link, now = device_up(), 0.0
    for n in range(20):
        link.send(b"card")
        said(link, now)
        now += round_trip
        assert link.receive(wire(Ack(SESSION, n + 1)), now) == [Acknowledged(1)]
    link.send(b"card")
    said(link, now)
    assert seconds_until_sent_again(link, now, ack=20) == pytest.approx(waits, abs=0.003)


def test_a_message_that_was_sent_twice_measures_nothing() -> None:
    link = device_up()
    link.send(b"card")
    said(link, 0.0)
    link.poll(TIMES.rto_first)
    said(link, TIMES.rto_first)
    assert link.receive(wire(Ack(SESSION, 1)), TIMES.rto_first + 0.001) == [Acknowledged(1)]
    assert link.statistics.round_trip_ms is None


def test_no_more_than_a_window_is_in_flight_and_no_more_than_a_queue_is_taken() -> None:
    link = controller_up()
    for n in range(QUEUE_LIMIT):
        link.send(bytes((n,)))
    assert not link.can_send
    with pytest.raises(ProtocolError, match="it takes no more"):
        link.send(b"one too many")
    assert len(said(link, 0.1)) == WINDOW
    assert link.receive(wire(Ack(SESSION, 2)), 0.2) == [Acknowledged(2)]
    assert said(link, 0.2) == [Data(SESSION, 4, 0, b"\x04"), Data(SESSION, 5, 0, b"\x05")]


def test_the_smaller_window_and_the_shorter_payload_of_the_two_ends_count() -> None:
    link = controller_up(window=1, max_payload=64)
    link.send(b"a")
    link.send(b"b")
    assert said(link, 0.1) == [Data(SESSION, 0, 0, b"a")]
    with pytest.raises(ProtocolError, match="1 to 64 bytes"):
        link.send(bytes(65))


def test_an_acknowledgement_of_what_was_never_sent_frees_nothing() -> None:
    link = device_up()
    link.send(b"card")
    said(link, 0.0)
    assert link.receive(wire(Ack(SESSION, 2)), 0.1) == []
    assert link.receive(wire(Ack(SESSION, 255)), 0.1) == []
    assert link.receive(wire(Ack(SESSION, 1)), 0.1) == [Acknowledged(1)]


def test_sequence_numbers_go_round() -> None:
    device, controller = device_up(), controller_up()
    for n in range(1000):
        now = n / 100
        device.send(n.to_bytes(2, "big"))
        assert controller.receive(device.outgoing(now), now) == [Received(n.to_bytes(2, "big"))]
        controller.taken(now)
        assert device.receive(controller.outgoing(now), now) == [Acknowledged(1)]


def test_a_quiet_link_is_kept_alive_and_a_silent_one_is_dead() -> None:
    link = controller_up()
    assert link.next_deadline() == TIMES.keepalive_every
    assert said(link, TIMES.keepalive_every) == [KeepAlive(SESSION, 0)]
    assert link.poll(TIMES.dead_after - 0.01) == []
    assert link.poll(TIMES.dead_after) == [Down("nothing received for 2.5 s")]


def test_frames_of_another_session_do_not_keep_a_link_alive_and_free_nothing() -> None:
    link = device_up()
    link.send(b"card")
    said(link, 0.0)
    assert link.receive(wire(Ack(SESSION - 1, 1)), 2.0) == []
    assert link.receive(wire(Data(SESSION - 1, 0, 1, b"permit")), 2.0) == []
    (down,) = link.poll(TIMES.dead_after)
    assert isinstance(down, Down)


def test_a_repeated_reset_gets_its_hello_again_and_changes_nothing() -> None:
    link = device_up()
    link.send(b"card")
    said(link, 0.0)
    assert link.receive(wire(Reset(TOKEN, 1, 1, WINDOW, 240)), 0.1) == []
    assert said(link, 0.1) == [hello()]
    assert link.receive(wire(Ack(SESSION, 1)), 0.2) == [Acknowledged(1)]


def test_a_reset_in_a_conversation_begins_a_new_session_even_with_the_same_token() -> None:
    link = device_up()
    link.receive(wire(KeepAlive(SESSION, 0)), 0.1)
    assert link.receive(wire(Reset(TOKEN, 1, 1, WINDOW, 240)), 0.2) == [Up(SESSION + 1, SHOE)]


def test_a_new_reset_begins_a_new_session_from_zero() -> None:
    link = device_up()
    link.send(b"card")
    said(link, 0.0)
    assert link.receive(wire(Reset(TOKEN + 1, 1, 1, WINDOW, 240)), 0.1) == [Up(SESSION + 1, SHOE)]
    assert said(link, 0.1) == [hello(SESSION + 1, TOKEN + 1)]
    assert link.receive(wire(Ack(SESSION, 1)), 0.2) == []
    link.send(b"card")
    assert said(link, 0.2) == [Data(SESSION + 1, 0, 0, b"card")]


def test_a_message_of_the_session_before_is_not_given_out_after_a_reset() -> None:
    link = device_up()
    late = wire(Data(SESSION, 0, 0, b"permit"), Reset(TOKEN + 1, 1, 1, WINDOW, 240))
    assert link.receive(late, 0.1) == [Up(SESSION + 1, SHOE)]


def test_a_device_without_a_session_says_so_and_the_controller_believes_it() -> None:
    device = DeviceLink(SHOE, lambda: SESSION)
    assert said(device, 0.0) == [frames.Down(0)]
    device.receive(wire(KeepAlive(SESSION, 3)), 0.1)
    assert said(device, 0.1) == [frames.Down(SESSION)]

    for session in (0, SESSION):
        controller = controller_up()
        assert controller.receive(wire(frames.Down(session)), 0.2) == [Down("the device has lost the session")]
    controller = controller_up()
    assert controller.receive(wire(frames.Down(SESSION + 1)), 0.2) == []


def test_taking_after_the_end_of_the_session_does_no_harm() -> None:
    link = controller_up()
    link.receive(wire(Data(SESSION, 0, 0, b"card")), 0.1)
    link.receive(wire(frames.Down(0)), 0.2)
    assert link.taken(0.3) == []
    assert said(link, 0.3) == []


def test_noise_and_mutated_frames_raise_nothing_and_fill_no_memory() -> None:
    rng = random.Random(11)
    samples: list[Frame] = [
        Reset(TOKEN, 1, 1, WINDOW, 240),
        hello(),
        Data(SESSION, 0, 0, b"card"),
        Ack(SESSION, 1),
        KeepAlive(SESSION, 0),
        Nak(SESSION, 0, 0),
        frames.Down(SESSION),
    ]
    for _ in range(60):
        for link in (controller_up(), device_up()):
            now = 0.0
            for _ in range(50):
                now += rng.random() / 10
                happened: list[LinkEvent] = link.receive(mutated(rng, rng.choice(samples)), now)
                happened += link.poll(now)
                if any(isinstance(event, Received) for event in happened) and rng.random() < 0.5:
                    link.taken(now)
                if link.can_send:
                    link.send(rng.randbytes(rng.randint(1, 64)))
                assert len(link.outgoing(now)) < (2 * WINDOW + 2) * (MAX_STUFFED + 2)
                assert link.held <= MAX_STUFFED + QUEUE_LIMIT + WINDOW


def mutated(rng: random.Random, frame: Frame) -> bytes:
    """Random bytes, a damaged frame, or a good frame with a damaged body: the CRC does not protect against a bug."""
    body = bytearray(frames.encode(frame))
    match rng.randrange(3):
        case 0:
            return rng.randbytes(rng.randrange(600))
        case 1:
            data = bytearray(encode_frame(bytes(body)))
            data[rng.randrange(len(data))] = rng.randrange(256)
            return bytes(data)
    for _ in range(rng.randrange(3)):
        body[rng.choice((0, *range(5, len(body))))] = rng.randrange(256)
    if rng.random() < 0.2:
        body = body[: rng.randint(1, len(body))]
    return encode_frame(bytes(body))


def test_a_frame_with_values_out_of_range_is_no_frame() -> None:
    good = frames.encode(hello())
    for bad in (
        b"\x03",
        b"\x09" + bytes(6),
        frames.encode(Ack(SESSION, 1)) + b"x",
        frames.encode(Data(SESSION, 0, 0, b"")),
        frames.encode(Reset(TOKEN, 2, 1, WINDOW, 240)),
        frames.encode(Reset(TOKEN, 0, 1, WINDOW, 240)),
        frames.encode(Reset(TOKEN, 1, 1, 0, 240)),
        frames.encode(Reset(TOKEN, 1, 1, WINDOW, 63)),
        frames.encode(hello(session=0)),
        good[:-1],
    ):
        with pytest.raises(ProtocolError):
            frames.decode(bad)
