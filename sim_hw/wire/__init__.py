"""Ports and wires.

line        a device's wire: its port, and what happens to bytes on the way
noise       a lossy wire, from a seed
pty         a serial port with a stable name
tcp         a network socket
local_port  a socket in the file system

May import nothing else of ours.
"""
