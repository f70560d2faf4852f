"""Simulated time: the same story at every speed; and small words that the rig reads and writes."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from controller.demo.staff import hire
from sim_hw.rig import toml
from sim_hw.rig.scenario.file import find, read
from sim_hw.rig.scenario.matching import differences
from sim_hw.rig.scenario.stage import staged
from sim_hw.time.clock import SimClock


async def test_a_story_has_the_same_times_at_every_speed(tmp_path: Path) -> None:
    hire(tmp_path / "staff")
    runs = []
    for speed in ("max", "x200"):
        scenario = read(find("baccarat-dragon-7"))
        async with staged(scenario, tmp_path / speed, speed=speed, staff=tmp_path / "staff") as stage:
            await stage.play()
            await stage.subscriber.until(lambda: stage.subscriber.last_seq == stage.subscriber.state["seq"])
            runs.append(stage.subscriber.events)
    assert runs[0] == runs[1]
    assert runs[0][-1]["at"] > runs[0][0]["at"]


def test_a_clock_jumps_forward_only() -> None:
    clock = SimClock.at("max")
    clock.jump(3600)
    assert clock.now_ms() == 3_600_000
    with pytest.raises(ValueError, match="runs forward"):
        clock.jump(-1)


def test_what_is_expected_is_a_part_of_what_is_there() -> None:
    seen = {
        "phase": "held",
        "held": {"code": "journal", "text": "the disk is full"},
        "alarms": {},
        "cards": ["9h", "2c"],
    }
    assert differences({"held": {"text": "~disk"}, "phase": "*"}, seen) == []
    assert differences({"cards": ["9h", "~c"]}, seen) == []
    assert differences({"cards": ["9h"]}, seen) == ["cards is ['9h', '2c'], not ['9h']"]
    assert differences({"shoe": {"number": 1}}, seen) == ["shoe is not there; it should be {'number': 1}"]
    assert differences({"held": {"code": "jam"}}, seen) == ["held.code is 'journal', not 'jam'"]


def test_what_is_written_is_read_again() -> None:
    document = {
        "title": 'a "story" – with – signs',
        "seats": [1, 2],
        "steps": [{"do": "shoe load", "cards": "9h"}, {"see": "event x", "flags": {"a b": True}, "rate": 0.5}],
        "table": {"ruleset": "r", "options": {}},
    }
    assert tomllib.loads(toml.as_toml(document)) == document
