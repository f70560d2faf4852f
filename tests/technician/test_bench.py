"""The technician's commands without a daemon: the ports are opened here, and no event is taken from a device."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import stat
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.journal import Journal
from devices.driver import ConnectionLost
from devices.link.bench import on_the_bench
from protocols import dice_cup
from protocols import shoe as shoe_messages
from protocols.link import frames
from protocols.link.framing import Deframer, cobs_encode, crc16, encode_frame
from protocols.link.identity import Identity
from sim_hw.devices.example_shuffler.device import ExampleShuffler
from sim_hw.devices.link_peer import LinkPeer
from sim_hw.devices.shoe import SimulatedShoe
from sim_hw.time.clock import MAX_SPEED, SimClock
from sim_hw.wire.pty import Pty
from tests.support.project import ROOT
from tests.support.running.brokers import mosquitto, needs_mosquitto
from tests.support.running.tables import ALONE
from tests.support.running.technician_tables import Done, Parsed, cutcard, started

HAND = ["9h", "Kd", "2c", "As", "Th", "3s"]
CONFIG = (
    """
site = "test"
table = "t-1"
test = true
[rules]
ruleset = "bankers-ez-baccarat-panda-8"
options.schedule = "ca-2/ez-baccarat/1"
"""
    + ALONE
    + """
[[devices]]
id = "shoe"
kind = "shoe"
url = "{port}"
"""
)


@pytest.fixture
def config(tmp_path: Path, unused_tcp_port: int) -> Path:
    path = tmp_path / "cutcard.toml"
    rewrite(path, unused_tcp_port, tmp_path / "shoe")
    return path


def rewrite(config: Path, broker: int, port: Path) -> None:
    config.write_text(CONFIG.format(broker=broker, port=port))


@pytest.fixture
async def shoe(tmp_path: Path) -> AsyncIterator[SimulatedShoe]:
    simulated = SimulatedShoe(Pty(tmp_path, "shoe"), SimClock(MAX_SPEED), seed=7)
    simulated.plug()
    yield simulated
    simulated.unplug()


def change(config: Path, old: str, new: str) -> None:
    """Put `new` in the place of `old`, or at the end."""
    text = config.read_text()
    config.write_text(text.replace(old, new) if old else text + new)


def line(done: Done, topic: str) -> str:
    """What doctor says of this."""
    (found,) = [text for text in done.out.splitlines() if text[6:].startswith(f"{topic} ")]
    return found


# doctor


async def test_a_table_that_is_well(config: Path, shoe: SimulatedShoe) -> None:
    done = await cutcard("doctor", "--config", config)
    assert done.code == 0, done.out
    assert line(done, "config").startswith("ok ")
    assert line(done, "rules").startswith("ok ")
    assert "not running" in line(done, "daemon")
    assert line(done, "shoe").startswith("ok ")
    assert "online: SIM-SHOE, serial SIM-0001, firmware 1.0.0" in line(done, "shoe")
    assert "0 CRC errors, 0 overruns, 0 gaps, 0 rejections, 0 sent again" in done.out
    assert line(done, "broker").startswith("warn ")


async def test_a_machine_reads_it_as_well(config: Path, shoe: SimulatedShoe) -> None:
    report = json.loads((await cutcard("doctor", "--json", "--config", config)).out)
    assert report["ok"] is True
    assert {one["topic"] for one in report["lines"]} >= {
        "config",
        "rules",
        "journal",
        "disk",
        "clock",
        "broker",
        "shoe",
    }
    (device,) = report["devices"]
    assert (device["state"], device["model"], device["link"]["crc_errors"]) == ("online", "SIM-SHOE", 0)


async def test_doctor_asks_for_a_name_and_takes_no_event(config: Path, shoe: SimulatedShoe) -> None:
    shoe.load(decks=1, cards=HAND)
    shoe.force_draw()
    done = await cutcard("doctor", "--config", config)
    assert (done.code, line(done, "shoe")[:2]) == (0, "ok")
    assert shoe.link.kept == 2


@pytest.mark.parametrize(("events", "named"), [(3, True), (4, False)])
async def test_a_device_that_sends_its_events_first_is_read_as_far_as_the_window_reaches(
    config: Path, tmp_path: Path, events: int, named: bool
) -> None:
    def answer(_: bytes) -> None:
        old.post(shoe_messages.encode(Identity(boot=9, model="OLD-SHOE", serial="1", firmware="1")), keep=False)

    old = LinkPeer(Pty(tmp_path, "shoe"), shoe_messages.DEVICE_CLASS, answer, rng=random.Random(1))
    old.plug()
    for number in range(1, events + 1):
        old.post(shoe_messages.encode(shoe_messages.Lid(boot=9, event_no=number, uptime_ms=0, is_open=True)), keep=True)
    done = await cutcard("doctor", "--config", config)
    assert (done.code, line(done, "shoe")[:4]) == (0, "warn")
    assert "it holds events that the daemon has not taken yet" in line(done, "shoe")
    assert ("OLD-SHOE" in line(done, "shoe")) == named
    assert old.kept == events
    old.unplug()


async def test_a_required_device_that_is_away_fails_and_says_what_to_check(config: Path, tmp_path: Path) -> None:
    done = await cutcard("doctor", "--config", config)
    assert done.code == 1
    assert line(done, "shoe").startswith("FAIL ")
    assert f"there is no port {tmp_path / 'shoe'}" in line(done, "shoe")
    assert "check the device's cable and power" in done.out
    change(config, "", "required = false\n")
    done = await cutcard("doctor", "--config", config)
    assert (done.code, line(done, "shoe")[:4]) == (0, "warn")


async def test_another_device_on_the_port_is_named(config: Path, tmp_path: Path) -> None:
    cup = LinkPeer(Pty(tmp_path, "shoe"), dice_cup.DEVICE_CLASS, lambda _: None, rng=random.Random(1))
    cup.plug()
    done = await cutcard("doctor", "--config", config)
    cup.unplug()
    assert done.code == 1
    assert "wrong device" in line(done, "shoe")
    assert "is a dice cup, not a shoe" in done.out


async def test_a_config_that_cannot_be_used_is_the_only_line(config: Path) -> None:
    change(config, "panda-8", "panda-9")
    done = await cutcard("doctor", "--config", config)
    assert done.code == 1
    assert done.out.startswith("FAIL  config  ")
    assert "panda-9" in done.out


async def test_a_disk_that_is_nearly_full_and_a_broker_that_is_needed(config: Path, shoe: SimulatedShoe) -> None:
    change(config, "warn_below_mb = 0", "warn_below_mb = 99999999")
    change(config, "stop_below_mb = 0", "stop_below_mb = 99999999")
    change(config, "start_without_broker = true", "start_without_broker = false")
    done = await cutcard("doctor", "--config", config)
    assert done.code == 1
    assert line(done, "disk").startswith("FAIL ")
    assert line(done, "broker").startswith("FAIL ")


async def test_a_journal_of_another_table_and_a_clock_that_was_set_back(config: Path, shoe: SimulatedShoe) -> None:
    data = config.parent / "data"
    data.mkdir()
    with Journal.open(data / "journal.db", site="test", table="t-2") as journal:
        journal.append_now(0, b'{"at":99999999999999,"by":"x","body":{"kind":"started"}}', [])
    done = await cutcard("doctor", "--config", config)
    assert done.code == 1
    assert "is that of t-2 at test" in line(done, "journal")
    assert line(done, "clock").startswith("FAIL ")
    assert "behind the journal's last entry" in line(done, "clock")


async def test_a_daemon_that_left_its_address_and_does_not_answer(config: Path, unused_tcp_port: int) -> None:
    data = config.parent / "data"
    data.mkdir()
    (data / "page.url").write_text(f"http://127.0.0.1:{unused_tcp_port}/\n")
    done = await cutcard("doctor", "--config", config)
    assert done.code == 1
    assert "nothing answers there" in line(done, "daemon")
    refused = await cutcard("devices", "watch", "shoe", "--config", config)
    assert refused.code == 2
    assert "nothing answers there" in refused.err


async def test_a_sensor_on_modbus_is_attended_and_let_go(config: Path, tmp_path: Path) -> None:
    with config.open("a") as file:
        file.write('required = false\n[[devices]]\nid = "drop"\nkind = "drop_box"\nbaud = 19200\n')
        file.write(f'url = "{tmp_path / "bus"}"\noptions.sensors = [{{ unit = 1, box = "main" }}]\n')
        file.write('options.parity = "none"\n')
    done = await cutcard("doctor", "--config", config)
    assert done.code == 1
    assert f"there is no port {tmp_path / 'bus'}" in line(done, "drop")
    port = Pty(tmp_path, "bus")
    port.plug()
    silent = await cutcard("doctor", "--config", config)
    port.unplug()
    assert "no sensor answers" in line(silent, "drop") or "no answer in" in line(silent, "drop")


async def test_options_that_are_wrong_are_named(config: Path, tmp_path: Path) -> None:
    with config.open("a") as file:
        file.write(f'[[devices]]\nid = "drop"\nkind = "drop_box"\nurl = "{tmp_path / "bus"}"\n')
    done = await cutcard("doctor", "--config", config)
    assert line(done, "config").startswith("FAIL ")
    assert "devices[2].options.sensors: is missing" in done.out


@pytest.mark.broker
@needs_mosquitto
async def test_a_broker_that_takes_us(config: Path, shoe: SimulatedShoe, tmp_path: Path) -> None:
    with mosquitto(tmp_path, "allow_anonymous true") as broker:
        rewrite(config, broker.port, tmp_path / "shoe")
        done = await cutcard("doctor", "--config", config)
        assert line(done, "broker").split() == ["ok", "broker", f"127.0.0.1:{broker.port}"]


async def test_a_device_by_its_usb_identity_that_is_not_there(config: Path, tmp_path: Path) -> None:
    change(config, str(tmp_path / "shoe"), "usb://0403:6001/A10442")
    done = await cutcard("run", "--config", config)
    assert done.code == 2
    assert "The shoe 'shoe' cannot be found: there is no port usb://0403:6001/A10442" in done.err
    assert "required = false" in done.err
    done = await cutcard("doctor", "--config", config)
    assert done.code == 1
    assert "there is no port usb://0403:6001/A10442" in line(done, "shoe")


# devices list


async def test_a_port_is_listed_with_the_lines_to_paste(tmp_path: Path, shoe: SimulatedShoe) -> None:
    done = await cutcard("devices", "list", tmp_path / "shoe", tmp_path / "nothing")
    assert done.code == 0
    assert done.out.splitlines() == [
        str(tmp_path / "shoe"),
        "  a shoe: SIM-SHOE, serial SIM-0001, firmware 1.0.0",
        "    [[devices]]",
        '    id = "shoe"',
        '    kind = "shoe"',
        f'    url = "{tmp_path / "shoe"}"',
        str(tmp_path / "nothing"),
        f"  there is no port {tmp_path / 'nothing'}: check the device's cable and power, and its url in the config",
    ]


async def test_a_quiet_listing_opens_nothing(tmp_path: Path, shoe: SimulatedShoe) -> None:
    done = await cutcard("devices", "list", "--quiet", tmp_path / "shoe")
    assert done.out == f"{tmp_path / 'shoe'}\n"
    assert shoe.link.statistics.sessions == 0


async def test_a_port_without_a_device_of_ours_says_so(tmp_path: Path) -> None:
    port = Pty(tmp_path, "modem")
    port.plug()
    done = await cutcard("devices", "list", tmp_path / "modem")
    port.unplug()
    assert "no answer to the link reset" in done.out


async def nearly_right(port: Pty, answer: Callable[[bytes], bytes]) -> None:
    """A device that answers each RESET with what `answer` makes of its body."""
    loop = asyncio.get_running_loop()
    deframer = Deframer()

    def readable() -> None:
        for body in deframer.feed(port.read()):
            port.write(answer(body))

    port.plug()
    port.attend(loop, readable)


def hello_to(reset: bytes) -> bytes:
    """The body of a HELLO that answers this RESET."""
    token = int.from_bytes(reset[1:5], "big")
    return frames.encode(frames.Hello(0x5EA51DE0, token, 1, 4, 240, 1))


async def test_another_makers_device_is_found_in_its_own_protocol(tmp_path: Path) -> None:
    machine = ExampleShuffler(Pty(tmp_path, "shuffler"), SimClock(MAX_SPEED), seed=7)
    machine.plug()
    try:
        done = await cutcard("devices", "list", machine.url)
        assert done.code == 0, done.err
        assert done.out.splitlines()[1:] == [
            "  an example shuffler, which is not on the device link",
            "    [[devices]]",
            '    id = "example-shuffler"',
            '    kind = "example_shuffler"',
            f'    url = "{machine.url}"',
            "    baud = 19200",
        ]
    finally:
        machine.close()


async def test_another_makers_hands_are_withheld_from_who_watches(config: Path, tmp_path: Path) -> None:
    machine = ExampleShuffler(Pty(tmp_path, "shuffler"), SimClock(MAX_SPEED), seed=7)
    change(config, 'id = "shoe"\nkind = "shoe"', 'id = "shuffler"\nkind = "example_shuffler"\nbaud = 19200')
    change(config, str(tmp_path / "shoe"), machine.url)
    machine.put_in()
    machine.phase = "ready"
    machine.plug()
    machine.begin_hand()
    await machine.wait_tray()
    cards = "".join(card.upper() for card in machine.take())
    try:
        done = await cutcard("devices", "watch", "shuffler", "--config", str(config), "--seconds", "2")
        assert "HandFormed(" in done.out
        assert "hex withheld: it may name cards" in done.out
        assert cards not in done.out
        assert cards.encode().hex(" ") not in done.out
    finally:
        machine.close()


async def test_listing_names_another_crc_with_the_bytes_and_the_page(tmp_path: Path) -> None:
    port = Pty(tmp_path, "shoe")

    def answer(reset: bytes) -> bytes:
        body = hello_to(reset)
        return b"\0" + cobs_encode(body + (crc16(body) ^ 0xFFFF).to_bytes(2, "big")) + b"\0"

    await nearly_right(port, answer)
    done = await cutcard("devices", "list", tmp_path / "shoe")
    port.unplug()
    assert "its frames have CRC-16/CCITT-FALSE, the link has CRC-16/GENIBUS (device-link.md, section 2)" in done.out
    assert "came      00 06 02 5e a5 1d e0" in done.out
    assert "expected  the CRC " in done.out


async def test_doctor_names_an_echo(config: Path, tmp_path: Path) -> None:
    port = Pty(tmp_path, "shoe")
    await nearly_right(port, encode_frame)
    done = await cutcard("doctor", "--config", config)
    port.unplug()
    assert line(done, "shoe").startswith("FAIL ")
    assert "everything that was sent came back, and nothing else: an echo" in done.out


async def test_watching_names_two_devices_on_one_line(tmp_path: Path) -> None:
    port = Pty(tmp_path, "shoe")
    sessions = iter(range(1, 1000))

    def answer(body: bytes) -> bytes:
        if body[0] != frames.FrameKind.RESET:
            return b""
        two = [frames.encode(replace(frames.decode(hello_to(body)), session=next(sessions))) for _ in range(2)]
        return b"".join(map(encode_frame, two))

    await nearly_right(port, answer)
    done = await cutcard("devices", "watch", tmp_path / "shoe", "--seconds", "20")
    port.unplug()
    assert "two devices answer on this line" in done.err


# devices watch


async def test_watching_shows_the_wire_without_cards_and_leaves_the_events(config: Path, shoe: SimulatedShoe) -> None:
    shoe.load(decks=1, cards=HAND)
    shoe.force_draw()
    done = await cutcard("devices", "watch", "shoe", "--seconds", "2", "--config", config)
    assert done.code == 0, done.err
    assert "Hello(session=" in done.out
    assert "Identity(" in done.out
    assert "ShoeLoaded(" in done.out
    assert "Overdraw(" in done.out
    assert "hex withheld" in done.out
    assert "29 d6" not in done.out
    assert "9h" not in done.out
    assert shoe.link.kept == 2


async def test_watching_ends_when_nobody_reads_any_more(shoe: SimulatedShoe) -> None:
    """As behind `| head -1`: no traceback, no watching for ever."""
    command = f"{sys.executable} -m controller.cli devices watch {shoe.url} | head -1"
    process = await asyncio.create_subprocess_shell(
        command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, cwd=ROOT
    )
    out, err = await asyncio.wait_for(process.communicate(), 60)
    assert out.count(b"\n") == 1
    assert b"Reset(" in out
    assert err == b""


async def test_a_bench_may_take_events_and_show_cards(config: Path, shoe: SimulatedShoe) -> None:
    shoe.load(decks=1, cards=HAND)
    shoe.force_draw()
    watching = await started("devices", "watch", "shoe", "--take", "--sealed", "--json", "--config", config)
    await shoe.wait_taken()
    watching.send_signal(signal.SIGINT)
    out, _ = await watching.communicate()
    assert watching.returncode == 0
    messages = [json.loads(text).get("message", "") for text in out.decode().splitlines()]
    assert any("card='9h'" in message for message in messages)


async def test_a_device_that_goes_away_ends_the_watching_with_the_reason(config: Path, shoe: SimulatedShoe) -> None:
    watching = await started("devices", "watch", "shoe", "--config", config)
    await shoe.wait_online()
    shoe.unplug()
    _, err = await watching.communicate()
    assert watching.returncode == 2
    assert "The port was unplugged or closed" in err.decode()


async def test_names_that_mean_nothing(config: Path, tmp_path: Path) -> None:
    done = await cutcard("devices", "watch", "shuffler", "--config", config)
    assert (done.code, "its devices are: shoe" in done.err) == (2, True)
    done = await cutcard("devices", "watch", tmp_path / "nothing", "--config", config)
    assert (done.code, f"There is no port {tmp_path / 'nothing'}" in done.err) == (2, True)


# devices send


async def test_a_message_by_its_name_and_the_answer(config: Path, shoe: SimulatedShoe) -> None:
    done = await cutcard("devices", "send", "shoe", "permit", "up_to=0x4", "--config", config)
    assert done.out.splitlines() == [
        f"sent      Permit(boot=0x{shoe.boot:08x}, up_to=4)",
        f"answered  PermitState(boot=0x{shoe.boot:08x}, draw_no=0, up_to=4)",
    ]
    assert shoe.permit == 4
    done = await cutcard("devices", "send", "shoe", "status_request", "--config", config)
    assert f"answered  Status(boot=0x{shoe.boot:08x}, draw_no=0, up_to=4" in done.out


async def test_the_port_can_be_named_instead(shoe: SimulatedShoe, tmp_path: Path) -> None:
    done = await cutcard("devices", "send", tmp_path / "shoe", "identify")
    assert f"answered  Identity(boot=0x{shoe.boot:08x}, model='SIM-SHOE'" in done.out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["card_drawn"], "there are: identify, permit, status_request"),
        (["permit", "up_to=many"], "permit has the fields boot, up_to"),
        (["permit", "colour=3"], "'colour=3' is no field"),
        (["permit"], "the field up_to is missing"),
        (["permit", "up_to=-1"], "does not fit the wire"),
    ],
)
async def test_a_message_that_is_none_is_refused_with_what_there_is(
    config: Path, shoe: SimulatedShoe, words: list[str], says: str
) -> None:
    done = await cutcard("devices", "send", "shoe", *words, "--config", config)
    assert done.code == 2
    assert says in done.err
    assert shoe.permit == 0


# capture


async def test_a_capture_on_the_bench_is_for_its_owner_alone_and_holds_both_directions(
    config: Path, shoe: SimulatedShoe, tmp_path: Path
) -> None:
    shoe.load(decks=1, cards=HAND)
    shoe.force_draw()
    shoe.force_draw()
    file = tmp_path / "bench.pcapng"
    recording = await started("capture", file, "--take", "--config", config)
    await shoe.wait_taken()
    recording.send_signal(signal.SIGINT)
    await recording.communicate()
    assert recording.returncode == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    parsed = Parsed.of(file.read_bytes())
    assert b"cards that nobody may know" in parsed.section[1]
    ((link_type, options),) = parsed.interfaces
    assert (link_type, options[2]) == (147, b"shoe")
    assert {flags for _, _, flags, _ in parsed.packets} == {1, 2}
    times = [at for _, at, _, _ in parsed.packets]
    assert times == sorted(times)
    assert {"ShoeLoaded", "Overdraw", "Identity", "Status"} <= kinds_in(parsed.said())
    again = await cutcard("capture", file, "--seconds", "1", "--config", config)
    assert again.code == 2
    assert "never overwritten" in again.err


def kinds_in(said: bytes) -> set[str]:
    """The kinds of messages in what a device said."""
    found = [frames.decode(body) for body in Deframer().feed(said)]
    return {type(shoe_messages.decode(frame.payload)).__name__ for frame in found if isinstance(frame, frames.Data)}


async def test_a_session_on_the_bench_that_is_lost_says_so(shoe: SimulatedShoe, tmp_path: Path) -> None:
    async with on_the_bench(str(tmp_path / "shoe"), 115_200) as bench:
        shoe.unplug()
        with pytest.raises(ConnectionLost):
            await bench.stay()
