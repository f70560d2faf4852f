"""The example vendor's page says what our code does: every golden frame both ways, every letter and number."""

from __future__ import annotations

import re

import msgspec
import pytest

from protocols.errors import ProtocolError
from protocols.example_shuffler import messages
from protocols.example_shuffler.codec import KINDS, PHASE_LETTERS, WHY_NUMBERS, decode, encode
from protocols.example_shuffler.framing import MAX_TEXT, Frame, FrameReader, encode_frame
from tests.support.wire.golden import page, rows

PAGE = page("example-shuffler.md")
ROWS = rows("example-shuffler.md")
TYPES = {message.__name__: message for message in KINDS.values()}


@pytest.mark.parametrize(("name", "fields", "wire"), ROWS, ids=[name for name, _, _ in ROWS])
def test_a_golden_frame_is_what_we_send_and_what_we_understand(
    name: str, fields: dict[str, object], wire: bytes
) -> None:
    message = msgspec.convert(fields, type=TYPES[name])
    assert encode_frame(Frame("1", encode(message))) == wire
    (frame,) = FrameReader().feed(wire)
    assert decode(frame.text) == message


def test_the_page_shows_every_message() -> None:
    assert {name for name, _, _ in ROWS} == set(TYPES)


def test_the_page_has_every_phase_and_every_reason() -> None:
    table = PAGE.partition("| phase | | | why")[2].partition("## 4.")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:] if line]
    assert {row[1].partition(":")[0]: row[0] for row in rows} == PHASE_LETTERS
    assert {row[at + 1]: row[at] for row in rows for at in (3, 6) if row[at]} == WHY_NUMBERS


def test_the_page_lists_the_fields_of_every_message_in_their_order() -> None:
    for kind, message in KINDS.items():
        names = [name for name in message.__struct_fields__ if name not in ("event_no", "uptime_ms")]
        names = names[1:] if len(kind) == 2 else [*message.__struct_fields__]
        text = ",".join([kind, *(["…"] if len(kind) == 2 else []), *names])
        assert f"`{text}`" in PAGE, f"{message.__name__}: {text}"


def test_the_longest_message_fits_in_a_frame() -> None:
    cards = ("9h",) * 20
    most = 0xFFFFFFFF
    longest = messages.DeckChecked(
        boot=most,
        event_no=most,
        uptime_ms=0xFFFFFFFFFFFF,
        deck_no=most,
        shuffle_no=most,
        count=most,
        expected=most,
        turned=most,
        unread=most,
        missing=cards,
        extra=cards,
    )
    text = encode(longest)
    assert len(text) <= MAX_TEXT
    (frame,) = FrameReader().feed(encode_frame(Frame("0", text)))
    assert decode(frame.text) == longest


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Z", "no message of this kind"),
        ("", "no message of this kind"),
        ("Q,1", "it has 0 fields, 1 came"),
        ("P,C0FFEE01", "it has 2 fields, 1 came"),
        ("P,c0ffee01,1", "boot is eight hexadecimal digits"),
        ("P,C0FFEE01,01", "taken is a number from 0 to 4294967295 without leading zeros"),
        ("P,C0FFEE01,4294967296", "taken is a number"),
        ("P,C0FFEE01,-1", "taken is a number"),
        ("P,C0FFEE01,²", "taken is a number"),
        ("E,13", "why is one of"),
        ("I,C0FFEE01,,1,1", "model is a name"),
        ("IN,C0FFEE01,0,1,1,0", "records count from 1"),
        ("IN,C0FFEE01,1,1,1,2", "found is one of 0 1"),
        ("HD,C0FFEE01,4,61000,1,1,3,", "at least one card"),
        ("HD,C0FFEE01,4,61000,1,1,3,9H1", "cards is at most 20 cards"),
        ("HD,C0FFEE01,4,61000,1,1,3,9X", "cards is at most 20 cards"),
    ],
)
def test_a_text_that_cannot_be_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(ProtocolError, match=re.escape(why)):
        decode(text)


@pytest.mark.parametrize(
    "message",
    [
        messages.Poll(boot=1 << 32, taken=0),
        messages.Poll(boot=0, taken=-1),
        messages.Identity(boot=0, model="a,b", serial="1", firmware="1"),
        messages.Identity(boot=0, model="", serial="1", firmware="1"),
        messages.HandTaken(boot=0, event_no=0, uptime_ms=0, deck_no=1, hand_no=1),
    ],
    ids=repr,
)
def test_a_value_that_does_not_fit_is_not_sent(message: messages.Message) -> None:
    with pytest.raises(ProtocolError):
        encode(message)


def test_a_hand_is_in_no_repr() -> None:
    hand = decode("HD,C0FFEE01,4,61000,1,1,3,9H--JK")
    assert isinstance(hand, messages.HandFormed)
    assert hand.cards == ("9h", None, "Jo")
    assert "9h" not in repr(hand)
