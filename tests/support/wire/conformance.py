"""A simulated device, right or wrong in one place, judged in simulated time."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from sim_hw.conform.hands import Simulator
from sim_hw.conform.kinds import KINDS, Chosen
from sim_hw.conform.play import Outcome, play
from sim_hw.conform.requirement import Mutation, Requirement
from sim_hw.devices.kinds import Making, SimulatedDevice, kind_of
from sim_hw.devices.link_device import LinkDevice
from sim_hw.time.clock import SimClock
from sim_hw.time.loop import SimLoop
from sim_hw.usb.backend import SimulatedBus
from sim_hw.wire.local_port import LocalPort

KEY = bytes(range(32))
SIGNER = bytes(range(32, 64))


def judged(kind: str, mutation: Mutation | None = None, only: list[Requirement] | None = None) -> Outcome:
    """What conformance says of a simulated device of this kind, with a key and a signer where it can have them."""
    with tempfile.TemporaryDirectory() as folder, asyncio.Runner(loop_factory=SimLoop) as runner:
        return runner.run(_judged(kind, mutation, Path(folder), only))


async def _judged(kind: str, mutation: Mutation | None, folder: Path, only: list[Requirement] | None) -> Outcome:
    simulated = kind_of(kind)
    port = LocalPort(folder, kind)
    model = msgspec.convert({}, type=simulated.model)
    options = {**simulated.bare_options, **({"line": "8N1"} if kind == "reader_board" else {})}
    bus = SimulatedBus()
    device = simulated.build(Making(port, bus, SimClock.at("real"), f"conform/{kind}", options, model))
    if isinstance(device, LinkDevice):
        device.keyholder.key = KEY
        device.bootloader.trust(Ed25519PrivateKey.from_private_bytes(SIGNER).public_key())
    if mutation is not None:
        mutation(device)
    device.plug()
    with bus.installed():
        return await _played(kind, device, only)


async def _played(kind: str, device: SimulatedDevice, only: list[Requirement] | None) -> Outcome:
    wanted = KINDS[kind]
    line = await wanted.open(device.url, wanted.baud, "none")
    chosen = Chosen(key=KEY, signer=SIGNER)
    made = wanted.make(line, Simulator(kind, device), chosen)
    try:
        try:
            name = await made.survey()
        except Exception as error:
            name = f"no survey: {error}"
        return await play(made.bench, wanted.requirements if only is None else only, name)
    finally:
        made.close()
        device.close()
