"""The shuffler's messages: what cannot be is not decoded, and a sealed card stays sealed."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from protocols.cards import CARD_BYTES, RANKS
from protocols.errors import ProtocolError
from protocols.link import frames
from protocols.shuffler.codec import CODEC, decode, encode
from protocols.shuffler.messages import (
    MAX_NAMED,
    MAX_STACK_CARDS,
    BoxedCard,
    DeckVerified,
    Dispense,
    DoorMoved,
    Fault,
    Jammed,
    Message,
    Mode,
    SelfTestEnded,
    SetMode,
    StackDispensed,
    is_irregular,
)
from tests.support.wire.golden import check_card_bytes, with_byte

HAND = ("9h", "As", "2c")
STACK = StackDispensed(boot=1, event_no=2, uptime_ms=3, deck_no=4, stack_no=5, size=3, cards=HAND)
FIRST_CARD_AT = 25
GOOD_DECK = DeckVerified(
    boot=1,
    event_no=2,
    uptime_ms=3,
    deck_no=4,
    shuffle_no=5,
    order="shuffled",
    back="red",
    count=52,
    expected=52,
    boxed=0,
    other_backs=0,
    unread=0,
    missing=(),
    extra=(),
    more=False,
)
JAM = Jammed(
    boot=1, event_no=2, uptime_ms=3, deck_no=4, during="dispensing", where="rack", card_no=2, stack_no=1, in_stack=1
)


cards = st.sampled_from(sorted(card for card in CARD_BYTES if card)) | st.none()


@given(st.lists(cards, min_size=1, max_size=MAX_STACK_CARDS))
def test_every_stack_crosses_the_wire_as_itself(stack: list[str | None]) -> None:
    dispensed = replace(STACK, cards=tuple(stack))
    assert decode(encode(dispensed)) == dispensed


@given(
    st.builds(
        Mode,
        kind=st.just("stacks"),
        stack=st.integers(1, 60),
        packet=st.integers(0, 60),
        ranks=st.sets(st.sampled_from(RANKS), min_size=1).map(lambda ranks: "".join(sorted(ranks, key=RANKS.index))),
        star_ranks=st.just(""),
        jokers=st.integers(0, 8),
        decks=st.integers(1, 16),
    )
)
def test_every_mode_crosses_the_wire_as_itself_and_counts_its_deck(mode: Mode) -> None:
    assert decode(encode(SetMode(mode=mode))) == SetMode(mode=mode)
    assert len(mode.whole_deck) == mode.cards_in_deck


def test_a_whole_deck_is_what_the_game_plays_with() -> None:
    assert Counter(Mode(kind="batch", decks=8).whole_deck) == dict.fromkeys(Mode(kind="batch").whole_deck, 8)
    assert Mode(kind="stacks", stack=7, jokers=1).whole_deck.count("Jo") == 1
    pure = Mode(kind="batch", ranks="23456789A", star_ranks="TJQK")
    assert pure.cards_in_deck == 52
    assert "Kh*" in pure.whole_deck
    assert "Kh" not in pure.whole_deck


def test_a_card_of_a_stack_that_was_changed_on_the_way_is_an_error_whatever_it_became() -> None:
    good = encode(STACK)
    assert good[FIRST_CARD_AT] == CARD_BYTES["9h"]
    for at in range(FIRST_CARD_AT, len(good)):
        for value in set(range(256)) - {good[at]}:
            with pytest.raises(ProtocolError):
                decode(with_byte(good, at, value))


def test_bytes_that_are_no_card_are_an_error_even_when_both_copies_agree() -> None:
    check_card_bytes(CODEC, encode(STACK), FIRST_CARD_AT)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "at least one byte"),
        (b"\x7f", "kind 0x7f is not known"),
        (encode(STACK)[:-1], "not a StackDispensed"),
        (encode(STACK) + b"\0", "not a StackDispensed"),
        (with_byte(encode(STACK), FIRST_CARD_AT - 1, 255), "not a StackDispensed"),
        (with_byte(encode(STACK), FIRST_CARD_AT - 2, 0), "asked for with 1 to 60"),
        (encode(STACK)[: FIRST_CARD_AT - 1] + b"\0", "comes with 1 to 64"),
        (with_byte(encode(STACK), FIRST_CARD_AT - 3, 0), "stacks count from 1"),
        (with_byte(encode(STACK), 20, 0), "decks count from 1"),
        (with_byte(encode(STACK), FIRST_CARD_AT, 0x28), "both copies of the card agree"),
        (with_byte(encode(JAM), -7, 2), "while dispensing only"),
        (bytes.fromhex("10 02 00 00 1f ff 00 00 00 01"), "a stack has 1 to 60"),
        (bytes.fromhex("10 01 03 00 1f ff 00 00 00 01"), "in a mode without stacks 0"),
        (bytes.fromhex("10 01 00 05 1f ff 00 00 00 01"), "in a mode without stacks 0"),
        (bytes.fromhex("10 01 00 00 3f ff 00 00 00 01"), "thirteen ranks"),
        (bytes.fromhex("10 01 00 00 00 00 00 00 00 01"), "a whole deck has 1 to 1000"),
        (bytes.fromhex("10 01 00 00 1f ff 1f ff 08 10"), "a whole deck has 1 to 1000"),
        (bytes.fromhex("10 01 00 00 1f ff 00 00 09 01"), "at most 8 jokers"),
        (bytes.fromhex("10 01 00 00 1f ff 00 00 00 00"), "1 to 16 packs"),
    ],
)
def test_a_message_that_cannot_be_says_what_is_wrong(data: bytes, says: str) -> None:
    with pytest.raises(ProtocolError, match=says):
        decode(data)


@pytest.mark.parametrize(
    "message",
    [
        replace(STACK, cards=("1h",)),
        replace(STACK, cards=HAND * 22),
        replace(STACK, boot=2**32),
        replace(GOOD_DECK, missing=("4h",), unread=None),
        replace(GOOD_DECK, missing=("4h",) * (MAX_NAMED + 1)),
        replace(GOOD_DECK, count=1001),
        SetMode(mode=Mode(kind="stacks", stack=61)),
        SetMode(mode=Mode(kind="batch", ranks="A2")),
        SetMode(mode=Mode(kind="batch", ranks="22")),
        SetMode(mode=Mode(kind="batch", ranks="x")),
        Dispense(boot=1, known=0, deck_no=1, up_to=1, size=0),
        SelfTestEnded(boot=1, event_no=1, uptime_ms=0, test_no=1, failed=("reader", "rack")),
    ],
    ids=str,
)
def test_what_does_not_fit_the_wire_is_not_sent(message: Message) -> None:
    with pytest.raises(ProtocolError, match="does not fit the wire"):
        encode(message)


def test_the_longest_messages_fit_into_a_frame() -> None:
    longest_stack = replace(STACK, cards=("Kh*",) * MAX_STACK_CARDS)
    worst_deck = replace(GOOD_DECK, missing=("Kh*",) * MAX_NAMED, extra=("Ks",) * MAX_NAMED, more=True)
    assert max(len(encode(longest_stack)), len(encode(worst_deck))) <= frames.MAX_PAYLOAD


@pytest.mark.parametrize(
    "wrong",
    [
        replace(GOOD_DECK, count=51),
        replace(GOOD_DECK, boxed=1),
        replace(GOOD_DECK, other_backs=1),
        replace(GOOD_DECK, unread=1),
        replace(GOOD_DECK, missing=("4h",)),
        replace(GOOD_DECK, extra=("4h",)),
        replace(GOOD_DECK, order="sorted"),
    ],
)
def test_a_deck_with_anything_wrong_is_not_fit_and_a_sorted_one_is_not_shuffled(wrong: DeckVerified) -> None:
    assert GOOD_DECK.is_fit
    assert replace(GOOD_DECK, unread=None).is_fit
    assert not wrong.is_fit


def test_what_takes_the_permit_away() -> None:
    boxed = BoxedCard(boot=1, event_no=2, uptime_ms=3, deck_no=4, card_no=1, stack_no=1, card=None)
    door = DoorMoved(boot=1, event_no=2, uptime_ms=3, is_open=True)
    assert is_irregular(JAM)
    assert is_irregular(Fault(boot=1, event_no=2, uptime_ms=3, part="rack"))
    assert is_irregular(boxed)
    assert not is_irregular(replace(boxed, stack_no=0))
    assert is_irregular(door)
    assert not is_irregular(replace(door, is_open=False))
    assert is_irregular(replace(STACK, cards=HAND[:2]))
    assert not is_irregular(STACK)


def test_which_cards_they_are_does_not_show_in_a_log() -> None:
    boxed = BoxedCard(boot=1, event_no=2, uptime_ms=3, deck_no=4, card_no=1, stack_no=1, card="9h")
    for message in (STACK, boxed):
        assert not any(card in repr(message) for card in HAND)
        for damaged in (encode(message) + b"\0", encode(message)[:-1]):
            with pytest.raises(ProtocolError) as refused:
                decode(damaged)
            assert not any(card in str(refused.value) for card in HAND)
