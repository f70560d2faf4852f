"""What holds for every schedule and any hand: each printed row costs what it prints, and no cent is charged twice."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from controller.engine import events as ev
from controller.engine.expect.bot import answer
from controller.engine.expect.wants import WantFloor
from controller.engine.fees.banked import Stake, assess
from controller.engine.fees.pot import PotFees
from controller.engine.fees.schedule import FeeRow, House, Schedule
from controller.engine.inputs import Amended, AnyBody, Change, FloorAct, Input, SensorSeen, WagerPlaced
from controller.engine.round.felt import Setup
from controller.engine.table.engine import TableEngine
from controller.engine.table.state import TableState
from controller.rules import load
from controller.rules.schedules import all_schedules
from tests.support.games.own_cards import own_cards

HAND = ["dealt", "first_betting_opens", "first_up_card", "betting_1_closed", "end_of_first_betting_round", "flop_dealt"]
HAND += ["third_card", "turn_dealt", "third_up_card", "betting_2_closed", "river_dealt", "fifth_card"]


def everything() -> Iterator[tuple[Schedule, int, FeeRow]]:
    for item in all_schedules().values():
        for number, row in enumerate(item.schedule.fee):
            house = House(rate=row.rate, minutes=row.minutes, missing_fee=700, jackpot_minimum_hands=0)
            yield replace(item.schedule, house=house), number, row


def edges(row: FeeRow) -> list[int]:
    """The first and the last amount of a band, and one in it."""
    assert row.lowest is not None
    top = row.highest if row.highest is not None else row.lowest + 100_000
    return [row.lowest, (row.lowest + top) // 2, top]


def test_every_printed_band_of_a_game_with_a_player_dealer_costs_what_it_prints() -> None:
    checked = 0
    for schedule, number, row in everything():
        if row.lowest is None or row.payer not in ("player", "player_dealer"):
            continue
        for cents in edges(row):
            wager = row.wager or next(iter(row.wager_includes or schedule.wager_includes), "base")
            if row.basis == "total_table_action":
                wager = schedule.action_includes[0]
            # A player/dealer's own wager, and a bet of the least amount beside it so that there is a hand.
            own = row.basis == "player_dealer_wager"
            stake = Stake(1, wager, wager, schedule.table_min if own else cents)
            due = assess(replace(schedule, below_bands="first"), [stake], [cents])
            found = [c for c in due.charges if c.row == number]
            assert [c.cents for c in found] == [schedule.cents(row)], (schedule.id, number, cents)
            checked += 1
    assert checked > 9000


def test_every_printed_pot_fee_is_taken_from_a_hand_that_reaches_it_or_stops_short() -> None:
    checked = 0
    for schedule, number, row in everything():
        if row.payer != "pot":
            continue
        fees = PotFees(schedule, row.lowest if row.lowest is not None else row.highest or 9)
        short = row.when in ("no_flop", "ended_before_betting_1_closed", "ended_before_betting_2")
        for moment in HAND[:2] if short else HAND:
            fees.reached(moment, 100_000)
        fees.ended("ended", 100_000)
        taken = sum(take.cents for take in fees.takes if take.row == number)
        assert taken == schedule.cents(row), (schedule.id, number)
        checked += 1
    assert checked > 1400


TABLES = {
    "bankers-ez-baccarat-panda-8": "ca-2/ez-baccarat/1",
    "bankers-pure-21-5-blackjack": "ca-1/pure-21-5/1",
    "bankers-ultimate-texas-holdem": "ca-2/ultimate-texas-holdem/3",
    "turlock-fortune-pai-gow-poker": "paigow-2016-2",
    "bankers-texas-holdem": ["poker-1/limit/13", "poker-1/limit/14", "poker-1/limit/15"],
}


def evening(slug: str, schedule: Any, seed: int) -> tuple[TableEngine[Any], list[ev.Event]]:
    """Some hundred inputs of a table that waits for the drop, with a floor that voids and waives now and then."""
    rng = random.Random(f"{slug}/{seed}")
    rules = load(slug)
    seats = tuple(range(1, 8))
    structure = {"kind": "fixed_limit", "low": 500, "high": 1000}
    stacks = dict.fromkeys(seats, 5000)
    setup = Setup(
        seats,
        7 if "holdem" not in slug or "ultimate" in slug else None,
        7,
        {"structure": structure, "blinds": {1: 200, 2: 500}, "stacks": stacks},
        (200_000,),
        awaits_drop=True,
    )
    options: Any = rules.options({"schedule": schedule})
    readings = {"waiver": "before_player_dealer_exposed", "no_action": "free_collection_button"}
    on_void = rng.choice(["kept", "returned", "floor_decides"])
    options = replace(options, schedule=replace(options.schedule, **readings, on_void=on_void))
    engine = TableEngine(rules.game, options, TableState(setup), slug)
    events: list[ev.Event] = []
    deck = rules.game.deck(options)
    assert deck is not None
    pack: list[str] = []

    def next_card() -> str:
        return pack.pop()

    for step in range(250):
        if not engine.is_dealing or len(pack) < len(seats):
            left = Counter(deck)
            left.subtract(engine.round.table.out if engine.round is not None else {})
            pack = list(left.elements())
            rng.shuffle(pack)
        wants = engine.expectation.wants
        if any(isinstance(want, WantFloor) and not want.choices for want in wants):
            break
        body: AnyBody
        match rng.randrange(40):
            case 0:
                body = FloorAct("void", "now and then")
            case 1:
                body = FloorAct("waive", "now and then")
            case 2:
                body = SensorSeen("boxes.collection", "collection", "dropped", 1)
            case 3 | 4:
                body = slip(engine, rng)
            case _:
                look = None if engine.round is None else partial(own_cards, engine)
                body = answer(engine.expectation, rng, next_card, name_card=next_card, look=look)
        events += engine.apply(Input(step, "test", body))
    return engine, events


def slip(engine: TableEngine[Any], rng: random.Random) -> Amended:
    """A correction of the running or the last round: an input struck out, or a wager of another amount."""
    played = engine.played if engine.is_dealing else engine.last
    inputs = [] if played is None else played.inputs
    index = rng.randrange(len(inputs)) if inputs else 0
    body = inputs[index].body if inputs else None
    changed = None
    if isinstance(body, WagerPlaced) and rng.random() < 0.7:
        changed = msgspec.to_builtins(replace(body, cents=body.cents + rng.choice((-500, 500, 1000, 5000))))
    return Amended(engine.round_number, (Change(index, changed),), "a slip")


def ledger_of(events: list[ev.Event]) -> Counter[str]:
    """The sum of the lines by box; each line continues where the one before it ended."""
    owed: Counter[str] = Counter()
    for event in events:
        if isinstance(event, ev.FeeChanged):
            assert event.cents and (event.cause != "due" or event.cents > 0)
            assert (event.before, event.after) == (owed[event.box], owed[event.box] + event.cents), event
            owed[event.box] += event.cents
    return owed


@pytest.mark.parametrize("slug", TABLES)
@pytest.mark.parametrize("seed", range(3))
def test_what_the_boxes_are_owed_is_what_was_due_less_what_was_let_off(slug: str, seed: int) -> None:
    engine, events = evening(slug, TABLES[slug], seed)
    owed = ledger_of(events)
    assert +owed == +Counter(engine.fees_owed)
    assert owed
    assert not any(isinstance(event, ev.Irregularity) and event.code == "engine_fault" for event in events)
