"""Betting rounds and pots on their own: who is asked, what may be bet, who is owed what."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.engine.betting.betting_round import Action
from controller.engine.betting.rules import (
    BetRound,
    BettingRules,
    FixedLimit,
    NoLimit,
    PotLimit,
    SpreadLimit,
    StraightLimit,
    Structure,
)
from controller.engine.betting.turn import Turn
from controller.engine.expect.expectation import judge
from controller.engine.inputs import Act
from controller.engine.money.pots import Purse, halves, shares, side_pots, uncalled

PREFLOP = BetRound("preflop", first=True, check=False)
FLOP = BetRound("flop")
TURN = BetRound("turn", "high")
FOURTH = BetRound("fourth", open_pair=True)
THIRD = BetRound("third", first=True, check=False)


def action(
    structure: Structure,
    round: BetRound = FLOP,
    *,
    seats: tuple[int, ...] = (1, 2, 3),
    stacks: dict[int, int] | None = None,
    opener: int | None = None,
    **rules: Any,
) -> Action:
    return Action(BettingRules(structure, **rules), round, Purse(seats, stacks), seats, opener=opener)


def take(going: Action, acts: str) -> Action:
    """ "1 bet 300, 2 call": each in turn."""
    for part in acts.split(","):
        seat, do, *to = part.split()
        assert going.next_seat() == int(seat), part
        going.take(int(seat), do, int(to[0]) if to else None)
    return going


def barred(going: Action, seat: int) -> dict[str, str]:
    return {str(bar.do): bar.why for bar in going.choices(seat)[1]}


def test_the_action_goes_round_until_everybody_has_answered_the_last_raise() -> None:
    going = take(action(FixedLimit(300, 600)), "1 check, 2 bet 300, 3 raise 600, 1 call, 2 raise 900, 3 call, 1 fold")
    assert going.next_seat() is None
    assert going.raises == 2
    assert going.purse.live == {1: 600, 2: 900, 3: 900}


def test_a_round_that_everybody_checks_is_complete() -> None:
    assert take(action(NoLimit(200)), "1 check, 2 check, 3 check").next_seat() is None


def test_the_last_blind_keeps_its_turn() -> None:
    going = action(NoLimit(200), PREFLOP)
    going.post(2, 100)
    going.post(3, 200)
    take(going, "1 call, 2 call")
    assert going.next_seat() == 3
    assert [choice.do for choice in going.choices(3)[0]] == ["fold", "call", "raise"]


def test_nobody_is_asked_when_all_the_others_are_all_in() -> None:
    going = action(NoLimit(200), stacks={1: 500, 2: 900, 3: 2000})
    take(going, "1 bet 500, 2 raise 900, 3 call")
    assert going.next_seat() is None
    turn = Action(going.rules, TURN, going.purse, [1, 2, 3])
    assert turn.next_seat() is None


def test_a_blind_that_covers_an_all_in_has_nothing_to_answer() -> None:
    going = action(NoLimit(200), PREFLOP, stacks={1: 150, 2: 5000, 3: 5000})
    going.post(2, 100)
    going.post(3, 200)
    take(going, "1 call, 2 fold")
    assert going.next_seat() is None
    assert going.purse.return_uncalled() == {3: 50}


@pytest.mark.parametrize("bars", ["bettors", "all_who_acted"])
def test_a_short_all_in_does_not_open_the_betting_again(bars: str) -> None:
    going = action(NoLimit(200), stacks={1: 9000, 2: 9000, 3: 1400}, short_all_in_bars=bars)
    take(going, "1 bet 1000, 2 call, 3 raise 1400")
    assert going.last_full == 1000
    assert barred(going, 1)["raise"] == "raise_barred_short_all_in"
    take(going, "1 call")
    may_raise = "raise" in [choice.do for choice in going.choices(2)[0]]
    assert may_raise == (bars == "bettors"), "a seat that only called is not named in the text"


def test_a_full_raise_over_a_short_all_in_gives_the_bettor_his_right_back() -> None:
    going = action(NoLimit(200), stacks={1: 9000, 2: 1400, 3: 9000})
    take(going, "1 bet 1000, 2 raise 1400, 3 raise 2400")
    raising = going.legal(1).raise_to
    assert raising is not None and raising.least == 3400


def test_a_short_opening_bet_leaves_every_right_open() -> None:
    going = action(FixedLimit(300, 600), stacks={1: 9000, 2: 100, 3: 9000}, short_all_in_bars="all_who_acted")
    take(going, "1 check, 2 bet 100, 3 call")
    raising = going.legal(1).raise_to
    assert raising is not None and raising.one_of == (300,)
    assert going.raises == 0


def test_only_full_raises_count_against_the_cap() -> None:
    going = action(FixedLimit(300, 600), stacks={1: 9000, 2: 400, 3: 9000}, max_raises=1)
    take(going, "1 bet 300, 2 raise 400, 3 raise 600")
    assert going.raises == 1
    assert barred(going, 1)["raise"] == "raise_cap"


def test_three_raises_with_three_hands_and_any_number_heads_up() -> None:
    going = action(FixedLimit(300, 600), max_raises="by_structure")
    take(going, "1 bet 300, 2 raise 600, 3 raise 900, 1 raise 1200")
    assert barred(going, 2)["raise"] == "raise_cap"
    take(going, "2 fold")
    assert going.legal(3).raise_to is not None
    free = action(NoLimit(300), max_raises="by_structure")
    take(free, "1 bet 300, 2 raise 600, 3 raise 900, 1 raise 1200")
    assert free.legal(2).raise_to is not None


def test_an_open_pair_doubles_fourth_street_from_the_first_high_wager_on() -> None:
    going = action(FixedLimit(400, 800), FOURTH)
    going.open_pairs = frozenset({2})
    assert _sizes(going, 1) == (400,)
    take(going, "1 check")
    assert _sizes(going, 2) == (400, 800)
    take(going, "2 bet 400")
    assert _sizes(going, 3) == (800, 1200)
    take(going, "3 raise 1200")
    assert _sizes(going, 1) == (2000,)


def test_completing_the_forced_bet_is_no_raise() -> None:
    going = action(FixedLimit(400, 800, 100), THIRD, opener=1, max_raises=1)
    assert going.legal(1).bring_in is not None
    take(going, "1 bring_in 100, 2 call, 3 raise 400")
    assert going.raises == 0
    assert going.legal(1).call == 400
    take(going, "1 raise 800")
    assert going.raises == 1
    assert barred(going, 2)["raise"] == "raise_cap"


def test_the_opener_may_be_held_to_the_forced_amount() -> None:
    going = action(FixedLimit(400, 800, 100), THIRD, opener=1, opener_may_bring_in_low=False)
    choices, _ = going.choices(1)
    assert [(choice.do, choice.to_one_of) for choice in choices] == [("bring_in", (100,))]


def _sizes(going: Action, seat: int) -> tuple[int, ...]:
    legal = going.legal(seat)
    amounts = legal.bet or legal.raise_to
    assert amounts is not None
    return amounts.one_of


# Pots

CHIPS = st.dictionaries(st.integers(1, 9), st.integers(0, 5000), min_size=2, max_size=9)


@settings(deadline=None)
@given(CHIPS, st.data())
def test_side_pots_hold_every_chip_and_every_contender_plays_for_what_it_matched(
    live: dict[int, int], data: st.DataObject
) -> None:
    folded = data.draw(st.sets(st.sampled_from(sorted(live)), max_size=len(live) - 1))
    dead = data.draw(st.integers(0, 300))
    pots = side_pots(live, folded, dead)
    assert sum(pot.cents for pot in pots) == sum(live.values()) + dead
    contenders = set(live) - folded
    for seat in contenders:
        plays_for = sum(pot.cents for pot in pots if seat in pot.seats)
        if live[seat] < max(live[other] for other in contenders):
            assert plays_for == dead + sum(min(put, live[seat]) for put in live.values())
        else:
            assert plays_for == dead + sum(live.values()), "nobody put in more"


@given(CHIPS)
def test_uncalled_money_is_what_nobody_matched(live: dict[int, int]) -> None:
    back = uncalled(live, set())
    for seat, cents in back.items():
        assert live[seat] - cents == max(put for other, put in live.items() if other != seat)


@given(st.integers(0, 100_000), st.permutations([1, 2, 3, 4]), st.integers(1, 4), st.sampled_from([1, 25, 100]))
def test_shares_are_equal_but_for_the_odd_chips(cents: int, seats: list[int], winners: int, chip: int) -> None:
    first, *others = seats[:winners]
    parts = shares(cents, seats[:winners], chip)
    each = cents // chip // winners * chip
    assert sum(parts.values()) == cents and all(parts[seat] == each for seat in others)
    in_turn = shares(cents, seats[:winners], chip, "one_each")
    assert sum(in_turn.values()) == cents and in_turn[first] >= max(in_turn.values())
    assert all(in_turn[seat] - each in (0, chip) for seat in others)


@given(st.integers(0, 100_000), st.sampled_from([1, 25, 100]))
def test_the_low_half_is_whole_chips_and_never_the_larger(cents: int, chip: int) -> None:
    high, low = halves(cents, chip)
    assert high + low == cents and low % chip == 0 and 0 <= high - low < 2 * chip


# Any structure, any stacks

STRUCTURES: st.SearchStrategy[Structure] = st.sampled_from(
    [
        FixedLimit(300, 600),
        StraightLimit(500),
        SpreadLimit(100, 700),
        NoLimit(300),
        NoLimit(300, raise_by=200),
        PotLimit(300),
        PotLimit(300, True),
    ]
)


ACTS = ["fold", "check", "call", "bet", "raise", "complete", "bring_in", "show"]
AMOUNTS = st.none() | st.integers(-1, 7000) | st.sampled_from([100, 300, 600, 900, 1200, 6000])


def test_a_plain_act_is_taken_before_the_menu_is_written_out() -> None:
    going = action(NoLimit(300), PREFLOP, stacks={1: 5000, 2: 5000, 3: 5000})
    going.post(2, 100)
    going.post(3, 300)
    asked = Turn(going, 1)
    assert all(asked.admits(act) for act in (Act(1, "fold"), Act(1, "call"), Act(1, "raise", to=600)))
    for act in (Act(2, "fold"), Act(1, "check"), Act(1, "bet", to=600), Act(1, "raise", to=599), Act(1, "raise")):
        assert not asked.admits(act)
        assert judge(asked.build(), act) is not None


def test_a_forced_opener_can_neither_fold_nor_check() -> None:
    asked = Turn(action(FixedLimit(300, 600, forced=100), THIRD, opener=1), 1)
    for do in ("fold", "check", "call"):
        assert not asked.admits(Act(1, do))
        assert judge(asked.build(), Act(1, do)) is not None


@settings(max_examples=200, deadline=None)
@given(STRUCTURES, st.data())
def test_whatever_is_offered_can_be_done_and_the_round_ends(structure: Structure, data: st.DataObject) -> None:
    seats = tuple(range(1, data.draw(st.integers(2, 6)) + 1))
    stacks = {seat: data.draw(st.integers(1, 6000), label=f"stack {seat}") for seat in seats}
    round = data.draw(st.sampled_from([PREFLOP, FLOP, TURN]))
    basis = data.draw(st.sampled_from(["last_full", "to_call"]))
    going = action(structure, round, seats=seats, stacks=stacks, max_raises=4, min_raise_basis=basis)
    if round.first:
        going.post(seats[-2], 100)
        going.post(seats[-1], 300)
    for _ in range(200):
        seat = going.next_seat()
        if seat is None:
            break
        tried = Act(data.draw(st.sampled_from(seats)), data.draw(st.sampled_from(ACTS)), to=data.draw(AMOUNTS))
        asked = Turn(going, seat)
        assert not asked.admits(tried) or judge(asked.build(), tried) is None, "taken unseen, but not legal"
        choice = data.draw(st.sampled_from(going.choices(seat)[0]))
        to = data.draw(st.sampled_from(choice.to_one_of)) if choice.to_one_of else None
        if choice.to is not None:
            to = data.draw(st.integers(*choice.to))
        before, facing = going.purse.total(seat), going.facing(seat)
        going.take(seat, choice.do, to)
        if to is not None and choice.do in ("bet", "raise"):
            assert (going.level == to) == structure.is_full(facing, to), "a full bet or raise is the structure's word"
        assert going.purse.total(seat) >= before
        assert going.purse.total(seat) + (going.purse.behind[seat] or 0) == stacks[seat]
    else:
        raise AssertionError("the round does not end")
    called = {going.put_in[seat] for seat in going.purse.contenders if going.purse.can_act(seat)}
    assert len(called) <= 1, "everybody who can still act has put in the same"
    assert going.purse.pot == sum(going.purse.live.values())
