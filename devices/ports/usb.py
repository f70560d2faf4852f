"""A HID device on USB: found by its identity, claimed for us alone, read packet by packet.

Everything here blocks and belongs into a thread (`devices.ports.hid_port` has one); everything that can go wrong on the
way is one sentence. pyusb's objects have no types and stay inside this module.

The kernel's own driver is detached from the interface while we have it and attached again afterwards. If a device has
several HID interfaces, those that are no boot keyboards are asked first, so that a keyboard beside a scanner goes on
typing.
"""

from __future__ import annotations

import errno
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Generic, TypeVar
from urllib.parse import quote

import usb.backend.libusb1
import usb.core
import usb.util

from devices.driver import ConnectionLost, WrongDevice
from devices.ports.discovery import PortError, UsbName
from devices.ports.usb_remote import RemoteBus, socket_named
from protocols.errors import ProtocolError
from protocols.hid.descriptors import REPORT_DESCRIPTOR, report_descriptor_length
from protocols.values import Value

HID_CLASS = 3
CONTROL_MS = 1000
"""A device answers a control request in milliseconds."""
STALLS_IN_A_ROW = 3
"""A halted endpoint is cleared so often; then the device is given up."""

_FROM_INTERFACE, _GET_DESCRIPTOR = 0x81, 0x06
_PACKET_BITS = 0x07FF

log = logging.getLogger(__name__)

T = TypeVar("T")


class Overrun(Exception):
    """A packet was longer than the endpoint has any, and is lost."""


class UsbIdentity(Value):
    model: str
    serial: str | None
    firmware: str


class HidInterface(Generic[T]):
    """An interface that is ours until `close`."""

    def __init__(self, name: str, device: Any, number: int, endpoint: Any, found: T, *, detached: bool) -> None:
        self.identity = UsbIdentity(
            model=_text(device, device.iProduct) or f"{device.idVendor:04x}:{device.idProduct:04x}",
            serial=_text(device, device.iSerialNumber),
            firmware=f"{device.bcdDevice >> 8:x}.{device.bcdDevice & 0xFF:02x}",
        )
        self.found = found
        """What the report descriptor was accepted as."""
        self.packet: int = endpoint.wMaxPacketSize & _PACKET_BITS
        """Bytes of the longest packet."""
        self._name = name
        self._device = device
        self._number = number
        self._endpoint: int = endpoint.bEndpointAddress
        self._detached = detached
        self._stalls = 0

    def read(self, wait_ms: int) -> bytes | None:
        """The next packet; None when none came in this time."""
        try:
            packet = bytes(self._device.read(self._endpoint, self.packet, wait_ms))
        except usb.core.USBTimeoutError:
            return None
        except usb.core.USBError as error:
            self._cope(error)
            return None
        self._stalls = 0
        return packet

    def close(self) -> None:
        _let_go(self._device, self._number, self._detached)
        usb.util.dispose_resources(self._device)

    def _cope(self, error: OSError) -> None:
        if error.errno == errno.EOVERFLOW:
            raise Overrun
        if error.errno != errno.EPIPE or self._stalls == STALLS_IN_A_ROW:
            raise _failure(self._name, error) from error
        self._stalls += 1
        log.info("%s halted its endpoint: cleared", self._name)
        with _sentences(self._name):
            self._device.clear_halt(self._endpoint)


def open_hid(url: str, accept: Callable[[bytes], T], backend: object = None) -> HidInterface[T]:
    """The one device that this url means, and the first of its HID interfaces whose report descriptor is accepted.

    `accept` raises `ProtocolError` for a descriptor that is not the one. `backend`: pyusb's; libusb when there is none.
    """
    with _sentences(url):
        device = _find(url, UsbName.parse(url), backend or _libusb())
    name = f"{url} ({_node(device)})"
    try:
        with _sentences(name):
            return _claim(name, device, accept)
    except BaseException:
        usb.util.dispose_resources(device)
        raise


def hid_urls(backend: object = None) -> list[str]:
    """The urls of the HID devices on the bus that could be a reader. Boot keyboards and mice are left in peace."""
    urls = []
    with _sentences("USB"):
        for device in usb.core.find(find_all=True, backend=backend or _libusb()):
            # Descriptors can be read without opening; only what may be a reader is opened, for its serial number.
            interfaces = [one for configuration in device for one in configuration]
            if any(
                one.bInterfaceClass == HID_CLASS and one.bInterfaceSubClass == 0 and _interrupt_in(one) is not None
                for one in interfaces
            ):
                serial = _text(device, device.iSerialNumber)
                which = f"/{quote(serial)}" if serial else f"?port={_socket(device)}"
                urls.append(f"usb://{device.idVendor:04x}:{device.idProduct:04x}{which}")
            usb.util.dispose_resources(device)
    return urls


_loading = threading.Lock()
"""pyusb loads libusb when it is first asked for, and two threads must not ask at once."""


def _libusb() -> object:
    elsewhere = socket_named()
    if elsewhere is not None:
        return RemoteBus(elsewhere)
    with _loading:
        backend: object = usb.backend.libusb1.get_backend()
    if backend is None:
        raise PortError("USB cannot be used: libusb 1.0 is not installed (Debian and Ubuntu: libusb-1.0-0)")
    return backend


def _find(url: str, name: UsbName, backend: object) -> Any:
    model = list(usb.core.find(find_all=True, backend=backend, idVendor=name.vid, idProduct=name.pid))
    try:
        fitting = [device for device in model if name.socket in (None, _socket(device))]
        if name.serial is not None:
            fitting = _with_serial(url, fitting, name.serial)
        if len(fitting) == 1:
            model.remove(fitting[0])
            return fitting[0]
        if fitting:
            raise PortError(
                f"{url} fits {len(fitting)} devices, and the table does not guess: {_all(fitting)}. Name the one that "
                "is meant by its serial number or its socket"
            )
        there = f"; of this model there is {_all(model)}" if model else ""
        raise PortError(f"there is no device {url}: check its cable and power, and its url in the config{there}")
    finally:
        for other in model:
            usb.util.dispose_resources(other)


def _with_serial(url: str, devices: list[Any], serial: str) -> list[Any]:
    """The devices with this serial number. One that may not be opened does not tell its own."""
    fitting, denied = [], None
    for device in devices:
        try:
            _open(device)
        except usb.core.USBError as error:
            denied = _failure(f"{url} ({_node(device)})", error)
            continue
        if _text(device, device.iSerialNumber) == serial:
            fitting.append(device)
    if denied is not None and not fitting:
        raise denied
    return fitting


def _claim(name: str, device: Any, accept: Callable[[bytes], T]) -> HidInterface[T]:
    interfaces = [one for one in _open(device) if one.bInterfaceClass == HID_CLASS and _interrupt_in(one) is not None]
    if not interfaces:
        raise WrongDevice(f"{name} is no HID device")
    refusals = []
    for interface in sorted(interfaces, key=lambda one: int(one.bInterfaceSubClass)):
        number, endpoint = interface.bInterfaceNumber, _interrupt_in(interface)
        detached = _detach(device, number)
        try:
            usb.util.claim_interface(device, number)
            found = accept(_report_descriptor(device, interface, endpoint))
            return HidInterface(name, device, number, endpoint, found, detached=detached)
        except ProtocolError as refusal:
            refusals.append(str(refusal))
            _let_go(device, number, detached)
        except BaseException:
            _let_go(device, number, detached)
            raise
    raise WrongDevice(f"{name} is not what the config says: {'; '.join(dict.fromkeys(refusals))}")


def _open(device: Any) -> Any:
    """Its active configuration. pyusb opens a device when it first needs to: here, so that a refusal is seen as one."""
    try:
        return device.get_active_configuration()
    except usb.core.USBError as error:
        # pyusb's own error for a device that nobody has configured has no number; those of the system have.
        if error.errno is not None:
            raise
    device.set_configuration()
    return device.get_active_configuration()


def _report_descriptor(device: Any, interface: Any, endpoint: Any) -> bytes:
    # Firmware older than HID 1.0 has its HID descriptor behind the endpoint.
    for extra in (interface.extra_descriptors, endpoint.extra_descriptors):
        length = report_descriptor_length(bytes(extra))
        if length is not None:
            kind = REPORT_DESCRIPTOR << 8
            number = interface.bInterfaceNumber
            return bytes(device.ctrl_transfer(_FROM_INTERFACE, _GET_DESCRIPTOR, kind, number, length, CONTROL_MS))
    raise ProtocolError("its HID interface has no HID descriptor")


def _interrupt_in(interface: Any) -> Any:
    for endpoint in interface:
        is_in = usb.util.endpoint_direction(endpoint.bEndpointAddress) == usb.util.ENDPOINT_IN
        if is_in and usb.util.endpoint_type(endpoint.bmAttributes) == usb.util.ENDPOINT_TYPE_INTR:
            return endpoint
    return None


def _detach(device: Any, number: int) -> bool:
    try:
        if not device.is_kernel_driver_active(number):
            return False
    except NotImplementedError:
        # Not Linux: there is no driver to detach.
        return False
    device.detach_kernel_driver(number)
    return True


def _let_go(device: Any, number: int, detached: bool) -> None:
    # If the cable was pulled, all this is done already.
    with suppress(usb.core.USBError):
        usb.util.release_interface(device, number)
    if detached:
        with suppress(usb.core.USBError):
            device.attach_kernel_driver(number)


def _text(device: Any, index: int) -> str | None:
    """A string of the device; None where it has none, or cannot tell it."""
    try:
        text: str | None = usb.util.get_string(device, index)
    except (usb.core.USBError, ValueError):
        return None
    return text or None


def _socket(device: Any) -> str:
    """Where it is plugged in, as in 1-1.4."""
    return f"{device.bus}-{'.'.join(map(str, device.port_numbers or ()))}"


def _node(device: Any) -> str:
    return f"/dev/bus/usb/{device.bus:03d}/{device.address:03d}"


def _all(devices: list[Any]) -> str:
    named = []
    for device in devices:
        serial = _text(device, device.iSerialNumber)
        named.append(
            f"{_node(device)} ({f'serial {serial}' if serial else 'no serial number'}, port {_socket(device)})"
        )
    return "; ".join(named)


@contextmanager
def _sentences(name: str) -> Iterator[None]:
    try:
        yield
    except usb.core.USBError as error:
        raise _failure(name, error) from error


def _failure(name: str, error: OSError) -> Exception:
    match error.errno:
        case errno.EACCES | errno.EPERM:
            return PortError(
                f"no permission to open {name}: install cutcard's udev rule for it (docs/protocols/card-reader.md, "
                "section 7) and plug it in again"
            )
        case errno.EBUSY:
            return PortError(f"{name} is in use by another program, or by another device of the config")
        case errno.ENODEV:
            return ConnectionLost(f"{name} was unplugged")
        case errno.EPIPE:
            return ConnectionLost(f"{name} refuses to answer: plug it in again")
        case errno.ETIMEDOUT:
            return ConnectionLost(f"{name} gave no answer in {CONTROL_MS / 1000:g} s: plug it in again")
    return ConnectionLost(f"{name} does not work: {error.strerror or error}")
