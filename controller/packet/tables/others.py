"""Chinese Poker and Panguingue: hands and melds, asked of the functions that count them."""

from __future__ import annotations

from controller.engine.ranking import CHINESE_FRONT, HIGH, High
from controller.games.chinese_poker.hands import SEGMENTS, SWEEPS
from controller.games.chinese_poker.options import ChineseOptions
from controller.games.panguingue.melds import MOST, NON_COMOQUER, ORDER, VALLE, chips
from controller.games.panguingue.options import PanOptions
from controller.packet.document import Block, Grid, Paragraph
from controller.packet.tables.ranking import chart_of
from controller.packet.values import words

MELDS = (
    ("three of a valle rank, different suits", "3c 3d 3h"),
    ("three of a valle rank, one suit", "3c 3c 3c"),
    ("three of a valle rank, spades", "3s 3s 3s"),
    ("four of a valle rank, one suit", "3c 3c 3c 3c"),
    ("three of another rank, different suits", "4c 4d 4h"),
    ("three of another rank, one suit", "4c 4c 4c"),
    ("three of another rank, spades", "4s 4s 4s"),
    ("a low rope", "Ac 2c 3c"),
    ("a low rope of spades", "As 2s 3s"),
    ("a high rope", "Jc Qc Kc"),
    ("a high rope of spades", "Js Qs Ks"),
    ("another rope", "4c 5c 6c"),
)


def chinese_poker(options: ChineseOptions) -> list[Block]:
    bonuses = tuple(
        (words(hand), *(str(points.get(segment, "")) for segment in SEGMENTS))
        for hand, points in options.bonuses.items()
    )
    sweeps = tuple((words(sweep), str(options.sweeps[sweep])) for sweep in SWEEPS if sweep in options.sweeps)
    return [
        *chart_of(HIGH, "Ranking of the middle and back hands, five cards each, best first"),
        *chart_of(High(CHINESE_FRONT), "Ranking of the front hand, three cards, best first"),
        Grid("Points on top of a hand that was won", ("hand", *SEGMENTS), bonuses),
        Grid("Clean sweeps, best first", ("sweep", "points"), sweeps),
    ]


def panguingue(options: PanOptions) -> list[Block]:
    rows = tuple(
        (
            what,
            cards,
            str(chips(cards.split(), options.conditions)) if chips(cards.split(), options.conditions) else "none",
        )
        for what, cards in MELDS
    )
    return [
        Paragraph(
            f"Cards from low to high: {' '.join(ORDER)}. A rope is a run of one suit; a square is cards of one rank, "
            f"of different suits or of one suit, {' and '.join(NON_COMOQUER)} of any. "
            f"Valle ranks: {' '.join(sorted(VALLE))}. Who lays {MOST} cards goes out."
        ),
        Grid("Conditions: chips from each active player", ("meld", "example", "chips"), rows),
    ]
