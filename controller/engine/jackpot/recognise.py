"""Which hands of a round may be a hit, by what the house's rules say about recognising them.

Only hands that are face up for everybody are looked at: a proposal is published. It pays nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from controller.engine.cards.card import RANKS
from controller.engine.inputs import seat_of
from controller.engine.jackpot.meters import Proposal
from controller.engine.jackpot.rules import Jackpot, Recognised, Whose
from controller.engine.ranking.chart import STANDARD, THREE_CARD, Category, Chart
from controller.engine.ranking.rank import Rank

_RED = "dh"
PLAYER_DEALER = "player_dealer"


class Shown(Struct, frozen=True):
    """One hand that is face up: its cards, what the game ranked it as, how it came out."""

    owner: str
    seat: int
    cards: tuple[str, ...]
    ranks: tuple[tuple[str, ...], ...] = ()
    """As the game ranked it; several where it was set in two."""
    outcome: str = ""


def shown_hands(
    hands: Mapping[str, Sequence[Any]], ranks: Mapping[str, Any], outcome: Any, player_dealer: int | None
) -> Iterator[Shown]:
    """The hands of a result that are somebody's."""
    how = {str(place): said for place, said in outcome.items()} if isinstance(outcome, dict) else {}
    for owner, cards in hands.items():
        seat = player_dealer if owner == PLAYER_DEALER else _seat(owner)
        if seat is None or any(card is None for card in cards):
            continue
        codes = tuple(str(card) for card in cards)
        said = how.get(owner, "")
        yield Shown(owner, seat, codes, tuple(_ranks(ranks.get(owner))), said if isinstance(said, str) else "")


def proposals(jackpots: Sequence[Jackpot], hands: Sequence[Shown], round_number: int) -> Iterator[Proposal]:
    """What the floor should look at."""
    for jackpot in jackpots:
        for prize in jackpot.prizes:
            sign = prize.recognise
            found = [] if sign is None else [hand for hand in hands if is_recognised(sign, hand)]
            if found:
                seats = tuple(sorted({hand.seat for hand in found}))
                text = "; ".join(f"{_owner(hand.owner)} {' '.join(hand.cards)}" for hand in found)
                yield Proposal(jackpot.name, prize.name, round_number, seats, text)


def is_recognised(sign: Recognised, hand: Shown) -> bool:
    """
    >>> eights = Recognised("player_dealer", cards="888", suits="colour")
    >>> is_recognised(eights, Shown("player_dealer", 8, ("8h", "8d", "8h")))
    True
    >>> is_recognised(Recognised("loser", rank=("full_house",)), Shown("3", 3, (), (("flush", "A"),), "lose"))
    False
    """
    if not _is_whose(sign.whose, hand):
        return False
    if sign.cards:
        return _are_cards(sign, hand.cards)
    chart = THREE_CARD if len(hand.cards) == THREE_CARD.size else STANDARD
    return any(_reaches(written, sign.rank, chart) for written in hand.ranks)


def _is_whose(whose: Whose, hand: Shown) -> bool:
    match whose:
        case "anybody":
            return True
        case "player":
            return hand.owner != PLAYER_DEALER
        case "player_dealer":
            return hand.owner == PLAYER_DEALER
        case "winner":
            return hand.outcome.startswith("win")
        case "loser":
            return hand.outcome.startswith("lose")


def _are_cards(sign: Recognised, cards: Sequence[str]) -> bool:
    if sorted(card[:1] for card in cards) != sorted(sign.cards):
        return False
    suits = {card[1:2] for card in cards}
    match sign.suits:
        case "any":
            return True
        case "colour":
            return len({suit in _RED for suit in suits}) == 1
        case "suit":
            return len(suits) == 1


def _reaches(written: Sequence[str], least: Sequence[str], chart: Chart) -> bool:
    """Whether a hand is at least this; a hand that is none of this chart is not."""
    try:
        ranks = tuple(RANKS.index(name) + 2 for name in written[1:])
        return Rank.of(chart, Category(written[0]), ranks).reaches(least)
    except (KeyError, ValueError):
        return False


def _ranks(value: Any) -> Iterator[tuple[str, ...]]:
    """A rank as games write it: one, or one for each part of a hand."""
    if isinstance(value, list | tuple) and value:
        if isinstance(value[0], str):
            yield tuple(str(part) for part in value)
        else:
            for part in value:
                yield from _ranks(part)


def _seat(owner: str) -> int | None:
    return seat_of(owner) if owner.partition(".")[0].isdecimal() else None


def _owner(owner: str) -> str:
    return "player-dealer" if owner == PLAYER_DEALER else f"seat {owner}"
