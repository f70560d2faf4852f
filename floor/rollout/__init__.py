"""Updates by a plan that the office has signed: one table first, then the rest, stop on trouble.

plan      what `cutcard reference plan` makes, as values
running   asks the tables what would change, and sends it to one after the other

The office signs and has no right to command; a supervisor of the floor starts it and can change nothing in it.
docs/floor/updates.md is its page.
"""
