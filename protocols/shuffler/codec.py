"""The shuffler's messages as bytes: one layout per message, in the order of docs/protocols/shuffler.md.

>>> encode(messages.Dispense(boot=0xC0FFEE01, known=7, deck_no=2, up_to=6, size=3)).hex(" ")
'12 c0 ff ee 01 00 00 00 07 00 00 00 02 00 06 03'
>>> decode(bytes.fromhex("13 c0 ff ee 01 00 00 00 02"))
Unload(boot=3237998081, deck_no=2)
"""

from __future__ import annotations

from construct import (
    Bytes,
    Check,
    CheckError,
    ExprAdapter,
    Int8ub,
    Int16ub,
    Int32ub,
    Mapping,
    MappingError,
    PrefixedArray,
    Struct,
)
from msgspec.structs import asdict

from protocols.cards import CARD_BYTES, RANKS
from protocols.link.events import EVENT_LAYOUT
from protocols.link.identity import SHARED, STATUS_KIND
from protocols.link.messages import Codec
from protocols.shuffler import messages
from protocols.shuffler.messages import (
    MAX_CARDS,
    MAX_DECKS,
    MAX_JOKERS,
    MAX_NAMED,
    MAX_STACK,
    MAX_STACK_CARDS,
    Back,
    By,
    Kind,
    Message,
    Mode,
    Moving,
    Order,
    Part,
    Phase,
    Refusal,
    Where,
)

UNKNOWN = 0xFFFF


def encode(message: Message) -> bytes:
    return CODEC.encode(message)


def decode(data: bytes) -> Message:
    """The message in these bytes; `ProtocolError` says why there is none."""
    return CODEC.decode(data)


KIND_BYTES: dict[Kind, int] = {"batch": 1, "stacks": 2, "sort": 3}
BACK_BYTES: dict[Back | None, int] = {
    None: 0,
    "red": 1,
    "blue": 2,
    "green": 3,
    "black": 4,
    "purple": 5,
    "orange": 6,
    "other": 255,
}
ORDER_BYTES: dict[Order, int] = {"shuffled": 1, "sorted": 2}
BY_BYTES: dict[By, int] = {"controller": 1, "hand": 2}
WHERE_BYTES: dict[Where | None, int] = {None: 0, "in-feed": 1, "rack": 2, "reader": 3, "out-feed": 4, "tray": 5}
PART_BYTES: dict[Part, int] = {
    "in-feed": 1,
    "rack": 2,
    "reader": 3,
    "out-feed": 4,
    "tray": 5,
    "door switch": 6,
    "memory": 7,
    "random source": 8,
    "power": 9,
}
MOVING_BYTES: dict[Moving, int] = {"shuffling": 2, "sorting": 3, "dispensing": 7, "unloading": 8}
PHASE_BYTES: dict[Phase, int] = {
    "empty": 0,
    "loaded": 1,
    "shuffling": 2,
    "sorting": 3,
    "ready": 4,
    "sorted": 5,
    "rejected": 6,
    "dispensing": 7,
    "unloading": 8,
    "held": 9,
    "jammed": 10,
    "testing": 11,
    "out of order": 12,
}
REFUSAL_BYTES: dict[Refusal | None, int] = {
    None: 0,
    "other boot": 1,
    "other deck": 2,
    "out of turn": 3,
    "busy": 4,
    "door open": 5,
    "jammed": 6,
    "held": 7,
    "not shuffled": 8,
    "not fit": 9,
    "irregularity": 10,
    "wrong mode": 11,
    "wrong size": 12,
    "too few cards": 13,
    "out of order": 14,
}


def _to_card(copies: bytes, _: object) -> str | None:
    if copies[0] ^ copies[1] != 0xFF:
        raise CheckError("both copies of the card agree")
    try:
        return _CARDS[copies[0]]
    except KeyError:
        raise MappingError("a card is a byte of the card table") from None


def _from_card(card: str | None, _: object) -> bytes:
    try:
        byte = CARD_BYTES[card]
    except KeyError:
        raise MappingError("a card is one of the card table") from None
    return bytes((byte, byte ^ 0xFF))


def _to_ranks(mask: int, _: object) -> str:
    if mask >> len(RANKS):
        raise CheckError("there are thirteen ranks")
    return "".join(rank for bit, rank in enumerate(RANKS) if mask >> bit & 1)


def _from_ranks(ranks: str, _: object) -> int:
    mask = sum(1 << RANKS.find(rank) for rank in ranks if rank in RANKS)
    if _to_ranks(mask, None) != ranks:
        raise MappingError(f"ranks stand in the order of {RANKS}, each once")
    return mask


def _to_mode(parsed: dict[str, object], _: object) -> Mode:
    return Mode(**{name: parsed[name] for name in Mode.__struct_fields__})  # type: ignore[arg-type]  # the layout has checked them


def _from_mode(mode: Mode, _: object) -> dict[str, object]:
    return asdict(mode)


_CARDS = {byte: card for card, byte in CARD_BYTES.items()}
_KNOWN_COUNTS: dict[int | None, int] = {None: UNKNOWN, **{n: n for n in range(MAX_CARDS + 1)}}
_YES_NO = Mapping(Int8ub, {False: 0, True: 1})
_BACK = Mapping(Int8ub, BACK_BYTES)
_ORDER = Mapping(Int8ub, ORDER_BYTES)
_BY = Mapping(Int8ub, BY_BYTES)
_PART = Mapping(Int8ub, PART_BYTES)
_COUNT = Mapping(Int16ub, _KNOWN_COUNTS)
_CARD = ExprAdapter(Bytes(2), _to_card, _from_card)
_CARDS_LIST = ExprAdapter(PrefixedArray(Int8ub, _CARD), lambda parsed, _: tuple(parsed), lambda cards, _: cards)
_PARTS_LIST = ExprAdapter(PrefixedArray(Int8ub, _PART), lambda parsed, _: tuple(parsed), lambda parts, _: parts)
_RANKS = ExprAdapter(Int16ub, _to_ranks, _from_ranks)

_MODE_LAYOUT: list[object] = [
    "kind" / Mapping(Int8ub, KIND_BYTES),
    "stack" / Int8ub,
    "packet" / Int8ub,
    "ranks" / _RANKS,
    "star_ranks" / _RANKS,
    "jokers" / Int8ub,
    "decks" / Int8ub,
    f"a stack has 1 to {MAX_STACK} cards, in a mode without stacks 0"
    / Check(lambda this: 1 <= this.stack <= MAX_STACK if this.kind == "stacks" else this.stack == 0),
    f"a packet has at most {MAX_STACK} cards, in a mode without stacks 0"
    / Check(lambda this: this.packet <= MAX_STACK if this.kind == "stacks" else this.packet == 0),
    f"a pack has at most {MAX_JOKERS} jokers" / Check(lambda this: this.jokers <= MAX_JOKERS),
    f"a deck is made of 1 to {MAX_DECKS} packs" / Check(lambda this: 1 <= this.decks <= MAX_DECKS),
    f"a whole deck has 1 to {MAX_CARDS} cards"
    / Check(lambda this: 1 <= _to_mode(this, None).cards_in_deck <= MAX_CARDS),
]
_MODE: list[object] = ["mode" / ExprAdapter(Struct(*_MODE_LAYOUT), _to_mode, _from_mode)]
_BOOT: list[object] = ["boot" / Int32ub]
_DECK: list[object] = ["deck_no" / Int32ub]
_REFUSED: list[object] = ["refused" / Mapping(Int8ub, REFUSAL_BYTES)]
_DECK_EVENT: list[object] = [
    *EVENT_LAYOUT,
    "deck_no" / Int32ub,
    "decks count from 1" / Check(lambda this: this.deck_no >= 1),
]
_STACK_NO: list[object] = ["stack_no" / Int16ub, "stacks count from 1" / Check(lambda this: this.stack_no >= 1)]
_SHUFFLE_NO: list[object] = ["shuffle_no" / Int32ub, "shuffles count from 1" / Check(lambda this: this.shuffle_no >= 1)]

CODEC: Codec[Message] = Codec(
    {
        **SHARED,
        STATUS_KIND: (
            messages.Status,
            [
                *_BOOT,
                "event_no" / Int32ub,
                "phase" / Mapping(Int8ub, PHASE_BYTES),
                *_MODE,
                *_DECK,
                "back" / _BACK,
                "shuffle_no" / Int32ub,
                "stacks" / Int16ub,
                "up_to" / Int16ub,
                "size" / Int8ub,
                "cards_left" / _COUNT,
                "tray" / _YES_NO,
                "door_open" / _YES_NO,
                "test_no" / Int32ub,
            ],
        ),
        0x10: (messages.SetMode, _MODE),
        0x90: (messages.ModeState, _MODE + _REFUSED),
        0x11: (messages.Shuffle, _BOOT + _DECK + _SHUFFLE_NO),
        0x91: (messages.ShuffleState, [*_BOOT, *_DECK, "shuffle_no" / Int32ub, *_REFUSED]),
        0x12: (
            messages.Dispense,
            [
                *_BOOT,
                "known" / Int32ub,
                *_DECK,
                "up_to" / Int16ub,
                "size" / Int8ub,
                f"a stack has 1 to {MAX_STACK} cards" / Check(lambda this: 1 <= this.size <= MAX_STACK),
            ],
        ),
        0x92: (
            messages.DispenseState,
            [*_BOOT, *_DECK, "stacks" / Int16ub, "up_to" / Int16ub, "size" / Int8ub, *_REFUSED],
        ),
        0x13: (messages.Unload, _BOOT + _DECK),
        0x93: (messages.UnloadState, _BOOT + _DECK + _REFUSED),
        0x14: (messages.SelfTest, [*_BOOT, "test_no" / Int32ub]),
        0x94: (messages.SelfTestState, [*_BOOT, "test_no" / Int32ub, *_REFUSED]),
        0x15: (messages.MetersRequest, []),
        0x95: (messages.Meters, [name / Int32ub for name in ("shuffles", "cards", "stacks", "jams", "hours")]),
        0x40: (messages.DeckLoaded, [*_DECK_EVENT, "back" / _BACK, "last_back" / _BACK, "found" / _YES_NO]),
        0x41: (messages.ShuffleStarted, [*_DECK_EVENT, *_SHUFFLE_NO, "order" / _ORDER, "by" / _BY]),
        0x42: (
            messages.DeckVerified,
            [
                *_DECK_EVENT,
                *_SHUFFLE_NO,
                "order" / _ORDER,
                "back" / _BACK,
                "count" / Int16ub,
                "expected" / Int16ub,
                "boxed" / Int16ub,
                "other_backs" / Int16ub,
                "unread" / _COUNT,
                "missing" / _CARDS_LIST,
                "extra" / _CARDS_LIST,
                "more" / _YES_NO,
                f"a deck has at most {MAX_CARDS} cards"
                / Check(lambda this: max(this.count, this.expected) <= MAX_CARDS),
                f"at most {MAX_NAMED} cards are named"
                / Check(lambda this: max(len(this.missing), len(this.extra)) <= MAX_NAMED),
                "missing and extra cards have names" / Check(lambda this: None not in (*this.missing, *this.extra)),
                "a machine that does not read names no card"
                / Check(lambda this: this.unread is not None or not (this.missing or this.extra or this.more)),
            ],
        ),
        0x43: (
            messages.StackDispensed,
            [
                *_DECK_EVENT,
                *_STACK_NO,
                "size" / Int8ub,
                "cards" / _CARDS_LIST,
                f"a stack is asked for with 1 to {MAX_STACK} cards" / Check(lambda this: 1 <= this.size <= MAX_STACK),
                f"a stack comes with 1 to {MAX_STACK_CARDS} cards"
                / Check(lambda this: 1 <= len(this.cards) <= MAX_STACK_CARDS),
            ],
        ),
        0x44: (messages.StackRemoved, _DECK_EVENT + _STACK_NO),
        0x45: (messages.DeckUnloaded, [*_DECK_EVENT, "count" / _COUNT, "expected" / _COUNT]),
        0x46: (
            messages.Jammed,
            [
                *_DECK_EVENT,
                "during" / Mapping(Int8ub, MOVING_BYTES),
                "where" / Mapping(Int8ub, WHERE_BYTES),
                "card_no" / Int16ub,
                "stack_no" / Int16ub,
                "in_stack" / Int8ub,
                "a stack is formed while dispensing only"
                / Check(lambda this: (this.during == "dispensing") == (this.stack_no > 0)),
            ],
        ),
        0x47: (messages.JamCleared, _DECK_EVENT),
        0x48: (messages.BoxedCard, [*_DECK_EVENT, "card_no" / Int16ub, "stack_no" / Int16ub, "card" / _CARD]),
        0x49: (messages.DoorMoved, [*EVENT_LAYOUT, "is_open" / _YES_NO]),
        0x4A: (
            messages.SelfTestEnded,
            [
                *EVENT_LAYOUT,
                "test_no" / Int32ub,
                "failed" / _PARTS_LIST,
                "parts stand in order, each once"
                / Check(lambda this: list(this.failed) == [part for part in PART_BYTES if part in this.failed]),
            ],
        ),
        0x4B: (messages.Fault, [*EVENT_LAYOUT, "part" / _PART]),
        0x4C: (messages.ModeChanged, [*EVENT_LAYOUT, *_MODE, "by" / _BY]),
    }
)
