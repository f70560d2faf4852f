"""Cases of kind `rotation`: who may bank the next hand after some hands and answers.

    acts:   {hand: settled} or {hand: void}, with `wagers`: who bet, as [2, "3.2"]; not given: nobody recorded it
            {takes: 3, declined: [1, 2]}, {declined: [1, 2]}, {declined: all}
            {person: 8, name: Ann, badge: "4711", firm: Blue Bank, another: true}
            {player_dealer: 3}: the house sets it; null: nobody has the position
            {floor: resume, reason: half an hour}
    expect: kind, direction, player_dealer, place (with the square), hand (1 or 2: the bank button of the next hand),
            waiting, offered, declined, broken, refused

A hand here has no cards: whether it may begin is the question.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from controller.cases.notation import Case
from controller.engine import events as ev
from controller.engine.bank.banking import Banking
from controller.engine.expect.bank import WantBank
from controller.engine.inputs import AnyBody, BankAnswered, FloorAct, Input, PersonNamed, TableSet, place_of
from controller.engine.round.setup import Setup
from controller.engine.table.current_round import bank_offer
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.rules import Ruleset


def rotation_document(ruleset: Ruleset, case: Case) -> dict[str, Any]:
    """What a case of this kind comes to."""
    options, table = case.get("options") or {}, case.get("table") or {}
    rotation = ruleset.rotation(options)
    if rotation is None:
        raise LookupError(f"{ruleset.slug} has no player-dealer's position")
    setup = Setup(tuple(table.get("seats", ())), table.get("player_dealer"))
    engine: TableEngine[Any] = TableEngine(
        ruleset.game, ruleset.options(options), TableState(setup), ruleset.slug, rotation=rotation
    )
    refused = []
    for nth, act in enumerate(case.get("acts") or ()):
        why = _deal(engine, act) if "hand" in act else _refusal(engine, _body(engine, act))
        if why is not None:
            refused.append({"act": nth, "why": why})
    banking, banker = _banking(engine), engine.bank.banker
    waits = _offer(engine)
    return {
        "kind": rotation.kind,
        "direction": rotation.direction,
        "player_dealer": engine.state.setup.player_dealer,
        "place": banking.place,
        "hand": None if banker is None or waits is not None else banker.hand,
        "waiting": waits is not None,
        "offered": list(banking.offered),
        "declined": list(engine.state.turns.declined),
        "broken": engine.state.turns.broken_at is not None,
        "refused": refused,
    }


def _banking(engine: TableEngine[Any]) -> Banking:
    banking = engine.rules.banking(engine.state)
    assert banking is not None
    return banking


def _offer(engine: TableEngine[Any]) -> WantBank | None:
    return next((want for want in engine.expectation.wants if isinstance(want, WantBank)), None)


def _deal(engine: TableEngine[Any], act: Mapping[str, Any]) -> str | None:
    """One hand, or why it may not begin."""
    offer = _offer(engine)
    if offer is not None:
        return offer.no_hand().why
    wagers = act.get("wagers")
    bettors = None if wagers is None else tuple(place_of(place) for place in wagers)
    engine.lasting.change(turns=_banking(engine).after_hand(bettors, void=act["hand"] == "void"))
    engine.current.prepare()
    return None


def _body(engine: TableEngine[Any], act: Mapping[str, Any]) -> AnyBody:
    match act:
        case {"person": place}:
            named = {key: act[key] for key in ("name", "badge", "firm", "another") if key in act}
            return PersonNamed(place, **named)
        case {"player_dealer": seat}:
            return TableSet(player_dealer=seat)
        case {"floor": do}:
            return FloorAct(do, act.get("reason", ""))
        case {"declined": "all"}:
            return BankAnswered(declined=bank_offer(_banking(engine)).unasked)
    return BankAnswered(act.get("takes"), tuple(act.get("declined") or ()))


def _refusal(engine: TableEngine[Any], body: AnyBody) -> str | None:
    events = engine.apply(Input(1000, "case", body))
    return next((event.why for event in events if isinstance(event, ev.Refused)), None)
