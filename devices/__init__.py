"""Drivers: what stands between a device's bytes and the controller.

spec         what the config says about one device
driver       what a driver is to the supervisor, and how it fails
drivers      which driver attends which kind of device
reports      what drivers tell the controller, as values
transport    opening a serial port, and one sentence for each way it fails
connection   a device link over an open port: messages in, messages out
options      a device's own options, checked
link_driver  the conversation that every driver on the device link holds
shoe         the card-reading shoe
supervisor   one task per device: connect, run, report, back off, connect again
"""
