"""A USB bus that another process has: a pyusb backend over a Unix socket.

A simulated table is a process of its own, and its card reader is on a simulated USB bus (`sim_hw.usb.server`, which
says what goes over the socket). With `CUTCARD_USB` in the environment, naming that socket, this backend takes the
place of libusb, and the driver's own code runs unchanged. The daemon takes it only in test mode.
"""

from __future__ import annotations

import errno
import json
import os
import socket
import threading
from array import array
from types import SimpleNamespace
from typing import Any

import usb.backend
import usb.core

SOCKET = "CUTCARD_USB"


def socket_named() -> str | None:
    """The socket that the environment names."""
    return os.environ.get(SOCKET) or None


class RemoteBus(usb.backend.IBackend):  # type: ignore[misc]  # pyusb has no types
    """Another process's bus. Every thread has a connection of its own, because reads wait."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self._path = path
        self._mine = threading.local()

    def enumerate_devices(self) -> list[int]:
        found: list[int] = self._ask("enumerate_devices")
        return found

    def get_parent(self, dev: int) -> None:
        return None

    def get_device_descriptor(self, dev: int) -> SimpleNamespace:
        return self._fields("get_device_descriptor", dev)

    def get_configuration_descriptor(self, dev: int, config: int) -> SimpleNamespace:
        return self._fields("get_configuration_descriptor", dev, config)

    def get_interface_descriptor(self, dev: int, intf: int, alt: int, config: int) -> SimpleNamespace:
        return self._fields("get_interface_descriptor", dev, intf, alt, config)

    def get_endpoint_descriptor(self, dev: int, ep: int, intf: int, alt: int, config: int) -> SimpleNamespace:
        return self._fields("get_endpoint_descriptor", dev, ep, intf, alt, config)

    def open_device(self, dev: int) -> int:
        handle: int = self._ask("open_device", dev)
        return handle

    def close_device(self, dev_handle: int) -> None:
        self._ask("close_device", dev_handle)

    def get_configuration(self, dev_handle: int) -> int:
        number: int = self._ask("get_configuration", dev_handle)
        return number

    def set_configuration(self, dev_handle: int, config_value: int) -> None:
        self._ask("set_configuration", dev_handle, config_value)

    def claim_interface(self, dev_handle: int, intf: int) -> None:
        self._ask("claim_interface", dev_handle, intf)

    def release_interface(self, dev_handle: int, intf: int) -> None:
        self._ask("release_interface", dev_handle, intf)

    def is_kernel_driver_active(self, dev_handle: int, intf: int) -> bool:
        return bool(self._ask("is_kernel_driver_active", dev_handle, intf))

    def detach_kernel_driver(self, dev_handle: int, intf: int) -> None:
        self._ask("detach_kernel_driver", dev_handle, intf)

    def attach_kernel_driver(self, dev_handle: int, intf: int) -> None:
        self._ask("attach_kernel_driver", dev_handle, intf)

    def clear_halt(self, dev_handle: int, ep: int) -> None:
        self._ask("clear_halt", dev_handle, ep)

    def ctrl_transfer(  # noqa: PLR0917  # so pyusb calls it
        self, dev_handle: int, kind: int, request: int, value: int, index: int, data: array[int], timeout: int
    ) -> int:
        return _fill(data, self._ask("ctrl_transfer", dev_handle, kind, request, value, index, len(data), timeout))

    def intr_read(self, dev_handle: int, ep: int, intf: int, buff: array[int], timeout: int) -> int:
        return _fill(buff, self._ask("intr_read", dev_handle, ep, intf, len(buff), timeout))

    def _fields(self, call: str, *args: int) -> SimpleNamespace:
        return SimpleNamespace(**self._ask(call, *args))

    def _ask(self, call: str, *args: int) -> Any:
        try:
            connection = self._connection()
            connection.write(json.dumps({"call": call, "args": args}).encode() + b"\n")
            connection.flush()
            line = connection.readline()
        except OSError:
            line = b""
        if not line:
            self._mine.connection = None
            # The whole bus is gone, as when a hub loses its power.
            raise usb.core.USBError(os.strerror(errno.ENODEV), -4, errno.ENODEV)
        answer = json.loads(line)
        if "missing" in answer:
            raise IndexError(answer["missing"])
        if "error" in answer:
            number, code, text = answer["error"]
            kind = usb.core.USBTimeoutError if number == errno.ETIMEDOUT else usb.core.USBError
            raise kind(text, code, number)
        return answer["gives"]

    def _connection(self) -> Any:
        if getattr(self._mine, "connection", None) is None:
            line = socket.socket(socket.AF_UNIX)
            line.connect(self._path)
            self._mine.connection = line.makefile("rwb")
            line.close()
        return self._mine.connection


def _fill(buffer: array[int], data: str) -> int:
    got = bytes.fromhex(data)
    buffer[: len(got)] = array("B", got)
    return len(got)
