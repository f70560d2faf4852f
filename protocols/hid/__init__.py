"""HID: USB devices that describe their own reports.

descriptors  HID report descriptors, as far as input reports need them
pos          scans of a point-of-sale barcode scanner
card_codes   the default text of each card

May import `protocols.errors`, `protocols.layout_errors`, `protocols.values` and `protocols.cards`.
"""
