"""What the rules for Pan say when something goes wrong (001:189-257).

Which ruling comes out is the sheet's code; a hand that is fouled plays no more but goes on paying (PAN-9).
"""

from __future__ import annotations

from collections.abc import Mapping

from controller.engine.cards.card import CARDS, Audience
from controller.engine.expect.choices import Choice, WantDecision
from controller.engine.inputs import Act, Happening
from controller.engine.round.felt import Script, Table, Unruled
from controller.engine.round.game import Ruling
from controller.games.panguingue.hand import HAND, PanHand, Player, hand_of

FLOOR_DECISION = "floor_decision"
DEAD_COUNTS = (8, 12)
FOULED, DEAD = "hand_fouled", "hand_dead_top_returned"
MAY_DROP = "dealer_removes_one_random_card_may_drop"
MUST_PLAY = "dealer_removes_one_random_card_must_play"
PACKET = 5


def _player(hand: PanHand, body: Happening) -> Player:
    player = hand.players.get(body.seat) if isinstance(body.seat, int) else None
    if player is None:
        raise Unruled("the seat is not in the hand")
    return player


def wrong_card_count(t: Table, body: Happening) -> Script | None:
    """Eight or twelve cards: dead. Nine: one more, or fouled. Eleven: the dealer takes one (210-212)."""
    hand = hand_of(t)
    player, count = _player(hand, body), body.facts.get("count")
    touched = bool(body.facts.get("touched_deck", player.turns > 0))
    if count in DEAD_COUNTS:
        t.rule(DEAD, player.seat)
        t.result.returned[player.seat] = hand.tray.return_top(player.seat)
        _dead(hand, player)
        return None
    if count == HAND - 1:
        return _nine(hand, player, touched=touched, drawn=bool(body.facts.get("cards_drawn", hand.draws > 0)))
    if count == HAND + 1 and not touched:
        return _eleven(hand, player)
    problem = "state how many cards it holds" if count is None else f"it holds {count} cards"
    raise Unruled(f"seat {player.seat}: {problem}", FLOOR_DECISION)


def _dead(hand: PanHand, player: Player) -> None:
    hand.t.result.sealed_flags["dead"].append(player.seat)
    hand.leave(player.seat, "dead")


def _nine(hand: PanHand, player: Player, *, touched: bool, drawn: bool) -> Script | None:
    if touched:
        _foul(hand, player)
        return None
    where = "middle" if drawn else "front"
    hand.t.rule(f"card_from_{where}", player.seat)
    player.counted = False
    return _one_more(hand, player, where)


def _one_more(hand: PanHand, player: Player, where: str) -> Script:
    yield from hand.t.deal(player.cards, up=False, says=f"Seat {player.seat}: one card from the {where} of the deck")


def _eleven(hand: PanHand, player: Player) -> Script | None:
    """The dealer mixes the hand and draws the extra card; dropping is open as long as nobody acted behind."""
    player.counted = False
    declared = [p for p in hand.players.values() if p.state != "dealt"]
    behind = hand.order[hand.order.index(player.seat) + 1 :]
    acted = hand.draws > 0 or any(p.seat in behind for p in declared)
    if player.state == "in" and acted:
        hand.t.rule(MUST_PLAY, player.seat)
        return None
    hand.t.rule(MAY_DROP, player.seat)
    return _declare_again(hand, player) if player.state == "in" else None


def _declare_again(hand: PanHand, player: Player) -> Script:
    while True:
        body = yield from hand.t.wait_for(WantDecision(player.seat, (Choice("play"), Choice("drop"))))
        if type(body) is Act:
            if body.do == "drop":
                hand.leave(player.seat, "dropped")
            return


def _foul(hand: PanHand, player: Player) -> None:
    hand.t.rule(FOULED, player.seat)
    hand.leave(player.seat, "fouled")


def fouls(t: Table, body: Happening) -> None:
    """Put the drawn card into the hand, took back a melded card, discarded before bringing the card in (215-230)."""
    hand = hand_of(t)
    _foul(hand, _player(hand, body))


def used_discard_from_hand(t: Table, body: Happening) -> None:
    """Fouled once he discarded; before that the play is backed up (224)."""
    hand = hand_of(t)
    player = _player(hand, body)
    if body.facts.get("discarded", hand.turn != player.seat):
        _foul(hand, player)
    else:
        t.rule("play_backed_up", player.seat)


def hand_declared_dead(t: Table, body: Happening) -> None:
    """The floor's word on a card that left the plane of the table (203)."""
    hand = hand_of(t)
    player = _player(hand, body)
    t.rule("hand_dead", player.seat)
    _dead(hand, player)


def thrown_to_muck(t: Table, body: Happening) -> None:
    """All action on the card is lost: it is the player's discard (219)."""
    hand = hand_of(t)
    if hand.phase != "use" or hand.drawn is None or hand.used:
        raise Unruled("no drawn card lies in front of the player")
    t.rule("action_on_card_lost", hand.turn)
    hand.discard(hand.drawn, from_block=True)
    hand.begin_turn(hand.after(hand.turn))


def turn_missed(t: Table, body: Happening) -> None:
    """Three players acted, or the turn came round again: the turn is lost, nothing else (226)."""
    hand = hand_of(t)
    player = _player(hand, body)
    if hand.phase != "draw" or hand.turn != player.seat:
        raise Unruled("it is not that seat's turn")
    t.rule("turn_lost", player.seat)
    hand.begin_turn(hand.after(player.seat))


def second_card_drawn(t: Table, body: Happening) -> None:
    """Two cards drawn together, or the next one turned by accident: it goes back and plays in order (233)."""
    slots, t.strays = t.strays or t.take_out(body.cards), []
    if not slots:
        raise Unruled("name the second card")
    t.rule("second_card_plays_in_order")
    t.queue.extend(slots)


def cards_exposed(t: Table, body: Happening) -> None:
    """One to four cards exposed in the deal stay in play (206)."""
    hand = hand_of(t)
    player = _player(hand, body)
    for code in [*body.cards, *([body.card] if body.card else [])]:
        for slot in player.cards.slots:
            if slot.is_read and slot.card.code == code and slot.audience is not Audience.ALL:
                slot.expose()
                break
    t.rule("stays_in_play", player.seat)


def packet_face_up(t: Table, body: Happening) -> None:
    """Five cards turned up are not kept; after the deal the player gets five from the centre of the deck (206)."""
    hand = hand_of(t)
    player = _player(hand, body)
    if hand.phase != "deal" or len(player.cards) < PACKET:
        raise Unruled("no packet of five lies there")
    t.burns += player.cards.slots[-PACKET:]
    del player.cards.slots[-PACKET:]
    hand.refill.add(player.seat)
    t.rule("five_from_the_centre", player.seat)


def boxed_card(t: Table, body: Happening) -> None:
    """It does not play (208): the next one takes its place."""
    hand = hand_of(t)
    if hand.phase == "use" and hand.drawn is not None and not hand.used:
        hand.players[hand.turn].cards.slots.remove(hand.drawn)
        t.burns.append(hand.drawn)
        hand.drawn = None
    elif hand.phase == "deal":
        _take_off(hand, body)
    else:
        raise Unruled("no card was just dealt or drawn")
    t.rule("boxed_card_does_not_play")


def _take_off(hand: PanHand, body: Happening) -> None:
    """The boxed card leaves the hand to which it was dealt: the one that is named, else the one dealt last."""
    for slot in reversed(hand.t.left):
        player = next((player for player in hand.players.values() if slot in player.cards.slots), None)
        if player is None or (body.card is not None and not (slot.is_read and slot.card is CARDS.get(body.card))):
            continue
        player.cards.slots.remove(slot)
        hand.t.burns.append(slot)
        return
    raise Unruled("that card was not dealt")


def claimed_out(t: Table, body: Happening) -> None:
    """The last meld was wrong: put back, discard, play on; fouled if the claim made another player foul (239-241)."""
    hand = hand_of(t)
    player = _player(hand, body)
    if body.facts.get("fouled_another"):
        _foul(hand, player)
    else:
        t.rule("play_goes_on", player.seat)


def out_of_chips(t: Table, body: Happening) -> None:
    """The hand is thrown away; who is out of chips pays and gets nothing more."""
    hand = hand_of(t)
    player = _player(hand, body)
    t.rule("hand_thrown_away", player.seat)
    hand.leave(player.seat, "broke")


def recorded(t: Table, body: Happening) -> None:
    """A claim that the dealer settles at the table: forcing a card (PAN-4), "Time", "Hold to me"."""
    t.rule(body.code, body.seat)


RULINGS: Mapping[str, Ruling] = {
    "wrong_card_count": wrong_card_count,
    "drawn_card_put_in_hand": fouls,
    "melded_card_taken_back": fouls,
    "discarded_before_bringing_in": fouls,
    "used_discard_from_hand": used_discard_from_hand,
    "hand_declared_dead": hand_declared_dead,
    "drawn_card_thrown_to_muck": thrown_to_muck,
    "turn_missed": turn_missed,
    "two_cards_drawn": second_card_drawn,
    "next_card_turned": second_card_drawn,
    "card_exposed": cards_exposed,
    "packet_face_up": packet_face_up,
    "boxed_card": boxed_card,
    "claimed_out_wrong": claimed_out,
    "out_of_chips": out_of_chips,
    "force_claim": recorded,
    "time_called": recorded,
}
