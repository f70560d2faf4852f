"""What the sheets rule when cards come out wrong: exposed, too early, too many.

The ruleset lists the events that a room rules, each with the room's code (`[sheet.rulings]`). An empty code: the room
has the rule, but no name for it. How the cards move is here, since the rooms agree on it. A ruling that does not fit
the moment (a flop taken back after it was bet on) changes nothing and calls the floor.

Sheets: bankers-texas-holdem (000:102-124), calgrand-texas-holdem (865-868), Irregularities.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from controller.engine import events as ev
from controller.engine.cards.card import CARDS, Audience, Hand, Slot
from controller.engine.inputs import Happening
from controller.engine.round.felt import Move, Script, Table, Unruled, Voided
from controller.engine.round.game import Ruling
from controller.games.poker.core.discards import DISCARD
from controller.games.poker.core.hand import PokerHand, hand_of, known
from controller.games.poker.core.posting import veto_kill
from controller.games.poker.core.streets import replace_exposed

FLOOR_DECISION = "floor_decision"
"""The code of a sheet that leaves an event to the floor (calgrand-texas-holdem, HE-5)."""

FLOP_CARDS = 3
HandT = TypeVar("HandT", bound=PokerHand)
Procedure = Callable[[HandT, Happening, str], "Script | None"]
"""What is done about an event, with the hand, the event and the room's code for it."""


def rule(t: Table, happening: Happening) -> Script | None:
    return decide(hand_of(t), happening, PROCEDURES)


def decide(hand: HandT, happening: Happening, procedures: Mapping[str, Procedure[HandT]]) -> Script | None:
    """Decide an event by the ruleset of the hand."""
    code = hand.options.rulings.get(happening.code)
    procedure = procedures.get(happening.code)
    if code == FLOOR_DECISION:
        raise Unruled(happening.code.replace("_", " "), FLOOR_DECISION)
    if code is None or procedure is None:
        raise Unruled(f"{happening.code.replace('_', ' ')}: this room has no rule for it", hand.options.unruled)
    return procedure(hand, happening, code)


# In the deal


def first_card_exposed(hand: PokerHand, happening: Happening, code: str) -> Script | None:
    """The first card off the deck, before anybody acted: the hand is void, or the deal begins again."""
    dealt = hand.hole(hand.seats[0]).slots
    if not dealt and hand.phase == "post":
        _exposed_before_the_deal(hand, happening, code)
        return None
    if not _is_before_action(hand) or not dealt:
        raise Unruled("the first card was exposed, but the hand has been acted on")
    if hand.options.first_card == "void":
        raise Voided(code, "the first card off the deck was exposed")
    hand.hole(hand.seats[0]).slots[0].expose()
    hand.t.rule(code, hand.seats[0])
    return _deal_again(hand)


def _exposed_before_the_deal(hand: PokerHand, happening: Happening, code: str) -> None:
    """The event itself takes the card out of the deck."""
    slots = cards_with(hand, happening, check=lambda n: n == 1)
    if hand.options.first_card == "void":
        raise Voided(code, "the first card off the deck was exposed")
    slots[0].expose()
    hand.shuffle_back(slots, "deal")
    hand.facts.cards_kept = []
    hand.t.rule(code, hand.seats[0])


def _deal_again(hand: PokerHand) -> Script:
    """Everything back into the stub, shuffled and cut; the same deal from its first card (village-holdem, L55)."""
    owners = [hand.hole(seat) for seat in hand.seats]
    laps = max(len(owner) for owner in owners)
    slots = [owner.slots[lap] for lap in range(laps) for owner in owners if lap < len(owner)]
    hand.shuffle_back(slots, "deal")
    hand.facts.cards_kept = []
    for owner in owners:
        owner.slots.clear()
    for dealt in range(len(slots)):
        yield from hand.t.deal(owners[dealt % len(owners)], up=False)


def hole_card_exposed(hand: PokerHand, happening: Happening, code: str) -> Script | None:
    """Replaced when the deal is complete; the exposed card is the first burn (000:103-108)."""
    if not _is_before_action(hand) or happening.seat not in hand.seats:
        raise Unruled("a hole card was exposed outside the deal, or of a seat that is not dealt in")
    owner = hand.hole(happening.seat)
    slot = exposed_slot(hand, owner, happening.card)
    if hand.exposed or hand.t.queue:
        raise Unruled("a second card was exposed; the rule speaks of one")
    if slot is hand.hole(hand.seats[0]).slots[0]:
        return first_card_exposed(hand, happening, hand.options.rulings.get("first_card_exposed", "misdeal"))
    slot.expose()
    hand.exposed.append((owner, slot))
    hand.t.rule(code, happening.seat)
    return replace_exposed(hand) if hand.phase != "deal" else None


def exposed_slot(hand: PokerHand, owner: Hand, code: str | None) -> Slot:
    """The card that was exposed. If no reader has read it, this names it."""
    for slot in owner.slots:
        if slot.is_read and slot.card.code == code:
            return slot
    unread = next((slot for slot in reversed(owner.slots) if not slot.is_read), None)
    if unread is None:
        raise Unruled("the exposed card is not one of this hand")
    name_exposed(hand, unread, code)
    return unread


def name_exposed(hand: PokerHand, slot: Slot, code: str | None) -> None:
    """Name a card that no reader has read."""
    if code is None or hand.t.card_problem((code,)) is not None:
        raise Unruled("the exposed card is not named, or cannot be in this hand")
    slot.name(CARDS[code])
    hand.t.count_out(code)


def extra_card_to_first_player(hand: PokerHand, happening: Happening, code: str) -> None:
    """One extra card after the deal goes back and is the burn card; more than one are a misdeal (000:124)."""
    if hand.phase != "preflop":
        raise Unruled("an extra card, but the deal is not complete or the flop is out")
    slots = cards_with(hand, happening)
    if len(slots) > 1:
        raise Voided("misdeal", "more than one extra card was dealt")
    if not slots or happening.seat not in (None, hand.seats[0]) or hand.t.queue:
        raise Unruled("the rule speaks of one extra card to the first player")
    hand.take_back(str(hand.seats[0]), "burn", slots)
    hand.t.queue.extend(slots)
    hand.t.rule(code, hand.seats[0])


def extra_cards_dealt(hand: PokerHand, happening: Happening, code: str) -> None:
    """More than one extra card before the flop: the hand is void."""
    if hand.phase not in ("deal", "preflop"):
        raise Unruled("extra cards, but the flop is out")
    count = happening.facts.get("count", len(happening.cards) or len(hand.t.strays))
    if not isinstance(count, int) or count < 2:
        raise Unruled("the rule speaks of more than one extra card")
    raise Voided(code, "more than one extra card was dealt")


def _is_before_action(hand: PokerHand) -> bool:
    return hand.phase == "deal" or (hand.phase == "preflop" and hand.acts == 0)


# The board, too early


def flop_too_early(hand: PokerHand, happening: Happening, code: str) -> None:
    """The flop comes back and goes into the stub; the burn stays, the new flop comes without one."""
    turned = _early_cards(hand, happening, "preflop", FLOP_CARDS)
    for slot in turned:
        slot.expose()
    hand.facts.void_flop += known(turned)
    hand.facts.withdrawn += known(turned)
    hand.back_to_stub.setdefault("flop", []).extend(turned)
    hand.take_back("board", "aside", turned)
    hand.t.rule(code)


def turn_too_early(hand: PokerHand, happening: Happening, code: str) -> None:
    """The card is set aside and the next one is the turn; the river comes off the reshuffled stub without a burn."""
    _card_too_early(hand, happening, code, "flop", "turn")


def river_too_early(hand: PokerHand, happening: Happening, code: str) -> None:
    """The card is set aside and shuffled into the stub; the river comes off it without a burn."""
    _card_too_early(hand, happening, code, "turn", "river")


def _card_too_early(hand: PokerHand, happening: Happening, code: str, street: str, early: str) -> None:
    """The card is set aside until the river, which comes off the reshuffled stub without a burn.

    An early turn is replaced by what would have been the river: burn and turn as usual. Where the wager still open is
    small, the card stays instead (867-868).
    """
    stays = bool(hand.options.half_bet_exception) and _is_small_wager(hand)
    (slot,) = _early_cards(hand, happening, street, 1)
    slot.expose()
    if stays:
        hand.board.slots.append(slot)
        hand.early.add(early)
        hand.t.emit(ev.CardDealt("board", len(hand.board), slot.face_if_exposed))
        hand.t.rule(hand.options.half_bet_exception)
        return
    hand.facts.set_aside += known((slot,))
    hand.facts.withdrawn += known((slot,))
    hand.back_to_stub.setdefault("river", []).append(slot)
    hand.take_back("board", "aside", (slot,))
    hand.t.rule(code)


def _is_small_wager(hand: PokerHand) -> bool:
    """The wager still uncalled is less than half the amount to bet on the round that runs (HE-4)."""
    action = hand.action
    open_wager = max((action.price - action.put_in[seat] for seat in action.still_to_act()), default=0)
    return 0 < 2 * open_wager < action.rules.structure.unit(action.round)


def _early_cards(hand: PokerHand, happening: Happening, street: str, count: int) -> list[Slot]:
    """Burns the burn card and returns the cards that were turned. Only during the betting of that street."""
    if hand.phase != street or hand.action.next_seat() is None:
        raise Unruled(f"the betting of the {street} is not going on")
    slots = cards_with(hand, happening, check=lambda n: count <= n <= count + (not hand.t.queue))
    burns, turned = slots[:-count], slots[-count:]
    if hand.t.queue:
        burns = [hand.t.queue.pop(0)]
    for slot in burns:
        hand.burn_slot(slot)
    return turned


# The board, too many


def four_card_flop(hand: PokerHand, happening: Happening, code: str) -> Script | None:
    """The fourth card is the next burn, if it is known which it was; else everything is shuffled back (865, HE-2)."""
    _check_fresh_flop(hand)
    identified = happening.facts.get("identified")
    if identified is None:
        raise Unruled("four cards on the flop: state whether the fourth can be identified")
    if not identified:
        return _redo_flop(hand, happening, hand.options.rulings.get("five_or_more_cards_on_flop", code))
    if hand.t.queue:
        raise Unruled("there is a burn card on the stub already")
    (slot,) = cards_with(hand, happening, check=lambda n: n == 1)
    slot.expose()
    hand.take_back("board", "burn", (slot,))
    hand.t.queue.append(slot)
    hand.t.rule(code)
    return None


def flop_too_many_cards(hand: PokerHand, happening: Happening, code: str) -> Script | None:
    """All come back and go into the stub; a new flop without a burn."""
    _check_fresh_flop(hand)
    return _redo_flop(hand, happening, code)


def _redo_flop(hand: PokerHand, happening: Happening, code: str) -> Script:
    surplus = cards_with(hand, happening, check=lambda n: n > 0)
    for slot in surplus:
        slot.expose()
    turned = [*hand.board.slots, *surplus]
    hand.board.slots.clear()
    hand.facts.void_flop += known(turned)
    hand.shuffle_back(turned)
    hand.t.rule(code)
    return _turn_again(hand)


def _turn_again(hand: PokerHand) -> Move[None]:
    yield from hand.t.deal(hand.board, FLOP_CARDS, says="Turn the new flop, no burn")


def _check_fresh_flop(hand: PokerHand) -> None:
    """Three cards are out, nobody has acted on them, and the turn has not begun."""
    # With nobody left to bet, Crazy Pineapple goes from the flop to its discards at once.
    acted_on = hand.acts if hand.phase in ("flop", DISCARD) else hand.phase != "preflop"
    if hand.turning != "flop" or len(hand.board) != FLOP_CARDS or acted_on:
        raise Unruled("the flop is not out, or has been acted on")


# Seats


def seat_leaving(hand: PokerHand, happening: Happening, code: str) -> None:
    """The seat will not play the next hand: nothing changes in this one, and a forced kill stays due."""


def kill_vetoed(hand: PokerHand, happening: Happening, code: str) -> None:
    """Another player refuses a kill that was asked for before the deal: it is taken back."""
    by = happening.facts.get("by")
    if not veto_kill(hand, by if isinstance(by, int) else happening.seat):
        raise Unruled("there is no kill that could be vetoed now")


def cards_with(hand: PokerHand, happening: Happening, check: Callable[[int], bool] = lambda n: True) -> list[Slot]:
    """The cards that left the deck with the event: those it names, or those that stopped the table before it.

    They are face down unless a ruling exposes them.
    """
    t = hand.t
    codes: list[str | None] = list(happening.cards) or [slot.card.code if slot.is_read else None for slot in t.strays]
    if t.card_problem(code for code in codes if code is not None) is not None:
        raise Unruled("cards are named that cannot have left the deck")
    if not check(len(codes)):
        wrong = f"{len(codes)} cards do not fit" if codes else "name the cards"
        raise Unruled(f"{happening.code.replace('_', ' ')}: {wrong}")
    t.strays.clear()
    slots = t.take_out(codes)
    for slot in slots:
        slot.audience = Audience.NOBODY
    return slots


PROCEDURES: Mapping[str, Procedure[PokerHand]] = {
    "first_card_exposed": first_card_exposed,
    "hole_card_exposed_by_dealer": hole_card_exposed,
    "extra_card_to_first_player": extra_card_to_first_player,
    "extra_cards_dealt": extra_cards_dealt,
    "flop_before_betting_complete": flop_too_early,
    "turn_before_betting_complete": turn_too_early,
    "river_before_betting_complete": river_too_early,
    "flop_too_many_cards": flop_too_many_cards,
    "four_cards_on_flop": four_card_flop,
    "five_or_more_cards_on_flop": flop_too_many_cards,
    "seat_leaving": seat_leaving,
    "kill_vetoed": kill_vetoed,
}

LEFT_TO_THE_FLOOR = ("misdeal", "card_exposed", "wrong_card_count")
"""Events that a sheet may name only to leave them to the floor."""

KNOWN = (*LEFT_TO_THE_FLOOR, "fouled_deck")
"""Events that any dealer may report, whatever the sheet prints."""

RULINGS: Mapping[str, Ruling] = dict.fromkeys((*PROCEDURES, *LEFT_TO_THE_FLOOR), rule)
