"""`cutcard firmware` and a running daemon with a simulated shoe: what a technician sees, and what the journal keeps."""

from __future__ import annotations

import asyncio
import contextlib
import json
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from controller.cli.main import main
from controller.firmware import control
from sim_hw.devices.shoe import SimulatedShoe
from sim_hw.time.clock import SimClock
from sim_hw.wire.pty import Pty
from tests.support.running.tables import CONFIG, LaidTable
from tests.support.wire.firmware_images import DEVICE_KEY, STRANGER, VENDOR, an_image, public_hex

NEW = an_image("1.1.0", size=3000)


class Table(LaidTable):
    """A laid table, and the technician beside it."""

    session: aiohttp.ClientSession

    def __init__(self, folder: Path, shoe: SimulatedShoe, clock: SimClock, capsys: pytest.CaptureFixture[str]) -> None:
        super().__init__(folder, shoe, clock, seed=1)
        self._capsys = capsys
        self.image = folder / "new.ccfw"
        self.image.write_bytes(NEW.data)
        self.key = folder / "key.hex"
        self.key.write_text(DEVICE_KEY.hex() + "\n")

    async def firmware(self, *words: object) -> tuple[int, str]:
        """Exit code and words of `cutcard firmware …`."""
        self._capsys.readouterr()
        arguments = ["firmware", *map(str, words), "--config", str(self.config)]
        code = await asyncio.to_thread(main, arguments)
        out, err = self._capsys.readouterr()
        return code, (out + err).strip()

    async def shoe_is(self, state: str) -> None:
        await self.until(lambda view: any(d["id"] == "shoe" and d["state"] == state for d in view.get("devices", ())))

    def events(self, *kinds: str) -> list[dict[str, Any]]:
        return [event for event in self.journal_events() if event["kind"] in kinds]

    def alarms(self) -> list[tuple[str, str]]:
        return [
            (e["kind"], e.get("text", ""))
            for e in self.events("alarm_raised", "alarm_cleared")
            if "trust" in e["alarm"]
        ]


@asynccontextmanager
async def a_table(
    folder: Path, broker: int, capsys: pytest.CaptureFixture[str], *, trust: str = "any", rest: str = ""
) -> AsyncIterator[Table]:
    clock = SimClock.at("max")
    shoe = SimulatedShoe(Pty(folder, "shoe"), clock, seed=1)
    shoe.bootloader.trust(VENDOR.public_key())
    table = Table(folder, shoe, clock, capsys)
    config = CONFIG.format(broker=broker, port=folder / "shoe", stop_below=0, warn_below=0)
    firmware = f'[firmware]\ntrust = "{trust}"\n{rest}[firmware.signers]\nvendor = "{public_hex()}"\n'
    table.config.write_text(config + firmware)
    shoe.plug()
    try:
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=30)) as session:
            table.session = session
            await table.start(session)
            table.seat_people()
            try:
                await table.shoe_is("online")
                yield table
            finally:
                await table.stop()
    finally:
        shoe.unplug()


@pytest.mark.clause("25CFR-547.12")
async def test_a_shoe_is_updated_between_rounds_and_the_journal_records_all_of_it(
    tmp_path: Path, unused_tcp_port: int, capsys: pytest.CaptureFixture[str]
) -> None:
    async with a_table(tmp_path, unused_tcp_port, capsys) as table:
        code, listed = await table.firmware("list", "--json")
        (item,) = json.loads(listed)
        assert code == 0
        assert (item["model"], item["serial"], item["firmware"]) == ("SIM-SHOE", "SIM-0001", "1.0.0")
        assert (item["bootloader"], item["hardware"]) == ("1.0.2", 1)

        code, said = await table.firmware("check", table.image)
        assert code == 0
        assert "whole, and signed by vendor" in said
        assert "shoe: yes, in place of 1.0.0" in said

        await table.people.play(1)
        code, said = await table.firmware("update", "shoe", table.image)
        assert (code, said) == (0, "shoe runs 1.1.0; it was 1.0.0.")
        assert table.shoe.bootloader.running_file == NEW.data
        await table.shoe_is("online")
        await table.people.play(1)

        started, verified = table.events("update_started", "update_verified", "update_failed")
        update = {"device": "shoe", "version": "1.1.0", "before": "1.0.0", "image": NEW.id.hex(), "signer": "vendor"}
        assert {**update, "kind": "update_started"}.items() <= started.items()
        assert {**update, "kind": "update_verified"}.items() <= verified.items()
        facts = table.events("device")[-1]["facts"]
        assert (facts["firmware"], facts["image"], facts["bootloader"]) == ("1.1.0", NEW.id.hex(), "1.0.2")
        rounds = [event["seq"] for event in table.events("round_started", "round_settled")]
        assert not [seq for seq in rounds if started["seq"] < seq < verified["seq"]]
        assert not list((table.data / "firmware").iterdir())

        code, said = await table.firmware("update", "shoe", table.image)
        assert code == 1
        assert "it runs this very image (1.1.0) already" in said
        code, said = await table.firmware("list")
        assert "1.1.0" in said.splitlines()[1]
    assert await asyncio.to_thread(main, ["verify", str(table.journal)]) == 0


@pytest.mark.clause("25CFR-547.12")
async def test_no_device_is_updated_in_mid_round(
    tmp_path: Path, unused_tcp_port: int, capsys: pytest.CaptureFixture[str]
) -> None:
    async with a_table(tmp_path, unused_tcp_port, capsys) as table:
        table.shoe.load(cards=["9h", "Kd", "Tc", "7s"] * 4)
        await table.shoe.wait_taken()
        await table.console.act({"kind": "wager", "place": 1, "wager": "player_line", "cents": 500})
        code, said = await table.firmware("update", "shoe", table.image)
        assert code == 1
        assert said == "Not now: a round is running; shoe gets new firmware between rounds only."
        assert table.shoe.bootloader.running.version == "1.0.0"
        assert [event["why"] for event in table.events("refused")] == ["round_running"]
        assert not table.events("update_started")
        assert not list((table.data / "firmware").iterdir())


async def test_an_update_outlives_the_power_of_the_whole_table(
    tmp_path: Path, unused_tcp_port: int, capsys: pytest.CaptureFixture[str]
) -> None:
    async with a_table(tmp_path, unused_tcp_port, capsys) as table:
        table.shoe.bootloader.flash.cut_power_after(40)
        asking = asyncio.create_task(table.firmware("update", "shoe", table.image))
        await table.shoe.wait_off()
        table.kill()
        code, said = await asking
        assert code == 1
        assert "goes on when it is back" in said
        had = table.shoe.bootloader.state().have
        assert 0 < had < len(NEW.data)

        table.shoe.power_cycle()
        assert table.shoe.bootloader.running.version == "1.0.0"
        await table.start(table.session)
        await table.until(lambda _: bool(table.events("update_verified")))
        assert table.shoe.bootloader.running_file == NEW.data
        assert len(table.events("update_started")) == 1
        await table.shoe_is("online")
        table.seat_people()
        await table.people.play(1)


async def test_no_round_begins_while_a_device_is_updated(
    tmp_path: Path, unused_tcp_port: int, capsys: pytest.CaptureFixture[str]
) -> None:
    async with a_table(tmp_path, unused_tcp_port, capsys) as table:
        table.shoe.load(cards=["9h", "Kd", "Tc", "7s"] * 4)
        await table.shoe.wait_taken()
        table.shoe.bootloader.flash.cut_power_after(40)
        asking = asyncio.create_task(table.firmware("update", "shoe", table.image))
        await table.shoe.wait_off()
        view = await table.until(lambda view: "firmware" in json.dumps(view))
        assert "shoe is being given firmware 1.1.0" in json.dumps(view)
        with pytest.raises(Exception, match="not_expected"):
            await table.console.act({"kind": "wager", "place": 1, "wager": "player_line", "cents": 500})
        second = await table.firmware("update", "shoe", table.image)
        assert second[0] == 1
        assert "shoe is" in second[1]
        table.shoe.power_cycle()
        assert (await asking)[0] == 0


async def test_an_image_that_does_not_come_up_is_recorded_as_failed_and_play_goes_on(
    tmp_path: Path, unused_tcp_port: int, capsys: pytest.CaptureFixture[str]
) -> None:
    async with a_table(tmp_path, unused_tcp_port, capsys) as table:
        table.shoe.trial_s = 0.1
        broken = an_image("1.2.0", size=600)
        file = tmp_path / "broken.ccfw"
        file.write_bytes(broken.data)
        boot = table.shoe.bootloader.boot

        def boot_badly() -> None:
            table.shoe.bootloader.fail_next_trial()
            boot()

        table.shoe.bootloader.boot = boot_badly  # type: ignore[method-assign]
        code, said = await table.firmware("update", "shoe", file)
        assert code == 1
        assert said == "shoe was not updated to 1.2.0: the new image did not come up, and the old one runs again."
        (failed,) = table.events("update_failed")
        assert failed["text"] == "the new image did not come up, and the old one runs again"
        await table.shoe_is("online")
        await table.people.play(1)


@pytest.mark.parametrize(
    ("image", "says"),
    [
        (an_image(key=STRANGER), "which is none of this site's (they are: vendor)"),
        (an_image(model="SIM-SHUFFLER"), "it is a SIM-SHOE, the image is for SIM-SHUFFLER"),
        (an_image(hardware=(2, 3)), "its board is revision 1, the image is for 2 to 3"),
        (an_image("0.9.9"), "0.9.9 is older than its 1.0.0; anti_rollback = false"),
        (an_image("beta"), "beta cannot be compared with its 1.0.0"),
    ],
    ids=["signer", "model", "board", "older", "no number"],
)
async def test_an_image_that_is_not_for_the_shoe_never_reaches_it(
    tmp_path: Path, unused_tcp_port: int, capsys: pytest.CaptureFixture[str], image: Any, says: str
) -> None:
    async with a_table(tmp_path, unused_tcp_port, capsys) as table:
        table.image.write_bytes(image.data)
        code, said = await table.firmware("update", "shoe", table.image)
        assert code == 1
        assert says in said
        assert says in (await table.firmware("check", table.image))[1]
        assert not table.events("update_started")
        assert table.shoe.bootloader.state().phase == "idle"


async def test_a_shoe_is_enrolled_flagged_and_accepted(
    tmp_path: Path, unused_tcp_port: int, capsys: pytest.CaptureFixture[str]
) -> None:
    async with a_table(tmp_path, unused_tcp_port, capsys, trust="flag") as table:
        table.shoe.keyholder.key = DEVICE_KEY
        table.shoe.unplug()
        await table.shoe_is("offline")
        table.shoe.plug()
        await table.shoe_is("online")
        assert table.alarms() == [("alarm_raised", "nobody has enrolled SIM-SHOE SIM-0001 as shoe")]
        assert table.events("device")[-1]["facts"]["trust"] == "unknown"

        wrong = tmp_path / "wrong.hex"
        wrong.write_text("00" * 32)
        code, said = await table.firmware("enroll", "shoe", "--key-file", wrong)
        assert code == 1
        assert "does not know this key; nothing was changed" in said

        code, said = await table.firmware("enroll", "shoe", "--key-file", table.key)
        assert (code, said) == (0, "SIM-SHOE SIM-0001 is enrolled as shoe; it has proved that it knows its key.")
        keys = table.data / "device-keys.json"
        assert stat.S_IMODE(keys.stat().st_mode) == 0o600
        assert table.alarms()[-1][0] == "alarm_cleared"
        await table.shoe.link.wait_until(lambda: table.shoe.keyholder.is_guarded)

        table.shoe.power_cycle()
        await table.shoe_is("offline")
        await table.shoe_is("online")
        assert table.alarms()[-1] == ("alarm_raised", "shoe was powered up again, and nobody had asked for it")
        assert table.events("device")[-1]["facts"]["trust"] == "restart"
        code, said = await table.firmware("accept", "shoe")
        assert (code, said) == (0, "shoe: its restart and its firmware 1.0.0 are accepted.")
        assert table.alarms()[-1][0] == "alarm_cleared"
        assert table.events("device")[-1]["facts"]["trust"] == "proved"

        assert DEVICE_KEY.hex() not in (tmp_path / "daemon.log").read_text()
        assert DEVICE_KEY.hex().encode() not in table.journal.read_bytes()


async def test_a_clone_is_refused_and_an_update_of_ours_is_not_taken_for_one(
    tmp_path: Path, unused_tcp_port: int, capsys: pytest.CaptureFixture[str]
) -> None:
    async with a_table(tmp_path, unused_tcp_port, capsys, trust="any") as table:
        table.shoe.keyholder.key = DEVICE_KEY
        table.shoe.unplug()
        await table.shoe_is("offline")
        table.shoe.plug()
        await table.shoe_is("online")
        await table.firmware("enroll", "shoe", "--key-file", table.key)
        await table.stop()
        table.config.write_text(table.config.read_text().replace('trust = "any"', 'trust = "refuse"'))
        await table.start(table.session)
        await table.shoe_is("online")

        code, said = await table.firmware("update", "shoe", table.image)
        assert (code, said) == (0, "shoe runs 1.1.0; it was 1.0.0.")
        assert table.alarms() == []
        assert '"firmware": "1.1.0"' in (table.data / "device-keys.json").read_text()

        table.shoe.keyholder.key = bytes(32)
        table.shoe.keyholder.switch_inside()
        table.shoe.unplug()
        await table.shoe_is("offline")
        table.shoe.load(cards=["9h"])
        table.shoe.plug()
        await table.shoe_is("wrong_device")
        alarm = table.alarms()[-1]
        assert alarm == (
            "alarm_raised",
            "what answers at shoe calls itself SIM-SHOE SIM-0001 and does not know its key; it is not used",
        )
        assert table.shoe.link.kept == 1
        facts = table.events("device")[-1]["facts"]
        assert (facts["firmware"], facts["serial"]) == ("1.1.0", "SIM-0001"), "what is known of the real one stays"


async def test_the_socket_is_for_its_owner_and_answers_nonsense_with_a_sentence(
    tmp_path: Path, unused_tcp_port: int, capsys: pytest.CaptureFixture[str]
) -> None:
    async with a_table(tmp_path, unused_tcp_port, capsys) as table:
        path = table.data / control.SOCKET
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        for nonsense in (
            b"hello\n",
            b'{"do":"update","device":"shoe","size":0}\n',
            b'{"do":"update"}\n',
            b"x" * 200_000,
        ):
            with contextlib.chdir(table.data):
                reader, writer = await asyncio.open_unix_connection(control.SOCKET)
            with contextlib.suppress(ConnectionError):
                writer.write(nonsense)
                writer.write_eof()
                assert b"This is no request" in await reader.readline()
            writer.close()
        code, said = await table.firmware("enroll", "shuffler", "--key-file", table.key)
        assert (code, said) == (1, "There is no device 'shuffler'; there are shoe.")
        code, said = await table.firmware("accept", "shoe")
        assert code == 0
    code, said = await table.firmware("accept", "shoe")
    assert code == 2
    assert said.startswith("cutcard: No daemon answers in")
