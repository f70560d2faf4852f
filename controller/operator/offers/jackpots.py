"""What the floor may state about jackpots: a hit, no hit, an adjustment, the fee of a void round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from controller.engine.amounts import money
from controller.engine.jackpot.meters import Proposal, RoundFee
from controller.engine.jackpot.rules import Jackpot, Prize
from controller.engine.table.engine import TableEngine
from controller.operator.offers.offer import Ask, Offer, Pick
from controller.operator.roles import Right

MOST_ROUNDS = 5
"""Rounds among which the console lets the floor choose; a program may name an older one."""
_REASON = Ask("reason", "text", "Why")


def jackpot_offers(engine: TableEngine[Any]) -> Iterator[Offer]:
    """Proposed hits first, then fees that wait for a decision, then every prize and meter."""
    jackpots, kept = engine.jackpots.in_force, engine.state.jackpots
    for one in kept.proposals:
        jackpot = next((rules for rules in jackpots if rules.name == one.jackpot), None)
        prize = None if jackpot is None else jackpot.prize(one.prize)
        if jackpot is not None and prize is not None:
            yield from _proposed(engine, jackpot, prize, one)
    for record in kept.rounds:
        if record.aside:
            yield from _aside(record)
    rounds = engine.jackpots.eligible_rounds
    for jackpot in jackpots:
        for prize in jackpot.prizes:
            eligible = [record.round for record in rounds if _may_hit(jackpot, prize, record)]
            if eligible:
                yield _hit(engine, jackpot, prize, eligible[:MOST_ROUNDS])
    for meter in engine.jackpots.published:
        yield from _adjust(meter.jackpot, meter.title, meter.main, meter.reserve)


def _may_hit(jackpot: Jackpot, prize: Prize, record: RoundFee) -> bool:
    is_stated = f"{jackpot.name}/{prize.name}" in record.hits
    return not is_stated and bool(record.cents or not jackpot.needs_fee)


def _proposed(engine: TableEngine[Any], jackpot: Jackpot, prize: Prize, one: Proposal) -> Iterator[Offer]:
    key, under = f"{one.jackpot}:{one.prize}:{one.round}", f"{jackpot.called}, round {one.round}"
    body: dict[str, Any] = {"jackpot": one.jackpot, "prize": one.prize, "round": one.round}
    asks = (Ask("hand", "text", "The hand", given=one.hand), *_seats(engine, prize), _REASON)
    sure = f"{prize.qualifies}? It is paid by this."
    label = f"Hit: {prize.name} ({one.hand})"
    yield Offer(f"jackpot_hit:{key}", label, Right.JACKPOT, {"kind": "jackpot_hit", **body}, "floor", under, asks, sure)
    no_hit = {"kind": "jackpot_no_hit", **body}
    yield Offer(f"jackpot_no_hit:{key}", f"No hit: {prize.name}", Right.JACKPOT, no_hit, "floor", under, (_REASON,))


def _hit(engine: TableEngine[Any], jackpot: Jackpot, prize: Prize, rounds: list[int]) -> Offer:
    body = {"kind": "jackpot_hit", "jackpot": jackpot.name, "prize": prize.name}
    which = Ask("round", "pick", "Which round", picks=tuple(Pick(number, f"Round {number}") for number in rounds))
    asks = (which, Ask("hand", "text", "The hand"), *_seats(engine, prize), _REASON)
    sure = f"{prize.qualifies}? It is paid by this."
    name = f"jackpot_hit:{jackpot.name}:{prize.name}"
    return Offer(name, f"Hit: {prize.name}", Right.JACKPOT, body, "floor", jackpot.called, asks, sure)


def _seats(engine: TableEngine[Any], prize: Prize) -> Iterator[Ask]:
    setup = engine.state.setup
    there = {*setup.seats, *(() if setup.player_dealer is None else (setup.player_dealer,))} or range(1, 11)
    picks = tuple(Pick(seat, f"Seat {seat}") for seat in sorted(there))
    for share in prize.shares:
        yield Ask(f"seats.{share.to}", "seats", f"Who gets the share {share.to}", picks=picks, given=[])


def _aside(record: RoundFee) -> Iterator[Offer]:
    under = f"Jackpot fee of the void round {record.round}, {money(record.aside)}"
    for kept, label in ((True, "Kept: add it to the jackpot"), (False, "Given back")):
        body = {"kind": "jackpot_fee", "round": record.round, "kept": kept}
        name = f"jackpot_fee:{record.round}:{'kept' if kept else 'back'}"
        yield Offer(name, label, Right.JACKPOT, body, "floor", under, (_REASON,))


def _adjust(name: str, title: str, main: int, reserve: int) -> Iterator[Offer]:
    pools = (Pick("main", f"Meter, {money(main)}"), Pick("reserve", f"Reserve, {money(reserve)}"))
    which = Ask("pool", "pick", "Which amount", picks=pools)
    for field, label in (("add", "Add to"), ("take", "Take from")):
        asks = (which, Ask(field, "cents", "How much", min=1), _REASON)
        body = {"kind": "jackpot_adjust", "jackpot": name}
        yield Offer(f"jackpot_{field}:{name}", f"{label} {title}", Right.JACKPOT, body, "floor", title, asks)
