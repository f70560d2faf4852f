"""The end of a hand that was drawn to: who shows, what a hand thrown away is ruled, and the pots.

Sheets: as in `dealing`.
"""

from __future__ import annotations

from collections.abc import Sequence

from controller.engine import events as ev
from controller.engine.expect.choices import Choice, WantDecision
from controller.engine.expect.expectation import Expectation
from controller.engine.expect.lazy import LazyExpectation
from controller.engine.inputs import Act
from controller.engine.round.felt import Move
from controller.games.poker.core.showdown import Claims
from controller.games.poker.draw.hand import DrawHand
from controller.games.poker.draw.rulings import DEAD_HAND, kill_hand

SHOW_OR_MUCK = (Choice("show", label="show the hand"), Choice("muck"))


def showing_order(hand: DrawHand) -> list[int]:
    """From the left of the button, or from who bet or raised last (004:1066)."""
    order = list(hand.contenders)
    if hand.room.shown_from == "last_bettor" and hand.last_bettor in order:
        at = order.index(hand.last_bettor)
        order = order[at:] + order[:at]
    hand.facts.show_first = order[0]
    return order


def show_hands(hand: DrawHand, order: Sequence[int], claims_of: type[Claims]) -> Move[Claims]:
    """Hand after hand, as the room has it: the cards speak, or each seat shows or gives its claim up."""
    t = hand.t
    open_showdown(hand)
    while True:
        shown: list[int] = []
        for seat in order:
            if hand.options.showdown == "cards_speak":
                yield from t.show(hand.hole(seat))
                shown.append(seat)
            elif (yield from _shows(hand, seat)):
                shown.append(seat)
        claims = claims_of(hand)
        for seat in hand.in_order(shown):
            if seat not in hand.dead:
                claims.make(seat)
        if all(claims.of(pot) for pot in hand.purse.pots()):
            return claims
        # Every claim to a pot was given up or is dead: nobody can be paid by the rules.
        yield from t.call_floor("no_claim_to_the_pot", "nobody has a claim to a pot; resume to show again, or void")


def open_showdown(hand: DrawHand) -> None:
    hand.phase = hand.t.result.phase = "showdown"
    hand.t.result.flags["showdown"] = True
    hand.t.emit(ev.StreetDealt("showdown"))


def _shows(hand: DrawHand, seat: int) -> Move[bool]:
    t = hand.t
    while seat not in hand.dead:
        body = yield ShowOrMuck(seat)
        if type(body) is not Act:
            continue
        do = body.do
        t.emit(ev.Decided(body.seat, do))
        if do == "muck" and not _was_misled(hand, seat):
            if hand.room.muck_code:
                _relinquish(hand, seat)
            return False
        yield from t.show(hand.hole(seat))
        return True
    return False


class ShowOrMuck(LazyExpectation):
    """A seat is asked whether it shows its hand."""

    __slots__ = ("_seat",)

    def __init__(self, seat: int) -> None:
        self._seat = seat

    def admits(self, act: Act) -> bool:
        return act.seat == self._seat and act.do in ("show", "muck") and act.by is None

    def build(self) -> Expectation:
        return Expectation((WantDecision(self._seat, SHOW_OR_MUCK),))


def _was_misled(hand: DrawHand, seat: int) -> bool:
    """Heads-up, a hand thrown away because of the other's miscall: that one is dead, not this (000:220)."""
    if len(hand.contenders) != 2 or not hand.miscalled - {seat}:
        return False
    for other in sorted(hand.miscalled):
        kill_hand(hand, other, DEAD_HAND)
    hand.miscalled.clear()
    return True


def _relinquish(hand: DrawHand, seat: int) -> None:
    code = hand.room.muck_code
    hand.facts.ruled[seat] = code
    if code not in hand.t.result.rulings:
        hand.t.rule(code, seat)
