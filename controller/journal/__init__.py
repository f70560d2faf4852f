"""The journal: every input of a table and the events it caused, durable before they are published.

chain      what an entry is, and the chain of hashes over all of them; pure
randomness its identity, and the random bytes in each entry
published  what is published of an entry, and the public chain of hashes over that
store      the SQLite file, its tables and how it comes into being
reader     reading it, also while the daemon writes
writer     the one thread that writes, in group commits
journal    what the daemon opens: lock, append, cursor, rotate
repair     a torn tail is cut back and kept, any other damage refused
archives   the files of older entries, and the journal's list of them
rotation   older entries move to an archive, and the chain continues
export     everything in one file for somebody else, with a verifier inside
verify_journal   that verifier: plain Python, nothing of ours
checkpoint what the board signs: where both chains ended
log        SQLite's write-ahead log, looked at before SQLite forgets its torn end
errors     what can go wrong

docs/compliance/journal.md describes the file for those who read it without this program.
"""

from controller.journal.archives import Archive
from controller.journal.chain import Entry, Head, JournalEvent
from controller.journal.errors import JournalBroken, JournalBusy, JournalError, JournalFull
from controller.journal.journal import Journal
from controller.journal.randomness import Seeded
from controller.journal.reader import JournalReader, Progress, Repair
from controller.journal.rotation import NotNow
from controller.journal.writer import Append, AppendTogether, Commit

__all__ = [
    "Append",
    "AppendTogether",
    "Archive",
    "Commit",
    "Entry",
    "Head",
    "Journal",
    "JournalBroken",
    "JournalBusy",
    "JournalError",
    "JournalEvent",
    "JournalFull",
    "JournalReader",
    "NotNow",
    "Progress",
    "Repair",
    "Seeded",
]
