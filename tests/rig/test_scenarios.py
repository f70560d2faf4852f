"""Every scenario of the library goes as it should: real daemon, real broker, simulated devices;
docs/protocols/rig.md."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from controller.demo.staff import hire
from sim_hw.devices.kinds import NAMES
from sim_hw.rig.faults import TABLE_FAULTS, all_faults
from sim_hw.rig.scenario.file import Scenario, library, read
from sim_hw.rig.scenario.stage import staged
from sim_hw.rig.table.broker import Broker

SCENARIOS = [read(path) for path in library()]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def broker(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Broker]:
    """One broker for all of them; a scenario that stops its broker has its own."""
    broker = Broker(tmp_path_factory.mktemp("broker"))
    await broker.start()
    yield broker
    await broker.stop()


@pytest.fixture(scope="module")
def staff(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("staff")
    hire(folder)
    return folder


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
async def test_the_scenario_passes(scenario: Scenario, broker: Broker, staff: Path, tmp_path: Path) -> None:
    async with staged(scenario, tmp_path, broker=broker, staff=staff) as stage:
        await stage.play()


def test_every_scenario_has_title_description_and_source() -> None:
    assert len(SCENARIOS) >= 25
    assert len({scenario.table.ruleset for scenario in SCENARIOS}) >= 5
    on_the_tables = {device.kind for scenario in SCENARIOS for device in scenario.devices.values()}
    assert on_the_tables == set(NAMES)
    assert all(scenario.title and scenario.description and scenario.source for scenario in SCENARIOS)


def test_every_story_waits_to_see_something() -> None:
    for scenario in SCENARIOS:
        assert any(step.verb == "see" for step in scenario.steps), scenario.name


def test_every_fault_of_the_table_happens_to_one() -> None:
    faults = {step.what for scenario in SCENARIOS for step in scenario.steps if step.verb == "fault"}
    assert set(TABLE_FAULTS) <= faults
    assert faults <= {*all_faults(), *TABLE_FAULTS}
