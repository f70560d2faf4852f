"""Hand ranking: what a hand is worth, and which of two is better. Pure.

chart        which hand beats which, as data: the cardrooms' charts
rank         a hand's value: category, tie-breaks, its document
fingerprint  a hand as one number, so that equal hands are looked up
patterns     what cards can make: pair, straight, flush... of five or of more cards
ranking      best of hole cards and board, the cards that make it, playing the board
high         high hands, joker as bug or wild
low          ace-to-five, deuce-to-seven, eight or better
badugi       four ranks of four suits

A ruleset picks a chart and a joker, nothing else:

    >>> from dataclasses import replace
    >>> pai_gow = High(replace(STANDARD, wheel="second"), jokers="bug", five_of_a_kind="aces")
"""

from controller.engine.ranking.badugi import Badugi
from controller.engine.ranking.chart import (
    ACE_TO_FIVE,
    ACES_LOW_HIGH,
    CHINESE_FRONT,
    DEUCE_TO_SEVEN,
    DEUCE_TO_SEVEN_HIGH,
    FORTUNE,
    MEXICAN,
    STANDARD,
    THREE_CARD,
    THREE_CARD_HOLDEM,
    THREE_CARD_MINI_ROYAL,
    TWO_CARD,
    Category,
    Chart,
    up_cards,
)
from controller.engine.ranking.high import High
from controller.engine.ranking.low import Low, or_better
from controller.engine.ranking.rank import Rank
from controller.engine.ranking.ranking import Ranking, UseHole

HIGH = High()
"""Standard high poker, no joker."""

__all__ = [
    "ACES_LOW_HIGH",
    "ACE_TO_FIVE",
    "CHINESE_FRONT",
    "DEUCE_TO_SEVEN",
    "DEUCE_TO_SEVEN_HIGH",
    "FORTUNE",
    "HIGH",
    "MEXICAN",
    "STANDARD",
    "THREE_CARD",
    "THREE_CARD_HOLDEM",
    "THREE_CARD_MINI_ROYAL",
    "TWO_CARD",
    "Badugi",
    "Category",
    "Chart",
    "High",
    "Low",
    "Rank",
    "Ranking",
    "UseHole",
    "or_better",
    "up_cards",
]
