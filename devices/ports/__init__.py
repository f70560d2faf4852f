"""Ports: serial lines, network sockets and USB devices, opened and read without blocking the event loop.

transport   opens a port by its url, with one sentence for each way that it fails
discovery   which serial ports there are, and which of them a USB identity means
port        an open port, with its share of the event loop
tap         passes on what goes through a port, for a technician
opening     one opening of a port, until its first failure
modbus_bus  a Modbus line
usb         finds and claims a USB device; usb_remote does it over a rig's socket
hid_port    reads a USB device in a thread

May import `protocols`, and of `devices` the spec, the driver's failures and the name of the current device.
"""
