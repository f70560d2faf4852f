"""What is worked out of the events: rows of rounds, fees, drops and the rest, as a function of the events alone.

page      the rows that a batch of events makes or changes
context   what must be remembered from one event of a journal to the next
about     where and when an event happened
rounds    rounds and wagers
money     fee ledger, drops, boxes, counts
house     alarms, staff acts, devices
jackpots  what changes a meter
book      one journal's events in order, each to those above

The same code runs while events come in and when `cutcard floor rebuild` makes everything again.
"""
