"""The Alpha codec: what it refuses to send, what it finds in noise, and what it holds on to."""

from __future__ import annotations

import random
import re
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocols.alpha.codes import Colour, Control, FileKind, Font, Mode, Position, Readable, RunOrder, Sound
from protocols.alpha.commands import Command, ReadSpecial, ReadString, ReadText, WriteString, WriteText, decode, encode
from protocols.alpha.packets import MAX_COMMAND, Address, Packet, PacketDecoder, encode_packet, pieces
from protocols.alpha.parity import add_parity, strip_parity
from protocols.alpha.special import (
    Beep,
    ConfigureMemory,
    File,
    GeneralInformation,
    MemoryPool,
    SetDate,
    SetRunSequence,
    SetSpeaker,
    SetTime,
    Tone,
)
from protocols.alpha.text import CallDate, CallPicture, CallString, Extended, Item, Section
from protocols.errors import ProtocolError
from sim_hw.wire.noise import Noise, NoisyWire
from tests.support.hostile.fuzz import how_many, in_flat_memory, inputs

HELLO = Packet((WriteText("A", (Section(Position.FILL, Mode.HOLD, (Colour.RED, "BANKER 7")),)),), (Address("Z", "01"),))

labels = st.sampled_from([*string.ascii_letters, "+", "~", " "])
characters = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7F), min_size=1, max_size=12)
codes: st.SearchStrategy[Item] = st.one_of(
    st.sampled_from(Colour),
    st.sampled_from(Font),
    st.sampled_from(Control),
    st.builds(CallString, labels),
    st.builds(CallPicture, labels),
    st.builds(CallDate, st.sampled_from("0123456789")),
    st.builds(Extended, st.integers(0x80, 0xC1)),
)
# Strings and codes take turns: two strings side by side are one string when they come back.
messages = st.lists(st.tuples(characters, codes), max_size=6).map(
    lambda pairs: tuple(i for pair in pairs for i in pair)
)
sections = st.builds(Section, st.sampled_from(Position), st.sampled_from(Mode), messages)
files = st.builds(
    File,
    labels,
    st.sampled_from([FileKind.TEXT, FileKind.DOTS]),
    st.integers(0, 0xFFFF),
    st.booleans(),
    st.just("FFFF"),
) | st.builds(File.string, labels, st.integers(0, 125))
commands: st.SearchStrategy[Command] = st.one_of(
    st.builds(WriteText, labels, st.lists(sections, max_size=3).map(tuple)),
    st.builds(ReadText, labels),
    st.builds(
        WriteString,
        labels,
        messages.filter(lambda items: len(encode(WriteText("A", (Section(None, None, items),)))) < 125),
    ),
    st.builds(ReadString, labels),
    st.builds(ReadSpecial, st.sampled_from(Readable)),
    st.builds(SetTime, st.integers(0, 23), st.integers(0, 59)),
    st.builds(SetDate, st.integers(1, 12), st.integers(1, 31), st.integers(0, 99)),
    st.builds(SetSpeaker, st.booleans()),
    st.builds(Tone, st.sampled_from(Sound)),
    st.builds(Beep, st.integers(0, 0xFE), st.integers(1, 15), st.integers(0, 15)),
    st.builds(ConfigureMemory, st.lists(files, min_size=1, max_size=5, unique_by=lambda file: file.label).map(tuple)),
    st.builds(SetRunSequence, st.text(labels, max_size=8), st.sampled_from(RunOrder), st.booleans()),
    st.builds(MemoryPool, st.integers(0, 0xFFFF), st.integers(0, 0xFFFF)),
    st.builds(
        GeneralInformation,
        st.text(string.digits, min_size=8, max_size=8),
        st.sampled_from(["", "A", "7"]),
        st.just("0998"),
        st.just("2130"),
        st.booleans(),
        st.booleans(),
        st.integers(0, 0xFFFF),
        st.integers(0, 0xFFFF),
    ),
)
addresses = st.builds(Address, st.sampled_from("Z^0c"), st.text("0123456789ABCDEF?", min_size=2, max_size=2))
many = st.builds(
    Packet,
    st.lists(commands, min_size=1, max_size=4).map(tuple),
    st.lists(addresses, min_size=1, max_size=3).map(tuple),
    st.booleans(),
)


@settings(max_examples=150, deadline=None)
@given(many, st.integers(1, 40))
def test_what_is_sent_is_understood_however_the_bytes_arrive(packet: Packet, at_once: int) -> None:
    wire = encode_packet(packet)
    decoder = PacketDecoder()
    found = [got for at in range(0, len(wire), at_once) for got in decoder.feed(wire[at : at + at_once])]
    assert found == [packet]
    assert decoder.held == 0
    assert decoder.statistics.noise_bytes == 0


@settings(max_examples=100, deadline=None)
@given(many)
def test_seven_bits_are_enough_for_every_packet(packet: Packet) -> None:
    wire = encode_packet(packet)
    assert strip_parity(add_parity(wire)) == wire


def test_a_nested_packet_is_cut_after_each_stx_where_the_sign_wants_its_pause() -> None:
    packet = Packet((SetTime(21, 30), SetSpeaker(True), Tone(Sound.LONG)))
    parts = pieces(packet)
    assert b"".join(parts) == encode_packet(packet)
    assert [part[-1:] for part in parts] == [b"\x02", b"\x02", b"\x02", b"\x04"]
    assert len(pieces(HELLO)) == 1


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        (WriteText("AB"), "label"),
        (WriteText("?"), "label"),
        (WriteText("A", (Section(Position.FILL, Mode.HOLD, ("Zürich",)),)), "characters"),
        (WriteText("A", (Section(Position.FILL, Mode.HOLD, ("a\x04b",)),)), "characters"),
        (WriteText("A", (Section(Position.FILL, None),)), "position and a mode"),
        (WriteText("A", (Section(None, None, ("a",)), Section(None, None, ("b",)))), "only the first"),
        (WriteText("0", (Section(Position.FILL, Mode.HOLD, ("x" * 123,)),)), "125"),
        (WriteString("a", ("x" * 126,)), "125"),
        (WriteString("0", ("x",)), "label 0"),
        (ConfigureMemory(()), "ClearMemory"),
        (ConfigureMemory((File.text("A", 9), File.string("A", 9))), "own label"),
        (ConfigureMemory((File.text("0", 9),)), "priority"),
        (ConfigureMemory((File.text("A", 65536),)), "65535"),
        (ConfigureMemory((File("a", FileKind.STRING, 9, locked=False, extra="0000"),)), "locked"),
        (ConfigureMemory((File.string("a", 126),)), "125"),
        (SetTime(24, 0), "23"),
        (SetDate(13, 1, 26), "12"),
        (Beep(0xFF, 1, 0), "254"),
        (Beep(0, 0, 0), "between 1 and 15"),
        (SetRunSequence("A" * 129), "128"),
        (GeneralInformation("1", "", "0998", "2130", False, True, 0, 0), "characters"),
    ],
)
def test_what_no_sign_would_understand_is_not_sent(command: Command, problem: str) -> None:
    with pytest.raises(ProtocolError, match=problem):
        encode(command)


@pytest.mark.parametrize(
    "to", [(), (Address("Z", "1"),), (Address("ZZ", "01"),), (Address("Z", "0g"),), 17 * (Address(),)]
)
def test_an_address_that_is_none_is_refused(to: tuple[Address, ...]) -> None:
    with pytest.raises(ProtocolError, match="type codes and addresses"):
        encode_packet(Packet((WriteText("0"),), to))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"A",
        b"A?x",
        b"AA\x1b",
        b"AA\x1b0",
        b"AA\x1b0n",
        b"AA\x1b!bx",
        b"AA\x1b0dx",
        b"AAx\x1c",
        b"AAx\x1cZ",
        b"AAx\x0ax",
        b"AAx\x10",
        b"AAx\xd0",
        b"B",
        b"BAA",
        b"E$AAU0100FFF",
        b"E$AAX0100FFFF",
        b"E 2460",
        b"E&0",
        b"E(3",
        b"E,now",
        b'E"short',
        b"F",
        b"F!",
        b"Ga\x1b0bx",
        b"IA0102",
        b"Qx",
    ],
)
def test_what_is_no_command_is_refused_by_name(data: bytes) -> None:
    with pytest.raises(ProtocolError):
        decode(data)


WIRE = encode_packet(HELLO)


@pytest.mark.parametrize(
    ("damaged", "what"),
    [
        (WIRE.replace(b"7", b"9"), "crc_errors"),
        (WIRE.replace(b"\x02", b"\x02\x02"), "noise_bytes"),
        (WIRE.replace(b"\x03", b"\x03\x03"), "noise_bytes"),
        (WIRE.replace(b"Z01", b"Z0"), "noise_bytes"),
        (WIRE.replace(b"Z01", b"Z01;Z02"), "noise_bytes"),
        (WIRE[:-8], "noise_bytes"),
        (WIRE.replace(b"BANKER", b"B" * (MAX_COMMAND + 1)), "overruns"),
        (WIRE.replace(b"Z01", b"Z01" + b",Z02" * 20), "overruns"),
        (b"no packet at all\x04", "noise_bytes"),
    ],
)
def test_a_damaged_packet_is_dropped_and_the_next_one_found(damaged: bytes, what: str) -> None:
    decoder = PacketDecoder()
    assert decoder.feed(damaged + WIRE) == [HELLO]
    assert getattr(decoder.statistics, what) > 0
    assert decoder.statistics.frames == 1


def test_of_a_nested_packet_the_undamaged_commands_count() -> None:
    wire = encode_packet(Packet((SetTime(21, 30), SetSpeaker(True), Tone(Sound.LONG)))).replace(b"2130", b"2131")
    decoder = PacketDecoder()
    assert [packet.commands for packet in decoder.feed(wire)] == [(SetSpeaker(True), Tone(Sound.LONG))]
    assert decoder.statistics.crc_errors == 1


def test_zeros_carry_nothing_wherever_they_stand() -> None:
    assert PacketDecoder().feed(b"\0".join(re.findall(b".", WIRE, re.DOTALL))) == [HELLO]


def test_a_command_that_we_do_not_speak_is_counted() -> None:
    decoder = PacketDecoder()
    assert decoder.feed(b"\x01Z00\x02Q\x04") == []
    assert decoder.refused == 1


@pytest.mark.parametrize(
    ("address", "type_code", "sign", "reached"),
    [
        (Address("Z", "00"), "^", "07", True),
        (Address("^", "07"), "^", "07", True),
        (Address("^", "08"), "^", "07", False),
        (Address("c", "00"), "^", "07", False),
        (Address("Z", "?7"), "^", "A7", True),
        (Address("Z", "?7"), "^", "A8", False),
    ],
)
def test_an_address_reaches_the_signs_it_names(address: Address, type_code: str, sign: str, reached: bool) -> None:
    assert address.reaches(type_code, sign) is reached


@pytest.mark.parametrize("at", range(5, len(WIRE)))
def test_a_byte_with_wrong_parity_spoils_the_packet_that_it_is_in(at: int) -> None:
    wire = bytearray(add_parity(WIRE))
    wire[at] ^= 0x10
    assert PacketDecoder().feed(strip_parity(bytes(wire))) == []


def test_only_ascii_goes_on_a_line_of_seven_bits() -> None:
    with pytest.raises(ProtocolError, match="seven bits"):
        add_parity(b"\x80")


def test_after_noise_of_every_kind_good_packets_get_through_and_bad_ones_do_not() -> None:
    noise = Noise(bit_errors=2e-4, lost_bytes=5e-4, dropped=0.02, repeated=0.02, cut_short=0.02, garbage=0.05)
    wire = NoisyWire(noise, random.Random(11))
    decoder = PacketDecoder()
    sent = [Packet((WriteString("a", (Colour.RED, f"HAND {n}")),)) for n in range(1500)]
    got = []
    for packet in sent:
        got += decoder.feed(strip_parity(wire.carry(add_parity(encode_packet(packet)))))
    # A command whose ETX got lost is a good one without a checksum: the protocol cannot tell. Ours all have one.
    with_checksum = {packet for packet in got if packet.checksum}
    assert with_checksum <= set(sent)
    assert len(with_checksum) > 1300


@pytest.mark.timeout(3600)
def test_damaged_and_random_bytes_raise_nothing_and_are_not_kept() -> None:
    good = [encode_packet(packet) for packet in (HELLO, Packet((SetTime(1, 2), SetSpeaker(False)), checksum=False))]
    decoder = PacketDecoder()
    packets = 0
    for number, data in enumerate(in_flat_memory(inputs("alpha packets", good))):
        try:
            packets += len(decoder.feed(data))
        except Exception as error:
            raise AssertionError(f"input {number}, {data.hex(' ')}: {type(error).__name__}") from error
        assert decoder.held <= MAX_COMMAND * 2, f"input {number}, {data.hex(' ')}"
    assert packets > how_many() // 20


@pytest.mark.timeout(3600)
def test_damaged_and_random_commands_raise_nothing_but_the_protocols_error() -> None:
    good = [
        encode(command)
        for command in (
            *HELLO.commands,
            ConfigureMemory((File.text("A", 512), File.string("a", 72))),
            GeneralInformation("10404402", "A", "0998", "2130", False, True, 0x77F0, 0x7100),
            WriteString("a", (Colour.GREEN, "P", Control.NEW_LINE, CallString("b"), Extended(0x9B))),
            SetRunSequence("AB"),
        )
    ]
    accepted = refused = 0
    for number, data in enumerate(inputs("alpha commands", good, longest=80)):
        try:
            command = decode(data)
            accepted += 1
        except ProtocolError:
            refused += 1
            continue
        except Exception as error:
            raise AssertionError(f"input {number}, {data.hex(' ')}: {type(error).__name__}") from error
        try:
            assert decode(encode(command)) == command, f"input {number}, {data.hex(' ')}"
        except ProtocolError:
            # A sign may be given more than we would send: a longer string, one label twice.
            assert isinstance(command, WriteString | WriteText | ConfigureMemory), f"input {number}, {data.hex(' ')}"
    assert accepted > how_many() // 20
    assert refused > how_many() // 20
