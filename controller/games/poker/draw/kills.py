"""A kill during the deal: allowed while nobody has a third card, with four times its amount in front.

Sheets: calgrand-lowball-ace-to-five (431, LB-9), calgrand-lowball-deuce-to-seven (451).
"""

from __future__ import annotations

from typing import Final

from controller.engine import events as ev
from controller.engine.amounts import dollars
from controller.engine.expect.choices import Choice, WantDecision
from controller.engine.expect.expectation import Expectation
from controller.engine.expect.want import Refusal
from controller.engine.expect.wants import WantCard
from controller.engine.inputs import Act, CardOut, StackOut, seat_of
from controller.engine.round.felt import Move
from controller.games.poker.core.hand import PokerHand
from controller.games.poker.core.kills import kill_blind
from controller.games.poker.core.posting import veto_kill
from controller.games.poker.core.settings import Kill

KIND: Final = "before_third_card"
CARDS: Final = 2
"""A kill is decided on two cards."""
TIMES = 4


def may_kill_in(hand: PokerHand, nth: int) -> bool:
    """Whether any card of this round of the deal is one before which the hand may be killed."""
    return nth <= CARDS and KIND in hand.options.kills


def may_kill_now(hand: PokerHand, nth: int, seat: int) -> bool:
    """While the card awaited is one of the first two of a seat, or the very first third card."""
    return may_kill_in(hand, nth) and (nth < CARDS or seat == hand.seats[0])


def deal_with_kills(hand: PokerHand, seat: int) -> Move[None]:
    """One card face down to the seat; until it comes, anybody may kill, and others may veto that."""
    t, owner = hand.t, hand.hole(seat)
    while not t.queue:
        body = yield Expectation((WantCard(owner.owner, len(owner) + 1, face_up=False), *_offers(hand)))
        match body:
            case CardOut():
                t.queue.extend(t.take_out((body.card,)))
            case StackOut():
                t.queue.extend(t.take_out(body.cards))
            case Act(do="kill"):
                _kill(hand, body)
            case Act(do="veto"):
                veto_kill(hand, seat_of(body.seat))
    yield from t.deal(owner, up=False)


def _offers(hand: PokerHand) -> list[WantDecision]:
    kill = hand.kill
    if kill is None:
        due = kill_blind(hand, Kill(0, KIND))
        codes = hand.options.codes
        choice = Choice(
            "kill", f"kill for {dollars(due)}", due, below=codes.wrong_increment, above=codes.wrong_increment
        )
        return [WantDecision(seat, (choice,)) for seat in hand.seats]
    if kill.kind != KIND:
        return []
    return [WantDecision(seat, (Choice("veto", "veto the kill"),)) for seat in hand.seats if seat != kill.seat]


def _kill(hand: PokerHand, body: Act) -> None:
    seat = seat_of(body.seat)
    kill = Kill(seat, KIND)
    due, behind = kill_blind(hand, kill), hand.purse.behind[seat]
    if behind is not None and behind < TIMES * due:
        needed = {"needed": TIMES * due}
        text = f"a kill before the third card needs {dollars(TIMES * due)} in front"
        hand.t.rule("kill_refused", seat)
        hand.t.refuse(body, Refusal("needs_four_times_kill_amount", text, needed))
        return
    hand.play_for(kill)
    # A killer who is also due a smaller blind posts only the kill blind (BS-9).
    hand.action.post(seat, due - hand.action.put_in[seat])
    hand.action.start_with(hand.acting_order())
    hand.paid(seat)
    hand.t.emit(ev.Decided(seat, "kill", due))
    hand.t.emit(ev.WagerSet(seat, "kill", due))
