"""What ante and call win or lose in Caribbean Stud Poker."""

from __future__ import annotations

from controller.engine.money.bank import Odds
from controller.engine.ranking import Rank
from controller.engine.round.felt import Table
from controller.games.ante.bettors import Bettor
from controller.games.ante.caribbean_stud.options import CaribbeanOptions, Ties
from controller.games.ante.settlement import compare, pay_table


def compared(mine: Rank, theirs: Rank, ties: Ties) -> str:
    won = compare(mine, theirs)
    if won != "push" or ties == "push":
        return won
    return "win" if ties == "player" else "lose"


def pay(
    t: Table, options: CaribbeanOptions, bettor: Bettor, outcome: str, rank: Rank | None, *, qualified: bool
) -> None:
    """Ante, then call (CS-4); a player-dealer who does not qualify pays the ante and has no action on the call."""
    settlement, place, pays = t.settlement, bettor.place, options.pays
    match outcome:
        case "win":
            settlement.win(place, "ante", Odds(pays.ante).payoff(bettor.ante))
        case "push":
            settlement.push(place, "ante")
        case _:
            settlement.lose(place, "ante", bettor.ante)
    if bettor.play is None:
        return
    wager = options.call_wager
    if not qualified or outcome == "push":
        settlement.push(place, wager)
    elif outcome == "win":
        assert rank is not None
        odds = pay_table(pays.call).get(rank.category, Odds(pays.call_otherwise))
        settlement.win(place, wager, odds.payoff(bettor.play))
    else:
        settlement.lose(place, wager, bettor.play)
