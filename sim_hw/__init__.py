"""The simulated table: devices that a driver cannot distinguish from real ones.

time           simulated time: a clock at any speed, an event loop
wire           ports and lossy wires
usb            a simulated USB bus
firmware       a device's bootloader, flash and key
devices        one module or package per kind of device
conform        whether a device does what its page requires
people         dealer, players and floor, who see only what a table shows
rig            the devices of a table, with the daemon beside them: docs/protocols/rig.md
pytest_plugin  the rig as pytest fixtures

May import `protocols`, never `devices` or `controller`.
"""
