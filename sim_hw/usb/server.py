"""The rig's USB bus for another process: a Unix socket that answers what pyusb asks of a backend.

The other end is `devices.ports.usb_remote`, a pyusb backend that the daemon uses when its environment names the socket.
One JSON line per question and answer; a connection has its own thread here, because a read of an endpoint waits. What
the host opened over a connection is closed when the connection ends, as the kernel does when a process dies.

    {"call": "intr_read", "args": [3, 130, 0, 64, 200]}  ->  {"gives": "0204..."}
                                                         ->  {"error": [110, -7, "Operation timed out"]}
"""

from __future__ import annotations

import json
import socketserver
import threading
from array import array
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import usb.core

from sim_hw.usb.backend import SimulatedBus

READS = ("ctrl_transfer", "intr_read")


class UsbServer:
    """Serves one bus on one socket, in threads."""

    def __init__(self, bus: SimulatedBus, path: Path) -> None:
        self._path = path
        path.unlink(missing_ok=True)
        devices = _Numbers()

        class Guest(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                _Host(bus, devices).serve(self)

        class Server(socketserver.ThreadingUnixStreamServer):
            daemon_threads = True

        self._server = Server(str(path), Guest)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), name="usb", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._path.unlink(missing_ok=True)


class _Numbers:
    """A number for every plugging in, the same on all connections."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: list[object] = []

    def of(self, thing: object) -> int:
        with self._lock:
            if thing not in self._known:
                self._known.append(thing)
            return self._known.index(thing)

    def thing(self, number: int) -> object:
        with self._lock:
            return self._known[number]


class _Host:
    """One connection: what it has opened, and the calls it makes."""

    def __init__(self, bus: SimulatedBus, devices: _Numbers) -> None:
        self._bus, self._devices = bus, devices
        self._handles: dict[int, Any] = {}

    def serve(self, guest: socketserver.StreamRequestHandler) -> None:
        try:
            with suppress(OSError, ValueError):
                for line in guest.rfile:
                    asked = json.loads(line)
                    guest.wfile.write(json.dumps(self._answer(asked["call"], asked["args"])).encode() + b"\n")
        finally:
            for handle in self._handles.values():
                with suppress(usb.core.USBError, ValueError):
                    self._bus.close_device(handle)

    def _answer(self, call: str, args: list[Any]) -> dict[str, object]:
        try:
            return {"gives": self._call(call, args)}
        except usb.core.USBError as error:
            return {"error": [error.errno, error.backend_error_code, error.strerror]}
        except (IndexError, KeyError):
            return {"missing": f"{call} {args}"}

    def _call(self, call: str, args: list[Any]) -> object:
        bus = self._bus
        if call == "enumerate_devices":
            return [self._devices.of(plugged) for plugged in bus.enumerate_devices()]
        if call.startswith("get_") and call.endswith("_descriptor"):
            device = self._devices.thing(args[0])
            fields: SimpleNamespace = getattr(bus, call)(device, *args[1:])
            return vars(fields)
        if call == "open_device":
            handle: Any = bus.open_device(self._devices.thing(args[0]))  # type: ignore[arg-type]
            number = len(self._handles) + 1
            self._handles[number] = handle
            return number
        if call == "close_device":
            bus.close_device(self._handles.pop(args[0]))
            return None
        if call in READS:
            *before, length, timeout = args[1:]
            buffer = array("B", bytes(length))
            got: int = getattr(bus, call)(self._handles[args[0]], *before, buffer, timeout)
            return bytes(buffer[:got]).hex()
        if call not in PLAIN:
            raise KeyError(call)
        return getattr(bus, call)(self._handles[args[0]], *args[1:])


PLAIN = (
    "get_configuration",
    "set_configuration",
    "claim_interface",
    "release_interface",
    "is_kernel_driver_active",
    "detach_kernel_driver",
    "attach_kernel_driver",
    "clear_halt",
)
