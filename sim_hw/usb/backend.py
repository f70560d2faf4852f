"""A simulated USB bus, as a backend of pyusb: a driver on pyusb cannot distinguish it from libusb.

A `UsbDevice` is descriptors, and packets that wait in its endpoints until the host asks for them. The `SimulatedBus`
gives it an address, enumerates it, opens, claims and reads it for the host, and fails as libusb on Linux fails: with
the same error numbers, at the same calls.

Hosts read in threads of their own, so everything is under the lock of the bus; a read waits there until a packet, a
fault, an unplugging or its time-out comes.
"""

from __future__ import annotations

import asyncio
import errno
import os
import threading
from array import array
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace

import usb.backend
import usb.backend.libusb1
import usb.core

from sim_hw.usb import descriptors
from sim_hw.usb.descriptors import ParsedConfiguration, ParsedInterface

GET_DESCRIPTOR = 0x06
FROM_DEVICE, FROM_INTERFACE = 0x80, 0x81
"""Standard requests that read, by their recipient."""

_LIBUSB_CODES = {
    errno.EIO: -1,
    errno.EACCES: -3,
    errno.ENODEV: -4,
    errno.ENOENT: -5,
    errno.EBUSY: -6,
    errno.EOVERFLOW: -8,
    errno.EPIPE: -9,
}


@dataclass(eq=False)
class _Plugged:
    """A device from one plugging in to the next unplugging: what pyusb knows it by."""

    device: UsbDevice
    address: int
    ports: tuple[int, ...]
    is_there: bool = True


@dataclass(eq=False)
class _Handle:
    """An open device."""

    plugged: _Plugged
    is_open: bool = True
    claimed: set[int] = field(default_factory=set)


class UsbDevice:
    """A device that can be plugged into a bus. Faults are method calls."""

    def __init__(
        self,
        bus: SimulatedBus,
        *,
        device: bytes,
        configuration: bytes,
        strings: Mapping[int, str],
        report_descriptors: Mapping[int, bytes],
    ) -> None:
        """`strings` by index; `report_descriptors` by interface."""
        self._bus = bus
        self._plugged: _Plugged | None = None
        self.device_fields = descriptors.parse(device)
        self.configuration: ParsedConfiguration = descriptors.parse_configuration(configuration)
        self._strings = dict(strings)
        self.report_descriptors = dict(report_descriptors)
        """By interface, as the host reads them."""
        self.packets: defaultdict[int, deque[bytes]] = defaultdict(deque)
        """By endpoint: what the host has not asked for yet."""
        self.halted: set[int] = set()
        self.failing_reads: deque[int] = deque()
        self.may_be_opened = True
        self.held_elsewhere: set[int] = set()
        """Interfaces that another program has claimed."""
        self.answers_control = True
        """While not, a control request takes its whole time-out."""
        self.is_configured = True
        self.kernel_drivers: set[int] = set()
        """Interfaces that the kernel's own driver is bound to."""
        self.detachments: list[int] = []
        """Interfaces that it was detached from, one after another."""

    @property
    def is_plugged(self) -> bool:
        return self._plugged is not None

    def plug(self, *ports: int) -> None:
        """Put it into a socket: port 1 of the root hub, unless said otherwise. The kernel binds its HID driver."""
        with self._bus.changing():
            if self._plugged is None:
                numbers = (each.fields for each in self.configuration.interfaces)
                self.kernel_drivers = {
                    each.bInterfaceNumber for each in numbers if each.bInterfaceClass == descriptors.HID_CLASS
                }
                self._plugged = self._bus.attach(self, ports or (1,))

    def unplug(self) -> None:
        """Pull it out, also in the middle of a read. What waited in it is lost with its power."""
        with self._bus.changing():
            if self._plugged is not None:
                self._bus.detach(self._plugged)
                self._plugged = None
                self.packets.clear()
                self.halted.clear()
                self.failing_reads.clear()
                self.answers_control = True

    def send(self, endpoint: int, packet: bytes) -> None:
        """Have a packet ready for the host. A device without power has none."""
        with self._bus.changing():
            if self.is_plugged:
                self.packets[endpoint].append(packet)

    def halt(self, endpoint: int) -> None:
        """Stall the endpoint until the host clears it."""
        with self._bus.changing():
            self.halted.add(endpoint)

    def fail_reads(self, *numbers: int) -> None:
        """Fail the next reads with these error numbers, one each."""
        with self._bus.changing():
            self.failing_reads.extend(numbers)

    def hang(self) -> None:
        """Answer no control request, until it is plugged in again."""
        with self._bus.changing():
            self.answers_control = False

    async def wait_taken(self) -> None:
        """Until the host has read all packets."""
        await self._bus.wait_until(lambda: not any(self.packets.values()))

    async def wait_opened(self) -> None:
        """Until somebody has claimed one of its interfaces."""
        await self._bus.wait_until(lambda: self._bus.is_claimed(self))

    def answer(self, request: int, kind: int, index: int, interface: int) -> bytes | None:
        """The answer to a standard GET_DESCRIPTOR; None stalls it."""
        if request == FROM_DEVICE and kind == descriptors.STRING:
            if index == 0:
                return descriptors.LANGUAGES
            return descriptors.string_descriptor(self._strings[index]) if index in self._strings else None
        if request == FROM_INTERFACE and kind == descriptors.REPORT:
            return self.report_descriptors.get(interface)
        return None


class SimulatedBus(usb.backend.IBackend):  # type: ignore[misc]  # pyusb has no types
    """Bus 1 with its sockets."""

    def __init__(self) -> None:
        super().__init__()
        self._changed = threading.Condition(threading.RLock())
        self._attached: list[_Plugged] = []
        self._handles: list[_Handle] = []
        self._addresses = 0
        self._watchers: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Replace libusb: whatever this process does through pyusb, it does on this bus."""
        libusb = usb.backend.libusb1.get_backend
        usb.backend.libusb1.get_backend = lambda find_library=None: self
        try:
            yield
        finally:
            usb.backend.libusb1.get_backend = libusb

    async def wait_until(self, holds: Callable[[], bool]) -> None:
        """Until something holds that a host or a device brings about."""
        watcher = (asyncio.get_running_loop(), asyncio.Event())
        with self._changed:
            self._watchers.append(watcher)
        try:
            while True:
                watcher[1].clear()
                with self._changed:
                    if holds():
                        return
                await watcher[1].wait()
        finally:
            with self._changed:
                self._watchers.remove(watcher)

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Change the bus or a device on it, and wake every waiting reader."""
        with self._changed:
            try:
                yield
            finally:
                self._changed.notify_all()
                for loop, event in self._watchers:
                    loop.call_soon_threadsafe(event.set)

    def attach(self, device: UsbDevice, ports: tuple[int, ...]) -> _Plugged:
        # As on a real bus, each plugging in has another address.
        self._addresses = self._addresses % 127 + 1
        plugged = _Plugged(device, self._addresses, ports)
        self._attached.append(plugged)
        return plugged

    def detach(self, plugged: _Plugged) -> None:
        plugged.is_there = False
        self._attached.remove(plugged)

    def is_open(self, device: UsbDevice) -> bool:
        return any(handle.plugged.device is device for handle in self._handles)

    def is_claimed(self, device: UsbDevice) -> bool:
        return any(handle.plugged.device is device and handle.claimed for handle in self._handles)

    # What pyusb asks of a backend

    def enumerate_devices(self) -> list[_Plugged]:
        with self._changed:
            return list(self._attached)

    def get_parent(self, dev: _Plugged) -> None:
        return None

    def get_device_descriptor(self, dev: _Plugged) -> SimpleNamespace:
        where = {"bus": 1, "address": dev.address, "port_number": dev.ports[-1], "port_numbers": dev.ports}
        return SimpleNamespace(**vars(dev.device.device_fields), **where, speed=descriptors.FULL_SPEED)

    def get_configuration_descriptor(self, dev: _Plugged, config: int) -> SimpleNamespace:
        if config != 0:
            raise IndexError(f"there is no configuration {config}")
        return dev.device.configuration.fields

    def get_interface_descriptor(self, dev: _Plugged, intf: int, alt: int, config: int) -> SimpleNamespace:
        if alt != 0:
            raise IndexError(f"there is no alternate setting {alt}")
        return self._interface(dev, intf).fields

    def get_endpoint_descriptor(self, dev: _Plugged, ep: int, intf: int, alt: int, config: int) -> SimpleNamespace:
        return self._interface(dev, intf).endpoints[ep]

    def open_device(self, dev: _Plugged) -> _Handle:
        with self.changing():
            if not dev.is_there:
                raise _error(errno.ENODEV)
            if not dev.device.may_be_opened:
                raise _error(errno.EACCES)
            handle = _Handle(dev)
            self._handles.append(handle)
            return handle

    def close_device(self, dev_handle: _Handle) -> None:
        with self.changing():
            dev_handle.is_open = False
            dev_handle.claimed.clear()
            self._handles.remove(dev_handle)

    def get_configuration(self, dev_handle: _Handle) -> int:
        with self._changed:
            return 1 if self._device(dev_handle).is_configured else 0

    def set_configuration(self, dev_handle: _Handle, config_value: int) -> None:
        with self.changing():
            device = self._device(dev_handle)
            if device.kernel_drivers and device.is_configured:
                raise _error(errno.EBUSY)
            device.is_configured = bool(config_value)

    def claim_interface(self, dev_handle: _Handle, intf: int) -> None:
        with self.changing():
            device = self._device(dev_handle)
            claimed = any(intf in handle.claimed for handle in self._handles if handle.plugged is dev_handle.plugged)
            if claimed or intf in device.kernel_drivers or intf in device.held_elsewhere:
                raise _error(errno.EBUSY)
            dev_handle.claimed.add(intf)

    def release_interface(self, dev_handle: _Handle, intf: int) -> None:
        with self.changing():
            self._device(dev_handle)
            dev_handle.claimed.discard(intf)

    def is_kernel_driver_active(self, dev_handle: _Handle, intf: int) -> bool:
        with self._changed:
            return intf in self._device(dev_handle).kernel_drivers

    def detach_kernel_driver(self, dev_handle: _Handle, intf: int) -> None:
        with self.changing():
            device = self._device(dev_handle)
            if intf not in device.kernel_drivers:
                raise _error(errno.ENOENT)
            device.kernel_drivers.remove(intf)
            device.detachments.append(intf)

    def attach_kernel_driver(self, dev_handle: _Handle, intf: int) -> None:
        with self.changing():
            device = self._device(dev_handle)
            if intf in dev_handle.claimed:
                raise _error(errno.EBUSY)
            device.kernel_drivers.add(intf)

    def ctrl_transfer(  # noqa: PLR0917  # so pyusb calls it
        self, dev_handle: _Handle, kind: int, request: int, value: int, index: int, data: array[int], timeout: int
    ) -> int:
        with self._changed:
            device = self._device(dev_handle)
            if not self._changed.wait_for(
                lambda: device.answers_control or not dev_handle.plugged.is_there, timeout / 1000 if timeout else None
            ):
                raise _timed_out()
            self._device(dev_handle)
            if kind == FROM_INTERFACE and index not in dev_handle.claimed:
                raise _error(errno.EIO)
            answer = device.answer(kind, value >> 8, value & 0xFF, index) if request == GET_DESCRIPTOR else None
            if answer is None:
                raise _error(errno.EPIPE)
            return _fill(data, answer[: len(data)])

    def intr_read(self, dev_handle: _Handle, ep: int, intf: int, buff: array[int], timeout: int) -> int:
        with self.changing():
            device = self._device(dev_handle)
            if intf not in dev_handle.claimed:
                raise _error(errno.EIO)
            ready = self._changed.wait_for(
                lambda: (
                    not dev_handle.plugged.is_there or ep in device.halted or device.failing_reads or device.packets[ep]
                ),
                timeout / 1000 if timeout else None,
            )
            self._device(dev_handle)
            if not ready:
                raise _timed_out()
            if device.failing_reads:
                raise _error(device.failing_reads.popleft())
            if ep in device.halted:
                raise _error(errno.EPIPE)
            packet = device.packets[ep].popleft()
            if len(packet) > len(buff):
                raise _error(errno.EOVERFLOW)
            return _fill(buff, packet)

    def clear_halt(self, dev_handle: _Handle, ep: int) -> None:
        with self.changing():
            self._device(dev_handle).halted.discard(ep)

    def _device(self, handle: _Handle) -> UsbDevice:
        if not handle.is_open or not handle.plugged.is_there:
            raise _error(errno.ENODEV)
        return handle.plugged.device

    @staticmethod
    def _interface(dev: _Plugged, index: int) -> ParsedInterface:
        return dev.device.configuration.interfaces[index]


def _fill(buffer: array[int], data: bytes) -> int:
    buffer[: len(data)] = array("B", data)
    return len(data)


def _error(number: int) -> Exception:
    error: Exception = usb.core.USBError(os.strerror(number), _LIBUSB_CODES.get(number, -99), number)
    return error


def _timed_out() -> Exception:
    error: Exception = usb.core.USBTimeoutError("Operation timed out", -7, errno.ETIMEDOUT)
    return error
