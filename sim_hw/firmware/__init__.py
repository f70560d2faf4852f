"""A simulated device's firmware.

bootloader  updates, trial and rollback
flash       memory that survives a power cut
keyholder   the device's key

May import `protocols`.
"""
