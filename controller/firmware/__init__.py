"""The firmware companion: what keeps the table's microcontrollers honest and current.

signing    images and who signed them
trust      the register of devices on disk: who belongs where, and with which key
private    files that only their owner may read
inventory  what is known of every device, as facts for the journal and the broker
fit        whether an image is for a device
updates    one update at a time, never in mid-round, from the image to the event that says it is verified
control    the socket by which a technician's command reaches the running daemon
service    all of this, put together for one daemon
commands   `cutcard firmware …`

What goes over the wire is in docs/protocols/firmware.md, how a cardroom uses it in docs/firmware.md.
"""
