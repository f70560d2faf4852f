"""The simulated devices: one module or package for each kind, which declares its `KIND` (`sim_hw.devices.kinds`).

kinds        the kinds: the one table
link_device  what every simulated device on the link does
link_peer    the device's end of the link, on a simulated port

May import `protocols` and, of `sim_hw`, time, wire, usb and firmware.
"""
