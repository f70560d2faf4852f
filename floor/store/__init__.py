"""The store: SQLite in a file, or PostgreSQL; the same tables in both.

schema       the tables; room_schema: those of the page; migrations bring a database to them
moments      times and gaming days
bulk         many rows at once
database     opening one, and what differs between the two
intake       a batch of messages in one transaction: order, chain, repeats, holes
quarantine   what is kept apart
documents    the retained documents, and checkpoints
derived      what is worked out of the events
rebuild      all of that again
retention    what is deleted, and when
marks        where each journal ends now, to compare with later
page_acts    what people do at the page

docs/floor/store.md is for those who read it with SQL.
"""
