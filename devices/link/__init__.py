"""The device link: what all devices that speak our own protocol have in common.

driver          the session that every driver on the link has
connection      a link over an open port: messages in, messages out
companion       beside the session: checks the device and gives it new firmware
authentication  whether the device on a port is the one that belongs there
quarantine      messages that can never be accepted
firmware        one update of one device
bench           a session with a device without a daemon
lines           the wire, for a technician

May import `protocols`, `devices.ports` and the modules of `devices`; no driver.
"""
