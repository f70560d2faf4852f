"""docs/protocols/vectors: the files are current, and our own code does what they say."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from protocols import drop_box
from protocols.alpha.packets import PacketDecoder
from protocols.errors import ProtocolError
from protocols.example_shuffler.framing import FrameReader
from protocols.hid.pos import BrokenScan, Scan, ScanDecoder, find_scans
from protocols.link import frames
from protocols.link.frames import Data, Frame, Hello, KeepAlive, Reset
from protocols.link.framing import Deframer, cobs_encode, crc16, encode_frame
from protocols.link.seal import is_sealed
from protocols.link.session import ControllerLink, DeviceLink, LinkState, Received, Tampered
from protocols.modbus import frames as modbus
from protocols.modbus.ends import Master, RequestReader
from sim_hw.devices.card_reader import REFERENCE
from sim_hw.devices.reader_board.sign import SimulatedSign
from tests.support.wire.vectors.conversations import SESSION, SESSION_KEY, TOKEN
from tests.support.wire.vectors.standards import plain
from tests.support.wire.vectors.vector_files import CLASSES, CODECS, FOLDER, documents

LINK: dict[str, Any] = json.loads((FOLDER / "device-link.json").read_text())
GOOD = encode_frame(frames.encode(KeepAlive(SESSION, 0)))


def document(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text())
    return found


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
    rejected = document(name)["must_reject"]
    assert len(rejected) > len(document(name)["golden"])
    for row in rejected:
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


ON_THE_WIRE += [document(name)["sessions"][0] | {"class": CLASSES[name]} for name in CODECS]


@pytest.mark.parametrize("session", ON_THE_WIRE, ids=lambda session: session["name"])
def test_a_device_that_is_sent_the_controllers_frames_sends_the_devices(session: dict[str, Any]) -> None:
    """As the page says that a foreign device is tested: from the file alone."""
    steps = session["steps"]
    numbers = iter(range(SESSION, SESSION + 16))
    device = DeviceLink(session.get("class", 1), lambda: next(numbers))
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


@pytest.mark.parametrize("name", sorted(documents()))
def test_every_page_has_golden_bytes_some_that_must_be_rejected_the_longest_and_a_session(name: str) -> None:
    vectors = document(name.removesuffix(".json"))
    kinds = {"golden", "longest", "sessions"} if name != "example-shuffler.json" else {"golden"}
    assert all(vectors[kind] for kind in kinds)
    rejected = [row for kind, rows in vectors.items() if kind.startswith(("must_reject", "no_good")) for row in rows]
    assert len(rejected) >= 3
    assert all(row["reason"] for row in rejected)
    for session in vectors.get("sessions", []):
        times = [step["at_ms"] for step in session["steps"]]
        assert times == sorted(times)
        assert all("wire" in step or "does" in step for step in session["steps"])


@pytest.mark.parametrize("name", CODECS)
def test_the_longest_messages_are_taken(name: str) -> None:
    for row in document(name)["longest"]:
        message = data(row["bytes"])
        assert CODECS[name].encode(CODECS[name].decode(message)) == message
        assert len(message) <= 240


def test_frames_of_the_drop_box_that_must_be_rejected_are_no_answer() -> None:
    vectors = document("drop-box")
    for row in vectors["must_reject"]:
        master = Master()
        master.ask(1, drop_box.READ)
        assert master.feed(data(row["wire"])) is None, row["reason"]
        assert master.feed(data(vectors["golden"][1]["wire"])) is not None, "the good one behind it is found"
    for row in vectors["must_reject_readings"]:
        with pytest.raises(ProtocolError, match=re.escape(row["reason"])):
            drop_box.decode(words(data(row["bytes"])))
    for row in vectors["longest"]:
        unit, reply = modbus.decode_reply(data(row["wire"]))
        assert modbus.encode(unit, reply) == data(row["wire"])


def test_the_session_of_the_drop_box_is_understood_at_both_ends() -> None:
    (session,) = document("drop-box")["sessions"]
    frames_of = [step for step in session["steps"] if "wire" in step]
    readings = []
    for asked, answered in zip(frames_of[::2], frames_of[1::2], strict=True):
        (request,) = RequestReader(19_200).feed(data(asked["wire"]), 0.0)
        assert isinstance(request[1], modbus.Request)
        master = Master()
        assert master.ask(1, request[1]) == data(asked["wire"])
        reply = master.feed(data(answered["wire"]))
        assert reply is not None
        if isinstance(reply, modbus.InputRegisters):
            readings.append(drop_box.decode(reply.values))
    assert [reading.drops for reading in readings] == [0, 2, 2, 0]
    assert [reading.removals for reading in readings] == [0, 0, 1, 0]
    assert readings[-1].boot != readings[0].boot


def test_packets_of_the_sign_that_must_be_rejected_are_not_obeyed() -> None:
    vectors = document("reader-board")
    good = data(vectors["golden"][0]["wire"])
    for row in vectors["must_reject"]:
        decoder = PacketDecoder()
        assert decoder.feed(data(row["wire"])) == [], row["reason"]
        assert len(decoder.feed(good)) == 1, "the good one behind it is found"
    for row in vectors["golden"]:
        (packet,) = PacketDecoder().feed(data(row["wire"]))
        assert plain(packet) == row["fields"]
    for row in vectors["longest"]:
        assert len(PacketDecoder().feed(data(row["wire"]))) == 1


def test_the_session_of_the_sign_shows_the_line_and_then_the_notice() -> None:
    (session,) = document("reader-board")["sessions"]
    sign = SimulatedSign("01")
    seen: list[str] = []
    for step in session["steps"]:
        if step["from"] == "controller":
            answer = sign.receive(data(step["wire"]), step["at_ms"] / 1000)
            seen += ["".join(page) for page in sign.pages]
        else:
            assert answer == data(step["wire"])
    assert any("BANKER 7" in page for page in seen)
    assert any("FLOOR CALLED" in page for page in seen[-4:])


def test_reports_of_the_scanner_that_must_be_rejected_give_no_scan() -> None:
    vectors = document("card-reader")
    for row in vectors["must_reject"]:
        decoder = ScanDecoder(find_scans(REFERENCE))
        assert not [scan for scan in decoder.feed(data(row["wire"]), 0.0) if isinstance(scan, Scan)], row["reason"]
    decoder = ScanDecoder(find_scans(REFERENCE))
    found = [scan for report in vectors["longest"][0]["reports"] for scan in decoder.feed(data(report), 0.0)]
    assert [type(scan) for scan in found] == [Scan]


def test_the_session_of_the_scanner_is_three_codes_and_one_that_is_cut_short() -> None:
    (session,) = document("card-reader")["sessions"]
    decoder = ScanDecoder(find_scans(REFERENCE))
    found = []
    for step in session["steps"]:
        now = step["at_ms"] / 1000
        found += decoder.feed(data(step["wire"]), now) if "wire" in step else decoder.poll(now)
    assert [type(scan) for scan in found] == [Scan, Scan, Scan, BrokenScan]


def test_frames_of_the_example_vendor_that_must_be_rejected_are_found_by_nobody() -> None:
    vectors = document("example-shuffler")
    good = data(vectors["golden"][2]["wire"])
    for row in vectors["must_reject"]:
        reader = FrameReader()
        assert reader.feed(data(row["wire"])) == [], row["reason"]
        assert len(reader.feed(good)) == 1


def words(registers: bytes) -> tuple[int, ...]:
    return tuple(int.from_bytes(registers[at : at + 2], "big") for at in range(0, len(registers), 2))
