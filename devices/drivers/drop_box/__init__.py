"""The drop box: sensors on a Modbus line that count what falls into the boxes of a table.

driver   asks the sensors in turn and reports what changed
rota     whose turn it is
watch    what happened between two readings of a sensor
reports  what the driver reports
lines    the wire, for a technician
probe    which sensors are on a serial port

May import what a driver may: see `devices.drivers`.
"""

from __future__ import annotations

from devices.drivers.drop_box.driver import DropBoxDriver, DropBoxOptions
from devices.drivers.drop_box.lines import ModbusLines
from devices.drivers.drop_box.probe import probe_sensors
from devices.kinds import DeviceKind

KIND = DeviceKind(
    name="drop_box",
    driver=DropBoxDriver,
    options=DropBoxOptions,
    lines=lambda _: ModbusLines(),
    probe_port=probe_sensors,
)
