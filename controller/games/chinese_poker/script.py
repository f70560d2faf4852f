"""Chinese Poker: everyone plays everyone with thirteen cards set in three hands. Sheet: village-chinese-poker.

There is no bank. Points between two players become money at the table's limit, as far as both stacks reach: every cent
of a stack is exchanged once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any, Literal

import msgspec
from msgspec import Struct

from controller.engine import events as ev
from controller.engine.cards.card import Hand, standard_deck
from controller.engine.expect.expectation import Choice, Expectation, Refusal, WantDecision, WantFloor
from controller.engine.fees import Schedule
from controller.engine.inputs import Act, Happening
from controller.engine.round.felt import Move, Script, Setup, Table, Unruled, Voided
from controller.engine.round.game import Game, Posting, Ruling
from controller.games.chinese_poker.hands import CARDS, FRONT, MIDDLE, SWEEPS, Arranged, arrange, bonus, sweeps_in

STACKS = 4
TOLD = FRONT + MIDDLE
FOUL, MISDEAL, PLAY_AS_DEALT = "foul", "misdeal", "play_as_dealt"
FEWEST_PLAYERS = 2
TOO_MANY = 5
"""Exposed or boxed cards that make a misdeal."""


class ChineseOptions(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    point: Literal[500, 1000, 2000, 2500, 5000, 10000]
    """Cents of one point: the limit of the table."""
    foul_points: Literal[9, 3]
    equal_value_sweeps: Literal["rank", "push"]
    bonuses: dict[str, dict[str, int]]
    """Points on top of a segment that was won, by hand and segment."""
    sweeps: dict[str, int]
    """Points of each clean sweep."""
    schedule: Schedule | None = None
    asks_fouled: bool = False
    """A hand that is known to be fouled is set all the same."""


class ChineseSettings(Struct, frozen=True):
    """What the floor sets for a hand."""

    stacks: dict[int, int] | None = None


class ChinesePoker(Game[ChineseOptions]):
    slug = "chinese-poker"
    title = "Chinese Poker"
    options_type = ChineseOptions

    def deck(self, options: ChineseOptions) -> dict[str, int]:
        return {card.code: 1 for card in standard_deck()}

    def floor_sets(self) -> tuple[Posting, ...]:
        return ("button", "stacks")

    @property
    def rulings(self) -> Mapping[str, Ruling]:
        return dict.fromkeys(HAPPENINGS, rule)

    def play(self, t: Table, options: ChineseOptions) -> Script:
        try:
            hand = ChineseHand(t, options, read_settings(t.setup))
        except NotReady as problem:
            while True:
                yield Expectation((WantFloor("table_not_ready", str(problem), choices=()),))
        yield from t.collect_fees(options.schedule, "before_deal", dealt=hand.players)
        yield from hand.deal()
        yield from hand.set_hands()
        yield from hand.show()
        hand.settle()

    def tell(self, result: Mapping[str, Any]) -> str | None:
        outcome = result.get("outcome") or {}
        told = [f"Seat {seat}: {how}" for seat, how in outcome.items()]
        return "; ".join(told) or None

    def asking_every_hand(self, options: ChineseOptions) -> ChineseOptions:
        return msgspec.structs.replace(options, asks_fouled=True)

    def answer(self, kind: str, case: Mapping[str, Any], options: ChineseOptions) -> dict[str, Any]:
        if kind != "legality":
            return super().answer(kind, case, options)
        if any("event" not in act for act in case["acts"]):
            raise LookupError("a legality case of Chinese Poker judges events, each by itself")
        return {"rulings": [_ruling_alone(act) for act in case["acts"]]}


class NotReady(Exception):
    """The table cannot be played as it is set."""


def read_settings(setup: Setup) -> ChineseSettings:
    if len(setup.seats) < FEWEST_PLAYERS:
        raise NotReady("Chinese Poker needs two players: seat another")
    if setup.button is None:
        raise NotReady("nobody has the buttons: say who has them")
    try:
        return msgspec.convert(setup.settings, ChineseSettings, str_keys=True)
    except msgspec.ValidationError as error:
        raise NotReady(f"what is set at this table cannot be read: {error}") from None


class ChineseHand:
    """One hand: who plays, how each hand was set, what the stacks have left."""

    def __init__(self, t: Table, options: ChineseOptions, settings: ChineseSettings) -> None:
        assert t.button is not None
        self.t, self.options = t, options
        self.button = t.button
        self.players = t.clockwise(t.button - 1)[:STACKS]
        """From the holder of the buttons clockwise; a fifth player waits for the next round (L1502)."""
        self.told: dict[int, Act] = {}
        self.arranged: dict[int, Arranged] = {}
        self.sweeps: dict[int, str] = {}
        self.fouled: list[int] = []
        stacks = settings.stacks or {}
        # Chips below one point do not play (L1615).
        self.left = {s: stacks[s] // options.point * options.point if s in stacks else None for s in self.players}
        self.net = dict.fromkeys(self.players, 0)
        self.steps: list[list[int]] = []
        t.result.more |= {"steps": self.steps, "sweeps": self.sweeps, "fouled": self.fouled}
        t.script_state = self

    def deal(self) -> Move[None]:
        """Four stacks of thirteen, always; the first to the buttons, what is left over unseen to the muck (A12)."""
        stacks = [self.t.hand(f"stack_{number}") for number in range(1, STACKS + 1)]
        for stack in stacks:
            yield from self.t.deal(stack, CARDS, up=False)
        for number, stack in enumerate(stacks, start=1):
            del self.t.hands[stack.owner]
            if number <= len(self.players):
                seat = self.players[number - 1]
                self.t.hand(str(seat)).slots.extend(stack.slots)
                self.t.emit(ev.PileGiven(number, str(seat)))
            else:
                self.t.burns += stack.slots

    # Setting

    def set_hands(self) -> Move[None]:
        """Each player sets, or declares a clean sweep, in any order before a card is turned."""
        while waiting := [seat for seat in self.players if seat not in self.told and self._is_to_set(seat)]:
            body = yield from self.t.wait_for(*(self._want(seat) for seat in waiting))
            if type(body) is not Act:
                continue
            refusal = self._refusal(body)
            if refusal is not None:
                self.t.refuse(body, refusal)
                continue
            self.told[int(body.seat)] = body
            self.t.emit(ev.Decided(int(body.seat), body.do))

    def _is_to_set(self, seat: int) -> bool:
        return self.options.asks_fouled or seat not in self.fouled

    def _want(self, seat: int) -> WantDecision:
        read = self.t.hand(str(seat)).is_read
        choices = (
            # Too few in front foul the hand, they are not refused (L1604).
            Choice("set", count=(1 if read else 0, TOLD)),
            Choice("declare_sweep", label="declare a clean sweep"),
        )
        return WantDecision(seat, choices, asks="three in front, then five in the middle; the rest is the back")

    def _refusal(self, act: Act) -> Refusal | None:
        if act.do == "declare_sweep":
            if act.facts.get("sweep") not in (None, *SWEEPS):
                return Refusal("no_such_sweep", f"clean sweeps are {', '.join(SWEEPS)}")
            return None
        hand = self.t.hand(str(act.seat))
        front, middle = _parts(act)
        named = [*front, *middle]
        if hand.is_read and not set(named) <= {card.code for card in hand.cards}:
            return Refusal("not_your_card", "name cards of this hand")
        return None

    # Showdown

    def show(self) -> Move[None]:
        """Clean sweeps first, then all others; a hand that was not told is set as it lies."""
        swept = [seat for seat in self.players if self._declared(seat)]
        for seat in [*swept, *(s for s in self.players if s not in swept)]:
            hand = self.t.hand(str(seat))
            yield from self.t.show(hand)
            if seat in self.fouled:
                continue
            if seat in swept:
                self._show_sweep(seat, hand)
            else:
                yield from self._show_set(seat, hand)

    def _declared(self, seat: int) -> bool:
        return seat in self.told and self.told[seat].do == "declare_sweep"

    def _show_sweep(self, seat: int, hand: Hand) -> None:
        found = sweeps_in(hand.cards)
        declared = self.told[seat].facts.get("sweep")
        if found and declared in (None, *found):
            # Two sweeps in one hand: the dearer only (L1591).
            self.sweeps[seat] = found[0]
        else:
            self.foul(seat)

    def _show_set(self, seat: int, hand: Hand) -> Move[None]:
        act = self.told[seat]
        while not act.front and not act.cards:
            # It lay face down and unread: what lies in front and in the middle is told now.
            faces = tuple(hand.faces)
            told = yield from self.t.wait_for(WantDecision(seat, (Choice("set", count=(FRONT, TOLD), cards=faces),)))
            act = told if type(told) is Act else act
        arranged = arrange(hand.cards, *_parts(act))
        if arranged is None or not arranged.is_legal:
            self.foul(seat)
            return
        self.arranged[seat] = arranged
        faces_of = {slot.card: slot.face for slot in hand}
        parts = [tuple(faces_of[card] for card in part) for part in arranged.parts]
        self.t.emit(ev.HandSet(str(seat), "own", "", parts[0], (*parts[1], *parts[2])))
        self.t.result.arranged[str(seat)] = [[card.code for card in part] for part in arranged.parts]
        self.t.result.ranks[str(seat)] = [rank.document() for rank in arranged.ranks]

    def foul(self, seat: int) -> None:
        if seat not in self.fouled:
            self.fouled.append(seat)
            self.t.rule(FOUL, seat)

    # Money

    def settle(self) -> None:
        pairs = list(combinations(self.players, 2))
        # Clean sweeps are paid before regular hands are compared (A10).
        for a, b in [*(p for p in pairs if self._has_sweep(p)), *(p for p in pairs if not self._has_sweep(p))]:
            self._exchange(a, b, self._points(a, b))
        result = self.t.result
        result.net = {seat: self.net.get(seat, 0) for seat in sorted(self.t.seats)}
        result.outcome = {s: "win" if n > 0 else "lose" if n < 0 else "push" for s, n in self.net.items()}

    def _has_sweep(self, pair: tuple[int, int]) -> bool:
        return any(seat in self.sweeps for seat in pair)

    def _points(self, a: int, b: int) -> int:
        """Points that b owes a; negative: a owes b."""
        if a in self.fouled or b in self.fouled:
            if a in self.fouled and b in self.fouled:
                return 0
            return self._foul_points(a) if b in self.fouled else -self._foul_points(b)
        if a in self.sweeps or b in self.sweeps:
            return self._sweep_points(a, b)
        return sum(self._segments(a, b))

    def _foul_points(self, winner: int) -> int:
        """Three points a segment, and whatever the opponent's hand has on top (L1604)."""
        if winner in self.sweeps:
            return self.options.foul_points + self.options.sweeps[self.sweeps[winner]]
        ranks = self.arranged[winner].ranks
        return self.options.foul_points + sum(bonus(n, rank, self.options.bonuses) for n, rank in enumerate(ranks))

    def _sweep_points(self, a: int, b: int) -> int:
        mine, theirs = self.sweeps.get(a), self.sweeps.get(b)
        if mine is None:
            return -self.options.sweeps[str(theirs)]
        if theirs is None:
            return self.options.sweeps[mine]
        value, other = self.options.sweeps[mine], self.options.sweeps[theirs]
        if mine == theirs or (value == other and self.options.equal_value_sweeps == "push"):
            return 0
        return value if SWEEPS.index(mine) < SWEEPS.index(theirs) else -other

    def _segments(self, a: int, b: int) -> Iterator[int]:
        for n, (mine, theirs) in enumerate(zip(self.arranged[a].ranks, self.arranged[b].ranks, strict=True)):
            # The holder of the buttons wins all ties (L1522), with what the segment has on top.
            tied = mine == theirs
            if tied and self.button not in (a, b):
                yield 0
            elif self.button == a if tied else mine > theirs:
                yield 1 + bonus(n, mine, self.options.bonuses)
            else:
                yield -1 - bonus(n, theirs, self.options.bonuses)

    def _exchange(self, a: int, b: int, points: int) -> None:
        winner, loser = (a, b) if points >= 0 else (b, a)
        bounds = [abs(points) * self.options.point, *(left for s in (a, b) if (left := self.left[s]) is not None)]
        cents = min(bounds)
        for seat in (a, b):
            left = self.left[seat]
            self.left[seat] = None if left is None else left - cents
        self.net[winner] += cents
        self.net[loser] -= cents
        self.steps.append([winner, loser, abs(points), cents])


def _parts(act: Act) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Front and middle as an act names them, or eight cards in that order."""
    named = act.front or act.cards or ()
    middle = act.facts.get("middle")
    if isinstance(middle, list | tuple):
        return tuple(named), tuple(str(code) for code in middle)
    return tuple(named[:FRONT]), tuple(named[FRONT:])


# Irregularities

HAPPENINGS = (
    "cards_exposed_by_dealer",
    "wrong_card_count",
    "boxed_cards",
    "foreign_card",
    "duplicate_card",
    "declared_clean_sweep_missing",
)


def _ruling_alone(act: Mapping[str, Any]) -> str | None:
    """Of no round; None where the sheet has no rule."""
    return ruling_on(act["event"], act) if act["event"] in HAPPENINGS else None


def ruling_on(code: str, facts: Mapping[str, Any]) -> str:
    """What the rules say of one irregularity (L1604-1613)."""
    match code:
        case "cards_exposed_by_dealer" | "boxed_cards":
            return MISDEAL if int(facts.get("count", 1)) >= TOO_MANY else PLAY_AS_DEALT
        case "wrong_card_count":
            return FOUL if facts.get("when") == "showdown" else MISDEAL
        case "duplicate_card":
            return FOUL if facts.get("same_player") else MISDEAL
        case "declared_clean_sweep_missing":
            return FOUL
    return MISDEAL


def rule(t: Table, body: Happening) -> None:
    hand = t.script_state
    if not isinstance(hand, ChineseHand):
        raise Unruled("no hand is being played")
    ruling = ruling_on(body.code, body.facts)
    if ruling == MISDEAL:
        raise Voided(MISDEAL, body.code.replace("_", " "))
    if ruling == PLAY_AS_DEALT:
        t.rule(ruling, body.seat)
        return
    if body.seat not in hand.players:
        raise Unruled("say whose hand it is")
    hand.foul(int(body.seat))
