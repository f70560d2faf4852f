"""Blackjack from random seeds: money and cards are conserved, and 21.5 games pay every hand as its cards say."""

from __future__ import annotations

import pytest

from controller.engine.cards.card import CARDS
from controller.games.blackjack.pure import PureRules
from tests.support.games.blackjack_tables import INSURED, PURE
from tests.support.games.random_blackjack import RandomRound, Variant, best_total, played_hands

VARIANTS: list[Variant] = [
    (PURE, {}),
    (PURE, {"decks": 1}),
    (PURE, {**INSURED, "surrender": "early", "pd_888": "win"}),
    (PURE, {**INSURED, "insurance_settled": "after_base", "action_card": "count"}),
    (PURE, {"pure_pays": "7:5", "double_on_must_stand": True, "double_after_split": True, "resplit_aces": True}),
    ("turlock-pure-21-5-blackjack", {**INSURED, "schedule": "pure215-2016-1"}),
    ("bankers-pure-spanish-21-5", {"double_double": True}),
    ("turlock-pure-spanish-21-5", {}),
    ("turlock-pure-spanish-21-5", {"double_double": True, "surrender": "early", "table_max": 3000}),
]
HOT = "calgrand-hot-action-blackjack"
HOT_VARIANTS: list[Variant] = [
    (HOT, {"decks": 1}),
    (HOT, {"surrender": True, "jokers_per_deck": 4, "action_source": "dice", "soft_17": "stand"}),
    (HOT, {"player_cards": "down", "pd_cards": "both_down", "action_source": "none"}),
    (HOT, {"pd_second_card": "after_players", "ties": "push", "schedule": "bjpg-r2-A"}),
]


def half_points(cards: list[str], dealt: bool) -> int:
    """An oracle of its own: twice the best total, so that 21.5 is whole."""
    if dealt and len(cards) == 2 and {"A", "*"} <= {cards[0][0], cards[1][0], cards[0][-1], cards[1][-1]}:
        return 43
    return 2 * best_total(cards, 21)


def owed(cards: list[str], dealt: bool, bank: list[str], rules: PureRules) -> tuple[int, int]:
    """What a hand wins (+) or loses (-) of its wager, as a fraction."""
    mine, his = half_points(cards, dealt), half_points(bank, True)
    if mine > 43:
        if [card[0] for card in bank] == ["8", "8", "8"]:
            return (1, 1) if rules.pd_888 == "win" else (0, 1)
        return (-1, 1)
    spanish = rules.bonus_cards == "JQK"
    if his > 43 or mine > his or (spanish and mine == his >= 42):
        to, against = map(int, (rules.pure_pays if mine == 43 else "1:1").split(":"))
        return (to, against)
    return (0, 1) if mine == his else (-1, 1)


@pytest.mark.parametrize("variant", [*VARIANTS, *HOT_VARIANTS], ids=str)
@pytest.mark.parametrize("seed", range(24))
def test_from_any_seed_money_and_cards_are_conserved_and_replay_is_exact(seed: int, variant: Variant) -> None:
    RandomRound(seed, variant).check()


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_every_hand_is_paid_as_its_final_cards_say(variant: Variant) -> None:
    """Against an oracle that knows the final cards and the comparison table, nothing of the play."""
    compared = 0
    for seed in range(1000, 1080):
        table = RandomRound(seed, variant).table
        document, rules = table.document, table.engine.options
        assert isinstance(rules, PureRules)
        if document["void"] or document["uncovered"]:
            continue
        bank = document["hands"]["player_dealer"]
        for cards, dealt, wager, result, net in played_hands(document):
            if result == "rescue" and wager:
                assert -wager < net <= -wager // 8
                continue
            to, against = (-1, 2) if result == "surrender" else owed(cards, dealt, bank, rules)
            slack = 1 if against != 1 else 0
            assert abs(net - wager * to / against) <= slack, (cards, bank, result)
            compared += 1
    assert compared > 100


def test_the_player_dealer_always_ends_with_hard_17_or_soft_18() -> None:
    for seed in range(2000, 2100):
        table = RandomRound(seed, (PURE, {})).table
        if table.document["void"]:
            continue
        cards = [CARDS[code] for code in table.settled.hands["player_dealer"]]
        hard = sum(1 if card.rank == 14 else min(card.rank, 10) for card in cards)
        soft = hard + 10 if any(card.rank == 14 for card in cards) and hard + 10 <= 21 else None
        assert hard >= 17 or (soft is not None and soft >= 18)
