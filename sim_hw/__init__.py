"""The simulated table: devices that a driver cannot tell from real ones.

clock        simulated time, at any speed
noise        a lossy wire, from a seed
pty          a serial port with a stable name
link_peer    the device's end of the link, on such a port
link_device  what every simulated device on the link does
shoe         the card-reading shoe
people       a dealer and players, who see only what a table shows
rig          the simulated table as a process of its own
"""
