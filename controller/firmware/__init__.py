"""The devices' firmware: which runs where, whether it can be trusted, and how it is updated.

signing    images and who signed them
trust      the register of devices on disk: who belongs where, and with which key
inventory  what is known of every device, as facts for the journal and the broker
fit        whether an image is for a device
updates    one update at a time, never during a round, from the image to the event that it is verified
control    the socket by which a technician's command reaches the running daemon
service    all of this for one daemon

What goes over the wire is in docs/protocols/firmware.md, how a cardroom uses it in docs/operations/firmware.md.
"""
