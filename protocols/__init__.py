"""Codecs without I/O: bytes in, messages out, time passed in.

errors    the one error that codecs raise
framing   COBS frames with a CRC, found again after any noise
frames    the frames of the device link
arq       sequence numbers, acknowledgement, retransmission
link      the device link: both ends' state machines
messages  one class per message, one layout per class
identity  the messages that every device on the link understands
events    what every event of a device begins with
cards     a card as one byte
shoe      the messages of the card-reading shoe

The pages that a firmware engineer works from are docs/protocols/device-link.md and docs/protocols/shoe.md.
"""
