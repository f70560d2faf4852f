"""What two rooms rule when something goes wrong in stud.

The ruleset lists the events that a room rules, with the room's codes (`core.rulings`). Any other event holds the table.

Sheets: bankers-seven-card-stud (000:166-203), calgrand-seven-card-stud (1145-1158), Irregularities.
"""

from __future__ import annotations

from collections.abc import Mapping

from controller.engine import events as ev
from controller.engine.cards.card import Audience, Slot
from controller.engine.inputs import Happening
from controller.engine.round.felt import Move, Script, Table, Unruled, Voided
from controller.engine.round.game import Ruling
from controller.games.poker.core.hand import known
from controller.games.poker.core.rulings import Procedure, decide, exposed_slot, kill_vetoed, name_exposed, seat_leaving
from controller.games.poker.stud.hand import DOOR, HOLE_CARDS, LAST, StudHand, stud_hand_of
from controller.games.poker.stud.seventh import ask_exposed

NO_RAISE_WITH_SEVEN = "no_raise_with_seven_cards"


def rule(t: Table, happening: Happening) -> Script | None:
    return decide(stud_hand_of(t), happening, PROCEDURES)


def _live_seat(hand: StudHand, happening: Happening) -> int:
    """The hand that the event concerns. Where only a card is named, the hand that has it."""
    seat = happening.seat
    if seat is None and happening.card is not None:
        held = {seat: known(hand.hole(seat)) for seat in hand.contenders}
        seat = next((seat for seat, codes in held.items() if happening.card in codes), None)
    if seat is None or seat not in hand.contenders:
        raise Unruled("the seat is not in the hand")
    return seat


def _is_betting(hand: StudHand) -> bool:
    return not hand.dealing and hand.phase not in ("post", "deal", "showdown") and hand.action.next_seat() is not None


# Cards that came face up


def hole_card_exposed(hand: StudHand, happening: Happening, code: str) -> None:
    """One of the first two: it is the door card and the third one goes down (000:166, A6; 1152, STUD-14)."""
    seat = _live_seat(hand, happening)
    slot = exposed_slot(hand, hand.hole(seat), happening.card)
    if hand.phase != "deal" or slot not in hand.hole(seat).slots[:HOLE_CARDS] or len(hand.hole(seat)) > DOOR:
        raise Unruled("a hole card came face up, but not in the deal")
    if seat in hand.door and hand.door[seat] is not slot:
        _both_exposed(hand, seat, hand.options.rulings.get(BOTH_UP) or ANTE_RETURNED)
        return
    slot.expose()
    hand.door[seat] = slot
    hand.t.emit(ev.CardNamed(str(seat), hand.hole(seat).slots.index(slot) + 1, slot.face))
    hand.rule(code, seat)


def both_hole_cards_exposed(hand: StudHand, happening: Happening, code: str) -> Script | None:
    """In the deal: the hand is dead and the ante goes back (000:167, 1152)."""
    seat = _live_seat(hand, happening)
    held = hand.hole(seat)
    if hand.phase != "deal" or len(held) != HOLE_CARDS:
        raise Unruled("both hole cards came face up, but not in the deal")
    if held.is_read:
        _both_exposed(hand, seat, code)
        return None
    return _name_both(hand, seat, code)


def _name_both(hand: StudHand, seat: int, code: str) -> Move[None]:
    yield from hand.t.name_unread(hand.hole(seat), why="card_unread")
    _both_exposed(hand, seat, code)


def _both_exposed(hand: StudHand, seat: int, code: str) -> None:
    """The hand is dead and the ante goes back (000:167, 1152)."""
    hand.door.pop(seat, None)
    held = hand.hole(seat)
    held.expose()
    hand.t.emit(ev.HandShown(str(seat), tuple(held.faces)))
    hand.kill_hand(seat, code)
    hand.return_money(seat, ante_only=True)
    hand.rule(code, seat)


def last_card_exposed(hand: StudHand, happening: Happening, code: str) -> Script | None:
    """Banker's, 000:199-202: the other of two gets his up too, else the player may declare himself all-in."""
    seat = _live_seat(hand, happening)
    _expose_last(hand, seat, happening.card)
    hand.rule(code, seat)
    if len(hand.contenders) == 2 and hand.served == [seat]:
        hand.rest_up = True
    elif hand.dealing:
        hand.exposed_last.append(seat)
    else:
        return ask_exposed(hand, seat)
    return None


def card_exposed(hand: StudHand, happening: Happening, code: str) -> None:
    """California Grand: a hole card in the deal (1152), or the last one (1154)."""
    if hand.phase == "deal":
        hole_card_exposed(hand, happening, code)
        return
    seat = _live_seat(hand, happening)
    _expose_last(hand, seat, happening.card)
    if hand.served == [seat]:
        hand.rest_up = True
        hand.rule("rest_up_betting", seat)
    elif hand.purse.behind[seat] == 0:
        hand.rule("rest_down_betting", seat)
    else:
        hand.no_betting = not hand.rest_up
        hand.rule("rest_up_betting" if hand.rest_up else "rest_down_no_betting", seat)
    if hand.no_betting and not hand.dealing:
        hand.action.stand_aside()
        hand.facts.first_to_act.pop("seventh", None)
    hand.note_seventh()


def _expose_last(hand: StudHand, seat: int, code: str | None) -> None:
    """The card that this seat was just given on seventh street."""
    held = hand.hole(seat)
    if not hand.has_just_dealt("seventh") or seat not in hand.served:
        raise Unruled("a card came face up, but no seventh card of this hand")
    slot = held.slots[LAST]
    if not slot.is_read:
        name_exposed(hand, slot, code)
    elif code is not None and slot.card.code != code:
        raise Unruled("the card that is named is not this hand's last one")
    slot.expose()
    hand.t.emit(ev.CardNamed(str(seat), LAST + 1, slot.face))
    hand.note_seventh()
    hand.facts.faces_on_seventh[seat] = "up"


def card_off_table(hand: StudHand, happening: Happening, code: str) -> Script | None:
    """It plays and counts as exposed (000:197)."""
    seat = _live_seat(hand, happening)
    held = hand.hole(seat)
    slot = exposed_slot(hand, held, happening.card)
    nth = held.slots.index(slot)
    if hand.phase == "deal" and nth < HOLE_CARDS:
        hole_card_exposed(hand, happening, code)
    elif nth == LAST and hand.has_just_dealt("seventh"):
        return last_card_exposed(hand, happening, code)
    elif slot.face_if_exposed is None:
        slot.expose()
        hand.t.emit(ev.CardNamed(held.owner, nth + 1, slot.face))
        hand.rule(code, seat)
    return None


# A street too early


def street_too_early(hand: StudHand, happening: Happening, code: str) -> Script | None:
    """The whole street is set aside: the cards dealt, and one more for each player not dealt to (A13, STUD-10).

    The betting goes on; then a new burn and the street.
    """
    if not _is_betting(hand):
        raise Unruled("the betting is not going on")
    return _eliminate(hand, _gone(hand, happening), code)


def _gone(hand: StudHand, happening: Happening) -> list[Slot]:
    """The cards that the event names, or those that stopped the table before it: the burn first."""
    t = hand.t
    if len(happening.cards or t.strays) > 1 + len(hand.contenders):
        raise Unruled("more cards than a burn and one for each player")
    if happening.cards:
        if t.card_problem(happening.cards) is not None:
            raise Unruled("cards are named that cannot have left the deck")
        slots = t.take_out(happening.cards)
    else:
        slots = list(t.strays)
        if t.card_problem(slot.card.code for slot in slots if slot.is_read) is not None:
            raise Unruled("a card that stopped the table does not belong to this deck")
        for slot in slots:
            if slot.is_read:
                t.count_out(slot.card.code)
    t.strays.clear()
    for slot in slots:
        slot.audience = Audience.NOBODY
    return slots


def _eliminate(hand: StudHand, gone: list[Slot], code: str) -> Move[None]:
    if hand.stud.early_street == "burned":
        yield from _burn_street(hand, gone)
        hand.rule(code)
        return
    burns = hand.t.burns
    hand.is_removing = True
    while len(gone) < 1 + len(hand.contenders):
        says = "Take out one more card for each player not dealt to" if gone else "Set the burn card aside"
        gone.append((yield from hand.t.burn(says=says)))
        burns.remove(gone[-1])
    hand.facts.eliminated += known(gone)
    burns.append(gone.pop(0))
    hand.note_burns()
    hand.removed += gone
    live = hand.contenders
    hand.early_cards, hand.is_removing = dict(zip(live, gone[-len(live) :], strict=False)), False
    hand.rule(code)
    while hand.seen_early:
        _take_back_last(hand, hand.seen_early.pop(0))


def _burn_street(hand: StudHand, gone: list[Slot]) -> Move[None]:
    """Every card of the street is a burn: the burn itself, what was dealt, one more for each player not dealt to."""
    for slot in gone:
        hand.burn_slot(slot)
    while len(gone) < 1 + len(hand.contenders):
        says = "Burn one more card for each player not dealt to" if gone else "Burn a card"
        gone.append((yield from hand.t.burn(says=says)))
        hand.note_burns()
    hand.facts.eliminated += known(gone)


def premature_last_card_seen(hand: StudHand, happening: Happening, code: str) -> Script | None:
    """The player keeps it and may not raise while sixth street goes on (000:182)."""
    seat = _live_seat(hand, happening)
    has_it = len(hand.hole(seat)) > LAST or seat in hand.seen_early
    if hand.phase != "sixth" or not _is_betting(hand) or has_it:
        raise Unruled("no last card can have been dealt too early now")
    hand.action.may_not_raise[seat] = NO_RAISE_WITH_SEVEN
    if hand.is_removing:
        hand.seen_early.append(seat)
    elif seat in hand.early_cards:
        _take_back_last(hand, seat)
    else:
        return _keep_last(hand, seat, _gone(hand, happening), code)
    hand.rule(code, seat)
    return None


def _take_back_last(hand: StudHand, seat: int) -> None:
    """The street was eliminated; his card comes back from the cards aside."""
    slot = hand.early_cards.pop(seat)
    hand.removed.remove(slot)
    hand.hole(seat).slots.append(slot)
    hand.t.emit(ev.CardDealt(str(seat), LAST + 1))


def _keep_last(hand: StudHand, seat: int, gone: list[Slot], code: str) -> Move[None]:
    hand.t.queue.extend(gone)
    yield from hand.burn()
    yield from hand.t.deal(hand.hole(seat), up=False)
    hand.rule(code, seat)


# Cards and chips in the wrong place


def burn_error(hand: StudHand, happening: Happening, code: str) -> None:
    """Two burns or none: the cards are moved to where they belong, which is where this table has them (000:173, 1151).

    A last card that its player has seen stays his.
    """
    hand.rule(code)


def wrong_low_designated(hand: StudHand, happening: Happening, code: str) -> None:
    """The true low bets; who was named wrongly takes his bet back (000:172)."""
    if hand.phase != "third" or hand.acts:
        raise Unruled("the hand has been acted on: the bring-in cannot be put right")
    cents = happening.facts.get("cents")
    if happening.seat is not None and isinstance(cents, int):
        returned = hand.t.result.returned
        returned[happening.seat] = returned.get(happening.seat, 0) + cents
    hand.rule(code, happening.seat)


def wrong_card_count(hand: StudHand, happening: Happening, code: str) -> None:
    """Before action a misdeal; after it the seat is out with its money; later a dead hand (1147, 1156)."""
    counts = happening.facts.get("counts")
    wrong = _wrong_counts(hand, counts if isinstance(counts, dict) else {}, happening.seat)
    if hand.phase == "deal" or (hand.phase == "third" and not hand.acts and not hand.dealing):
        raise Voided("misdeal", "a player had the wrong number of cards before there was action")
    if not wrong:
        raise Unruled("name the hands with a wrong number of cards")
    if happening.cards:
        if hand.t.card_problem(happening.cards) is not None:
            raise Unruled("cards are named that cannot have left the deck")
        for slot in hand.t.take_out(happening.cards):
            slot.audience = Audience.NOBODY
    initial = hand.phase == "third" and not hand.dealing
    for seat in wrong:
        hand.kill_hand(seat, "seat_out_money_returned" if initial else "dead_hand")
        if initial:
            hand.return_money(seat, ante_only=False)
        hand.rule("seat_out_money_returned" if initial else "dead_hand", seat)


def _wrong_counts(hand: StudHand, counts: Mapping[object, object], seat: int | None) -> list[int]:
    stated = {int(str(each)): count for each, count in counts.items() if str(each).isdigit()}
    wrong = [each for each, count in stated.items() if count != len(hand.hole(each))]
    named = wrong or ([seat] if seat is not None else [])
    return [each for each in named if each in hand.contenders]


def card_to_dead_seat(hand: StudHand, happening: Happening, code: str) -> None:
    """Noticed before the next player was dealt to, the card moves on; dealt beyond, it is a misdeal (1149)."""
    seat = happening.seat
    if seat is None or seat in hand.serves or not hand.has_just_dealt(hand.dealing or hand.phase):
        raise Unruled("no cards are being dealt, or that seat gets one")
    beyond = [served for served in hand.served if hand.seats.index(served) > _place(hand, seat)]
    if len(beyond) > 1:
        raise Voided("misdeal", "cards were dealt beyond a dead seat")
    if not beyond:
        raise Unruled("no card can have gone to that seat")
    hand.rule(code, seat)


def _place(hand: StudHand, seat: int) -> int:
    return hand.seats.index(seat) if seat in hand.seats else sum(1 for other in hand.seats if other < seat) - 1


# People


def player_absent(hand: StudHand, happening: Happening, code: str) -> None:
    """Ante, forced bet and hand are lost when the turn comes (000:169, 1146)."""
    seat = _live_seat(hand, happening)
    hand.facts.ruled[seat] = code
    hand.absent.add(seat)
    hand.rule(code, seat)
    if _is_betting(hand) and seat == hand.facts.bring_in_seat and hand.action.is_unbet:
        hand.forfeit(seat)


def up_cards_picked_up(hand: StudHand, happening: Happening, code: str) -> None:
    """While others have to act behind it the hand is dead; after check-check or bet and call it is not (000:195)."""
    seat = _live_seat(hand, happening)
    if _is_betting(hand):
        hand.kill_hand(seat, code)
        hand.rule(code, seat)


BOTH_UP = "both_hole_cards_dealt_face_up"
ANTE_RETURNED = "ante_returned_seat_out"

PROCEDURES: Mapping[str, Procedure[StudHand]] = {
    "hole_card_dealt_face_up": hole_card_exposed,
    BOTH_UP: both_hole_cards_exposed,
    "player_absent": player_absent,
    "seat_absent": player_absent,
    "wrong_low_designated": wrong_low_designated,
    "burn_error": burn_error,
    "wrong_burn_count": burn_error,
    "dealt_before_betting_complete": street_too_early,
    "street_before_betting_complete": street_too_early,
    "premature_last_card_seen": premature_last_card_seen,
    "up_cards_picked_up": up_cards_picked_up,
    "card_off_table": card_off_table,
    "last_card_face_up": last_card_exposed,
    "card_exposed": card_exposed,
    "wrong_card_count": wrong_card_count,
    "card_to_dead_seat": card_to_dead_seat,
    "seat_leaving": seat_leaving,
    "kill_vetoed": kill_vetoed,
}

STUD_RULINGS: Mapping[str, Ruling] = dict.fromkeys(PROCEDURES, rule)
