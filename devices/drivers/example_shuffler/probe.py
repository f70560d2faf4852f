"""Whether the example vendor's shuffler is on a serial port. Asking who it is changes nothing in it."""

from __future__ import annotations

from devices.driver import DriverFailure
from devices.drivers.example_shuffler.line import open_line
from devices.kinds import Section
from devices.ports.transport import PortError
from devices.spec import DeviceSpec
from protocols.errors import ProtocolError
from protocols.example_shuffler import messages as wire
from protocols.link.session import LinkStatistics

BAUD = 19_200


async def probe_machine(url: str) -> Section | None:
    """The section for the machine on this port, or None; `PortError` where the port cannot be used at all."""
    spec = DeviceSpec(id="probe", kind="example_shuffler", url=url, baud=BAUD)
    try:
        async with open_line(spec, LinkStatistics.fresh()) as line:
            answer = await line.ask(wire.Identify(), tries=1)
    except PortError:
        raise
    except (DriverFailure, ProtocolError):
        return None
    return {"kind": spec.kind, "url": url, "baud": BAUD} if isinstance(answer, wire.Identity) else None
