"""Settlement: verdicts become the player-dealer's money, pass by pass, place by place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from controller.engine.bets.action_button import clockwise_from
from controller.engine.inputs import Place, seat_of, spot_of
from controller.engine.money.bank import TO_THE_CENT, Odds, Rounding, Settlement
from controller.engine.round.felt import Table
from controller.games.baccarat.options import BaccaratOptions

SMALL_TABLE, LARGE_TABLE = 8, 14
"""Places of a blackjack table and of a baccarat table, the player-dealer's included."""

Verdict = Odds | Literal["push", "lose"]
"""The verdict on a wager: it is paid at these odds, goes back, or is collected."""


def positions(t: Table, options: BaccaratOptions) -> int:
    """Places at the table: its own setting, else the option; a seat above eight there is at the large table only."""
    posted = t.settings.get("positions", options.positions)
    if posted is not None:
        return int(posted)
    highest = max((*t.seats, t.player_dealer or 0), default=0)
    return SMALL_TABLE if highest <= SMALL_TABLE else LARGE_TABLE


def places_from(t: Table, seat: int) -> Sequence[Place]:
    """Every place with a wager, clockwise from this seat; a seat's own spot before its back line."""
    book = t.book
    seats = [place for place in book if isinstance(place, int)]
    if len(seats) == len(book):
        return clockwise_from(seat, seats)
    return sorted(book, key=lambda place: (seat_of(place) < seat, seat_of(place), spot_of(place)))


def settle(
    t: Table,
    passes: tuple[tuple[str, ...], ...],
    places: Iterable[Place],
    verdicts: dict[str, Verdict],
    own: Mapping[tuple[Place, str], Verdict] | None = None,
    *,
    rounding: Rounding = TO_THE_CENT,
) -> None:
    """Pass by pass: at every place, in order, the wagers of the pass. `own` are verdicts for a single place."""
    settlement, book = t.settlement, t.book
    laid = [(place, book[place]) for place in places]
    left = 0
    for _, placed in laid:
        left += len(placed)
    for wagers in passes:
        if left == 0:
            break
        for place, placed in laid:
            for wager in wagers:
                stake = placed.get(wager)
                if stake is not None:
                    left -= 1
                    verdict = verdicts[wager]
                    if own is not None:
                        verdict = own.get((place, wager), verdict)
                    _settle_one(settlement, place, wager, stake, verdict, rounding)


def _settle_one(  # noqa: PLR0917, one wager and how it went
    settlement: Settlement, place: Place, wager: str, stake: int, verdict: Verdict, rounding: Rounding
) -> None:
    if isinstance(verdict, Odds):
        settlement.win(place, wager, verdict.payoff(stake, rounding))
    elif verdict == "lose":
        settlement.lose(place, wager, stake)
    else:
        settlement.push(place, wager)


def due(t: Table, verdicts: Mapping[str, Verdict]) -> int:
    """What the player-dealer's money must cover in this round: every payoff and every stake to collect."""
    cents = 0
    for placed in t.book.values():
        for wager, stake in placed.items():
            match verdicts[wager]:
                case Odds() as odds:
                    cents += odds.payoff(stake)
                case "lose":
                    cents += stake
    return cents
