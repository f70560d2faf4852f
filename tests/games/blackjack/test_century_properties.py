"""21st Century and Buster tables from random seeds: money and cards are conserved, replay is exact, and every wager is
paid as the final cards say, by an oracle that knows the printed comparison and nothing of the play."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pytest

from controller.engine import events as ev
from controller.engine.expect.bot import answer
from controller.engine.inputs import CardOut, Happening
from controller.games.blackjack.rulings import HOUSE_RULES
from tests.support.games.blackjack_tables import At
from tests.support.games.random_blackjack import RandomRound, Variant, best_total, played_hands, shuffled

TARGET_22, JOKER = "village-21st-century-blackjack", "village-no-bust-blackjack-joker"
NB40, NB60 = "village-no-bust-blackjack-4-0", "village-no-bust-blackjack-6-0"
CENTURY: list[Variant] = [
    (TARGET_22, {}),
    (TARGET_22, {"ties": "push", "natural_against_joker": "win", "natural_pays": "2:1", "two_jokers": "ordinary"}),
    (JOKER, {}),
    (JOKER, {"both_over": "three_cards_push", "joker_hand": "ordinary", "further_spots": "behind"}),
    (NB40, {}),
    (NB40, {"decks": 1, "both_over": "lose", "schedule": "village/no-bust/1"}),
    (NB60, {}),
    (NB60, {"both_over": "farther_push", "max_splits": 1}),
]
BUSTER: list[Variant] = [
    ("bankers-buster-blackjack", {}),
    ("bankers-buster-blackjack", {"base_game": "pure-spanish-21-5", "settled": "last", "double_double": True}),
    ("calgrand-buster-blackjack", {"jokers_per_deck": 4, "schedule": "bb-r2-C-100-per50"}),
    ("village-buster-blackjack", {}),
    ("village-buster-blackjack", {"base_game": "no-bust-blackjack-6-0", "settled": "with_place"}),
]
PAYS = {
    "bankers-buster-blackjack": (2, 2, 4, 15, 50, 200),
    "calgrand-buster-blackjack": (1, 3, 4, 15, 40, 200),
    "village-buster-blackjack": (2, 2, 4, 18, 50, 200),
}
each_variant = pytest.mark.parametrize("variant", [*CENTURY, *BUSTER], ids=str)


def jokers_early(rng: random.Random, deck: Mapping[str, int]) -> list[str]:
    """A shoe whose jokers are among its first cards."""
    shoe = shuffled(rng, {code: count for code, count in deck.items() if code != "Jo"})
    soon = shoe[:80] + ["Jo"] * deck.get("Jo", 0)
    rng.shuffle(soon)
    return shoe[80:] + soon


@each_variant
@pytest.mark.parametrize("seed", range(16))
def test_from_any_seed_money_and_cards_are_conserved_and_replay_is_exact(seed: int, variant: Variant) -> None:
    RandomRound(seed, variant, jokers_early).check()


# The oracle


def points(cards: list[str], limit: int) -> int:
    """The best total; a joker makes the limit."""
    if "Jo" in cards:
        return limit
    return best_total(cards, limit)


def is_natural(slug: str, options: dict[str, Any], cards: list[str], dealt: bool) -> bool:
    if len(cards) != 2 or not dealt:
        return False
    ranks = "".join(sorted("j" if card == "Jo" else "T" if card[0] in "TJQK" else card[0] for card in cards))
    if slug == TARGET_22:
        return ranks in ("AA", "Aj") or (ranks == "jj" and options.get("two_jokers") != "ordinary")
    return ranks == ("jj" if slug == JOKER else "AT")


def owed(variant: Variant, cards: list[str], dealt: bool, bank: list[str]) -> tuple[int, int]:
    """What a hand wins (+) or loses (-) of its wager, as a fraction: the sheets' tables, row by row."""
    slug, options = variant
    limit = 22 if slug == TARGET_22 else 21
    mine, his = points(cards, limit), points(bank, limit)
    natural, bank_natural = is_natural(slug, options, cards, dealt), is_natural(slug, options, bank, True)
    pays = {TARGET_22: (2, 1) if options.get("natural_pays") else (1, 1), JOKER: (2, 1)}.get(slug, (6, 5))
    if natural and bank_natural:
        return 0, 1
    if slug == TARGET_22 and bank[0] == "Jo":
        if not natural:
            return -1, 1
        return pays if options.get("natural_against_joker") == "win" else (0, 1)
    if natural or bank_natural:
        return pays if natural else (-1, 1)
    if mine > limit:
        rule = options.get("both_over") or {NB40: "three_cards_push", NB60: "suited_789_push"}.get(slug, "farther_push")
        spared = {
            "three_cards_push": len(cards) == 3 and mine <= 25,
            "suited_789_push": sorted(card[0] for card in bank) == ["7", "8", "9"] and len({c[1] for c in bank}) == 1,
            "farther_push": True,
            "lose": False,
        }[rule]
        return (0, 1) if his > mine and spared else (-1, 1)
    if his > limit:
        return 1, 1
    if slug == JOKER and options.get("joker_hand") != "ordinary":
        # A joker among the first two cards lies between 21 and a natural.
        mine, his = 2 * mine + (dealt and "Jo" in cards[:2]), 2 * his + ("Jo" in bank[:2])
    if mine == his:
        return (-1, 1) if slug == TARGET_22 and options.get("ties") != "push" else (0, 1)
    return (1, 1) if mine > his else (-1, 1)


@pytest.mark.parametrize("variant", CENTURY, ids=str)
def test_every_hand_is_paid_as_its_final_cards_say(variant: Variant) -> None:
    compared = 0
    for seed in range(1000, 1060):
        document = RandomRound(seed, variant, jokers_early).table.document
        if document["void"] or document["uncovered"]:
            continue
        bank = document["hands"]["player_dealer"]
        for cards, dealt, wager, result, net in played_hands(document):
            to, against = (-1, 2) if result == "surrender" else owed(variant, cards, dealt, bank)
            slack = 1 if against != 1 else 0
            assert abs(net - wager * to / against) <= slack, (seed, cards, bank, result)
            compared += 1
    assert compared > 50


@pytest.mark.parametrize("variant", BUSTER, ids=str)
def test_every_buster_bet_is_paid_by_the_cards_of_the_busted_hand(variant: Variant) -> None:
    paid = lost = 0
    for seed in range(3000, 3090):
        table = RandomRound(seed, variant, jokers_early).table
        document = table.document
        if document["void"] or document["uncovered"]:
            continue
        bank = [card.replace("Jo", "2h") for card in document["hands"]["player_dealer"]]
        busted = len(bank) > 2 and points(bank, 21) > 21
        assert document["more"]["bust_cards"] == (len(bank) if busted else 0)
        placed = [event for event in table.events if isinstance(event, ev.WagerSet) and event.wager == "buster"]
        stakes = {event.place: event.cents for event in placed}
        for place, nets in document["net"].items():
            if "buster" in nets:
                odds = PAYS[variant[0]][min(len(bank), 8) - 3] if busted else -1
                assert nets["buster"] == stakes[place] * odds, (seed, place, bank)
                paid, lost = paid + busted, lost + (not busted)
    assert paid > 2
    assert lost > 5


# House rules at any moment


@pytest.mark.parametrize("slug", [TARGET_22, JOKER, NB40, NB60, "village-buster-blackjack"])
@pytest.mark.parametrize("seed", range(25))
def test_a_house_rule_reported_at_any_moment_never_stops_the_game_for_good(slug: str, seed: int) -> None:
    """Anything may be said to have happened to anybody; no cent is lost, and the round ends."""
    rng = random.Random(f"{slug}/{seed}")
    table = At(slug, seats=(1, 2, 3), options={"decks": 8})
    engine = table.engine
    deck = engine.game.deck(engine.options)
    assert deck is not None
    shoe = [code for code, count in deck.items() for _ in range(count)]
    rng.shuffle(shoe)
    inputs = 0
    while engine.last is None:
        inputs += 1
        assert inputs < 400, table.prompt
        if rng.randrange(6) == 0:
            code = rng.choice(sorted(HOUSE_RULES))
            cards = (shoe.pop(),) if rng.randrange(4) == 0 else ()
            facts: dict[str, Any] = {"can_back_up": rng.randrange(4) > 0} if rng.randrange(2) else {}
            table.feed(Happening(code, rng.choice([None, 1, 2, 3]), cards=cards, facts=facts))
        elif rng.randrange(15) == 0:
            table.feed(CardOut(shoe.pop()))
        else:
            table.feed(answer(engine.expectation, rng, shoe.pop, name_card=shoe.pop))
    assert not [event for event in table.events if isinstance(event, ev.Irregularity) and event.code == "engine_fault"]
    document = table.document
    assert sum(sum(wagers.values()) for wagers in document["net"].values()) + document["bank_net"] == 0
