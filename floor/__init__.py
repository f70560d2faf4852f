"""The floor: every event of every table of a cardroom in one store, whatever the network does. `cutcard floor`.

    tables ══► one or two brokers ══► collector ─► store ─► queries ─► page, books

config      what a person sets; gaming_day: when the room's day begins
messages    what comes in, as values
collector   receives, answers with receipts, requests what is missing
store       the database: events in order, everything that is worked out from them, what was kept apart
queries     what pages read from the store
live        the tables as they are now, from their retained documents
room        the room's own rules: licence, drops, cards
commands    orders of people, to the tables
alerts      what is wrong, for Alertmanager
renewal     the tables' certificates and the requests for the next ones, printed
rollout     staff, configuration, software and certificates by a plan
web         the page
books       what a shift, a day or a month came to; count sheets; the watch on due less dropped
company     `cutcard floor company`: all rooms of a company in one database
cli         `cutcard floor`; run: what its commands do
demo        `make floor`: simulated tables, their broker and all of the above

It is a program of its own beside the daemon. It knows tables only through the published contract: it imports
`controller.contract`, and `controller.journal` for public chain and checkpoints. Nothing imports it but the command
line, on request. docs/floor/README.md is where its users start.
"""
