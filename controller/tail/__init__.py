"""`cutcard tail`: a person watches one table or a whole site from the broker.

command   the command line
watch     the connection, for ever; what to subscribe, what to ask
follow    what was heard, put in order: repeats dropped, holes found; pure
show      lines for people, objects for programs

docs/mqtt/tail.md is its page.
"""
