"""The example vendor's shuffler: a machine with a protocol of its own, which is a shuffler to the table.

driver   polls the machine, and asks it for what the table allows
line     one question at a time over an open port
reports  the machine's records as the reports of a shuffler
lines    the wire, for a technician
probe    whether it is on a serial port

May import what a driver may: see `devices.drivers`.
"""

from __future__ import annotations

from devices.drivers.example_shuffler.driver import ExampleShufflerDriver
from devices.drivers.example_shuffler.lines import ExampleLines
from devices.drivers.example_shuffler.probe import probe_machine
from devices.kinds import DeviceKind

KIND = DeviceKind(
    name="example_shuffler",
    make_of="shuffler",
    driver=lambda spec, _: ExampleShufflerDriver(spec),
    lines=lambda sealed: ExampleLines(sealed=sealed),
    probe_port=probe_machine,
)
