"""The shuffler's page says what our code does: every golden message both ways, every word and its byte."""

from __future__ import annotations

import re

import msgspec
import pytest

from protocols.link import frames
from protocols.link.framing import Deframer
from protocols.link.identity import Identify, Identity
from protocols.shuffler import codec, messages
from protocols.shuffler.codec import CODEC, decode, encode
from tests.support.wire.golden import page, rows

PAGE = page("shuffler.md")
ROWS = rows("shuffler.md")
MESSAGE_TYPES = {message.__name__: message for message in CODEC.message_types}


@pytest.mark.parametrize(("name", "fields", "payload"), ROWS)
def test_a_golden_message_is_what_we_send_and_what_we_understand(
    name: str, fields: dict[str, object], payload: bytes
) -> None:
    message = msgspec.convert(fields, type=MESSAGE_TYPES[name])

    assert encode(message) == payload
    assert decode(payload) == message


def test_the_page_shows_every_message() -> None:
    assert {name for name, _, _ in ROWS} == set(MESSAGE_TYPES)
    assert {Identify, Identity} <= CODEC.message_types


def test_the_whole_frame_on_the_page_carries_the_stack_of_three() -> None:
    (wire,) = re.findall(r"^    (00 [0-9a-f ]+ 00)$", PAGE, re.MULTILINE)
    (body,) = Deframer().feed(bytes.fromhex(wire))
    frame = frames.decode(body)
    assert isinstance(frame, frames.Data)
    stack = decode(frame.payload)
    assert isinstance(stack, messages.StackDispensed)
    assert stack.cards == ("9h", "As", "2c")


def table(heading: str) -> dict[str, int]:
    """A table of the page whose rows are a number and its word."""
    (cells,) = re.findall(rf"^\| {heading} \| \| \|\n\|---\|---\|---\|\n((?:\| \d+ \| .*\n)+)", PAGE, re.MULTILINE)
    return {word: int(number) for number, word in re.findall(r"^\| (\d+) \| ([\w ]+?) \|", cells, re.MULTILINE)}


def test_phases_and_refusals_are_numbered_as_on_the_page() -> None:
    assert table("phase") == codec.PHASE_BYTES
    assert table("refused") == {why: byte for why, byte in codec.REFUSAL_BYTES.items() if why}


def test_backs_places_and_parts_are_numbered_as_on_the_page() -> None:
    (backs,) = re.findall(r"\*\*back\*\*: 0 not seen, (.*)\. \*\*order\*\*", PAGE)
    assert listed(backs.replace("another colour", "other")) == {
        back: byte for back, byte in codec.BACK_BYTES.items() if back
    }
    where, parts = re.findall(r"\*\*where\*\*: 0 not known, (.*)\. \*\*part\*\*: 1 to 5 as \*where\*, ([^.]*)\.", PAGE)[
        0
    ]
    assert listed(where) == {place: byte for place, byte in codec.WHERE_BYTES.items() if place}
    assert listed(where) | listed(parts.replace("\n", " ")) == codec.PART_BYTES


def listed(text: str) -> dict[str, int]:
    return {word: int(number) for number, word in re.findall(r"(\d+) ([a-z-]+(?: [a-z]+)*)", text)}
