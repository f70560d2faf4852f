"""For whoever stands under the table with a torch: doctor, devices, capture. docs/technician.md is their page.

commands    the three commands on the command line: doctor, devices, capture
terminal    the same at a terminal, done and told line by line
doctor      one line for each thing that a table needs
listing     the ports of this machine and what is on them
watching    what passes on a device's wire, live
sending     one message to a device
capturing   recording into a file, and playing one back
table       which configuration, device and daemon a command is about
bench       devices without a daemon
daemon      asking a running daemon
workbench   the daemon's side: what it tells of its devices, and whom it lets listen
api         the same over HTTP
recorder    a capture file whose rounds are kept back until they are over
lines       what passed on a wire, decoded, with the cards withheld
status      what is told of a device
request     refusals and defaults
"""
