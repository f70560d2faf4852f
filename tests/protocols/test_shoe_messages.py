"""The shoe's messages: what cannot be is not decoded, and a card is never another card."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols import shoe
from protocols.cards import CARD_BYTES
from protocols.errors import ProtocolError
from protocols.link.identity import Identity
from protocols.shoe import CODEC, CardDrawn, Status, decode, encode
from tests.support.wire.golden import check_card_bytes, with_byte

DRAWN = CardDrawn(boot=1, event_no=2, uptime_ms=3, draw_no=4, card="9h")
WHY_AT, INVERTED_AT, CARD_AT = -1, -2, -3


@given(st.sampled_from(sorted(card for card in CARD_BYTES if card)), st.integers(1, 2**32 - 1))
def test_every_card_crosses_the_wire_as_itself(card: str, draw_no: int) -> None:
    drawn = CardDrawn(boot=1, event_no=2, uptime_ms=3, draw_no=draw_no, card=card)
    assert decode(encode(drawn)) == drawn


@pytest.mark.parametrize("why", ["not seen", "ambiguous", "face up", "too fast", "reader fault"])
def test_an_unread_card_says_why(why: shoe.Why) -> None:
    unread = CardDrawn(boot=1, event_no=2, uptime_ms=3, draw_no=4, card=None, why=why)
    assert decode(encode(unread)) == unread


def test_a_card_that_was_changed_on_the_way_is_an_error_whatever_it_became() -> None:
    for at in (CARD_AT, INVERTED_AT):
        good = encode(DRAWN)[at]
        for value in set(range(256)) - {good}:
            with pytest.raises(ProtocolError):
                decode(with_byte(encode(DRAWN), at, value))


def test_bytes_that_are_no_card_are_an_error_even_when_both_copies_agree() -> None:
    check_card_bytes(CODEC, encode(DRAWN), CARD_AT)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "at least one byte"),
        (b"\x7f", "kind 0x7f is not known"),
        (encode(DRAWN)[:-1], "not a CardDrawn"),
        (encode(DRAWN) + b"\0", "not a CardDrawn"),
        (with_byte(encode(DRAWN), WHY_AT, 1), "only an unread card has a reason"),
        (with_byte(encode(DRAWN), WHY_AT, 9), "not a CardDrawn"),
        (with_byte(encode(DRAWN), 8, 0), "events count from 1"),
        (with_byte(encode(DRAWN), 20, 0), "draws count from 1"),
    ],
)
def test_a_message_that_cannot_be_says_what_is_wrong(data: bytes, says: str) -> None:
    with pytest.raises(ProtocolError, match=says):
        decode(data)


@pytest.mark.parametrize(
    "message",
    [
        CardDrawn(boot=1, event_no=2, uptime_ms=3, draw_no=4, card="1h"),
        CardDrawn(boot=1, event_no=2, uptime_ms=3, draw_no=4, card=None),
        CardDrawn(boot=2**32, event_no=2, uptime_ms=3, draw_no=4, card="9h"),
        Identity(boot=1, model="", serial="s", firmware="f"),
        Identity(boot=1, model="a model name too long", serial="s", firmware="f"),
        Status(boot=1, draw_no=0, up_to=0, lid_open=False, cards_left=1001),
    ],
)
def test_what_does_not_fit_the_wire_is_not_sent(message: shoe.Message) -> None:
    with pytest.raises(ProtocolError, match="does not fit the wire"):
        encode(message)


def test_which_card_it_is_does_not_show_in_a_log() -> None:
    assert "9h" not in repr(DRAWN)
    with pytest.raises(ProtocolError) as refused:
        decode(encode(DRAWN) + b"\0")
    assert "9h" not in str(refused.value)


def test_random_and_mutated_messages_raise_nothing_but_the_protocols_error() -> None:
    rng = random.Random(3)
    good = [
        encode(DRAWN),
        encode(Identity(boot=1, model="m", serial="s", firmware="f")),
        encode(Status(boot=1, draw_no=0, up_to=0, lid_open=False, cards_left=None)),
    ]
    decoded = 0
    for _ in range(6000):
        data = bytearray(rng.choice(good))
        for _ in range(rng.randrange(4)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        if rng.random() < 0.5:
            data = bytearray(rng.randbytes(rng.randrange(40)))
        try:
            message = decode(bytes(data))
        except ProtocolError:
            continue
        assert encode(message) == data
        decoded += 1
    assert decoded > 500
