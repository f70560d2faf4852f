"""What the config says about a card reader: which text is which card.

The mapping is checked as a whole when the config is read, not card by card at the table: a deck in which the nines
have no code is found before the first nine is dealt.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from protocols.cards import CARD_BYTES, RANKS, SUITS
from protocols.hid.card_codes import CARD_TEXTS
from protocols.hid.pos import AIM_LENGTH

MAX_TEXT = 64
LONGEST_REREAD_MS = 10_000

SELF_CHECKING = ("]C0", "]d1", "]Q1")
"""Code 128, Data Matrix and QR: a worn one of these is not read at all, rather than read wrong."""

DECK = tuple(rank + suit for suit in SUITS for rank in RANKS)


class CardReaderOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    codes: dict[str, str] = msgspec.field(default_factory=lambda: {text: card for card, text in CARD_TEXTS.items()})
    """Card by text."""
    without: tuple[str, ...] = ()
    """Cards of the 52 that are not played here, and need no code."""
    symbologies: tuple[str, ...] = SELF_CHECKING
    """AIM identifiers that are taken; none: any."""
    prefix: str = ""
    suffix: str = ""
    """What the reader is set to put around every code."""
    reread_ms: int = 600
    """How soon the same code again is the same card."""

    def __post_init__(self) -> None:
        problems = [
            *_wrong_codes(self.codes),
            *_wrong_deck(self.codes, self.without),
            *_wrong_symbologies(self.symbologies),
        ]
        if not 0 <= self.reread_ms <= LONGEST_REREAD_MS:
            problems.append(f"reread_ms is 0 to {LONGEST_REREAD_MS}, not {self.reread_ms}")
        if problems:
            raise ValueError("; ".join(problems))


def _wrong_codes(codes: Mapping[str, str]) -> list[str]:
    texts = [text for text in codes if not (0 < len(text) <= MAX_TEXT and text.isascii() and text.isprintable())]
    cards = sorted({card for card in codes.values() if card not in CARD_BYTES})
    problems = []
    if texts:
        problems.append(f"a code has 1 to {MAX_TEXT} printable ASCII characters, not {_list(map(repr, texts))}")
    if cards:
        problems.append(f"there is no card {_list(cards)}: write 9h, Ts, Jo, or 9h* for a bonus card")
    return problems


def _wrong_deck(codes: Mapping[str, str], without: Sequence[str]) -> list[str]:
    problems = []
    coded = set(codes.values())
    if strangers := [card for card in without if card not in DECK]:
        problems.append(f"only cards of the 52 can be left out, not {_list(strangers)}")
    if both := [card for card in without if card in coded]:
        problems.append(f"{_list(both)} cannot be left out and have a code")
    if missing := [card for card in DECK if card not in coded and card not in without]:
        problems.append(f"there is no code for {_list(missing)}: add it, or name the cards in `without`")
    return problems


def _wrong_symbologies(symbologies: Sequence[str]) -> list[str]:
    wrong = [each for each in symbologies if len(each) != AIM_LENGTH or not each.isascii() or not each.startswith("]")]
    return [f"an AIM identifier has three characters, as ]C0, not {_list(map(repr, wrong))}"] if wrong else []


def _list(names: Iterable[str]) -> str:
    return ", ".join(names)
