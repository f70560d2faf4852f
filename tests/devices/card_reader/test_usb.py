"""Finding and opening a reader on USB: the one that is meant or none, and one sentence for each way it fails."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping

import pytest
import usb.backend.libusb1
import usb.core

from devices.driver import ConnectionLost, DriverFailure, WrongDevice
from devices.drivers.card_reader.driver import CardReaderDriver
from devices.options import OptionsError
from devices.ports.discovery import PortError
from devices.ports.hid_port import HidPort
from devices.reports import DeviceState, Report
from protocols.hid.pos import find_scans
from sim_hw.devices.card_reader import KEYBOARD, PLAIN, PRODUCT, VENDOR, SimulatedCardReader
from sim_hw.usb import descriptors
from sim_hw.usb.backend import SimulatedBus, UsbDevice
from tests.support.wire.card_readers import MODEL, Controller, spec
from tests.support.wire.listener import PATIENCE


@pytest.fixture
def bus() -> Iterator[SimulatedBus]:
    bus = SimulatedBus()
    with bus.installed():
        yield bus


class Online(Exception):
    """The reader came online: a test that opens it needs no more."""


async def opened(url: str = MODEL, options: Mapping[str, object] | None = None) -> DeviceState:
    """Open a reader with the driver, and let it go."""

    async def sink(report: Report) -> None:
        assert isinstance(report, DeviceState)
        raise Online(report)

    with pytest.raises(Online) as came:
        async with asyncio.timeout(PATIENCE):
            await CardReaderDriver(spec(url, options=options)).run(sink)
    state = came.value.args[0]
    assert isinstance(state, DeviceState)
    return state


async def refused(
    url: str = MODEL, options: Mapping[str, object] | None = None, kind: type[DriverFailure] = PortError
) -> str:
    with pytest.raises(kind) as failed:
        async with asyncio.timeout(PATIENCE):
            await CardReaderDriver(spec(url, options=options)).run(Controller().sink)
    assert type(failed.value) is kind
    return str(failed.value)


async def test_a_reader_that_is_not_plugged_in(bus: SimulatedBus) -> None:
    assert await refused() == (f"there is no device {MODEL}: check its cable and power, and its url in the config")


async def test_a_reader_with_another_serial_number_is_named_and_not_used(bus: SimulatedBus) -> None:
    SimulatedCardReader(bus, seed=1, serial="B-2").plug(1, 4)
    assert await refused(f"{MODEL}/A-1") == (
        f"there is no device {MODEL}/A-1: check its cable and power, and its url in the config; of this model there is "
        "/dev/bus/usb/001/001 (serial B-2, port 1-1.4)"
    )


async def test_two_readers_that_fit_are_both_named_and_none_is_used(bus: SimulatedBus) -> None:
    SimulatedCardReader(bus, seed=1, serial="A-1").plug(1)
    SimulatedCardReader(bus, seed=1, serial="B-2").plug(2)
    assert await refused() == (
        f"{MODEL} fits 2 devices, and the table does not guess: /dev/bus/usb/001/001 (serial A-1, port 1-1); "
        "/dev/bus/usb/001/002 (serial B-2, port 1-2). Name the one that is meant by its serial number or its socket"
    )
    assert (await opened(f"{MODEL}/B-2")).serial == "B-2"


async def test_a_refusal_leaves_no_device_open(bus: SimulatedBus) -> None:
    readers = [SimulatedCardReader(bus, seed=1, serial=serial) for serial in ("A-1", "B-2")]
    for socket, reader in enumerate(readers, start=1):
        reader.plug(socket)
    for url in (MODEL, f"{MODEL}/C-3"):
        # The exception is still there, and with it whatever it holds on to.
        with pytest.raises(PortError) as failed:
            await CardReaderDriver(spec(url)).run(Controller().sink)
        assert not any(bus.is_open(reader.usb) for reader in readers), failed.value


async def test_two_readers_without_serial_numbers_are_distinguished_by_their_sockets(bus: SimulatedBus) -> None:
    SimulatedCardReader(bus, seed=1, serial=None, model="LEFT").plug(1, 3)
    SimulatedCardReader(bus, seed=1, serial=None, model="RIGHT").plug(1, 4)
    assert "(no serial number, port 1-1.3)" in await refused()
    right = await opened(f"{MODEL}?port=1-1.4")
    assert (right.model, right.serial) == ("RIGHT", None)


async def test_two_readers_with_one_serial_number_are_an_error_too(bus: SimulatedBus) -> None:
    for socket in (1, 2):
        SimulatedCardReader(bus, seed=1, serial="CLONE").plug(socket)
    assert f"{MODEL}/CLONE fits 2 devices" in await refused(f"{MODEL}/CLONE")


async def test_a_serial_number_that_a_url_cannot_spell_is_percent_encoded(bus: SimulatedBus) -> None:
    SimulatedCardReader(bus, seed=1, serial="A 1/2").plug()
    assert (await opened(f"{MODEL}/A%201%2F2")).serial == "A 1/2"


@pytest.mark.parametrize("url", [MODEL, f"{MODEL}/SIM-0001"])
async def test_a_reader_that_we_may_not_open(bus: SimulatedBus, url: str) -> None:
    reader = SimulatedCardReader(bus, seed=1)
    reader.usb.may_be_opened = False
    reader.plug()
    assert await refused(url) == (
        f"no permission to open {url} (/dev/bus/usb/001/001): install cutcard's udev rule for it "
        "(docs/protocols/card-reader.md, section 7) and plug it in again"
    )


async def test_a_reader_that_another_program_has(bus: SimulatedBus) -> None:
    reader = SimulatedCardReader(bus, seed=1)
    reader.plug()
    reader.usb.held_elsewhere.add(0)
    assert "is in use by another program, or by another device of the config" in await refused()
    assert not bus.is_open(reader.usb)
    assert reader.usb.kernel_drivers == {0}


async def test_two_entries_of_the_config_for_one_reader(bus: SimulatedBus) -> None:
    SimulatedCardReader(bus, seed=1).plug()
    async with HidPort(MODEL, find_scans):
        assert "is in use by another program, or by another device of the config" in await refused()
    await opened()


async def test_a_scanner_in_keyboard_mode_is_refused_with_advice(bus: SimulatedBus) -> None:
    reader = SimulatedCardReader(bus, seed=1, descriptor=KEYBOARD)
    reader.plug()
    assert await refused(kind=WrongDevice) == (
        f"{MODEL} (/dev/bus/usb/001/001) is not what the config says: it is a keyboard: if it is a scanner, put it in "
        "HID POS mode with its maker's setup code"
    )
    assert reader.usb.kernel_drivers == {0}
    assert not bus.is_open(reader.usb)


async def test_a_keyboard_beside_the_scanner_goes_on_typing(bus: SimulatedBus) -> None:
    reader = SimulatedCardReader(bus, seed=1, beside_keyboard=True)
    reader.plug()
    assert reader.usb.kernel_drivers == {0, 1}
    async with HidPort(MODEL, find_scans) as port:
        assert reader.usb.kernel_drivers == {0}
        reader.scan("9h")
        packet = await port.read()
        assert packet.data is not None
        assert packet.data[5:9] == b"9HD6"
    assert reader.usb.kernel_drivers == {0, 1}
    assert reader.usb.detachments == [1]


async def test_a_reader_that_nobody_has_configured_is_configured(bus: SimulatedBus) -> None:
    reader = SimulatedCardReader(bus, seed=1)
    reader.plug()
    reader.usb.is_configured = False
    reader.usb.kernel_drivers.clear()
    await opened()
    assert reader.usb.is_configured


async def test_a_reader_with_the_least_that_the_standard_asks_needs_any_symbology(bus: SimulatedBus) -> None:
    reader = SimulatedCardReader(bus, seed=1, descriptor=PLAIN)
    reader.plug()
    assert "does not tell the symbology of a code" in await refused(kind=WrongDevice)
    driver = CardReaderDriver(spec(options={"symbologies": []}))
    controller = Controller()
    running = asyncio.create_task(driver.run(controller.sink))
    async with asyncio.timeout(PATIENCE):
        await controller.online()
        reader.scan("9h")
        (scan,) = await controller.scans(1)
    assert scan.card == "9h"
    reader.unplug()
    with pytest.raises(ConnectionLost, match="was unplugged"):
        await running


async def test_a_reader_whose_reports_do_not_fit_its_packets(bus: SimulatedBus) -> None:
    SimulatedCardReader(bus, seed=1, packet=32).plug()
    assert "has reports that are longer than its packets" in await refused(kind=WrongDevice)


@pytest.mark.parametrize(
    ("interface", "says"),
    [
        (descriptors.descriptor(descriptors.INTERFACE, bInterfaceClass=0xFF), "is no HID device"),
        (descriptors.descriptor(descriptors.INTERFACE, bInterfaceClass=descriptors.HID_CLASS), "is no HID device"),
        (
            descriptors.descriptor(descriptors.INTERFACE, bInterfaceClass=descriptors.HID_CLASS, bNumEndpoints=1)
            + descriptors.descriptor(descriptors.ENDPOINT, bEndpointAddress=0x81, bmAttributes=3, wMaxPacketSize=64),
            "its HID interface has no HID descriptor",
        ),
        (descriptors.hid_interface(0, b"\x05", endpoint=0x81, packet=64), "ends within an item"),
    ],
)
async def test_a_device_that_is_something_else(bus: SimulatedBus, interface: bytes, says: str) -> None:
    UsbDevice(
        bus,
        device=descriptors.descriptor(descriptors.DEVICE, idVendor=VENDOR, idProduct=PRODUCT, bNumConfigurations=1),
        configuration=descriptors.configuration(interface),
        strings={},
        report_descriptors={0: b"\x05"},
    ).plug()
    assert (await refused(kind=WrongDevice)).endswith(says)


async def test_old_firmware_with_its_hid_descriptor_behind_the_endpoint(bus: SimulatedBus) -> None:
    interface = descriptors.hid_interface(0, PLAIN, endpoint=0x81, packet=64)
    standard, hid, endpoint = interface[:9], interface[9:18], interface[18:]
    UsbDevice(
        bus,
        device=descriptors.descriptor(descriptors.DEVICE, idVendor=VENDOR, idProduct=PRODUCT, bNumConfigurations=1),
        configuration=descriptors.configuration(standard + endpoint + hid),
        strings={},
        report_descriptors={0: PLAIN},
    ).plug()
    online = await opened(options={"symbologies": []})
    assert (online.model, online.serial) == (f"{VENDOR:04x}:{PRODUCT:04x}", None)


async def test_a_cancelled_opening_leaves_the_reader_free(bus: SimulatedBus) -> None:
    reader = SimulatedCardReader(bus, seed=1)
    reader.plug()
    opening = asyncio.create_task(CardReaderDriver(spec()).run(Controller().sink))
    await asyncio.sleep(0)
    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening
    assert not bus.is_open(reader.usb)
    assert reader.usb.kernel_drivers == {0}
    await opened()


async def test_a_machine_without_libusb(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usb.backend.libusb1, "get_backend", lambda: None)
    assert await refused() == ("USB cannot be used: libusb 1.0 is not installed (Debian and Ubuntu: libusb-1.0-0)")


async def test_libusb_itself_looks_for_the_reader() -> None:
    if usb.backend.libusb1.get_backend() is None:
        pytest.skip("libusb 1.0 is not installed")
    assert (await refused(f"{MODEL}/NOBODY-HAS-THIS")).startswith(f"there is no device {MODEL}/NOBODY-HAS-THIS")


@pytest.mark.parametrize("url", ["usb://1209", "usb://1209:1", "usb://wxyz:0001", "/dev/ttyUSB0", f"{MODEL}/A/B"])
def test_a_url_that_is_no_usb_device_is_refused_with_the_config(url: str) -> None:
    with pytest.raises(OptionsError, match=r"the card_reader 'reader': .* names no USB device"):
        CardReaderDriver(spec(url))


def pyusb_sees(bus: SimulatedBus, look: Callable[[object], None]) -> None:
    (device,) = usb.core.find(find_all=True, backend=bus)
    try:
        look(device)
    finally:
        usb.util.dispose_resources(device)


def test_pyusb_prints_the_simulated_reader_as_it_would_a_real_one(bus: SimulatedBus) -> None:
    SimulatedCardReader(bus, seed=1, beside_keyboard=True).plug(1, 4)

    def look(device: object) -> None:
        printed = str(device)
        for line in (
            "DEVICE ID 1209:0001 on Bus 001 Address 001",
            "bcdDevice              :  0x142 Device 1.42",
            "iSerialNumber          :    0x3 SIM-0001",
            "INTERFACE 1: Human Interface Device",
            "ENDPOINT 0x82: Interrupt IN",
        ):
            assert line in printed

    pyusb_sees(bus, look)
