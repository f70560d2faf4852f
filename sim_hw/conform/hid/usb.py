"""One HID interface of a USB device as the bench uses it: its report descriptor, and reports as they come.

It is polled from the event loop, a millisecond at a time: the bench has no threads, so it runs in simulated time too.
pyusb's objects have no types and stay inside this module.
"""

from __future__ import annotations

import errno
import re
from contextlib import suppress
from typing import Any

import usb.core
import usb.util

from protocols.errors import ProtocolError
from protocols.hid.descriptors import report_descriptor_length
from protocols.hid.pos import find_scans
from sim_hw.devices.kinds import Wrong

HID_CLASS = 3
POLL_MS = 1
CONTROL_MS = 1000
_FROM_INTERFACE, _GET_DESCRIPTOR, _REPORT = 0x81, 0x06, 0x2200
_URL = re.compile(r"usb://([0-9a-fA-F]{4}):([0-9a-fA-F]{4})(?:/(.+))?")


class HidLine:
    """The reader that a `usb://VID:PID/SERIAL` means. `Wrong` says why it cannot be opened."""

    def __init__(self, url: str) -> None:
        named = _URL.fullmatch(url)
        if named is None:
            raise Wrong(f"{url} names no USB device: write usb://VID:PID, with /SERIAL where there are several")
        self._vendor, self._product, self._serial = int(named[1], 16), int(named[2], 16), named[3]
        self._url = url
        self._device: Any = None
        self._number = self._endpoint = self._packet = 0
        self.descriptor = b""
        """Of the interface that is used: the first one with scans, or the first one."""
        self.name = ""
        self._open()

    @property
    def is_lost(self) -> bool:
        return self._device is None

    def read(self) -> bytes | None:
        """The next report, if there is one. A device that went away is opened again when it is back."""
        if self._device is None:
            with suppress(Wrong):
                self._open()
            return None
        try:
            return bytes(self._device.read(self._endpoint, self._packet, POLL_MS))
        except usb.core.USBTimeoutError:
            return None
        except usb.core.USBError as error:
            if error.errno == errno.EPIPE:
                self._device.clear_halt(self._endpoint)
            else:
                self.close()
            return None

    def close(self) -> None:
        if self._device is not None:
            device, self._device = self._device, None
            with suppress(usb.core.USBError):
                usb.util.release_interface(device, self._number)
            usb.util.dispose_resources(device)

    def _open(self) -> None:
        try:
            found = usb.core.find(find_all=True, idVendor=self._vendor, idProduct=self._product)
            devices = [one for one in found if self._serial in (None, _text(one, one.iSerialNumber))]
        except usb.core.NoBackendError:
            raise Wrong("libusb is not installed on this machine") from None
        if len(devices) != 1:
            raise Wrong(
                f"{self._url} is {len(devices) or 'not a'} device{'s' * (len(devices) > 1)} on this machine's USB"
            )
        (device,) = devices
        try:
            self._claim(device)
        except usb.core.USBError as error:
            raise Wrong(f"{self._url} cannot be opened: {error.strerror or error}") from None
        self.name = f"{_text(device, device.iProduct) or self._url} {_text(device, device.iSerialNumber)}".strip()
        self._device = device

    def _claim(self, device: Any) -> None:
        interfaces = [one for one in device.get_active_configuration() if one.bInterfaceClass == HID_CLASS]
        if not interfaces:
            raise Wrong(f"{self._url} is no HID device")
        for last, interface in zip([*[False] * (len(interfaces) - 1), True], interfaces, strict=True):
            number = interface.bInterfaceNumber
            with suppress(NotImplementedError):
                if device.is_kernel_driver_active(number):
                    device.detach_kernel_driver(number)
            usb.util.claim_interface(device, number)
            endpoint = next(iter(interface))
            length = report_descriptor_length(bytes(interface.extra_descriptors)) or report_descriptor_length(
                bytes(endpoint.extra_descriptors)
            )
            descriptor = bytes(
                device.ctrl_transfer(_FROM_INTERFACE, _GET_DESCRIPTOR, _REPORT, number, length or 4096, CONTROL_MS)
            )
            if last or _has_scans(descriptor):
                self.descriptor, self._number = descriptor, number
                self._endpoint, self._packet = endpoint.bEndpointAddress, endpoint.wMaxPacketSize & 0x7FF
                return
            usb.util.release_interface(device, number)


def _has_scans(descriptor: bytes) -> bool:
    try:
        find_scans(descriptor)
    except ProtocolError:
        return False
    return True


def _text(device: Any, index: int) -> str:
    try:
        text: str | None = usb.util.get_string(device, index) if index else None
    except (usb.core.USBError, ValueError):
        return ""
    return text or ""
