"""A pot game as it is carried out: what every variant does from the first blind to the last pot, and on each street.

What a variant is made of is declared in `game` and `streets`; no Struct is defined here, so that it can be compiled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from controller.engine import events as ev
from controller.engine.betting.turn import Turn
from controller.engine.expect.expectation import Expectation, WantFloor
from controller.engine.inputs import Act
from controller.engine.round.felt import Move, Script, Table
from controller.games.poker.core.hand import PokerHand
from controller.games.poker.core.kills import note_next_hand
from controller.games.poker.core.reading import read_settings
from controller.games.poker.core.settings import NotReady
from controller.games.poker.core.showdown import award

if TYPE_CHECKING:
    from controller.games.poker.core.game import Poker, PokerOptionsT
    from controller.games.poker.core.streets import Street


def play(game: Poker[PokerOptionsT], t: Table, options: PokerOptionsT) -> Script:
    """One hand."""
    try:
        hand = game.make_hand(t, options, read_settings(t.setup, options))
    except NotReady as problem:
        while True:
            yield Expectation((WantFloor("table_not_ready", str(problem), choices=()),))
    streets = game.streets(options)
    try:
        if hand.schedule is not None:
            yield from t.collect_fees(hand.schedule, "before_deal", button=hand.button)
        yield from game.post(hand, streets[0])
        hand.open_fees(flop=game.has_flop)
        yield from game.rounds(hand, streets)
        yield from game.settle(hand)
    finally:
        # It knows the hand; a ring of the two would lie about until the garbage collector comes.
        hand.acting_order = list


def rounds(game: Poker[PokerOptionsT], hand: PokerHand, streets: Sequence[Street]) -> Move[None]:
    """Street after street, until one hand is left or all is bet."""
    for street in streets:
        yield from deal_street(hand, street)
        game.open_betting(hand, street)
        yield from game.bet(hand)
        if not hand.is_contested:
            break


def settle(game: Poker[PokerOptionsT], hand: PokerHand) -> Move[None]:
    """The betting is over: uncalled money back, hands shown, fees, pots, the next hand's kill."""
    for seat, cents in hand.purse.return_uncalled().items():
        hand.hand_back(seat, cents)
    claims = None
    if hand.is_contested:
        claims = yield from game.showdown(hand)
    hand.fees_end(shown=claims is not None)
    award(hand, claims)
    note_next_hand(hand)


def deal_street(hand: PokerHand, street: Street) -> Move[None]:
    """The cards of a street; what is bet on them comes after."""
    for dealing in street.dealings:
        yield from dealing.deal(hand, street)
    hand.t.emit(ev.StreetDealt(street.name))
    hand.reached(street.moment_dealt)


def deal_holes(hand: PokerHand, street: Street, count: int) -> Move[None]:
    """So many cards to each live seat, one at a time, face down."""
    t = hand.t
    if street.is_first:
        hand.phase = "deal"
        t.result.phase = "deal_holes"
    yield from t.deal_in_turn([hand.hole(seat) for seat in hand.contenders], count)
    if street.is_first:
        hand.phase = street.name
        yield from replace_exposed(hand)


def replace_exposed(hand: PokerHand) -> Move[None]:
    """A hole card that the dealer exposed comes back; the seat gets the next card, the exposed one is the first burn.

    bankers-texas-holdem, 000:103-108.
    """
    while hand.exposed:
        owner, slot = hand.exposed[-1]
        owner.slots.remove(slot)
        hand.take_back(owner.owner, "burn", (slot,))
        yield from hand.t.deal(owner, up=False)
        hand.t.queue.append(slot)
        hand.exposed.pop()  # not before: while its replacement is awaited, a second exposed card is the floor's


def turn_board(hand: PokerHand, street: Street, count: int) -> Move[None]:
    """Burn, unless a ruling has had the stub shuffled, and turn so many cards."""
    if street.name in hand.early:
        return
    hand.t.result.phase = street.name
    going_back = hand.back_to_stub.pop(street.name, None)
    if going_back is not None:
        hand.shuffle_back(going_back)
    elif hand.sheet.burn:
        yield from hand.burn()
    hand.turning = street.name
    yield from hand.t.deal(hand.board, count, says=f"Turn the {street.name}")
    if hand.missed:
        hand.bury_missed(street.name)


def bet(hand: PokerHand) -> Move[None]:
    """Ask seat after seat until the betting round is complete."""
    t, action, noted = hand.t, hand.action, hand.notes_turns
    t.result.phase = f"bet_{action.round.name}"
    if not hand.rounds_bet:
        hand.reached("first_betting_opens")
    while (seat := hand.next_to_act()) is not None:
        if noted:
            hand.asked(seat)
        act = yield Turn(action, seat)
        if type(act) is not Act:
            continue  # a ruling may have ended this hand, or changed what it may do
        do = act.do
        t.events.append(ev.Decided(act.seat, do, act.cents, act.to))
        action.take(seat, do, act.to)
        hand.acts += 1
        if noted:
            hand.acted(seat, do)
        if do != "fold":
            hand.paid(seat)
    hand.betting_closed()
