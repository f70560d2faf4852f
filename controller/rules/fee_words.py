"""A collection schedule in words: the same for `cutcard rules show` and for the table's sign.

>>> row = FeeRow("player_dealer", "total_table_action", 200, lowest=10100)
>>> list(fees_said(Schedule("x", ("y",), (row,), "before_deal", 1000)))
['player-dealer by total table action: $101.00+ $2.00']
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from controller.engine.amounts import money
from controller.engine.fees.schedule import FeeRow, Schedule

MOMENTS: Mapping[str, str] = {
    "first_betting_opens": "when betting opens",
    "betting_1_closed": "after the first betting round",
    "betting_2_closed": "after the second betting round",
    "end_of_first_betting_round": "after the first betting round",
    "first_up_card": "the first up card",
    "third_up_card": "at the third up card",
    "third_card": "at the third card",
    "fifth_card": "at the fifth card",
    "flop_dealt": "after the flop",
    "flop_to_award": "after the flop",
    "river_dealt": "after the river card",
    "no_flop": "instead, if there is no flop",
    "ended_before_betting_1_closed": "instead, if the hand ends in the first betting round",
    "ended_before_betting_2": "instead, if the hand ends before the second betting round",
    "always": "with the blinds",
}
"""When a pot fee is taken, for people."""


def limits_said(schedule: Schedule) -> str:
    """What may be wagered, or which game of poker the schedule is for."""
    if schedule.is_banked:
        return f"table {amount(schedule.table_min)} to {amount(schedule.table_max)}"
    said = [words(schedule.structure)] if schedule.structure else []
    for name, pair in (("stakes", schedule.stakes), ("spread", schedule.spread), ("blinds", schedule.blinds)):
        if pair is not None:
            said.append(f"{name} {amount(pair[0])}-{amount(pair[1])}")
    if schedule.stakes_from is not None and schedule.stakes_to is not None:
        low, high = schedule.stakes_from, schedule.stakes_to
        said.append(f"stakes {amount(low[0])}-{amount(low[1])} to {amount(high[0])}-{amount(high[1])}")
    if schedule.bets:
        said.append(f"bets {', '.join(amount(bet) for bet in schedule.bets)}")
    named = {"ante": schedule.ante, "kondition": schedule.kondition, "point": schedule.point}
    named |= {"minimum bet": schedule.min_bet, "buy-in from": schedule.buy_in_min, "buy-in to": schedule.buy_in_max}
    said += [f"{name} {amount(cents)}" for name, cents in named.items() if cents is not None]
    return ", ".join(said) or "any stakes"


def fees_said(schedule: Schedule, rows: Sequence[FeeRow] | None = None) -> Iterator[str]:
    """One line for each payer, basis and kind, with its bands."""
    for _, found in groupby(schedule.fee if rows is None else rows, _sort):
        alike = list(found)
        row = alike[0]
        kind = f" {words(row.kind)} fee" if row.kind else ""
        rate = f" (rate {row.rate})" if row.rate is not None else ""
        bands = ", ".join(band(item) for item in alike)
        yield f"{words(row.payer)}{kind}{rate}{basis_said(row)}{moment_said(row)}: {bands}"


def band(row: FeeRow) -> str:
    """What it is for, and what it costs: "$10.00-$50.00 $1.00", "7+ players $3.00"."""
    cents = "amount lost" if row.fee is None else money(row.fee)
    if row.basis == "players_dealt":
        return f"{_players(row)} {cents}"
    if row.lowest is None:
        return cents
    upper = f"-{money(row.highest)}" if row.highest is not None else "+"
    return f"{money(row.lowest)}{upper} {cents}"


def basis_said(row: FeeRow) -> str:
    per = f" per {words(row.per)}" if row.per else ""
    match row.basis:
        case "player_wager" | "player_dealer_wager":
            return f" by own wager{per}"
        case "per_hand" | "players_dealt":
            return " per hand"
        case "per_spot":
            return " per betting spot"
        case "per_time":
            return f" every {row.minutes} minutes"
        case "unspecified":
            return ", no unit printed"
        case "bonus_wager":
            return f" by the {words(row.wager)} wager"
    return f" by {words(row.basis)}{per}"


def moment_said(row: FeeRow) -> str:
    if row.when is None or row.basis == "per_time":
        return ""
    since = f", owed from {MOMENTS.get(row.owed_from, words(row.owed_from))}" if row.owed_from is not None else ""
    return f", {MOMENTS.get(row.when, words(row.when))}{since}"


def readings_said(schedule: Schedule) -> str:
    """What is not exactly as printed."""
    read = [
        f"{band(row)} (printed {row.printed!r})" if row.printed else band(row) for row in schedule.fee if row.reading
    ]
    whole = ["the whole schedule"] if schedule.reading else []
    return f"by a reading: {', '.join(whole + read)}" if whole or read else ""


def words(name: str) -> str:
    return name.replace("player_dealer", "player-dealer").replace("_", " ")


def amount(cents: int | None) -> str:
    return "no limit" if cents is None else money(cents)


def _players(row: FeeRow) -> str:
    if row.lowest == row.highest:
        return f"{row.lowest} players"
    if row.highest is None:
        return f"{row.lowest}+ players"
    return f"up to {row.highest} players" if row.lowest is None else f"{row.lowest}-{row.highest} players"


def _sort(row: FeeRow) -> tuple[object, ...]:
    return row.payer, row.basis, row.per, row.kind, row.when, row.rate, row.wager, row.wager_includes, row.drop
