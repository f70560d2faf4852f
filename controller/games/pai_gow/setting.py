"""Players set their seven cards, two in front and five behind, or ask for the house way; the player-dealer after them.

What a player names stays in the engine until the hand is opened: no prompt, event or refusal has a card of it. He
need not name it before; then, and where no reader saw his cards, the setting is named and judged when the hand is
opened. A foul one is refused and made again, or it counts and costs the wager, by the room's options. The
player-dealer's is always set right.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from controller.engine import events as ev
from controller.engine.cards.card import Card, Hand, Slot
from controller.engine.expect.choices import Choice, WantDecision
from controller.engine.expect.want import Refusal, title
from controller.engine.house_way import Arranged, HouseWay, NotSet, Setting
from controller.engine.inputs import Act, Place
from controller.engine.round.felt import Move, Table
from controller.games.pai_gow.options import PaiGowOptions
from controller.games.pai_gow.piles import CARDS_IN_A_PILE, PLAYER_DEALER

FRONT = 2
FOUL_SET = Refusal("foul_set", "the two cards in front must be lower than the five behind; set the hand again")
SET_FOUL = "player_dealer_set_foul"
NOT_TWO = Refusal("wrong_count", "two cards go in front")
NOT_IN_HAND = Refusal("not_your_card", "name two different cards of this hand")
NO_CHART = Refusal("no_house_way", "the table has no chart for the house way; name the two cards that go in front")
NOT_THE_CHARTS = Refusal("not_house_way", "the chart of the house puts other cards in front")
OWN = "two cards in front"
UNREAD = "set face down, to be named when it is opened"


@dataclass(frozen=True)
class Chosen:
    """How a seat wants its hand set: the house way, a front by its codes, or nothing before it is opened."""

    by_house: bool = False
    front: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Opened:
    """A hand on the table, as it was set."""

    front: Sequence[Card]
    back: Sequence[Card]
    arranged: Arranged | None
    """None where it has not two cards in front: such a hand has no rank."""
    by_house: bool = False

    @property
    def is_foul(self) -> bool:
        return self.arranged is None or not self.arranged.is_legal

    @property
    def row(self) -> str | None:
        return self.arranged.row if isinstance(self.arranged, Setting) else None


class Setter:
    """Sets hands by what their owners chose. `chosen` and `by_house` may be changed by a ruling."""

    def __init__(self, t: Table, options: PaiGowOptions, controls: Mapping[int, Place]) -> None:
        self.t, self.options, self._controls = t, options, controls
        self.chosen: dict[int, Chosen] = {}
        self.by_house: set[int] = set()
        """Seats whose hand the dealer sets, by a ruling."""

    def ask_players(self, seats: Callable[[], Sequence[int]]) -> Move[None]:
        """Every seat sets, in any order; the wants stand in the order of the action."""
        while waiting := [seat for seat in seats() if seat not in self.chosen]:
            act = yield from self.t.wait_for(*(self._want(seat) for seat in waiting))
            if type(act) is Act:
                self._take(act, self.t.hand(str(act.seat)))

    def ask_player_dealer(self, players: Callable[[], Sequence[int]]) -> Move[Opened]:
        """His cards are opened, then he decides; his setting is the signal that play goes on (GO). A player whose
        setting a ruling has undone may set again beside him."""
        assert self.t.player_dealer is not None
        seat, hand = self.t.player_dealer, self.t.hand(PLAYER_DEALER)
        if self.options.player_dealer_sets == "house_way":
            self.chosen[seat] = Chosen(by_house=True)
        yield from self.t.show(hand)
        return (yield from self._set_open(seat, hand, players))

    def open(self, seat: int) -> Move[Opened]:
        """Turn a hand up as it was set; what turns out foul, or was not named, is set now where it may be."""
        hand = self.t.hand(str(seat))
        yield from self.t.show(hand)
        return (yield from self._set_open(seat, hand))

    def _set_open(self, seat: int, hand: Hand, beside: Callable[[], Sequence[int]] = tuple) -> Move[Opened]:
        while True:
            opened = self._opened(seat, hand)
            if opened is not None:
                self._tell(hand, opened)
                return opened
            yield from self._ask_open(seat, hand, beside)

    # What is asked

    def _want(self, seat: int) -> WantDecision:
        hand = self.t.hand(str(seat))
        asks = [OWN]
        if self._offers_house(seat):
            asks.append("house way")
        if not hand.is_read:
            asks.append(UNREAD)
        said = ", or ".join(asks)
        if self._controls.get(seat, seat) != seat:
            said += f"; {title(str(self._controls[seat]))} decides"
        if seat in self.by_house:
            said = "the dealer sets this hand: name the two cards in front"
        names = self.options.setter is None
        choice = Choice("set", count=(0, self._most), by=self._by(seat), by_names=names)
        return WantDecision(seat, (choice,), asks=said)

    @property
    def _most(self) -> int:
        return CARDS_IN_A_PILE - 1 if self.options.foul_by_count else FRONT

    def _by(self, seat: int) -> tuple[str, ...]:
        return ("house",) if self._offers_house(seat) or seat in self.by_house else ()

    def _offers_house(self, seat: int) -> bool:
        options = self.options
        if options.setter is None:
            return options.dealer_sets
        return options.house_way_for == "all" or (
            options.house_way_for == "player_dealer" and seat == self.t.player_dealer
        )

    def _ask_open(self, seat: int, hand: Hand, beside: Callable[[], Sequence[int]]) -> Move[None]:
        """A hand that lies open is set, by the player-dealer or because it could not be judged before."""
        chosen = self.chosen.pop(seat, None)
        if chosen is not None and chosen.front:
            foul = FOUL_SET if _taken(hand.cards, chosen.front) else NOT_IN_HAND
            self.t.emit(ev.Refused(f"seat {seat}: set", foul.why, foul.text))
        # Where the house way is silent, the dealer sets the hand and only its legality is checked
        # (calgrand-pai-gow-poker, PGP-4).
        by = () if chosen is not None and chosen.by_house else self._by(seat)
        own = seat == self.t.player_dealer and self.options.player_dealer_sets == "himself"
        asks = "two cards in front; that is the GO" if own else "two of the open cards in front"
        faces = tuple(str(slot.face) for slot in hand)
        may_foul = self.options.foul_by_count and hand.owner != PLAYER_DEALER
        count = (1, self._most) if may_foul else (FRONT, FRONT)
        choice = Choice("set", count=count, cards=faces, by=by, by_names=self.options.setter is None)
        while seat not in self.chosen:
            undone = [self._want(other) for other in beside() if other not in self.chosen]
            act = yield from self.t.wait_for(WantDecision(seat, (choice,), asks=asks), *undone)
            if type(act) is Act:
                self._take(act, hand if act.seat == seat else self.t.hand(str(act.seat)))

    # What players choose

    def _take(self, act: Act, hand: Hand) -> None:
        refusal = self._refusal(act, hand)
        if refusal is FOUL_SET and hand.owner == PLAYER_DEALER and SET_FOUL in self.options.rulings:
            # The room rules it: his hand is never foul, it is set once more (village-pai-gow-poker, L429).
            self.t.emit(ev.Irregularity(SET_FOUL, refusal.text, {"seat": act.seat}))
            self.t.rule(self.options.rulings[SET_FOUL], self.t.player_dealer)
            self.by_house.add(int(act.seat))
            return
        if refusal is not None:
            self.t.refuse(act, refusal)
            return
        seat = int(act.seat)
        self.t.emit(ev.Decided(seat, act.do))
        self.chosen[seat] = Chosen(act.by is not None, act.front or act.cards)

    def _refusal(self, act: Act, hand: Hand) -> Refusal | None:
        """Why this setting may not stand, as far as the cards were read."""
        front = act.front or act.cards or ()
        if act.by is not None:
            return self._house_refusal(front, hand)
        if front and len(front) != FRONT and not self.options.foul_by_count:
            return NOT_TWO
        if not front or not hand.is_read:
            return None
        taken = _taken(hand.cards, front)
        if taken is None:
            return NOT_IN_HAND
        if self.options.foul_set == "loses" and hand.owner != PLAYER_DEALER:
            return None
        return None if self.options.ranking.arrange(hand.cards, taken).is_legal else FOUL_SET

    def _house_refusal(self, front: Sequence[str], hand: Hand) -> Refusal | None:
        if not hand.is_read:
            return None
        taken = _taken(hand.cards, front)
        chart = _by_chart(self.options.setter, hand.cards)
        if chart is not None:
            as_chart = not front or (taken is not None and _same(taken, chart.front))
            return None if as_chart else NOT_THE_CHARTS
        if not front:
            return NO_CHART
        if taken is None or len(taken) != FRONT:
            return NOT_IN_HAND
        return None if self.options.ranking.arrange(hand.cards, taken).is_legal else FOUL_SET

    # How it lies

    def _opened(self, seat: int, hand: Hand) -> Opened | None:
        """None where the hand cannot lie as it was chosen, or was not chosen yet."""
        chosen, cards = self.chosen.get(seat), hand.cards
        if chosen is None:
            return None
        chart = _by_chart(self.options.setter, cards) if chosen.by_house else None
        if chart is not None:
            return Opened(chart.front, chart.back, chart, by_house=True)
        front = _taken(cards, chosen.front or ())
        if not front:
            return None
        back = _without(cards, front)
        arranged = self.options.ranking.arrange(cards, front) if len(front) == FRONT else None
        opened = Opened(front, back, arranged, chosen.by_house)
        may_foul = self.options.foul_set == "loses" and not chosen.by_house and hand.owner != PLAYER_DEALER
        return opened if may_foul or not opened.is_foul else None

    def _tell(self, hand: Hand, opened: Opened) -> None:
        # It lies as it was set: the two in front first, on every screen.
        hand.slots = _in_order_of(hand.slots, [*opened.front, *opened.back])
        faces = {slot.card: slot.face for slot in hand}
        front, back = (tuple(faces[card] for card in part) for part in (opened.front, opened.back))
        explained = opened.arranged.explained if isinstance(opened.arranged, Setting) else ""
        self.t.emit(ev.HandSet(hand.owner, "house" if opened.by_house else "own", explained, front, back))


def _by_chart(setter: HouseWay | None, cards: Sequence[Card]) -> Setting | None:
    try:
        return None if setter is None else setter.set(cards)
    except NotSet:
        return None


def _taken(cards: Sequence[Card], codes: Sequence[str]) -> list[Card] | None:
    """The cards with these codes, in the order they lie, if the hand has them all."""
    wanted, taken = list(codes), []
    for card in cards:
        if card.code in wanted:
            wanted.remove(card.code)
            taken.append(card)
    return None if wanted else taken


def _without(cards: Sequence[Card], taken: Sequence[Card]) -> list[Card]:
    left = list(cards)
    for card in taken:
        left.remove(card)
    return left


def _in_order_of(slots: Sequence[Slot], cards: Sequence[Card]) -> list[Slot]:
    left = list(slots)
    placed = []
    for card in cards:
        placed.append(next(slot for slot in left if slot.card is card))
        left.remove(placed[-1])
    return placed


def _same(one: Sequence[Card], other: Sequence[Card]) -> bool:
    return sorted(card.code for card in one) == sorted(card.code for card in other)
