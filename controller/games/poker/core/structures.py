"""The sheet of California Grand's betting structures, as a ruleset of its own.

It is no game that can be dealt: it answers what a seat may do in a situation that is told, not played, in any of the
room's poker games. The rounds of those games are data of the ruleset (`[sheet.rounds]`).

Sheet: calgrand-betting-structures, sections 2 to 4 and 9 (`kind: legality`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from controller.engine.betting.betting_round import Action
from controller.engine.betting.rules import BetRound, BettingRules, FixedLimit, Legal, Structure
from controller.engine.cards.card import standard_deck
from controller.engine.expect.expectation import Expectation, WantFloor
from controller.engine.money.pots import Purse
from controller.engine.round.felt import Script, Table
from controller.engine.round.game import Game
from controller.games.poker.core.options import PokerOptions


class StructureOptions(PokerOptions, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a table may choose about betting, and the betting rounds of every game that uses the sheet."""

    opener_may_bring_in_low: bool = True
    rounds: dict[str, tuple[BetRound, ...]]

    def betting(self, structure: Structure) -> BettingRules:
        rules = super().betting(structure)
        return msgspec.structs.replace(rules, opener_may_bring_in_low=self.opener_may_bring_in_low)


class Situation(Struct, frozen=True, rename={"put_in": "in"}):
    """`table` of a legality case: the state of the sheet's section 3, and who is to act."""

    game: str
    round: str
    structure: Structure
    to_act: int
    put_in: dict[int, int] = {}
    behind: dict[int, int] = {}
    current: int | None = None
    """Absent: the most that a seat has in."""
    last_full: int | None = None
    pot: int = 0
    all_in: tuple[int, ...] = ()
    bettors: tuple[int, ...] = ()
    acted: tuple[int, ...] = ()
    checked: tuple[int, ...] = ()
    raises: int = 0
    open_pair: tuple[int, ...] = ()


class BettingStructures(Game[StructureOptions]):
    """Answers legality cases; a table that posts it as its game waits for the floor."""

    slug = "betting-structures"
    title = "Betting structures"
    options_type = StructureOptions

    def deck(self, options: StructureOptions) -> dict[str, int]:
        return {card.code: 1 for card in standard_deck()}

    def play(self, t: Table, options: StructureOptions) -> Script:
        """The seat to act of a situation is asked, so that what it may not do is refused by section 8."""
        settings = t.setup.settings
        if "to_act" in settings:
            told = _situation(settings)
            action = t.script_state = _action(options, told)
            choices, barred = action.choices(told.to_act)
            act = yield from t.ask(told.to_act, choices, barred=barred)
            action.take(told.to_act, act.do, act.to)
        while True:
            yield Expectation((WantFloor("no_game", "betting structures are no game; choose a game", choices=()),))

    def answer(self, kind: str, case: Mapping[str, Any], options: StructureOptions) -> dict[str, Any]:
        if kind != "legality":
            return super().answer(kind, case, options)
        return {"legal": legal(options, _situation(case["table"])).document()}

    def to_call(self, t: Table, seat: int) -> int | None:
        action = t.script_state
        return action.price - action.put_in[seat] if isinstance(action, Action) else None


def _situation(table: Mapping[str, Any]) -> Situation:
    try:
        return msgspec.convert(table, Situation, str_keys=True)
    except msgspec.ValidationError as error:
        raise LookupError(f"table: {error}") from None


def legal(options: StructureOptions, told: Situation) -> Legal:
    """Every choice of the seat to act."""
    return _action(options, told).legal(told.to_act)


def _action(options: StructureOptions, told: Situation) -> Action:
    """The betting round as it stands."""
    round = _round(options, told)
    rules, seat = options.betting(told.structure), told.to_act
    stacks = dict.fromkeys(told.all_in, 0) | told.behind
    seats = list(dict.fromkeys([seat, *told.put_in, *stacks]))
    forced = isinstance(told.structure, FixedLimit) and told.structure.forced is not None
    action = Action(rules, round, Purse(seats, stacks), seats, opener=seat if forced and round.first else None)
    action.put_in |= told.put_in
    action.purse.pot = told.pot
    action.current = max(told.put_in.values(), default=0) if told.current is None else told.current
    action.raises = told.raises
    if told.last_full is not None:
        action.last_full = told.last_full
    action.level = action.full_level(set(told.all_in))
    action.bettors = set(told.bettors)
    action.acted = {*told.bettors, *told.acted}
    full = max((told.put_in.get(bettor, 0) for bettor in told.bettors if bettor not in told.all_in), default=0)
    if full:  # who has as much in as the last full bet or raise has called it
        action.acted |= {other for other, cents in told.put_in.items() if cents >= full}
    action.checked = set(told.checked)
    action.open_pairs = frozenset(told.open_pair)
    return action


def _round(options: StructureOptions, told: Situation) -> BetRound:
    rounds = options.rounds.get(told.game)
    if rounds is None:
        raise LookupError(f"{told.game!r} is no game of this sheet; there is {', '.join(options.rounds)}")
    for round in rounds:
        if round.name == told.round:
            return round
    raise LookupError(f"{told.game} has no round {told.round!r}; it has {', '.join(r.name for r in rounds)}")
