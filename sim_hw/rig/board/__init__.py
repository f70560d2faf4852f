"""A board that runs the image in an emulated computer, with simulated devices at real USB serial adapters.

machine   the computer: QEMU, its disk, its console, power on and off
table     the computer with a rig's devices and the site's files
"""
