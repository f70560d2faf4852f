"""A card as one byte on the wire.

    bit 7   0
    bit 6   1 for a bonus (star) card of the 21.5 games
    bit 5,4 suit: 0 clubs, 1 diamonds, 2 hearts, 3 spades
    bit 3-0 rank: 2 to 10, 11 jack, 12 queen, 13 king, 14 ace

0x01 is the joker, 0x00 a card that was not read; every other byte is an error, never a guess.

    >>> [f"{CARD_BYTES[card]:02x}" for card in ("9h", "As", "Kh*", "Jo", None)]
    ['29', '3e', '6d', '01', '00']
"""

from __future__ import annotations

from collections.abc import Mapping

RANKS = "23456789TJQKA"
SUITS = "cdhs"
JOKER = "Jo"


def _table() -> dict[str | None, int]:
    table: dict[str | None, int] = {None: 0x00, JOKER: 0x01}
    for suit_no, suit in enumerate(SUITS):
        for rank_no, rank in enumerate(RANKS, start=2):
            table[rank + suit] = suit_no << 4 | rank_no
            table[rank + suit + "*"] = 0x40 | suit_no << 4 | rank_no
    return table


CARD_BYTES: Mapping[str | None, int] = _table()
"""By card code; None is the card that was not read."""
