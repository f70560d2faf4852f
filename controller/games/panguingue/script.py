"""Panguingue as California Grand deals it: tops, two packets of five, declarations, turns until eleven cards lie.

Sheet: calgrand-panguingue. Deal and play run counterclockwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from controller.engine import events as ev
from controller.engine.cards.card import Audience
from controller.engine.cards.melds import LaidMelds, cards_of, kind_of
from controller.engine.expect.choices import Choice, WantDecision
from controller.engine.expect.expectation import Expectation
from controller.engine.expect.want import Refusal
from controller.engine.expect.wants import WantFloor
from controller.engine.inputs import Act
from controller.engine.procedures.rules import BuyInRules
from controller.engine.round.felt import Move, Script, Table
from controller.engine.round.game import Game, Posting, Ruling
from controller.games.panguingue.hand import PanHand, Player, board_of
from controller.games.panguingue.melds import MOST, ORDER, pan_deck
from controller.games.panguingue.options import DealtPanOptions, NotReady, counterclockwise, read_settings
from controller.games.panguingue.rulings import RULINGS

PACKET = 5
HEADS_UP = 2
DECLARE = (Choice("play"), Choice("drop"))


class Panguingue(Game[DealtPanOptions]):
    slug = "panguingue"
    title = "Panguingue"
    options_type = DealtPanOptions
    opens_with: ClassVar[tuple[Posting, ...]] = ("antes",)

    def deck(self, options: DealtPanOptions) -> dict[str, int]:
        return pan_deck(options.decks, options.short_spades)

    def floor_sets(self) -> tuple[Posting, ...]:
        return ("first_player", "deal_from", "antes", "stacks")

    def buy_ins(self, options: DealtPanOptions) -> BuyInRules | None:
        return options.buy_ins

    @property
    def rulings(self) -> Mapping[str, Ruling]:
        return RULINGS

    def play(self, t: Table, options: DealtPanOptions) -> Script:
        try:
            settings = read_settings(t.setup)
        except NotReady as problem:
            while True:
                yield Expectation((WantFloor("table_not_ready", str(problem), choices=()),))
        hand = PanHand(t, options, settings)
        yield from t.collect_fees(options.schedule, "before_deal", dealt=t.seats)
        yield from _deal(hand, first_of_session=settings.first_player is None)
        yield from _declare(hand)
        if len(hand.live) > 1:
            hand.begin_turn(hand.live[0])
            while hand.winner is None:
                yield from _step(hand)
        elif hand.live:
            # Nobody is left to draw against.
            hand.winner = hand.live[0]
        else:
            t.void("nobody_plays", "every hand was dropped; the tops go back")
        _settle(hand)

    def summary(self, result: Mapping[str, Any]) -> str | None:
        outcome = result.get("outcome") or {}
        won = [str(seat) for seat, how in outcome.items() if how == "win"]
        return f"Seat {won[0]} goes out" if won else None


# The deal and the declarations


def _deal(hand: PanHand, *, first_of_session: bool) -> Move[None]:
    """Two packets of five. On the first deal of a session one card of the first packet lies open: the lowest begins."""
    t = hand.t
    for packet in (1, 2):
        for seat in hand.order:
            cards = hand.players[seat].cards
            if packet == 1 and first_of_session:
                yield from t.deal(cards, PACKET - 1, up=False)
                yield from t.deal(cards)
            else:
                yield from t.deal(cards, PACKET, up=False)
    while short := [seat for seat in hand.seats("dealt") if len(hand.players[seat].cards) < 2 * PACKET]:
        seat, cards = short[0], hand.players[short[0]].cards
        if first_of_session and _open_card(hand, seat) is None:
            yield from t.deal(cards)
        else:
            says = f"Seat {seat}: five from the centre" if seat in hand.refill else ""
            yield from t.deal(cards, 2 * PACKET - len(cards), up=False, says=says)
    if first_of_session:
        shown = {seat: code for seat in hand.order if (code := _open_card(hand, seat)) is not None}
        if shown:
            first = min(shown, key=lambda seat: ORDER.index(shown[seat][0]))
            hand.order = counterclockwise(tuple(hand.order), first)
    hand.phase = "declare"


def _open_card(hand: PanHand, seat: int) -> str | None:
    """The card of the first packet that everybody sees."""
    slots = hand.players[seat].cards.slots
    return next((slot.card.code for slot in slots if slot.is_read and slot.audience is Audience.ALL), None)


def _declare(hand: PanHand) -> Move[None]:
    """From the first player on, each declares whether he plays; a dropped hand forfeits its top."""
    while waiting := hand.seats("dealt"):
        seat = waiting[0]
        body = yield from hand.t.wait_for(WantDecision(seat, DECLARE))
        if type(body) is Act:
            hand.t.emit(ev.Decided(seat, body.do))
            hand.players[seat].state = "in" if body.do == "play" else "dropped"


# Turns


def _step(hand: PanHand) -> Move[None]:
    """One act of the seat on turn."""
    t, seat = hand.t, hand.turn
    if not hand.live:
        t.void("nobody_plays", "no hand is left in play; what was paid goes back")
    if hand.phase == "use" and hand.drawn is None:
        yield from _draw(hand)
        return
    body = yield from t.wait_for(WantDecision(seat, tuple(_choices(hand)), asks=_asks(hand)))
    if type(body) is not Act:
        return
    refusal = _refusal(hand, body)
    if refusal is not None:
        t.refuse(body, refusal)
        return
    player = hand.players[seat]
    laid = body.do in ("meld", "out")
    if not laid:
        t.emit(ev.Decided(seat, body.do))
    match body.do:
        case "draw":
            hand.phase, hand.drawn = "use", None
            player.turns += 1
        case "refuse":
            assert hand.drawn is not None
            hand.aside = hand.drawn
            hand.discard(hand.drawn, from_block=False)
            hand.drawn = None
        case "take":
            taken = hand.aside if body.cards or hand.top is None else hand.top
            assert taken is not None
            hand.take(taken)
        case "throw_back":
            hand.throw_back()
        case "meld" | "out":
            board = board_after(player, body)
            assert board is not None
            due = hand.due(player, board)
            refused = hand.lay(player, board)
            if refused is not None:
                t.refuse(body, refused)
                return
            t.emit(ev.Decided(seat, body.do))
            asked = body.facts.get("ask")
            if body.do == "meld":
                hand.ask(player, asked, due)
            else:
                hand.go_out(player, asked, hand.out_due(player, board))
        case "discard":
            yield from _discard(hand, body)


def _draw(hand: PanHand) -> Move[None]:
    """The top card of the block, turned up; heads-up it need not be shown before it is used (232)."""
    t, block = hand.t, hand.t.hand("block")
    shown = len(hand.live) > HEADS_UP
    hand.draws += 1
    slot = yield from t.deal(block, up=shown, says=f"Seat {hand.turn} draws from the block")
    yield from t.name_unread(block)
    block.slots.remove(slot)
    hand.players[hand.turn].cards.slots.append(slot)
    hand.drawn = slot


def _choices(hand: PanHand) -> list[Choice]:
    if hand.phase == "draw":
        may_take = hand.top is not None or _has_aside(hand)
        return [Choice("draw"), *([Choice("take")] if may_take else [])]
    player, melds = hand.players[hand.turn], hand.options.conditions.melds
    choices = [
        Choice("meld", melds=melds, board=player.board, laid=(1, MOST - 1)),
        Choice("out", melds=melds, board=player.board, laid=(MOST, MOST)),
    ]
    if hand.phase == "taken" and not hand.used:
        choices.append(Choice("throw_back", label="throw it back and draw"))
    if hand.may_refuse():
        choices.append(Choice("refuse", label="refuse it and draw another"))
    if hand.used:
        unread = any(not slot.is_read for slot in player.held)
        choices.append(Choice("discard", count=(0 if unread else 1, 1), board=player.board))
    elif hand.phase == "use":
        assert hand.drawn is not None
        face = hand.drawn.face_if_exposed
        choices.append(Choice("discard", count=(1, 1), cards=() if face is None else (face,)))
    return choices


def _asks(hand: PanHand) -> str:
    if hand.phase == "taken" and not hand.used:
        return "the card taken is used at once"
    return "discard one card" if hand.used else ""


def _has_aside(hand: PanHand) -> bool:
    """Heads-up the second player has a choice on the first card too (124, 214)."""
    return hand.aside is not None and len(hand.order_in) == HEADS_UP and not hand.players[hand.turn].turns


def _refusal(hand: PanHand, act: Act) -> Refusal | None:
    player = hand.players[hand.turn]
    match act.do:
        case "take" if act.cards:
            if not _has_aside(hand) or hand.aside is None or act.cards != (hand.aside.card.code,):
                return Refusal("not_top_of_discard", "only the top discard may be taken")
        case "meld" | "out":
            return board_refusal(hand, player, act)
        case "discard":
            return _discard_refusal(hand, player, act)
    return None


def board_after(player: Player, act: Act) -> LaidMelds | None:
    """All melds of the seat as they lie after the act; a single meld may be named by its cards alone."""
    if "board" in act.facts:
        return board_of(act.facts["board"])
    if not act.cards:
        return None
    onto = act.facts.get("onto")
    if not isinstance(onto, int) or not 1 <= onto <= len(player.board):
        return (*player.board, act.cards)
    return tuple((*meld, *act.cards) if n == onto else meld for n, meld in enumerate(player.board, start=1))


def board_refusal(hand: PanHand, player: Player, act: Act) -> Refusal | None:
    board, asked = board_after(player, act), act.facts.get("ask")
    if board is None:
        return Refusal("needs_board", f"{act.do}: report the melds as they are")
    if asked is not None and (not isinstance(asked, int) or isinstance(asked, bool) or asked < 0):
        return Refusal("bad_amount", "ask for a number of chips")
    if act.do == "out" and not hand.is_out(board):
        return Refusal("not_out", f"eleven cards in melds are needed, {cards_of(board).total()} lie there")
    if act.do == "meld" and hand.is_out(board):
        return Refusal("is_out", "eleven cards lie in melds: go out")
    due = hand.due(player, board) if act.do == "meld" else hand.out_due(player, board)
    if asked is not None and asked > due:
        return Refusal("asked_too_much", f"{due} chips are due from each active player", {"due_each": due})
    return None


def _discard_refusal(hand: PanHand, player: Player, act: Act) -> Refusal | None:
    (code,) = act.cards or ("",)
    if hand.used:
        held = player.held
        if not code:
            return None
        if any(slot.is_read and slot.card.code == code for slot in held):
            return None
        if any(not slot.is_read for slot in held) or not player.counted:
            return hand.t.card_problem([code])
        return Refusal("not_your_card", "that card is not in the seat's hand")
    assert hand.drawn is not None
    if hand.drawn.card.code != code:
        return Refusal("drawn_card_not_used", "a drawn card that is not used is discarded, no other")
    if _must_use(hand, player, code):
        return Refusal("must_be_used", "the last hand in play uses every card that fits (221)")
    return None


def _must_use(hand: PanHand, player: Player, code: str) -> bool:
    """The only hand left lies open and must use any card that fits in any way."""
    if len(hand.live) > 1 or not hand.seats("fouled"):
        return False
    melds = hand.options.conditions.melds
    if any(kind_of((*meld, code), melds) != "invalid" for meld in player.board):
        return True
    held = [slot.card.code for slot in player.held if slot.is_read and slot is not hand.drawn]
    pairs = ((a, b) for i, a in enumerate(held) for b in held[i + 1 :])
    return any(kind_of((a, b, code), melds) != "invalid" for a, b in pairs)


def _discard(hand: PanHand, act: Act) -> Move[None]:
    """One card of the hand if the drawn one was used, else the drawn one; what was not read is named as it falls."""
    player = hand.players[hand.turn]
    if not hand.used:
        assert hand.drawn is not None
        hand.discard(hand.drawn, from_block=True)
    else:
        (code,) = act.cards or ("",)
        known = (slot for slot in player.held if slot.is_read and slot.card.code == code)
        slot = next(known, None) or next(slot for slot in player.held if not slot.is_read or not player.counted)
        if code:
            hand.name(slot, code)
        else:
            player.cards.slots.remove(slot)
            fallen = hand.t.hand("discard")
            fallen.slots.append(slot)
            yield from hand.t.name_unread(fallen)
            fallen.slots.clear()
            player.cards.slots.append(slot)
        hand.discard(slot, from_block=False)
    hand.begin_turn(hand.after(hand.turn))


# The end


def _settle(hand: PanHand) -> None:
    result, winner = hand.t.result, hand.winner
    if winner is not None:
        hand.tray.award_tops(winner)
        result.outcome = {seat: "win" if seat == winner else "lose" for seat in hand.tray.net}
        hand.facts.next_first_player = winner
    result.net = dict(hand.tray.net)
    result.arranged = {str(seat): [list(m) for m in p.board] for seat, p in hand.players.items() if p.board}
