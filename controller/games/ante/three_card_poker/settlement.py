"""What ante, play and bonus bets win or lose in Three Card Poker."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from controller.engine.money.bank import Odds
from controller.engine.ranking import Rank
from controller.engine.round.felt import Table
from controller.games.ante.bettors import Bettor
from controller.games.ante.settlement import Comparison, WagerResult, compare, settle_lines
from controller.games.ante.three_card_poker.options import CountedCards, Coverage, ThreeCardOptions
from controller.games.tips import DEALER_TIP


def ante_outcome(mine: Rank, theirs: Rank, options: ThreeCardOptions, *, qualified: bool) -> Comparison:
    """What becomes of the ante."""
    won = compare(mine, theirs)
    if qualified and won == "push":
        return options.qualified_tie
    if qualified or won == "win":
        return won
    if options.nonqualify == "pay_all":
        return "win"
    if options.nonqualify == "beat_to_win":
        not_beaten = options.nonqualify_not_beaten
        return "win" if not_beaten == "pay" else not_beaten
    if won == "push":
        return options.nonqualify_tie
    return "push" if options.nonqualify_lower_hand == "return" else "lose"


def lines_of(
    bettor: Bettor,
    wagers: Mapping[str, int],
    outcome: Comparison,
    options: ThreeCardOptions,
    rank_by: Callable[[CountedCards], Rank],
    *,
    qualified: bool,
) -> Iterator[WagerResult]:
    """A place's wagers in their order: ante with the dealer's tip, play, then the bonus bets."""
    place, pays, tip = bettor.place, options.pays, wagers.get(DEALER_TIP)
    antes = {"ante": bettor.ante} | ({} if tip is None else {DEALER_TIP: tip})
    for wager, cents in antes.items():
        if bettor.folded:
            yield WagerResult(place, wager, -cents, forfeited=True)
        else:
            yield WagerResult(place, wager, _moves(outcome, cents, pays.ante))
    if not bettor.folded:
        yield WagerResult(place, "play", _moves(outcome, bettor.ante, pays.play) if qualified else 0)
    for name, bonus in options.bonuses.items():
        stake = wagers.get(name)
        if stake is None:
            continue
        if bettor.folded and not options.outlives_fold(bonus):
            yield WagerResult(place, name, -stake, forfeited=True)
            continue
        odds = options.tables[name].get(rank_by(bonus.by).category)
        yield WagerResult(place, name, -stake if odds is None else odds.payoff(stake))


def pay(t: Table, lines: Sequence[WagerResult], coverage: Coverage) -> None:
    if coverage == "single_use":
        settle_lines(t, lines)
        return
    # All losing wagers first, then the winners with the whole of the player-dealer's money again (A4).
    settle_lines(t, (line for line in lines if line.cents < 0))
    t.settlement.renew()
    settle_lines(t, (line for line in lines if line.cents >= 0))


def _moves(outcome: Comparison, stake: int, odds: str) -> int:
    if outcome == "win":
        return Odds(odds).payoff(stake)
    return -stake if outcome == "lose" else 0
