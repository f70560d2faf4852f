"""Cases of kind `jackpot`: what is in the meters after some hands and what the floor stated.

    jackpots: the house's rules, as in the configuration; none: a fee is counted without rules
    options:  the posted schedule, as `schedule`
    acts:     {hand: settled, wagers: {2: 1000}}, or {hand: void, wagers: ...}: a hand with these base wagers; the
              posted schedule decides about its fees
              {hit: quads, jackpot: bad-beat, round: 1, seats: {winner: [2]}}
              {adjust: 500} or {adjust: -500}, with `pool`: main or reserve
              {fee: kept, round: 2} or {fee: back, round: 2}: of a void hand
    expect:   meters: {bad-beat: {main, reserve, seeded, contributed, paid, adjusted}}; paid: cents by seat of each hit;
              aside: cents by void round; refused

A hand here has no cards: what its jackpot fee does is the question.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from controller.cases.notation import Case
from controller.engine import events as ev
from controller.engine.fees import ledger
from controller.engine.fees.banked import Stake, assess
from controller.engine.fees.round_fees import RoundFees
from controller.engine.fees.schedule import JACKPOT
from controller.engine.inputs import AnyBody, Input
from controller.engine.jackpot.rules import Jackpot
from controller.engine.jackpot_inputs import JackpotAdjust, JackpotFee, JackpotHit
from controller.engine.round.setup import Setup
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.rules import Ruleset


def jackpot_document(ruleset: Ruleset, case: Case) -> dict[str, Any]:
    """What a case of this kind comes to."""
    table = case.get("table") or {}
    jackpots = msgspec.convert(case.get("jackpots") or (), tuple[Jackpot, ...])
    setup = Setup(tuple(table.get("seats", ())), table.get("player_dealer"), jackpots=jackpots)
    options = ruleset.options(case.get("options") or {})
    engine: TableEngine[Any] = TableEngine(ruleset.game, options, TableState(setup), ruleset.slug)
    refused, paid = [], []
    for nth, act in enumerate(case.get("acts") or ()):
        if "hand" in act:
            _deal(engine, act)
            continue
        for event in engine.apply(Input(1000, "floor:case", _body(act))):
            if isinstance(event, ev.Refused):
                refused.append({"act": nth, "why": event.why})
            elif isinstance(event, ev.JackpotPaid):
                paid.append({seat: share.each for share in event.shares for seat in share.seats})
    kept = engine.state.jackpots
    meters = {name: {**msgspec.structs.asdict(meter)} for name, meter in kept.meters.items()}
    return {"meters": meters, "paid": paid, "aside": kept.fees_aside, "refused": refused}


def _deal(engine: TableEngine[Any], act: Mapping[str, Any]) -> None:
    """One hand that is over: what its wagers owe by the posted schedule."""
    state, schedule, void = engine.state, engine.rules.schedule, act["hand"] == "void"
    if schedule is None:
        raise LookupError("options.schedule: post the schedule whose jackpot fee is counted")
    wagers: Mapping[int, int] = act.get("wagers") or {}
    stakes, places = [Stake(place, "base", "base", cents) for place, cents in wagers.items()], list(wagers)
    due = assess(schedule, stakes, None, dealt=places, first_action=places[0] if places else None)
    fees = RoundFees([], state.fees_carried)
    fees.owe(schedule, [charge for charge in due.owed() if charge.box == JACKPOT])
    if void:
        fees.void()
    engine.lasting.change(rounds=state.rounds + 1, fees_due=ledger.added(state.fees_due, fees.owed))
    engine.jackpots.count_fees(fees, void=void)
    engine.lasting.change(fees_carried=fees.carry(void=void))


def _body(act: Mapping[str, Any]) -> AnyBody:
    reason, jackpot = act.get("reason", "looked at"), act.get("jackpot", "")
    match act:
        case {"hit": prize}:
            seats = {to: tuple(named) for to, named in (act.get("seats") or {}).items()}
            return JackpotHit(jackpot, prize, act["round"], act.get("cards", "as it was shown"), seats, reason)
        case {"adjust": cents}:
            return JackpotAdjust(jackpot, reason, max(0, cents), max(0, -cents), act.get("pool", "main"))
        case {"fee": what}:
            return JackpotFee(act["round"], what == "kept", reason)
    raise LookupError(f"acts: expected one of hand, hit, adjust and fee, got {dict(act)}")
