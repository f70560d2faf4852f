"""Players set their seven cards, two in front and five behind, or ask for the house way.

What a player names stays in the engine until the hand is opened: no prompt, event or refusal tells a card of it. Cards
that no reader saw are named when the hand is opened, so only then can such a setting be judged; a foul one is refused
and made again with the cards on the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from controller.engine import events as ev
from controller.engine.cards import Hand
from controller.engine.expect import Choice, Refusal, WantDecision
from controller.engine.felt import Move, Table
from controller.engine.house_way import Arranged, HouseWay, NotSet, Setting, Seven
from controller.engine.inputs import Act, Place

FRONT = 2
FOUL_SET = Refusal("foul_set", "the two cards in front must be lower than the five behind; set the hand again")
NOT_IN_HAND = Refusal("not_your_card", "name two different cards of this hand")
UNREAD = "two cards in front, or house way; or set face down, to be named when it is opened"


@dataclass(frozen=True)
class Chosen:
    """How a seat wants its hand set: the house way, a front by its codes, or not told before it is opened."""

    by_house: bool = False
    front: tuple[str, ...] | None = None


class Setter:
    """Sets hands by what their owners chose."""

    def __init__(self, t: Table, ranking: Seven, house_way: HouseWay) -> None:
        self.t, self._ranking, self._house_way = t, ranking, house_way

    def ask(self, hands: Mapping[int, Hand]) -> Move[dict[int, Chosen]]:
        """Every seat sets, in any order; the wants stand in the order of the action (A13)."""
        chosen: dict[int, Chosen] = {}
        while len(chosen) < len(hands):
            waiting = [_want(seat, hand) for seat, hand in hands.items() if seat not in chosen]
            act = yield from self.t.wait_for(*waiting)
            if type(act) is not Act:
                continue
            seat = int(act.seat)
            refusal = self._refusal(hands[seat], act)
            if refusal is not None:
                self.t.refuse(act, refusal)
                continue
            self.t.emit(ev.Decided(seat, act.do))
            chosen[seat] = Chosen(act.by is not None, act.front)
        return chosen

    def open(self, seat: Place, hand: Hand, chosen: Chosen) -> Move[Arranged]:
        """Turn a hand up as it was set; what turns out foul, or was not told, is set now."""
        yield from self.t.show(hand)
        while True:
            arranged = self._arranged(hand, chosen)
            if arranged is not None:
                self._tell(hand, arranged)
                return arranged
            chosen = yield from self._ask_again(seat, hand, chosen)

    def _arranged(self, hand: Hand, chosen: Chosen) -> Arranged | None:
        """None where the hand cannot lie as it was chosen."""
        cards = hand.cards
        if chosen.by_house:
            try:
                return self._house_way.set(cards)
            except NotSet:
                return None
        front = [card for card in cards if card.code in (chosen.front or ())]
        if len(front) != FRONT:
            return None
        arranged = self._ranking.arrange(cards, front)
        return arranged if arranged.is_legal else None

    def _ask_again(self, seat: Place, hand: Hand, chosen: Chosen) -> Move[Chosen]:
        if chosen.front:
            foul = FOUL_SET if set(chosen.front) <= {slot.face for slot in hand} else NOT_IN_HAND
            self.t.emit(ev.Refused(f"seat {seat}: set", foul.why, foul.text))
        faces = tuple(str(slot.face) for slot in hand)
        # Where the house way is silent, the dealer sets the hand and only its legality is checked
        # (calgrand-pai-gow-poker, PGP-4).
        by = () if chosen.by_house else ("house",)
        choice = Choice("set", count=(FRONT, FRONT), cards=faces, by=by)
        while True:
            act = yield from self.t.wait_for(WantDecision(seat, (choice,), asks="two of the open cards in front"))
            if type(act) is not Act:
                continue
            refusal = self._refusal(hand, act)
            if refusal is None:
                self.t.emit(ev.Decided(seat, act.do))
                return Chosen(act.by is not None, act.front)
            self.t.refuse(act, refusal)

    def _refusal(self, hand: Hand, act: Act) -> Refusal | None:
        """Why this setting may not stand, as far as the cards were read."""
        if act.by is not None:
            return None
        if not act.front:
            return None if not hand.is_read else NOT_IN_HAND
        if len(set(act.front)) != FRONT:
            return NOT_IN_HAND
        if not hand.is_read:
            return None
        front = [card for card in hand.cards if card.code in act.front]
        if len(front) != FRONT:
            return NOT_IN_HAND
        return None if self._ranking.arrange(hand.cards, front).is_legal else FOUL_SET

    def _tell(self, hand: Hand, arranged: Arranged) -> None:
        faces = {slot.card: slot.face for slot in hand}
        front, back = (tuple(faces[card] for card in part) for part in (arranged.front, arranged.back))
        way, explained = ("house", arranged.explained) if isinstance(arranged, Setting) else ("own", "")
        self.t.emit(ev.HandSet(hand.owner, way, explained, front, back))


def _want(seat: int, hand: Hand) -> WantDecision:
    if hand.is_read:
        return WantDecision(seat, (_choice(FRONT),), asks="two cards in front, or house way")
    return WantDecision(seat, (_choice(0),), asks=UNREAD)


def _choice(least: int) -> Choice:
    """Without the cards to choose from: nobody else may know them."""
    return Choice("set", count=(least, FRONT), by=("house",))


def in_turn(order: Sequence[int], hands: Mapping[str, Hand]) -> dict[int, Hand]:
    """The hands of these seats, in this order."""
    return {seat: hands[str(seat)] for seat in order}
