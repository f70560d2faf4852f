"""What a ruleset says that no hand changes: read once, and kept while its table plays by it.

Every hand asks the same of its options, and every table posts the same stakes evening after evening. A `Sheet` has the
answers as plain attributes, and remembers the structures that were posted and what betting by them means. No Struct is
defined here, so that it can be compiled.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from controller.engine.betting.rules import BettingRules, Structure
from controller.engine.money.pots import OddChips
from controller.games.poker.core.options import FORCED_KILLS, PokerOptions

_MOST_STAKES: Final = 64
"""Structures remembered of one ruleset; a tournament's levels are fewer."""
_MOST_SHEETS: Final = 64


class Stakes:
    """A structure that is bet by, with the ruleset's rules and as the facts tell it."""

    __slots__ = ("document", "rules")

    def __init__(self, rules: BettingRules) -> None:
        self.rules = rules
        self.document: dict[str, Any] = msgspec.to_builtins(rules.structure)


class Sheet:
    """The options of one ruleset, as the hands of its table ask for them."""

    def __init__(self, options: PokerOptions) -> None:
        self.options = options
        self.most_seats = options.most_seats
        self.schedule = schedule = options.schedule
        self.cards_speak = options.showdown == "cards_speak"
        self.burn = options.burn
        self.chip = options.chip_unit
        self.odd_chips: OddChips = "one_each" if options.odd_chip == "one_each_from_button" else "all_to_first"
        self.odd_to_highest_card = options.odd_chip == "highest_card"
        self.high_qualifier = options.high_qualifier
        self.posts = options.posts
        self.kills = options.kills
        self.has_forced_kill = any(kind in FORCED_KILLS for kind in options.kills)
        self.returning = frozenset(options.returning_after_missed_blinds)
        self.blind_sizes = options.blinds or (schedule.blinds if schedule is not None else None) or ()
        self.structure: object = options.structure
        """What is played where the table posts nothing else: the ruleset's, or by the stakes of its schedule."""
        stakes = schedule.stakes if schedule is not None and schedule.structure in (None, "limit") else None
        if self.structure is None and stakes is not None:
            self.structure = {"kind": "fixed_limit", "low": stakes[0], "high": stakes[1]}
        elif self.structure is None and schedule is not None and schedule.structure == "no_limit":
            # What it takes to come in is its big blind.
            self.structure = {"kind": "no_limit"}
        self._structures: dict[tuple[tuple[str, object], ...], Structure] = {}
        self._stakes: dict[Structure, Stakes] = {}

    def stakes(self, structure: Structure) -> Stakes:
        """What betting by this structure means."""
        known = self._stakes.get(structure)
        if known is None:
            if len(self._stakes) >= _MOST_STAKES:
                self._stakes.clear()
            known = self._stakes[structure] = Stakes(self.options.betting(structure))
        return known

    def known_structure(self, told: object) -> Structure | None:
        """The structure in force that was read before from the same words; None: read it."""
        key = _key(told)
        return None if key is None else self._structures.get(key)

    def keep_structure(self, told: object, structure: Structure) -> None:
        key = _key(told)
        if key is not None:
            if len(self._structures) >= _MOST_STAKES:
                self._structures.clear()
            self._structures[key] = structure


def _key(told: object) -> tuple[tuple[str, object], ...] | None:
    """Posted words that can be compared; 200 is not 200.0 or true here, though Python says so."""
    if told is None:
        return ()
    if type(told) is not dict:
        return None
    for value in told.values():
        if type(value) is not int and type(value) is not str:
            return None
    return tuple(told.items())


_SHEETS: Final[dict[int, tuple[PokerOptions, Sheet]]] = {}
"""By the identity of the options, which are kept beside it: to compare them would take longer than to read them."""


def sheet_of(options: PokerOptions) -> Sheet:
    """The sheet of these options; equal options have the same one."""
    known = _SHEETS.get(id(options))
    if known is not None and known[0] is options:
        return known[1]
    sheet: Sheet | None = None
    for other, read in _SHEETS.values():
        if type(other) is type(options) and other == options:
            sheet = read
            break
    if len(_SHEETS) >= _MOST_SHEETS:
        _SHEETS.clear()
    if sheet is None:
        sheet = Sheet(options)
    _SHEETS[id(options)] = options, sheet
    return sheet
