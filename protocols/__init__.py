"""Codecs without I/O: bytes in, messages out, time passed in.

errors     the one error that codecs raise
values     what messages are made of, secrets kept out of every log
cards      a card as one byte
link       the device link, our own protocol: framing, sessions, messages
firmware   who a device is and what firmware it runs: messages that all devices on the link share
shoe, shuffler, dice_cup, key_panel    the messages of the devices on the link
modbus     Modbus RTU, both ends
drop_box   the register map of a drop-box sensor
alpha      the Alpha sign protocol of LED reader boards
hid        HID descriptors, and scans of a point-of-sale barcode scanner
rfc2217    a serial port behind a serial-device server
pcapng     capture files that Wireshark opens

The pages for firmware engineers are in docs/protocols/. May import `construct`, msgspec and the standard library.
"""
