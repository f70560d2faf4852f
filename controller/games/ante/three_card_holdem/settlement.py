"""What the wagers of 3 Card Hold'em win or lose, and the rows of its two side bets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from controller.engine.cards.card import Card
from controller.engine.inputs import Place
from controller.engine.money.bank import Odds
from controller.engine.ranking import THREE_CARD_HOLDEM, Category, High
from controller.games.ante.settlement import WagerResult
from controller.games.ante.three_card_holdem.options import ThreeCardHoldemPays

THREE = High(THREE_CARD_HOLDEM)
ACE, KING, QUEEN = 14, 13, 12
HOLE = 2
SIDE_BETS = ("straight_or_up", "pair_or_suited")


def straight_or_up(cards: Sequence[Card]) -> str:
    """The row of five cards; four of a kind and full house are three of a kind, only the highest counts (825-831).

    >>> from controller.engine.cards.card import card
    >>> straight_or_up([card(code) for code in ("Ac", "Kc", "Qc", "5h", "5d")])
    'akq_suited_plus_pair'
    >>> straight_or_up([card(code) for code in ("Ac", "Kc", "Qc", "Ah", "5d")])  # the second ace pairs nothing outside
    'akq_suited'
    """
    for suit in range(4):
        three = [card for card in cards if card.suit == suit and card.rank >= QUEEN]
        if len(three) == len((ACE, KING, QUEEN)):
            a, b = (card for card in cards if card not in three)
            return "akq_suited_plus_pair" if a.rank == b.rank else "akq_suited"
    category = THREE.rank(cards).category
    return category.value if category in _STRAIGHT_OR_UP else "none"


_STRAIGHT_OR_UP = (Category.STRAIGHT_FLUSH, Category.THREE_OF_A_KIND, Category.STRAIGHT)


def pair_or_suited(cards: Sequence[Card]) -> str:
    """The row of two hole cards."""
    a, b = cards
    if a.rank == b.rank:
        return {ACE: "aa", KING: "kk"}.get(a.rank, "pair")
    if a.suit != b.suit:
        return "none"
    return "ak_suited" if {a.rank, b.rank} == {ACE, KING} else "two_suited"


def row_of(side_bet: str, hole: Sequence[Card], communal: Sequence[Card]) -> str:
    return pair_or_suited(hole) if side_bet == "pair_or_suited" else straight_or_up([*hole, *communal])


def lines_of(
    place: Place,
    wagers: Mapping[str, int],
    outcome: str,
    rows: Mapping[str, str],
    pays: ThreeCardHoldemPays,
    *,
    qualified: bool,
) -> list[WagerResult]:
    """What the wagers of one place win or lose, in the order in which they are settled."""
    lines: list[WagerResult] = []
    for wager in ("ante", "bet_or_fold", "bet_or_check"):
        stake = wagers.get(wager)
        if stake is None:
            continue
        odds = Odds(pays.ante if wager == "ante" else pays.bet)
        if outcome == "push" or (outcome == "win" and wager == "ante" and not qualified):
            lines.append(WagerResult(place, wager, 0))
        elif outcome == "win":
            lines.append(WagerResult(place, wager, odds.payoff(stake)))
        else:
            lines.append(WagerResult(place, wager, -stake))
    for name, table in (("straight_or_up", pays.straight_or_up), ("pair_or_suited", pays.pair_or_suited)):
        stake = wagers.get(name)
        if stake is not None:
            row = rows[name]
            lines.append(WagerResult(place, name, Odds(table[row]).payoff(stake) if row in table else -stake))
    return lines
