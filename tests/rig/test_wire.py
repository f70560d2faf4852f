"""A real device behind a wire with faults. The "real" device is a simulated one on a port of its own."""

from __future__ import annotations

import asyncio
import stat
from pathlib import Path

import pytest

from sim_hw.conform.hands import Nobody, Robot, Simulator
from sim_hw.conform.kinds import KINDS, Chosen
from sim_hw.conform.opening import open_line
from sim_hw.conform.play import play
from sim_hw.devices.kinds import DevicePlan, Wrong
from sim_hw.rig.rig import Rig
from sim_hw.rig.wire import LeftOut, RealDevice, noise_of
from sim_hw.wire.noise import Noise


def test_faults_are_named_with_their_rates() -> None:
    assert noise_of("noise=0.001,drop,delay=0.2") == Noise(bit_errors=0.001, dropped=0.02, delay=(0.1, 0.2))
    assert noise_of("") == Noise()
    with pytest.raises(Wrong, match="no such fault of a wire; there is noise, lose"):
        noise_of("rain")
    with pytest.raises(Wrong, match="a rate is 0 to 1"):
        noise_of("drop=3")
    with pytest.raises(Wrong, match="expected a number after drop="):
        noise_of("drop=often")


async def test_a_device_keeps_its_promises_behind_a_bad_wire(tmp_path: Path) -> None:
    wanted = [each for each in KINDS["shoe"].requirements if each.id in ("SHOE-1", "SHOE-9")]
    with Rig(tmp_path, {"shoe": DevicePlan("shoe")}) as rig:
        noise = noise_of("noise=0.0005,lose=0.002,repeat=0.05")
        wire = RealDevice(tmp_path, "wire", rig.url("shoe"), baud=115_200, noise=noise, seed=3)
        await wire.open()
        wire.plug()
        line = await open_line(wire.url, 115_200)
        made = KINDS["shoe"].make(line, Simulator("shoe", rig["shoe"]), Chosen())
        try:
            await made.survey()
            outcome = await play(made.bench, wanted, "a shoe")
        finally:
            made.close()
            wire.close()
        assert wire.bytes_to_device > 100
        assert {result.requirement.id: result.state for result in outcome.results}.keys() == {"SHOE-1", "SHOE-9"}


async def test_acts_at_a_real_device_go_to_a_script_or_are_left_out_by_name(tmp_path: Path) -> None:
    robot = tmp_path / "robot"
    robot.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/acts\n')
    robot.chmod(robot.stat().st_mode | stat.S_IXUSR)
    with Rig(tmp_path / "bench", {"shoe": DevicePlan("shoe")}) as bench:
        plan = {"shoe": DevicePlan("shoe", port=bench.url("shoe"))}
        with Rig(tmp_path / "table", plan, hands=Robot(str(robot))) as rig:
            await rig.wait_online()
            assert rig.url("shoe") == str(tmp_path / "table" / "shoe")
            await rig.act("shoe", "load", decks=2)
            await rig.fault("misread", "shoe", card="9h")
            await rig.fault("bit_errors", "shoe", rate=0.01)
            assert rig["shoe"].wire is not None and rig["shoe"].wire.noise.bit_errors == 0.01
            with pytest.raises(Wrong, match="has no act 'dance'"):
                await rig.act("shoe", "dance")
        assert (tmp_path / "acts").read_text() == "load decks=2\nmisread card=9h\n"
        with Rig(tmp_path / "again", plan, hands=Nobody()) as rig:
            with pytest.raises(LeftOut, match="needs somebody at the device: At the shoe: draw"):
                await rig.act("shoe", "draw")
            await asyncio.sleep(0)
