"""Conformance: every "must" of the protocol pages, played against a device on its port. docs/protocols/conformance.md.

requirement  a requirement: its id on the page, how it is played, and the deliberately wrong device that fails it
wrong        how a simulated device is made wrong in one place
hands        who acts at the device: the simulator, a person, a robot's script, nobody
opening      a port: a path, a socket
trace        what passed on the port, in hex and decoded
play         plays requirements one after another
report       text, JUnit XML, HTML
kinds        what each kind of device is judged by
controller   what the pages require of the controller, and the tests that play it
command      `cutcard rig conform`
link/        the device link, and the four devices on it
modbus/ alpha/ hid/    drop boxes, the reader board and the card reader, each over its standard

May import `protocols` and, of `sim_hw`, what is below `rig`.
"""
