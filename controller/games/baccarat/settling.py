"""The walk of settlement: verdicts become the player-dealer's money, pass by pass, place by place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from controller.engine.action_button import clockwise_from
from controller.engine.felt import Table
from controller.engine.inputs import Place, seat_of, spot_of
from controller.engine.money import Odds, Settlement

Verdict = Odds | Literal["push", "lose"]
"""What becomes of a wager: it is paid at these odds, goes back, or is collected."""


def places_from(t: Table, seat: int) -> list[Place]:
    """Every place with a wager, clockwise from this seat; a seat's own spot before its back line."""
    book = t.book
    seats = [place for place in book if isinstance(place, int)]
    if len(seats) == len(book):
        return [*clockwise_from(seat, seats)]
    return sorted(book, key=lambda place: (seat_of(place) < seat, seat_of(place), spot_of(place)))


def settle(
    t: Table,
    passes: Iterable[Sequence[str]],
    places: Iterable[Place],
    verdicts: Mapping[str, Verdict],
    own: Mapping[tuple[Place, str], Verdict] | None = None,
) -> None:
    """Pass by pass: at every place, in order, the wagers of the pass. `own` are verdicts for a single place."""
    settlement, book = t.settlement, t.book
    laid = [(place, book[place]) for place in places]
    down: dict[str, list[tuple[Place, int]]] = {}
    for place, standing in laid:
        for wager, stake in standing.items():
            down.setdefault(wager, []).append((place, stake))
    for wagers in passes:
        if len(wagers) == 1:
            wager = wagers[0]
            for place, stake in down.get(wager, ()):
                said = verdicts[wager] if own is None else own.get((place, wager), verdicts[wager])
                _settle_one(settlement, place, wager, stake, said)
            continue
        for place, standing in laid:
            for wager in wagers:
                if wager in standing:
                    said = verdicts[wager] if own is None else own.get((place, wager), verdicts[wager])
                    _settle_one(settlement, place, wager, standing[wager], said)


def _settle_one(settlement: Settlement, place: Place, wager: str, stake: int, said: Verdict) -> None:
    if said == "lose":
        settlement.lose(place, wager, stake)
    elif said == "push":
        settlement.push(place, wager)
    else:
        assert isinstance(said, Odds)
        settlement.win(place, wager, said.payoff(stake))


def due(t: Table, verdicts: Mapping[str, Verdict]) -> int:
    """What the player-dealer's money must cover in this round: every payoff and every stake to collect."""
    cents = 0
    for standing in t.book.values():
        for wager, stake in standing.items():
            match verdicts[wager]:
                case Odds() as odds:
                    cents += odds.payoff(stake)
                case "lose":
                    cents += stake
    return cents
