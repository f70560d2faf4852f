"""What a seat may do in a betting situation that a case describes, in any of California Grand's poker games.

Sheet: calgrand-betting-structures, sections 2 to 4 and 9 (`legality`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from controller.cases.answers.question import Document, Question
from controller.engine.betting.betting_round import Action
from controller.engine.betting.rules import BetRound, FixedLimit, Structure
from controller.engine.money.pots import Purse
from controller.engine.round.felt import Script, Table
from controller.games.poker.core.structures import BettingStructures, StructureOptions


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


class Situations(BettingStructures):
    """The seat to act of a situation is asked, so that what it may not do is refused by section 8."""

    def play(self, t: Table, options: StructureOptions) -> Script:
        if "to_act" in t.setup.settings:
            situation = _situation(t.setup.settings)
            action = t.script_state = _action(options, situation)
            choices, barred = action.choices(situation.to_act)
            act = yield from t.ask(situation.to_act, choices, barred=barred)
            action.take(situation.to_act, act.do, act.to)
        yield from super().play(t, options)

    def to_call(self, t: Table, seat: int) -> int | None:
        action = t.script_state
        return action.price - action.put_in[seat] if isinstance(action, Action) else None


def betting_structures(asked: Question[StructureOptions]) -> Document:
    """Every choice of the seat to act."""
    if asked.kind != "legality":
        raise asked.unanswered
    situation = _situation(asked.case["table"])
    return {"legal": _action(asked.options, situation).legal(situation.to_act).document()}


def _situation(table: Mapping[str, Any]) -> Situation:
    try:
        return msgspec.convert(table, Situation, str_keys=True)
    except msgspec.ValidationError as error:
        raise LookupError(f"table: {error}") from None


def _action(options: StructureOptions, situation: Situation) -> Action:
    """The betting round as it is now."""
    round = _round(options, situation)
    rules, seat = options.betting(situation.structure), situation.to_act
    stacks = dict.fromkeys(situation.all_in, 0) | situation.behind
    seats = list(dict.fromkeys([seat, *situation.put_in, *stacks]))
    forced = isinstance(situation.structure, FixedLimit) and situation.structure.forced is not None
    action = Action(rules, round, Purse(seats, stacks), seats, opener=seat if forced and round.first else None)
    action.put_in |= situation.put_in
    action.purse.pot = situation.pot
    action.current = max(situation.put_in.values(), default=0) if situation.current is None else situation.current
    action.raises = situation.raises
    if situation.last_full is not None:
        action.last_full = situation.last_full
    action.level = action.full_level(set(situation.all_in))
    action.bettors = set(situation.bettors)
    action.acted = {*situation.bettors, *situation.acted}
    full = max(
        (situation.put_in.get(bettor, 0) for bettor in situation.bettors if bettor not in situation.all_in), default=0
    )
    if full:  # who has as much in as the last full bet or raise has called it
        action.acted |= {other for other, cents in situation.put_in.items() if cents >= full}
    action.checked = set(situation.checked)
    action.open_pairs = frozenset(situation.open_pair)
    return action


def _round(options: StructureOptions, situation: Situation) -> BetRound:
    rounds = options.rounds.get(situation.game)
    if rounds is None:
        raise LookupError(f"{situation.game!r} is no game of this sheet; there is {', '.join(options.rounds)}")
    for round in rounds:
        if round.name == situation.round:
            return round
    raise LookupError(f"{situation.game} has no round {situation.round!r}; it has {', '.join(r.name for r in rounds)}")
