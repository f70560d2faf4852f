"""What can go wrong with a journal, for a person: what was expected, what came, what to do."""

from __future__ import annotations

from controller.errors import UserError

KEEP_IT = (
    "Keep the file: it is evidence. Restore the journal from a copy, or name another journal file in the configuration."
)
"""What to do with a damaged journal."""


class JournalError(UserError):
    """The journal cannot be read or written now. A failed append is not in the journal and took no number.

    One doubt stays, with a disk that fails in the very sync of a commit: if no append succeeds after it, the next start
    may find it written all the same. Recovery uses what is found.
    """


class JournalFull(JournalError):
    """No room left. Nothing was written; appends work again as soon as there is room."""


class JournalBusy(JournalError):
    """Another process writes this journal."""


class JournalBroken(JournalError):
    """Entries are missing or not as they were written, and not just at the torn end of the file."""

    def __init__(self, message: str, n: int | None = None) -> None:
        super().__init__(message)
        self.n = n
        """The first entry that is not whole, where one can be named."""
