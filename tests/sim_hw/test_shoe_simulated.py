"""The simulated shoe, its clock and its wire, without a controller."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from sim_hw.devices.link_peer import MAX_POSTED
from sim_hw.devices.shoe import Out, SimulatedShoe, new_decks
from sim_hw.time.clock import MAX_SPEED, SimClock
from sim_hw.wire.noise import Noise, NoisyWire
from sim_hw.wire.pty import Pty


def shoe_with(seed: int, directory: Path) -> SimulatedShoe:
    return SimulatedShoe(Pty(directory, "shoe"), SimClock(MAX_SPEED), seed=seed)


def deal_out(shoe: SimulatedShoe) -> list[str | Out]:
    dealt: list[str | Out] = []
    while (out := shoe.force_draw()) is not Out.EMPTY:
        dealt.append(out)
    return dealt


def test_the_order_of_the_cards_is_what_the_documentation_says(tmp_path: Path) -> None:
    shoe = shoe_with(7, tmp_path)
    shoe.load(decks=8)
    expected = new_decks(8)
    random.Random("7/deck").shuffle(expected)
    assert deal_out(shoe) == expected
    assert Counter(expected) == dict.fromkeys(new_decks(1), 8)


def test_the_next_shoe_is_shuffled_otherwise(tmp_path: Path) -> None:
    shoe = shoe_with(7, tmp_path)
    shoe.load(decks=1)
    first = deal_out(shoe)
    shoe.load(decks=1)
    second = deal_out(shoe)
    assert first != second
    assert sorted(map(str, first)) == sorted(map(str, second))


def test_the_cut_card_comes_out_once_and_where_it_was_put(tmp_path: Path) -> None:
    shoe = shoe_with(1, tmp_path)
    shoe.load(decks=1, cut_card_at=40)
    dealt = deal_out(shoe)
    assert dealt.index(Out.CUT_CARD) == 40
    assert len(dealt) == 53
    assert shoe.draw_no == 52


def test_each_power_up_has_its_own_boot_and_counts_from_zero(tmp_path: Path) -> None:
    shoe = shoe_with(1, tmp_path)
    boots = set()
    for _ in range(5):
        shoe.load(decks=1)
        shoe.force_draw()
        assert shoe.draw_no == 1
        boots.add(shoe.boot)
        shoe.power_cycle()
    assert len(boots) == 5


def test_a_shoe_without_room_for_another_event_is_locked(tmp_path: Path) -> None:
    shoe = shoe_with(1, tmp_path)
    shoe.permit = 10_000
    shoe.load(decks=16)
    while not shoe.is_locked:
        shoe.force_draw()
    assert MAX_POSTED - 10 < shoe.link.kept <= MAX_POSTED


def test_a_card_torn_out_of_a_shoe_whose_memory_is_used_up_counts_and_has_no_event(tmp_path: Path) -> None:
    """docs/protocols/device-link.md, section 7."""
    shoe = shoe_with(1, tmp_path)
    shoe.permit = 10_000
    shoe.load(decks=16)
    before = shoe.cards_left
    while not shoe.link.is_full:
        shoe.force_draw()
    kept, drawn = shoe.link.kept, shoe.draw_no
    assert isinstance(shoe.force_draw(), str)
    assert (shoe.link.kept, shoe.draw_no, shoe.cards_left) == (kept, drawn + 1, before - drawn - 1)


def test_nothing_can_be_pushed_back_into_a_shoe_that_gave_nothing(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no card has left"):
        shoe_with(1, tmp_path).push_back()


@pytest.mark.parametrize("speed", ["max", "x5000", "1000"])
async def test_simulated_time_is_the_same_at_every_speed(speed: str) -> None:
    clock = SimClock.at(speed)
    for _ in range(4):
        await clock.sleep(2.5)
    assert clock.now_ms() == 10_000


@pytest.mark.parametrize("speed", ["fast", "0", "-1", "x"])
def test_a_speed_that_is_none_is_refused(speed: str) -> None:
    with pytest.raises(ValueError, match="speed"):
        SimClock.at(speed)


def test_a_wire_without_noise_changes_nothing_and_a_noisy_one_does_from_its_seed() -> None:
    data = bytes(range(256)) * 40
    assert NoisyWire(Noise(), random.Random(1)).carry(data) == data

    noise = Noise(bit_errors=1e-3)
    once, again = (NoisyWire(noise, random.Random(1)).carry(data) for _ in range(2))
    flipped = sum((a ^ b).bit_count() for a, b in zip(data, once, strict=True))
    assert once == again
    assert 50 < flipped < 120

    lossy = NoisyWire(Noise(lost_bytes=1e-2), random.Random(1)).carry(data)
    assert 50 < len(data) - len(lossy) < 160


def test_a_wire_delays_and_never_reorders() -> None:
    wire = NoisyWire(Noise(delay=(0.0, 1.0)), random.Random(1))
    for n in range(100):
        wire.send(bytes((n,)), now=n / 1000)
    received = b""
    while (moment := wire.next_arrival()) is not None:
        received += wire.arrived(moment)
    assert received == bytes(range(100))


def test_a_port_keeps_its_name_over_unplugging(tmp_path: Path) -> None:
    port = Pty(tmp_path, "shoe")
    port.plug()
    assert port.path.is_symlink()
    port.unplug()
    assert not port.path.is_symlink()
    port.plug()
    assert port.path.resolve().is_char_device()
    port.unplug()
