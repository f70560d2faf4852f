"""The cards in a simulated shuffler, and what its sensors make of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from protocols.cards import CARD_BYTES
from protocols.shuffler.messages import MAX_NAMED, Back, Mode


@dataclass(slots=True)
class Card:
    """A piece of pasteboard."""

    code: str
    back: Back
    face_up: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What the machine says of a deck; the names are those of `DeckVerified`."""

    boxed: int
    other_backs: int
    unread: int | None
    missing: tuple[str, ...]
    extra: tuple[str, ...]
    more: bool


def put_together(
    mode: Mode, back: Back, *, without: Iterable[str] = (), extra: Iterable[str] = (), face_up: Iterable[str] = ()
) -> list[Card]:
    """A whole deck in new-deck order, with these mistakes in it."""
    codes = mode.whole_deck
    for code in without:
        codes.remove(code)
    codes += extra
    turned = Counter(face_up)
    deck = [Card(code, back) for code in codes]
    for card in deck:
        if turned[card.code]:
            turned[card.code] -= 1
            card.face_up = True
    if turned.total():
        raise ValueError(f"not in the deck to be turned: {', '.join(turned.elements())}")
    return deck


def back_of(cards: Sequence[Card]) -> Back | None:
    """The back that most of them have."""
    return Counter(card.back for card in cards).most_common(1)[0][0] if cards else None


def look_through(cards: Sequence[Card], mode: Mode, *, reads: bool, unreadable: int = 0) -> Findings:
    """`unreadable`: how many of them the reader does not get, from the first on."""
    back = back_of(cards)
    seen = [card.code for card in cards if not card.face_up]
    whole, read = Counter(mode.whole_deck), Counter(seen[unreadable:])
    missing, extra = (_named(whole - read), _named(read - whole)) if reads else ([], [])
    return Findings(
        boxed=sum(card.face_up for card in cards),
        other_backs=sum(card.back != back for card in cards),
        unread=min(unreadable, len(seen)) if reads else None,
        missing=tuple(missing[:MAX_NAMED]),
        extra=tuple(extra[:MAX_NAMED]),
        more=max(len(missing), len(extra)) > MAX_NAMED,
    )


def in_order(cards: Iterable[Card]) -> list[Card]:
    return sorted(cards, key=lambda card: CARD_BYTES[card.code])


def _named(cards: Counter[str]) -> list[str]:
    return sorted(cards.elements(), key=CARD_BYTES.__getitem__)


def on_top(cards: Sequence[Card], wanted: Sequence[str]) -> list[Card]:
    """These in front, in this order, the others behind as they lay."""
    rest = list(cards)
    first = []
    for code in wanted:
        found = next((card for card in rest if card.code == code), None)
        if found is None:
            raise ValueError(f"{code} is not in the deck, or not so often")
        rest.remove(found)
        first.append(found)
    return first + rest
