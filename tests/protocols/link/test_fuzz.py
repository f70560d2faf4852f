"""Mutated and random bytes for the link's decoders: no exception but their own, nothing grows."""

from __future__ import annotations

from contextlib import suppress

from protocols import shoe
from protocols.errors import ProtocolError
from protocols.link import frames, framing
from protocols.link.session import ControllerLink, LinkState
from tests.support.hostile.fuzz import inputs
from tests.support.wire.golden import rows

MESSAGES = [data for _, _, data in rows("shoe.md")]
BODIES = [frames.encode(frames.Data(session=7, seq=n, ack=n, payload=data)) for n, data in enumerate(MESSAGES)]
WIRE = [framing.encode_frame(body) for body in BODIES]


def test_fuzz_of_the_framing_holds_little_and_raises_nothing() -> None:
    deframer = framing.Deframer()
    for data in inputs("framing", WIRE):
        deframer.feed(data)
        assert deframer.held <= framing.MAX_STUFFED


def test_fuzz_of_frames_raises_nothing_but_their_own_error() -> None:
    for data in inputs("frames", BODIES):
        with suppress(ProtocolError):
            frames.decode(data)


def test_fuzz_of_the_shoes_messages_raises_nothing_but_their_own_error() -> None:
    for data in inputs("shoe", MESSAGES):
        try:
            message = shoe.decode(data)
        except ProtocolError:
            continue
        assert shoe.encode(message) == data


def test_fuzz_of_a_whole_link_never_raises_and_never_fills_up() -> None:
    now = 0.0
    link = ControllerLink(1, now)
    for data in inputs("link", WIRE):
        now += 0.01
        link.receive(data, now)
        link.poll(now)
        link.outgoing(now)
        if link.state is LinkState.DOWN:
            link = ControllerLink(1, now)
