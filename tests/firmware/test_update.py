"""New firmware for a simulated shoe on a real pseudo-terminal, through the real driver under the real supervisor."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from devices.drivers.shoe import ShoeDriver
from devices.link.authentication import DeviceVetted, Enrolled, Register, policy_of
from devices.link.firmware import Progress, Transfer, UpdateFailed
from devices.reports import DeviceState, TamperingSeen
from devices.spec import DeviceSpec
from devices.supervisor import Supervisor
from protocols.firmware.image import Image
from protocols.shoe import ShoeLoaded
from sim_hw.devices.shoe import SimulatedShoe
from sim_hw.time.clock import MAX_SPEED, SimClock
from sim_hw.wire.noise import Noise
from sim_hw.wire.pty import Pty
from tests.support.wire.firmware_images import DEVICE_KEY, STRANGER, VENDOR, an_image
from tests.support.wire.listener import Inbox, of_type, running

NEW = an_image("1.1.0", size=2000)
CHUNKS = -(-len(NEW.data) // 224)
STEPS_PER_CHUNK = 4
"""Of the flash: two to program it, two to note it."""
STEPS_TO_BEGIN = 6
NOISE = Noise(bit_errors=3e-4, lost_bytes=5e-4, dropped=0.02, repeated=0.05, cut_short=0.02, garbage=0.05)


class Bench(Inbox):
    """A shoe with a burnt-in signer, and its driver."""

    def __init__(self, folder: Path, *, noise: Noise | None = None, register: Register | None = None) -> None:
        super().__init__()
        self.shoe = SimulatedShoe(Pty(folder, "shoe"), SimClock(MAX_SPEED), seed=7, noise=noise)
        self.shoe.bootloader.trust(VENDOR.public_key())
        self.old = self.shoe.bootloader.running_file
        spec = DeviceSpec(id="shoe", kind="shoe", url=str(folder / "shoe"))
        self.supervisor = Supervisor([spec], self.sink, rng=random.Random(1))
        self.driver = self.supervisor.driver("shoe", ShoeDriver)
        if register is not None:
            self.driver.companion.register = register

    async def online(self) -> None:
        await self.until(lambda: self.supervisor.states["shoe"].state == "online")

    @property
    def vetted(self) -> list[DeviceVetted]:
        return [report for report in self.reports if isinstance(report, DeviceVetted)]

    def update(self, image: Image = NEW) -> Transfer:
        return self.driver.update(image, running="1.0.0")


@asynccontextmanager
async def on_the_bench(
    folder: Path, *, noise: Noise | None = None, register: Register | None = None
) -> AsyncIterator[Bench]:
    bench = Bench(folder, noise=noise, register=register)
    bench.shoe.plug()
    try:
        async with running(bench):
            yield bench
    finally:
        bench.shoe.unplug()


async def ended(transfer: Transfer) -> list[Progress]:
    return [progress async for progress in transfer.changes()]


async def test_a_shoe_gets_new_firmware_and_comes_back_with_it(tmp_path: Path) -> None:
    async with on_the_bench(tmp_path) as bench:
        await bench.online()
        seen = await ended(bench.update())
        await bench.until(lambda: bench.vetted[-1].firmware == "1.1.0")
        await bench.online()
        assert bench.shoe.bootloader.running_file == NEW.data
        assert seen[-1] == Progress("done", len(NEW.data), len(NEW.data))
        stages = list(dict.fromkeys(progress.stage for progress in seen))
        assert stages[-1] == "done"
        assert "sending" in stages
        before, after = bench.vetted
        assert (before.firmware, before.bootloader, before.hardware, before.security) == ("1.0.0", "1.0.2", 1, 0)
        assert (after.firmware, after.image) == ("1.1.0", NEW.id.hex())
        assert before.image != after.image
        states = [r.state for r in bench.reports if isinstance(r, DeviceState)]
        assert states == ["connecting", "online", "offline", "online"]


async def test_an_update_goes_through_sealed_sessions_in_chunks_that_fit(tmp_path: Path) -> None:
    enrolled = Enrolled(model="SIM-SHOE", serial="SIM-0001", key=DEVICE_KEY, firmware="1.0.0")
    register = Register({"shoe": enrolled}, policy_of("refuse"))
    noise = Noise(bit_errors=3e-4, lost_bytes=5e-4, dropped=0.02, cut_short=0.02, garbage=0.05)
    bench = Bench(tmp_path, noise=noise, register=register)
    bench.shoe.keyholder.key = DEVICE_KEY
    bench.shoe.plug()
    try:
        async with running(bench):
            await bench.online()
            await ended(transfer := bench.update())
            transfer.result()
            assert bench.shoe.link.is_sealed
            assert bench.shoe.bootloader.running_file == NEW.data
            assert [vetted.findings for vetted in bench.vetted] == [()] * len(bench.vetted)
            assert bench.shoe.link.statistics.framing.crc_errors > 0, "noise alone is no tampering"
            assert not of_type(bench.reports, TamperingSeen)
    finally:
        bench.shoe.unplug()


async def test_an_update_over_a_noisy_wire_arrives_whole(tmp_path: Path) -> None:
    async with on_the_bench(tmp_path, noise=NOISE) as bench:
        await bench.online()
        await ended(transfer := bench.update())
        transfer.result()
        assert bench.shoe.bootloader.running_file == NEW.data
        assert bench.shoe.link.statistics.framing.crc_errors > 0


@pytest.mark.parametrize("chunk", range(CHUNKS))
async def test_a_power_cut_in_any_chunk_costs_that_chunk_and_no_more(tmp_path: Path, chunk: int) -> None:
    async with on_the_bench(tmp_path) as bench:
        await bench.online()
        bench.shoe.bootloader.flash.cut_power_after(STEPS_TO_BEGIN + STEPS_PER_CHUNK * chunk + 1)
        transfer = bench.update()
        await bench.shoe.wait_off()
        had = transfer.progress.have
        assert had == 224 * chunk
        bench.shoe.power_cycle()
        assert bench.shoe.bootloader.running_file == bench.old
        seen = await ended(transfer)
        transfer.result()
        assert min(progress.have for progress in seen) == had, "nothing that was safe was sent again"
        assert bench.shoe.bootloader.running_file == NEW.data


async def test_a_cable_that_is_pulled_in_the_middle_and_put_back(tmp_path: Path) -> None:
    async with on_the_bench(tmp_path) as bench:
        await bench.online()
        transfer = bench.update()
        async for progress in transfer.changes():
            if progress.have >= len(NEW.data) // 2:
                break
        bench.shoe.unplug()
        await bench.until(lambda: bench.supervisor.states["shoe"].state == "offline")
        boot = bench.shoe.boot
        assert transfer.progress.stage == "waiting"
        bench.shoe.plug()
        async for progress in transfer.changes():
            if progress.have == len(NEW.data):
                break
        assert bench.shoe.boot == boot, "the shoe had power all the time"
        await ended(transfer)
        assert bench.shoe.bootloader.running_file == NEW.data


async def test_a_new_image_that_hangs_is_given_up_and_the_shoe_deals_on_with_the_old_one(tmp_path: Path) -> None:
    async with on_the_bench(tmp_path) as bench:
        await bench.online()
        bench.shoe.trial_s = 0.05
        fail = bench.shoe.bootloader.fail_next_trial
        fail()
        transfer = bench.update()
        async for progress in transfer.changes():
            if progress.stage == "restarting":
                fail()
        with pytest.raises(UpdateFailed, match="did not come up"):
            transfer.result()
        await bench.online()
        assert bench.shoe.bootloader.running_file == bench.old
        assert bench.vetted[-1].firmware == "1.0.0"
        bench.shoe.load(decks=1, cards=["9h"])
        await bench.shoe.wait_taken()


async def test_a_new_image_that_nobody_confirms_goes_by_itself(tmp_path: Path) -> None:
    async with on_the_bench(tmp_path) as bench:
        await bench.online()
        bench.shoe.trial_s = 1.0
        transfer = bench.update()
        async for progress in transfer.changes():
            if progress.stage == "restarting":
                transfer.fail("the controller has lost interest")
        await bench.until(lambda: "1.1.0" in [seen.firmware for seen in bench.vetted])
        await bench.until(lambda: bench.vetted[-1].firmware == "1.0.0")
        assert bench.shoe.bootloader.running_file == bench.old


async def test_an_image_of_a_stranger_is_refused_by_the_shoe_itself(tmp_path: Path) -> None:
    async with on_the_bench(tmp_path) as bench:
        await bench.online()
        transfer = bench.update(an_image(key=STRANGER))
        await ended(transfer)
        with pytest.raises(UpdateFailed, match="does not know the key that the image is signed with"):
            transfer.result()
        assert bench.supervisor.states["shoe"].state == "online"
        assert bench.shoe.bootloader.running_file == bench.old


async def test_no_event_is_lost_for_an_update(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("devices.link.firmware.ASK_AGAIN_AFTER", 0.01)
    async with on_the_bench(tmp_path) as bench:
        await bench.online()
        transfer = bench.update()
        loaded = 0
        async for progress in transfer.changes():
            if progress.stage in ("sending", "verifying", "activating") and loaded < 40:
                bench.shoe.load(decks=1, cards=["9h"])
                loaded += 1
        transfer.result()
        events = of_type(bench.reports, ShoeLoaded)
        assert len(events) == loaded > 0


async def test_a_shoe_with_a_key_is_updated_by_the_controller_that_knows_it_and_by_no_other(tmp_path: Path) -> None:
    enrolled = {"shoe": Enrolled(model="SIM-SHOE", serial="SIM-0001", key=DEVICE_KEY, firmware="1.0.0")}
    register = Register(enrolled, policy_of("flag"))
    async with on_the_bench(tmp_path, register=register) as bench:
        bench.shoe.keyholder.key = DEVICE_KEY
        await bench.online()
        await ended(transfer := bench.update())
        transfer.result()
        assert all(vetted.proved and not vetted.findings for vetted in bench.vetted)
        assert bench.shoe.keyholder.is_guarded


async def test_a_shoe_with_a_key_takes_nothing_from_a_controller_without_it(tmp_path: Path) -> None:
    async with on_the_bench(tmp_path) as bench:
        bench.shoe.keyholder.key = DEVICE_KEY
        await bench.online()
        await ended(transfer := bench.update())
        with pytest.raises(UpdateFailed, match="wants the controller to prove itself"):
            transfer.result()
        assert bench.shoe.bootloader.running_file == bench.old
