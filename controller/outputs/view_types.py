"""The view document: everything that a screen at the table may show, and nothing else.

One document holds the whole screen, so that a page never has to remember: hands, prompt, roads and counts come from
one history in one message and cannot disagree. Cards are `Face`s, which only an exposed card has; a card that nobody
may know yet is null here, and so is one that was not read.

`shoe_view` makes the board of one shoe, counts and roads together, from its results.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import Struct

from controller.engine.cards.card import Face
from controller.engine.table.waiting import Phase
from controller.games.baccarat.roads import (
    DRAGON_7,
    NATURAL,
    PANDA_8,
    AskMarks,
    Bead,
    BigRoad,
    DerivedRoad,
    Result,
    Tail,
    draw,
)


class GameView(Struct, frozen=True):
    slug: str
    title: str


class HeldView(Struct, frozen=True):
    """Why the table waits for the floor: the sheet's code and a sentence for people."""

    code: str
    text: str
    lifted_by: str = ""
    """Who lifts it, and how, in a sentence for the people at the table."""


class HandView(Struct, frozen=True):
    """One hand as it lies; a null card is face down or was not read."""

    owner: str
    title: str
    cards: tuple[Face | None, ...] = ()
    total: str | None = None
    won: bool = False
    verdict: str = ""
    """What became of it where each hand has its own result, "win", "push"; or already while it is played: "folded"."""
    front: int = 0
    """How many of its first cards lie apart, in front, where a hand was set in two."""


class BetView(Struct, frozen=True, omit_defaults=True):
    """One wager of a seat."""

    title: str
    cents: int | None = None
    """Null where only the result is known."""
    net: int | None = None
    """What it won, or lost where negative, once the round is settled."""
    behind: bool = False
    """A back-line bettor's."""


class SeatHandView(Struct, frozen=True, omit_defaults=True):
    """One hand in front of a seat."""

    cards: tuple[Face | None, ...] = ()
    rows: tuple[int, ...] = ()
    """How many cards each row has, the front one first, where a hand is set in rows."""
    total: str | None = None
    names: tuple[str, ...] = ()
    """What the hand is, as players call it: "Two pair, kings and nines"; of a hand in two parts, one for each."""
    verdict: str = ""
    counts: tuple[Face, ...] = ()
    """The cards that make a winning hand, where not all of them do."""


class SeatedView(Struct, frozen=True, omit_defaults=True):
    """A seat as it is on the felt."""

    seat: int
    title: str
    is_player_dealer: bool = False
    has_button: bool = False
    acts: bool = False
    """The table waits for this seat, or for a card to it."""
    standing: str = ""
    """"folded", "all in"; after the round "win", "lose", "push"."""
    hands: tuple[SeatHandView, ...] = ()
    bets: tuple[BetView, ...] = ()
    stack: int | None = None
    net: int | None = None
    """Over all its wagers, or what it took of the pots, once the round is settled."""


class PotView(Struct, frozen=True, omit_defaults=True):
    title: str
    cents: int
    to: tuple[int, ...] = ()
    """Who won it."""


class SeatingView(Struct, frozen=True, omit_defaults=True):
    """The table as its people sit: for games whose hands are the seats' own."""

    seats: tuple[SeatedView, ...]
    """In the order of their numbers: clockwise, the first one on the house dealer's left."""
    community: tuple[Face | None, ...] | None = None
    """Null for a game without cards in the middle."""
    pots: tuple[PotView, ...] = ()


class PostedTable(Struct, frozen=True):
    """A table of what is posted: a pay table, or the collection."""

    title: str
    rows: tuple[tuple[str, str], ...]


class LimitsView(Struct, frozen=True):
    min_cents: int
    max_cents: int


class HouseView(Struct, frozen=True, omit_defaults=True):
    """What the house shows beside the game, and how its screens are spared."""

    logo: str = ""
    """Its address on this server; empty: ours."""
    slides: tuple[str, ...] = ()
    slide_s: int = 12
    """How long a slide, or what is posted, stays."""
    pixel_shift: bool = True
    """The whole picture moves by a few pixels every minute."""
    dim_after_min: int = 0
    """A closed table's screen is dimmed after this time; 0: never."""
    sounds: bool = False


class JackpotView(Struct, frozen=True):
    """A jackpot and what is in its meter."""

    title: str
    cents: int


class Tally(Struct, frozen=True):
    """How often something happened in a shoe; no percentage of no hands."""

    count: int = 0
    percent: float | None = None
    """To one decimal, over all settled rounds of the shoe, ties included."""


class SideTally(Struct, frozen=True):
    """How often one of the game's own marks came, such as a side bet's."""

    key: str
    title: str
    count: int = 0
    percent: float | None = None


class ShoeView(Struct, frozen=True):
    """The board of one shoe."""

    number: int
    hands: int
    cards_out: int | None
    """Cards that have left it, read or not."""
    player: Tally
    banker: Tally
    tie: Tally
    side_bets: tuple[SideTally, ...]
    naturals: int
    bead: tuple[tuple[Bead, ...], ...]
    """The bead plate by columns, the last of which may be short."""
    big_road: BigRoad
    big_eye_boy: DerivedRoad
    small_road: DerivedRoad
    cockroach_pig: DerivedRoad
    ask: AskMarks | None = None
    """What the derived roads would show after the next decision, where the table is to tell."""
    cards: int | None = None
    """How many it held, where that is known."""
    cut_card: bool = False
    """The cut card is out: the shoe is at its end."""
    bank_title: str = "Banker"
    """What the approval calls the hand against the player's."""


class DeviceView(Struct, frozen=True):
    id: str
    kind: str
    state: str
    detail: str = ""


class View(Struct, frozen=True):
    """What the screens show now; `seq` is the table's last event in it."""

    site: str
    table: str
    game: GameView
    test: bool
    round: int
    seq: int
    phase: Phase
    prompt: str
    """What the table waits for, as the dealer would say it: "Banker draws one card"."""
    held: HeldView | None = None
    hands: tuple[HandView, ...] = ()
    felt: tuple[str, ...] = ()
    """What lies in the middle: the button, pots, bets."""
    seating: SeatingView | None = None
    """Null where the hands are nobody's own, as in baccarat."""
    posted: tuple[PostedTable, ...] = ()
    """While no cards are out: pay tables and collection."""
    outcome: str | None = None
    outcome_text: str | None = None
    marks: tuple[str, ...] = ()
    limits: LimitsView | None = None
    stakes: str | None = None
    """Poker: structure and blinds."""
    jackpots: tuple[JackpotView, ...] = ()
    house: HouseView = HouseView()
    celebrates: str | None = None
    """The last hand was one of those that the house celebrates: what it was, in players' words."""
    bets_close_in: int | None = None
    """Seconds until a running timer closes the bets."""
    shoe: ShoeView | None = None
    previous_shoe: ShoeView | None = None
    devices: tuple[DeviceView, ...] = ()
    broker_online: bool = True
    languages: tuple[str, ...] = ("en",)
    """Of a screen where nobody chose another one: the first; a wall shows them in turn."""
    language_turn_s: int = 30


_encoder = msgspec.json.Encoder()


def encode_view(view: View) -> bytes:
    return _encoder.encode(view)


def decode_view(document: bytes) -> View:
    return msgspec.json.decode(document, type=View)


EZ_MARKS: Mapping[str, str] = {DRAGON_7: "Dragon 7", PANDA_8: "Panda 8"}


def shoe_view(
    number: int,
    results: Iterable[Result],
    *,
    cards_out: int | None = None,
    tail: Tail = "stay",
    marks: Mapping[str, str] = EZ_MARKS,
    ask_marks: bool = False,
    bank_title: str = "Banker",
) -> ShoeView:
    """The board of one shoe from its settled rounds, computed anew from the first. `marks`: the game's, with titles."""
    history = tuple(results)
    hands = len(history)
    roads = draw(history, tail=tail, ask_marks=ask_marks)

    def tally(count: int) -> Tally:
        return Tally(count, _percent(count, hands))

    return ShoeView(
        number=number,
        hands=hands,
        cards_out=cards_out,
        player=tally(sum(result.winner == "P" for result in history)),
        banker=tally(sum(result.winner == "B" for result in history)),
        tie=tally(sum(result.winner == "T" for result in history)),
        side_bets=tuple(
            SideTally(mark, title, count := _flagged(history, mark), _percent(count, hands))
            for mark, title in marks.items()
        ),
        naturals=_flagged(history, NATURAL),
        bead=_by_columns(roads.bead_plate),
        big_road=roads.big_road,
        big_eye_boy=roads.big_eye_boy,
        small_road=roads.small_road,
        cockroach_pig=roads.cockroach_pig,
        ask=roads.ask,
        bank_title=bank_title,
    )


def _flagged(history: Sequence[Result], flag: str) -> int:
    return sum(flag in result.flags for result in history)


def _percent(count: int, hands: int) -> float | None:
    """Half a tenth rounds up; whole numbers until the last step, so that every machine prints the same."""
    if hands == 0:
        return None
    return (2000 * count + hands) // (2 * hands) / 10


def _by_columns(beads: Sequence[Bead]) -> tuple[tuple[Bead, ...], ...]:
    columns: dict[int, list[Bead]] = {}
    for bead in beads:
        columns.setdefault(bead.x, []).append(bead)
    return tuple(tuple(column) for column in columns.values())
