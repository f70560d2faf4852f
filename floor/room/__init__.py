"""The room's own rules, beside those of the tables.

licence     tables open against the licence
drop_times  when boxes may be taken out, and drops that two people have begun
alarms      what is wrong in the room: kept in the store, acknowledged at the page
decks       the room's cards: packs and shoes of all tables
watch       looks at all of it, again and again

docs/floor/room.md is its page.
"""
