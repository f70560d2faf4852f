"""The journal: every input of a table and the events it caused, durable before anything else hears of them.

chain      what an entry is, and the chain of hashes over all of them; pure
store      the SQLite file, its tables and how it comes into being
reader     reading it, also while the daemon writes
writer     the one thread that writes, in group commits
journal    what the daemon opens: lock, append, cursor
repair     a torn tail is cut back and kept, any other damage refused
log        SQLite's write-ahead log, looked at before SQLite forgets its torn end
errors     what can go wrong

docs/journal.md describes the file for whoever has to read it without this program.
"""

from controller.journal.chain import Entry, Head, JournalEvent
from controller.journal.errors import JournalBroken, JournalBusy, JournalError, JournalFull
from controller.journal.journal import Journal
from controller.journal.reader import JournalReader, Progress, Repair

__all__ = [
    "Entry",
    "Head",
    "Journal",
    "JournalBroken",
    "JournalBusy",
    "JournalError",
    "JournalEvent",
    "JournalFull",
    "JournalReader",
    "Progress",
    "Repair",
]
