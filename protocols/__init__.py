"""Codecs without I/O: bytes in, messages out, time passed in.

errors     the one error that codecs raise
values     what messages are made of, secrets kept out of every log
framing    COBS frames with a CRC, found again after any noise
frames     the frames of the device link
arq        sequence numbers, acknowledgement, retransmission
link       the device link: both ends' state machines
messages   one class per message, one layout per class
identity   the messages that every device on the link understands
events     what every event of a device begins with
companion  who a device is, where it is, what firmware runs in it: authentication, locate, firmware; image is the file
cards      a card as one byte
shoe       the messages of the card-reading shoe
shuffler   the messages of the shuffler; shuffler_codec has their bytes
dice_cup   the messages of the dice cup
key_panel  the messages of the dealer's key panel
modbus     Modbus RTU, both ends
drop_box   the register map of a drop-box sensor
alpha      the Alpha sign protocol of LED reader boards
rfc2217    a serial port behind a serial-device server
pcapng     capture files that Wireshark opens
hid        HID report descriptors, as far as input reports need them
hid_pos    scans of a HID point-of-sale barcode scanner; card_codes has the default text of each card

The pages that a firmware engineer works from are in docs/protocols/.
"""
