"""Panguingue: melds by kind and worth (`ranking`), what melds and outs pay (`board`), wrong counts by their ruling and
the pack (`legality`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from controller.cases.answers.question import Answers, Document, Question
from controller.engine.expect.want import Refusal
from controller.engine.inputs import Act
from controller.engine.round.felt import Setup, Table
from controller.games.panguingue.hand import HAND, PanHand
from controller.games.panguingue.melds import ORDER, REMOVED, document, follows
from controller.games.panguingue.options import DealtPanOptions, PanOptions, PanSettings
from controller.games.panguingue.reported import ReportedPanguingue
from controller.games.panguingue.rulings import DEAD, DEAD_COUNTS, FLOOR_DECISION, FOULED, MAY_DROP, MUST_PLAY
from controller.games.panguingue.script import Panguingue, board_after, board_refusal


def panguingue(asked: Question[DealtPanOptions]) -> Document:
    match asked.kind:
        case "board":
            return _board(asked.case, asked.options)
        case "legality" if asked.case.get("acts") and "table" not in asked.case:
            return {"rulings": [_ruling_on_count(act) for act in asked.acts]}
        case "legality":
            return _pack(asked)
    raise asked.unanswered


def reported_panguingue(asked: Question[PanOptions]) -> Document:
    match asked.kind:
        case "ranking":
            piles = [[str(card) for card in pile] for pile in asked.case["piles"]]
            return {"more": {"melds": [document(pile, asked.options.conditions) for pile in piles]}}
        case "legality":
            return _pack(asked)
    raise asked.unanswered


ANSWERS: Answers = {Panguingue: panguingue, ReportedPanguingue: reported_panguingue}


def _pack(asked: Question[Any]) -> Document:
    deck = asked.game.deck(asked.options) or {}
    pack = {
        "cards": sum(deck.values()),
        "per_suit_and_rank": asked.options.decks,
        "ranks": list(ORDER),
        "jokers": 0,
        "removed": list(REMOVED),
    }
    return {"more": {"deck": pack}}


class _BoardTable(msgspec.Struct, frozen=True):
    """`table` of a case of kind `board`."""

    seats: tuple[int, ...]
    boards: dict[int, tuple[tuple[str, ...], ...]] = {}
    collected: dict[int, int] = {}
    stacks: dict[int, int] = {}
    fouled: tuple[int, ...] = ()


def _board(case: Mapping[str, Any], options: DealtPanOptions) -> Document:
    """What melds and outs pay, without draws and discards."""
    try:
        table = msgspec.convert(case["table"], _BoardTable, str_keys=True)
    except msgspec.ValidationError as error:
        raise LookupError(f"table: {error}") from None
    t = Table(Setup(table.seats), None, {})
    hand = PanHand(t, options, PanSettings(antes=dict.fromkeys(table.seats, 0), stacks=table.stacks or None))
    for seat, player in hand.players.items():
        player.state = "fouled" if seat in table.fouled else "in"
        player.board, player.collected = table.boards.get(seat, ()), table.collected.get(seat, 0)
    refused = []
    for index, act in enumerate(case.get("acts", ())):
        facts = {key: value for key, value in act.items() if key in ("board", "ask")}
        refusal = _lay(hand, Act(act["seat"], act["do"], facts=facts))
        if refusal is not None:
            refused.append({"act": index, "why": refusal.why})
    return {"net": dict(hand.tray.net), "more": hand.facts.document(), "refused": refused, "ruling": t.result.rulings}


def _lay(hand: PanHand, act: Act) -> Refusal | None:
    player = hand.players.get(int(str(act.seat)))
    if player is None or player.state != "in":
        return Refusal("not_in_turn", "that seat does not play")
    refusal = board_refusal(hand, player, act)
    board = board_after(player, act)
    if refusal is not None or board is None:
        return refusal
    moved = follows(player.board, board, hand.options.conditions)
    if moved is not None:
        return Refusal(moved.why, moved.text)
    asked, due, out_due = act.facts.get("ask"), hand.due(player, board), hand.out_due(player, board)
    player.board = board
    if act.do == "out":
        hand.go_out(player, asked, out_due)
    else:
        hand.ask(player, asked, due)
    return None


def _ruling_on_count(act: Mapping[str, Any]) -> str:
    """The ruling on a wrong count, by what the act says of it."""
    if act.get("event") != "wrong_card_count":
        raise LookupError(f"{act.get('event')} is judged in a round, not by itself")
    count, touched = act.get("count"), bool(act.get("touched_deck"))
    if count in DEAD_COUNTS:
        return DEAD
    if count == HAND - 1:
        return FOULED if touched else "card_from_middle" if act.get("cards_drawn") else "card_from_front"
    if count == HAND + 1 and not touched:
        return MUST_PLAY if act.get("acted_behind") else MAY_DROP
    return FLOOR_DECISION
