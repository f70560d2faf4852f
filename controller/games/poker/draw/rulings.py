"""What the sheets of the draw games rule when cards come out wrong: exposed, flashed, too few, too many.

The ruleset lists the events that a room rules (`core.rulings`). Two of its codes are for other results of an event, not
for events: `card_exposed_kept` and `card_exposed_on_draw`.

Sheets: bankers-lowball-a5 (000:229-243), bankers-draw-jacks-or-better (000:295-305), calgrand-lowball-ace-to-five
(434-440), village-deuce-seven-triple-draw (L1057).
"""

from __future__ import annotations

from collections.abc import Mapping

from controller.engine.cards.card import JOKER, Hand, Slot, rank_name
from controller.engine.inputs import Happening
from controller.engine.round.felt import Move, Script, Table, Unruled, Voided
from controller.engine.round.game import Ruling
from controller.games.poker.core.hand import hand_of, known
from controller.games.poker.core.rulings import FLOOR_DECISION, RULINGS, Procedure, cards_with, decide, exposed_slot
from controller.games.poker.draw.dealing import DRAW, note_dealt, replace_drawn, replace_exposed
from controller.games.poker.draw.hand import DrawHand

HAND, SIX = 5, 6
FOULED_HAND, DEAD_HAND = "fouled_hand", "dead_hand"


def draw_hand_of(t: Table) -> DrawHand:
    hand = hand_of(t)
    if not isinstance(hand, DrawHand):
        raise Unruled("this is no draw game")
    return hand


def rule(t: Table, happening: Happening) -> Script | None:
    return decide(draw_hand_of(t), happening, PROCEDURES)


# Exposed


def card_exposed(hand: DrawHand, happening: Happening, code: str) -> Script | None:
    """In the deal by its rank, on the draw always replaced (001:434-435, 454, 595-597)."""
    if _is_drawing(hand):
        return draw_card_exposed(hand, happening, hand.options.rulings.get("card_exposed_on_draw", code))
    return exposed_in_deal(hand, happening, code)


def exposed_in_deal(hand: DrawHand, happening: Happening, code: str) -> Script | None:
    """Low cards stay with who got them, others are replaced once the deal is complete (000:230-232)."""
    if not _is_before_action(hand):
        raise Unruled("a card was exposed in the deal, but the hand has been acted on")
    return _keep_or_replace(hand, happening, code)


def exposed_before_draw(hand: DrawHand, happening: Happening, code: str) -> Script | None:
    """As in the deal, but up to the first draw, also after seats have acted (004:1057)."""
    if hand.before_draw or hand.phase in ("post", DRAW, "showdown"):
        raise Unruled("a card was exposed before the draw, but the draw has begun")
    return _keep_or_replace(hand, happening, code)


def _keep_or_replace(hand: DrawHand, happening: Happening, code: str) -> Script | None:
    owner = _owner(hand, happening)
    slot = exposed_slot(hand, owner, happening.card)
    slot.expose()
    if _rank(slot) in hand.room.keeps_exposed:
        hand.facts.kept += known((slot,))
        hand.rule(hand.options.rulings.get(f"{happening.code}_kept", ""), happening.seat)
        return None
    hand.exposed.append((owner, slot))
    hand.rule(code, happening.seat)
    return None if hand.phase == "deal" or len(hand.exposed) > 1 else _replace_now(hand)


def _replace_now(hand: DrawHand) -> Move[None]:
    yield from replace_exposed(hand)
    note_dealt(hand)


def draw_card_exposed(hand: DrawHand, happening: Happening, code: str) -> Script | None:
    """The draw goes on; afterwards the card is replaced, whatever it is (000:233-235)."""
    if not _is_drawing(hand):
        raise Unruled("a card was exposed on the draw, but nobody draws now")
    owner = _owner(hand, happening)
    if not owner.slots:
        raise Unruled("that seat has no card yet")
    slot = owner.slots[-1] if happening.card is None else exposed_slot(hand, owner, happening.card)
    if slot in hand.dealt.get(int(owner.owner), ()):
        raise Unruled("the exposed card was not drawn")
    slot.expose()
    hand.exposed_drawn.append((owner, slot))
    hand.rule(code, happening.seat)
    return None if hand.phase == DRAW or len(hand.exposed_drawn) > 1 else replace_drawn(hand)


def card_flashed(hand: DrawHand, happening: Happening, code: str) -> Script | None:
    """Landed face down: before the draw it stays, on the draw it counts as exposed (000:236-237)."""
    if _is_drawing(hand):
        return draw_card_exposed(hand, happening, code)
    if not _is_before_action(hand):
        raise Unruled("a card was flashed, but the hand has been acted on")
    owner = _owner(hand, happening)
    if happening.card is not None:
        hand.facts.kept.append(happening.card)
    elif owner.slots:
        hand.facts.kept += known(owner.slots[-1:])
    return None


def card_exposed_by_player(hand: DrawHand, happening: Happening, code: str) -> None:
    """A player's own mistake: the card plays (000:238)."""
    slot = exposed_slot(hand, _owner(hand, happening), happening.card)
    slot.expose()
    if not hand.before_draw:
        hand.facts.kept += known((slot,))
    hand.rule(code, happening.seat)


# Too many, too few


def sixth_cards(hand: DrawHand, happening: Happening, code: str) -> None:
    """Two hands of six are a misdeal; a sixth card of the first seat, if known and unseen, is the burn (001:439)."""
    counts = happening.facts.get("counts")
    if not isinstance(counts, dict) or not _is_before_action(hand):
        raise Unruled("a wrong number of cards", FLOOR_DECISION)
    over = {str(seat): count for seat, count in counts.items() if count != HAND}
    if list(over.values()).count(SIX) > 1:
        raise Voided("misdeal", "two or more hands have six cards")
    is_known = happening.facts.get("known") is True and happening.facts.get("looked_at") is False
    if over != {str(hand.seats[0]): SIX} or not is_known:
        raise Unruled("a wrong number of cards", FLOOR_DECISION)
    (slot,) = cards_with(hand, happening, check=lambda n: n == 1)
    hand.take_back(str(hand.seats[0]), "burn", (slot,))
    hand.next_burns.append(slot)
    hand.t.rule(code, hand.seats[0])


def wrong_card_count(hand: DrawHand, happening: Happening, code: str) -> None:
    """Not five cards once the draw is over: the hand is fouled (000:240, 295). Elsewhere only the deal is ruled."""
    if code != FOULED_HAND:
        sixth_cards(hand, happening, code)
        return
    if hand.phase in ("deal", DRAW) or not hand.before_draw:
        raise Unruled("a wrong number of cards, but the draw is not over")
    seat = _live_seat(hand, happening)
    _hold_only(hand, seat, happening.facts.get("holds"))
    kill_hand(hand, seat, code)


def miscall(hand: DrawHand, happening: Happening, code: str) -> None:
    """Multi-handed the miscalled hand is dead; heads-up only if it made the opponent foul his (000:220-221)."""
    if hand.phase != "showdown":
        raise Unruled("a hand is miscalled at the showdown")
    seat = _live_seat(hand, happening)
    fouled = any(happening.facts.get(name) for name in ("opponent_fouled", "fouled", "fouled_by"))
    if len(hand.contenders) > 2 or fouled:
        kill_hand(hand, seat, code)
    else:
        hand.miscalled.add(seat)


def kill_hand(hand: DrawHand, seat: int, code: str) -> None:
    """Dead by a rule. At the showdown its seat is still listed in the pots; before, it is out of the betting."""
    if hand.phase == "showdown":
        hand.dead[seat] = code
    else:
        hand.die(seat, hand.phase)
    hand.rule_on(seat, code)


def short_hand_found(hand: DrawHand, happening: Happening, code: str) -> Script | None:
    """Fewer than five cards before the draw (000:241-243, 296-298)."""
    seat = _live_seat(hand, happening)
    if hand.before_draw:
        raise Unruled("cards are missing, but the draw has begun")
    holds = happening.facts.get("holds")
    missing = happening.facts.get("missing", HAND - len(holds) if isinstance(holds, list) else None)
    if not isinstance(missing, int) or missing < 1:
        raise Unruled("state the number of missing cards")
    ruled = missing_cards(
        missing, is_button=seat == hand.button, action_taken=hand.acts > 0, deal_complete=hand.phase != "deal"
    )
    if ruled == UNSETTLED:
        hand.facts.ruled[seat] = ruled  # shown with the floor's question
        raise Unruled("one card is missing after action, not on the button", UNSETTLED)
    if hand.phase == "deal" and not isinstance(holds, list) and len(hand.hole(seat)) + missing == HAND:
        hand.rule_on(seat, ruled)  # only what the deal still has for the seat is missing
        return None
    _hold_only(hand, seat, holds if isinstance(holds, list) else len(hand.hole(seat)) - missing)
    hand.rule_on(seat, ruled)
    if ruled == "receives_missing_cards_on_the_draw":
        hand.owed_on_draw[seat] = missing
        return None
    return _give_missing(hand, seat, missing)


UNSETTLED = "unsettled"


def missing_cards(missing: int, *, is_button: bool, action_taken: bool, deal_complete: bool) -> str:
    """The ruling on cards that a hand lacks before the draw.

    >>> missing_cards(1, is_button=False, action_taken=True, deal_complete=False)
    'receives_missing_cards'
    >>> missing_cards(1, is_button=True, action_taken=True, deal_complete=True)
    'receives_missing_fifth_card'
    """
    if not action_taken or not deal_complete:
        return "receives_missing_cards"
    if missing > 1:
        return "receives_missing_cards_on_the_draw"
    return "receives_missing_fifth_card" if is_button else UNSETTLED


def _give_missing(hand: DrawHand, seat: int, missing: int) -> Move[None]:
    what = "the missing card" if missing == 1 else f"the {missing} missing cards"
    yield from hand.t.deal(hand.hole(seat), missing, up=False, says=f"Deal {what} to seat {seat}, face down")
    note_dealt(hand)


def _hold_only(hand: DrawHand, seat: int, holds: object) -> None:
    """The hand is what was found: these cards, or this number of cards."""
    slots = hand.hole(seat).slots
    if isinstance(holds, int):
        del slots[holds:]
    elif isinstance(holds, list):
        slots[:] = [_found_slot(hand, seat, str(code)) for code in holds]


def _found_slot(hand: DrawHand, seat: int, code: str) -> Slot:
    """A card that the seat was dealt, or threw away and still has, or got unnoticed."""
    owner = hand.hole(seat)
    for slot in owner.slots + hand.thrown.get(seat, []):
        if slot.is_read and slot.card.code == code:
            return slot
    if all(slot.is_read for slot in owner.slots) and hand.t.card_problem((code,)) is None:
        return hand.t.take_out((code,))[0]
    return exposed_slot(hand, owner, code)


# What the procedures share


def _is_before_action(hand: DrawHand) -> bool:
    return hand.phase == "deal" or (not hand.before_draw and hand.acts == 0 and hand.phase not in ("post", DRAW))


def _is_drawing(hand: DrawHand) -> bool:
    """During the draw, or after it as long as nobody has acted. At the showdown: until all hands are shown."""
    if hand.phase == "showdown" and all(hand.hole(seat).is_exposed for seat in hand.contenders):
        return False
    return hand.phase == DRAW or (bool(hand.before_draw) and hand.acts == 0)


def _owner(hand: DrawHand, happening: Happening) -> Hand:
    return hand.hole(_live_seat(hand, happening))


def _live_seat(hand: DrawHand, happening: Happening) -> int:
    if happening.seat not in hand.contenders:
        raise Unruled("that seat has no live hand")
    return happening.seat


def _rank(slot: Slot) -> str:
    return JOKER if slot.card.is_joker else rank_name(slot.card.rank)


PROCEDURES: Mapping[str, Procedure[DrawHand]] = {
    "card_exposed": card_exposed,
    "card_exposed_by_dealer": exposed_in_deal,
    "card_exposed_before_draw": exposed_before_draw,
    "draw_card_exposed_by_dealer": draw_card_exposed,
    "card_flashed": card_flashed,
    "card_exposed_by_player": card_exposed_by_player,
    "wrong_card_count": wrong_card_count,
    "short_hand_found": short_hand_found,
    "miscall": miscall,
}

DRAW_RULINGS: Mapping[str, Ruling] = {**RULINGS, **dict.fromkeys(PROCEDURES, rule)}
