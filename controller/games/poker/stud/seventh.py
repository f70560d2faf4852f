"""Seventh street: one card down, or what the rooms do when the stub is too short for it.

Banker's (000:183-194): burn and deal all but the last card, scramble that one with the burns, and go on; where even
that does not serve everybody, one community card instead of all. California Grand (1153): shuffle the burns into the
stub if that is enough for a burn, every player and a last card that is never dealt; else one community card.
Both decide before the first card is given out.
"""

from __future__ import annotations

from controller.engine import events as ev
from controller.engine.expect.choices import Choice, WantDecision
from controller.engine.inputs import Act
from controller.engine.round.felt import Move
from controller.games.poker.core.hand import known
from controller.games.poker.stud.hand import LAST, StudHand

SHUFFLE_BURNS = "shuffle_burns_into_stub_and_deal"
COMMUNITY = "burn_one_then_one_community_card"
LAST_ACTS = (Choice("play_on", label="play on"), Choice("declare_all_in", label="declare all-in"))


def deal_seventh(hand: StudHand, street: str) -> Move[None]:
    hand.begin(street, [seat for seat in hand.recipients if len(hand.hole(seat)) <= LAST])
    if hand.stud.shortage == "scramble":
        yield from _deal_and_scramble(hand)
    else:
        yield from _reshuffle_burns(hand)
    hand.note_seventh()
    for seat in hand.exposed_last:
        yield from ask_exposed(hand, seat)


def _give(hand: StudHand, seats: list[int]) -> Move[None]:
    while hand.is_contested and (serves := [seat for seat in seats if seat not in hand.served]):
        yield from hand.serve(serves, hand.last_comes_up)


def _turn_community_card(hand: StudHand, says: str) -> Move[None]:
    """One card for everybody, after a burn."""
    yield from hand.burn(says)
    hand.facts.burned = known(hand.t.burns)[-1]
    yield from hand.t.deal(hand.board, says="Turn the community card")


# Banker's


def _deal_and_scramble(hand: StudHand) -> Move[None]:
    stub, players = hand.t.stub, len(hand.serves)
    hand.facts.burn_from_pool = False
    if stub - 1 >= players:
        yield from hand.burn()
        yield from _give(hand, hand.serves)
        return
    can_burn = stub > 1
    pool = (1 if can_burn else stub) + len(hand.t.burns) + can_burn + len(hand.removed)
    served = max(0, stub - 2)
    left = players - served
    hand.t.emit(ev.Irregularity("stub_too_short", f"{stub} cards for {players} players: inform the Shift Manager"))
    # Without a card for the burn there is nothing to deal before the scramble: the community card comes out of it (A8).
    if left > pool or not (can_burn or hand.removed):
        says = "Not enough cards: burn one for the community card"
        if not can_burn:
            _scramble(hand)
            says = "Scramble the last card and the burns, cut, burn one for the community card"
        yield from _turn_community_card(hand, says)
        return
    if can_burn:
        yield from hand.burn()
    yield from _give(hand, hand.serves[:served])
    _scramble(hand)
    if left < pool:
        hand.facts.burn_from_pool = True
        yield from hand.burn("Scramble the last card and the burns, cut, burn one")
    yield from _give(hand, hand.serves[served:])


def _scramble(hand: StudHand) -> None:
    hand.scramble([*hand.t.burns, *hand.removed])
    hand.removed.clear()


# California Grand


def _reshuffle_burns(hand: StudHand) -> Move[None]:
    stub, burns = hand.t.stub, [*hand.t.burns, *hand.removed]
    needed = len(hand.serves) + 2
    hand.facts.available = stub + len(burns)
    hand.facts.needed = needed
    if stub < needed and stub + len(burns) < needed:
        hand.t.rule(COMMUNITY)
        if stub < 3:
            # A burn, the card and a last card that is never dealt (STUD-13).
            _shuffle_in(hand)
        yield from _turn_community_card(hand, "Not enough cards: burn one for the community card")
        return
    if stub < needed:
        hand.t.rule(SHUFFLE_BURNS)
        _shuffle_in(hand)
    yield from hand.burn()
    yield from _give(hand, hand.serves)


def _shuffle_in(hand: StudHand) -> None:
    burns = [*hand.t.burns, *hand.removed]
    hand.facts.burns_reshuffled = known(burns)
    hand.scramble(burns)
    hand.removed.clear()


# A last card that came up


def ask_exposed(hand: StudHand, seat: int) -> Move[None]:
    """Before any action the player may declare himself all-in: he keeps his share of the pot so far (000:199, A4)."""
    while hand.purse.can_act(seat) and len(hand.contenders) > 1:
        act = yield from hand.t.wait_for(WantDecision(seat, LAST_ACTS, asks="the last card came face up"))
        if type(act) is not Act:
            continue
        hand.t.emit(ev.Decided(act.seat, act.do))
        if act.do == "declare_all_in":
            hand.purse.declared.add(seat)
            hand.action.stand_aside(seat)
        return
