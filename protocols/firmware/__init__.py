"""Who a device is and what firmware it runs: messages that all devices on the link share.

companion       the codec of these messages
authentication  challenge, response and proof
messages        an update, step by step
image           the file with a firmware image

May import `protocols.link` and what is below it.
"""
