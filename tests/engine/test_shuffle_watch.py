"""The watch on exposed cards: packs in order, packs that repeat, packs shuffled badly, and shoes that are fair."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import msgspec
import pytest

from controller.engine.cards.card import codes, standard_deck
from controller.engine.shoe.shoe import ShuffleWatch
from controller.engine.shoe.shuffle_watch import FALSE_ALARMS_IN, evidence, watched

NEW_DECK = codes(standard_deck())
DECKS = 8
SHOE = dict.fromkeys(NEW_DECK, DECKS)
CUT_CARD_AT = 14
Pack = list[str]


def hands(pack: Pack, rng: random.Random) -> Iterator[Pack]:
    """A pack dealt as baccarat hands of four to six cards."""
    at = 0
    while at < len(pack) - CUT_CARD_AT:
        size = rng.choice((4, 5, 5, 6))
        yield pack[at : at + size]
        at += size


def dealt(pack: Pack, rng: random.Random, earlier: tuple[str, ...] = (), one_in: int = FALSE_ALARMS_IN) -> ShuffleWatch:
    """The watch when the alarm came, or at the end of the shoe."""
    watch = ShuffleWatch()
    for hand in hands(pack, rng):
        watch = watched(watch, hand, SHOE, earlier, one_in)
        if watch.alarm:
            break
    return watch


def fair(rng: random.Random) -> Pack:
    pack = NEW_DECK * DECKS
    rng.shuffle(pack)
    return pack


def riffled(pack: Pack, times: int, rng: random.Random) -> Pack:
    """Riffles as people make them (Gilbert, Shannon, Reeds): cut about the middle, packets dropped by their size."""
    for _ in range(times):
        cut = sum(rng.random() < 0.5 for _ in pack)
        left, right = pack[:cut][::-1], pack[cut:][::-1]
        pack = []
        while left or right:
            from_left = rng.randrange(len(left) + len(right)) < len(left)
            pack.append((left if from_left else right).pop())
    return pack


def washed(clump: int) -> Callable[[random.Random], Pack]:
    """New decks spread on the table and pushed together again: clumps stay as they were."""

    def wash(rng: random.Random) -> Pack:
        pack = NEW_DECK * DECKS
        clumps = [pack[at : at + clump] for at in range(0, len(pack), clump)]
        rng.shuffle(clumps)
        return [card for part in clumps for card in part]

    return wash


@pytest.mark.parametrize(
    ("pack", "suspicion"),
    [(NEW_DECK * DECKS, "new_deck_order"), (NEW_DECK[::-1] * DECKS, "new_deck_order_reversed")],
)
@pytest.mark.clause("MD-36.05.02.17")
def test_a_pack_in_the_order_of_new_decks_is_found_within_some_hands(pack: Pack, suspicion: str) -> None:
    for seed in range(20):
        rng = random.Random(seed)
        cut = rng.randrange(len(pack))
        watch = dealt(pack[cut:] + pack[:cut], rng)
        assert watch.alarm == suspicion
        assert len(watch.seen) < 50


@pytest.mark.parametrize("times", [1, 2, 3])
def test_new_decks_that_were_riffled_up_to_three_times_are_found(times: int) -> None:
    for seed in range(12):
        rng = random.Random(seed)
        assert dealt(riffled(NEW_DECK * DECKS, times, rng), rng).alarm == "new_deck_order"


@pytest.mark.parametrize("clump", [20, 8, 4, 2])
def test_new_decks_that_were_washed_badly_are_found(clump: int) -> None:
    for seed in range(12):
        rng = random.Random(seed)
        assert dealt(washed(clump)(rng), rng).alarm == "new_deck_order"


def test_a_pack_of_eight_decks_in_one_and_the_same_order_is_found() -> None:
    for seed in range(12):
        rng = random.Random(seed)
        deck = NEW_DECK[:]
        rng.shuffle(deck)
        watch = dealt(deck * DECKS, rng)
        assert watch.alarm == "repeats_itself"
        assert len(watch.seen) < 100


@pytest.mark.parametrize("times", [0, 1, 2])
@pytest.mark.parametrize("backwards", [False, True])
def test_a_shoe_that_was_dealt_before_is_found_though_it_was_cut_and_riffled(times: int, backwards: bool) -> None:
    """After two riffles a quarter of the neighbours are left: seldom one slips through."""
    found = 0
    for seed in range(10):
        rng = random.Random(seed)
        before = fair(rng)
        earlier = (dealt(fair(rng), rng).seen, dealt(before, rng).seen)
        cut = rng.randrange(len(before))
        again = riffled(before[cut:] + before[:cut], times, rng)
        watch = dealt(again[::-1] if backwards else again, rng, earlier)
        found += watch.alarm == "repeats_earlier_shoe"
    assert found >= (8 if times == 2 else 10)


def test_a_clump_of_new_decks_late_in_a_fair_shoe_is_found() -> None:
    for seed in range(12):
        rng = random.Random(seed)
        pack = fair(rng)
        pack[250:302] = NEW_DECK
        watch = dealt(pack, rng)
        assert watch.alarm == "new_deck_order"
        assert len(watch.seen) > 250


def test_fair_shoes_raise_no_alarm() -> None:
    rng = random.Random(1)
    earlier: tuple[str, ...] = ()
    for _ in range(250):
        watch = dealt(fair(rng), rng, earlier)
        assert not watch.alarm
        earlier = (watch.seen, *earlier)[:2]


@pytest.mark.parametrize("one_in", [20, 100])
@pytest.mark.clause("MD-36.05.02.17")
def test_false_alarms_are_no_more_frequent_than_stated(one_in: int) -> None:
    """The statement holds for any rate; one in a million cannot be counted, one in twenty can.

    Were the true rate as high as stated, more than four standard deviations above it would come once in 30,000 runs.
    """
    rng = random.Random(one_in)
    shoes = 300
    earlier = (dealt(fair(rng), rng).seen, dealt(fair(rng), rng).seen)
    alarms = sum(bool(dealt(fair(rng), rng, earlier, one_in).alarm) for _ in range(shoes))
    expected = shoes / one_in
    assert alarms <= expected + 4 * expected**0.5


def test_a_suspicion_keeps_no_more_than_it_had_on_average() -> None:
    """What the stated rate rests on: over fair shoes, all capital together does not grow."""
    rng = random.Random(7)
    total = 0.0
    shoes = 300
    for _ in range(shoes):
        watch = ShuffleWatch()
        for hand in hands(fair(rng)[:60], rng):
            watch = watched(watch, hand, SHOE)
        each = len(watch.stakes)
        total += (sum(watch.stakes) + each * watch.reserve) / each / 10**12
    assert total / shoes < 1.3


def test_cards_that_were_not_shown_are_gaps_and_decide_nothing() -> None:
    watch = ShuffleWatch()
    for card in NEW_DECK * 2:
        watch = watched(watch, [card, None], SHOE)
    assert not watch.alarm
    assert watch.seen.count(".") == 104


def test_the_evidence_states_what_fits_and_what_chance_would_give() -> None:
    watch = dealt(NEW_DECK * DECKS, random.Random(3))
    found = evidence(watch, SHOE)
    assert found.pairs == len(watch.seen) - 1
    assert found.hits >= found.pairs - 2
    assert found.by_chance <= 2


def test_after_the_alarm_the_watch_only_writes_down() -> None:
    watch = dealt(NEW_DECK * DECKS, random.Random(3))
    later = watched(watch, ["9h", "Kd"], SHOE)
    assert (later.alarm, later.stakes) == (watch.alarm, watch.stakes)
    assert len(later.seen) == len(watch.seen) + 2


def test_the_same_cards_give_the_same_watch_however_it_was_stored() -> None:
    rng = random.Random(5)
    pack = fair(rng)
    straight = stored = ShuffleWatch()
    for at in range(0, 200, 5):
        straight = watched(straight, pack[at : at + 5], SHOE)
        stored = msgspec.json.decode(msgspec.json.encode(watched(stored, pack[at : at + 5], SHOE)), type=ShuffleWatch)
    assert stored == straight
