"""The tables as they are now: their retained documents, straight from the brokers.

documents    what the page reads of a state document
live_tables  all tables of the site, and whether each is connected
follower     connections to the brokers, in the page's own name

The page shows a table from here within a moment; the store has its history. Nothing here is written anywhere.
"""
