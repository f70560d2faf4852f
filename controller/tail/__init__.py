"""`cutcard tail`: a person watches one table or a whole site from the broker.

watch     the connection: what to subscribe, what to request
follow    received messages in order: repeats dropped, holes found; pure
show      lines for people, objects for programs
words     what a person reads of an event
repeats   what comes again and again, counted

docs/mqtt/tail.md is its page.
"""
