"""A rig as a fixture, a device as a parameter: the pytest plugin; docs/protocols/rig.md, "A bench with pytest".

    def test_it_says_who_it_is(cutcard_device): ...                       # once for each kind of device
    @pytest.mark.cutcard_rig("baccarat-a-natural")
    async def test_a_hand(cutcard_stage): ...                             # daemon, broker, devices

    pytest --cutcard-port shoe=/dev/ttyUSB0                               # a real shoe in its place

What only a simulated device can do (an act, a fault) skips the test, with the reason, where a real one is used.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio

if TYPE_CHECKING:
    from sim_hw.devices.kinds import DevicePlan, SimulatedDevice
    from sim_hw.rig.rig import Rig
    from sim_hw.rig.scenario.file import Scenario
    from sim_hw.rig.scenario.stage import Stage

OPTION = "--cutcard-port"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("cutcard", "the simulated table")
    group.addoption(
        OPTION,
        action="append",
        default=[],
        metavar="DEVICE=PORT",
        help="a real device in the place of a simulated one, by its name or kind: shoe=/dev/ttyUSB0",
    )
    group.addoption("--cutcard-speed", default="max", help="of simulated time: real, max or a factor such as x5")
    group.addoption("--cutcard-seed", type=int, default=1, help="of cards, dice and faults")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "cutcard_rig(scenario, **devices): the table of a scenario, or devices by name and kind (shoe='shoe')",
    )
    config.addinivalue_line("markers", "cutcard_devices(*kinds): the kinds that `cutcard_device` takes in turn")
    ports(config)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "cutcard_device" in metafunc.fixturenames:
        from sim_hw.devices.kinds import NAMES

        marker = metafunc.definition.get_closest_marker("cutcard_devices")
        kinds = marker.args if marker is not None else NAMES
        metafunc.parametrize("cutcard_device", kinds, indirect=True)


def ports(config: pytest.Config) -> dict[str, str]:
    """The real ports of the command line."""
    found = {}
    for text in config.getoption(OPTION):
        device, equals, port = text.partition("=")
        if not (device and equals and port):
            raise pytest.UsageError(f"{OPTION} {text}: write it as device=port, for example shoe=/dev/ttyUSB0")
        found[device] = port
    return found


@dataclass(frozen=True)
class BenchDevice:
    """One device on the bench, simulated or real: what a driver needs to reach it."""

    name: str
    kind: str
    rig: Rig

    @property
    def url(self) -> str:
        return self.rig.url(self.name)

    @property
    def baud(self) -> int:
        from sim_hw.devices.kinds import kind_of

        return kind_of(self.kind).baud or 115_200

    @property
    def is_real(self) -> bool:
        return bool(self.rig.plan[self.name].port)

    @property
    def options(self) -> Mapping[str, Any]:
        """As the daemon's config has them."""
        return self.rig.plan[self.name].options

    @property
    def simulated(self) -> SimulatedDevice:
        """The simulated device; where it is a real one, the test is skipped."""
        if self.is_real:
            pytest.skip(f"the {self.name} is a real one, on {self.url}: the rig cannot move it")
        return self.rig[self.name]

    async def act(self, do: str, **how: object) -> object:
        """A hand at the device, by name; skipped where it is real."""
        assert self.simulated is not None
        return await self.rig.act(self.name, do, **how)

    async def fault(self, name: str, **how: object) -> None:
        assert self.simulated is not None
        await self.rig.fault(name, self.name, **how)


@pytest_asyncio.fixture
async def cutcard_rig(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Rig]:
    """Devices alone, plugged in: those of the marker `cutcard_rig`, or a shoe."""
    from sim_hw.rig.rig import Rig
    from sim_hw.time.clock import SimClock

    plan = _plan(request)
    config = request.config
    clock = SimClock.at(config.getoption("--cutcard-speed"))
    with ExitStack() as stack:
        yield stack.enter_context(Rig(tmp_path / "rig", plan, seed=config.getoption("--cutcard-seed"), clock=clock))


@pytest_asyncio.fixture
async def cutcard_device(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[BenchDevice]:
    """One device of each kind in turn."""
    from sim_hw.devices.kinds import DevicePlan, kind_of
    from sim_hw.rig.rig import Rig
    from sim_hw.time.clock import SimClock

    kind = request.param
    real = ports(request.config).get(kind, "")
    plan = {kind: DevicePlan(kind, options=dict(kind_of(kind).bare_options), port=real)}
    config = request.config
    clock = SimClock.at(config.getoption("--cutcard-speed"))
    with Rig(tmp_path / "rig", plan, seed=config.getoption("--cutcard-seed"), clock=clock) as rig:
        yield BenchDevice(kind, kind, rig)


@pytest.fixture(scope="session")
def cutcard_staff(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Simulated people whom the daemons of this session know."""
    from sim_hw.rig.table.daemon import hire

    return asyncio.run(hire(tmp_path_factory.mktemp("staff")))


@pytest_asyncio.fixture
async def cutcard_stage(request: pytest.FixtureRequest, tmp_path: Path, cutcard_staff: Path) -> AsyncIterator[Stage]:
    """A whole table: the devices of a scenario, a broker of its own, the daemon. Its steps are not played."""
    from sim_hw.rig.scenario.stage import staged

    config = request.config
    scenario = replace(_scenario(request), seed=config.getoption("--cutcard-seed"))
    known = {name: port for name, port in ports(config).items() if name in scenario.devices}
    async with staged(
        scenario, tmp_path, speed=config.getoption("--cutcard-speed"), staff=cutcard_staff, ports=known
    ) as stage:
        yield stage


def _marked(request: pytest.FixtureRequest) -> pytest.Mark | None:
    marker: pytest.Mark | None = request.node.get_closest_marker("cutcard_rig")
    return marker


def _scenario(request: pytest.FixtureRequest) -> Scenario:
    from sim_hw.rig.scenario.file import find, read

    marker = _marked(request)
    return read(find(marker.args[0] if marker is not None and marker.args else "baccarat-a-natural"))


def _plan(request: pytest.FixtureRequest) -> Mapping[str, DevicePlan]:
    from sim_hw.devices.kinds import DevicePlan, kind_of
    from sim_hw.rig.scenario.stage import with_ports

    marker = _marked(request)
    if marker is not None and marker.args:
        plan = dict(_scenario(request).devices)
    else:
        kinds: dict[str, str] = dict(marker.kwargs) if marker is not None and marker.kwargs else {"shoe": "shoe"}
        plan = {name: DevicePlan(kind, options=dict(kind_of(kind).bare_options)) for name, kind in kinds.items()}
    known = {name: port for name, port in ports(request.config).items() if name in plan}
    return with_ports(plan, known)


def pytest_report_header(config: pytest.Config) -> Iterator[str]:
    for device, port in ports(config).items():
        yield f"cutcard: the {device} is a real one, on {port}"
