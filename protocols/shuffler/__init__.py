"""The messages of the shuffler.

messages  the messages, as values
codec     their bytes

May import `protocols.link` and what is below it.
"""
