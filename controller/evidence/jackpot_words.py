"""Jackpots in words for people: what `words.py` prints of their events and inputs."""

from __future__ import annotations

from collections.abc import Sequence

from controller.engine import events as ev
from controller.engine import jackpot_inputs as stated
from controller.engine.amounts import money

Stated = stated.JackpotHit | stated.JackpotNotHit | stated.JackpotAdjust | stated.JackpotFee
STATED = (stated.JackpotHit, stated.JackpotNotHit, stated.JackpotAdjust, stated.JackpotFee)
_WHY = {
    "fees": "",
    "corrected": ", by its correction",
    "cancelled": ", not owed after all",
    "void_fee_kept": ", the fee of a void round",
    "by_the_clock": ", by the clock",
}


def of_event(event: ev.Event, by: str) -> str | None:
    """A sentence about an event of a jackpot; None for any other. `by`: the person, where the event has one."""
    match event:
        case ev.JackpotOpened():
            rules = f"rules: {event.source}" if event.source else "the house has entered no rules"
            return f"Jackpot {event.title} begins with {money(event.seed)}; {rules}"
        case ev.JackpotContributed():
            change = f"{money(event.cents)} {'to' if event.cents >= 0 else 'from'}"
            reserve = _reserve(event.reserve_before, event.reserve_after)
            main = f"{money(event.before)} -> {money(event.after)}{reserve}"
            return f"Round {event.round}: {change} the jackpot {event.jackpot}{_WHY[event.why]}: {main}"
        case ev.JackpotFeeAside():
            return f"The jackpot fee of the void round {event.round}, {money(event.cents)}, is set aside for the floor"
        case ev.JackpotFeeDecided():
            what = "kept" if event.kept else "given back"
            return f"Jackpot fee of round {event.round}, {money(event.cents)}: {what} by {by}: {event.reason}"
        case ev.JackpotProposed():
            return f"PROPOSED for the jackpot {event.jackpot}, {event.prize}, round {event.round}: {event.hand}"
        case ev.JackpotNoHit():
            return f"No hit of {event.jackpot}, {event.prize}, in round {event.round}, by {by}: {event.reason}"
        case ev.JackpotWasHit():
            seats = ", ".join(f"{to} {_seats(named)}" for to, named in event.seats.items())
            what = f"{event.jackpot}, {event.prize}, round {event.round}: {event.hand}"
            return f"JACKPOT HIT {what}; {seats}; stated by {by}: {event.reason}"
        case ev.JackpotPaid():
            shares = ", ".join(f"{one.to} {_seats(one.seats)} {money(one.each)} each" for one in event.shares)
            main = f"{money(event.before)} -> {money(event.after)}"
            return f"Jackpot {event.jackpot} pays {money(event.cents)} ({shares}): {main}"
        case ev.JackpotReseeded():
            house = f" and {money(event.from_house)} from the house" if event.from_house else ""
            short = f", {money(event.short)} below its seed" if event.short else ""
            main = f"{money(event.before)} -> {money(event.after)}{short}"
            return f"Jackpot {event.jackpot} gets {money(event.from_reserve)} from the reserve{house}: {main}"
        case ev.JackpotAdjusted():
            main = f"{money(event.before)} -> {money(event.after)}"
            return f"Jackpot {event.jackpot}, {event.pool}, adjusted by {by}: {main}: {event.reason}"
    return None


def of_input(body: Stated) -> str:
    """What the floor stated."""
    match body:
        case stated.JackpotHit():
            return f"a hit of the jackpot {body.jackpot} in round {body.round}, stated: {body.reason}"
        case stated.JackpotNotHit():
            return f"no hit of the jackpot {body.jackpot} in round {body.round}: {body.reason}"
        case stated.JackpotAdjust():
            change = f"{money(body.add)} added to" if body.add else f"{money(body.take)} taken from"
            return f"{change} the jackpot {body.jackpot}: {body.reason}"
        case stated.JackpotFee():
            return f"the jackpot fee of round {body.round} {'kept' if body.kept else 'given back'}: {body.reason}"


def _reserve(before: int, after: int) -> str:
    return "" if before == after else f", reserve {money(before)} -> {money(after)}"


def _seats(seats: Sequence[int]) -> str:
    """
    >>> _seats((3,)), _seats((1, 2)), _seats(())
    ('seat 3', 'seats 1, 2', 'nobody')
    """
    named = ", ".join(map(str, seats))
    return "nobody" if not seats else f"seat {named}" if len(seats) == 1 else f"seats {named}"
