"""The barcode text of a card, where the cardroom has none of its own.

Rank and suit as people write them, `+` for a bonus (star) card, then two hex digits: the card's byte on the device link
with all bits flipped. No single wrong character makes another card.

    >>> [CARD_TEXTS[card] for card in ("9h", "As", "Kh*", "Jo")]
    ['9HD6', 'ASC1', 'KH+92', 'JOFE']
"""

from __future__ import annotations

from collections.abc import Mapping

from protocols.cards import CARD_BYTES

CARD_TEXTS: Mapping[str, str] = {
    card: f"{card.upper().replace('*', '+')}{0xFF ^ byte:02X}" for card, byte in CARD_BYTES.items() if card is not None
}
"""By card code."""
