"""Drivers: what connects a device's bytes with the controller.

spec            one device, as the config describes it
kinds           the kinds of devices: the one table
driver          what the supervisor expects of a driver, and how a driver fails
options         a device's options, checked
reports         what drivers report
lines           a wire, decoded for a technician
supervisor      one task per device: connect, run, report, wait, connect again
current_device  the device whose task is running, for the log
randomness      random numbers that nobody may know beforehand
ports           serial lines, sockets, USB
link            our own protocol
drivers         one module or package per kind of device

May import `protocols`, never `controller` or `sim_hw`.
"""
