"""For whoever stands under the table with a torch: doctor, devices, capture. docs/technician.md is their page.

commands    the three commands on the command line
doctor      one line for each thing that a table needs
devices     list, watch, send
capture     recording and playing back
lines       what passed on a wire, decoded, with the cards withheld
recorder    a capture file whose rounds are kept back until they are over
workbench   the daemon's side: what it tells of its devices, and whom it lets listen
api         the same over HTTP
status      what is told of a device
daemon      asking a running daemon
bench       devices without a daemon
"""
