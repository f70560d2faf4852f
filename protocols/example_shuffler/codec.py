"""A message of the example vendor's shuffler as text: fields with a comma between them, the kind first.

A field is written in one way only, so what is decoded is encoded to the same text again.

    >>> encode(messages.FormHand(boot=0xC0FFEE01, known=9, deck_no=1, hand_no=2))
    'H,C0FFEE01,9,1,2'
    >>> decode("H,C0FFEE01,9,1,2")
    FormHand(boot=3237998081, known=9, deck_no=1, hand_no=2)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from msgspec.structs import asdict

from protocols.cards import CARD_BYTES, JOKER
from protocols.errors import ProtocolError
from protocols.example_shuffler import messages
from protocols.example_shuffler.messages import Message, Record

T = TypeVar("T")

MAX_NUMBER = 0xFFFFFFFF
MAX_UPTIME = 0xFFFFFFFFFFFF
MAX_NAME = 16
MAX_CARDS = 20
"""In one field: the longest `DeckChecked` fits in a frame."""


class Field(NamedTuple, Generic[T]):
    """How one field is written and read; `read` raises `ValueError` with what was expected."""

    write: Callable[[T], str]
    read: Callable[[str], T]


def _number(text: str, most: int = MAX_NUMBER) -> int:
    if not (text.isascii() and text.isdigit()) or text != str(int(text[:20])) or int(text) > most:
        raise ValueError(f"a number from 0 to {most} without leading zeros")
    return int(text)


def _boot(text: str) -> int:
    if len(text) != 8 or not set(text) <= set("0123456789ABCDEF"):
        raise ValueError("eight hexadecimal digits in capitals")
    return int(text, 16)


def _name(text: str) -> str:
    if not 0 < len(text) <= MAX_NAME or "," in text:
        raise ValueError(f"a name of 1 to {MAX_NAME} characters without a comma")
    return text


def _cards(text: str) -> tuple[str | None, ...]:
    pairs = [text[at : at + 2] for at in range(0, len(text), 2)]
    if len(pairs) > MAX_CARDS or not all(pair in _CARDS for pair in pairs):
        raise ValueError(f"at most {MAX_CARDS} cards of two characters")
    return tuple(_CARDS[pair] for pair in pairs)


def _card_text(card: str | None) -> str:
    return "--" if card is None else "JK" if card == JOKER else card.upper()


_CARDS: Mapping[str, str | None] = {_card_text(card): card for card in CARD_BYTES if not (card or "").endswith("*")}


def _chosen(letters: Mapping[Any, str]) -> Field[Any]:
    """One of several words, each with its text."""
    words = {text: word for word, text in letters.items()}

    def read(text: str) -> Any:
        if text not in words:
            raise ValueError(f"one of {' '.join(words)}")
        return words[text]

    return Field(lambda word: letters[word], read)


def _or_unknown(text: str) -> int | None:
    return None if text == "-" else _number(text)


PHASE_LETTERS: Mapping[messages.Phase, str] = {
    "empty": "E",
    "loaded": "L",
    "shuffling": "S",
    "ready": "R",
    "rejected": "B",
    "forming": "F",
    "ejecting": "U",
    "held": "H",
    "jammed": "J",
}
WHY_NUMBERS: Mapping[messages.Why, str] = {
    "other power-up": "1",
    "other deck": "2",
    "out of turn": "3",
    "busy": "4",
    "door open": "5",
    "jammed": "6",
    "news": "7",
    "not shuffled": "8",
    "rejected": "9",
    "too few cards": "10",
    "held": "11",
    "not known": "12",
}

_NUMBER = Field(str, _number)
_FLAG = _chosen({False: "0", True: "1"})
_NAME: Field[str] = Field(str, _name)
_CARD_LIST: Field[tuple[str | None, ...]] = Field(lambda cards: "".join(map(_card_text, cards)), _cards)
_MAYBE: Field[int | None] = Field(lambda number: "-" if number is None else str(number), _or_unknown)

FIELDS: Mapping[str, Field[Any]] = {
    "boot": Field(lambda boot: f"{boot:08X}", _boot),
    "uptime_ms": Field(str, lambda text: _number(text, MAX_UPTIME)),
    "phase": _chosen(PHASE_LETTERS),
    "during": _chosen(PHASE_LETTERS),
    "why": _chosen(WHY_NUMBERS),
    "by": _chosen({"controller": "C", "button": "B"}),
    "rest": _MAYBE,
    "rest_expected": _MAYBE,
    **dict.fromkeys(("model", "serial", "firmware"), _NAME),
    **dict.fromkeys(("cards", "missing", "extra"), _CARD_LIST),
    **dict.fromkeys(("tray", "door_open", "found"), _FLAG),
}
"""By name, the same in every message; a field that is not here is a number."""

KINDS: Mapping[str, type[Message]] = {
    "Q": messages.Identify,
    "S": messages.StatusRequest,
    "P": messages.Poll,
    "G": messages.Shuffle,
    "H": messages.FormHand,
    "X": messages.Eject,
    "I": messages.Identity,
    "T": messages.Status,
    "N": messages.NoRecord,
    "A": messages.Accepted,
    "E": messages.Refused,
    "IN": messages.DeckIn,
    "GO": messages.ShuffleBegun,
    "DN": messages.DeckChecked,
    "HD": messages.HandFormed,
    "TK": messages.HandTaken,
    "JM": messages.Jam,
    "CL": messages.JamCleared,
    "DR": messages.DoorMoved,
    "OU": messages.DeckOut,
}
"""A record has two letters, everything else one."""
_KIND_OF = {message: kind for kind, message in KINDS.items()}


def encode(message: Message) -> str:
    """`ProtocolError` where a value does not fit."""
    return ",".join((_KIND_OF[type(message)], *_written(message)))


def decode(text: str) -> Message:
    kind, *fields = text.split(",")
    if kind not in KINDS:
        raise ProtocolError("there is no message of this kind")
    message = KINDS[kind]
    names = message.__struct_fields__
    if len(fields) != len(names):
        raise ProtocolError(f"not a {message.__name__}: it has {len(names)} fields, {len(fields)} came")
    values = {}
    for name, field in zip(names, fields, strict=True):
        try:
            values[name] = FIELDS.get(name, _NUMBER).read(field)
        except ValueError as error:
            raise ProtocolError(f"not a {message.__name__}: {name} is {error}") from None
    found = message(**values)
    _check(found)
    return found


def _written(message: Message) -> Iterator[str]:
    _check(message)
    for name, value in asdict(message).items():
        field = FIELDS.get(name, _NUMBER)
        try:
            text = field.write(value)
            if field.read(text) != value:
                raise ValueError("something else")
        except (KeyError, ValueError) as error:
            raise ProtocolError(f"this {type(message).__name__} does not fit the line: {name} is {error}") from None
        yield text


def _check(message: Message) -> None:
    """What no field can say alone."""
    name = type(message).__name__
    if isinstance(message, Record) and message.event_no < 1:
        raise ProtocolError(f"not a {name}: records count from 1")
    if isinstance(message, messages.HandFormed) and not message.cards:
        raise ProtocolError(f"not a {name}: a hand has at least one card")
