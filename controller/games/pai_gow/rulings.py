"""Irregularities of the rooms that print some (calgrand-pai-gow-poker, village-pai-gow-poker).

Which happenings a room rules, and by what word, is data; what a ruling does is written once. What a room does not rule
holds the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from controller.engine.cards.card import CARDS, Card, Slot, card
from controller.engine.expect.expectation import Expectation
from controller.engine.expect.want import Refusal
from controller.engine.expect.wants import WantReveal
from controller.engine.inputs import Happening, Revealed, seat_of
from controller.engine.round.felt import Script, Table, Unruled, Voided
from controller.engine.round.game import Ruling
from controller.games.banked import CUP_OPENED
from controller.games.pai_gow.hand import PaiGowHand
from controller.games.pai_gow.options import ExposedCards
from controller.games.pai_gow.setting import SET_FOUL

EXPOSED = ("exposed_while_making_piles", "exposed_in_deal", "boxed_in_deal")
FLOOR_DECISION = "floor_decision"
Effect = Callable[[PaiGowHand, Happening], None]


def all_rulings() -> Mapping[str, Ruling]:
    return {CUP_OPENED: cup_opened, **dict.fromkeys(EXPOSED, exposed_in_deal), **dict.fromkeys(EFFECTS, ruled)}


def exposed_word(exposed: ExposedCards, cards: Sequence[Card]) -> str:
    if len(cards) > 1:
        return exposed.several
    return exposed.ace_or_joker if _ends_the_deal(cards) else exposed.one


def _ends_the_deal(cards: Sequence[Card]) -> bool:
    """An ace or a joker is among them."""
    return any(one.is_joker or one.code[0] == "A" for one in cards)


def cup_opened(t: Table, body: Happening) -> None:
    """The cup is open: no more bets, whatever the dice show."""
    _hand(t, body)
    t.close_wagers()


def _hand(t: Table, body: Happening) -> PaiGowHand:
    hand = t.script_state
    if not isinstance(hand, PaiGowHand):
        raise Unruled("no hand is being dealt")
    if body.code != CUP_OPENED and body.code not in hand.options.rulings:
        raise Unruled(f"{body.code.replace('_', ' ')}: this room has no rule for it")
    return hand


def exposed_in_deal(t: Table, body: Happening) -> Script | None:
    """One card is replaced by the first of those left over; an ace, the joker or several cards end the deal. Where it
    is not said which card was seen, that is asked first."""
    hand = _hand(t, body)
    exposed = hand.options.exposed
    if exposed is None or hand.distributed:
        raise Unruled("the piles are given out already")
    names = [*body.cards, *([body.card] if body.card is not None else ())]
    if not names:
        return _ask_which(t, body)
    if any(name not in CARDS for name in names):
        raise Unruled("say which card was seen")
    _judge_exposed(hand, exposed, body, [card(name) for name in names])
    return None


def _ask_which(t: Table, body: Happening) -> Script:
    while True:
        named = yield Expectation((WantReveal("exposed", 1, "the card that was seen"),))
        if type(named) is not Revealed:
            continue
        if named.cards[0] not in CARDS:
            t.refuse(named, Refusal("no_such_card", "that is not a card"))
            continue
        try:
            exposed_in_deal(t, replace(body, card=named.cards[0]))
        except Unruled as unruled:
            if unruled.code:
                t.rule(unruled.code)
            yield from t.call_floor(body.code, unruled.reason)
        return


def _judge_exposed(hand: PaiGowHand, exposed: ExposedCards, body: Happening, cards: Sequence[Card]) -> None:
    seen = [_slot(hand, one, leaving=one.code in body.cards) for one in cards]
    fresh = [slot for slot in seen if slot not in hand.exposed]
    if not fresh:
        # Reported twice: one card is one card.
        return
    hand.exposed += fresh
    together = [slot.card for slot in hand.exposed]
    word = exposed_word(exposed, together if len(together) > 1 else cards)
    if len(together) > 1 and not exposed.several_void:
        raise Unruled("two cards were exposed while the piles were made", word)
    if len(together) > 1 or _ends_the_deal(cards):
        raise Voided(word, "cards were exposed in the deal")
    hand.t.rule(word)
    if hand.piles_made:
        hand.replace(hand.exposed[0])


def _slot(hand: PaiGowHand, seen_card: Card, *, leaving: bool) -> Slot:
    """Where the card lies; one that leaves the deck with the happening goes on to the pile that is next."""
    unread: Slot | None = None
    for _, _, slot in hand.piles.slots:
        if slot.is_read and slot.card is seen_card:
            return slot
        unread = slot if not slot.is_read else unread
    if unread is not None and not leaving:
        # The reader missed it: of the cards that it did not read, the last was seen.
        unread.name(seen_card)
        hand.t.count_out(seen_card.code)
        return unread
    problem = hand.t.one_card_problem(seen_card.code)
    if problem is not None:
        raise Unruled(problem.text)
    (slot,) = hand.t.take_out([seen_card.code])
    hand.t.queue.append(slot)
    return slot


def ruled(t: Table, body: Happening) -> None:
    hand = _hand(t, body)
    EFFECTS[body.code](hand, body)


def _word(hand: PaiGowHand, body: Happening) -> str:
    return hand.options.rulings[body.code]


def _player(hand: PaiGowHand, body: Happening) -> int:
    if body.seat is None or seat_of(body.seat) not in hand.t.seats or seat_of(body.seat) == hand.t.player_dealer:
        raise Unruled("say which player's seat it was")
    return seat_of(body.seat)


def _dead(hand: PaiGowHand, body: Happening) -> None:
    """That seat's hand is dead, all bets on it return, the round goes on (748)."""
    if body.seat is not None and seat_of(body.seat) == hand.t.player_dealer:
        raise Unruled("a card of the player-dealer was exposed", FLOOR_DECISION)
    seat = _player(hand, body)
    if seat in hand.dead:
        # A second card of the same hand changes nothing.
        hand.t.rule(_word(hand, body), seat)
        return
    places = [place for place in hand.t.book if seat_of(place) == seat]
    if hand.t.setup.records_wagers and not places:
        raise Unruled("that seat has no wager")
    hand.t.rule(_word(hand, body), seat)
    hand.dead.append(seat)
    for place in places:
        hand.hand_back(place)


def _forfeit(hand: PaiGowHand, body: Happening) -> None:
    """Cards were switched, passed or held out: the hand is foul, its wagers are lost as far as money covers."""
    seat = _player(hand, body)
    hand.t.rule(_word(hand, body), seat)
    if seat not in hand.forfeited:
        hand.forfeited.append(seat)


def _misdeal(hand: PaiGowHand, body: Happening) -> None:
    """The round is void."""
    raise Voided(_word(hand, body), "two identical cards turned up")


def _reset_player_dealer(hand: PaiGowHand, body: Happening) -> None:
    """The player-dealer's hand is set once more, by the dealer."""
    hand.t.rule(_word(hand, body), hand.t.player_dealer)
    hand.reset_player_dealer()


def _reset_player(hand: PaiGowHand, body: Happening) -> None:
    """The player's hand is set again by the dealer, as long as it is not opened."""
    seat = _player(hand, body)
    hand.t.rule(_word(hand, body), seat)
    if seat not in hand.opened:
        hand.reset(seat)


def _pay_minimum(hand: PaiGowHand, body: Happening) -> None:
    """The wager is paid as the least that the table takes."""
    seat = _player(hand, body)
    hand.t.rule(_word(hand, body), seat)
    hand.paid_minimum.add(seat)


def _nothing_changes(hand: PaiGowHand, body: Happening) -> None:
    """A hand plays at its true value, a wager that was taken away counts: the engine knows no other."""
    seat = _player(hand, body)
    hand.t.rule(_word(hand, body), seat)


EFFECTS: Mapping[str, Effect] = {
    "exposed_while_distributing": _dead,
    "cards_switched": _forfeit,
    "identical_cards": _misdeal,
    SET_FOUL: _reset_player_dealer,
    "options_not_shown": _reset_player_dealer,
    "logical_way_set_wrong": _reset_player,
    "hands_discussed": _reset_player,
    "winning_wager_removed": _pay_minimum,
    "hand_misread": _nothing_changes,
    "wager_removed_early": _nothing_changes,
}
