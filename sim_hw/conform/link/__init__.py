"""Conformance on the device link.

bench  the controller's end, which can also be wrong on purpose
framing session delivery timing events seal authentication bootloader    requirements of every device
shoe shuffler dice_cup key_panel    requirements of one kind
"""
