"""A small part of `make attacks`, another one with each commit: hostile requests and flipped bits."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.long.attacks import parts
from tests.long.flips import flips
from tests.long.hostile import attack
from tests.support.running.brokers import needs_mosquitto
from tests.support.turns import turn


@pytest.mark.broker
@needs_mosquitto
async def test_hostile_requests_are_answered_and_the_table_deals_on(tmp_path: Path) -> None:
    made = await attack(tmp_path, 400, turn(), lambda text: None)
    assert made.statuses["closed"] * 10 < made.statuses.total(), "almost every request gets an answer"
    assert made.statuses["200"] > 0 and made.statuses["400"] > 0 and made.statuses["401"] > 0
    assert made.replies["malformed"] > 0 and made.replies["not_allowed"] > 0


def test_a_flipped_bit_in_a_journal_is_found_or_has_no_effect(tmp_path: Path) -> None:
    results = flips(tmp_path, 60, turn())
    assert results.total() == 60
    assert results["found"] > 0


def test_make_attacks_makes_as_many_as_the_security_page_states() -> None:
    assert {part.name: part.wanted for part in parts()} == {
        "kills": 1000,
        "flips": 1000,
        "frames": 10_000_000,
        "inputs": 1_000_000,
        "requests": 100_000,
    }
