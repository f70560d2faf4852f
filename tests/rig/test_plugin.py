"""The pytest plugin, as a test bench of somebody else uses it: pytest in a process of its own."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

from tests.run import ROOT

BENCH = """
import asyncio

import pytest

from devices.spec import DeviceSpec
from tests.support.wire.listener import listening


def spec(device):
    return DeviceSpec(id=device.name, kind=device.kind, url=device.url, baud=device.baud, options=device.options)


@pytest.mark.cutcard_devices("shoe", "shuffler", "dice_cup", "key_panel")
async def test_it_says_who_it_is(cutcard_device):
    async with listening(spec(cutcard_device)) as controller:
        state = await controller.online()
        print(f"FOUND {cutcard_device.kind} {state.serial} real={cutcard_device.is_real}")


@pytest.mark.cutcard_devices("shoe")
async def test_a_card_comes_out(cutcard_device):
    await cutcard_device.act("load", cards="9h 2c")


@pytest.mark.cutcard_rig(left="shoe", right="shoe", boxes="drop_box")
async def test_three_devices_side_by_side(cutcard_rig):
    assert list(cutcard_rig.models) == ["left", "right", "boxes"]
    await cutcard_rig.act("boxes", "drop", pieces=2)
"""

STAGE = """
import pytest


@pytest.mark.cutcard_rig("baccarat-dragon-7")
async def test_our_monitoring_receives_the_unplugged_cable(cutcard_stage):
    await cutcard_stage.rig.fault("unplug", "shoe")
    await cutcard_stage.subscriber.until(lambda: "device_away:shoe" in cutcard_stage.subscriber.state.get("alarms", {}))
"""


def bench(folder: Path, text: str, *options: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_bench.py").write_text(text)
    ours = ["-p", "sim_hw.pytest_plugin", "-p", "no:cacheprovider", "-o", "asyncio_mode=auto"]
    alone = ["--rootdir", str(folder), "-c", "/dev/null"]
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-rs", "-s", *ours, *alone, *options, str(folder / "test_bench.py")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=150,
        check=False,
    )


def test_a_device_is_a_parameter_and_a_rig_a_fixture(tmp_path: Path) -> None:
    done = bench(tmp_path, BENCH)
    assert done.returncode == 0, done.stdout
    assert "6 passed" in done.stdout
    for kind, serial in (("shoe", 1), ("shuffler", 2), ("dice_cup", 3), ("key_panel", 4)):
        assert f"FOUND {kind} SIM-{serial:04} real=False" in done.stdout


def test_a_whole_table_is_a_fixture(tmp_path: Path) -> None:
    done = bench(tmp_path, STAGE)
    assert done.returncode == 0, done.stdout
    assert "1 passed" in done.stdout


FOREIGN = """
import asyncio, sys
from pathlib import Path
from sim_hw.devices import shoe as shoes
from sim_hw.time import clock
from sim_hw.wire import pty

async def main():
    port = pty.Pty(Path(sys.argv[1]), "ttyUSB0")
    shoe = shoes.SimulatedShoe(port, clock.SimClock.at("real"), seed="foreign", serial="SN-4711")
    shoe.plug()
    print("plugged", flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


def test_a_real_port_takes_the_place_of_a_simulated_device(tmp_path: Path) -> None:
    command = [sys.executable, "-c", FOREIGN, str(tmp_path)]
    foreign = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert foreign.stdout is not None
        assert foreign.stdout.readline() == "plugged\n"
        port = tmp_path / "ttyUSB0"
        done = bench(tmp_path, BENCH, "--cutcard-port", f"shoe={port}")
    finally:
        foreign.kill()
        foreign.wait()
    assert done.returncode == 0, done.stdout
    assert f"cutcard: the shoe is a real one, on {port}" in done.stdout
    assert "FOUND shoe SN-4711 real=True" in done.stdout
    assert "FOUND shuffler SIM-0002 real=False" in done.stdout
    assert "the rig cannot move it" in done.stdout
    assert "5 passed, 1 skipped" in done.stdout


def test_a_port_without_a_device_is_a_sentence(tmp_path: Path) -> None:
    done = bench(tmp_path, BENCH, "--cutcard-port", "/dev/ttyUSB0")
    assert done.returncode != 0
    assert "write it as device=port" in done.stderr + done.stdout


def test_the_plugin_comes_with_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["pytest11"] == {"sim_hw.pytest_plugin": "sim_hw.pytest_plugin"}
