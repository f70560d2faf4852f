"""Two hands of each seat compared with the player-dealer's, and its wagers settled."""

from __future__ import annotations

from collections.abc import Mapping

from controller.engine.inputs import Place, seat_of, spot_of
from controller.engine.round.felt import Table
from controller.games.pai_gow_tiles.options import TileOptions
from controller.games.pai_gow_tiles.tiles import Arranged, verdict

OUTCOMES = ("lose", "push", "win")
"""By how many of the two hands were won."""


def compare(mine: Arranged, theirs: Arranged) -> dict[str, str]:
    return {"low": verdict(mine.low_rank, theirs.low_rank), "high": verdict(mine.high_rank, theirs.high_rank)}


def pay(t: Table, options: TileOptions, comparison: Mapping[int, Mapping[str, str]]) -> None:
    """Seat by seat from the action button, as `comparison` has them, inside a seat spot by spot."""
    base, order = options.base_wager, list(comparison)
    outcomes = {seat: OUTCOMES[list(hands.values()).count("win")] for seat, hands in comparison.items()}
    shown: dict[Place, str] = dict(outcomes.items())
    places = [place for place in t.book if seat_of(place) in outcomes]
    places.sort(key=lambda place: (order.index(seat_of(place)), spot_of(place)))
    for place in places:
        seat, cents = seat_of(place), t.book[place][base]
        if options.tells_no_action and spot_of(place) == 1 and t.settlement.cover_left == 0:
            shown[seat] = "no_action"
        match outcomes[seat]:
            case "win":
                t.settlement.win(place, base, cents)
            case "lose":
                t.settlement.lose(place, base, cents)
            case _:
                t.settlement.push(place, base)
    t.result.outcome = {**shown, **t.result.outcome, **{place: shown[seat_of(place)] for place in places}}
