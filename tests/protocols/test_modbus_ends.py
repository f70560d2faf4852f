"""Both ends of a Modbus line: frames are found in what arrives, and nothing else is."""

from __future__ import annotations

import random

import pytest

from protocols import drop_box
from protocols.errors import ProtocolError
from protocols.modbus.ends import Master, RequestReader
from protocols.modbus.frames import (
    BROADCAST,
    ILLEGAL_FUNCTION,
    ILLEGAL_VALUE,
    MAX_ADU,
    HoldingRegisters,
    Identification,
    InputRegisters,
    ReadHoldingRegisters,
    ReadIdentification,
    ReadInputRegisters,
    Refusal,
    RegistersWritten,
    RegisterWritten,
    Reply,
    Request,
    Unanswerable,
    WriteRegister,
    WriteRegisters,
    crc16,
    decode_reply,
    decode_request,
    encode,
)
from tests.support.hostile.fuzz import inputs

READ = ReadHoldingRegisters(address=0, count=2)
ANSWER = HoldingRegisters((2, 30))
REQUESTS: list[Request] = [
    READ,
    ReadInputRegisters(0, 26),
    WriteRegister(0, 1),
    WriteRegisters(0, (2, 30)),
    ReadIdentification(1, 0),
]
REPLIES: list[Reply] = [
    ANSWER,
    InputRegisters(tuple(range(26))),
    RegisterWritten(0, 1),
    RegistersWritten(0, 2),
    Identification(1, 0x81, False, 0, ((0, "Cutcard"), (1, "DBS-2"))),
    Refusal(4, 2),
]


GOOD = [*(encode(1, request) for request in REQUESTS), *(encode(1, reply) for reply in REPLIES)]


def whole(*data: int) -> bytes:
    frame = bytes(data)
    return frame + crc16(frame).to_bytes(2, "little")


def asked(request: Request = READ, unit: int = 1) -> Master:
    master = Master()
    master.ask(unit, request)
    return master


def test_an_answer_is_found_byte_by_byte() -> None:
    master = asked()
    answers = [master.feed(bytes((byte,))) for byte in encode(1, ANSWER)]
    assert answers == [*([None] * (len(answers) - 1)), ANSWER]


def test_an_answer_is_found_behind_noise_that_looks_like_its_beginning() -> None:
    master = asked()
    noise = bytes.fromhex("01 03 04 ff 01 03 04 01 83")
    assert master.feed(noise + encode(1, ANSWER)) == ANSWER
    assert master.noise_bytes == len(noise)


@pytest.mark.parametrize(
    "other",
    [
        encode(2, ANSWER),
        encode(1, HoldingRegisters((2, 30, 4))),
        encode(1, InputRegisters((2, 30))),
        encode(1, RegistersWritten(0, 2)),
        encode(1, READ),
        encode(1, ANSWER)[:-1] + b"\0",
        encode(1, ANSWER)[:-1],
    ],
    ids=["another unit", "another count", "another function", "a write", "our own echo", "a bad CRC", "cut short"],
)
def test_what_was_not_asked_for_is_no_answer(other: bytes) -> None:
    assert asked().feed(other) is None


def test_an_answer_after_the_question_was_given_up_is_noise() -> None:
    master = asked()
    master.give_up()
    assert master.feed(encode(1, ANSWER)) is None
    master.ask(2, READ)
    assert master.feed(encode(1, ANSWER) + encode(2, HoldingRegisters((5, 6)))) == HoldingRegisters((5, 6))


def test_a_write_is_confirmed_only_by_its_own_answer() -> None:
    write = WriteRegisters(address=0, values=(2, 30))
    assert asked(write).feed(encode(1, RegistersWritten(0, 1))) is None
    assert asked(write).feed(encode(1, write)) is None, "an adapter's echo"
    assert asked(write).feed(encode(1, RegistersWritten(0, 2))) == RegistersWritten(0, 2)


def test_a_refusal_is_an_answer_that_says_why() -> None:
    refusal = asked().feed(encode(1, Refusal(3, 2)))
    assert str(refusal) == "function 3 refused: illegal address"


def test_nobody_is_asked_by_a_broadcast() -> None:
    with pytest.raises(ProtocolError, match="nobody answers a broadcast"):
        Master().ask(BROADCAST, READ)


def test_a_request_is_taken_without_waiting_for_silence() -> None:
    reader = RequestReader(19_200)
    data = encode(1, READ) + encode(2, WriteRegisters(0, (1, 0)))
    assert reader.feed(data, now=0.0) == [(1, READ), (2, WriteRegisters(0, (1, 0)))]
    assert reader.held == 0
    assert reader.next_deadline() is None


def test_what_is_no_request_is_forgotten_at_the_next_silence() -> None:
    reader = RequestReader(19_200)
    assert reader.feed(b"\x01\x03noise", now=0.0) == []
    assert reader.feed(encode(1, READ), now=0.001) == [], "no silence yet: it belongs to the noise"
    assert reader.feed(encode(1, READ), now=0.1) == [(1, READ)]


def test_a_request_in_two_pieces_is_one() -> None:
    reader = RequestReader(19_200)
    data = encode(1, READ)
    assert reader.feed(data[:3], now=0.0) == []
    assert reader.feed(data[3:], now=0.001) == [(1, READ)]


def test_a_function_that_is_not_known_is_refused_after_the_silence() -> None:
    reader = RequestReader(19_200)
    assert reader.feed(whole(1, 1, 0, 0, 0, 8), now=0.0) == []
    deadline = reader.next_deadline()
    assert deadline is not None
    assert reader.poll(deadline) == [(1, Unanswerable(1, ILLEGAL_FUNCTION))]


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (whole(1, 3, 0, 0, 0, 0), ILLEGAL_VALUE),
        (whole(1, 4, 0, 0, 0, 126), ILLEGAL_VALUE),
        (whole(1, 16, 0, 0, 0, 2, 2, 0, 0), ILLEGAL_VALUE),
        (whole(1, 16, 0, 0, 0, 0, 0), ILLEGAL_VALUE),
        (whole(1, 43, 14, 5, 0), ILLEGAL_VALUE),
        (whole(1, 43, 13, 1, 0), ILLEGAL_FUNCTION),
        (whole(1, 16, 0, 0), ILLEGAL_FUNCTION),
        (whole(1, 0x63), ILLEGAL_FUNCTION),
    ],
)
def test_a_good_frame_with_a_bad_request_can_be_refused(frame: bytes, code: int) -> None:
    unit, request = decode_request(frame)
    assert unit == 1
    assert isinstance(request, Unanswerable)
    assert request.code == code


@pytest.mark.parametrize(
    "message",
    [
        ReadInputRegisters(0, 0),
        ReadInputRegisters(0, 126),
        ReadInputRegisters(0x10000, 1),
        WriteRegister(0, -1),
        WriteRegisters(0, ()),
        WriteRegisters(0, (0,) * 124),
        WriteRegisters(0, (0x10000,)),
        ReadIdentification(5, 0),
        Refusal(0x80, 1),
        Identification(1, 0x81, False, 0, ((0, "x" * 255),)),
        Identification(1, 0x81, False, 0, ((0, "\u4e00"),)),
    ],
)
def test_what_the_standard_does_not_allow_is_not_sent(message: Request) -> None:
    with pytest.raises(ProtocolError):
        encode(1, message)


def test_a_unit_beyond_247_is_not_sent_to() -> None:
    with pytest.raises(ProtocolError, match="a unit is 0 to 247"):
        encode(248, READ)


def test_fuzzed_frames_raise_nothing_but_the_protocols_error_and_say_again_what_they_are() -> None:
    understood = 0
    for data in inputs("modbus frames", GOOD):
        try:
            unit, request = decode_request(data)
            if not isinstance(request, Unanswerable) and unit <= 247:
                assert encode(unit, request) == data
                understood += 1
        except ProtocolError:
            pass
        try:
            unit, reply = decode_reply(data)
            if 0 < unit <= 247 and not isinstance(reply, RegistersWritten | HoldingRegisters | InputRegisters):
                assert encode(unit, reply) == data
            understood += 1
        except ProtocolError:
            pass
    assert understood > 100


def test_fuzzed_lines_are_bounded_and_both_ends_are_in_step_again_afterwards() -> None:
    rng = random.Random(8)
    master, reader, now = Master(), RequestReader(19_200), 0.0
    answered = 0
    for data in inputs("modbus lines", GOOD, longest=600):
        now += rng.choice((0.0001, 0.01))
        reader.feed(data, now)
        master.ask(1, rng.choice(REQUESTS))
        answered += master.feed(data) is not None
        master.feed(data)
        assert master.held <= MAX_ADU
        assert reader.held <= MAX_ADU
    assert reader.feed(encode(1, READ), now + 1.0)[-1] == (1, READ)
    master.ask(1, READ)
    assert master.feed(encode(1, ANSWER)) == ANSWER
    assert answered > 10


@pytest.mark.parametrize(
    "worth",
    [None, drop_box.Worth(pieces=3, cents=700, pieces_at_removal=0, cents_at_removal=0)],
    ids=["counts", "reads the worth"],
)
def test_fuzzed_registers_are_a_reading_or_an_error(worth: drop_box.Worth | None) -> None:
    row = drop_box.encode(
        drop_box.Reading(
            boot=1,
            uptime_ms=2,
            resets=3,
            counter_bits=32,
            drops=4,
            drops_at_removal=0,
            removals=0,
            openings=0,
            grams=-5,
            box_id="M-1",
            serial="S",
            box_present=True,
            door_open=True,
            weight_settled=True,
            faults=("scale",),
            worth=worth,
        )
    )
    good = b"".join(value.to_bytes(2, "big") for value in row)
    decoded = 0
    for data in inputs("drop box registers", [good], longest=76):
        registers = tuple(int.from_bytes(data[at : at + 2], "big") for at in range(0, len(data) - 1, 2))
        try:
            reading = drop_box.decode(registers)
        except ProtocolError:
            continue
        decoded += 1
        again = drop_box.encode(reading)
        assert again[2:] == registers[2:]
        assert again[1] == registers[1] & 0xFF
    assert decoded > 100
