"""Conformance of a card reader: USB HID, point-of-sale class.

usb     one HID interface, polled
bench   scans out of its reports
reader  the requirements of card-reader.md
"""
