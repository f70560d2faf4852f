"""The messages of the dice cup and the key panel: what their pages say, and nothing that cannot be."""

from __future__ import annotations

import re
from operator import itemgetter

import pytest

from protocols import dice_cup, key_panel
from protocols.dice_cup import DiceRead
from protocols.errors import ProtocolError
from protocols.key_panel import DARK, AskPin, KeyPressed, PinEntered, Show
from protocols.link import frames
from protocols.link.framing import Deframer
from tests.support.hostile.fuzz import inputs
from tests.support.wire.golden import Row, check_golden, page, rows, with_byte

CUP_ROWS = rows("dice-cup.md")
PANEL_ROWS = rows("key-panel.md")
CUP_TYPES = {message.__name__: message for message in dice_cup.CODEC.message_types}
PANEL_TYPES = {message.__name__: message for message in key_panel.CODEC.message_types}

READ = DiceRead(boot=1, event_no=2, uptime_ms=3, roll_no=4, values=(3, None, 6))
PRESSED = KeyPressed(boot=1, event_no=2, uptime_ms=3, key=7)
SECRET = "31415926"
PIN = PinEntered(boot=1, event_no=2, uptime_ms=3, request=4, digits=SECRET)


@pytest.mark.parametrize("row", CUP_ROWS, ids=itemgetter(0))
def test_a_golden_cup_message_is_what_we_send_and_what_we_understand(row: Row) -> None:
    check_golden(dice_cup.CODEC, row)


@pytest.mark.parametrize("row", PANEL_ROWS, ids=itemgetter(0))
def test_a_golden_panel_message_is_what_we_send_and_what_we_understand(row: Row) -> None:
    check_golden(key_panel.CODEC, row)


def test_the_pages_show_every_message() -> None:
    assert {name for name, _, _ in CUP_ROWS} == set(CUP_TYPES)
    assert {name for name, _, _ in PANEL_ROWS} == set(PANEL_TYPES)


@pytest.mark.parametrize(("name", "payload"), [("dice-cup.md", CUP_ROWS[8][2]), ("key-panel.md", PANEL_ROWS[10][2])])
def test_the_whole_frame_on_a_page_carries_the_message_that_it_says(name: str, payload: bytes) -> None:
    (wire,) = re.findall(r"^    (00 [0-9a-f ]+ 00)$", page(name), re.MULTILINE)
    (body,) = Deframer().feed(bytes.fromhex(wire))
    frame = frames.decode(body)
    assert isinstance(frame, frames.Data)
    assert frame.payload == payload


def test_the_longest_messages_fit_the_smallest_device() -> None:
    full = Show(show_no=0xFFFFFFFF, lamps=(3,) * 32, lines=("W" * 20, "W" * 20))
    eight = DiceRead(boot=1, event_no=1, uptime_ms=1, roll_no=1, values=(6,) * 8)
    assert len(key_panel.encode(full)) <= frames.MIN_MAX_PAYLOAD
    assert len(dice_cup.encode(eight)) <= frames.MIN_MAX_PAYLOAD


def test_a_die_that_was_changed_on_the_way_is_an_error_whatever_it_became() -> None:
    good = dice_cup.encode(READ)
    for at in range(-6, 0):
        for value in set(range(256)) - {good[at]}:
            with pytest.raises(ProtocolError):
                dice_cup.decode(with_byte(good, at, value))


def test_a_key_that_was_changed_on_the_way_is_an_error_whatever_it_became() -> None:
    good = key_panel.encode(PRESSED)
    for at in (-1, -2):
        for value in set(range(256)) - {good[at]}:
            with pytest.raises(ProtocolError):
                key_panel.decode(with_byte(good, at, value))


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "at least one byte"),
        (b"\x7f", "kind 0x7f is not known"),
        (dice_cup.encode(READ)[:-1], "not a DiceRead"),
        (dice_cup.encode(READ) + b"\0", "not a DiceRead"),
        (with_byte(dice_cup.encode(READ), -7, 200), "not a DiceRead"),
        (b"\x10\x00", "1 to 8 dice belong in a cup"),
        (with_byte(dice_cup.encode(READ), 20, 0), "openings count from 1"),
    ],
)
def test_a_cup_message_that_cannot_be_says_what_is_wrong(data: bytes, says: str) -> None:
    with pytest.raises(ProtocolError, match=says):
        dice_cup.decode(data)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (with_byte(with_byte(key_panel.encode(PRESSED), -2, 33), -1, 33 ^ 0xFF), "keys are 1 to 32"),
        (bytes.fromhex("11 00000000 04 08 1e"), "request 0 is none"),
        (bytes.fromhex("11 00000001 04 0d 1e"), "a PIN has 4 to 12 digits"),
        (bytes.fromhex("11 00000001 04 08 02"), "a PIN is waited for 5 to 120 s"),
        (bytes.fromhex("10 00000001 0000000000000000 03 00 00 00"), "a panel has 2 lines"),
        (bytes.fromhex("10 00000001 0000000000000000 01 02 41 07"), "a panel has 2 lines"),
        (bytes.fromhex("82 00000001 00 02 10"), "1 to 32 keys"),
    ],
)
def test_a_panel_message_that_cannot_be_says_what_is_wrong(data: bytes, says: str) -> None:
    with pytest.raises(ProtocolError, match=says):
        key_panel.decode(data)


@pytest.mark.parametrize(
    "message",
    [
        DiceRead(boot=1, event_no=2, uptime_ms=3, roll_no=4, values=(7,)),
        DiceRead(boot=1, event_no=2, uptime_ms=3, roll_no=4, values=(1,) * 9),
        dice_cup.SetDice(dice=9),
        dice_cup.Shaken(boot=1, event_no=2, uptime_ms=3, shakes=0),
    ],
)
def test_what_no_cup_can_say_is_not_sent(message: dice_cup.Message) -> None:
    with pytest.raises(ProtocolError, match="does not fit the wire"):
        dice_cup.encode(message)


@pytest.mark.parametrize(
    "message",
    [
        Show(show_no=1, lamps=DARK, lines=("a line that is too long for it",)),
        Show(show_no=1, lamps=DARK, lines=("Übertrag",)),
        Show(show_no=1, lamps=DARK[:-1], lines=()),
        Show(show_no=1, lamps=(4, *DARK[1:]), lines=()),
        AskPin(request=1, shortest=3, longest=8, seconds=30),
        PinEntered(boot=1, event_no=2, uptime_ms=3, request=4, digits="12a4"),
        KeyPressed(boot=1, event_no=2, uptime_ms=3, key=0),
    ],
)
def test_what_no_panel_can_say_or_show_is_not_sent(message: key_panel.Message) -> None:
    with pytest.raises(ProtocolError, match="does not fit the wire") as refused:
        key_panel.encode(message)
    assert "12a4" not in str(refused.value)


def test_a_pin_shows_in_no_log_whatever_becomes_of_it() -> None:
    good = key_panel.encode(PIN)
    assert SECRET not in repr(PIN)
    assert SECRET.encode() in good
    spoilt = [
        good + b"\0",
        good[:-1],
        *(with_byte(good, at, value) for at in range(1, len(good)) for value in (0, 255)),
    ]
    for data in spoilt:
        try:
            said = repr(key_panel.decode(data))
        except ProtocolError as error:
            said = str(error)
        assert SECRET[:4] not in said
        assert SECRET[-4:] not in said


def test_fuzzed_cup_messages_raise_nothing_but_the_protocols_error() -> None:
    good = [payload for _, _, payload in CUP_ROWS]
    decoded = 0
    for data in inputs("dice cup", good, longest=60):
        try:
            message = dice_cup.decode(data)
        except ProtocolError:
            continue
        assert dice_cup.encode(message) == data
        decoded += 1
    assert decoded > 300


def test_fuzzed_panel_messages_raise_nothing_but_the_protocols_error() -> None:
    good = [payload for _, _, payload in PANEL_ROWS]
    decoded = 0
    for data in inputs("key panel", good, longest=60):
        try:
            message = key_panel.decode(data)
        except ProtocolError:
            continue
        assert key_panel.encode(message) == data
        decoded += 1
    assert decoded > 300
