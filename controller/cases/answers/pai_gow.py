"""Pai gow poker: hands by rank and by their Fortune row (`ranking`), how the house way sets them and by which row
(`house_way`), events and settings by their ruling (`legality`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from controller.cases.answers.question import Answers, Document, Question
from controller.engine.cards.card import card, codes
from controller.engine.ranking import Rank
from controller.games.pai_gow.options import FORTUNE, PaiGowOptions
from controller.games.pai_gow.piles import CARDS_IN_A_PILE
from controller.games.pai_gow.rulings import EXPOSED, FLOOR_DECISION, exposed_word
from controller.games.pai_gow.script import PaiGowPoker

FRONT = 2


def pai_gow(asked: Question[PaiGowOptions]) -> Document:
    match asked.kind:
        case "ranking":
            return _name_hands(asked.case, asked.options)
        case "house_way" if asked.options.setter is not None:
            return _set_hands(asked.case["cards"], asked.options)
        case "legality":
            return _ruled(asked)
    raise asked.unanswered


ANSWERS: Answers = {PaiGowPoker: pai_gow}


def _ruled(asked: Question[PaiGowOptions]) -> Document:
    options = asked.options
    rulings = [_ruling_alone(act, options, asked.player_dealer) for act in asked.acts]
    left = [str(code) for code in asked.case.get("cards") or ()]
    one = options.exposed.one if options.exposed is not None else None
    first = left[0] if left and rulings[:1] == [one] else None
    document: Document = {"rulings": rulings, "more": {"replacement_in_first": first}}
    if "refused" in asked.case["expect"]:
        # Settings of hands without a table: which of them the sheet does not allow.
        foul = [act for act, ruling in enumerate(rulings) if ruling == "foul_set"]
        document["refused"] = [{"act": act, "why": "foul_set"} for act in foul]
    return document


def _name_hands(case: Mapping[str, Any], options: PaiGowOptions) -> Document:
    """Two or five cards by their rank, a hand that is set by both; of two hands `a` and `b` the better; seven by their
    row of the bonus table."""
    ranks: dict[Any, Any] = {}
    winner: dict[Any, str] = {}
    rows: dict[Any, str] = {}
    for name, cards in case["cards"].items():
        if isinstance(cards, Mapping):
            found = {side: _rank(held, options) for side, held in cards.items()}
            ranks[name] = {side: rank.document() for side, rank in found.items()}
            a, b = found["a"].strength, found["b"].strength
            winner[name] = "copy" if a == b else "a" if a > b else "b"
        elif all(isinstance(part, list) for part in cards):
            ranks[name] = [_rank(part, options).document() for part in cards]
        elif len(cards) == CARDS_IN_A_PILE:
            rows[name] = options.bonus.hand([card(str(code)) for code in cards])
        else:
            ranks[name] = _rank(cards, options).document()
    more: dict[str, Any] = {"winner": winner, "fortune_hand": rows}
    stake = (case.get("wagers") or {}).get(FORTUNE)
    if stake is not None:
        more["fortune_net"] = {name: options.payoff(row, stake) or -stake for name, row in rows.items()}
    return {"ranks": ranks, "more": more}


def _rank(cards: Sequence[Any], options: PaiGowOptions) -> Rank:
    ranking = options.ranking.front if len(cards) == FRONT else options.ranking.back
    return ranking.rank([card(str(code)) for code in cards])


def _set_hands(cards: Mapping[Any, Any], options: PaiGowOptions) -> Document:
    assert options.setter is not None
    settings = {name: options.setter.set([card(str(code)) for code in dealt]) for name, dealt in cards.items()}
    return {
        "hands": {str(name): [codes(setting.front), codes(setting.back)] for name, setting in settings.items()},
        "ranks": {
            str(name): [setting.front_rank.document(), setting.back_rank.document()]
            for name, setting in settings.items()
        },
        "more": {
            "front": {name: codes(setting.front) for name, setting in settings.items()},
            "house_way_row": {name: setting.row for name, setting in settings.items()},
            "explained": {name: setting.explained for name, setting in settings.items()},
        },
    }


def _ruling_alone(act: Mapping[str, Any], options: PaiGowOptions, player_dealer: object) -> str:
    """The ruling on one event, or one setting, without a round: `none` where nothing is wrong."""
    if act.get("do") == "set":
        return "foul_set" if _is_foul(act, options) else "none"
    if "event" not in act:
        raise LookupError(f"{act.get('do')}: only a happening or a setting is judged by itself")
    code = str(act["event"])
    if code in EXPOSED and options.exposed is not None and code in options.rulings:
        return exposed_word(options.exposed, [card(str(name)) for name in _named(act)])
    if code == "exposed_while_distributing" and act.get("seat") in (player_dealer, "player_dealer"):
        return FLOOR_DECISION
    return options.rulings.get(code, FLOOR_DECISION)


def _named(act: Mapping[str, Any]) -> list[str]:
    return [*act.get("cards", ()), *([act["card"]] if "card" in act else ())]


def _is_foul(act: Mapping[str, Any], options: PaiGowOptions) -> bool:
    hand: Sequence[Any] = act.get("hand") or act.get("cards") or []
    in_two = len(hand) == 2 and all(isinstance(part, list) for part in hand)
    parts = (hand[0], hand[1]) if in_two else (act["front"], act.get("back") or hand)
    front, rest = ([card(str(name)) for name in part] for part in parts)
    back = rest if in_two or "back" in act else [other for other in rest if other not in front]
    if len(front) != 2 or len(back) != 5:
        return True
    return not options.ranking.arrange([*front, *back], front).is_legal
