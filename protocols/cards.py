"""A card as one byte on the wire.

    bit 7   0
    bit 6   1 for a bonus (star) card of the 21.5 games
    bit 5,4 suit: 0 clubs, 1 diamonds, 2 hearts, 3 spades
    bit 3-0 rank: 2 to 10, 11 jack, 12 queen, 13 king, 14 ace

0x01 is the joker, 0x00 a card that was not read; every other byte is an error, never a guess.

    >>> hex(CARD_TO_BYTE["9h"]), hex(CARD_TO_BYTE["As"]), hex(CARD_TO_BYTE["Kh*"]), BYTE_TO_CARD[0x01]
    ('0x29', '0x3e', '0x6d', 'Jo')
"""

from __future__ import annotations

from collections.abc import Mapping

RANKS = "23456789TJQKA"
SUITS = "cdhs"
JOKER = "Jo"
UNREAD = 0x00


def _table() -> dict[str, int]:
    table = {JOKER: 0x01}
    for suit_no, suit in enumerate(SUITS):
        for rank_no, rank in enumerate(RANKS, start=2):
            table[rank + suit] = suit_no << 4 | rank_no
            table[rank + suit + "*"] = 0x40 | suit_no << 4 | rank_no
    return table


CARD_TO_BYTE: Mapping[str, int] = _table()
BYTE_TO_CARD: Mapping[int, str] = {byte: card for card, byte in CARD_TO_BYTE.items()}
