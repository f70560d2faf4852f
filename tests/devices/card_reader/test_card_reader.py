"""A simulated barcode scanner on a simulated USB bus, the real driver on pyusb under the real supervisor.

Nothing here sleeps: a test waits for the report or the state that it is about, and fails when it does not come.
"""

from __future__ import annotations

import asyncio
import errno
import threading
from collections.abc import AsyncIterator, Iterator
from types import SimpleNamespace

import pytest

from devices.driver import ConnectionLost
from devices.drivers.card_reader.driver import (
    GARBLED_IN_A_ROW,
    PACKETS_A_SECOND,
    SCANS_A_SECOND,
    CardReaderDriver,
    CardScanned,
    CardScannedAgain,
)
from devices.ports import hid_port
from devices.ports.hid_port import AT_ONCE
from devices.ports.tap import Chunk, Direction, Taps, listening_in
from devices.reports import DeviceEvent, DeviceState
from protocols.hid.card_codes import CARD_TEXTS
from sim_hw.devices.card_reader import ENDPOINT_IN, SimulatedCardReader
from sim_hw.usb.backend import SimulatedBus
from tests.support.wire.card_readers import MODEL, Controller, spec, supervised
from tests.support.wire.listener import PATIENCE, has_body

HAND = ["9h", "Kd", "2c", "As", "Th*", "3s", "Jo", "7d"]
LONG = "A CODE THAT IS LONGER THAN ONE REPORT: " + 4 * "0123456789"


class HandClock:
    """A clock that goes on when somebody says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def bus() -> Iterator[SimulatedBus]:
    bus = SimulatedBus()
    with bus.installed():
        yield bus


@pytest.fixture
def reader(bus: SimulatedBus) -> Iterator[SimulatedCardReader]:
    simulated = SimulatedCardReader(bus, seed=7)
    simulated.plug()
    yield simulated
    simulated.unplug()


@pytest.fixture
async def controller(reader: SimulatedCardReader) -> AsyncIterator[Controller]:
    async with supervised(spec()) as (controller, _):
        yield controller


def cards(scanned: list[CardScanned]) -> list[str | None]:
    return [scan.card for scan in scanned]


async def test_cards_arrive_once_in_order_and_numbered(reader: SimulatedCardReader, controller: Controller) -> None:
    online = await controller.online()
    for card in HAND:
        reader.scan(card)
    scanned = await controller.scans(len(HAND))
    assert cards(scanned) == HAND
    assert [scan.event_no for scan in scanned] == list(range(1, len(HAND) + 1))
    assert {scan.boot for scan in scanned} == {online.boot}
    assert [scan.text for scan in scanned] == [CARD_TEXTS[card] for card in HAND]
    assert controller.again() == []


async def test_an_online_reader_has_reported_its_identity(reader: SimulatedCardReader, controller: Controller) -> None:
    online = await controller.online()
    assert online == DeviceState(
        device="reader", state="online", model="SIM-READER", serial="SIM-0001", firmware="1.42", boot=online.boot
    )


async def test_a_card_that_is_read_twice_in_passing_is_one_card(
    reader: SimulatedCardReader, controller: Controller
) -> None:
    await controller.online()
    reader.scan_twice("9h")
    reader.scan("9h")
    reader.scan("Kd")
    assert cards(await controller.scans(2)) == ["9h", "Kd"]
    (again,) = controller.again()
    assert (again.card, again.event_no) == ("9h", 2)


async def test_a_misread_code_is_an_unread_card_and_never_another_one(
    reader: SimulatedCardReader, controller: Controller
) -> None:
    await controller.online()
    misread = [reader.misread(card) for card in HAND]
    scanned = await controller.scans(len(HAND))
    assert [(scan.card, scan.why, scan.text) for scan in scanned] == [(None, "unknown code", text) for text in misread]


async def test_a_code_in_another_symbology_is_an_unread_card(
    reader: SimulatedCardReader, controller: Controller
) -> None:
    await controller.online()
    reader.scan_text(CARD_TEXTS["9h"], "]A0")
    reader.scan_text(CARD_TEXTS["9h"], "")
    reader.scan_text(CARD_TEXTS["9h"], "]d1")
    scanned = await controller.scans(3)
    assert [(scan.card, scan.why) for scan in scanned] == [
        (None, "wrong symbology"),
        (None, "wrong symbology"),
        ("9h", None),
    ]


async def test_what_the_reader_is_set_to_put_around_a_code_is_taken_off_and_must_be_there(
    reader: SimulatedCardReader,
) -> None:
    async with supervised(spec(options={"prefix": "~", "suffix": "\r"})) as (controller, _):
        await controller.online()
        for text in ("~9HD6\r", "9HD6", "~9HD6", "9HD6\r", "~~9HD6\r", "~", "~\r"):
            reader.scan_text(text)
        scanned = await controller.scans(7)
        assert cards(scanned) == ["9h", None, None, None, None, None, None]
        assert {scan.why for scan in scanned[1:]} == {"unknown code"}


async def test_a_long_code_is_whole_or_cut_short(reader: SimulatedCardReader, controller: Controller) -> None:
    await controller.online()
    reader.scan_text(LONG)
    (whole,) = await controller.scans(1)
    assert (whole.why, whole.text) == ("unknown code", LONG)
    reader.scan_half(LONG)
    _, cut_short = await controller.scans(2)
    assert (cut_short.card, cut_short.why) == (None, "cut short")


async def test_a_garbled_report_is_an_unread_card(reader: SimulatedCardReader, controller: Controller) -> None:
    await controller.online()
    reader.send_garbage()
    (scan,) = await controller.scans(1)
    assert (scan.card, scan.why) == (None, "garbled")


async def test_a_packet_longer_than_any_is_an_unread_card(reader: SimulatedCardReader, controller: Controller) -> None:
    await controller.online()
    reader.send_too_much()
    (scan,) = await controller.scans(1)
    assert (scan.card, scan.why) == (None, "garbled")


async def test_a_pulled_cable_is_noticed_and_a_cable_put_back_goes_on(
    reader: SimulatedCardReader, controller: Controller
) -> None:
    first = await controller.online()
    reader.scan("9h")
    await controller.scans(1)
    reader.unplug()
    assert (await controller.offline()).endswith("was unplugged")
    reader.scan("Kd")
    reader.plug(1, 2)
    second = await controller.online()
    reader.scan("2c")
    scanned = await controller.scans(2)
    assert [(scan.card, scan.event_no) for scan in scanned] == [("9h", 1), ("2c", 2)]
    assert first.boot == second.boot
    assert [state.state for state in controller.state_reports()] == ["connecting", "online", "offline", "online"]


async def test_what_was_read_before_the_cable_was_pulled_is_reported_although_the_reader_stays_away(
    reader: SimulatedCardReader, controller: Controller
) -> None:
    await controller.online()
    controller.hold = asyncio.Event()
    for card in HAND[:3]:
        reader.scan(card)
    reader.scan_half(LONG)
    await reader.usb.wait_taken()
    reader.unplug()
    controller.hold.set()
    scanned = await controller.scans(4)
    assert cards(scanned) == [*HAND[:3], None]
    assert scanned[-1].why == "cut short"
    assert [scan.event_no for scan in scanned] == [1, 2, 3, 4]


async def test_a_card_that_the_sink_could_not_take_comes_again_under_the_same_number(
    reader: SimulatedCardReader, controller: Controller
) -> None:
    await controller.online()
    controller.refuses = lambda report: has_body(report, CardScanned) and len(controller.refused) < 3
    for card in HAND[:4]:
        reader.scan(card)
    scanned = await controller.scans(4)
    assert cards(scanned) == HAND[:4]
    assert [scan.event_no for scan in scanned] == [1, 2, 3, 4]
    assert controller.refused == [DeviceEvent(device="reader", body=scanned[0])] * 3
    assert await controller.online()
    details = {state.detail for state in controller.state_reports() if state.state == "offline"}
    assert details == {"the controller could not take a report: the disk is full"}


async def test_two_readers_at_once_and_one_of_them_unplugged(bus: SimulatedBus) -> None:
    readers = {name: SimulatedCardReader(bus, seed=name, serial=name.upper()) for name in ("left", "right")}
    specs = [spec(f"{MODEL}/{name.upper()}", name) for name in readers]
    async with supervised(*specs) as (controller, supervisor):
        for socket, each in enumerate(readers.values(), start=1):
            each.plug(socket)
        assert (await controller.online("left")).serial == "LEFT"
        assert (await controller.online("right")).serial == "RIGHT"
        for card in HAND:
            readers["left"].scan(card)
            readers["right"].scan(card)
        readers["left"].unplug()
        await controller.offline("left")
        readers["right"].scan("Qs")
        assert cards(await controller.scans(len(HAND) + 1, "right")) == [*HAND, "Qs"]
        assert supervisor.states["right"].state == "online"
        left = controller.scanned("left")
        assert cards(left) == HAND[: len(left)]


async def test_a_halted_endpoint_is_cleared_and_the_reader_goes_on(
    reader: SimulatedCardReader, controller: Controller
) -> None:
    await controller.online()
    for number, card in enumerate(HAND[:5], start=1):
        reader.stall()
        reader.scan(card)
        assert cards(await controller.scans(number))[-1] == card
    assert controller.state() == "online"


@pytest.mark.parametrize(
    ("number", "says"),
    [(errno.EIO, "does not work: Input/output error"), (errno.EPIPE, "refuses to answer: plug it in again")],
)
async def test_a_reader_that_fails_is_opened_again(
    reader: SimulatedCardReader, controller: Controller, number: int, says: str
) -> None:
    await controller.online()
    reader.usb.fail_reads(*[number] * (4 if number == errno.EPIPE else 1))
    assert (await controller.offline()).endswith(says)
    await controller.online()
    reader.scan("9h")
    assert cards(await controller.scans(1)) == ["9h"]


async def test_a_reader_that_sends_garbage_is_closed_again_and_again_and_floods_nobody(
    reader: SimulatedCardReader, controller: Controller
) -> None:
    await controller.online()
    for _ in range(200):
        reader.send_garbage()
    assert (await controller.offline()).startswith(f"the reader {MODEL} sends garbage")
    reader.unplug()
    await controller.until(lambda: "there is no device" in controller.state_reports()[-1].detail)
    runs = [state.state for state in controller.state_reports()].count("online")
    assert [scan.why for scan in controller.scanned()] == ["garbled"] * GARBLED_IN_A_ROW * runs


async def test_a_reader_that_babbles_is_closed_and_does_not_starve_the_other(bus: SimulatedBus) -> None:
    """The figure: from the scanner's window to the controller in less than a quarter of a second, babble or not."""
    babbler, good = (SimulatedCardReader(bus, seed=name, serial=name) for name in ("BAD", "GOOD"))
    async with supervised(spec(f"{MODEL}/BAD", "bad"), spec(f"{MODEL}/GOOD", "good")) as (controller, _):
        babbler.plug(1)
        good.plug(2)
        await controller.online("bad")
        await controller.online("good")
        loop = asyncio.get_running_loop()
        babbler.babble(20_000)
        worst = 0.0
        for number, card in enumerate(HAND, start=1):
            began = loop.time()
            good.scan(card)
            await controller.scans(number, "good")
            worst = max(worst, loop.time() - began)
        await controller.offline("bad")
        assert f"sent {SCANS_A_SECOND} codes in a second" in controller.state_reports("bad")[-1].detail
        assert cards(controller.scanned("good")) == HAND
        assert worst < 0.25
        assert controller.state("good") == "online"


async def test_a_reader_that_floods_us_with_what_is_no_scan_is_closed(
    reader: SimulatedCardReader, controller: Controller
) -> None:
    await controller.online()
    for number in range(20_000):
        reader.usb.send(ENDPOINT_IN, b"\x07" + number.to_bytes(4, "big"))
    assert f"sent {PACKETS_A_SECOND} reports in a second" in await controller.offline()
    assert controller.scanned() == []


async def test_a_reader_that_hangs_does_not_hold_up_the_loop_or_the_other_reader(bus: SimulatedBus) -> None:
    hanging, good = (SimulatedCardReader(bus, seed=name, serial=None) for name in ("hangs", "good"))
    hanging.plug(1)
    hanging.usb.hang()
    good.plug(2)
    async with supervised(spec(f"{MODEL}?port=1-1", "hangs"), spec(f"{MODEL}?port=1-2", "good")) as (controller, _):
        await controller.online("good")
        for card in HAND:
            good.scan(card)
        assert cards(await controller.scans(len(HAND), "good")) == HAND
        assert controller.state("hangs") == "connecting"
        assert (await controller.offline("hangs")).endswith("gave no answer in 1 s: plug it in again")


async def test_a_stopped_supervisor_leaves_the_reader_as_it_found_it(
    bus: SimulatedBus, reader: SimulatedCardReader
) -> None:
    assert reader.usb.kernel_drivers == {0}
    async with supervised(spec()) as (controller, _):
        await controller.online()
        assert reader.usb.kernel_drivers == set()
        assert bus.is_open(reader.usb)
    assert not bus.is_open(reader.usb)
    assert reader.usb.kernel_drivers == {0}


async def test_a_tap_gets_the_reports_as_they_are(reader: SimulatedCardReader) -> None:
    taps = Taps()
    chunks: list[Chunk] = []
    taps[MODEL].listen(chunks.append)
    with listening_in(taps):
        async with supervised(spec()) as (controller, _):
            await controller.online()
            reader.scan("9h")
            await controller.scans(1)
    (chunk,) = chunks
    assert (chunk.direction, chunk.data[:9]) == (Direction.IN, b"\x02\x04]C09HD6")


async def test_which_card_it_is_does_not_show_in_a_log(reader: SimulatedCardReader, controller: Controller) -> None:
    await controller.online()
    reader.scan("9h")
    reader.scan("9h")
    await controller.until(lambda: bool(controller.again()))
    for report in controller.reports:
        assert "9h" not in repr(report)
        assert "9HD6" not in repr(report)


# The driver by itself, with a clock in the test's hand


class Driven:
    """A driver that runs once, until it fails or the test is over."""

    def __init__(self, driver: CardReaderDriver) -> None:
        self.driver = driver
        self.controller = Controller()

    async def __aenter__(self) -> Controller:
        self._task = asyncio.create_task(self.driver.run(self.controller.sink))
        async with asyncio.timeout(PATIENCE):
            await self.controller.online()
        return self.controller

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()
        with pytest.raises((asyncio.CancelledError, ConnectionLost)):
            await self._task


async def test_an_equal_card_later_than_the_reread_time_is_another_card(reader: SimulatedCardReader) -> None:
    clock = HandClock()
    async with Driven(CardReaderDriver(spec(options={"reread_ms": 500}), clock=clock)) as controller:
        for number, wait in enumerate((0.0, 0.499, 0.499, 0.499, 0.5), start=1):
            clock.now += wait
            reader.scan("9h")
            reader.scan_text("a code behind it: when this is reported, that one was read")
            await controller.scans(number + 1 + (number == 5))
        scanned = [scan for scan in controller.scanned() if scan.card]
        assert cards(scanned) == ["9h", "9h"]
        assert [scan.uptime_ms for scan in scanned] == [0, 1997]
        assert len(controller.again()) == 1


async def test_without_a_reread_time_every_reading_is_a_card(reader: SimulatedCardReader) -> None:
    async with Driven(CardReaderDriver(spec(options={"reread_ms": 0}), clock=HandClock())) as controller:
        reader.scan_twice("9h")
        assert cards(await controller.scans(2)) == ["9h", "9h"]


async def test_while_the_sink_is_at_work_the_reader_keeps_what_the_controller_has_no_room_for(
    bus: SimulatedBus, reader: SimulatedCardReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_in_vain = threading.Semaphore(0)

    class Room(threading.Semaphore):
        def acquire(self, blocking: bool = True, timeout: float | None = None) -> bool:
            found = super().acquire(blocking, timeout)
            if not found:
                looked_in_vain.release()
            return found

    monkeypatch.setattr(hid_port, "threading", SimpleNamespace(**{**vars(threading), "Semaphore": Room}))
    clock = HandClock()
    many = (HAND * 13)[:100]

    def tick() -> float:
        clock.now += 0.1
        return clock.now

    async with Driven(CardReaderDriver(spec(), clock=tick)) as controller:
        controller.hold = asyncio.Event()
        for card in many:
            reader.scan(card)
        kept = reader.usb.packets[ENDPOINT_IN]
        await bus.wait_until(lambda: len(kept) <= len(many) - AT_ONCE - 1)
        for _ in range(2):
            assert await asyncio.to_thread(looked_in_vain.acquire, timeout=PATIENCE)
        assert len(kept) == len(many) - AT_ONCE - 1
        controller.hold.set()
        assert cards(await controller.scans(len(many))) == many


async def test_the_counters_say_what_a_reader_met(reader: SimulatedCardReader) -> None:
    driver = CardReaderDriver(spec(), clock=HandClock())
    async with Driven(driver) as controller:
        reader.scan_twice("9h")
        reader.usb.send(ENDPOINT_IN, b"\x07another report")
        reader.scan("Kd")
        reader.send_garbage()
        await controller.scans(3)
        counted = driver.statistics
        assert (counted.sessions, counted.framing.frames) == (1, 5)
        assert (counted.duplicates, counted.strays, counted.malformed) == (1, 1, 1)
        assert has_body(controller.reports[2], CardScannedAgain)
    assert driver.statistics.messages_taken == 4
