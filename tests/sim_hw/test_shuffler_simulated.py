"""The simulated shuffler, with nobody but its dealer."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from protocols.shuffler.messages import Mode
from sim_hw.devices.link_peer import MAX_POSTED
from sim_hw.devices.shuffler.device import SimulatedShuffler
from sim_hw.devices.shuffler.machine import SHUFFLE_CARD
from sim_hw.time.clock import MAX_SPEED, SimClock
from sim_hw.wire.pty import Pty

BATCH = Mode(kind="batch")


@pytest.fixture
def clock() -> SimClock:
    return SimClock(MAX_SPEED)


@pytest.fixture
async def machine(tmp_path: Path, clock: SimClock) -> AsyncIterator[SimulatedShuffler]:
    simulated = SimulatedShuffler(Pty(tmp_path, "shuffler"), clock, seed=7)
    yield simulated
    simulated.close()


async def test_the_order_of_the_cards_is_what_the_documentation_says(machine: SimulatedShuffler) -> None:
    expected = BATCH.whole_deck
    rng = random.Random("7/deck")
    rng.shuffle(expected)
    machine.load()
    machine.press_shuffle()
    await machine.wait_phase("ready")
    assert machine.cards_inside == expected
    assert Counter(expected) == Counter(BATCH.whole_deck)


async def test_a_shuffle_takes_its_time_and_the_next_one_is_another(
    machine: SimulatedShuffler, clock: SimClock
) -> None:
    orders = []
    for _ in range(2):
        machine.load()
        before = clock.now_ms()
        machine.press_shuffle()
        assert machine.phase == "shuffling"
        await machine.wait_phase("ready")
        assert clock.now_ms() - before == round(52 * SHUFFLE_CARD * 1000)
        orders.append(machine.cards_inside)
        machine.move_door(is_open=True)
        assert machine.take_out_by_hand() == orders[-1]
        machine.move_door(is_open=False)
    assert orders[0] != orders[1]


async def test_each_power_up_has_its_own_boot(machine: SimulatedShuffler) -> None:
    boots = {machine.boot}
    for _ in range(4):
        machine.power_cycle()
        boots.add(machine.boot)
    assert len(boots) == 5


async def test_power_that_goes_in_mid_shuffle_leaves_a_deck_that_nobody_knows(machine: SimulatedShuffler) -> None:
    machine.load()
    machine.press_shuffle()
    await machine.link.wait_until(lambda: machine.is_moving)
    machine.power_cycle()
    assert machine.phase == "held"
    assert not machine.is_moving
    machine.press_shuffle()
    assert machine.phase == "held"


async def test_a_machine_without_room_for_another_event_does_not_move(
    machine: SimulatedShuffler, clock: SimClock
) -> None:
    while machine.link.has_room:
        machine.move_door(is_open=not machine.door_open)
    machine.move_door(is_open=False)
    machine.load()
    machine.press_shuffle()
    assert MAX_POSTED - 10 < machine.link.kept <= MAX_POSTED
    for _ in range(4 * 52):
        await asyncio.sleep(0)
    assert clock.now_ms() == 0
    machine.link.power_cycle(keep_events=False)
    await machine.wait_phase("ready")


async def test_what_a_hand_cannot_do(machine: SimulatedShuffler) -> None:
    with pytest.raises(ValueError, match="no jam to clear"):
        machine.clear_jam()
    with pytest.raises(ValueError, match="door is closed"):
        machine.take_out_by_hand()
    with pytest.raises(ValueError, match="to be turned: 9h"):
        machine.load(without=["9h"], face_up=["9h"])
    machine.load()
    with pytest.raises(ValueError, match="no deck can be put in"):
        machine.load()
    machine.press_shuffle()
    with pytest.raises(ValueError, match="the panel does not let"):
        machine.choose_mode(Mode(kind="sort"))
