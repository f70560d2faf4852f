"""Cases of kind `procedures`: what a table does beside its rounds (docs/table/procedures.md).

    acts:   {event: player_away, seat: 3, minute: 0}, {event: player_back, seat: 3, minute: 20}
            {event: dead_spread}, {event: dealer_relief}, {event: shuffler_failure}, {event: deck_cut, count: 12}
            {floor: forfeit_seat, seat: 3, minute: 31}, {floor: approve_hands, seat: 3}, {floor: give_up_hands, seat: 3}
            {seat: 2, do: buy_in, cents: 10000}, or {buy_in: 2, cents: 10000}
            {shoe: loaded}; {cards: 2} or {cards: [9h, Kd]} leave the shoe; {minute: 31}: time passes
            {seats: [1, 2]}: who sits there now; {dealer: sam}: who signs on to deal
    expect: seats, player_dealer, stacks, away (seats), time_over (seats that the floor may take), hands (by seat, where
            the floor has decided), to_burn (cards), burned (cards), waiting_for (card, shoe, pack, wagers, bank_offer,
            floor), dead_spread, events (the kinds that were published), refused

`minute` is the time of an act, counted from the first; without one it is the time of the act before. A case that does
not begin with a shoe has one loaded, where the game uses one. No hand is dealt here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from controller.cases.acts import event_of
from controller.cases.notation import Case, case_options
from controller.engine import events as ev
from controller.engine.inputs import (
    AnyBody,
    BuyIn,
    CardOut,
    DealerSigned,
    FloorAct,
    Happening,
    Input,
    ShoeStarted,
    TableSet,
    TimePassed,
)
from controller.engine.procedures.conduct import MINUTE
from controller.engine.round.setup import Setup
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.rules import Ruleset

TABLE_KEYS = {"seats", "player_dealer", "button"}


def procedures_document(ruleset: Ruleset, case: Case) -> dict[str, Any]:
    """What a case of this kind comes to."""
    options, table = case.get("options") or {}, case.get("table") or {}
    setup = Setup(
        tuple(table.get("seats", ())),
        table.get("player_dealer"),
        table.get("button"),
        {key: value for key, value in table.items() if key not in TABLE_KEYS},
    )
    engine: TableEngine[Any] = TableEngine(
        ruleset.game,
        case_options(ruleset, case),
        TableState(setup),
        ruleset.slug,
        procedures=ruleset.procedures(options),
    )
    acts = case.get("acts") or ()
    minute, events, refused = 0, list[ev.Event](), []
    if ruleset.game.uses_shoe and not any("shoe" in act for act in acts[:1]):
        engine.apply(Input(0, "case", ShoeStarted()))
    for nth, act in enumerate(acts):
        minute = int(act.get("minute", minute))
        for body in _bodies(act):
            caused = engine.apply(Input(minute * MINUTE, "case", body))
            events += caused
            why = next((event.why for event in caused if isinstance(event, ev.Refused)), None)
            if why is not None:
                refused.append({"act": nth, "why": why})
    return {
        **_state(engine),
        "events": [str(type(event).__struct_config__.tag) for event in events],
        "refused": refused,
    }


def _state(engine: TableEngine[Any]) -> dict[str, Any]:
    state, conduct = engine.state, engine.state.conduct
    stacks = state.setup.settings.get("stacks") or {}
    burn = conduct.burn
    return {
        "seats": list(state.setup.seats),
        "player_dealer": state.setup.player_dealer,
        "stacks": {int(seat): cents for seat, cents in stacks.items()},
        "away": sorted(map(int, conduct.away)),
        "time_over": sorted(int(seat) for seat, absence in conduct.away.items() if absence.is_over),
        "hands": {int(seat): hands for seat, hands in conduct.hands.items()},
        "to_burn": 0 if burn is None else burn.cards - burn.done,
        "burned": 0 if state.shoe is None else len(state.shoe.since_hand),
        "dead_spread": conduct.dead_spread or None,
        "waiting_for": str(type(engine.expectation.wants[0]).__struct_config__.tag),
    }


def _bodies(act: Mapping[str, Any]) -> list[AnyBody]:
    """What happens with one act; time alone may pass."""
    match act:
        case {"cards": int() as count}:
            return [CardOut(None)] * count
        case {"cards": list() as cards}:
            return [CardOut(str(card)) for card in cards]
        case {"shoe": _}:
            return [ShoeStarted(act.get("decks"))]
        case {"seats": seats}:
            return [TableSet(tuple(seats))]
        case {"dealer": name}:
            return [DealerSigned(str(name))]
        case {"floor": do}:
            return [FloorAct(str(do), str(act.get("reason", "")), act.get("seat"))]
        case {"buy_in": seat}:
            return [BuyIn(seat, act["cents"])]
        case {"do": "buy_in" | "rebuy" | "re_buy" | "short_rebuy", "seat": seat}:
            return [BuyIn(seat, act["cents"])]
        case {"event": _}:
            facts = {key: act[key] for key in act if key not in ("event", "seat", "minute")}
            return [Happening(event_of(act), act.get("seat"), facts=facts)]
    return [TimePassed()]
