"""Caribbean Stud, 3 Card Hold'em, Three Card Poker, Ultimate Texas Hold'em: hands by rank and by what a side bet pays
on them (`ranking`), events by their ruling (`legality`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from controller.cases.answers.question import Answers, Document, Question
from controller.engine.cards.card import Card, card
from controller.engine.money.bank import Odds
from controller.engine.ranking import HIGH, Category, Rank
from controller.games.ante.caribbean_stud.options import CaribbeanOptions
from controller.games.ante.caribbean_stud.script import CaribbeanStud
from controller.games.ante.rulings import FLOOR_DECIDES
from controller.games.ante.settlement import pay_table
from controller.games.ante.three_card_holdem.options import ThreeCardHoldemOptions, ThreeCardHoldemPays
from controller.games.ante.three_card_holdem.rulings import CARD_STAYS, MISDEAL, VOIDS
from controller.games.ante.three_card_holdem.script import ThreeCardHoldem
from controller.games.ante.three_card_holdem.settlement import HOLE, SIDE_BETS, THREE, pair_or_suited, straight_or_up
from controller.games.ante.three_card_poker.options import ThreeCardOptions
from controller.games.ante.three_card_poker.script import ThreeCardPoker
from controller.games.ante.ultimate_holdem.options import UthOptions
from controller.games.ante.ultimate_holdem.script import UltimateHoldem


def caribbean_stud(asked: Question[CaribbeanOptions]) -> Document:
    match asked.kind:
        case "legality":
            return _unruled(asked, asked.options.unruled)
        case "ranking":
            return _ranked(asked, HIGH.rank, {})
    raise asked.unanswered


def three_card_holdem(asked: Question[ThreeCardHoldemOptions]) -> Document:
    match asked.kind:
        case "legality":
            return {"rulings": [_ruling_alone(act, asked.player_dealer) for act in asked.acts]}
        case "ranking":
            return _rank_alone(asked.case, asked.options.pays)
    raise asked.unanswered


def three_card_poker(asked: Question[ThreeCardOptions]) -> Document:
    options = asked.options
    match asked.kind:
        case "legality":
            return _unruled(asked, options.unruled)
        case "ranking":
            return _ranked(
                asked, lambda cards: (options.ranking if len(cards) == 3 else HIGH).rank(cards), options.tables
            )
    raise asked.unanswered


def ultimate_holdem(asked: Question[UthOptions]) -> Document:
    if asked.kind != "ranking":
        raise asked.unanswered
    return _ranked(asked, HIGH.rank, {"trips": pay_table(asked.options.pays.trips)})


ANSWERS: Answers = {
    CaribbeanStud: caribbean_stud,
    ThreeCardHoldem: three_card_holdem,
    ThreeCardPoker: three_card_poker,
    UltimateHoldem: ultimate_holdem,
}


def _ranked(
    asked: Question[Any], rank: Callable[[Sequence[Card]], Rank], tables: Mapping[str, Mapping[Category, Odds]]
) -> Document:
    """What each hand is, and what a bet that pays by the hand alone wins on it."""
    ranks = {name: rank([card(str(code)) for code in codes]) for name, codes in asked.case["cards"].items()}
    more: dict[str, Any] = {}
    for wager, cents in (asked.case.get("wagers") or {}).items():
        table = tables[wager]
        more[f"{wager}_net"] = {
            name: table[found.category].payoff(cents) if found.category in table else -cents
            for name, found in ranks.items()
        }
    return {"ranks": {name: found.document() for name, found in ranks.items()}, "more": more}


def _unruled(asked: Question[Any], word: str) -> Document:
    """Each event by the sheet's word for what its text does not rule."""
    for act in asked.acts:
        if not word or act.get("event") not in FLOOR_DECIDES:
            raise LookupError(f"the text has no ruling on {act.get('event', act)!r}")
    return {"rulings": [word for _ in asked.acts]}


def _rank_alone(case: Mapping[str, Any], pays: ThreeCardHoldemPays) -> Document:
    """Two hole cards are no hand yet, but a pair or suited."""
    hands = {name: [card(str(code)) for code in codes] for name, codes in case["cards"].items()}
    more: dict[str, Any] = {}
    for wager, cents in (case.get("wagers") or {}).items():
        if wager not in SIDE_BETS:
            raise LookupError(f"{wager!r} does not pay by the hand alone")
        if wager == "pair_or_suited":
            rows, table = {name: pair_or_suited(cards[:HOLE]) for name, cards in hands.items()}, pays.pair_or_suited
        else:
            rows, table = {name: straight_or_up(cards) for name, cards in hands.items()}, pays.straight_or_up
        won = {name: Odds(table[row]).payoff(cents) if row in table else -cents for name, row in rows.items()}
        more |= {f"{wager}_hand": rows, f"{wager}_net": won}
    ranks = {name: THREE.rank(cards).document() for name, cards in hands.items() if len(cards) > HOLE}
    return {"ranks": ranks, "more": more}


def _ruling_alone(act: Mapping[str, Any], player_dealer: object) -> str:
    """The ruling on one event without a round."""
    match act.get("event"):
        case "card_dropped":
            return CARD_STAYS
        case "communal_exposed":
            return MISDEAL
        case "card_exposed" if act.get("seat") in (player_dealer, "player_dealer"):
            return MISDEAL
        case str(code) if code in VOIDS:
            return VOIDS[code]
    raise LookupError(f"the text has no ruling on {act.get('event', act)!r}")
