"""Commands to tables, in the name of a person who has signed in at the page.

sender   one request to one table, over every broker, and its answer
orders   one order of a person: a command for a table, a section or the house

The table judges and journals. What is refused here is refused by the room's own rules (`floor.room`).
"""
