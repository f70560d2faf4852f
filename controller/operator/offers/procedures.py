"""Procedures beside the rounds as buttons: burns, absence, the hands of one player, buy-ins, the cut."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from controller.engine.procedures.rules import (
    APPROVE_HANDS,
    AWAY,
    BACK,
    DEAD_SPREAD,
    DECK_CUT,
    FORFEIT,
    GIVE_UP_HANDS,
    RELIEF,
    SHUFFLER_FAILURE,
)
from controller.engine.table.engine import TableEngine
from controller.operator.offers.offer import Ask, Offer, Pick
from controller.operator.roles import Right

REASON = Ask("reason", "text", "Why")


def procedure_offers(engine: TableEngine[Any]) -> Iterator[Offer]:
    """What people may report and the floor may decide now, by the text of this table."""
    beside = engine.expectation.at_any_time
    for code in beside.procedures:
        yield from _of(code, engine)
    if beside.buys_in:
        printed = engine.game.buy_ins(engine.options)
        seat = Ask("seat", "pick", "Which seat", picks=_seats(engine.state.setup.seats))
        cents = Ask("cents", "cents", "How much", min=1 if printed is None else printed.short)
        yield Offer("buy_in", "Buy-in", Right.SEAT, {"kind": "buy_in"}, "table", asks=(seat, cents))


def _of(code: str, engine: TableEngine[Any]) -> Iterator[Offer]:
    state, dealing = engine.state, engine.is_dealing
    conduct, setup = state.conduct, state.setup
    taken = sorted({*setup.seats, *(() if setup.player_dealer is None else (setup.player_dealer,))})
    match code:
        case "dealer_relief":
            yield _report(RELIEF, "Another dealer takes over")
        case "dead_spread" if not dealing and not conduct.dead_spread:
            sure = "Only the player-dealer is left. Shuffle and load a new shoe?"
            yield _report(DEAD_SPREAD, "Dead spread", sure=sure)
        case "shuffler_failure":
            yield _report(SHUFFLER_FAILURE, "The shuffler does not work")
        case "deck_cut" if not (dealing and engine.round is not None and engine.round.table.left):
            least = engine.rules.procedures.cut_least
            yield _report(DECK_CUT, f"The deck is cut, {least} cards or more from either end")
        case "player_away":
            here = [seat for seat in taken if str(seat) not in conduct.away]
            if here:
                yield _report(AWAY, "A player is away", _who(here))
        case "player_back":
            if conduct.away:
                yield _report(BACK, "A player is back", _who(map(int, conduct.away)))
        case "forfeit_seat" if not dealing:
            over = [int(seat) for seat, absence in conduct.away.items() if absence.is_over]
            if over:
                yield _decision(FORFEIT, "Take the seat of who is away too long", over)
        case "approve_hands" if taken:
            most = engine.rules.procedures.hands_each
            yield _decision(APPROVE_HANDS, f"More than {most} hands, approved by the player-dealer too", taken)
        case "give_up_hands" if taken and (not dealing or (engine.round is not None and engine.round.table.bets_open)):
            count = engine.rules.procedures.hands_given_up
            yield _decision(GIVE_UP_HANDS, f"Give up {count} hands: no other seat of this limit is free", taken)


def _report(code: str, label: str, *asks: Ask, sure: str = "") -> Offer:
    return Offer(code, label, Right.DEAL, {"kind": "happening", "code": code}, "table", asks=asks, sure=sure)


def _decision(do: str, label: str, seats: Iterable[int]) -> Offer:
    return Offer(f"floor:{do}", label, Right.HOLD, {"kind": "floor", "do": do}, "floor", asks=(_who(seats), REASON))


def _who(seats: Iterable[int]) -> Ask:
    return Ask("seat", "pick", "Which seat", picks=_seats(seats))


def _seats(seats: Iterable[int]) -> tuple[Pick, ...]:
    return tuple(Pick(seat, f"Seat {seat}") for seat in seats)
