"""The device link: our own protocol between controller and devices.

framing   COBS frames with a CRC, found again after any noise
frames    the frames
arq       sequence numbers, acknowledgement, retransmission
seal      frames with a number and a tag, for a session that is authenticated
session   both ends' state machines
diagnosis what is wrong with a device that is nearly right
messages  one class per message, one layout per class
identity  the messages that every device understands
events    what every event of a device begins with
locate    finding a device

May import `protocols.errors`, `protocols.layout_errors` and `protocols.values`.
"""
