"""Poker: hands by rank, and of two the better one (`ranking`); events by their ruling (`legality`).

A ranking case has hands by number in `cards`, or pairs of them named a and b; `board`, there or beside it, belongs to
every hand. Sheets: the sections Hand ranking of the poker games; calgrand-poker-hand-ranking.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from controller.cases.answers.poker_structures import betting_structures
from controller.cases.answers.question import Answers, Document, Question
from controller.engine.cards.card import CARDS, JOKER, RANKS, card, rank_name
from controller.engine.ranking import Rank
from controller.games.poker.board.script import BoardPoker
from controller.games.poker.core.options import PokerOptions
from controller.games.poker.core.rankings import Rankings
from controller.games.poker.core.rulings import FLOOR_DECISION
from controller.games.poker.core.script import Poker
from controller.games.poker.core.structures import BettingStructures
from controller.games.poker.draw.dealing import DRAW
from controller.games.poker.draw.options import DrawOptions
from controller.games.poker.draw.rulings import FOULED_HAND, HAND, SIX, missing_cards
from controller.games.poker.draw.script import DrawGame
from controller.games.poker.mexican.options import SalinasOptions
from controller.games.poker.mexican.salinas_script import NOT_STARTED, MexicanPokerSalinas
from controller.games.poker.stud.options import StudOptions
from controller.games.poker.stud.rulings import ANTE_RETURNED
from controller.games.poker.stud.script import SevenCardStud

TIE = "tie"
SHORT_HAND, BEFORE_DRAW = "short_hand_found", "card_exposed_before_draw"
Act = Mapping[str, Any]
Ranked = tuple[Rank | None, Rank | None]
"""The high and the low hand."""


def poker(asked: Question[PokerOptions]) -> Document:
    if asked.kind == "legality" and "table" not in asked.case and asked.has_events_only:
        options = asked.options
        return {"rulings": [options.rulings.get(str(act["event"]), options.unruled) or None for act in asked.acts]}
    return _ranking(asked)


def board_poker(asked: Question[PokerOptions]) -> Document:
    """None where the floor decides and the sheet has no word for that."""
    if asked.kind == "legality" and asked.has_events_only:
        codes, unruled = asked.options.rulings, asked.options.unruled
        return {"rulings": [_board_ruling(act, asked.case, codes) or unruled or None for act in asked.acts]}
    return _ranking(asked)


def stud(asked: Question[StudOptions]) -> Document:
    if asked.kind == "legality" and "table" not in asked.case and asked.has_events_only:
        return {"rulings": [_stud_ruling(act, asked.options.rulings) for act in asked.acts]}
    return _ranking(asked)


def draw(asked: Question[DrawOptions]) -> Document:
    """None where the room has no rule, or no word for it."""
    if asked.kind == "legality":
        return {"rulings": [_draw_ruling(act, asked.case, asked.options) for act in asked.acts]}
    return _ranking(asked)


def salinas(asked: Question[SalinasOptions]) -> Document:
    """Whether a game may be started with the players that are there; what happens in one is not printed."""
    if asked.kind != "legality" or ("rulings" in asked.case["expect"] and "table" not in asked.case):
        return draw(asked)
    options, seats = asked.options, (asked.case.get("table") or {}).get("seats", ())
    return {
        "ruling": [] if options.fewest_seats <= len(seats) <= options.most(seats) else [NOT_STARTED],
        "more": {"minimum_players": options.fewest_seats, "maximum_players": options.most(seats)},
    }


ANSWERS: Answers = {
    Poker: poker,
    BoardPoker: board_poker,
    SevenCardStud: stud,
    DrawGame: draw,
    MexicanPokerSalinas: salinas,
    BettingStructures: betting_structures,
}


# Hands


def _ranking(asked: Question[Any]) -> Document:
    """The high hand of a high-low game is its rank, the low one is beside it; the better one of two is that of the high
    half."""
    if asked.kind != "ranking" or not isinstance(asked.game, Poker):
        raise asked.unanswered
    rankings, hands = asked.game.rankings(asked.options), asked.case.get("cards")
    if not hands:
        raise LookupError("a ranking case names hands in `cards`")
    board = asked.case.get("board") or (hands.get("board") if isinstance(hands, Mapping) else None) or ()
    ranks: dict[Any, Any] = {}
    lows: dict[Any, Any] = {}
    winner: dict[Any, str] = {}
    for name, held in hands.items() if isinstance(hands, Mapping) else enumerate(hands):
        if name == "board":
            continue
        if not isinstance(held, Mapping):
            ranks[name], lows[name] = _documents(_ranked(rankings, held, board))
            continue
        found = {side: _ranked(rankings, cards, board) for side, cards in held.items()}
        documents = {side: _documents(ranked) for side, ranked in found.items()}
        ranks[name] = {side: rank for side, (rank, _) in documents.items()}
        lows[name] = {side: low for side, (_, low) in documents.items()}
        winner[name] = _better(found)
    more: dict[str, Any] = {"winner": winner}
    if rankings.high is not None and rankings.low is not None:
        more["low_ranks"] = lows
    return {"ranks": ranks, "more": more}


def _ranked(rankings: Rankings, held: Sequence[Any], board: Sequence[Any]) -> Ranked:
    hole, common = [card(str(code)) for code in held], [card(str(code)) for code in board]
    if rankings.use_hole is not None and not common:
        # Without a board the cards named are the hand, whichever of them were hole cards.
        qualifier = None if rankings.qualifier is None else RANKS.index(rankings.qualifier) + 2
        rankings = Rankings(rankings.high, rankings.low, qualifier=qualifier)
    return rankings.best_high(hole, common), rankings.best_low(hole, common)


def _documents(ranked: Ranked) -> tuple[list[str] | None, list[str] | None]:
    high, low = ranked
    rank = low if high is None else high
    return None if rank is None else rank.document(), None if low is None else low.names


def _better(found: Mapping[str, Ranked]) -> str:
    values = {side: low if high is None else high for side, (high, low) in found.items()}
    best = max(rank for rank in values.values() if rank is not None)
    sides = [side for side, rank in values.items() if rank == best]
    return sides[0] if len(sides) == 1 else TIE


# Events without a round: the same decisions, by what the case says of the card, the seat and the moment


def _board_ruling(act: Act, case: Mapping[str, Any], codes: Mapping[str, str]) -> str | None:
    event = str(act["event"])
    if codes.get(event) == FLOOR_DECISION:
        return FLOOR_DECISION
    count = act.get("count", len(act.get("cards") or ()) or 1)
    first_off = act.get("card") in (case.get("cards") or ())[:1]
    match event:
        case "hole_card_exposed_by_dealer" if first_off or act.get("after_cards") == 1:
            return codes.get("first_card_exposed", "misdeal")
        case "four_cards_on_flop":
            if "identified" not in act:
                return None
            return codes.get(event if act["identified"] else "five_or_more_cards_on_flop")
        case "extra_card_to_first_player" if count > 1:
            return "misdeal"
        case "extra_card_to_first_player" if not _is_first(act.get("seat"), case):
            return None
        case "extra_cards_dealt" if count <= 1:
            return None
    return codes.get(event)


def _is_first(seat: object, case: Mapping[str, Any]) -> bool:
    """Left of the button; so is a seat at no table."""
    table = case.get("table") or {}
    seats: list[int] = sorted(table.get("seats") or ())
    first = next((other for other in seats if other > table.get("button", 0)), seats[0] if seats else seat)
    return seat in (None, first)


def _stud_ruling(act: Act, codes: Mapping[str, str]) -> str | None:
    """By `street`, `action_taken`, `beyond`, and how many `cards`."""
    event = str(act["event"])
    ruled = codes.get(event)
    if ruled is None:
        return None
    street = str(act.get("street", "third"))
    match event:
        case "wrong_card_count" if street != "third":
            return "dead_hand"
        case "wrong_card_count" if act.get("action_taken"):
            return "seat_out_money_returned"
        case "card_to_dead_seat" if act.get("beyond"):
            return "misdeal"
        case "card_exposed" if street == "seventh" and act.get("first"):
            return "rest_up_betting"
        case "card_exposed" if street == "seventh":
            return "rest_down_betting" if act.get("all_in") else "rest_down_no_betting"
        case "card_exposed" if len(act.get("cards") or ()) > 1 or act.get("count", 1) > 1:
            return ANTE_RETURNED
    return ruled or None


def _draw_ruling(act: Act, case: Mapping[str, Any], options: DrawOptions) -> str | None:
    """What a hand lacks, which card was exposed. Any other event is judged in a round, where there is a table."""
    if "do" in act:
        raise LookupError("what people do is judged in a round, not by itself")
    event = str(act.get("event", SHORT_HAND))
    code, exposed = options.rulings.get(event), CARDS.get(str(act.get("card", "")))
    if event == SHORT_HAND and (code is not None or "event" not in act):
        return _missing(act, case, options)
    if event == "wrong_card_count" and code == FOULED_HAND:
        return code
    if "table" in case and not (code is not None and exposed is not None and event == BEFORE_DRAW):
        raise LookupError(f"{event} of {act.get('card') or 'no card'} is judged in a round, not by itself")
    if code is None:
        return options.unruled or None
    match event:
        case "wrong_card_count":
            return _six_cards(act, code)
        case "card_exposed" if act.get("on_draw") or act.get("phase") == DRAW:
            return options.rulings.get("card_exposed_on_draw", code) or None
        case "card_exposed" | "card_exposed_by_dealer" | "card_exposed_before_draw" if exposed is not None:
            kept = (JOKER if exposed.is_joker else rank_name(exposed.rank)) in options.keeps_exposed
            return (options.rulings.get(f"{event}_kept", "") if kept else code) or None
    return code or None


def _missing(act: Act, case: Mapping[str, Any], options: DrawOptions) -> str:
    holds, button = act.get("holds"), (case.get("table") or {}).get("button")
    held = len(holds) if isinstance(holds, list) else holds
    return missing_cards(
        act.get("missing", HAND - held if isinstance(held, int) else 1),
        is_button=act.get("seat") == button,
        action_taken=act.get("action_taken", options.action_taken),
        deal_complete=act.get("deal_complete", options.deal_complete),
    )


def _six_cards(act: Act, code: str) -> str:
    """At no table the one seat that has six cards is the first."""
    counts = act.get("counts")
    over = [count for count in counts.values() if count != HAND] if isinstance(counts, dict) else []
    if over.count(SIX) > 1:
        return "misdeal"
    is_known = act.get("known") is True and act.get("looked_at") is False
    return code if over == [SIX] and is_known else FLOOR_DECISION
