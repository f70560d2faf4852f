"""A capture played back: a driver receives from the recording what it received from the device."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.technician.wire_recording import Wire, header, packet_of
from devices.drivers.shoe import LimitedCardDrawn, ShoeDriver
from devices.ports.tap import Chunk, Direction, Taps, listening_in
from devices.ports.transport import open_port
from devices.reports import DeviceEvent, Report
from devices.spec import DeviceSpec
from protocols import shoe as shoe_messages
from protocols.link.identity import Identity
from protocols.pcapng import encode
from protocols.shoe import CardDrawn
from sim_hw.devices.shoe import SimulatedShoe
from sim_hw.rig.playback import CannotPlay, PlayedDevice, Script, play_raw, read_capture
from sim_hw.time.clock import MAX_SPEED, SimClock
from sim_hw.wire.noise import Noise
from sim_hw.wire.pty import Pty
from tests.support.running.technician_tables import cutcard, started
from tests.support.wire.listener import PATIENCE, Listener, running

HAND = ["9h", "Kd", "2c", "As", "Th", "3s", "Jo", "7d"]
NOISE = Noise(bit_errors=3e-4, lost_bytes=5e-4, dropped=0.02, repeated=0.05, garbage=0.05)


class WireRecording:
    """Writes down what passes at one port, as `cutcard capture` does."""

    def __init__(self, spec: DeviceSpec, said: tuple[bytes, ...] = ()) -> None:
        self.taps = Taps()
        self.file = header([Wire(spec, "a test", said)], "t")
        self.said = bytearray()
        self.taps[spec.url].listen(self.passed)

    def passed(self, chunk: Chunk) -> None:
        self.file += encode(packet_of(0, chunk))
        if chunk.direction is Direction.IN:
            self.said += chunk.data


@asynccontextmanager
async def recorded(spec: DeviceSpec) -> AsyncIterator[tuple[Listener, WireRecording]]:
    """A driver at work, and its wire written down."""
    recorder = WireRecording(spec)
    with listening_in(recorder.taps):
        async with running(Listener(spec)) as listener:
            yield listener, recorder


def events(reports: list[Report]) -> list[Report]:
    """What the device did, each once."""
    events = (report for report in reports if isinstance(report, DeviceEvent))
    return list(dict.fromkeys(_without_limit(event) for event in events))


def _without_limit(event: DeviceEvent) -> DeviceEvent:
    """The limit of a card is what the driver itself had sent, and in a playback it sends no permit."""
    body = event.body
    return replace(event, body=replace(body, limit=None)) if isinstance(body, LimitedCardDrawn) else event


async def a_deal(folder: Path, *, noise: Noise | None = None) -> tuple[Path, bytes, list[Report]]:
    """A shoe is loaded, dealt, and pulled out and put back in the midst of it. The capture, its bytes, the reports."""
    shoe = SimulatedShoe(Pty(folder, "shoe"), clock := SimClock(MAX_SPEED), seed=4, noise=noise)
    shoe.plug()
    async with recorded(DeviceSpec(id="shoe", kind="shoe", url=str(folder / "shoe"))) as (listener, recorder):
        online = await listener.online()
        assert online.boot is not None
        listener.supervisor.driver("shoe", ShoeDriver).permit(6, boot=online.boot)
        shoe.load(decks=1, cards=HAND, cut_card_at=3)
        for _ in range(4):
            await clock.sleep(0.5)
            await shoe.draw()
        shoe.unplug()
        await listener.gone()
        shoe.force_draw()
        shoe.plug()
        await listener.online()
        shoe.fail_next_read("ambiguous")
        await shoe.draw()
        await shoe.wait_taken()
    shoe.unplug()
    file = folder / "table.pcapng"
    file.write_bytes(recorder.file)
    return file, bytes(recorder.said), events(listener.reports)


@asynccontextmanager
async def played(file: Path, folder: Path) -> AsyncIterator[PlayedDevice]:
    (recording,) = read_capture(file)
    device = PlayedDevice(recording, Pty(folder, "played"), SimClock(MAX_SPEED))
    device.link.plug()
    try:
        yield device
    finally:
        device.link.unplug()


@pytest.mark.parametrize("noise", [None, NOISE], ids=["a quiet wire", "a noisy wire"])
async def test_a_driver_receives_the_same_from_the_recording_as_from_the_shoe(
    tmp_path: Path, noise: Noise | None
) -> None:
    file, _, reported = await a_deal(tmp_path, noise=noise)
    assert len(reported) == 7
    async with played(file, tmp_path) as device:
        spec = DeviceSpec(id="shoe", kind="shoe", url=str(tmp_path / "played"))
        async with running(Listener(spec)) as listener, asyncio.timeout(PATIENCE):
            playing = asyncio.create_task(device.play())
            online = await listener.online()
            assert (online.model, online.serial) == ("SIM-SHOE", "SIM-0001")
            # A permit that was never given then is granted now: the controller of today is another one.
            listener.supervisor.driver("shoe", ShoeDriver).permit(99, boot=online.boot or 0)
            assert await playing == len(reported)
            assert events(listener.reports) == reported


async def test_a_recording_that_began_in_mid_session_is_played_all_the_same(tmp_path: Path) -> None:
    """A daemon does not end a session so that somebody may record one: it says how the session began."""
    shoe = SimulatedShoe(Pty(tmp_path, "shoe"), SimClock(MAX_SPEED), seed=4)
    shoe.plug()
    spec = DeviceSpec(id="shoe", kind="shoe", url=str(tmp_path / "shoe"))
    taps = Taps()
    with listening_in(taps):
        async with running(Listener(spec)) as listener:
            online = await listener.online()
            assert online.boot is not None
            identity = Identity(boot=online.boot, model="EZ", serial="1", firmware="2")
            status = shoe_messages.Status(boot=online.boot, draw_no=0, up_to=0, lid_open=False, cards_left=None)
            recorder = WireRecording(spec, (shoe_messages.encode(identity), shoe_messages.encode(status)))
            taps[spec.url].listen(recorder.passed)
            listener.supervisor.driver("shoe", ShoeDriver).permit(3, boot=online.boot)
            shoe.load(decks=1, cards=HAND)
            dealt = [await shoe.draw() for _ in range(3)]
            await shoe.wait_taken()
    shoe.unplug()
    (tmp_path / "mid.pcapng").write_bytes(recorder.file)
    async with played(tmp_path / "mid.pcapng", tmp_path) as device:
        spec = DeviceSpec(id="shoe", kind="shoe", url=str(tmp_path / "played"))
        async with running(Listener(spec)) as again, asyncio.timeout(PATIENCE):
            await device.play()
            assert (await again.online()).model == "EZ"
            assert [drawn.card for drawn in again.of(CardDrawn)] == dealt


class Collector(asyncio.Protocol):
    """Knocks at a port and keeps what comes out of it."""

    def __init__(self, wanted: int) -> None:
        self.received = bytearray()
        self.enough, self.lost = asyncio.Event(), asyncio.Event()
        self._wanted = wanted

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.write(b"?")

    def data_received(self, data: bytes) -> None:
        self.received += data
        if len(self.received) >= self._wanted:
            self.enough.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost.set()


async def test_raw_bytes_come_out_as_they_went_in(tmp_path: Path) -> None:
    file, said, _ = await a_deal(tmp_path, noise=NOISE)
    (recording,) = read_capture(file)
    port = Pty(tmp_path, "raw")
    port.plug()
    playing = asyncio.create_task(play_raw(recording, port, SimClock(MAX_SPEED)))
    collector = Collector(len(said))
    transport = await open_port(str(port.path), 115_200, collector)
    async with asyncio.timeout(PATIENCE):
        assert await playing == len(said)
        await collector.enough.wait()
        transport.abort()
        await collector.lost.wait()
    assert bytes(collector.received) == said
    port.unplug()


async def test_the_command_plays_into_a_port_and_says_how_much(tmp_path: Path) -> None:
    file, _, reported = await a_deal(tmp_path)
    playing = await started("capture", "play", file, "--port", tmp_path / "rig", "--speed", "max")
    assert playing.stdout is not None
    async with asyncio.timeout(PATIENCE):
        assert json.loads(await playing.stdout.readline()) == {"ready": str(tmp_path / "rig")}
        async with running(Listener(DeviceSpec(id="shoe", kind="shoe", url=str(tmp_path / "rig")))) as listener:
            assert json.loads(await playing.stdout.readline()) == {"played": len(reported), "what": "events"}
            assert events(listener.reports) == reported
        await playing.communicate()
    assert playing.returncode == 0
    assert not (tmp_path / "rig").exists()


async def test_what_cannot_be_played_says_why(tmp_path: Path) -> None:
    nothing = tmp_path / "nothing.pcapng"
    done = await cutcard("capture", "play", nothing)
    assert (done.code, f"There is no capture {nothing}" in done.err) == (2, True)
    done = await cutcard("capture", "play", nothing, "--device", "a", "--device", "b")
    assert (done.code, "one device at a time" in done.err) == (2, True)
    done = await cutcard("capture", "one", "two")
    assert (done.code, "Name one file" in done.err) == (2, True)


def test_a_file_that_is_no_capture_and_a_device_that_is_not_on_the_link(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("this is no capture, whatever its name says")
    with pytest.raises(CannotPlay, match="does not begin with a section"):
        read_capture(tmp_path / "text")
    spec = DeviceSpec(id="drop", kind="drop_box", url="/dev/bus")
    (tmp_path / "bus.pcapng").write_bytes(header([Wire(spec)], "t"))
    (recording,) = read_capture(tmp_path / "bus.pcapng")
    with pytest.raises(CannotPlay, match="play it with --raw"):
        _ = recording.device_class


def test_a_recording_that_was_killed_in_mid_write_is_played_as_far_as_it_goes(tmp_path: Path) -> None:
    wire = Wire(DeviceSpec(id="shoe", kind="shoe", url="/dev/shoe"))
    packet = encode(packet_of(0, Chunk(1, Direction.IN, b"hello")))
    (tmp_path / "cut.pcapng").write_bytes(header([wire], "t") + packet + packet[:-3])
    (recording,) = read_capture(tmp_path / "cut.pcapng")
    assert [one.data for one in recording.packets] == [b"hello"]
    assert Script(recording).events == []
