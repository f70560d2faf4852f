"""docs/protocols/vectors: the files are current, and our own code does what they say."""

from __future__ import annotations

import json
from typing import Any

import pytest

from protocols.errors import ProtocolError
from protocols.link import frames
from protocols.link.frames import Data, Frame, Hello, KeepAlive, Reset
from protocols.link.framing import Deframer, cobs_encode, crc16, encode_frame
from protocols.link.seal import is_sealed
from protocols.link.session import ControllerLink, DeviceLink, LinkState, Received, Tampered
from tests.support.wire.vectors.conversations import SESSION, SESSION_KEY, TOKEN
from tests.support.wire.vectors.vector_files import CODECS, FOLDER, documents

LINK: dict[str, Any] = json.loads((FOLDER / "device-link.json").read_text())
GOOD = encode_frame(frames.encode(KeepAlive(SESSION, 0)))


def data(hexed: str) -> bytes:
    return bytes.fromhex(hexed)


def wire(frame: Frame) -> bytes:
    return encode_frame(frames.encode(frame))


def controller_up(*, sealed: bool = False) -> ControllerLink:
    link = ControllerLink(TOKEN, 0.0)
    link.receive(wire(Hello(SESSION, TOKEN, 1, 4, 240, 1)), 0.0)
    assert link.state is LinkState.UP
    if sealed:
        link.seal(SESSION_KEY)
    return link


def test_the_files_are_those_that_make_vectors_writes() -> None:
    made = documents()
    assert {path.name for path in FOLDER.glob("*.json")} == set(made)
    for name, text in made.items():
        assert (FOLDER / name).read_text() == text, f"docs/protocols/vectors/{name} is not current: run make vectors"


def test_the_sums_are_those_of_our_framing() -> None:
    assert crc16(LINK["crc_check"]["of"].encode()) == int.from_bytes(data(LINK["crc_check"]["is"]), "big")
    for row in LINK["cobs"]:
        assert cobs_encode(data(row["data"])) == data(row["stuffed"])


@pytest.mark.parametrize("row", LINK["no_good_frame"], ids=lambda row: row["reason"])
def test_no_frame_is_found_in_a_bad_one_and_the_next_one_is(row: dict[str, str]) -> None:
    deframer = Deframer()
    assert deframer.feed(data(row["wire"])) == []
    assert deframer.feed(GOOD) == [frames.encode(KeepAlive(SESSION, 0))]


@pytest.mark.parametrize("row", LINK["good_frame_to_ignore"], ids=lambda row: row["reason"])
def test_a_good_frame_that_cannot_be_is_counted_and_ignored(row: dict[str, str]) -> None:
    (body,) = Deframer().feed(data(row["wire"]))
    with pytest.raises(ProtocolError):
        frames.decode(body)
    link = controller_up()
    assert link.receive(data(row["wire"]), 0.1) == []
    assert (link.state, link.statistics.malformed) == (LinkState.UP, 1)


@pytest.mark.parametrize("row", LINK["longest"], ids=lambda row: row["name"])
def test_the_longest_frames_are_taken(row: dict[str, str]) -> None:
    deframer = Deframer()
    (body,) = [found for byte in data(row["wire"]) for found in deframer.feed(bytes((byte,)))]
    if not is_sealed(body):
        assert encode_frame(frames.encode(frames.decode(body))) == data(row["wire"])
    else:
        (event,) = controller_up(sealed=True).receive(data(row["wire"]), 0.1)
        assert isinstance(event, Received)


@pytest.mark.parametrize("row", LINK["bad_seal"], ids=lambda row: row["reason"])
def test_a_bad_seal_ends_the_session(row: dict[str, str]) -> None:
    link = controller_up(sealed=True)
    (first,) = link.receive(data(row["after"]), 0.1)
    assert isinstance(first, Received)
    events = link.receive(data(row["wire"]), 0.2)
    assert any(isinstance(event, Tampered) for event in events)
    assert not any(isinstance(event, Received) for event in events)


@pytest.mark.parametrize("name", CODECS)
def test_messages_that_must_be_refused_are(name: str) -> None:
    document = json.loads((FOLDER / f"{name}.json").read_text())
    assert len(document["must_reject"]) > len(document["golden"])
    for row in document["must_reject"]:
        with pytest.raises(ProtocolError) as refused:
            CODECS[name].decode(data(row["bytes"]))
        assert str(refused.value) == row["reason"]
        assert "Error in path" not in row["reason"]


ON_THE_WIRE = [
    session
    for session in LINK["sessions"]
    if not any(step.get("does", "").startswith(("loses its power", "challenge")) for step in session["steps"])
]
"""All that happens is in the frames: there is no power cut and no key."""


@pytest.mark.parametrize("session", ON_THE_WIRE, ids=lambda session: session["name"])
def test_a_device_that_is_sent_the_controllers_frames_sends_the_devices(session: dict[str, Any]) -> None:
    """As the page says that a foreign device is tested: from the file alone."""
    steps = session["steps"]
    numbers = iter(range(SESSION, SESSION + 16))
    device = DeviceLink(1, lambda: next(numbers))
    sent: list[bytes] = []
    expected = [data(step["wire"]) for step in steps if step.get("from") == "device"]
    for step in steps:
        now = step["at_ms"] / 1000
        sent += [encode_frame(body) for body in Deframer().feed(device.outgoing(now))]
        device.poll(now)
        if step.get("from") == "controller" and not step.get("lost"):
            for event in device.receive(data(step["wire"]), now):
                if isinstance(event, Received):
                    device.taken(now)
        frame = frames.decode(Deframer().feed(data(step["wire"]))[0]) if step.get("from") == "device" else None
        if isinstance(frame, Data) and data(step["wire"]) not in sent and device.can_send:
            device.send(frame.payload)
        sent += [encode_frame(body) for body in Deframer().feed(device.outgoing(now))]
    assert [one for one in expected if one not in sent] == []


def test_a_reset_of_the_file_is_answered_by_our_device() -> None:
    device = DeviceLink(1, lambda: SESSION)
    device.outgoing(0.0)
    device.receive(wire(Reset(TOKEN, 1, 1, 4, 240)), 0.0)
    golden = next(row for row in LINK["golden"] if row["name"] == "Hello" and row["fields"]["version"] == 1)
    assert device.outgoing(0.0) == data(golden["wire"])
