"""Pai Gow Tiles: every hand there is, the house way over all of them, and tiles that nobody read."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb

import pytest

from controller.engine import events as ev
from controller.engine.cards.card import Card, card
from controller.engine.expect.choices import WantDecision
from controller.engine.expect.wants import WantReveal
from controller.engine.inputs import (
    Act,
    AnyBody,
    BetsClosed,
    CardOut,
    DiceRolled,
    Happening,
    Input,
    Revealed,
    WagerPlaced,
)
from controller.engine.round.felt import Setup
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.games.pai_gow_tiles.house_way import NotFixed, TilesHouseWay
from controller.games.pai_gow_tiles.options import TileOptions
from controller.games.pai_gow_tiles.tiles import GONG, PAIR, POINTS, SINGLE_ORDER, WONG, TileRanking, tile_set
from controller.rules import load

BANKERS, CALGRAND = load("bankers-pai-gow-tiles"), load("calgrand-pai-gow-tiles")
SET = [card(code) for code, copies in tile_set().items() for _ in range(copies)]


def options_of(slug: str) -> TileOptions:
    options = load(slug).options()
    assert isinstance(options, TileOptions)
    return options


def independent_rank(pair: tuple[Card, ...]) -> tuple[str, int, int]:
    """Class, points and best single rank, counted straight from the dots; Gee Joon as printed."""
    single = sorted(next(i for i, codes in enumerate(SINGLE_ORDER) if tile.code in codes) for tile in pair)
    dots = [int(tile.code[0]) + int(tile.code[2]) for tile in pair]
    if single[0] == single[1]:
        return "pair", 0, single[0]
    if single[0] < 2 and 9 in dots:
        return "wong", 0, single[0]
    if single[0] < 2 and 8 in dots:
        return "gong", 0, single[0]
    return "points", sum(dots) % 10, single[0]


def test_the_496_hands_of_two_tiles_fall_into_their_classes() -> None:
    ranking = TileRanking(options_of("calgrand-pai-gow-tiles").names, semi_wild=False)
    classes = {"pair": PAIR, "wong": WONG, "gong": GONG, "points": POINTS}
    counted: Counter[int] = Counter()
    for pair in combinations(SET, 2):
        rank = ranking.rank(pair)
        kind, points, _ = independent_rank(pair)
        assert (rank.kind, rank.points) == (classes[kind], points)
        counted[rank.kind] += 1
    assert counted == {PAIR: 16, WONG: 8, GONG: 16, POINTS: 456}


def test_two_hands_compare_as_the_sheet_orders_them() -> None:
    ranking = TileRanking(options_of("calgrand-pai-gow-tiles").names, semi_wild=False)
    order = ["pair", "wong", "gong", "points"]
    pairs = list(combinations(SET, 2))[::7]
    for a in pairs:
        for b in pairs:
            (kind_a, points_a, high_a), (kind_b, points_b, high_b) = independent_rank(a), independent_rank(b)
            best_a = -1 if kind_a == "pair" and high_a == 15 else high_a
            best_b = -1 if kind_b == "pair" and high_b == 15 else high_b
            better = (-order.index(kind_a), points_a, -best_a) > (-order.index(kind_b), points_b, -best_b)
            assert (ranking.rank(a) > ranking.rank(b)) == better


def test_the_house_way_sets_each_of_the_35960_hands_or_asks_the_floor() -> None:
    options = options_of("bankers-pai-gow-tiles")
    way = options.setter
    assert way is not None
    events: Counter[str] = Counter()
    for tiles in combinations(SET, 4):
        try:
            setting = way.set(tiles)
        except NotFixed:
            events["floor"] += 1
            continue
        arranged = setting.arranged
        assert Counter((*arranged.low, *arranged.high)) == Counter(tiles)
        assert arranged.low_rank <= arranged.high_rank
        events[setting.pair or "no pair"] += 1
    assert events.total() == comb(32, 4)
    # A hand without a pair takes one of two tiles of four different ranks.
    assert events["no pair"] + events["floor"] == comb(16, 4) * 2**4
    assert events["kept"] + events["split"] == 35_960 - 29_120


def split_by_the_text(tiles: tuple[Card, ...], ranking: TileRanking) -> bool | None:
    """Whether the one pair of these tiles is split, read once more from 000:473-481; None: not one pair."""
    pairs = [pair for pair in combinations(tiles, 2) if independent_rank(pair)[0] == "pair"]
    if len(pairs) != 1:
        return None
    (a, b) = pairs[0]
    others = list(tiles)
    others.remove(a)
    others.remove(b)
    lows = []
    for x, y in (others, others[::-1]):
        lower = min(ranking.rank((a, x)), ranking.rank((b, y)))
        lows.append(lower.points if lower.kind == POINTS else 10)
    low, spots, dots = max(lows), a.rank, sorted(tile.rank for tile in others)
    if {a.code, b.code} == {"1-2", "2-4"}:
        return 6 in dots and (dots[0] in (4, 5, 6) if dots[1] == 6 else dots[1] in (4, 5, 6))
    match spots:
        case 7:
            return (2 in dots or 12 in dots) and low >= 7
        case 8:
            return low >= 7
        case 9:
            return low >= 9
        case 2 | 12:
            return low >= 6 or dots == [9, 11]
    return False


def test_pairs_are_split_exactly_where_the_text_says() -> None:
    options = options_of("bankers-pai-gow-tiles")
    way = TilesHouseWay(options.house_way, options.ranking) if options.house_way else None
    assert way is not None
    for tiles in combinations(SET, 4):
        split = split_by_the_text(tiles, options.ranking)
        if split is not None:
            assert (way.set(tiles).pair == "split") == split, [tile.code for tile in tiles]


class Table:
    """Banker's: seat 5 with a wager, the player-dealer on seat 2."""

    def __init__(self) -> None:
        setup = Setup((5,), player_dealer=2, bank=(10_000,))
        self.engine = TableEngine(BANKERS.game, BANKERS.options(), TableState(setup), BANKERS.slug)
        self.tell(WagerPlaced(5, "base", 1_000), BetsClosed(), DiceRolled((6, 5, 1)))

    def tell(self, *bodies: AnyBody) -> list[ev.Event]:
        return [event for body in bodies for event in self.engine.apply(Input(0, "test", body))]


def test_unread_tiles_are_named_when_they_are_opened_and_set_then() -> None:
    table = Table()
    table.tell(*(CardOut(None) for _ in range(8)))
    table.tell(Act(5, "set"), Act(2, "set"))
    (want,) = table.engine.expectation.wants
    assert isinstance(want, WantReveal) and want.owner == "player_dealer"
    table.tell(Revealed("player_dealer", ("3-3", "5-6", "2-2", "3-3")))
    (asked,) = table.engine.expectation.wants
    assert isinstance(asked, WantDecision) and asked.seat == 2
    table.tell(Act(2, "set", front=("5-6", "2-2")), Revealed("5", ("1-5", "3-5", "5-5", "1-5")))
    events = table.tell(Act(5, "set", by="house"))
    (settled,) = [event for event in events if isinstance(event, ev.RoundSettled)]
    assert settled.outcome == {5: "push"}


def test_nothing_of_a_set_hand_is_published_before_it_is_opened() -> None:
    table = Table()
    for code in ("1-5", "3-5", "5-5", "1-5", "3-3", "5-6", "2-2", "3-3"):
        assert code not in str(table.tell(CardOut(code)))
    events = table.tell(Act(5, "set", front=("5-5", "3-5")))
    assert "5-5" not in str(events)


def test_a_room_without_a_rule_calls_the_floor() -> None:
    table = Table()
    events = table.tell(Happening("exposed_while_distributing", 5, cards=("6-6",)))
    assert any(isinstance(event, ev.Held) for event in events)


@pytest.mark.parametrize("slug", ["bankers-pai-gow-tiles", "calgrand-pai-gow-tiles"])
def test_the_set_has_thirty_two_tiles(slug: str) -> None:
    ruleset = load(slug)
    deck = ruleset.game.deck(ruleset.options())
    assert deck is not None and sum(deck.values()) == 32
