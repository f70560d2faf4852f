"""What a person's act or an irregularity may name besides: the facts that games ask for, each with its type.

A game reads a fact by its name (`act.facts.get("onto")`). Here is the one list of them, so that a fact of another type
is rejected where it enters. A name that is not on the list is only passed on, with the irregularity, as plain data.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from controller.engine.bounds import CardCode, Cards, Cents, Code, Seat
from controller.engine.reading import Unreadable, read_plain

MOST_FACTS = 32

Few = Annotated[int, Meta(ge=0, le=1000)]
"""A number of cards, chips or melds, or which one."""
Meld = Annotated[tuple[CardCode, ...], Meta(max_length=16)]
Counts = Annotated[dict[Code, Few], Meta(max_length=14)]


class KnownFacts(Struct, frozen=True):
    """Every fact that a game reads. Null is like absent."""

    # Acts
    onto: Few | None = None
    """Panguingue: the meld that cards are added to, from 1."""
    board: Annotated[tuple[Meld, ...], Meta(max_length=16)] | None = None
    """Panguingue: all melds of the seat."""
    ask: Few | None = None
    """Panguingue: chips that are asked for."""
    depth: Few | None = None
    middle: Cards | None = None
    """Chinese Poker: the cards in the middle."""
    sweep: Code | None = None
    split: bool | None = None
    """Draw poker: the opener declares with his discard that he splits his openers."""
    # Irregularities
    when: Code | None = None
    count: Few | None = None
    from_top: Few | None = None
    from_bottom: Few | None = None
    """Of a cut: the cards above or below it."""
    counts: Counts | None = None
    """Cards by seat."""
    total: Few | None = None
    player_dealer_total: Few | Annotated[str, Meta(pattern=r"^(soft[ _]|hard[ _])?\d{1,2}$")] | None = None
    communal: Few | None = None
    missing: Few | None = None
    holds: Few | Cards | None = None
    cents: Cents | None = None
    by: Seat | Code | None = None
    same_player: bool | None = None
    can_back_up: bool | None = None
    order_known: bool | None = None
    remaining_players_want_hit: bool | None = None
    soft: bool | None = None
    dealer_admits: bool | None = None
    identified: bool | None = None
    known: bool | None = None
    looked_at: bool | None = None
    touched_deck: bool | None = None
    cards_drawn: bool | None = None
    discarded: bool | None = None
    fouled_another: bool | None = None


def check_facts(facts: dict[str, Any]) -> None:
    """`Unreadable` where a fact is not of its type, or no plain data. What is null is taken out: it is like absent."""
    if not facts:
        return
    if len(facts) > MOST_FACTS:
        raise Unreadable(f"facts: expected at most {MOST_FACTS} facts, {len(facts)} came. Leave some out.")
    try:
        read_plain(facts, KnownFacts, str_keys=True)
    except Unreadable as error:
        raise Unreadable(f"facts.{error}") from None
    for name in [name for name, value in facts.items() if value is None]:
        del facts[name]
