"""For the technician at the table: doctor, devices, capture. docs/operations/technician.md is the page for them.

terminal    `cutcard devices` and `cutcard capture`, printed line by line
doctor      one line for each thing that a table needs
listing     the ports of this machine and what is on them
watching    what passes on a device's wire, live
sending     one message to a device
capturing   recording into a file, and playing one back
table       which configuration, device and daemon a command is about
bench       devices without a daemon
daemon      asking a running daemon
workbench   the daemon's side: what it reports of its devices, and who may listen
api         the same over HTTP
wire_recording   a capture file; packets of a round are held back until it is over
lines       what passed on a wire, decoded, with the cards withheld
status      what is reported of a device
"""
