"""Vectors of the pages whose devices follow a standard of their own: sensors on Modbus, LED signs, barcode scanners.

Each has, besides its golden rows: bytes that must not be taken, with the reason; the longest that a receiver must take;
and a whole session with times, recorded from our own two ends in simulated time.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Any

from msgspec.structs import asdict

from devices.drivers.reader_board.content import BoardContent, line
from devices.drivers.reader_board.keeper import BoardKeeper
from devices.drivers.reader_board.options import ReaderBoardOptions, SignOptions
from protocols import drop_box
from protocols.alpha.codes import Mode, Position
from protocols.alpha.commands import WriteText
from protocols.alpha.packets import Packet, PacketDecoder, encode_packet
from protocols.alpha.text import Section
from protocols.errors import ProtocolError
from protocols.hid.pos import MAX_SCAN, encode_scan, find_scans
from protocols.link.session import LinkStatistics
from protocols.modbus import frames
from protocols.values import Value
from sim_hw.devices.card_reader import REFERENCE
from sim_hw.devices.drop_box.sensor import Box, SimulatedSensor
from sim_hw.devices.reader_board.sign import SimulatedSign
from sim_hw.time.clock import SimClock
from tests.support.wire.golden import rows

Vector = dict[str, Any]
Document = dict[str, Any]


def standards() -> dict[str, Document]:
    """By the name of the page."""
    return {"drop-box": _drop_box(), "reader-board": _reader_board(), "card-reader": _card_reader()}


# The drop box: Modbus RTU


def _drop_box() -> Document:
    known = rows("drop-box.md")
    golden = [{"name": name, "fields": fields, "wire": data.hex(" ")} for name, fields, data in known]
    identification = frames.Identification(1, 0x81, False, 0, ((0, "M" * 80), (1, "P" * 80), (2, "R" * 80)))
    most = frames.InputRegisters(values=(0xFFFF,) * 125)
    return {
        "page": "drop-box.md",
        "golden": golden,
        "must_reject": list(_bad_frames(known[1][2])),
        "must_reject_readings": list(_bad_readings()),
        "longest": [
            {"name": "125 registers", "wire": frames.encode(1, most).hex(" ")},
            {"name": "an identification of 80 characters each", "wire": frames.encode(1, identification).hex(" ")},
        ],
        "sessions": [{"name": "poll, two pieces, the box is taken, a restart", "steps": list(_polled())}],
    }


def _bad_frames(good: bytes) -> Iterator[Vector]:
    """Answers to the first golden question that must not be taken for one."""
    flipped = good[:9] + bytes((good[9] ^ 0x10,)) + good[10:]
    for wire, reason in (
        (flipped, "one bit is wrong"),
        (good[:-2] + good[:-3:-1], "the CRC with its most significant byte first"),
        (good[:-1], "the last byte is missing"),
        (good[:-2], "no CRC"),
        (frames.encode(2, frames.InputRegisters(values=(0xDB01,) * 26)), "from unit 2, which was not asked"),
        (frames.encode(1, frames.InputRegisters(values=(0xDB01,) * 25)), "25 registers, 26 were asked for"),
        (frames.encode(1, frames.HoldingRegisters(values=(0xDB01,) * 26)), "of another function"),
    ):
        yield {"wire": wire.hex(" "), "reason": reason}


def _bad_readings() -> Iterator[Vector]:
    """Registers of golden readings in which one has a value that cannot be, as our own map refuses them."""
    known = set()
    for _, _, data in (row for row in rows("drop-box.md") if row[0] == "Reading"):
        words = [int.from_bytes(data[at : at + 2], "big") for at in range(0, len(data), 2)]
        for at in range(len(words)):
            for value in (0, 0xFFFF):
                wrong = [*words[:at], value, *words[at + 1 :]]
                try:
                    drop_box.decode(tuple(wrong))
                except ProtocolError as error:
                    if str(error) not in known:
                        known.add(str(error))
                        wire = b"".join(word.to_bytes(2, "big") for word in wrong)
                        yield {"bytes": wire.hex(" "), "reason": str(error)}


def _polled() -> Iterator[Vector]:
    clock = SimClock(1.0)
    sensor = SimulatedSensor(1, clock, seed="vectors", box="BOX-1", serial="SIM-1")
    sensor.box = Box("BOX-1", capacity=3000)

    def ask(request: frames.Request) -> Iterator[Vector]:
        answer = sensor.answer(request)
        yield {"at_ms": clock.now_ms(), "from": "controller", "wire": frames.encode(1, request).hex(" ")}
        assert answer is not None
        yield {"at_ms": clock.now_ms() + 20, "from": "device", "wire": answer.hex(" ")}
        clock.jump(0.25)

    def does(what: str) -> Vector:
        return {"at_ms": clock.now_ms(), "who": "device", "does": what}

    yield from ask(drop_box.READ)
    yield from ask(drop_box.IDENTIFY)
    yield from ask(drop_box.show(drop_box.Lamp(1)))
    sensor.drop(2)
    yield does("two pieces fall in")
    yield from ask(drop_box.READ)
    sensor.open_door()
    sensor.take_box()
    yield does("the door is opened and the box is taken")
    yield from ask(drop_box.READ)
    sensor.reset()
    yield does("it restarts: a new boot, its counters begin at 0")
    yield from ask(drop_box.READ)
    yield from ask(frames.ReadInputRegisters(address=900, count=1))


# The reader board: the Alpha protocol


def _reader_board() -> Document:
    wires = [data for _, _, data in rows("reader-board.md")]
    longest = Packet((WriteText("A", (Section(Position.FILL, Mode.HOLD, ("W" * 125, "M" * 125)),)),))
    return {
        "page": "reader-board.md",
        "golden": [
            {"name": "Packet", "fields": plain(packet), "wire": wire.hex(" ")}
            for wire in wires
            for packet in PacketDecoder().feed(wire)
        ],
        "must_reject": list(_bad_packets(wires[0])),
        "longest": [{"name": "a text of 250 characters", "wire": encode_packet(longest).hex(" ")}],
        "sessions": [{"name": "a sign is set up, shows a line and then a notice", "steps": list(_shown())}],
    }


def _bad_packets(good: bytes) -> Iterator[Vector]:
    """Packets with a checksum, damaged; `good` begins with five zeros, SOH, the type and the address."""
    at = good.index(b"BANKER")
    for wire, reason in (
        (good[:at] + b"C" + good[at + 1 :], "another letter: the checksum does not fit"),
        (good[:-5] + b"0000\x04", "another checksum"),
        (good[:-1], "no EOT: the packet has not ended"),
        (good[5:6] + good[7:], "no nulls, and no type code"),
        (good.replace(b"\x02A", b"\x02?", 1), "an unknown command"),
    ):
        yield {"wire": wire.hex(" "), "reason": reason}


def _shown() -> Iterator[Vector]:
    """The first eight seconds of a board with one sign."""
    options = ReaderBoardOptions(signs=(SignOptions(address="01"),), line="8N1")
    keeper = BoardKeeper(options, 9_600, LinkStatistics.fresh(), 0.0)
    sign = SimulatedSign("01")
    keeper.show(BoardContent(results=(line("BANKER 7"),)))
    for ms in range(0, 8_000, 20):
        now = ms / 1000
        if ms == 4_000:
            keeper.show(BoardContent(notice=line("FLOOR CALLED")))
        out = keeper.outgoing(now)
        if out:
            yield {"at_ms": ms, "from": "controller", "wire": out.hex(" ")}
            answer = sign.receive(out, now)
            if answer:
                yield {"at_ms": ms, "from": "device", "wire": answer.hex(" ")}
                keeper.receive(answer, now)


# The card reader: HID point of sale

_LAYOUT = find_scans(REFERENCE)[2]


def _card_reader() -> Document:
    longest = encode_scan(_LAYOUT, b"L" * MAX_SCAN, "]Q1")
    return {
        "page": "card-reader.md",
        "golden": [
            {"name": name, "fields": fields, "wire": data.hex(" ")} for name, fields, data in rows("card-reader.md")
        ],
        "must_reject": list(_bad_reports()),
        "longest": [{"name": f"a code of {MAX_SCAN} bytes", "reports": [report.hex(" ") for report in longest]}],
        "sessions": [{"name": "two cards, a long code in parts, a part that never comes", "steps": list(_scanned())}],
    }


def _bad_reports() -> Iterator[Vector]:
    (good,) = encode_scan(_LAYOUT, b"9HD6", "]C0")
    for wire, reason in (
        (b"\x09" + good[1:], "another report id: ignored"),
        (good[:1] + b"\xff" + good[2:], "its count is more than the report holds"),
        (good[:40], "it is shorter than its descriptor says"),
    ):
        yield {"wire": wire.hex(" "), "reason": reason}


def _scanned() -> Iterator[Vector]:
    at_ms = 0
    long = b"CUTCARD TEST 0123456789 ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789"
    for text, symbology, most in ((b"9HD6", "]C0", 9), (b"KH+92", "]C0", 9), (long, "]Q1", 9), (long, "]Q1", 1)):
        for report in encode_scan(_LAYOUT, text, symbology)[:most]:
            yield {"at_ms": at_ms, "from": "device", "wire": report.hex(" ")}
            at_ms += 8
        at_ms += 1500
    yield {"at_ms": at_ms, "who": "controller", "does": "drops the part of the last code: the rest has not come"}


def plain(value: object) -> object:
    """A value of ours as JSON: a message is an object with its `kind`, a code is its name."""
    match value:
        case Value():
            fields = {name: plain(field) for name, field in asdict(value).items()}
            return {"kind": type(value).__name__, **fields}
        case Enum():
            return f"{type(value).__name__}.{value.name}"
        case tuple() | list():
            return [plain(one) for one in value]
        case None | bool() | int() | str():
            return value
    return str(value)
