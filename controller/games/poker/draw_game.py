"""What every draw game shares: asking for bets while rulings may change who is asked, showing hands, rules on sevens.

A ruling may kill a hand, or begin the betting anew, while the table waits for somebody's act: so every question here is
asked again from what lies on the felt.

Sheets: as in `draw`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from controller.engine import events as ev
from controller.engine.cards import JOKER, standard_deck
from controller.engine.expect import Barred, Choice, Expectation, WantDecision
from controller.engine.felt import Move, Table
from controller.engine.game import Ruling
from controller.engine.inputs import Act, seat_of
from controller.engine.pots import uncalled
from controller.games.poker.draw_hand import DrawHand, DrawOptions
from controller.games.poker.draw_rulings import DEAD_HAND, DRAW_RULINGS, kill_hand
from controller.games.poker.game import Poker
from controller.games.poker.hand import PokerHand
from controller.games.poker.kills import note_next_hand
from controller.games.poker.settings import PokerSettings
from controller.games.poker.sevens import judge_sevens
from controller.games.poker.showdown import Claims, award
from controller.games.poker.streets import Street

SHOW_OR_MUCK = (Choice("show", label="show the hand"), Choice("muck"))
DrawOptionsT = TypeVar("DrawOptionsT", bound=DrawOptions)


class DrawGame(Poker[DrawOptionsT]):
    """Any game with a draw."""

    def deck(self, options: DrawOptionsT) -> Mapping[str, int]:
        deck = {card.code: 1 for card in standard_deck()}
        jokers = options.jokers or int(options.joker)
        return deck | {JOKER: jokers} if jokers else deck

    @property
    def rulings(self) -> Mapping[str, Ruling]:
        return DRAW_RULINGS

    def make_hand(self, t: Table, options: DrawOptionsT, settings: PokerSettings) -> DrawHand:
        return DrawHand(t, options, settings, self.rankings(options), sum(self.deck(options).values()))

    # Betting

    def open_betting(self, hand: PokerHand, street: Street) -> None:
        assert isinstance(hand, DrawHand)
        hand.checks, hand.calls, hand.last_bettor = [], [], None
        super().open_betting(hand, street)

    def bet(self, hand: PokerHand) -> Move[None]:
        assert isinstance(hand, DrawHand)
        t = hand.t
        if not hand.rounds_bet:
            hand.reached("first_betting_opens")
        while (seat := hand.next_to_act()) is not None:
            choices, barred = self.choices(hand, seat)
            beside = [WantDecision(other, self.choices(hand, other)[0]) for other in hand.may_act_before(seat)]
            body = yield Expectation((WantDecision(seat, choices), *beside), barred)
            if type(body) is not Act:
                continue
            t.emit(ev.Decided(body.seat, body.do, body.cents, body.to))
            hand.take(seat_of(body.seat), body)
            hand.acts += 1
            hand.paid(seat_of(body.seat))
        note_raises(hand)
        hand.betting_closed()

    def choices(self, hand: DrawHand, seat: int) -> tuple[tuple[Choice, ...], tuple[Barred, ...]]:
        return hand.action.choices(seat)

    # The end

    def showdown(self, hand: PokerHand) -> Move[Claims]:
        assert isinstance(hand, DrawHand)
        return (yield from show_hands(hand, showing_order(hand), self.claims))

    def settle(self, hand: PokerHand) -> Move[None]:
        assert isinstance(hand, DrawHand)
        t = hand.t
        hand.give_back(uncalled(hand.purse.live, hand.purse.folded))
        claims = None
        if len(hand.contenders) > 1:
            claims = yield from self.showdown(hand)
            judge_sevens(hand, claims)
        t.fees.ended("ended" if claims is None else "showdown", hand.purse.pot)
        award(hand, claims)
        note_next_hand(hand)


def note_raises(hand: DrawHand) -> None:
    action = hand.action
    hand.facts["raises_counted"], hand.facts["bet_level"] = action.raises, action.current
    hand.facts["raises_in_round"] = max(action.raises, hand.facts.get("raises_in_round", 0))


def showing_order(hand: DrawHand) -> list[int]:
    """From the left of the button, or from who bet or raised last (004:1066)."""
    order = list(hand.contenders)
    if hand.room.shown_from == "last_bettor" and hand.last_bettor in order:
        at = order.index(hand.last_bettor)
        order = order[at:] + order[:at]
    hand.facts["show_first"] = order[0]
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
    hand.phase = "showdown"
    hand.t.result.flags["showdown"] = True
    hand.t.emit(ev.StreetDealt("showdown"))


def _shows(hand: DrawHand, seat: int) -> Move[bool]:
    t = hand.t
    while seat not in hand.dead:
        body = yield Expectation((WantDecision(seat, SHOW_OR_MUCK),))
        if type(body) is not Act:
            continue
        t.emit(ev.Decided(body.seat, body.do))
        if body.do == "muck" and not _was_misled(hand, seat):
            if hand.room.muck_code:
                _relinquish(hand, seat)
            return False
        yield from t.show(hand.hole(seat))
        return True
    return False


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
    hand.facts.setdefault("ruled", {})[seat] = code
    if code not in hand.t.result.rulings:
        hand.t.rule(code, seat)
