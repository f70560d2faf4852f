"""A simulated USB bus.

backend      the bus, as a backend of pyusb
descriptors  a device's descriptors
server       the bus for another process

May import nothing else of ours.
"""
