"""Capture files: what the specification says, what Wireshark reads, and a reader that nothing can upset."""

from __future__ import annotations

import shutil
import subprocess
import tracemalloc
from pathlib import Path
from struct import pack

import pytest

from protocols.errors import ProtocolError
from protocols.pcapng import MAX_BLOCK, Block, Interface, Packet, Reader, Section, encode
from tests.support.hostile.fuzz import inputs
from tests.support.running.technician_tables import Parsed

BLOCKS: list[Block] = [
    Section(comment="sealed: ♠", application="cutcard 0"),
    Interface(name="shoe", description="shoe on /dev/ttyUSB0", comment="a shoe"),
    Interface(name="shuffler"),
    Packet(interface=0, at_ns=1_772_388_127_114_000_123, direction="in", data=b"9h", dropped=3, comment="a card"),
    Packet(interface=1, at_ns=1_772_388_127_114_000_124, direction="out", data=bytes(range(256))),
    Packet(interface=0, at_ns=(1 << 64) - 1, direction=None, data=b""),
]
FILE = b"".join(map(encode, BLOCKS))


def test_what_is_written_is_read_again_however_it_comes() -> None:
    assert Reader().feed(FILE) == BLOCKS
    reader = Reader()
    assert [block for byte in FILE for block in reader.feed(bytes((byte,)))] == BLOCKS
    reader.end()


def test_a_golden_packet() -> None:
    packet = Packet(interface=1, at_ns=0x1_0000_0002, direction="out", data=b"\x00\x29\xd6")
    assert encode(packet).hex(" ") == (
        "06 00 00 00 30 00 00 00 01 00 00 00 01 00 00 00 02 00 00 00 03 00 00 00 03 00 00 00 00 29 d6 00 "
        "02 00 04 00 02 00 00 00 00 00 00 00 30 00 00 00"
    )


def test_a_second_reader_finds_the_same() -> None:
    whole = Parsed.of(b"".join(map(encode, BLOCKS[:5])))
    assert whole.section == {1: "sealed: ♠".encode(), 4: b"cutcard 0"}
    assert whole.interfaces == [
        (147, {1: b"a shoe", 2: b"shoe", 3: b"shoe on /dev/ttyUSB0", 9: b"\x09"}),
        (147, {2: b"shuffler", 9: b"\x09"}),
    ]
    assert whole.packets == [
        (0, 1_772_388_127_114_000_123, 1, b"9h"),
        (1, 1_772_388_127_114_000_124, 2, bytes(range(256))),
    ]


@pytest.mark.skipif(shutil.which("tshark") is None, reason="needs tshark")
def test_wireshark_opens_it(tmp_path: Path) -> None:
    (tmp_path / "table.pcapng").write_bytes(b"".join(map(encode, BLOCKS[:5])))
    fields = ("frame.time_epoch", "frame.interface_name", "frame.len", "frame.encap_type")
    command = ["tshark", "-r", str(tmp_path / "table.pcapng"), "-T", "fields", *(f"-e{field}" for field in fields)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert [line.split("\t")[1:3] for line in done.stdout.splitlines()] == [["shoe", "2"], ["shuffler", "256"]]
    assert "1772388127.114000123" in done.stdout


def test_a_file_of_another_program_is_read_as_well() -> None:
    """Big-endian, microseconds, a block that we do not know, an interface without options."""
    section = pack(">IIIHHqI", 0x0A0D0D0A, 28, 0x1A2B3C4D, 1, 0, -1, 28)
    interface = pack(">IIHHII", 1, 20, 1, 0, 65535, 20)
    unknown = pack(">IIII", 0x0BAD, 16, 7, 16)
    packet = pack(">IIIIIII4sI", 6, 36, 0, 0, 5_000_000, 3, 3, b"abc\0", 36)
    assert Reader().feed(section + interface + unknown + packet) == [
        Section(),
        Interface(link_type=1),
        Packet(interface=0, at_ns=5_000_000_000, direction=None, data=b"abc"),
    ]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"\xd4\xc3\xb2\xa1" + bytes(20), "does not begin with a section"),
        (b"\x0a\x0d\x0d\x0a" + bytes(20), "its byte order"),
        (FILE[:4] + pack("<I", MAX_BLOCK + 4) + FILE[8:], "this one says"),
        (FILE[:4] + pack("<I", 13) + FILE[8:], "in fours"),
        (encode(BLOCKS[0])[:-4] + bytes(4), "says its length twice"),
        (encode(BLOCKS[0]) + encode(BLOCKS[3]), "names interface 0; the section has 0"),
        (encode(BLOCKS[0]) + pack("<IIHHIHH4sI", 1, 28, 147, 0, 0, 9, 1, b"\x40\0\0\0", 28), "time resolution"),
    ],
)
def test_a_file_that_is_none_is_refused_with_the_reason(data: bytes, why: str) -> None:
    with pytest.raises(ProtocolError, match=why):
        Reader().feed(data)


def test_a_file_that_was_cut_off_says_so() -> None:
    reader = Reader()
    assert reader.feed(FILE[:-5]) == BLOCKS[:-1]
    with pytest.raises(ProtocolError, match="ends in the midst"):
        reader.end()


def test_what_does_not_fit_a_file_is_not_written() -> None:
    for block in (Section(comment="x" * 70_000), Packet(interface=0, at_ns=-1, direction="in", data=b"")):
        with pytest.raises(ProtocolError):
            encode(block)


@pytest.mark.timeout(3600)
def test_damaged_and_random_files_raise_nothing_but_the_protocols_error() -> None:
    good = [FILE, *map(encode, BLOCKS)]
    read = refused = 0
    tracemalloc.start()
    try:
        for number, data in enumerate(inputs("pcapng", good)):
            reader = Reader()
            try:
                read += len(reader.feed(data))
            except ProtocolError:
                refused += 1
            except Exception as error:
                raise AssertionError(f"input {number}, {data.hex(' ')}: {type(error).__name__}") from error
            assert reader.held <= len(data)
        _, held_at_worst = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held_at_worst < 2_000_000
    assert read > 100
    assert refused > 100
