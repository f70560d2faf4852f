"""The whole daemon and a shoe with its key, when something on the cable sends a frame of its own."""

from __future__ import annotations

from pathlib import Path

import aiohttp

from controller.firmware import trust
from protocols.link.framing import Deframer, encode_frame
from sim_hw.devices.shoe import SimulatedShoe
from sim_hw.time.clock import SimClock
from sim_hw.wire.pty import Pty
from tests.devices.test_authentication import GENUINE
from tests.support.running.brokers import free_port
from tests.support.running.tables import ALONE, SHOE, UNRECORDED_EZ, RunningDaemon
from tests.support.wire.firmware_images import DEVICE_KEY

CONFIG = UNRECORDED_EZ + '[firmware]\ntrust = "refuse"\n' + ALONE + SHOE


class Tapped(Pty):
    """A port on whose cable somebody knows the last frame."""

    last = b""

    def write(self, data: bytes) -> None:
        bodies = Deframer().feed(data)
        self.last = bodies[-1] if bodies else self.last
        super().write(data)


async def test_a_repeated_frame_is_an_alarm_that_lasts_and_holds_the_round_once(tmp_path: Path) -> None:
    port = Tapped(tmp_path, "shoe")
    shoe = SimulatedShoe(port, SimClock.at("max"), seed=3)
    shoe.keyholder.key = DEVICE_KEY
    daemon = RunningDaemon(tmp_path)
    daemon.config.write_text(CONFIG.format(broker=free_port(), folder=tmp_path))
    daemon.data.mkdir()
    trust.save(daemon.data / trust.FILE, {"shoe": GENUINE})
    shoe.plug()
    try:
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=30)) as session:
            await daemon.start(session)
            try:
                await shoe.wait_online()
                shoe.load(cards=["9h", "2c", "Td", "6s", "4d"])
                await shoe.wait_taken()
                await shoe.draw()
                await shoe.wait_taken()
                port.write(encode_frame(port.last))
                await daemon.until(lambda view: view.get("phase") == "held")
                await daemon.until(lambda view: any(device["state"] == "online" for device in view.get("devices", ())))
                events = daemon.journal_events()
            finally:
                await daemon.stop()
    finally:
        shoe.unplug()
    (raised,) = [event for event in events if event["kind"] == "alarm_raised" and event["alarm"] == "link:shoe"]
    assert raised["text"] == "shoe: a frame came again, or after a later one; the session was ended"
    assert not [event for event in events if event["kind"] == "alarm_cleared" and event["alarm"] == "link:shoe"]
    assert [event["code"] for event in events if event["kind"] == "held"] == ["reader_offline"]
    assert len([event for event in events if event["kind"] == "card_dealt"]) == 1
