"""Irregularities: what may be reported, what the room rules, and what is done.

The rulings of a sheet that turn on what is known of the event are asked of the function that rules them. What is done
otherwise is the text of the procedure that does it.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from controller.engine.round.game import Game
from controller.games.blackjack import rulings as village
from controller.games.blackjack.buster_game import BusterRules
from controller.games.blackjack.century import CenturyRules
from controller.games.chinese_poker import rulings as chinese
from controller.games.chinese_poker.options import ChineseOptions
from controller.games.pai_gow import rulings as pai_gow
from controller.games.poker.core import rulings as poker
from controller.games.poker.core.options import PokerOptions
from controller.games.poker.draw import rulings as draw
from controller.games.poker.stud import rulings as stud
from controller.packet.document import Block, Grid, Paragraph
from controller.packet.facts import Source
from controller.packet.values import words

FLOOR = "the floor decides"
Known = Mapping[str, Any]
VILLAGE: Mapping[str, tuple[tuple[str, Known], ...]] = {
    "unwanted_hit": (
        ("a remaining player wants a hit", {"remaining_players_want_hit": True}),
        ("nobody wants it, the player-dealer has to hit", {"player_dealer_total": "hard 12"}),
        ("nobody wants it, the player-dealer has to stand", {"player_dealer_total": "hard 20"}),
    ),
    "player_dealer_card_count": (
        ("the cards can be backed up", {"can_back_up": True}),
        ("they cannot", {"can_back_up": False}),
    ),
    "dealer_started_out_of_position": (
        ("the cards can be backed up", {"can_back_up": True}),
        ("they cannot", {"can_back_up": False}),
    ),
    "both_player_dealer_cards_exposed": (
        ("before anybody drew", {"when": "before_any_draw"}),
        ("later", {"when": "before_draw_complete"}),
    ),
    "two_hit_cards": (
        ("it is known which came first", {"order_known": True}),
        ("it is not known", {"order_known": False}),
    ),
    "cut_card": (("during a hand", {"when": "during_hand"}), ("between two hands", {"when": "between_hands"})),
}
CHINESE: Mapping[str, tuple[tuple[str, Known], ...]] = {
    "cards_exposed_by_dealer": (
        ("one card", {"count": 1}),
        (f"{chinese.TOO_MANY} cards or more", {"count": chinese.TOO_MANY}),
    ),
    "boxed_cards": (("one card", {"count": 1}), (f"{chinese.TOO_MANY} cards or more", {"count": chinese.TOO_MANY})),
    "wrong_card_count": (("before the showdown", {}), ("at the showdown", {"when": "showdown"})),
    "duplicate_card": (("both in one hand", {"same_player": True}), ("in two hands", {"same_player": False})),
}


def irregularities(game: Game[Any], options: Any, source: Source) -> list[Block]:
    codes = game.happenings(options)
    named = getattr(options, "rulings", None)
    room: Mapping[str, Any] = named if isinstance(named, dict) else {}
    rows = tuple(_row(code, room, _what_is_done(game, options, code), source) for code in codes)
    word = words(game.unruled(options).lower())
    silent = f" (the sheet's word: {word})" if word else ""
    rest = Paragraph(
        f"Whatever the text does not rule holds the table until {FLOOR}{silent}; a void round gives every wager back."
    )
    if not rows:
        return [Paragraph("The text rules no irregularity by name."), rest]
    return [
        Grid("Irregularities that the text or the house rules name", ("event", "ruling", "what is done", "line"), rows),
        rest,
    ]


def _row(code: str, room: Mapping[str, Any], done: str, source: Source) -> tuple[str, ...]:
    """The line is the ruling's; else those that the text of the procedure names."""
    lines = source.line(f"sheet.rulings.{code}") or ", ".join(LINES_NAMED.findall(done))
    return words(code), _ruling(code, room), done, lines


LINES_NAMED = re.compile(r"\((?:[A-Z]+-\d+, )?(?:L|\d{3}: ?)?(\d{2,4}(?:-\d+)?)\)")
"""Lines in the text of a procedure, as `(215-230)` or `(L1604)`."""


def _ruling(code: str, room: Mapping[str, Any]) -> str:
    found = room.get(code)
    return words(found.lower()) if isinstance(found, str) and found else ""


def _what_is_done(game: Game[Any], options: Any, code: str) -> str:
    match options:
        case BusterRules():
            return _what_is_done(options.base.game, options.base.options, code)
        case CenturyRules():
            return "; ".join(_village(code, options))
        case ChineseOptions():
            return "; ".join(_by_facts(CHINESE.get(code, (("", {}),)), lambda facts: chinese.ruling_on(code, facts)))
    if isinstance(options, PokerOptions) and options.rulings.get(code, poker.FLOOR_DECISION) == poker.FLOOR_DECISION:
        return FLOOR
    return _text_of(_procedure(game, code)) or FLOOR


def _village(code: str, options: CenturyRules) -> Iterator[str]:
    if code == "abandoned":
        yield f"hit to a total of {options.abandoned_hits}, then stand"
        return
    yield from _by_facts(VILLAGE.get(code, (("", {}),)), lambda facts: village.ruling_on(code, facts, options))


def _by_facts(cases: tuple[tuple[str, Known], ...], ruled: Callable[[Known], str]) -> Iterator[str]:
    for known, facts in cases:
        yield f"{known}: {words(ruled(facts))}" if known else words(ruled(facts))


def _procedure(game: Game[Any], code: str) -> Any:
    """The function that does it: the families of poker and pai gow have one entry for all of theirs."""
    entry = game.rulings[code]
    tables = {poker.rule: poker.PROCEDURES, draw.rule: draw.PROCEDURES, stud.rule: stud.PROCEDURES}
    if entry is pai_gow.ruled:
        return pai_gow.EFFECTS.get(code)
    found = next((table for rule, table in tables.items() if rule is entry), None)
    return entry if found is None else found.get(code)


def _text_of(function: Any) -> str:
    if isinstance(function, partial):
        function = function.func
    return " ".join((inspect.getdoc(function) or "").split()) if function is not None else ""
