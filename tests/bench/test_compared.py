"""`make bench` names what became slower since the recorded run, and what it left out."""

from __future__ import annotations

import argparse

import pytest
from msgspec.structs import replace

from tests.bench import compared
from tests.bench.compared import comparison, left_out, recorded
from tests.bench.figures import Figure, Report

SPEED = Figure("rounds", 900, 900, "bare loop", 1000, 0.9, worse="smaller")
COST = Figure("start", 150, 150, "imports", 100, 1.5, unit=" ms", worse="larger")
LAST = Figure("card to subscriber, 99th percentile", 4, 4, "floor", 2, 2.0, unit=" ms", worse="larger")
FIXED = Figure("frames", 2000, 2000, "line rate", 100, 20.0)
BEFORE = Report("2026-11-19", "AMD", 2, 1.0, "3.11", "3.40", (SPEED, COST, LAST, FIXED), "abc1234")


def after(*figures: Figure) -> str:
    return comparison(replace(BEFORE, figures=figures), BEFORE)


def test_a_run_like_the_recorded_one_has_nothing_slower() -> None:
    assert "nothing became slower" in after(SPEED, COST, LAST, FIXED)
    assert "nothing became slower" in after(replace(SPEED, ratio=0.75), replace(COST, ratio=1.8), LAST, FIXED)


def test_what_became_slower_by_more_than_the_noise_is_named_and_how_much() -> None:
    text = after(replace(SPEED, ratio=0.45), replace(COST, ratio=2.25), LAST, FIXED)
    assert "SLOWER, 2.00 times: rounds: 0.45 of bare loop, was 0.9" in text
    assert "SLOWER, 1.50 times: start: 2.25 of imports, was 1.5" in text
    assert text.count("SLOWER") == 2


def test_a_percentile_that_few_values_decide_may_differ_by_more() -> None:
    assert "SLOWER" not in after(SPEED, COST, replace(LAST, ratio=3.2), FIXED)
    assert "SLOWER" in after(SPEED, COST, replace(LAST, ratio=3.6), FIXED)


def test_what_became_quicker_is_named_too() -> None:
    assert "quicker, 2.00 times: start" in after(SPEED, replace(COST, ratio=0.75), LAST, FIXED)


def test_a_rate_beside_something_that_was_not_measured_is_not_compared() -> None:
    """Another machine has another speed, and a line rate is what it is."""
    assert "SLOWER" not in after(SPEED, COST, LAST, replace(FIXED, ratio=2.0))


def test_what_was_not_measured_this_time_is_named() -> None:
    assert after(SPEED, COST).splitlines()[-1] == (
        "  not measured this time: card to subscriber, 99th percentile; frames"
    )


def test_the_recorded_run_can_be_compared_with_itself() -> None:
    run = recorded()
    assert run is not None
    assert "nothing became slower" in comparison(run, run)


def test_a_machine_without_broker_or_compiler_says_what_it_leaves_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compared, "MOSQUITTO", None)
    monkeypatch.setattr(compared, "BINARIES", None)
    monkeypatch.setattr(compared, "is_built", lambda: False)
    monkeypatch.setattr(compared, "chromium_path", lambda: None)
    words = list(left_out(argparse.Namespace(hands=None)))
    assert [line.split()[0] for line in words] == ["the", "Mosquitto", "PostgreSQL", "Chromium", "public"]
